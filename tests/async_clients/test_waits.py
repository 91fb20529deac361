"""What an asynchronous client waits, in virtual time and in each retry mode."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from botocore.config import Config

from pytest_ddbthrottle import FakeDynamoDB

WRITE_REFUSED = {"operation": "PutItem", "reason": "TableWriteProvisionedThroughputExceeded"}


async def put(new_client: Any, mode: str, times: int = 1) -> list[str]:
    """Put items one after the other; give the codes of the errors."""
    codes = []
    async with new_client(config=Config(retries={"mode": mode})) as client:
        for number in range(times):
            try:
                await client.put_item(TableName="orders", Item={"pk": {"S": str(number)}})
            except client.exceptions.ClientError as error:
                codes.append(error.response["Error"]["Code"])
    return codes


def test_legacy_waits_25_55_virtual_seconds_as_a_synchronous_client_does(fake: Any, new_client: Any) -> None:
    fake.inject(**WRITE_REFUSED, times=10)
    codes = asyncio.run(put(new_client, "legacy"))
    assert codes == ["ProvisionedThroughputExceededException"]
    assert [sleep.seconds for sleep in fake.sleeps] == [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8]
    assert {sleep.origin for sleep in fake.sleeps} == {"sdk"}
    assert fake.clock.elapsed == 25.55


def test_standard_retries_with_jitter_from_the_seed(fake: Any, new_client: Any) -> None:
    fake.inject(**WRITE_REFUSED, times=2)
    assert asyncio.run(put(new_client, "standard")) == []
    fake.assert_attempts("PutItem", 3)
    first = [sleep.seconds for sleep in fake.sleeps]
    fake.restore(fake.snapshot())
    fake.inject(**WRITE_REFUSED, times=2)
    asyncio.run(put(new_client, "standard"))
    assert [sleep.seconds for sleep in fake.sleeps] == first * 2


def test_adaptive_sends_after_its_limiter_has_waited(fake: Any, new_client: Any) -> None:
    fake.inject(**WRITE_REFUSED, times=1)
    assert asyncio.run(put(new_client, "adaptive", times=4)) == []
    assert len(fake.sleeps) >= 4
    assert fake.calls[-1].at_seconds == fake.clock.elapsed


def test_a_waiter_waits_in_virtual_time(fake: Any, new_client: Any) -> None:
    fake.limits(lifecycle="realistic")

    async def scenario() -> None:
        async with new_client() as client:
            await client.create_table(
                TableName="late",
                BillingMode="PAY_PER_REQUEST",
                AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
                KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            )
            await client.get_waiter("table_exists").wait(TableName="late", WaiterConfig={"Delay": 7})

    asyncio.run(scenario())
    assert {sleep.seconds for sleep in fake.sleeps} == {7}


def test_a_back_off_lets_the_other_tasks_run(fake: Any, new_client: Any) -> None:
    fake.inject(**WRITE_REFUSED, key={"S": "a"}, times=1)
    done: list[str] = []

    async def scenario() -> None:
        async with new_client() as client:

            async def one(key: str) -> None:
                await client.put_item(TableName="orders", Item={"pk": {"S": key}})
                done.append(key)

            await asyncio.gather(one("a"), one("b"))

    asyncio.run(scenario())
    assert done == ["b", "a"]


def test_back_offs_of_several_tasks_overlap(fake: Any, new_client: Any) -> None:
    fake.inject(**WRITE_REFUSED, times=80)

    async def scenario() -> None:
        await asyncio.gather(*(put(new_client, "legacy") for _ in range(8)))

    asyncio.run(scenario())
    assert fake.clock.elapsed == 25.55
    assert len(fake.sleeps) == 72


def test_an_adaptive_client_is_shared_by_tasks(fake: Any, new_client: Any) -> None:
    fake.inject(**WRITE_REFUSED, times=1)

    async def scenario() -> None:
        async with new_client(config=Config(retries={"mode": "adaptive"})) as client:
            await asyncio.gather(
                *(client.put_item(TableName="orders", Item={"pk": {"S": str(number)}}) for number in range(4))
            )

    asyncio.run(scenario())
    assert fake.table("orders").item_count == 4


def test_where_only_the_sdks_waits_are_virtual_the_loop_goes_on_in_real_time(
    new_client: Any,
) -> None:
    with FakeDynamoDB(clock="sdk") as fake:
        fake.create_table("orders", billing_mode="PROVISIONED", write_capacity_units=5, read_capacity_units=5)
        fake.inject(**WRITE_REFUSED, times=10)
        codes = asyncio.run(put(new_client, "legacy"))
    assert codes == ["ProvisionedThroughputExceededException"]
    assert fake.clock.elapsed == 25.55


def test_an_applications_timeout_ends_a_back_off(fake: Any, new_client: Any) -> None:
    fake.inject(**WRITE_REFUSED, times=10)

    async def scenario() -> None:
        await asyncio.wait_for(put(new_client, "legacy"), timeout=2)

    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(scenario())
    assert fake.clock.elapsed == 2
    fake.assert_attempts("PutItem", 6)  # At 0, 0.05, 0.15, 0.35, 0.75 and 1.55 s.
