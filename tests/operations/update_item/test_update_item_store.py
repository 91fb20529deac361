"""UpdateItem: what it makes of an item and what it gives back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_ddbthrottle._engine.errors import ConditionalCheckFailedException, ValidationException
from pytest_ddbthrottle._engine.operations.put_item import put_item
from pytest_ddbthrottle._engine.operations.update_item import update_item

KEY = {"pk": {"S": "a"}}
OLD = {**KEY, "v": {"N": "1"}, "w": {"S": "same"}}


def update(context: Any, **members: Any) -> dict[str, Any]:
    return update_item(context, {"TableName": "orders", "Key": KEY, **members})


def stored(context: Any) -> list[dict[str, Any]]:
    return [item.attributes() for _, item in context.tables["orders"].items.walk()]


@pytest.fixture
def old(context: Any) -> dict[str, Any]:
    context.add_table()
    put_item(context, {"TableName": "orders", "Item": OLD})
    context.admitted.clear()
    return OLD


def test_a_key_alone_makes_the_bare_item(context: Any) -> None:
    context.add_table()
    assert update(context) == {}
    assert stored(context) == [KEY]


def test_a_key_alone_leaves_an_item_as_it_is(context: Any, old: dict[str, Any]) -> None:
    update(context)
    assert stored(context) == [old]


@pytest.mark.parametrize(
    ("return_values", "attributes"),
    [
        ("NONE", None),
        ("ALL_OLD", OLD),
        ("ALL_NEW", {**OLD, "v": {"N": "2"}}),
        ("UPDATED_OLD", {"v": {"N": "1"}}),
        ("UPDATED_NEW", {"v": {"N": "2"}}),
    ],
)
def test_return_values_choose_what_comes_back(
    context: Any, old: dict[str, Any], return_values: str, attributes: dict[str, Any] | None
) -> None:
    reply = update(
        context,
        UpdateExpression="SET v = v + :one",
        ExpressionAttributeValues={":one": {"N": "1"}},
        ReturnValues=return_values,
    )
    assert reply.get("Attributes") == attributes


def test_an_upsert_has_no_old_attributes(context: Any) -> None:
    context.add_table()
    reply = update(
        context,
        UpdateExpression="SET v = :one",
        ExpressionAttributeValues={":one": {"N": "1"}},
        ReturnValues="UPDATED_OLD",
    )
    assert reply == {}


def test_the_whole_item_is_charged(context: Any) -> None:
    context.add_table()
    put_item(context, {"TableName": "orders", "Item": {**OLD, "d": {"S": "x" * 3000}}})
    context.admitted.clear()
    update(context, UpdateExpression="SET v = :two", ExpressionAttributeValues={":two": {"N": "2"}})
    assert context.units == [(None, 3.0)]


def test_a_false_condition_changes_nothing_and_is_charged(context: Any, old: dict[str, Any]) -> None:
    with pytest.raises(ConditionalCheckFailedException):
        update(
            context,
            UpdateExpression="SET v = nothing + :one",
            ConditionExpression="v > :one",
            ExpressionAttributeValues={":one": {"N": "1"}},
        )
    assert (stored(context), context.units) == ([old], [(None, 1.0)])


def test_a_fault_of_the_item_is_not_charged(context: Any, old: dict[str, Any]) -> None:
    with pytest.raises(ValidationException):
        update(
            context,
            UpdateExpression="SET v = nothing + :one",
            ExpressionAttributeValues={":one": {"N": "1"}},
        )
    assert (stored(context), context.units) == ([old], [])


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            {"N": "5"},
            "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: N "
            "IndexName: by_g",
        ),
        (
            {"S": ""},
            "One or more parameter values are not valid. The update expression attempted to update a secondary index "
            "key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty "
            "string value.",
        ),
    ],
)
def test_a_bad_index_key_is_refused(
    context: Any, old: dict[str, Any], add_index: Callable[..., Any], value: dict[str, str], message: str
) -> None:
    add_index(context.tables["orders"], "by_g", "g:S")
    with pytest.raises(ValidationException) as caught:
        update(context, UpdateExpression="SET g = :g", ExpressionAttributeValues={":g": value})
    assert caught.value.message == message


def test_an_item_that_an_index_left_out_can_still_be_updated(context: Any, add_index: Callable[..., Any]) -> None:
    table = context.add_table()
    put_item(context, {"TableName": "orders", "Item": {**KEY, "g": {"N": "5"}}})
    add_index(table, "by_g", "g:S")
    update(context, UpdateExpression="SET v = :one", ExpressionAttributeValues={":one": {"N": "1"}})
    assert stored(context) == [{**KEY, "g": {"N": "5"}, "v": {"N": "1"}}]


def test_legacy_updates_are_clauses(context: Any) -> None:
    context.add_table()
    put_item(context, {"TableName": "orders", "Item": {**OLD, "tags": {"SS": ["x", "y"]}, "gone": {"S": "z"}}})
    update(
        context,
        AttributeUpdates={
            "w": {"Value": {"S": "new"}},
            "v": {"Action": "ADD", "Value": {"N": "2"}},
            "tags": {"Action": "DELETE", "Value": {"SS": ["y"]}},
            "gone": {"Action": "DELETE"},
        },
    )
    assert stored(context) == [{**KEY, "v": {"N": "3"}, "w": {"S": "new"}, "tags": {"SS": ["x"]}}]


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (
            {"ExpressionAttributeValues": {":v": {"N": "1"}}},
            "ExpressionAttributeValues can only be specified when using expressions",
        ),
        (
            {"UpdateExpression": "SET pk = :v", "ExpressionAttributeValues": {":v": {"S": "b"}}},
            "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key",
        ),
    ],
)
def test_a_faulty_request_is_told_so(context: Any, old: dict[str, Any], members: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationException) as caught:
        update(context, **members)
    assert (caught.value.message, stored(context)) == (message, [old])
