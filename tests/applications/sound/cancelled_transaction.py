"""Moves money between accounts; a transaction that capacity cancelled is sent again, one that lacks funds is not."""

from __future__ import annotations

import logging
import time

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
    for attempt in range(6):
        try:
            client.transact_write_items(TransactItems=[change(payer, -cents), change(payee, cents)])
            return
        except client.exceptions.TransactionCanceledException as error:
            codes = {reason["Code"] for reason in error.response["CancellationReasons"]}
            if "ConditionalCheckFailed" in codes:
                LOG.info("%s has no %d cents for %s", payer, cents, payee)
                return
            time.sleep(0.1 * 2**attempt)
    raise TimeoutError(f"{payer} could not pay {payee}")


def prepare(fake):
    fake.create_table("accounts", "name:S", max_write_request_units=50)
    fake.table("accounts").load({"name": name, "cents": 100} for name in ("ann", "bob", "cid"))


def run(client):
    for payer, payee, cents in TRANSFERS:
        transfer(client, payer, payee, cents)


def check(fake):
    held = {item["name"]: item["cents"] for item in fake.table("accounts").items(plain=True)}
    assert held == {"ann": 70, "bob": 80, "cid": 150}
