"""Scan: pages, segments, units and refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.operations.put_item import put_item
from pytest_ddbthrottle._engine.operations.scan import scan

PREFIX = "One or more parameter values were invalid: "


def ask(context: Any, **members: Any) -> dict[str, Any]:
    context.admitted.clear()
    return scan(context, {"TableName": "orders", **members})


def pages(context: Any, **members: Any) -> list[dict[str, Any]]:
    replies = [ask(context, **members)]
    while "LastEvaluatedKey" in replies[-1]:
        replies.append(ask(context, **members, ExclusiveStartKey=replies[-1]["LastEvaluatedKey"]))
    return replies


def names(replies: list[dict[str, Any]]) -> list[str]:
    return [item["pk"]["S"] for reply in replies for item in reply["Items"]]


def fill(context: Any, items: int, letters: int = 0) -> None:
    for number in range(items):
        item = {"pk": {"S": f"k{number}"}, "d": {"S": "x" * letters}}
        put_item(context, {"TableName": "orders", "Item": item})


@pytest.mark.parametrize("limit", [1, 7, 20, 21])
def test_pages_join_up_to_the_whole(context: Any, limit: int) -> None:
    context.add_table()
    fill(context, 20)
    assert names(pages(context, Limit=limit)) == names([ask(context)])


@pytest.mark.parametrize("total_segments", [1, 2, 3, 7, 64])
def test_segments_are_disjoint_and_cover_everything(context: Any, total_segments: int) -> None:
    context.add_table()
    fill(context, 50)
    segments = [
        names(pages(context, Segment=segment, TotalSegments=total_segments, Limit=2))
        for segment in range(total_segments)
    ]
    assert [name for segment in segments for name in segment] == names([ask(context)])


def test_a_page_is_charged_for_what_was_read_rounded_once(context: Any) -> None:
    context.add_table()
    fill(context, 10, letters=3000)
    reply = ask(
        context,
        FilterExpression="attribute_exists(nothing)",
        ProjectionExpression="pk",
        ReturnConsumedCapacity="TOTAL",
    )
    assert reply == {
        "ConsumedCapacity": {"TableName": "orders", "CapacityUnits": 4.0},
        "Count": 0,
        "Items": [],
        "ScannedCount": 10,
    }


@pytest.mark.parametrize("items", [1, 3, 10, 37])
def test_the_units_are_spread_over_the_collections_and_add_up(context: Any, items: int) -> None:
    context.add_table(sort_key="sk:N")
    for number in range(items):
        item = {
            "pk": {"S": f"k{number % 3}"},
            "sk": {"N": str(number)},
            "d": {"S": "x" * (1000 * (1 + number % 3))},
        }
        put_item(context, {"TableName": "orders", "Item": item})
    ask(context)
    (read,) = context.admitted
    assert sum(nano_units for _, nano_units in read.key_ranges) == read.nano_units
    assert len(read.key_ranges) == min(items, 3)


def test_an_empty_table_costs_the_minimum(context: Any) -> None:
    context.add_table()
    assert ask(context) == {"Count": 0, "Items": [], "ScannedCount": 0}
    assert (context.units, context.admitted[0].key_ranges) == ([(None, 0.5)], ())


def test_a_sparse_index_gives_what_it_projects(context: Any, add_index: Callable[..., Any]) -> None:
    add_index(context.add_table(), "by_g", "g:S", projection="KEYS_ONLY")
    item = {"pk": {"S": "a"}, "g": {"S": "x"}, "secret": {"S": "s"}}
    put_item(context, {"TableName": "orders", "Item": item})
    put_item(context, {"TableName": "orders", "Item": {"pk": {"S": "b"}, "secret": {"S": "s"}}})
    assert ask(context, IndexName="by_g")["Items"] == [{"pk": {"S": "a"}, "g": {"S": "x"}}]
    assert context.units == [("by_g", 0.5)]


def test_a_filter_may_name_keys(context: Any) -> None:
    context.add_table()
    fill(context, 3)
    reply = ask(context, FilterExpression="pk = :k", ExpressionAttributeValues={":k": {"S": "k1"}})
    assert (reply["Count"], reply["ScannedCount"]) == (1, 3)


def test_a_legacy_filter_is_an_expression(context: Any) -> None:
    context.add_table()
    fill(context, 3)
    scan_filter = {"pk": {"ComparisonOperator": "IN", "AttributeValueList": [{"S": "k0"}, {"S": "k2"}]}}
    assert sorted(names([ask(context, ScanFilter=scan_filter)])) == ["k0", "k2"]


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (
            {"Segment": 0},
            "The TotalSegments parameter is required but was not present in the request when Segment parameter is "
            "present",
        ),
        (
            {"TotalSegments": 4},
            "The Segment parameter is required but was not present in the request when parameter TotalSegments is "
            "present",
        ),
        (
            {"Segment": 5, "TotalSegments": 5},
            "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
            "Segment: 5 is not less than TotalSegments: 5",
        ),
        (
            {"Select": "SPECIFIC_ATTRIBUTES"},
            "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES",
        ),
        (
            {"Select": "ALL_PROJECTED_ATTRIBUTES"},
            "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName",
        ),
        (
            {"Select": "COUNT", "ProjectionExpression": "pk"},
            "Cannot specify the ProjectionExpression when choosing to get only the Count",
        ),
        (
            {"IndexName": "by_g", "ConsistentRead": True},
            "Consistent reads are not supported on global secondary indexes",
        ),
        (
            {"IndexName": "by_g", "ProjectionExpression": "who"},
            f"{PREFIX}Global secondary index by_g does not project [who]",
        ),
        (
            {"ExclusiveStartKey": {"bad": {"S": "x"}}},
            "The provided starting key is invalid: The provided key element does not match the schema",
        ),
        ({"IndexName": "by_g", "ExclusiveStartKey": {"pk": {"S": "x"}}}, "The provided starting key is invalid"),
    ],
)
def test_a_faulty_request_is_told_so(
    context: Any, add_index: Callable[..., Any], members: dict[str, Any], message: str
) -> None:
    add_index(context.add_table(), "by_g", "g:S", projection="KEYS_ONLY")
    with pytest.raises(ValidationException) as caught:
        ask(context, **members)
    assert caught.value.message == message


def test_a_cursor_of_another_segment_is_refused(context: Any) -> None:
    context.add_table()
    fill(context, 20)
    of_second = ask(context, Segment=1, TotalSegments=2, Limit=1)["LastEvaluatedKey"]
    with pytest.raises(ValidationException) as caught:
        ask(context, Segment=0, TotalSegments=2, ExclusiveStartKey=of_second)
    assert caught.value.message == (
        "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct "
        "Segment. TotalSegments: 2 Segment: 0"
    )
