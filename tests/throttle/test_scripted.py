"""Scripted refusals: byte for byte what the bucket would have said."""

from __future__ import annotations

import pytest

from pytest_ddbthrottle import FakeDynamoDB
from pytest_ddbthrottle._engine.errors import Contradiction
from pytest_ddbthrottle._engine.throttle.reasons import ThrottlingReason

MODES = {
    "PROVISIONED": {"billing_mode": "PROVISIONED", "read_capacity_units": 9, "write_capacity_units": 9},
    "PAY_PER_REQUEST": {},
}
CAPS = {"max_read_request_units": 1, "max_write_request_units": 1}
KEYS = {"partition_read_units_per_second": 1, "partition_write_units_per_second": 1}
UNITS = {"read_capacity_units": 1, "write_capacity_units": 1}
QUOTA = {"per_table_max_rcu": 1, "per_table_max_wcu": 1}

NATURALLY = {
    "ProvisionedThroughputExceeded": ("PROVISIONED", UNITS, {}),
    "KeyRangeThroughputExceeded": ("PAY_PER_REQUEST", KEYS, {}),
    "MaxOnDemandThroughputExceeded": ("PAY_PER_REQUEST", CAPS, {}),
    "AccountLimitExceeded": ("PAY_PER_REQUEST", {}, QUOTA),
}
ITEM = {"pk": {"S": "a"}, "status": {"S": "OPEN"}}
REQUESTS = {
    ("Table", "Read"): ("GetItem", {"TableName": "orders", "Key": {"pk": {"S": "a"}}, "ConsistentRead": True}),
    ("Table", "Write"): ("PutItem", {"TableName": "orders", "Item": {"pk": {"S": "a"}}}),
    ("Index", "Read"): (
        "Query",
        {
            "TableName": "orders",
            "IndexName": "by_status",
            "KeyConditionExpression": "#s = :s",
            "ExpressionAttributeNames": {"#s": "status"},
            "ExpressionAttributeValues": {":s": {"S": "OPEN"}},
        },
    ),
    ("Index", "Write"): ("DeleteItem", {"TableName": "orders", "Key": {"pk": {"S": "a"}}}),
}


def send(fake, resource, direction):
    operation, request = REQUESTS[resource, direction]
    if (resource, direction) == ("Index", "Write"):
        fake.table("orders").load([ITEM])
    return fake._engine.handle(operation, request, "us-east-1")


def fake_of(mode, table_rules=None, index_rules=None, limits=None):
    fake = FakeDynamoDB()
    if index_rules:
        fake.throttle(table="orders", index="by_status", **index_rules)
    fake.create_table("orders", indexes={"by_status": "status:S"}, **MODES[mode] | (table_rules or {}))
    fake.table("orders").load([ITEM])
    fake.limits(**(limits or {}))
    return fake


@pytest.mark.parametrize("reason", list(ThrottlingReason))
def test_a_scripted_refusal_has_the_body_of_a_real_one(reason):
    mode, rules, limits = NATURALLY[reason.limit_type.value]
    resource, direction = reason.resource_type.value, reason.operation_type.value
    on_index = resource == "Index"
    real = fake_of(mode, None if on_index else rules, rules if on_index else None, limits)
    if limits and on_index:
        real.table("orders").drain(direction.lower(), "by_status")
    scripted = fake_of(mode)
    scripted.inject(reason=reason.value)

    answers = [send(real, resource, direction) for _ in range(4)]
    answer = send(scripted, resource, direction)

    assert answers[-1].error is not None
    assert answer.scripted
    assert answer.error.body() == answers[-1].error.body()
    assert answer.refusals[0].cause == answers[-1].refusals[0].cause == reason


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("PAY_PER_REQUEST", "TableWriteProvisionedThroughputExceeded"),
        ("PROVISIONED", "TableWriteMaxOnDemandThroughputExceeded"),
        ("PROVISIONED", "IndexWriteAccountLimitExceeded"),
    ],
)
def test_a_reason_that_the_mode_cannot_give_ends_the_test_and_names_the_mode(mode, reason):
    fake = fake_of(mode)
    fake.inject(reason=reason)

    with pytest.raises(Contradiction) as stopped:
        send(fake, reason[:5], "Write")

    assert str(stopped.value) == (
        f"ddb_inject(reason='{reason}'): {reason} can't come from a table whose billing mode is {mode}"
    )
