"""Prints a digest of every byte that a swarm was answered; run by itself under several hash seeds."""

from __future__ import annotations

import asyncio
import hashlib
import random
import time
from collections.abc import Iterable

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from pytest_ddbthrottle import FakeDynamoDB

KEYS = {"aws_access_key_id": "any", "aws_secret_access_key": "any"}


def transcript(fake: FakeDynamoDB, seed: int) -> str:
    """Run a swarm of functions and coroutines, with jitter of their own and of the SDK; gives a digest."""
    config = Config(retries={"mode": "standard", "total_max_attempts": 2})
    client = boto3.client("dynamodb", "us-east-1", config=config, **KEYS)
    fake.create_table("orders", write_capacity_units=20, burst_seconds=1)

    def put(key: str) -> bool:
        try:
            client.put_item(TableName="orders", Item={"pk": {"S": key}, "at": {"N": str(time.time())}})
        except ClientError:
            return False
        return True

    async def coroutine(number: int) -> None:
        for item in range(3):
            while not await asyncio.to_thread(put, f"{number}#{item}"):
                await asyncio.sleep(random.uniform(0, 1))
        await asyncio.gather(*(asyncio.sleep(random.random()) for _ in range(3)))

    def function(number: int) -> None:
        for item in range(3):
            while not put(f"{number}#{item}"):
                time.sleep(random.uniform(0, 1))

    report = fake.swarm(lambda number: (coroutine if number % 2 else function)(number), workers=30, seed=seed)
    told = (str(report), report.calls, fake.sleeps, fake.clock.elapsed)
    return hashlib.sha256("\n".join(lines_of(told)).encode()).hexdigest()


def lines_of(parts: Iterable[object]) -> Iterable[str]:
    for part in parts:
        if isinstance(part, list | tuple):
            yield from map(repr, part)
        else:
            yield repr(part)


if __name__ == "__main__":
    with FakeDynamoDB() as fake:
        print(transcript(fake, seed=7))
