"""A swarm of coroutines, each with an asynchronous client."""

from __future__ import annotations

from typing import Any


def test_the_back_offs_of_a_swarm_overlap(fake: Any, new_client: Any) -> None:
    async def worker(number: int) -> None:
        async with new_client() as client:
            await client.put_item(TableName="orders", Item={"pk": {"S": str(number)}})

    report = fake.swarm(worker, workers=20)
    assert fake.table("orders").item_count == 20
    assert report.drained_after_seconds < 25.55
