"""GetItem: what it gives, what it costs, what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_ddbthrottle._engine.errors import ResourceNotFoundException, Throttled, ValidationException
from pytest_ddbthrottle._engine.operations.get_item import get_item
from pytest_ddbthrottle._engine.operations.put_item import put_item
from pytest_ddbthrottle._engine.pending_change import PendingChange, Work

KEY = {"pk": {"S": "a"}}


@pytest.fixture
def item(context: Any) -> dict[str, Any]:
    context.add_table()
    item = {**KEY, "n": {"N": "1"}, "m": {"M": {"x": {"S": "1"}, "y": {"S": "2"}}}}
    put_item(context, {"TableName": "orders", "Item": item})
    context.admitted.clear()
    return item


def test_an_item_comes_back_whole(context: Any, item: dict[str, Any]) -> None:
    reply = get_item(context, {"TableName": "orders", "Key": KEY})

    assert list(reply) == ["Item"]
    assert reply["Item"].attributes() == item


def test_what_is_not_there_leaves_the_item_out(context: Any) -> None:
    context.add_table()
    assert get_item(context, {"TableName": "orders", "Key": KEY}) == {}


@pytest.mark.parametrize(("consistent", "units"), [(False, 0.5), (True, 1.0)])
def test_a_missing_item_costs_the_minimum(context: Any, consistent: bool, units: float) -> None:
    context.add_table()
    reply = get_item(
        context,
        {"TableName": "orders", "Key": KEY, "ConsistentRead": consistent, "ReturnConsumedCapacity": "TOTAL"},
    )
    assert reply == {"ConsumedCapacity": {"TableName": "orders", "CapacityUnits": units}}


@pytest.mark.parametrize(("consistent", "units"), [(False, 2.5), (True, 5.0)])
def test_units_follow_size_and_consistency(context: Any, consistent: bool, units: float) -> None:
    context.add_table()
    put_item(context, {"TableName": "orders", "Item": {**KEY, "d": {"S": "x" * 20_000}}})
    context.admitted.clear()
    get_item(context, {"TableName": "orders", "Key": KEY, "ConsistentRead": consistent})
    assert context.units == [(None, units)]


def test_the_key_range_is_the_partition_key(context: Any, item: dict[str, Any]) -> None:
    get_item(context, {"TableName": "orders", "Key": KEY})
    assert context.admitted[0].key_ranges == ((("a",), 500_000_000),)


def test_indexes_shows_the_table_arm(context: Any, item: dict[str, Any]) -> None:
    reply = get_item(context, {"TableName": "orders", "Key": KEY, "ReturnConsumedCapacity": "INDEXES"})
    assert reply["ConsumedCapacity"] == {
        "TableName": "orders",
        "CapacityUnits": 0.5,
        "Table": {"CapacityUnits": 0.5},
    }


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        ({"ProjectionExpression": "n"}, {"n": {"N": "1"}}),
        ({"ProjectionExpression": "#m.y", "ExpressionAttributeNames": {"#m": "m"}}, {"m": {"M": {"y": {"S": "2"}}}}),
        ({"ProjectionExpression": "nothing"}, {}),
        ({"AttributesToGet": ["pk", "n", "nothing"]}, {"pk": {"S": "a"}, "n": {"N": "1"}}),
    ],
)
def test_a_projection_shows_its_paths_alone(
    context: Any, item: dict[str, Any], wanted: dict[str, Any], shown: dict[str, Any]
) -> None:
    assert get_item(context, {"TableName": "orders", "Key": KEY, **wanted}) == {"Item": shown}


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"Key": {"pk": {"N": "1"}}}, "The provided key element does not match the schema"),
        ({"Key": {}}, "The provided key element does not match the schema"),
        ({"Key": {**KEY, "sk": {"S": "b"}}}, "The provided key element does not match the schema"),
        (
            {"ProjectionExpression": "n", "AttributesToGet": ["n"]},
            "Can not use both expression and non-expression parameters in the same request: "
            "Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}",
        ),
        (
            {"AttributesToGet": ["n", "n"]},
            "One or more parameter values were invalid: Duplicate value in attribute name: n",
        ),
        (
            {"ProjectionExpression": "n", "ExpressionAttributeNames": {"#unused": "x"}},
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}",
        ),
    ],
)
def test_a_faulty_request_is_told_so(context: Any, wanted: dict[str, Any], message: str) -> None:
    context.add_table()
    with pytest.raises(ValidationException) as caught:
        get_item(context, {"TableName": "orders", "Key": KEY, **wanted})
    assert caught.value.message == message


@pytest.mark.parametrize(
    "name",
    [
        "other",
        "arn:aws:dynamodb:us-east-1:999999999999:table/orders",
        "arn:aws:dynamodb:eu-west-1:123456789012:table/orders",
    ],
)
def test_an_unknown_table_is_not_found(context: Any, name: str) -> None:
    context.add_table()
    with pytest.raises(ResourceNotFoundException) as caught:
        get_item(context, {"TableName": name, "Key": KEY})
    assert caught.value.message == "Requested resource not found"


def test_a_table_can_be_named_by_its_arn(context: Any, item: dict[str, Any]) -> None:
    arn = context.tables["orders"].arn
    reply = get_item(context, {"TableName": arn, "Key": KEY, "ReturnConsumedCapacity": "TOTAL"})
    assert reply["ConsumedCapacity"]["TableName"] == arn


@pytest.mark.parametrize("work", [Work.CREATION, Work.DELETION])
def test_a_table_that_is_not_ready_is_not_found(context: Any, work: Work) -> None:
    context.add_table().pending = PendingChange(work, ends_ns=1)
    with pytest.raises(ResourceNotFoundException):
        get_item(context, {"TableName": "orders", "Key": KEY})


def test_a_refused_read_gives_nothing(context: Any, item: dict[str, Any]) -> None:
    context.refuses = lambda part: True
    with pytest.raises(Throttled):
        get_item(context, {"TableName": "orders", "Key": KEY})
