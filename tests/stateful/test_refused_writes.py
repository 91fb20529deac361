"""Random programs on random small tables: whatever is refused for want of capacity leaves no trace at all."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from pytest_ddbthrottle import FakeDynamoDB
from pytest_ddbthrottle._engine.outcome import Outcome

PROGRAMS = settings(
    max_examples=300,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
UNITS = st.integers(1, 4)
INDEXES = {"by_status": "status:S", "by_place": ("place:S", "n:N")}
KEY_RANGES = st.fixed_dictionaries(
    {"partition_write_units_per_second": UNITS, "partition_read_units_per_second": UNITS},
)
CAPS = st.fixed_dictionaries({}, optional={"max_read_request_units": UNITS, "max_write_request_units": UNITS})
CAPACITY = st.fixed_dictionaries(
    {"read_capacity_units": UNITS, "write_capacity_units": UNITS},
    optional={
        "admission": st.sampled_from(["positive_balance", "full_cost"]),
        "initial_seconds": st.integers(0, 3),
        "burst_seconds": st.integers(1, 5),
    },
)
PLENTY = st.just({"read_capacity_units": 1000, "write_capacity_units": 1000})


def rules_of(of_table: Any, of_index: Any) -> Any:
    """Rules of a table, and of some of its indexes, in one billing mode."""
    return st.tuples(of_table, st.dictionaries(st.sampled_from([*INDEXES]), of_index, max_size=2))


RULES = st.one_of(
    rules_of(CAPACITY, CAPACITY | KEY_RANGES),
    rules_of(PLENTY, CAPACITY | KEY_RANGES),
    rules_of(CAPS | KEY_RANGES, CAPS | KEY_RANGES),
    rules_of(st.just({}), CAPS | KEY_RANGES),
)
LIMITS = st.just({}) | st.fixed_dictionaries(
    {},
    optional={
        "per_table_max_wcu": st.integers(1, 8),
        "account_write_units_per_second": st.integers(0, 8),
        "account_read_units_per_second": st.integers(1, 8),
    },
)

KEYS = st.sampled_from([{"pk": {"S": key}} for key in "abc"])
ATTRIBUTES = st.fixed_dictionaries(
    {},
    optional={
        "status": st.sampled_from([{"S": "OPEN"}, {"S": "SHUT"}]),
        "place": st.sampled_from([{"S": "x"}, {"S": "y"}]),
        "n": st.sampled_from([{"N": "1"}, {"N": "2"}]),
        "d": st.sampled_from([{"S": "x" * 100}, {"S": "x" * 3000}]),
    },
)
ITEMS = st.builds(lambda key, attributes: {**key, **attributes}, KEYS, ATTRIBUTES)
CONDITIONS = st.sampled_from([{}, {}, {}, {"ConditionExpression": "attribute_exists(pk)"}])
UPDATES = st.sampled_from(["REMOVE #s", "REMOVE #s, place", "SET place = #s", "SET d = #s"])
HERE = {"TableName": "orders"}


def keyed(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave the second of two entries with one key out: a batch has no duplicates."""
    by_key: dict[str, dict[str, Any]] = {}
    for entry in entries:
        [content] = entry.values()
        by_key.setdefault(next(iter((content.get("Item") or content["Key"]).items()))[1]["S"], entry)
    return list(by_key.values())


def update(key: dict[str, Any], expression: str, condition: dict[str, Any]) -> dict[str, Any]:
    names = {"#s": "status"}
    return {**HERE, "Key": key, "UpdateExpression": expression, "ExpressionAttributeNames": names, **condition}


