"""Stores readings; a refused one is sent again after a while, until a minute has passed."""

from __future__ import annotations

import time

from botocore.exceptions import ClientError

THROTTLES = ("ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded")
READINGS = [("kitchen", 21), ("cellar", 12), ("attic", 27)]


def store(client, item):
    deadline = time.monotonic() + 60
    while True:
        try:
            client.put_item(TableName="readings", Item=item)
            return
        except ClientError as error:
            if error.response["Error"]["Code"] not in THROTTLES or time.monotonic() > deadline:
                raise
            time.sleep(1)


def prepare(fake):
    fake.create_table("readings", "room:S", max_write_request_units=20)


def run(client):
    for room, degrees in READINGS:
        store(client, {"room": {"S": room}, "degrees": {"N": str(degrees)}})


def check(fake):
    stored = {item["room"]: item["degrees"] for item in fake.table("readings").items(plain=True)}
    assert stored == dict(READINGS)
