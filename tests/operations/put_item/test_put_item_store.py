"""PutItem: what is stored, what is given back, and that a refusal changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_ddbthrottle._engine.errors import ConditionalCheckFailedException, Throttled, ValidationException
from pytest_ddbthrottle._engine.operations.put_item import put_item

OLD = {"pk": {"S": "a"}, "v": {"N": "1"}}
NEW = {"pk": {"S": "a"}, "v": {"N": "2"}}


def put(context: Any, item: dict[str, Any], **members: Any) -> dict[str, Any]:
    return put_item(context, {"TableName": "orders", "Item": item, **members})


def stored(context: Any) -> list[dict[str, Any]]:
    return [item.attributes() for _, item in context.tables["orders"].items.walk()]


def test_a_put_replaces_the_item_with_its_key(context: Any) -> None:
    context.add_table()
    put(context, OLD)
    assert put(context, NEW) == {}
    assert stored(context) == [NEW]


@pytest.mark.parametrize(
    ("before", "return_values", "reply"),
    [(OLD, "ALL_OLD", {"Attributes": OLD}), (None, "ALL_OLD", {}), (OLD, "NONE", {})],
)
def test_the_old_item_comes_back_if_wanted(
    context: Any, before: dict[str, Any] | None, return_values: str, reply: dict[str, Any]
) -> None:
    context.add_table()
    if before is not None:
        put(context, before)
    assert put(context, NEW, ReturnValues=return_values) == reply


@pytest.mark.parametrize("return_values", ["ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"])
def test_a_put_has_no_other_values_to_return(context: Any, return_values: str) -> None:
    context.add_table()
    with pytest.raises(ValidationException) as caught:
        put(context, NEW, ReturnValues=return_values)
    assert caught.value.message == "ReturnValues can only be ALL_OLD or NONE"


def test_a_false_condition_keeps_the_old_item(context: Any) -> None:
    context.add_table()
    put(context, OLD)
    with pytest.raises(ConditionalCheckFailedException) as caught:
        put(context, NEW, ConditionExpression="attribute_not_exists(pk)")
    assert caught.value.message == "The conditional request failed"
    assert caught.value.members == {}
    assert stored(context) == [OLD]


def test_a_false_condition_shows_the_old_item_if_wanted(context: Any) -> None:
    context.add_table()
    put(context, OLD)
    with pytest.raises(ConditionalCheckFailedException) as caught:
        put(
            context,
            NEW,
            ConditionExpression="attribute_not_exists(pk)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    assert caught.value.members == {"Item": OLD}


def test_a_legacy_expectation_is_a_condition(context: Any) -> None:
    context.add_table()
    put(context, OLD)
    with pytest.raises(ConditionalCheckFailedException):
        put(context, NEW, Expected={"pk": {"Exists": False}})


@pytest.mark.parametrize("refused_index", [None, "by_g"])
def test_a_refused_put_stores_nothing_anywhere(
    context: Any, add_index: Callable[..., Any], refused_index: str | None
) -> None:
    table = context.add_table()
    index = add_index(table, "by_g", "g:S")
    context.refuses = lambda part: part.index_name == refused_index
    with pytest.raises(Throttled):
        put(context, {"pk": {"S": "a"}, "g": {"S": "x"}})
    assert (len(table.items), len(index.entries), context.admitted) == (0, 0, [])


@pytest.mark.parametrize(
    ("letters", "message"), [(409_593, None), (409_594, "Item size has exceeded the maximum allowed size")]
)
def test_the_item_gate_is_exact_to_the_byte(context: Any, letters: int, message: str | None) -> None:
    context.add_table()
    item = {"pk": {"S": "p"}, "n": {"N": "1E125"}, "d": {"S": "x" * letters}}
    if message is None:
        put(context, item)
        assert context.tables["orders"].items.size_bytes == 409_600
        return
    with pytest.raises(ValidationException, match=message):
        put(context, item)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({"v": {"N": "1"}}, "One or more parameter values were invalid: Missing the key pk in the item"),
        (
            {"pk": {"N": "1"}},
            "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N",
        ),
        (
            {"pk": {"S": ""}},
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
            "empty string value. Key: pk",
        ),
        (
            {"pk": {"S": "é" * 1025}},
            "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes",
        ),
        (
            {"pk": {"S": "a"}, "g": {"N": "1"}},
            "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: N "
            "IndexName: a_first",
        ),
        (
            {"pk": {"S": "a"}, "g": {"S": ""}},
            "One or more parameter values are not valid. A value specified for a secondary index key is not "
            "supported. The AttributeValue for a key attribute cannot contain an empty string value. "
            "IndexName: a_first, IndexKey: g",
        ),
    ],
)
def test_a_bad_key_is_named(context: Any, add_index: Callable[..., Any], item: dict[str, Any], message: str) -> None:
    table = context.add_table()
    add_index(table, "z_last", "g:S")
    add_index(table, "a_first", "g:S")
    with pytest.raises(ValidationException) as caught:
        put(context, item)
    assert caught.value.message == message


def test_item_collection_metrics_name_the_partition_key(context: Any, add_index: Callable[..., Any]) -> None:
    table = context.add_table(sort_key="sk:S")
    add_index(table, "by_l", None, "l:S")
    item = {"pk": {"S": "a"}, "sk": {"S": "b"}}
    assert put(context, item, ReturnItemCollectionMetrics="SIZE") == {
        "ItemCollectionMetrics": {"ItemCollectionKey": {"pk": {"S": "a"}}, "SizeEstimateRangeGB": [0.0, 1.0]}
    }


def test_a_table_without_local_indexes_has_no_item_collections(context: Any) -> None:
    context.add_table()
    assert put(context, OLD, ReturnItemCollectionMetrics="SIZE") == {}
