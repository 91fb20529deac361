"""Query: what a page is charged, and on which arm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_ddbthrottle._engine.errors import Throttled
from pytest_ddbthrottle._engine.operations.put_item import put_item
from pytest_ddbthrottle._engine.operations.query import query

OF_A = {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}}


def ask(context: Any, **members: Any) -> dict[str, Any]:
    context.admitted.clear()
    return query(context, {"TableName": "orders", **OF_A, **members})


def fill(context: Any, items: int, letters: int) -> None:
    for number in range(items):
        item = {
            "pk": {"S": "a"},
            "sk": {"S": str(number)},
            "l": {"S": str(number)},
            "g": {"S": "x"},
            "d": {"S": "x" * letters},
        }
        put_item(context, {"TableName": "orders", "Item": item})


@pytest.mark.parametrize(
    ("members", "units"),
    [
        ({}, 4.0),
        ({"ConsistentRead": True}, 8.0),
        ({"FilterExpression": "attribute_exists(nothing)"}, 4.0),
        ({"ProjectionExpression": "sk"}, 4.0),
        ({"Select": "COUNT"}, 4.0),
        ({"Limit": 1}, 0.5),
    ],
)
def test_a_page_is_charged_for_what_was_read_rounded_once(context: Any, members: dict[str, Any], units: float) -> None:
    context.add_table(sort_key="sk:S")
    fill(context, 10, 3000)
    reply = ask(context, **members, ReturnConsumedCapacity="TOTAL")
    assert reply["ConsumedCapacity"] == {"TableName": "orders", "CapacityUnits": units}


@pytest.mark.parametrize("items", [0, 2])
def test_the_key_range_is_the_partition_key_that_was_asked_for(context: Any, items: int) -> None:
    context.add_table(sort_key="sk:S")
    fill(context, items, 10)
    ask(context)
    assert [part.key_ranges for part in context.admitted] == [((("a",), 500_000_000),)]


def test_a_global_index_is_charged_alone(context: Any, add_index: Callable[..., Any]) -> None:
    add_index(context.add_table(sort_key="sk:S"), "by_g", "g:S", projection="KEYS_ONLY")
    fill(context, 3, 3000)
    reply = ask(
        context,
        IndexName="by_g",
        KeyConditionExpression="g = :g",
        ExpressionAttributeValues={":g": {"S": "x"}},
        ReturnConsumedCapacity="INDEXES",
    )
    assert reply["ConsumedCapacity"] == {
        "TableName": "orders",
        "CapacityUnits": 0.5,
        "Table": {"CapacityUnits": 0.0},
        "GlobalSecondaryIndexes": {"by_g": {"CapacityUnits": 0.5}},
    }
    assert context.admitted[0].key_ranges == ((("x",), 500_000_000),)


@pytest.mark.parametrize(
    ("letters", "members", "table_units", "index_units"),
    [
        (10, {}, 0.0, 0.5),
        (10, {"Select": "ALL_ATTRIBUTES"}, 1.5, 0.5),
        (9000, {"Select": "ALL_ATTRIBUTES"}, 4.5, 0.5),
        (9000, {"Select": "ALL_ATTRIBUTES", "ConsistentRead": True}, 9.0, 1.0),
        (9000, {"ProjectionExpression": "d"}, 4.5, 0.5),
        (9000, {"ProjectionExpression": "l"}, 0.0, 0.5),
        (9000, {"Select": "ALL_ATTRIBUTES", "FilterExpression": "attribute_exists(nothing)"}, 4.5, 0.5),
    ],
)
def test_a_local_index_fetches_each_item_by_itself(
    context: Any,
    add_index: Callable[..., Any],
    letters: int,
    members: dict[str, Any],
    table_units: float,
    index_units: float,
) -> None:
    add_index(context.add_table(sort_key="sk:S"), "by_l", None, "l:S", projection="KEYS_ONLY")
    fill(context, 3, letters)
    reply = ask(context, IndexName="by_l", **members, ReturnConsumedCapacity="INDEXES")
    assert reply["ConsumedCapacity"] == {
        "TableName": "orders",
        "CapacityUnits": table_units + index_units,
        "Table": {"CapacityUnits": table_units},
        "LocalSecondaryIndexes": {"by_l": {"CapacityUnits": index_units}},
    }


def test_a_fetch_gives_the_whole_item(context: Any, add_index: Callable[..., Any]) -> None:
    add_index(context.add_table(sort_key="sk:S"), "by_l", None, "l:S", projection="KEYS_ONLY")
    fill(context, 1, 3)
    whole = ask(context, IndexName="by_l", Select="ALL_ATTRIBUTES")
    projected = ask(context, IndexName="by_l")
    assert sorted(whole["Items"][0]) == ["d", "g", "l", "pk", "sk"]
    assert sorted(projected["Items"][0]) == ["l", "pk", "sk"]


def test_a_refused_page_gives_nothing(context: Any) -> None:
    context.add_table(sort_key="sk:S")
    context.refuses = lambda part: True
    with pytest.raises(Throttled):
        ask(context)
