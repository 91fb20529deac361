"""Query: order, key conditions, pages and cursors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_ddbthrottle._engine.operations.put_item import put_item
from pytest_ddbthrottle._engine.operations.query import query

OF_A = {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}}


def ask(context: Any, **members: Any) -> dict[str, Any]:
    return query(context, {"TableName": "orders", **OF_A, **members})


def numbers(reply: dict[str, Any]) -> list[int]:
    return [int(item["sk"]["N"]) for item in reply["Items"]]


@pytest.fixture
def six(context: Any) -> None:
    """Six items of one collection, two of another."""
    context.add_table(sort_key="sk:N")
    for pk, sk in [("a", 10), ("a", -1), ("a", 2), ("b", 3), ("a", 7), ("a", 1), ("b", 1), ("a", 3)]:
        item = {"pk": {"S": pk}, "sk": {"N": str(sk)}, "even": {"BOOL": sk % 2 == 0}}
        put_item(context, {"TableName": "orders", "Item": item})
    context.admitted.clear()


@pytest.mark.usefixtures("six")
@pytest.mark.parametrize(
    ("condition", "values", "found"),
    [
        ("", {}, [-1, 1, 2, 3, 7, 10]),
        (" AND sk = :x", {":x": 2}, [2]),
        (" AND sk = :x", {":x": 4}, []),
        (" AND sk < :x", {":x": 2}, [-1, 1]),
        (" AND sk <= :x", {":x": 2}, [-1, 1, 2]),
        (" AND sk > :x", {":x": 2}, [3, 7, 10]),
        (" AND sk >= :x", {":x": 2}, [2, 3, 7, 10]),
        (" AND sk BETWEEN :x AND :y", {":x": 2, ":y": 7}, [2, 3, 7]),
    ],
)
@pytest.mark.parametrize("forward", [True, False])
def test_a_key_condition_bounds_the_walk(
    context: Any, condition: str, values: dict[str, int], found: list[int], forward: bool
) -> None:
    placed = {":p": {"S": "a"}, **{name: {"N": str(value)} for name, value in values.items()}}
    reply = ask(
        context,
        KeyConditionExpression=f"pk = :p{condition}",
        ExpressionAttributeValues=placed,
        ScanIndexForward=forward,
    )
    assert numbers(reply) == (found if forward else found[::-1])


@pytest.mark.parametrize(("prefix", "found"), [("a", ["a", "ab", "ab\uffff"]), ("ab", ["ab", "ab\uffff"]), ("x", [])])
def test_begins_with_walks_a_prefix(context: Any, prefix: str, found: list[str]) -> None:
    context.add_table(sort_key="sk:S")
    for sk in ("ab", "b", "a", "ab\uffff", "A"):
        put_item(context, {"TableName": "orders", "Item": {"pk": {"S": "a"}, "sk": {"S": sk}}})
    reply = ask(
        context,
        KeyConditionExpression="pk = :p AND begins_with(sk, :x)",
        ExpressionAttributeValues={":p": {"S": "a"}, ":x": {"S": prefix}},
    )
    assert [item["sk"]["S"] for item in reply["Items"]] == found


@pytest.mark.parametrize(
    ("prefix", "found"), [("/w==", ["/w==", "//8="]), ("/v8=", ["/v8A"]), ("AP8=", ["AP8=", "AP8A"])]
)
def test_begins_with_walks_a_binary_prefix(context: Any, prefix: str, found: list[str]) -> None:
    context.add_table(sort_key="sk:B")
    for sk in ("/w==", "/v8A", "//8=", "AP8A", "AP8=", "AQ=="):
        put_item(context, {"TableName": "orders", "Item": {"pk": {"S": "a"}, "sk": {"B": sk}}})
    reply = ask(
        context,
        KeyConditionExpression="pk = :p AND begins_with(sk, :x)",
        ExpressionAttributeValues={":p": {"S": "a"}, ":x": {"B": prefix}},
    )
    assert [item["sk"]["B"] for item in reply["Items"]] == found


@pytest.mark.usefixtures("six")
@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("limit", [1, 2, 3, 5, 6, 7])
def test_pages_join_up_to_the_whole(context: Any, limit: int, forward: bool) -> None:
    found: list[int] = []
    start: dict[str, Any] = {}
    while True:
        reply = ask(context, Limit=limit, ScanIndexForward=forward, **start)
        found += numbers(reply)
        if "LastEvaluatedKey" not in reply:
            break
        start = {"ExclusiveStartKey": reply["LastEvaluatedKey"]}
    assert found == sorted([-1, 1, 2, 3, 7, 10], reverse=not forward)


@pytest.mark.usefixtures("six")
@pytest.mark.parametrize(("limit", "has_cursor"), [(5, True), (6, True), (7, False)])
def test_a_page_that_ends_on_the_last_item_still_has_a_cursor(context: Any, limit: int, has_cursor: bool) -> None:
    assert ("LastEvaluatedKey" in ask(context, Limit=limit)) is has_cursor


@pytest.mark.usefixtures("six")
def test_limit_counts_what_is_read_before_the_filter(context: Any) -> None:
    reply = ask(context, Limit=3, FilterExpression="attribute_exists(nothing)")
    assert reply == {
        "Count": 0,
        "Items": [],
        "LastEvaluatedKey": {"pk": {"S": "a"}, "sk": {"N": "2"}},
        "ScannedCount": 3,
    }


@pytest.mark.usefixtures("six")
def test_count_leaves_the_items_out(context: Any) -> None:
    reply = ask(
        context,
        Select="COUNT",
        FilterExpression="even = :yes",
        ExpressionAttributeValues={":p": {"S": "a"}, ":yes": {"BOOL": True}},
    )
    assert reply == {"Count": 2, "ScannedCount": 6}


@pytest.mark.usefixtures("six")
def test_a_projection_comes_after_the_filter(context: Any) -> None:
    reply = ask(
        context,
        FilterExpression="even = :yes",
        ProjectionExpression="sk",
        ExpressionAttributeValues={":p": {"S": "a"}, ":yes": {"BOOL": True}},
    )
    assert reply["Items"] == [{"sk": {"N": "2"}}, {"sk": {"N": "10"}}]


@pytest.mark.usefixtures("six")
def test_legacy_conditions_are_expressions(context: Any) -> None:
    reply = query(
        context,
        {
            "TableName": "orders",
            "KeyConditions": {
                "pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]},
                "sk": {"ComparisonOperator": "BETWEEN", "AttributeValueList": [{"N": "1"}, {"N": "7"}]},
            },
            "QueryFilter": {
                "even": {"ComparisonOperator": "EQ", "AttributeValueList": [{"BOOL": True}]},
                "other": {"ComparisonOperator": "NOT_NULL"},
            },
            "ConditionalOperator": "OR",
            "AttributesToGet": ["sk"],
        },
    )
    assert reply["Items"] == [{"sk": {"N": "2"}}]


def test_the_item_that_crosses_the_megabyte_ends_the_page(context: Any) -> None:
    context.add_table(sort_key="sk:N")
    for sk in range(5):
        item = {"pk": {"S": "a"}, "sk": {"N": str(sk)}, "d": {"S": "x" * 300_000}}
        put_item(context, {"TableName": "orders", "Item": item})
    reply = ask(context, Select="COUNT")
    assert (reply["Count"], reply["LastEvaluatedKey"]["sk"]) == (4, {"N": "3"})


def test_an_index_cursor_carries_both_keys_and_tells_equal_entries_apart(
    context: Any, add_index: Callable[..., Any]
) -> None:
    add_index(context.add_table(), "by_g", "g:S")
    for name in "abc":
        put_item(context, {"TableName": "orders", "Item": {"pk": {"S": name}, "g": {"S": "same"}}})
    wanted = {
        "IndexName": "by_g",
        "KeyConditionExpression": "g = :g",
        "ExpressionAttributeValues": {":g": {"S": "same"}},
    }
    first = ask(context, **wanted, Limit=2)
    rest = ask(context, **wanted, Limit=2, ExclusiveStartKey=first["LastEvaluatedKey"])
    assert sorted(first["LastEvaluatedKey"]) == ["g", "pk"]
    assert sorted(item["pk"]["S"] for item in [*first["Items"], *rest["Items"]]) == ["a", "b", "c"]
    assert "LastEvaluatedKey" not in rest


def test_a_cursor_may_name_an_item_that_is_gone(context: Any) -> None:
    context.add_table(sort_key="sk:N")
    for sk in (1, 3):
        put_item(context, {"TableName": "orders", "Item": {"pk": {"S": "a"}, "sk": {"N": str(sk)}}})
    reply = ask(context, ExclusiveStartKey={"pk": {"S": "a"}, "sk": {"N": "2.0"}})
    assert numbers(reply) == [3]
