"""Moves money between accounts, and takes every cancelled transaction for a lack of funds."""

from __future__ import annotations

import logging

LOG = logging.getLogger(__name__)
TRANSFERS = [("ann", "bob", 30), ("bob", "cid", 50), ("cid", "ann", 500)]


def change(name, cents):
    update = {
        "TableName": "accounts",
        "Key": {"name": {"S": name}},
        "UpdateExpression": "ADD cents :cents",
        "ExpressionAttributeValues": {":cents": {"N": str(cents)}},
    }
    if cents < 0:
        update["ConditionExpression"] = "cents >= :least"
        update["ExpressionAttributeValues"][":least"] = {"N": str(-cents)}
    return {"Update": update}


def transfer(client, payer, payee, cents):
    try:
        client.transact_write_items(TransactItems=[change(payer, -cents), change(payee, cents)])
    except client.exceptions.TransactionCanceledException:
        LOG.info("%s has no %d cents for %s", payer, cents, payee)


def prepare(fake):
    fake.create_table("accounts", "name:S", max_write_request_units=50)
    fake.table("accounts").load({"name": name, "cents": 100} for name in ("ann", "bob", "cid"))


def run(client):
    for payer, payee, cents in TRANSFERS:
        transfer(client, payer, payee, cents)


def check(fake):
    held = {item["name"]: item["cents"] for item in fake.table("accounts").items(plain=True)}
    assert held == {"ann": 70, "bob": 80, "cid": 150}
