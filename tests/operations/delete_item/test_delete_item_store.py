"""DeleteItem: what goes, what comes back, what it costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_ddbthrottle._engine.errors import ConditionalCheckFailedException, ValidationException
from pytest_ddbthrottle._engine.operations.delete_item import delete_item
from pytest_ddbthrottle._engine.operations.put_item import put_item

KEY = {"pk": {"S": "a"}}
OLD = {**KEY, "g": {"S": "x"}}


def delete(context: Any, **members: Any) -> dict[str, Any]:
    return delete_item(context, {"TableName": "orders", "Key": KEY, **members})


def test_a_delete_takes_the_item_from_table_and_index(context: Any, add_index: Callable[..., Any]) -> None:
    table = context.add_table()
    index = add_index(table, "by_g", "g:S")
    put_item(context, {"TableName": "orders", "Item": OLD})
    context.admitted.clear()
    assert delete(context) == {}
    assert (len(table.items), len(index.entries)) == (0, 0)
    assert context.units == [(None, 1.0), ("by_g", 1.0)]


@pytest.mark.parametrize(("letters", "units"), [(None, 1.0), (10, 1.0), (2500, 3.0)])
def test_the_stored_item_is_charged(context: Any, letters: int | None, units: float) -> None:
    context.add_table()
    if letters is not None:
        put_item(context, {"TableName": "orders", "Item": {**KEY, "d": {"S": "x" * letters}}})
    context.admitted.clear()
    delete(context)
    assert context.units == [(None, units)]


def test_the_old_item_comes_back_if_wanted(context: Any) -> None:
    context.add_table()
    put_item(context, {"TableName": "orders", "Item": OLD})
    assert delete(context, ReturnValues="ALL_OLD") == {"Attributes": OLD}


def test_a_delete_has_no_new_values_to_return(context: Any) -> None:
    context.add_table()
    with pytest.raises(ValidationException, match="ReturnValues can only be ALL_OLD or NONE"):
        delete(context, ReturnValues="ALL_NEW")


def test_a_false_condition_keeps_the_item(context: Any) -> None:
    table = context.add_table()
    put_item(context, {"TableName": "orders", "Item": OLD})
    with pytest.raises(ConditionalCheckFailedException):
        delete(context, ConditionExpression="g = :y", ExpressionAttributeValues={":y": {"S": "y"}})
    assert len(table.items) == 1
