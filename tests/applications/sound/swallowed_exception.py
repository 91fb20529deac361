"""Writes an audit trail; a refusal is waited out, and an error that stays is the caller's to know."""

from __future__ import annotations

import logging
import time

from botocore.exceptions import ClientError

LOG = logging.getLogger(__name__)
THROTTLES = ("ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded")
EVENTS = [("login", "ann"), ("export", "ann"), ("login", "bob"), ("delete", "bob")]


def write(client, entry):
    for attempt in range(6):
        try:
            client.put_item(TableName="trail", Item=entry)
            return
        except ClientError as error:
            LOG.warning("audit trail: %s", error)
            if error.response["Error"]["Code"] not in THROTTLES or attempt == 5:
                raise
            time.sleep(0.1 * 2**attempt)


def prepare(fake):
    fake.create_table("trail", "user:S", "at:N", write_capacity_units=20)


def run(client):
    for place, (event, user) in enumerate(EVENTS):
        write(client, {"user": {"S": user}, "at": {"N": str(place)}, "event": {"S": event}})


def check(fake):
    trail = {item["at"]: item["event"] for item in fake.table("trail").items(plain=True)}
    assert trail == {place: event for place, (event, _) in enumerate(EVENTS)}
