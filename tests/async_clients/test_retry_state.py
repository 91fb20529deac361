"""An asynchronous client's retries: read, and fresh for each fake."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from botocore.config import Config

from pytest_ddbthrottle import FakeDynamoDB

HOT_KEY = {"operation": "PutItem", "reason": "TableWriteProvisionedThroughputExceeded", "times": 1000}


async def put_refused(client: Any, times: int) -> None:
    """Put items that are refused."""
    for _ in range(times):
        with pytest.raises(client.exceptions.ProvisionedThroughputExceededException):
            await client.put_item(TableName="orders", Item={"pk": {"S": "a"}})


def test_the_quota_and_the_rate_of_an_adaptive_client_are_read(fake: Any, new_client: Any) -> None:
    fake.inject(**HOT_KEY)

    async def scenario() -> Any:
        async with new_client(config=Config(retries={"mode": "adaptive", "total_max_attempts": 3})) as client:
            await put_refused(client, times=2)
            return fake.retries(client)

    retries = asyncio.run(scenario())
    assert (retries.mode, retries.max_attempts, retries.attempts_made) == ("adaptive", 3, 6)
    assert (retries.retry_quota, retries.retry_quota_left) == (500, 480)
    assert 0 < retries.requests_per_second < 10


def test_legacy_has_neither(fake: Any, new_client: Any) -> None:
    async def scenario() -> Any:
        async with new_client(config=Config(retries={"mode": "legacy"})) as client:
            await client.list_tables()
            return fake.retries(client)

    retries = asyncio.run(scenario())
    assert (retries.mode, retries.max_attempts, retries.attempts_made) == ("legacy", 10, 1)
    assert (retries.retry_quota_left, retries.requests_per_second) == (None, None)


def test_a_client_of_a_module_starts_each_fake_afresh_on_a_loop_of_its_own(fake: Any, new_client: Any) -> None:
    async def enter() -> Any:
        return await new_client(config=Config(retries={"mode": "adaptive", "total_max_attempts": 3})).__aenter__()

    async def refused_at_once(client: Any) -> None:
        await asyncio.gather(*(put_refused(client, times=1) for _ in range(5)))

    client = asyncio.run(enter())
    for _ in range(2):
        with FakeDynamoDB() as inner:
            inner.create_table("orders", write_capacity_units=5, read_capacity_units=5)
            inner.inject(**HOT_KEY)
            fresh = inner.retries(client)
            asyncio.run(refused_at_once(client))
            assert (fresh.attempts_made, fresh.retry_quota_left, fresh.requests_per_second) == (0, 500, None)
            assert inner.retries(client).attempts_made == 15
    asyncio.run(client.__aexit__(None, None, None))
