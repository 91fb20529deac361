"""Closes accounts with a batch of statements, and sends those again that were refused inside the 200."""

from __future__ import annotations

import time

ACCOUNTS = [f"account#{number}" for number in range(6)]
CLOSE = "UPDATE accounts SET active = ? WHERE id = ?"
REFUSED = ("ThrottlingError", "ProvisionedThroughputExceeded", "RequestLimitExceeded")


def statement(account):
    return {"Statement": CLOSE, "Parameters": [{"BOOL": False}, {"S": account}]}


def close_all(client, accounts):
    waiting = [statement(account) for account in accounts]
    for attempt in range(8):
        responses = client.batch_execute_statement(Statements=waiting)["Responses"]
        codes = [response.get("Error", {}).get("Code") for response in responses]
        waiting = [each for each, code in zip(waiting, codes, strict=True) if code in REFUSED]
        if not waiting:
            return
        time.sleep(0.1 * 2**attempt)
    raise TimeoutError(f"accounts not closed: {waiting}")


def prepare(fake):
    fake.create_table("accounts", "id:S", write_capacity_units=50)
    fake.table("accounts").load([{"id": account, "active": True} for account in ACCOUNTS])


def run(client):
    for start in (0, 3):
        close_all(client, ACCOUNTS[start : start + 3])


def check(fake):
    assert not [item["id"] for item in fake.table("accounts").items(plain=True) if item["active"]]
