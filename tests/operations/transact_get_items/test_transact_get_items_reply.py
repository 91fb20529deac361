"""TransactGetItems: all or nothing, at twice the units."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_ddbthrottle._engine.errors import (
    ResourceNotFoundException,
    Throttled,
    TransactionCanceledException,
    ValidationException,
)
from pytest_ddbthrottle._engine.operations.put_item import put_item
from pytest_ddbthrottle._engine.operations.transact_get_items import transact_get_items


def get(name: str, table_name: str = "orders", **members: Any) -> dict[str, Any]:
    return {"Get": {"TableName": table_name, "Key": {"pk": {"S": name}}, **members}}


def ask(context: Any, *gets: dict[str, Any], **members: Any) -> dict[str, Any]:
    context.admitted.clear()
    return transact_get_items(context, {"TransactItems": list(gets), **members})


@pytest.fixture(autouse=True)
def two_tables(context: Any) -> None:
    for table_name in ("orders", "users"):
        context.add_table(table_name)
        put_item(context, {"TableName": table_name, "Item": {"pk": {"S": "a"}, "d": {"S": "x" * 20_000}}})


def test_items_come_back_in_order_and_a_missing_one_is_empty(context: Any) -> None:
    reply = ask(context, get("none"), get("a", ProjectionExpression="pk"))
    assert reply == {"Responses": [{}, {"Item": {"pk": {"S": "a"}}}]}


@pytest.mark.parametrize("detail", ["TOTAL", "INDEXES"])
def test_each_item_costs_twice_and_the_units_are_mirrored(context: Any, detail: str) -> None:
    reply = ask(context, get("a"), get("none"), get("none", "users"), ReturnConsumedCapacity=detail)
    orders = {"CapacityUnits": 12.0, "ReadCapacityUnits": 12.0}
    users = {"CapacityUnits": 2.0, "ReadCapacityUnits": 2.0}
    assert reply["ConsumedCapacity"] == [
        {"TableName": "orders", **orders, **({"Table": orders} if detail == "INDEXES" else {})},
        {"TableName": "users", **users, **({"Table": users} if detail == "INDEXES" else {})},
    ]
    assert context.admissions == 3


def test_a_refusal_cancels_in_the_place_of_its_item(context: Any) -> None:
    context.refuses = lambda part: part.table_name == "users"
    with pytest.raises(TransactionCanceledException) as caught:
        ask(context, get("a"), get("a", "users"))
    assert caught.value.message == (
        "Transaction cancelled, please refer cancellation reasons for specific reasons "
        "[None, ProvisionedThroughputExceeded]"
    )
    assert caught.value.members == {"CancellationReasons": [{"Code": "None"}, context.reason]}


def test_an_account_limit_is_no_items_fault(context: Any) -> None:
    context.refuses, context.reason = (lambda part: True), {}
    with pytest.raises(Throttled):
        ask(context, get("a"))


@pytest.mark.parametrize("key", [{}, {"pk": {"N": "1"}}])
def test_a_key_that_does_not_fit_cancels(context: Any, key: dict[str, Any]) -> None:
    with pytest.raises(TransactionCanceledException) as caught:
        ask(context, get("a"), {"Get": {"TableName": "orders", "Key": key}})
    assert caught.value.members["CancellationReasons"] == [
        {"Code": "None"},
        {"Code": "ValidationError", "Message": "The provided key element does not match the schema"},
    ]


@pytest.mark.parametrize(
    ("gets", "message"),
    [
        ([get("a"), get("a")], "Transaction request cannot include multiple operations on one item"),
        (
            [get("")],
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
            "empty string value. Key: pk",
        ),
        (
            [get("a", "other"), get("a", ProjectionExpression="v, v")],
            "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one "
            "of these paths; path one: [v], path two: [v]",
        ),
    ],
)
def test_a_faulty_request_is_no_cancellation(context: Any, gets: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(ValidationException) as caught:
        ask(context, *gets)
    assert caught.value.message == message


def test_more_than_4_mb_are_refused(context: Any) -> None:
    for number in range(11):
        item = {"pk": {"S": f"k{number}"}, "d": {"S": "x" * 400_000}}
        put_item(context, {"TableName": "orders", "Item": item})
    with pytest.raises(ValidationException, match="cannot exceed 4 MB"):
        ask(context, *(get(f"k{number}") for number in range(11)))


def test_an_unknown_table_is_not_found(context: Any) -> None:
    with pytest.raises(ResourceNotFoundException):
        ask(context, get("a"), get("a", "other"))
