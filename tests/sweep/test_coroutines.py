"""Coroutine functions as scenarios and as checks."""

from __future__ import annotations

import asyncio

import pytest
from botocore.exceptions import ClientError


@pytest.fixture
def put_later(put):
    """Puts an order in a coroutine, and again after a second if it was refused."""

    async def put_in_a_coroutine(key):
        try:
            put(key)
        except ClientError:
            await asyncio.sleep(1)
            put(key)

    return put_in_a_coroutine


def outcomes(report):
    return [(point.number, point.outcome) for point in report.points]


def test_a_coroutine_function_is_swept(ddb_fake, orders, put, put_later):
    async def scenario():
        await put_later("a")
        put("b")

    report = ddb_fake.sweep(scenario)

    assert outcomes(report) == [(1, "recovered"), (2, "raised")]
    assert orders.item_count == 2


def test_tasks_of_a_scenario_are_refused_in_turn(ddb_fake, orders, put_later):
    async def scenario(fake):
        await asyncio.gather(*(put_later(key) for key in "abc"))
        assert fake.table("orders").item_count == 3

    report = ddb_fake.sweep(scenario)

    report.assert_all_recovered()
    assert len(report.calls) == 3


def test_a_function_that_gives_a_coroutine_is_one_too(ddb_fake, orders, put_later):
    ddb_fake.sweep(lambda: put_later("a")).assert_all_recovered()


def test_a_check_may_be_a_coroutine_function(ddb_fake, orders, put):
    checked = []

    async def check():
        await asyncio.sleep(1)
        checked.append(orders.item_count)

    report = ddb_fake.sweep(lambda: put("a"), check=check, may_raise=True)

    assert checked == [1, 0]
    assert outcomes(report) == [(1, "raised")]


def test_a_coroutine_that_never_ends_hangs(ddb_fake, orders, put):
    async def scenario():
        try:
            put("a")
        except ClientError:
            while True:
                await asyncio.sleep(600)

    report = ddb_fake.sweep(scenario)

    assert outcomes(report) == [(1, "hung")]


def test_where_a_loop_runs_already_the_scenario_has_one_of_its_own(ddb_fake, orders, put_later):
    async def test():
        loop = asyncio.get_running_loop()

        async def scenario():
            assert asyncio.get_running_loop() is not loop
            await put_later("a")

        return ddb_fake.sweep(scenario)

    asyncio.run(test()).assert_all_recovered()
