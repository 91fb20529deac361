"""BatchWriteItem: entries one by one, and leftovers that can be sent again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_ddbthrottle._engine.errors import ResourceNotFoundException, Throttled, ValidationException
from pytest_ddbthrottle._engine.operations.batch_write_item import batch_write_item


def put(name: object, **attributes: Any) -> dict[str, Any]:
    return {"PutRequest": {"Item": {"pk": {"S": str(name)}, **attributes}}}


def delete(name: object) -> dict[str, Any]:
    return {"DeleteRequest": {"Key": {"pk": {"S": str(name)}}}}


def ask(context: Any, tables: dict[str, Any], **members: Any) -> dict[str, Any]:
    context.admitted.clear()
    return batch_write_item(context, {"RequestItems": tables, **members})


def stored(context: Any, table_name: str = "orders") -> list[str]:
    return sorted(item.attributes()["pk"]["S"] for _, item in context.tables[table_name].items.walk())


@pytest.fixture(autouse=True)
def two_tables(context: Any) -> None:
    context.add_table("orders")
    context.add_table("users")


def test_puts_and_deletes_are_carried_out(context: Any) -> None:
    ask(context, {"orders": [put("a"), put("b")], "users": [put("a")]})
    reply = ask(context, {"orders": [delete("a"), put("c"), delete("missing")]})
    assert reply == {"UnprocessedItems": {}}
    assert (stored(context), stored(context, "users")) == (["b", "c"], ["a"])


def test_consumed_capacity_has_an_entry_for_each_table(context: Any, add_index: Callable[..., Any]) -> None:
    add_index(context.tables["users"], "by_g", "g:S")
    large = {"d": {"S": "x" * 1500}}
    reply = ask(
        context,
        {"orders": [put("a", **large), delete("missing")], "users": [put("a", g={"S": "x"})]},
        ReturnConsumedCapacity="INDEXES",
    )
    assert reply["ConsumedCapacity"] == [
        {"TableName": "orders", "CapacityUnits": 3.0, "Table": {"CapacityUnits": 3.0}},
        {
            "TableName": "users",
            "CapacityUnits": 2.0,
            "Table": {"CapacityUnits": 1.0},
            "GlobalSecondaryIndexes": {"by_g": {"CapacityUnits": 1.0}},
        },
    ]


def test_refused_entries_come_back_as_they_were_sent(context: Any) -> None:
    context.refuses = lambda part: part.key_ranges[0][0] in (("b",), ("d",))
    entries = [put("a"), put("b", n={"N": "1.0"}), put("c"), delete("d")]
    reply = ask(context, {"orders": entries})
    assert reply == {"UnprocessedItems": {"orders": [entries[1], entries[3]]}}
    assert stored(context) == ["a", "c"]


def test_a_refused_index_leaves_its_entry_unprocessed(context: Any, add_index: Callable[..., Any]) -> None:
    index = add_index(context.tables["orders"], "by_g", "g:S")
    context.refuses = lambda part: part.index_name == "by_g"
    entries = [put("a"), put("b", g={"S": "x"})]
    reply = ask(context, {"orders": entries})
    assert reply == {"UnprocessedItems": {"orders": [entries[1]]}}
    assert (stored(context), len(index.entries)) == (["a"], 0)


def test_a_batch_of_which_nothing_was_written_is_an_error(context: Any) -> None:
    context.refuses = lambda part: True
    with pytest.raises(Throttled):
        ask(context, {"orders": [put("a"), put("b")]})
    assert stored(context) == []


def test_scripted_leftovers_come_back(context: Any) -> None:
    context.leaves = lambda table_name, position: position >= 1
    reply = ask(context, {"orders": [put("a"), put("b")], "users": [put("c")]})
    assert reply == {"UnprocessedItems": {"orders": [put("b")], "users": [put("c")]}}


def test_item_collection_metrics_are_listed_by_table(context: Any, add_index: Callable[..., Any]) -> None:
    add_index(context.add_table("lines", sort_key="sk:S"), "by_l", None, "l:S")
    entry = {"PutRequest": {"Item": {"pk": {"S": "a"}, "sk": {"S": "b"}}}}
    reply = ask(context, {"lines": [entry], "orders": [put("a")]}, ReturnItemCollectionMetrics="SIZE")
    assert reply["ItemCollectionMetrics"] == {
        "lines": [{"ItemCollectionKey": {"pk": {"S": "a"}}, "SizeEstimateRangeGB": [0.0, 1.0]}]
    }


NOT_ONE = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
MISMATCH = "The provided key element does not match the schema"


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        (
            {"orders": [put(number) for number in range(26)]},
            "1 validation error detected: Value at 'RequestItems.orders.member' failed to satisfy constraint: "
            "Member must have length less than or equal to 25",
        ),
        (
            {"orders": [put(number) for number in range(13)], "users": [put(number) for number in range(13)]},
            "Too many items requested for the BatchWriteItem call",
        ),
        ({"orders": [put("a"), delete("a")]}, "Provided list of item keys contains duplicates"),
        ({"orders": [{**put("a"), **delete("b")}]}, NOT_ONE),
        ({"orders": [{}]}, NOT_ONE),
        ({"orders": [{"PutRequest": {"Item": {"pk": {"N": "5"}}}}]}, MISMATCH),
        ({"orders": [{"PutRequest": {"Item": {"other": {"S": "x"}}}}]}, MISMATCH),
        ({"orders": [{"DeleteRequest": {"Key": {"other": {"S": "x"}}}}]}, MISMATCH),
        (
            {"orders": [put("")]},
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
            "empty string value. Key: pk",
        ),
        ({"orders": [put("b", d={"S": "x" * 409_600})]}, "Item size has exceeded the maximum allowed size"),
    ],
)
def test_a_faulty_batch_writes_nothing(context: Any, tables: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationException) as caught:
        ask(context, {"users": [put("good")], **tables})
    assert caught.value.message == message
    assert (stored(context), stored(context, "users"), context.admitted) == ([], [], [])


def test_one_unknown_table_fails_the_batch(context: Any) -> None:
    with pytest.raises(ResourceNotFoundException):
        ask(context, {"orders": [put("a")], "other": [put("a")]})
    assert stored(context) == []
