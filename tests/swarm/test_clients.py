"""The SDK's clients in a swarm: a worker's own client remembers for itself, a shared one for all who share it."""

from __future__ import annotations

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError


def new_client(mode: str, attempts: int = 3):
    config = Config(retries={"mode": mode, "total_max_attempts": attempts})
    return boto3.client("dynamodb", "us-east-1", config=config, aws_access_key_id="any", aws_secret_access_key="any")


def send(client, key: str) -> int:
    """Put an item; gives how often it was sent."""
    try:
        reply = client.put_item(TableName="orders", Item={"pk": {"S": key}})
    except ClientError as error:
        reply = error.response
    return reply["ResponseMetadata"]["RetryAttempts"] + 1


@pytest.fixture
def refusing(ddb_fake):
    ddb_fake.create_table("orders")
    ddb_fake.inject(operation="PutItem", reason="TableWriteKeyRangeThroughputExceeded", times=10_000)


def test_each_workers_own_client_has_a_retry_quota_of_its_own(ddb_fake, refusing):
    clients = [new_client("standard") for _ in range(2)]
    sent: dict[int, list[int]] = {0: [], 1: []}

    def worker(number):
        for item in range(60 if number else 2):
            sent[number].append(send(clients[number], str(item)))

    ddb_fake.swarm(worker, workers=2, until=1000)

    # 500 tokens, of which a retry takes 5: fifty calls of two retries, and then none. The other one has its own.
    assert sent == {0: [3] * 2, 1: [3] * 50 + [1] * 10}


def test_a_shared_client_has_one_retry_quota(ddb_fake, refusing):
    client = new_client("standard")
    sent: list[int] = []

    ddb_fake.swarm(lambda number: sent.append(send(client, str(number))), workers=150)

    assert sum(sent) == 150 + 100


def test_a_swarm_begins_with_fresh_retries(ddb_fake, refusing):
    client = new_client("standard")
    for item in range(60):
        send(client, str(item))
    assert send(client, "no token left") == 1
    sent: list[int] = []

    ddb_fake.swarm(lambda number: sent.append(send(client, str(number))), workers=10)

    assert sent == [3] * 10


@pytest.mark.parametrize("is_shared", [True, False], ids=["shared", "own"])
def test_adaptive_clients_slow_down_until_the_table_keeps_up(ddb_fake, is_shared):
    ddb_fake.create_table("orders", write_capacity_units=10, burst_seconds=1)
    shared = new_client("adaptive", attempts=10)
    clients = [shared if is_shared else new_client("adaptive", attempts=10) for _ in range(5)]

    def worker(number):
        for item in range(20):
            clients[number].put_item(TableName="orders", Item={"pk": {"S": f"{number}#{item}"}})

    report = ddb_fake.swarm(worker, workers=5, until=600)

    assert report.writes.landed == 100
    assert report.drained_after_seconds >= 9
    assert report.attempts_per_write < 1.5


def test_the_latency_begins_when_the_limiter_does(ddb_fake):
    ddb_fake.create_table("orders", write_capacity_units=1, burst_seconds=1)
    client = new_client("adaptive", attempts=10)

    def worker(number):
        for item in range(6):
            client.put_item(TableName="orders", Item={"pk": {"S": str(item)}})

    report = ddb_fake.swarm(worker, workers=1)

    # One worker that never pauses by itself: its latencies are all of its time.
    assert sum(report.writes.latencies_seconds) == pytest.approx(report.seconds)
    assert report.seconds > 4


def test_a_waiter_takes_turns(ddb_fake, ddb_client):
    def worker(number):
        if number:
            return ddb_client.get_waiter("table_exists").wait(TableName="late", WaiterConfig={"Delay": 2})
        ddb_client.get_waiter("table_not_exists").wait(TableName="late")
        return ddb_fake.create_table("late")

    report = ddb_fake.swarm(worker, workers=4)

    assert report.done == 4
    assert report.seconds <= 2
