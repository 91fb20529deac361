"""TransactWriteItems: doubled table arms, mirrored members, and what a repeated token is billed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_ddbthrottle._engine.capacity import OperationType
from pytest_ddbthrottle._engine.errors import IdempotentParameterMismatchException, TransactionCanceledException
from pytest_ddbthrottle._engine.operations.put_item import put_item
from pytest_ddbthrottle._engine.operations.transact_write_items import transact_write_items

NANOSECONDS_PER_SECOND = 10**9


def put(name: str, letters: int = 0, **attributes: Any) -> dict[str, Any]:
    item = {"pk": {"S": name}, "d": {"S": "x" * letters}, **attributes}
    return {"Put": {"TableName": "orders", "Item": item}}


def add_one(name: str) -> dict[str, Any]:
    return {
        "Update": {
            "TableName": "orders",
            "Key": {"pk": {"S": name}},
            "UpdateExpression": "ADD n :one",
            "ExpressionAttributeValues": {":one": {"N": "1"}},
        }
    }


def ask(context: Any, *actions: dict[str, Any], **members: Any) -> dict[str, Any]:
    context.admitted.clear()
    return transact_write_items(context, {"TransactItems": list(actions), **members})


def count(context: Any) -> list[str]:
    return [item.attributes()["n"]["N"] for _, item in context.tables["orders"].items.walk()]


@pytest.mark.parametrize(
    ("stored_letters", "action", "units"),
    [
        (None, put("a", 1500), 4.0),
        (2900, {"Delete": {"TableName": "orders", "Key": {"pk": {"S": "a"}}}}, 6.0),
        (None, {"Delete": {"TableName": "orders", "Key": {"pk": {"S": "a"}}}}, 2.0),
        (2900, put("a"), 6.0),
        (
            None,
            {
                "ConditionCheck": {
                    "TableName": "orders",
                    "Key": {"pk": {"S": "a"}},
                    "ConditionExpression": "attribute_not_exists(pk)",
                }
            },
            2.0,
        ),
    ],
)
def test_an_item_costs_twice_its_larger_image(
    context: Any, stored_letters: int | None, action: dict[str, Any], units: float
) -> None:
    context.add_table()
    if stored_letters is not None:
        put_item(context, put("a", stored_letters)["Put"])
    ask(context, action)
    assert context.units == [(None, units)]


def test_index_arms_are_not_doubled_and_every_level_is_mirrored(context: Any, add_index: Callable[..., Any]) -> None:
    add_index(context.add_table(), "by_g", "g:S")
    reply = ask(context, put("a", g={"S": "x"}), ReturnConsumedCapacity="INDEXES")
    assert reply["ConsumedCapacity"] == [
        {
            "TableName": "orders",
            "CapacityUnits": 3.0,
            "WriteCapacityUnits": 3.0,
            "Table": {"CapacityUnits": 2.0, "WriteCapacityUnits": 2.0},
            "GlobalSecondaryIndexes": {"by_g": {"CapacityUnits": 1.0, "WriteCapacityUnits": 1.0}},
        }
    ]


@pytest.mark.parametrize(("letters", "write_units", "read_units"), [(1500, 4.0, 2.0), (9000, 18.0, 6.0)])
def test_a_repeated_token_is_billed_as_a_transactional_read(
    context: Any, letters: int, write_units: float, read_units: float
) -> None:
    context.add_table()
    members = {"ClientRequestToken": "token", "ReturnConsumedCapacity": "TOTAL"}
    first, second = (ask(context, put("a", letters), **members)["ConsumedCapacity"] for _ in range(2))
    assert first == [{"TableName": "orders", "CapacityUnits": write_units, "WriteCapacityUnits": write_units}]
    assert second == [{"TableName": "orders", "CapacityUnits": read_units, "ReadCapacityUnits": read_units}]
    assert [part.direction for part in context.admitted] == [OperationType.READ]


@pytest.mark.parametrize(("seconds", "counted"), [(0, "1"), (599, "1"), (600, "2")])
def test_a_token_is_good_for_ten_minutes(context: Any, seconds: int, counted: str) -> None:
    context.add_table()
    ask(context, add_one("a"), ClientRequestToken="token")
    context.now_ns += seconds * NANOSECONDS_PER_SECOND
    assert ask(context, add_one("a"), ClientRequestToken="token") == {}
    assert count(context) == [counted]


def test_a_repetition_does_not_prolong_the_token(context: Any) -> None:
    context.add_table()
    for _ in range(3):
        ask(context, add_one("a"), ClientRequestToken="token")
        context.now_ns += 300 * NANOSECONDS_PER_SECOND
    assert count(context) == ["2"]


def test_a_token_with_other_items_is_an_error(context: Any) -> None:
    context.add_table()
    ask(context, add_one("a"), ClientRequestToken="token")
    with pytest.raises(IdempotentParameterMismatchException):
        ask(context, add_one("b"), ClientRequestToken="token")
    assert count(context) == ["1"]


def test_a_cancelled_transaction_does_not_use_up_its_token(context: Any) -> None:
    context.add_table()
    context.refuses = lambda part: True
    with pytest.raises(TransactionCanceledException):
        ask(context, add_one("a"), ClientRequestToken="token")
    context.refuses = lambda part: False
    ask(context, add_one("a"), ClientRequestToken="token")
    assert count(context) == ["1"]


def test_a_repetition_can_be_refused(context: Any) -> None:
    context.add_table()
    ask(context, add_one("a"), ClientRequestToken="token")
    context.refuses = lambda part: part.direction is OperationType.READ
    with pytest.raises(TransactionCanceledException):
        ask(context, add_one("a"), ClientRequestToken="token")
