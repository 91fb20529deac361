"""Which calls an error, a delay or leftovers hit: by operation, table, index, direction and key, and how often."""

from __future__ import annotations

import pytest
from botocore.exceptions import ClientError

A, B = {"pk": {"S": "a"}}, {"pk": {"S": "b"}}
BY_STATUS = {
    "IndexName": "by_status",
    "KeyConditionExpression": "#s = :s",
    "ExpressionAttributeNames": {"#s": "status"},
    "ExpressionAttributeValues": {":s": {"S": "OPEN"}},
}
CALLS = {
    "put a": ("put_item", {"TableName": "orders", "Item": A}),
    "put b": ("put_item", {"TableName": "orders", "Item": B}),
    "put user a": ("put_item", {"TableName": "users", "Item": A}),
    "get a": ("get_item", {"TableName": "orders", "Key": A}),
    "batch b, a": (
        "batch_write_item",
        {"RequestItems": {"orders": [{"PutRequest": {"Item": B}}, {"DeleteRequest": {"Key": A}}]}},
    ),
    "transact a": ("transact_write_items", {"TransactItems": [{"Put": {"TableName": "orders", "Item": A}}]}),
    "query by_status": ("query", {"TableName": "orders", **BY_STATUS}),
    "scan": ("scan", {"TableName": "orders"}),
}


@pytest.fixture
def send(ddb_fake, ddb_client):
    ddb_fake.create_table("orders", indexes={"by_status": "status:S"})
    ddb_fake.create_table("users")

    def one(name):
        operation, request = CALLS[name]
        try:
            return getattr(ddb_client, operation)(**request)
        except ClientError as error:
            return error.response["Error"]["Code"]

    return one


@pytest.mark.parametrize(
    ("names", "hit"),
    [
        ({}, list(CALLS)),
        ({"operation": "PutItem"}, ["put a", "put b", "put user a"]),
        ({"table": "users"}, ["put user a"]),
        ({"direction": "read"}, ["get a", "query by_status", "scan"]),
        ({"direction": "write", "table": "orders"}, ["put a", "put b", "batch b, a", "transact a"]),
        ({"index": "by_status"}, ["query by_status"]),
        ({"key": "a"}, ["put a", "put user a", "get a", "batch b, a", "transact a"]),
        ({"key": {"S": "a"}, "table": "orders"}, ["put a", "get a", "batch b, a", "transact a"]),
        ({"key": "b"}, ["put b", "batch b, a"]),
        ({"key": "c", "optional": True}, []),
    ],
    ids=str,
)
@pytest.mark.parametrize("error", ["InternalServerError", "ServiceUnavailable"])
def test_an_error_hits_what_its_rule_speaks_of(ddb_fake, send, names, hit, error):
    ddb_fake.inject(error=error, times=99, **names)

    assert [name for name in CALLS if send(name) == error] == hit


@pytest.mark.parametrize(
    ("names", "hit"),
    [
        ({}, [1]),
        ({"after": 2}, [3]),
        ({"times": 2, "every": 3}, [1, 4]),
        ({"times": 99, "every": 4, "after": 1}, [2, 6, 10]),
        ({"times": 99, "rate": 0.25}, [8, 9]),
    ],
    ids=str,
)
def test_an_error_hits_as_often_as_its_rule_says(ddb_fake, send, names, hit):
    ddb_fake.inject(error="InternalServerError", **names)

    assert [n for n in range(1, 13) if send("put a") == "InternalServerError"] == hit


def test_a_delay_hits_the_calls_of_its_key(ddb_fake, send):
    ddb_fake.inject(latency_seconds=2, key="a", times=99)

    send("put a")
    send("put b")

    assert [call.at_seconds for call in ddb_fake.calls] == [2, 2]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ({"leftover": 2}, ["users x", "users y"]),
        ({"leftover": 1, "table": "orders"}, ["orders b"]),
        ({"leftover": 9, "table": "orders"}, ["orders a", "orders b"]),
        ({"leftover": 3, "key": "a"}, ["orders a"]),
        ({"leftover": 1, "key": "x", "table": "users"}, ["users x"]),
    ],
    ids=str,
)
def test_leftovers_are_the_last_entries_that_the_rule_speaks_of(ddb_fake, ddb_client, send, names, expected):
    ddb_fake.inject(**names)
    written = {"orders": "ab", "users": "xy"}
    request = {table: [{"PutRequest": {"Item": {"pk": {"S": key}}}} for key in keys] for table, keys in written.items()}

    back = ddb_client.batch_write_item(RequestItems=request)["UnprocessedItems"]

    left = [f"{table} {entry['PutRequest']['Item']['pk']['S']}" for table, entries in back.items() for entry in entries]
    assert left == expected


def test_a_key_of_an_item_that_is_not_valid_hits_nothing(ddb_fake, ddb_client, send):
    ddb_fake.inject(error="InternalServerError", key="a", optional=True)

    with pytest.raises(ClientError, match="ValidationException"):
        ddb_client.put_item(TableName="orders", Item={"pk": {"N": "one"}})
