"""A swarm of coroutines, each with an asynchronous client."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest


def test_the_back_offs_of_a_swarm_overlap(fake: Any, new_client: Any) -> None:
    async def worker(number: int) -> None:
        async with new_client() as client:
            await client.put_item(TableName="orders", Item={"pk": {"S": str(number)}})

    report = fake.swarm(worker, workers=20)
    assert fake.table("orders").item_count == 20
    assert report.drained_after_seconds < 25.55


@pytest.mark.parametrize("mode", ["standard", "adaptive"])
def test_tasks_of_a_swarm_give_the_same_bytes_again(fake: Any, new_client: Any, mode: str) -> None:
    config_module = pytest.importorskip("aiobotocore.config", reason="aiobotocore is not installed")
    config = config_module.AioConfig(retries={"mode": mode, "total_max_attempts": 20})

    async def worker(number: int) -> None:
        async with new_client(config=config) as client:
            await asyncio.gather(
                *(client.put_item(TableName="orders", Item={"pk": {"S": f"{number}#{n}"}}) for n in range(3))
            )

    start = fake.snapshot()
    reports = []
    for _ in range(2):
        fake.restore(start)
        reports.append(fake.swarm(worker, workers=10, until=600))

    assert reports[0].writes.landed == 30
    assert reports[0].drained_after_seconds >= 5
    assert str(reports[0]) == str(reports[1])
    assert [call.body for call in reports[0].calls] == [call.body for call in reports[1].calls]
