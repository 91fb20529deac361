"""Query of a global index whose keys have several attributes."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_ddbthrottle._engine.keys import KeyAttribute, KeySchema
from pytest_ddbthrottle._engine.operations.put_item import put_item
from pytest_ddbthrottle._engine.operations.query import query
from pytest_ddbthrottle._engine.tables import SecondaryIndex


@pytest.fixture(autouse=True)
def rounds(context: Any) -> None:
    table = context.add_table()
    attributes = [KeyAttribute(name, "S") for name in ("cup", "region", "round", "match")]
    schema = KeySchema(tuple(attributes[:2]), tuple(attributes[2:]))
    table.indexes["by_round"] = SecondaryIndex("by_round", "arn", schema, "ALL", (), table.throughput)
    for number, (region, round_, match) in enumerate(
        [("eu", "final", "1"), ("eu", "semi", "1"), ("eu", "semi", "2"), ("us", "semi", "3"), ("eu", "semi", None)]
    ):
        item = {"pk": {"S": str(number)}, "cup": {"S": "c"}, "region": {"S": region}, "round": {"S": round_}}
        if match is not None:
            item["match"] = {"S": match}
        put_item(context, {"TableName": "orders", "Item": item})


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("", ["0", "1", "2"]),
        (" AND #round = :semi", ["1", "2"]),
        (" AND #round = :semi AND #match = :two", ["2"]),
        (" AND #round = :semi AND #match < :two", ["1"]),
        (" AND #round < :semi", ["0"]),
    ],
)
def test_sort_key_attributes_are_conditions_from_left_to_right(context: Any, condition: str, found: list[str]) -> None:
    names = {"#cup": "cup", "#region": "region", "#round": "round", "#match": "match"}
    values = {":c": {"S": "c"}, ":eu": {"S": "eu"}, ":semi": {"S": "semi"}, ":two": {"S": "2"}}
    text = f"#cup = :c AND #region = :eu{condition}"
    reply = query(
        context,
        {
            "TableName": "orders",
            "IndexName": "by_round",
            "KeyConditionExpression": text,
            "ExpressionAttributeNames": {name: value for name, value in names.items() if name in text},
            "ExpressionAttributeValues": {name: value for name, value in values.items() if name in text},
        },
    )
    assert [item["pk"]["S"] for item in reply["Items"]] == found


def test_a_cursor_has_every_key_attribute(context: Any) -> None:
    wanted = {
        "TableName": "orders",
        "IndexName": "by_round",
        "KeyConditionExpression": "cup = :c AND #region = :eu",
        "ExpressionAttributeNames": {"#region": "region"},
        "ExpressionAttributeValues": {":c": {"S": "c"}, ":eu": {"S": "eu"}},
        "Limit": 1,
    }
    first = query(context, wanted)
    second = query(context, {**wanted, "ExclusiveStartKey": first["LastEvaluatedKey"]})
    assert sorted(first["LastEvaluatedKey"]) == ["cup", "match", "pk", "region", "round"]
    assert [item["pk"]["S"] for item in second["Items"]] == ["1"]
