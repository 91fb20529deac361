"""The ways in which an application calls: paginators, the resource layer, faults on the way."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from botocore.config import Config
from botocore.exceptions import ReadTimeoutError

from pytest_ddbthrottle._engine.errors import Livelock


def run(new_client: Any, scenario: Any, **named: Any) -> Any:
    """Run a scenario with a client."""

    async def main() -> Any:
        async with new_client(**named) as client:
            return await scenario(client)

    return asyncio.run(main())


@pytest.fixture
def numbered(fake: Any) -> Any:
    """A table with 30 items under one partition key, and capacity to read them."""
    table = fake.create_table("numbered", sort_key="sk:N", billing_mode="PAY_PER_REQUEST")
    table.load([{"pk": "a", "sk": number} for number in range(30)])
    return table


def test_a_paginator_reads_page_after_page(fake: Any, numbered: Any, new_client: Any) -> None:
    async def scenario(client: Any) -> list[str]:
        pages = client.get_paginator("query").paginate(
            TableName="numbered",
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": "a"}},
            PaginationConfig={"PageSize": 7},
        )
        return [item["sk"]["N"] async for page in pages for item in page["Items"]]

    assert run(new_client, scenario) == [str(number) for number in range(30)]
    assert len(fake.calls) == 5


def test_binaries_arrive_as_bytes(fake: Any, new_client: Any) -> None:
    async def scenario(client: Any) -> Any:
        await client.put_item(TableName="orders", Item={"pk": {"S": "a"}, "data": {"B": b"\x00\xff"}})
        return (await client.get_item(TableName="orders", Key={"pk": {"S": "a"}}))["Item"]["data"]

    assert run(new_client, scenario) == {"B": b"\x00\xff"}


def test_a_timeout_takes_as_long_as_the_client_waits_for_a_reply(fake: Any, new_client: Any) -> None:
    fake.inject(operation="PutItem", error="timeout")
    config = Config(read_timeout=7, retries={"mode": "standard", "total_max_attempts": 1})

    async def scenario(client: Any) -> None:
        with pytest.raises(ReadTimeoutError):
            await client.put_item(TableName="orders", Item={"pk": {"S": "a"}})

    run(new_client, scenario, config=config)
    assert fake.clock.elapsed == 7


def test_a_reset_connection_is_tried_again(fake: Any, new_client: Any) -> None:
    fake.inject(operation="PutItem", error="reset")
    run(new_client, lambda client: client.put_item(TableName="orders", Item={"pk": {"S": "a"}}))
    fake.assert_attempts("PutItem", 2)


def test_an_asynchronous_client_is_attached(fake: Any, new_client: Any) -> None:
    async def scenario(client: Any) -> None:
        fake.attach(client)

    run(new_client, scenario)


def test_a_batch_writer_sends_leftovers_again(fake: Any) -> None:
    aioboto3 = pytest.importorskip("aioboto3", minversion="9", reason="aioboto3 is not installed")

    async def scenario() -> None:
        async with aioboto3.Session().resource("dynamodb") as resource:
            table = await resource.Table("orders")
            async with table.batch_writer() as batch:
                for number in range(10):
                    await batch.put_item(Item={"pk": str(number)})

    asyncio.run(scenario())
    assert fake.table("orders").item_count == 10
    assert fake.leftovers
    fake.assert_nothing_lost()
    assert fake.clock.elapsed > 0.8  # Ten units at five a second, of which five were there, and one may be owed.


def test_a_resource_has_a_waiter_and_conditions(fake: Any, numbered: Any) -> None:
    aioboto3 = pytest.importorskip("aioboto3", minversion="9", reason="aioboto3 is not installed")
    from boto3.dynamodb.conditions import Key

    async def scenario() -> Any:
        async with aioboto3.Session().resource("dynamodb") as resource:
            table = await resource.Table("numbered")
            await table.wait_until_exists()
            reply = await table.query(KeyConditionExpression=Key("pk").eq("a") & Key("sk").lt(3))
            return [int(item["sk"]) for item in reply["Items"]], fake.retries(resource).attempts_made

    assert asyncio.run(scenario()) == ([0, 1, 2], 2)


def test_another_services_clients_are_left_alone(fake: Any, async_session: Any) -> None:
    aiohttp = pytest.importorskip("aiohttp", reason="aiohttp is not installed")
    named = {"region_name": "us-east-1", "aws_access_key_id": "x", "aws_secret_access_key": "y"}
    config = Config(retries={"mode": "standard", "total_max_attempts": 1})

    async def scenario() -> None:
        client = async_session.create_client("sqs", endpoint_url="http://127.0.0.1:1", config=config, **named)
        async with client as sqs:
            with pytest.raises(Exception, match="Could not connect to the endpoint URL"):
                await sqs.list_queues()

    assert aiohttp
    asyncio.run(scenario())
    assert fake.calls == []


def test_a_loop_that_gets_nowhere_is_stopped(fake: Any, new_client: Any) -> None:
    fake.inject(operation="BatchWriteItem", leftover=1, times=5000)
    entry = {"PutRequest": {"Item": {"pk": {"S": "a"}}}}

    async def scenario(client: Any) -> None:
        left: Any = {"orders": [entry]}
        while left:
            left = (await client.batch_write_item(RequestItems=left))["UnprocessedItems"]

    async def beside_another_task(client: Any) -> None:
        await asyncio.gather(scenario(client), asyncio.sleep(0))

    with pytest.raises(Livelock, match="1000"):
        run(new_client, beside_another_task)


def test_tasks_of_one_client_keep_their_calls_apart(fake: Any, new_client: Any) -> None:
    fake.create_table("big")

    async def scenario(client: Any) -> None:
        async def one(number: int) -> None:
            key = {"pk": {"S": str(number)}}
            await client.put_item(TableName="big", Item={**key, "n": {"N": str(number)}})
            reply = await client.get_item(TableName="big", Key=key)
            assert reply["Item"]["n"] == {"N": str(number)}

        await asyncio.gather(*(one(number) for number in range(50)))

    run(new_client, scenario)
    assert [call.operation for call in fake.calls] == ["PutItem"] * 50 + ["GetItem"] * 50