PUTS = st.builds(lambda item, condition: {**HERE, "Item": item, **condition}, ITEMS, CONDITIONS)
DELETES = st.builds(lambda key, condition: {**HERE, "Key": key, **condition}, KEYS, CONDITIONS)
CHANGES = st.builds(update, KEYS, UPDATES, CONDITIONS)
ENTRIES = st.lists(
    st.builds(lambda item: {"PutRequest": {"Item": item}}, ITEMS)
    | st.builds(lambda key: {"DeleteRequest": {"Key": key}}, KEYS),
    min_size=1,
    max_size=4,
).map(keyed)
ACTIONS = st.lists(
    st.builds(lambda put: {"Put": put}, PUTS)
    | st.builds(lambda change: {"Update": change}, CHANGES)
    | st.builds(lambda delete: {"Delete": delete}, DELETES),
    min_size=1,
    max_size=3,
).map(keyed)
STEPS = st.one_of(
    st.tuples(st.just("PutItem"), PUTS),
    st.tuples(st.just("UpdateItem"), CHANGES),
    st.tuples(st.just("DeleteItem"), DELETES),
    st.tuples(st.just("BatchWriteItem"), ENTRIES.map(lambda entries: {"RequestItems": {"orders": entries}})),
    st.tuples(st.just("TransactWriteItems"), ACTIONS.map(lambda actions: {"TransactItems": actions})),
    st.tuples(
        st.just("TransactWriteItems"),
        ACTIONS.map(lambda actions: {"TransactItems": actions, "ClientRequestToken": "token"}),
    ),
    st.tuples(st.just("GetItem"), KEYS.map(lambda key: {**HERE, "Key": key})),
    st.tuples(st.just("Scan"), st.sampled_from([HERE, {**HERE, "IndexName": "by_status"}])),
    st.tuples(st.just("wait"), st.sampled_from([0.1, 0.5, 1, 10])),
)


def account(rules: dict[str, Any], index_rules: dict[str, Any], limits: dict[str, Any]) -> FakeDynamoDB:
    fake = FakeDynamoDB()
    for name, of_index in index_rules.items():
        fake.throttle(table="orders", index=name, **of_index)
    fake.create_table("orders", indexes=INDEXES, **rules)
    fake.limits(**limits)
    return fake


def balances(fake: FakeDynamoDB) -> list[float]:
    table = fake.table("orders")
    return [table.balance(way, index) for way in ("read", "write") for index in (None, *INDEXES)]


def by_key(items: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {item["pk"]["S"]: item for item in items}


def after_batch(items: dict[str, Any], request: dict[str, Any], outcome: Outcome) -> dict[str, Any]:
    """What the table must hold: the entries that did not come back, and nothing of those that did."""
    assert outcome.reply is not None
    left = outcome.reply["UnprocessedItems"].get("orders", [])
    assert bool(left) == bool(outcome.refusals)
    expected = dict(items)
    for entry in request["RequestItems"]["orders"]:
        if entry in left:
            continue
        if "PutRequest" in entry:
            expected.update(by_key([entry["PutRequest"]["Item"]]))
        else:
            expected.pop(entry["DeleteRequest"]["Key"]["pk"]["S"], None)
    return expected


def run(fake: FakeDynamoDB, program: list[tuple[str, Any]], state: Any) -> set[str]:
    """Carry the program out, looking at everything before and after each step; gives what was refused, and by whom."""
    met = set()
    for operation, request in program:
        if operation == "wait":
            fake.clock.advance(request)
            continue
        left, items = balances(fake), by_key(fake.table("orders").items())
        before = state(fake._engine, balances=False)

        outcome = fake._engine.handle(operation, request, "us-east-1")

        fake.check_invariants()
        met.update(f"{operation}: {refusal.cause.value}" for refusal in outcome.refusals)
        if outcome.error is not None:
            assert state(fake._engine, balances=False) == before
            assert balances(fake) == left or not outcome.refusals
        elif operation == "BatchWriteItem":
            assert by_key(fake.table("orders").items()) == after_batch(items, request, outcome)
    return met


@PROGRAMS
@given(rules=RULES, limits=LIMITS, program=st.lists(STEPS, min_size=8, max_size=30))
def test_what_is_refused_changes_nothing(account_state, rules, limits, program):
    for refused in run(account(*rules, limits), program, account_state):
        event(refused)


def test_a_write_that_leaves_a_trace_is_noticed(account_state, monkeypatch):
    fake = account({"read_capacity_units": 1, "write_capacity_units": 1}, {}, {})
    put = ("PutItem", {**HERE, "Item": {"pk": {"S": "a"}, "status": {"S": "OPEN"}}})

    def stores_first(operation, request, region, real=fake._engine.handle):
        if fake.table("orders").balance("write") <= 0:
            fake.table("orders").load([{**request["Item"], "trace": {"S": "x"}}])
        return real(operation, request, region)

    assert run(fake, [put, put], account_state) == {"PutItem: TableWriteProvisionedThroughputExceeded"}
    monkeypatch.setattr(fake._engine, "handle", stores_first)

    with pytest.raises(AssertionError):
        run(fake, [put], account_state)
