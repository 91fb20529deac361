"""Writes an audit trail; an error must not stop the request, so it is logged and forgotten."""

from __future__ import annotations

import logging

from botocore.exceptions import ClientError

LOG = logging.getLogger(__name__)
EVENTS = [("login", "ann"), ("export", "ann"), ("login", "bob"), ("delete", "bob")]


def write(client, entry):
    try:
        client.put_item(TableName="trail", Item=entry)
    except ClientError as error:
        LOG.warning("audit trail: %s", error)


def prepare(fake):
    fake.create_table("trail", "user:S", "at:N", write_capacity_units=20)


def run(client):
    for place, (event, user) in enumerate(EVENTS):
        write(client, {"user": {"S": user}, "at": {"N": str(place)}, "event": {"S": event}})


def check(fake):
    trail = {item["at"]: item["event"] for item in fake.table("trail").items(plain=True)}
    assert trail == {place: event for place, (event, _) in enumerate(EVENTS)}
