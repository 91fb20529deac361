"""Closes tickets; waits out the refusal of a provisioned table, and its table has been on demand for years."""

from __future__ import annotations

import time

TICKETS = [f"ticket#{number}" for number in range(4)]


def close(client, ticket):
    for attempt in range(6):
        try:
            client.update_item(
                TableName="tickets",
                Key={"id": {"S": ticket}},
                UpdateExpression="SET #state = :closed",
                ExpressionAttributeNames={"#state": "state"},
                ExpressionAttributeValues={":closed": {"S": "CLOSED"}},
            )
            return
        except client.exceptions.ProvisionedThroughputExceededException:
            if attempt == 5:
                raise
            time.sleep(0.1 * 2**attempt)


def prepare(fake):
    fake.create_table("tickets", "id:S", max_write_request_units=20)
    fake.table("tickets").load({"id": ticket, "state": "OPEN"} for ticket in TICKETS)


def run(client):
    for ticket in TICKETS:
        close(client, ticket)


def check(fake):
    assert {item["state"] for item in fake.table("tickets").items(plain=True)} == {"CLOSED"}
