"""Faults of values and of parameters that the request alone shows: each operation tells them in its own wording."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_ddbthrottle import FakeDynamoDB

KEY = {"pk": {"S": "a"}}
INVALID = "One or more parameter values were invalid: "
NOT_A_NUMBER = "The parameter cannot be converted to a numeric value"
OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
UNDERFLOW = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
DIGITS = "Attempting to store more than 38 significant digits in a Number"

VALUES: list[tuple[Any, str, str]] = [
    ({"N": "abc"}, f"{NOT_A_NUMBER}: abc", f"{NOT_A_NUMBER}: abc"),
    ({"N": ""}, f"{NOT_A_NUMBER}: ", NOT_A_NUMBER),
    ({"N": "1e126"}, OVERFLOW, OVERFLOW),
    ({"N": "1e-131"}, UNDERFLOW, UNDERFLOW),
    ({"N": "1e99999999999"}, OVERFLOW, OVERFLOW),
    ({"N": "1" * 39}, DIGITS, DIGITS),
    ({"NS": ["1", "x"]}, f"{NOT_A_NUMBER}: x", f"{NOT_A_NUMBER}: x"),
    ({"M": {"x": {"L": [{"N": "x"}]}}}, f"{NOT_A_NUMBER}: x", f"{NOT_A_NUMBER}: x"),
    (
        {"SS": ["b", "a", "b"]},
        f'{INVALID}Input collection ["a", "b", "b"] contains duplicates.',
        f"{INVALID}Input collection [b, a, b] contains duplicates.",
    ),
    (
        {"SS": ["c", "b", "b", "a"]},
        f'{INVALID}Input collection ["b", "c", "b", "a"] contains duplicates.',
        f"{INVALID}Input collection [c, b, b, a] contains duplicates.",
    ),
    (
        {"BS": ["/w==", "AA==", "AA=="]},
        f'{INVALID}Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.',
        f"{INVALID}Input collection [/w==, AA==, AA==]of type BS contains duplicates.",
    ),
    (
        {"NS": ["2", "1", "2"]},
        f"{INVALID}Input collection contains duplicates.",
        "Input collection contains duplicates",
    ),
]
"""A value, and the current wording and the older one. Source: Observed — four Regions, 2026-10-09, a public suite."""


def put(value: Any) -> dict[str, Any]:
    return {"TableName": "orders", "Item": {**KEY, "v": value}}


def conditional(value: Any) -> dict[str, Any]:
    return {"ConditionExpression": "v = :v", "ExpressionAttributeValues": {":v": value}}


CURRENT = {
    "PutItem: an item": ("PutItem", put),
    "PutItem: a condition": ("PutItem", lambda v: {**put({"S": "x"}), **conditional(v)}),
    "PutItem: Expected": ("PutItem", lambda v: {**put({"S": "x"}), "Expected": {"v": {"Value": v}}}),
    "UpdateItem: a key": ("UpdateItem", lambda v: {"TableName": "orders", "Key": {"pk": v}}),
    "UpdateItem: a value": (
        "UpdateItem",
        lambda v: {
            "TableName": "orders",
            "Key": KEY,
            "UpdateExpression": "SET v = :v",
            "ExpressionAttributeValues": {":v": v},
        },
    ),
    "UpdateItem: AttributeUpdates": (
        "UpdateItem",
        lambda v: {"TableName": "orders", "Key": KEY, "AttributeUpdates": {"v": {"Value": v}}},
    ),
    "DeleteItem: a key": ("DeleteItem", lambda v: {"TableName": "orders", "Key": {"pk": v}}),
    "DeleteItem: a condition": ("DeleteItem", lambda v: {"TableName": "orders", "Key": KEY, **conditional(v)}),
}
BARE = {
    "GetItem": ("GetItem", lambda v: {"TableName": "orders", "Key": {"pk": v}}),
    "BatchGetItem": ("BatchGetItem", lambda v: {"RequestItems": {"orders": {"Keys": [{"pk": v}]}}}),
    "Query: a key": (
        "Query",
        lambda v: {
            "TableName": "orders",
            "KeyConditionExpression": "pk = :v",
            "ExpressionAttributeValues": {":v": v},
        },
    ),
    "Query: QueryFilter": (
        "Query",
        lambda v: {
            "TableName": "orders",
            "KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}},
            "QueryFilter": {"v": {"ComparisonOperator": "EQ", "AttributeValueList": [v]}},
        },
    ),
    "Query: ExclusiveStartKey": (
        "Query",
        lambda v: {
            "TableName": "orders",
            "KeyConditionExpression": "pk = :p",
            "ExpressionAttributeValues": {":p": {"S": "a"}},
            "ExclusiveStartKey": {"pk": v},
        },
    ),
}
OLDER = {
    "BatchWriteItem": (
        "BatchWriteItem",
        lambda v: {"RequestItems": {"orders": [{"PutRequest": {"Item": {**KEY, "v": v}}}]}},
    ),
    "TransactWriteItems": ("TransactWriteItems", lambda v: {"TransactItems": [{"Put": put(v)}]}),
    "TransactGetItems": (
        "TransactGetItems",
        lambda v: {"TransactItems": [{"Get": {"TableName": "orders", "Key": {"pk": v}}}]},
    ),
}
WRAPPED = {
    "Scan: a filter": (
        "Scan",
        lambda v: {"TableName": "orders", "FilterExpression": "v = :v", "ExpressionAttributeValues": {":v": v}},
    ),
    "TransactWriteItems: a condition": (
        "TransactWriteItems",
        lambda v: {"TransactItems": [{"Delete": {"TableName": "orders", "Key": KEY, **conditional(v)}}]},
    ),
}
WORDINGS = [
    *(
        (name, *place, lambda current, older: f"1 validation error detected: {current}")
        for name, place in CURRENT.items()
    ),
    *((name, *place, lambda current, older: current) for name, place in BARE.items()),
    *((name, *place, lambda current, older: older) for name, place in OLDER.items()),
    *(
        (name, *place, lambda current, older: f"ExpressionAttributeValues contains invalid value: {older} for key :v")
        for name, place in WRAPPED.items()
    ),
]


@pytest.fixture(scope="module")
def engine() -> Any:
    fake = FakeDynamoDB()
    fake.create_table("orders")
    return fake._engine


@pytest.mark.parametrize(
    ("operation", "request_of", "wording"), [case[1:] for case in WORDINGS], ids=[case[0] for case in WORDINGS]
)
def test_a_fault_of_a_value_is_told_in_the_wording_of_the_operation(engine, operation, request_of, wording):
    texts = [engine.handle(operation, request_of(value), "us-east-1").error.body() for value, *_ in VALUES]

    assert [text["message"] for text in texts] == [wording(current, older) for _, current, older in VALUES]
    assert {text["__type"] for text in texts} == {"com.amazon.coral.validate#ValidationException"}


WITHOUT = "can only be specified when using expressions"
EMPTY = {"ConditionExpression": "v = :v"}
PARAMETERS: list[tuple[dict[str, Any], str]] = [
    ({"ExpressionAttributeValues": {":v": {"S": "x"}}}, f"ExpressionAttributeValues {WITHOUT}"),
    ({"ExpressionAttributeNames": {"#v": "v"}}, f"ExpressionAttributeNames {WITHOUT}"),
    ({**EMPTY, "ExpressionAttributeValues": {}}, "ExpressionAttributeValues must not be empty"),
    ({**EMPTY, "ExpressionAttributeNames": {}}, "ExpressionAttributeNames must not be empty"),
    ({"ConditionExpression": ""}, "Invalid ConditionExpression: The expression can not be empty;"),
    (
        {"Expected": {"a": {"Exists": True}}},
        f"{INVALID}Value must be provided when Exists is true for Attribute: a",
    ),
    (
        {"Expected": {"a": {"Exists": False, "Value": {"S": "x"}}}},
        f"{INVALID}Value cannot be used when Exists is false for Attribute: a",
    ),
    (
        {"Expected": {"a": {"ComparisonOperator": "EQ"}}},
        f"{INVALID}Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a",
    ),
    (
        {"Expected": {"a": {"ComparisonOperator": "BETWEEN", "AttributeValueList": [{"S": "x"}]}}},
        f"{INVALID}Invalid number of argument(s) for the BETWEEN ComparisonOperator",
    ),
]
"""Source: Observed — eu-west-2 and us-east-1, 2026-10-09, a public suite (PutItem and DeleteItem)."""


@pytest.mark.parametrize("operation", ["PutItem", "UpdateItem", "DeleteItem"])
@pytest.mark.parametrize(("members", "text"), PARAMETERS, ids=[text for _, text in PARAMETERS])
def test_a_fault_of_the_parameters_of_a_single_write_stands_in_the_envelope(engine, operation, members, text):
    content = {"Item": KEY} if operation == "PutItem" else {"Key": KEY}

    error = engine.handle(operation, {"TableName": "orders", **content, **members}, "us-east-1").error

    assert (error.code, error.message) == ("ValidationException", f"1 validation error detected: {text}")


@pytest.mark.parametrize("returns", ["ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"])
@pytest.mark.parametrize(("operation", "content"), [("PutItem", {"Item": KEY}), ("DeleteItem", {"Key": KEY})])
def test_only_an_update_has_other_values_to_return(engine, operation, content, returns):
    error = engine.handle(operation, {"TableName": "orders", **content, "ReturnValues": returns}, "us-east-1").error

    assert error.message == "1 validation error detected: ReturnValues can only be ALL_OLD or NONE"


def test_the_same_in_a_transaction_stands_alone(engine):
    for members, text in PARAMETERS[:5]:
        put = {"TableName": "orders", "Item": KEY, **members}

        error = engine.handle("TransactWriteItems", {"TransactItems": [{"Put": put}]}, "us-east-1").error

        assert (error.code, error.message) == ("ValidationException", text)


def test_what_an_update_computes_is_told_without_the_envelope(engine):
    values = {":a": {"N": "9.9e125"}, ":b": {"N": "9.9e125"}}
    request = {
        "TableName": "orders",
        "Key": KEY,
        "UpdateExpression": "SET n = :a + :b",
        "ExpressionAttributeValues": values,
    }

    assert engine.handle("UpdateItem", request, "us-east-1").error.message == OVERFLOW
