"""An asynchronous client is answered by the same tables as every other, at once and without a connection."""

from __future__ import annotations

import asyncio
from typing import Any

import boto3
import pytest


def test_49_the_same_tables_answer_a_client_of_either_kind(fake: Any, new_client: Any) -> None:
    client = boto3.client("dynamodb", region_name="us-east-1")

    async def scenario() -> Any:
        async with new_client() as async_client:
            client.put_item(TableName="orders", Item={"pk": {"S": "a"}})
            await async_client.put_item(TableName="orders", Item={"pk": {"S": "b"}})
            return await async_client.get_item(TableName="orders", Key={"pk": {"S": "a"}})

    reply = asyncio.run(scenario())
    assert reply["Item"] == {"pk": {"S": "a"}}
    assert client.get_item(TableName="orders", Key={"pk": {"S": "b"}})["Item"] == {"pk": {"S": "b"}}
    assert [call.operation for call in fake.calls] == ["PutItem", "PutItem", "GetItem", "GetItem"]


def test_a_refusal_is_the_very_body_that_a_synchronous_client_gets(fake: Any, new_client: Any) -> None:
    fake.inject(operation="PutItem", reason="TableWriteProvisionedThroughputExceeded", times=10)

    async def scenario() -> Any:
        async with new_client() as client:
            with pytest.raises(client.exceptions.ProvisionedThroughputExceededException) as caught:
                await client.put_item(TableName="orders", Item={"pk": {"S": "a"}})
            return caught.value.response

    response = asyncio.run(scenario())
    assert response["ThrottlingReasons"] == [
        {"reason": "TableWriteProvisionedThroughputExceeded", "resource": fake.table("orders").arn}
    ]
