"""Asynchronous clients as the workers of a swarm."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from pytest_ddbthrottle import FakeDynamoDB

config = pytest.importorskip("aiobotocore.config", reason="aiobotocore is not installed")


def test_the_back_offs_of_a_swarm_overlap(fake: FakeDynamoDB, new_client: Callable[..., Any]) -> None:
    async def worker(number: int) -> None:
        async with new_client() as client:
            await client.put_item(TableName="orders", Item={"pk": {"S": str(number)}})

    report = fake.swarm(worker, workers=20)
    assert fake.table("orders").item_count == 20
    assert report.drained_after_seconds < 25.55


@pytest.mark.parametrize("mode", ["standard", "adaptive"])
def test_asynchronous_clients_take_turns(fake: FakeDynamoDB, new_client: Callable[..., Any], mode: str) -> None:
    async def worker(number: int) -> None:
        async with new_client(config=config.AioConfig(retries={"mode": mode, "total_max_attempts": 20})) as client:
            await asyncio.gather(
                *(client.put_item(TableName="orders", Item={"pk": {"S": f"{number}#{n}"}}) for n in range(3))
            )

    start = fake.snapshot()
    reports = []
    for _ in range(2):
        fake.restore(start)
        reports.append(fake.swarm(worker, workers=10, until=600))

    assert reports[0].writes.landed == 30
    assert reports[0].drained_after_seconds is not None
    assert reports[0].drained_after_seconds >= 5
    assert str(reports[0]) == str(reports[1])
    assert [call.body for call in reports[0].calls] == [call.body for call in reports[1].calls]
