"""Query: the service's words for what it does not do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_ddbthrottle._engine.errors import ResourceNotFoundException, ValidationException
from pytest_ddbthrottle._engine.operations.query import query
from pytest_ddbthrottle._engine.pending_change import PendingChange, Work

OF_A = {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}}
OF_G = {
    "IndexName": "by_g",
    "KeyConditionExpression": "g = :g",
    "ExpressionAttributeValues": {":g": {"S": "x"}},
}
AND_SK = {
    "KeyConditionExpression": "pk = :p AND sk > :s",
    "ExpressionAttributeValues": {":p": {"S": "a"}, ":s": {"S": "m"}},
}
PREFIX = "One or more parameter values were invalid: "
ENVELOPE = "1 validation error detected: "


@pytest.fixture(autouse=True)
def tables(context: Any, add_index: Callable[..., Any]) -> None:
    table = context.add_table(sort_key="sk:S")
    add_index(table, "by_g", "g:S", projection="INCLUDE", included=["kept"])
    add_index(table, "by_l", None, "l:S", projection="KEYS_ONLY")
    add_index(table, "filling", "g:S").pending = PendingChange(Work.CREATION, ends_ns=1)


def cursor(**values: str) -> dict[str, Any]:
    return {"ExclusiveStartKey": {name: {"S": value} for name, value in values.items()}}


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({}, "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."),
        ({**OF_A, "IndexName": "none"}, "The table does not have the specified index: none"),
        ({**OF_A, "IndexName": "filling"}, "Cannot read from backfilling global secondary index: filling"),
        ({**OF_G, "ConsistentRead": True}, "Consistent reads are not supported on global secondary indexes"),
        (
            {**OF_A, "ExpressionAttributeValues": {":p": {"N": "1"}}},
            f"{PREFIX}Condition parameter type does not match schema type",
        ),
        (
            {**AND_SK, "ExpressionAttributeValues": {":p": {"S": "a"}, ":s": {"N": "1"}}},
            f"{PREFIX}Condition parameter type does not match schema type",
        ),
        (
            {"KeyConditions": {"pk": {"ComparisonOperator": "NE", "AttributeValueList": [{"S": "a"}]}}},
            "Attempted conditional constraint is not an indexable operation",
        ),
        (
            {"KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": []}}},
            f"{PREFIX}Invalid number of argument(s) for the EQ ComparisonOperator",
        ),
    ],
)
def test_a_faulty_request_is_told_so(context: Any, members: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationException) as caught:
        query(context, {"TableName": "orders", **members})
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (
            {**OF_A, "Select": "ALL_ATTRIBUTES", "ProjectionExpression": "sk"},
            f"{ENVELOPE}Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES",
        ),
        (
            {**OF_A, "Select": "ALL_PROJECTED_ATTRIBUTES", "ProjectionExpression": "sk"},
            f"{ENVELOPE}Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES",
        ),
        (
            {**OF_A, "Select": "COUNT", "ProjectionExpression": "sk"},
            f"{ENVELOPE}Cannot specify the ProjectionExpression when choosing to get only the Count",
        ),
        (
            {**OF_A, "Select": "COUNT", "AttributesToGet": ["sk"]},
            f"{ENVELOPE}Cannot specify the AttributesToGet when choosing to get only the Count",
        ),
        (
            {**OF_A, "Select": "SPECIFIC_ATTRIBUTES"},
            f"{ENVELOPE}Must specify the AttributesToGet or ProjectionExpression when choosing to get "
            "SPECIFIC_ATTRIBUTES",
        ),
        (
            {**OF_A, "Select": "ALL_PROJECTED_ATTRIBUTES"},
            f"{ENVELOPE}ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName",
        ),
        (
            {**OF_G, "Select": "ALL_ATTRIBUTES"},
            f"{PREFIX}Select type ALL_ATTRIBUTES is not supported for global secondary index by_g because its "
            "projection type is not ALL",
        ),
        ({**OF_G, "ProjectionExpression": "kept, who"}, f"{PREFIX}Global secondary index by_g does not project [who]"),
    ],
)
def test_a_selection_that_cannot_be_served_is_refused(context: Any, members: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationException) as caught:
        query(context, {"TableName": "orders", **members})
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (
            {**OF_A, "FilterExpression": "attribute_exists(pk)"},
            "Filter Expression can only contain non-primary key attributes: Primary key attribute: pk",
        ),
        (
            {**OF_A, "FilterExpression": "begins_with(sk, :p)"},
            "Filter Expression can only contain non-primary key attributes: Primary key attribute: sk",
        ),
        (
            {**OF_G, "FilterExpression": "attribute_exists(g)"},
            "Filter Expression can only contain non-primary key attributes: Primary key attribute: g",
        ),
        (
            {**OF_G, "FilterExpression": "attribute_exists(who) OR attribute_exists(kept)"},
            f"{PREFIX}Secondary index by_g does not project one or more filter attributes: [who]",
        ),
        (
            {**OF_A, "IndexName": "by_l", "FilterExpression": "attribute_exists(who)"},
            f"{PREFIX}Secondary index by_l does not project one or more filter attributes: [who]",
        ),
    ],
)
def test_a_filter_sees_projected_attributes_that_are_no_keys(
    context: Any, members: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValidationException) as caught:
        query(context, {"TableName": "orders", **members})
    assert caught.value.message == message


def test_a_filter_on_a_fetched_attribute_is_served(context: Any) -> None:
    wanted = {"IndexName": "by_l", "Select": "ALL_ATTRIBUTES", "FilterExpression": "attribute_exists(who)"}
    assert query(context, {"TableName": "orders", **OF_A, **wanted})["Count"] == 0


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({**OF_A, **cursor(pk="a")}, "The provided starting key is invalid"),
        ({**OF_A, **cursor(pk="a", sk="s", g="x")}, "The provided starting key is invalid"),
        ({**OF_A, **cursor(bad="p")}, "The provided starting key is invalid"),
        (
            {**OF_A, "ExclusiveStartKey": {"pk": {"S": "a"}, "sk": {"N": "1"}}},
            "The provided starting key is invalid",
        ),
        ({**OF_G, **cursor(pk="a", sk="s")}, "The provided starting key is invalid"),
        (
            {**OF_A, **cursor(pk="b", sk="s")},
            "The provided starting key is outside query boundaries based on provided conditions",
        ),
        (
            {**OF_G, **cursor(pk="a", sk="s", g="y")},
            "The provided starting key is outside query boundaries based on provided conditions",
        ),
        ({**AND_SK, **cursor(pk="a", sk="a")}, "The provided starting key does not match the range key predicate"),
        ({**AND_SK, **cursor(pk="b", sk="a")}, "The provided starting key does not match the range key predicate"),
        ({**AND_SK, **cursor(pk="b", sk="s")}, "The query can return at most one row and cannot be restarted"),
    ],
)
def test_a_cursor_from_elsewhere_is_refused(context: Any, members: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationException) as caught:
        query(context, {"TableName": "orders", **members})
    assert caught.value.message == message


def test_an_unknown_table_is_not_found(context: Any) -> None:
    with pytest.raises(ResourceNotFoundException):
        query(context, {"TableName": "other", **OF_A})


@pytest.mark.parametrize(
    ("condition", "values", "message"),
    [
        (
            "pk = :p AND begins_with(sk, :n)",
            {":p": {"S": "q"}, ":n": {"N": "1"}},
            "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N",
        ),
        ("pk = :p", {":p": {"S": "q"}, ":unused": {"S": "x"}}, "unused in expressions: keys: {:unused}"),
    ],
)
def test_expressions_are_checked_before_the_table_is_looked_for(
    context: Any, condition: str, values: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValidationException) as caught:
        query(
            context,
            {"TableName": "other", "KeyConditionExpression": condition, "ExpressionAttributeValues": values},
        )
    assert message in caught.value.message


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("sk = :p", "Query condition missed key schema element: pk"),
        ("attr1 = :p", "Query condition missed key schema element: pk"),
        ("pk > :p", "Query key condition not supported"),
    ],
)
def test_a_condition_that_does_not_fit_the_keys_is_refused(context: Any, condition: str, message: str) -> None:
    with pytest.raises(ValidationException) as caught:
        query(
            context,
            {
                "TableName": "orders",
                "KeyConditionExpression": condition,
                "ExpressionAttributeValues": {":p": {"S": "a"}},
            },
        )
    assert caught.value.message == message
