"""200 tasks of one event loop against a table of 50 write units: what it takes, and that each run is the same.

``python benchmarks/async_workers.py [--runs 20]`` prints the virtual time, the median real time of a run, and one digest
for each transcript that occurred: the bytes of all replies with their virtual instants. There must be one.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import statistics
import time
from typing import Any

import boto3
from botocore.config import Config

from pytest_ddbthrottle import FakeDynamoDB

WORKERS = 200
ITEMS_OF_EACH = 2
WRITE_UNITS = 50
PREDICTED_SECONDS = (WORKERS * ITEMS_OF_EACH - WRITE_UNITS) / WRITE_UNITS
"""The table starts with one second's units; the others come as they come."""

_real_time = time.perf_counter


async def work(client: Any, worker: int) -> None:
    """Put this worker's items; wait a second after each refusal."""
    for n in range(ITEMS_OF_EACH):
        while True:
            try:
                client.put_item(TableName="orders", Item={"pk": {"S": f"{worker}.{n}"}})
            except client.exceptions.ProvisionedThroughputExceededException:
                await asyncio.sleep(1)
            else:
                break


async def work_all(client: Any) -> None:
    """Let all workers work at once."""
    await asyncio.gather(*[work(client, worker) for worker in range(WORKERS)])


def run(client: Any) -> tuple[float, int, str]:
    """Run it on a new account; gives virtual seconds, calls, and the transcript's digest."""
    digest = hashlib.sha256()
    with FakeDynamoDB() as fake:
        orders = fake.create_table("orders", read_capacity_units=5, write_capacity_units=WRITE_UNITS)
        asyncio.run(work_all(client))
        for call in fake.calls:
            digest.update(repr((call.at_seconds, call.request, call.headers, call.body)).encode())
        assert orders.item_count == WORKERS * ITEMS_OF_EACH
        return fake.clock.elapsed, len(fake.calls), digest.hexdigest()


def new_client() -> Any:
    """Give a client that makes one attempt for each call."""
    keys = {"aws_access_key_id": "any", "aws_secret_access_key": "any"}
    return boto3.client("dynamodb", "us-east-1", config=Config(retries={"total_max_attempts": 1}), **keys)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=20)
    runs = parser.parse_args().runs
    client, real_seconds, seen = new_client(), [], []
    for _ in range(runs):
        start = _real_time()
        seen.append(run(client))
        real_seconds.append(_real_time() - start)
    elapsed, calls, _ = seen[0]
    print(
        f"{WORKERS} workers, {calls} calls: {elapsed:g} virtual seconds ({PREDICTED_SECONDS:g} predicted), "
        f"{statistics.median(real_seconds):.2f} s real, median of {runs}"
    )
    for digest in sorted({digest for *_, digest in seen}):
        print(digest)


if __name__ == "__main__":
    main()
