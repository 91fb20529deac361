"""Closes accounts with a batch of statements, and takes the 200 for a success of each."""

from __future__ import annotations

ACCOUNTS = [f"account#{number}" for number in range(6)]
CLOSE = "UPDATE accounts SET active = ? WHERE id = ?"


def statement(account):
    return {"Statement": CLOSE, "Parameters": [{"BOOL": False}, {"S": account}]}


def close_all(client, accounts):
    client.batch_execute_statement(Statements=[statement(account) for account in accounts])


def prepare(fake):
    fake.create_table("accounts", "id:S", write_capacity_units=50)
    fake.table("accounts").load([{"id": account, "active": True} for account in ACCOUNTS])


def run(client):
    for start in (0, 3):
        close_all(client, ACCOUNTS[start : start + 3])


def check(fake):
    assert not [item["id"] for item in fake.table("accounts").items(plain=True) if item["active"]]
