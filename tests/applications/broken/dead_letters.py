"""Consumes a queue; what is refused becomes a dead letter, and letters are put aside when five have gathered."""

from __future__ import annotations

import time

from botocore.exceptions import ClientError

THROTTLES = ("ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded")
MESSAGES = [f"message#{number}" for number in range(8)]


def with_back_off(call, **request):
    for attempt in range(6):
        try:
            return call(**request)
        except ClientError as error:
            if error.response["Error"]["Code"] not in THROTTLES or attempt == 5:
                raise
            time.sleep(0.1 * 2**attempt)


def put_aside(client, dead):
    for message in dead:
        with_back_off(client.put_item, TableName="dead_letters", Item={"id": {"S": message}})
    dead.clear()


def run(client):
    dead = []
    for message in MESSAGES:
        try:
            client.put_item(TableName="inbox", Item={"id": {"S": message}})
        except ClientError as error:
            if error.response["Error"]["Code"] not in THROTTLES:
                raise
            dead.append(message)
            time.sleep(0.1)
        if len(dead) == 5:
            put_aside(client, dead)


def prepare(fake):
    fake.create_table("inbox", "id:S", write_capacity_units=20)
    fake.create_table("dead_letters", "id:S", write_capacity_units=20)


def check(fake):
    kept = {item["id"] for name in ("inbox", "dead_letters") for item in fake.table(name).items(plain=True)}
    assert kept == set(MESSAGES)
