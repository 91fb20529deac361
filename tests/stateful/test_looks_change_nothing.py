"""A table's state is what the clock makes of it: whether, and how often, somebody looked meanwhile changes nothing."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_ddbthrottle._engine.capacity import OperationType
from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.dynamodb import DynamoDB
from pytest_ddbthrottle._engine.limits import AccountLimits

REGION = "us-east-1"
KEY = [{"AttributeName": "pk", "KeyType": "HASH"}]
TYPES = [{"AttributeName": "pk", "AttributeType": "S"}]


def units(read: int) -> dict[str, Any]:
    return {"ProvisionedThroughput": {"ReadCapacityUnits": read, "WriteCapacityUnits": 5}}


def index(name: str, action: str, **members: Any) -> dict[str, Any]:
    updates = [{action: {"IndexName": name, **members}}]
    return {"AttributeDefinitions": TYPES, "GlobalSecondaryIndexUpdates": updates}


def created(name: str, **more: Any) -> dict[str, Any]:
    return index(name, "Create", KeySchema=KEY, Projection={"ProjectionType": "ALL"}, **more)


CREATE = ("CreateTable", {"KeySchema": KEY, "AttributeDefinitions": TYPES, **units(5)})
REQUESTS = [
    CREATE,
    ("DeleteTable", {}),
    ("PutItem", {"Item": {"pk": {"S": "a"}}}),
    ("PutItem", {"Item": {"pk": {"S": "b"}, "exp": {"N": "1767225601"}}}),
    ("PutItem", {"Item": {"pk": {"S": "c"}, "exp": {"N": "1767225900"}}}),
    ("UpdateTimeToLive", {"TimeToLiveSpecification": {"Enabled": True, "AttributeName": "exp"}}),
    *(
        ("UpdateTable", members)
        for members in (
            units(6),
            units(7),
            {"BillingMode": "PAY_PER_REQUEST"},
            {"BillingMode": "PROVISIONED", **units(9)},
            {"OnDemandThroughput": {"MaxReadRequestUnits": 3}},
            {"WarmThroughput": {"ReadUnitsPerSecond": 13_000}},
            created("gsi1", **units(5)),
            created("gsi1"),
            created("gsi2", **units(5)),
            index("gsi1", "Delete"),
            index("gsi1", "Update", **units(8)),
            {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}},
            {"StreamSpecification": {"StreamEnabled": False}},
        )
    ),
]
STEPS = st.tuples(st.sampled_from(REQUESTS), st.sampled_from([0, 1, 2, 5, 40, 150, 480]), st.integers(0, 3))


def send(engine: DynamoDB, operation: str, members: dict[str, Any]) -> tuple[str, Any]:
    outcome = engine.handle(operation, {"TableName": "tab1", **members}, REGION)
    return ("error", outcome.error.message) if outcome.error else ("reply", outcome.reply)


def wait(engine: DynamoDB, seconds: int, looks: int) -> None:
    """Let time pass, with looks at even distances."""
    for _ in range(looks + 1):
        engine.clock.advance_ns(seconds * 10**9 // (looks + 1))
        if looks:
            send(engine, "DescribeTable", {})
    engine.clock.advance_ns(seconds * 10**9 % (looks + 1))


def balances(engine: DynamoDB) -> list[int]:
    """Give what is left of the table and its indexes, if there is one."""
    region, now_ns = engine.region(REGION), engine.clock.now_ns()
    return [
        region.admission.balance_nano_units(table, direction, name, now_ns)
        for table in region.tables.values()
        for name in (None, *table.global_indexes)
        for direction in OperationType
    ]


@settings(max_examples=100)
@given(steps=st.lists(STEPS, max_size=12), cut=st.integers(0, 12))
def test_looks_and_snapshots_change_nothing(account_state: Any, steps: list[Any], cut: int) -> None:
    blind, seen = DynamoDB(VirtualClock()), DynamoDB(VirtualClock())
    for engine in (blind, seen):
        engine.limits = AccountLimits(lifecycle="realistic")

    for number, ((operation, members), seconds, looks) in enumerate([(CREATE, 5, 0), *steps]):
        assert send(blind, operation, members) == send(seen, operation, members)
        wait(blind, seconds, 0)
        wait(seen, seconds, looks)
        if number == cut:
            seen.restore(seen.snapshot())

    assert send(blind, "DescribeTable", {}) == send(seen, "DescribeTable", {})
    assert balances(blind) == balances(seen)
    assert account_state(blind, balances=False) == account_state(seen, balances=False)
    blind.check_invariants()
    seen.check_invariants()
