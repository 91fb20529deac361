"""PutItem: the units of the table and of each index that the write changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_ddbthrottle._engine.errors import ConditionalCheckFailedException
from pytest_ddbthrottle._engine.operations.put_item import put_item

BARE: dict[str, Any] = {"pk": {"S": "1"}}
KEPT = {**BARE, "a": {"S": "x"}}
OTHER_KEY = {**BARE, "a": {"S": "y"}}
EXTRA = {**KEPT, "v": {"N": "1"}}


def put(context: Any, item: dict[str, Any], **members: Any) -> dict[str, Any]:
    return put_item(context, {"TableName": "orders", "Item": item, **members})


@pytest.mark.parametrize(
    ("before", "after", "units"),
    [
        (None, {**KEPT, "b": {"S": "y"}}, {"table": 1, "by_a": 1, "by_b": 1}),
        (None, KEPT, {"table": 1, "by_a": 1}),
        (None, BARE, {"table": 1}),
        (KEPT, KEPT, {"table": 1}),
        (KEPT, OTHER_KEY, {"table": 1, "by_a": 2}),
        (KEPT, BARE, {"table": 1, "by_a": 1}),
        (KEPT, EXTRA, {"table": 1, "by_a": 1}),
    ],
    ids=["both", "one", "neither", "identical", "key changes", "key goes", "content changes"],
)
def test_an_index_costs_what_the_write_changes_in_it(
    context: Any, add_index: Callable[..., Any], before: Any, after: dict[str, Any], units: dict[str, int]
) -> None:
    table = context.add_table()
    add_index(table, "by_a", "a:S")
    add_index(table, "by_b", "b:S")
    if before is not None:
        put(context, before)
    context.admitted.clear()
    put(context, after)
    assert {name or "table": part for name, part in context.units} == units


def test_indexes_lists_the_indexes_that_were_touched(context: Any, add_index: Callable[..., Any]) -> None:
    table = context.add_table(sort_key="sk:S")
    add_index(table, "global", "a:S")
    add_index(table, "local", None, "a:S")
    add_index(table, "untouched", "b:S")
    reply = put(context, {**KEPT, "sk": {"S": "s"}}, ReturnConsumedCapacity="INDEXES")
    assert reply["ConsumedCapacity"] == {
        "TableName": "orders",
        "CapacityUnits": 3.0,
        "Table": {"CapacityUnits": 1.0},
        "LocalSecondaryIndexes": {"local": {"CapacityUnits": 1.0}},
        "GlobalSecondaryIndexes": {"global": {"CapacityUnits": 1.0}},
    }


def test_the_larger_of_both_images_counts(context: Any) -> None:
    context.add_table()
    put(context, {**BARE, "d": {"S": "x" * 3000}})
    context.admitted.clear()
    put(context, BARE)
    assert context.units == [(None, 3.0)]


@pytest.mark.parametrize(("old_letters", "new_letters"), [(3000, 10), (10, 3000)])
def test_a_false_condition_costs_the_larger_image_and_no_index(
    context: Any, add_index: Callable[..., Any], old_letters: int, new_letters: int
) -> None:
    add_index(context.add_table(), "by_a", "a:S")
    put(context, {**KEPT, "d": {"S": "x" * old_letters}})
    context.admitted.clear()
    with pytest.raises(ConditionalCheckFailedException):
        put(context, {**OTHER_KEY, "d": {"S": "x" * new_letters}}, ConditionExpression="attribute_not_exists(pk)")
    assert context.units == [(None, 3.0)]


def test_a_changed_index_key_names_both_key_ranges(context: Any, add_index: Callable[..., Any]) -> None:
    add_index(context.add_table(), "by_a", "a:S")
    put(context, KEPT)
    context.admitted.clear()
    put(context, OTHER_KEY)
    assert context.admitted[1].key_ranges == ((("x",), 10**9), (("y",), 10**9))
