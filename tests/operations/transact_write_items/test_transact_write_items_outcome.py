"""TransactWriteItems: all or nothing, and a reason for each item."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_ddbthrottle._engine.errors import (
    ResourceNotFoundException,
    Throttled,
    TransactionCanceledException,
    ValidationException,
)
from pytest_ddbthrottle._engine.operations.put_item import put_item
from pytest_ddbthrottle._engine.operations.transact_write_items import transact_write_items

FAILED = {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}
NONE = {"Code": "None"}


def put(name: str, table_name: str = "orders", **attributes: Any) -> dict[str, Any]:
    return {"Put": {"TableName": table_name, "Item": {"pk": {"S": name}, **attributes}}}


def check(name: str, condition: str, table_name: str = "orders", **members: Any) -> dict[str, Any]:
    request = {"TableName": table_name, "Key": {"pk": {"S": name}}, "ConditionExpression": condition}
    return {"ConditionCheck": {**request, **members}}


def update(name: str, text: str, **values: Any) -> dict[str, Any]:
    request: dict[str, Any] = {"TableName": "orders", "Key": {"pk": {"S": name}}, "UpdateExpression": text}
    if values:
        request["ExpressionAttributeValues"] = {f":{name}": value for name, value in values.items()}
    return {"Update": request}


def delete(name: str) -> dict[str, Any]:
    return {"Delete": {"TableName": "orders", "Key": {"pk": {"S": name}}}}


def ask(context: Any, *actions: dict[str, Any], **members: Any) -> dict[str, Any]:
    context.admitted.clear()
    context.admissions = 0
    return transact_write_items(context, {"TransactItems": list(actions), **members})


def stored(context: Any, table_name: str = "orders") -> dict[str, Any]:
    items = (item.attributes() for _, item in context.tables[table_name].items.walk())
    return {item["pk"]["S"]: item.get("v") for item in items}


def reasons_of(context: Any, *actions: dict[str, Any]) -> list[Any]:
    with pytest.raises(TransactionCanceledException) as caught:
        ask(context, *actions)
    reasons: list[Any] = caught.value.members["CancellationReasons"]
    return reasons


@pytest.fixture(autouse=True)
def two_tables(context: Any) -> None:
    context.add_table("orders")
    context.add_table("users")
    for name in ("old", "gone"):
        put_item(context, {"TableName": "orders", "Item": {"pk": {"S": name}, "v": {"N": "1"}}})


def test_every_action_is_carried_out(context: Any) -> None:
    reply = ask(
        context,
        put("new", v={"N": "5"}),
        update("old", "ADD v :two", two={"N": "2"}),
        delete("gone"),
        put("u", "users"),
        check("missing", "attribute_not_exists(pk)"),
    )
    assert reply == {}
    assert (stored(context), stored(context, "users")) == ({"new": {"N": "5"}, "old": {"N": "3"}}, {"u": None})
    assert context.admissions == 1


def test_one_false_condition_cancels_everything(context: Any) -> None:
    with pytest.raises(TransactionCanceledException) as caught:
        ask(context, put("new"), check("old", "attribute_not_exists(pk)"))
    assert caught.value.message == (
        "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]"
    )
    assert caught.value.members == {"CancellationReasons": [NONE, FAILED]}
    assert sorted(stored(context)) == ["gone", "old"]


def test_the_old_item_is_shown_if_wanted(context: Any) -> None:
    wanted = {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    reasons = reasons_of(context, check("old", "attribute_not_exists(pk)", **wanted))
    assert reasons == [{**FAILED, "Item": {"pk": {"S": "old"}, "v": {"N": "1"}}}]


def test_a_cancelled_transaction_is_charged_for_its_items_and_no_index(
    context: Any, add_index: Callable[..., Any]
) -> None:
    add_index(context.tables["orders"], "by_g", "g:S")
    reasons_of(context, put("new", g={"S": "x"}), check("old", "attribute_not_exists(pk)"))
    assert context.units == [(None, 2.0), (None, 2.0)]


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (
            {"Put": {"TableName": "orders", "Item": {"pk": {"N": "5"}}}},
            "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N",
        ),
        (
            {"Delete": {"TableName": "orders", "Key": {"pk": {"N": "5"}}}},
            "The provided key element does not match the schema",
        ),
        (
            put("new", g={"N": "5"}),
            "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: N "
            "IndexName: by_g",
        ),
        (
            update("old", "SET g = :five", five={"N": "5"}),
            "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: N "
            "IndexName: by_g",
        ),
        (
            update("old", "SET d = :large", large={"S": "x" * 409_600}),
            "Item size to update has exceeded the maximum allowed size",
        ),
    ],
)
def test_a_fault_that_only_the_table_shows_cancels(
    context: Any, add_index: Callable[..., Any], action: dict[str, Any], message: str
) -> None:
    add_index(context.tables["orders"], "by_g", "g:S")
    assert reasons_of(context, put("other"), action) == [NONE, {"Code": "ValidationError", "Message": message}]
    assert sorted(stored(context)) == ["gone", "old"]


def test_an_update_that_the_item_does_not_allow_cancels(context: Any) -> None:
    (reason,) = reasons_of(context, update("old", "SET v = nothing + :one", one={"N": "1"}))
    assert reason["Code"] == "ValidationError"


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([put("a"), delete("a")], "Transaction request cannot include multiple operations on one item"),
        ([put("a", d={"S": "x" * 409_600})], "Item size has exceeded the maximum allowed size"),
        (
            [put("")],
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
            "empty string value. Key: pk",
        ),
        (
            [
                put("a", "missing"),
                check(
                    "b",
                    "attribute_not_exists(pk)",
                    ExpressionAttributeValues={":v": {"S": "x"}},
                ),
            ],
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}",
        ),
        ([{}], "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"),
        ([{**put("a"), **delete("b")}], "TransactItems can only contain one of Check, Put, Update or Delete"),
    ],
)
def test_a_fault_of_the_request_is_no_cancellation(context: Any, actions: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(ValidationException) as caught:
        ask(context, *actions)
    assert (caught.value.message, context.admitted) == (message, [])


def test_more_than_4_mb_are_refused(context: Any) -> None:
    with pytest.raises(ValidationException, match="cannot exceed 4 MB"):
        ask(context, *(put(f"k{number}", d={"S": "x" * 400_000}) for number in range(11)))
    assert sorted(stored(context)) == ["gone", "old"]


def test_an_unknown_table_is_not_found(context: Any) -> None:
    with pytest.raises(ResourceNotFoundException):
        ask(context, put("a"), put("a", "other"))


def test_a_refusal_cancels_in_the_place_of_its_item(context: Any, add_index: Callable[..., Any]) -> None:
    add_index(context.tables["orders"], "by_g", "g:S")
    context.refuses = lambda part: part.index_name == "by_g"
    reasons = reasons_of(context, put("a"), put("b", g={"S": "x"}), put("c"))
    assert reasons == [NONE, context.reason, NONE]
    assert (sorted(stored(context)), context.admitted) == (["gone", "old"], [])


def test_an_account_limit_is_no_items_fault(context: Any) -> None:
    context.refuses, context.reason = (lambda part: True), {}
    with pytest.raises(Throttled):
        ask(context, put("a"))


def test_item_collection_metrics_are_listed_by_table(context: Any, add_index: Callable[..., Any]) -> None:
    add_index(context.add_table("lines", sort_key="sk:S"), "by_l", None, "l:S")
    action = {"Put": {"TableName": "lines", "Item": {"pk": {"S": "a"}, "sk": {"S": "b"}}}}
    reply = ask(context, action, put("a"), ReturnItemCollectionMetrics="SIZE")
    assert reply["ItemCollectionMetrics"] == {
        "lines": [{"ItemCollectionKey": {"pk": {"S": "a"}}, "SizeEstimateRangeGB": [0.0, 1.0]}]
    }
