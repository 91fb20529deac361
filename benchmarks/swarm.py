"""A swarm of 200 workers against a table of 50 write units: what it takes, and that each run is the same.

``python benchmarks/swarm.py [--runs 5] [--workers 200]`` prints for functions and for coroutines the virtual time, the
median real time of a run and of a call, and how many transcripts occurred. There must be one.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import statistics
import time
from collections.abc import Callable
from typing import Any

import boto3
from botocore.config import Config

from pytest_ddbthrottle import FakeDynamoDB

ITEMS_OF_EACH = 2
WRITE_UNITS = 50
_real_time = time.perf_counter


def kinds_of_worker(client: Any) -> dict[str, Callable[[int], Any]]:
    """Give a function and a coroutine function that put their items, and wait a second after each refusal."""
    refused = client.exceptions.ProvisionedThroughputExceededException

    def put(key: str) -> bool:
        try:
            client.put_item(TableName="orders", Item={"pk": {"S": key}})
        except refused:
            return False
        return True

    def function(number: int) -> None:
        for item in range(ITEMS_OF_EACH):
            while not put(f"{number}.{item}"):
                time.sleep(1)

    async def coroutine(number: int) -> None:
        for item in range(ITEMS_OF_EACH):
            while not put(f"{number}.{item}"):
                await asyncio.sleep(1)

    return {"functions": function, "coroutines": coroutine}


def run(worker: Callable[[int], Any], workers: int) -> tuple[float, int, str]:
    """Run a swarm on a new account; gives virtual seconds, calls, and the transcript's digest."""
    digest = hashlib.sha256()
    with FakeDynamoDB() as fake:
        fake.create_table("orders", write_capacity_units=WRITE_UNITS, burst_seconds=1)
        report = fake.swarm(worker, workers=workers, until=3600)
        report.assert_all_done()
        for call in report.calls:
            digest.update(repr((call.at_seconds, call.request, call.headers, call.body)).encode())
        return report.seconds, len(report.calls), digest.hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--workers", type=int, default=200)
    arguments = parser.parse_args()
    credentials = {"aws_access_key_id": "AKIDEXAMPLE", "aws_secret_access_key": "secret"}
    client = boto3.client("dynamodb", "us-east-1", config=Config(retries={"total_max_attempts": 1}), **credentials)
    print(f"{arguments.workers} workers of {ITEMS_OF_EACH} items, {WRITE_UNITS} write units, {arguments.runs} runs")
    for name, worker in kinds_of_worker(client).items():
        samples, digests = [], set()
        for _ in range(arguments.runs):
            began = _real_time()
            seconds, calls, digest = run(worker, arguments.workers)
            samples.append(_real_time() - began)
            digests.add(digest)
        took = statistics.median(samples)
        each = f"{took / calls * 1e6:.0f} µs for each of {calls} calls"
        print(f"{name:<12}{seconds:>6.2f} s virtual {took:>6.2f} s real, {each}; transcripts: {len(digests)}")


if __name__ == "__main__":
    main()
