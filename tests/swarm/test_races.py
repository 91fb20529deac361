"""What races in production races here: each call is a point at which another worker goes on."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

import pytest

KEY = {"pk": {"S": "counter"}}


@pytest.fixture
def counter(ddb_fake):
    table = ddb_fake.create_table("counters")
    table.load([{"pk": "counter", "value": 0, "version": 0}])
    return table


@pytest.fixture
def read(ddb_client):
    def read_counter() -> tuple[int, int]:
        item = ddb_client.get_item(TableName="counters", Key=KEY, ConsistentRead=True)["Item"]
        return int(item["value"]["N"]), int(item["version"]["N"])

    return read_counter


@pytest.fixture
def write(ddb_client):
    def write_counter(value: int, version: int, **more: object) -> None:
        item = {**KEY, "value": {"N": str(value)}, "version": {"N": str(version + 1)}}
        ddb_client.put_item(TableName="counters", Item=item, **more)

    return write_counter


def value_of(counter) -> int:
    return counter.items(plain=True)[0]["value"]


def test_a_read_modify_write_loses_updates(ddb_fake, counter, read, write):
    def add_one():
        value, version = read()
        write(value + 1, version)

    ddb_fake.swarm(add_one, workers=20)

    assert 1 <= value_of(counter) < 20


def test_it_loses_none_with_a_condition(ddb_fake, ddb_client, counter, read, write):
    def add_one():
        while True:
            value, version = read()
            with suppress(ddb_client.exceptions.ConditionalCheckFailedException):
                return write(
                    value + 1,
                    version,
                    ConditionExpression="version = :seen",
                    ExpressionAttributeValues={":seen": {"N": str(version)}},
                )

    report = ddb_fake.swarm(add_one, workers=20)

    assert value_of(counter) == 20
    assert report.writes.declined == report.errors["ConditionalCheckFailedException"] > 0
    assert report.attempts_per_write == (20 + report.writes.declined) / 20


def test_a_coroutine_that_calls_a_blocking_client_loses_updates_too(ddb_fake, counter, read, write):
    async def add_one():
        value, version = read()
        write(value + 1, version)

    ddb_fake.swarm(add_one, workers=20)

    assert 1 <= value_of(counter) < 20


@pytest.mark.parametrize("kind", ["function", "coroutine"])
def test_a_sleep_of_no_length_is_a_point_at_which_another_goes_on(ddb_fake, kind):
    seen = []

    def function(number):
        seen.append(("before", number))
        time.sleep(0)
        seen.append(("after", number))

    async def coroutine(number):
        seen.append(("before", number))
        await asyncio.sleep(0)
        seen.append(("after", number))

    ddb_fake.swarm(function if kind == "function" else coroutine, workers=10)

    assert sorted(seen) == sorted((when, number) for when in ("before", "after") for number in range(10))
    assert any(first[1] != second[1] for first, second in zip(seen[::2], seen[1::2], strict=True))
    assert ddb_fake.sleeps == []


def test_between_two_calls_nobody_else_goes_on(ddb_fake):
    shared = {"value": 0}

    def add_one():
        value = shared["value"]
        _ = [step**2 for step in range(1000)]
        shared["value"] = value + 1

    ddb_fake.swarm(add_one, workers=50)

    assert shared["value"] == 50


def test_each_seed_is_another_order(ddb_fake):
    orders = []
    for seed in range(3):
        order: list[int] = []
        ddb_fake.swarm(order.append, workers=30, seed=seed)
        orders.append(tuple(order))

    assert len(set(orders)) == 3
    assert all(sorted(order) == list(range(30)) for order in orders)
