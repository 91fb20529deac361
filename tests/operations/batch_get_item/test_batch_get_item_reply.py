"""BatchGetItem: entries one by one, and leftovers that can be sent again."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_ddbthrottle._engine.errors import ResourceNotFoundException, Throttled, ValidationException
from pytest_ddbthrottle._engine.operations.batch_get_item import batch_get_item
from pytest_ddbthrottle._engine.operations.put_item import put_item


def key(name: object) -> dict[str, Any]:
    return {"pk": {"S": str(name)}}


def keys(*names: object) -> dict[str, Any]:
    return {"Keys": [key(name) for name in names]}


def ask(context: Any, tables: dict[str, Any], **members: Any) -> dict[str, Any]:
    context.admitted.clear()
    return batch_get_item(context, {"RequestItems": tables, **members})


@pytest.fixture(autouse=True)
def two_tables(context: Any) -> None:
    for table_name in ("orders", "users"):
        context.add_table(table_name)
        for name in "abc":
            put_item(context, {"TableName": table_name, "Item": {**key(name), "v": {"S": table_name}}})


def test_items_come_back_by_table(context: Any) -> None:
    reply = ask(context, {"orders": keys("a", "missing"), "users": {**keys("b"), "ProjectionExpression": "v"}})
    assert reply == {
        "Responses": {"orders": [{**key("a"), "v": {"S": "orders"}}], "users": [{"v": {"S": "users"}}]},
        "UnprocessedKeys": {},
    }


@pytest.mark.parametrize(("consistent", "units"), [(False, 1.5), (True, 3.0)])
def test_each_key_is_rounded_by_itself_and_a_missing_one_costs_the_minimum(
    context: Any, consistent: bool, units: float
) -> None:
    reply = ask(
        context,
        {"orders": {**keys("a", "b", "missing"), "ConsistentRead": consistent}},
        ReturnConsumedCapacity="INDEXES",
    )
    assert reply["ConsumedCapacity"] == [
        {"TableName": "orders", "CapacityUnits": units, "Table": {"CapacityUnits": units}}
    ]


def test_refused_keys_come_back_with_the_options_of_their_table(context: Any) -> None:
    context.refuses = lambda part: part.key_ranges[0][0] == ("b",)
    options = {
        "ConsistentRead": True,
        "ProjectionExpression": "#v",
        "ExpressionAttributeNames": {"#v": "v"},
    }
    reply = ask(context, {"orders": {**keys("a", "b", "c"), **options}})
    assert reply["UnprocessedKeys"] == {"orders": {**keys("b"), **options}}
    assert len(reply["Responses"]["orders"]) == 2


def test_a_batch_of_which_nothing_was_read_is_an_error(context: Any) -> None:
    context.refuses = lambda part: True
    with pytest.raises(Throttled):
        ask(context, {"orders": keys("a", "b")})
    assert context.admissions >= 2


def test_a_scripted_leftover_comes_back(context: Any) -> None:
    context.leaves = lambda table_name, position: (table_name, position) == ("users", 2)
    reply = ask(context, {"orders": keys("a", "b"), "users": keys("c")}, ReturnConsumedCapacity="TOTAL")
    assert reply["UnprocessedKeys"] == {"users": keys("c")}
    assert reply["ConsumedCapacity"] == [{"TableName": "orders", "CapacityUnits": 1.0}]


def test_a_reply_stops_at_16_mb(context: Any) -> None:
    for number in range(60):
        put_item(context, {"TableName": "orders", "Item": {**key(number), "d": {"S": "x" * 300_000}}})
    options = {"ConsistentRead": True, "ProjectionExpression": "pk"}
    reply = ask(context, {"orders": {**keys(*range(60)), **options}})
    assert len(reply["Responses"]["orders"]) == 55
    assert reply["UnprocessedKeys"] == {"orders": {**keys(*range(55, 60)), **options}}


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        (
            {"orders": keys(*range(101))},
            "1 validation error detected: Value at 'RequestItems.orders.member.Keys' failed to satisfy constraint: "
            "Member must have length less than or equal to 100",
        ),
        (
            {"orders": keys(*range(51)), "users": keys(*range(50))},
            "Too many items requested for the BatchGetItem call",
        ),
        ({"orders": keys("a", "a")}, "Provided list of item keys contains duplicates"),
        ({"orders": {"Keys": [{"pk": {"N": "1"}}]}}, "The provided key element does not match the schema"),
        (
            {"orders": {**keys("a"), "ProjectionExpression": "v, v"}, "users": keys("a")},
            "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one "
            "of these paths; path one: [v], path two: [v]",
        ),
    ],
)
def test_a_faulty_batch_reads_nothing(context: Any, tables: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationException) as caught:
        ask(context, tables)
    assert (caught.value.message, context.admitted) == (message, [])


def test_one_unknown_table_fails_the_batch(context: Any) -> None:
    with pytest.raises(ResourceNotFoundException):
        ask(context, {"orders": keys("a"), "other": keys("a")})
