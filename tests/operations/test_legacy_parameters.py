"""Parameters from before expressions, and what they say as expressions."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.operations.legacy_parameters import with_expressions

ONE, TWO = {"N": "1"}, {"N": "2"}
PREFIX = "One or more parameter values were invalid: "


def condition(operator: str, *values: Any) -> dict[str, Any]:
    return {"a": {"ComparisonOperator": operator, "AttributeValueList": list(values)}}


def spelled_out(request: Any, member: str) -> str:
    """Give an expression with its placeholders replaced by what they stand for."""
    text: str = request[member]
    for placed, show in (
        (request.get("ExpressionAttributeValues", {}), lambda value: next(iter(value.values()))),
        (request.get("ExpressionAttributeNames", {}), str),
    ):
        for placeholder, meaning in placed.items():
            text = text.replace(placeholder, show(meaning))
    return text


def test_a_request_without_them_is_given_back_as_it_is() -> None:
    request = {"TableName": "t", "FilterExpression": "a = b"}
    assert with_expressions(request) is request


@pytest.mark.parametrize(
    ("operator", "values", "text"),
    [
        ("EQ", [ONE], "a = 1"),
        ("NE", [ONE], "a <> 1"),
        ("LE", [ONE], "a <= 1"),
        ("LT", [ONE], "a < 1"),
        ("GE", [ONE], "a >= 1"),
        ("GT", [ONE], "a > 1"),
        ("BETWEEN", [ONE, TWO], "a BETWEEN 1 AND 2"),
        ("IN", [ONE, TWO], "a IN (1, 2)"),
        ("BEGINS_WITH", [{"S": "x"}], "begins_with(a, x)"),
        ("CONTAINS", [{"S": "x"}], "contains(a, x)"),
        ("NOT_CONTAINS", [{"S": "x"}], "NOT contains(a, x)"),
        ("NOT_NULL", [], "attribute_exists(a)"),
        ("NULL", [], "attribute_not_exists(a)"),
    ],
)
@pytest.mark.parametrize(
    ("parameter", "member"),
    [
        ("QueryFilter", "FilterExpression"),
        ("ScanFilter", "FilterExpression"),
        ("Expected", "ConditionExpression"),
    ],
)
def test_a_comparison_operator_is_an_operator_or_function(
    parameter: str, member: str, operator: str, values: list[Any], text: str
) -> None:
    modern = with_expressions({parameter: condition(operator, *values)})
    assert spelled_out(modern, member) == text
    assert parameter not in modern


@pytest.mark.parametrize(
    ("operator", "values"), [("EQ", []), ("EQ", [ONE, TWO]), ("BETWEEN", [ONE]), ("IN", []), ("NULL", [ONE])]
)
def test_the_number_of_values_must_fit(operator: str, values: list[Any]) -> None:
    with pytest.raises(ValidationException) as caught:
        with_expressions({"ScanFilter": condition(operator, *values)})
    assert caught.value.message == f"{PREFIX}Invalid number of argument(s) for the {operator} ComparisonOperator"


@pytest.mark.parametrize(("operator", "joint"), [(None, "AND"), ("AND", "AND"), ("OR", "OR")])
def test_the_conditional_operator_joins_conditions(operator: str | None, joint: str) -> None:
    conditions = {"a": {"ComparisonOperator": "NULL"}, "b": {"ComparisonOperator": "NOT_NULL"}}
    chosen = {} if operator is None else {"ConditionalOperator": operator}
    modern = with_expressions({"ScanFilter": conditions, **chosen})
    assert spelled_out(modern, "FilterExpression") == f"attribute_not_exists(a) {joint} attribute_exists(b)"
    assert "ConditionalOperator" not in modern


def test_key_conditions_are_always_joined_by_and() -> None:
    conditions = {
        "a": {"ComparisonOperator": "EQ", "AttributeValueList": [ONE]},
        "b": {"ComparisonOperator": "GT", "AttributeValueList": [TWO]},
    }
    modern = with_expressions({"KeyConditions": conditions, "ConditionalOperator": "OR"})
    assert spelled_out(modern, "KeyConditionExpression") == "a = 1 AND b > 2"


@pytest.mark.parametrize("operator", ["NE", "IN", "CONTAINS", "NOT_CONTAINS", "NULL", "NOT_NULL"])
def test_a_key_condition_must_be_indexable(operator: str) -> None:
    with pytest.raises(ValidationException) as caught:
        with_expressions({"KeyConditions": condition(operator, ONE)})
    assert caught.value.message == "Attempted conditional constraint is not an indexable operation"


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ({"Value": ONE}, "a = 1"),
        ({"Value": ONE, "Exists": True}, "a = 1"),
        ({"Exists": False}, "attribute_not_exists(a)"),
        ({"ComparisonOperator": "GT", "Value": ONE}, "a > 1"),
    ],
)
def test_an_expectation_is_a_condition(expected: dict[str, Any], text: str) -> None:
    assert spelled_out(with_expressions({"Expected": {"a": expected}}), "ConditionExpression") == text


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ({}, f"{PREFIX}Value must be provided when Exists is true for Attribute: a"),
        ({"Exists": True}, f"{PREFIX}Value must be provided when Exists is true for Attribute: a"),
        ({"Exists": False, "Value": ONE}, f"{PREFIX}Value cannot be used when Exists is false for Attribute: a"),
        (
            {"ComparisonOperator": "EQ", "Value": ONE, "AttributeValueList": []},
            f"{PREFIX}Value and AttributeValueList cannot be used together for Attribute: a",
        ),
        (
            {"ComparisonOperator": "EQ", "Value": ONE, "Exists": True},
            f"{PREFIX}Exists and ComparisonOperator cannot be used together for Attribute: a",
        ),
        (
            {"ComparisonOperator": "LT"},
            f"{PREFIX}Value or AttributeValueList must be used with ComparisonOperator: LT for Attribute: a",
        ),
        (
            {"AttributeValueList": [ONE], "Exists": True},
            f"{PREFIX}AttributeValueList can only be used with a ComparisonOperator for Attribute: a",
        ),
    ],
)
def test_an_expectation_must_not_contradict_itself(expected: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationException) as caught:
        with_expressions({"Expected": {"a": expected}})
    assert caught.value.message == message


@pytest.mark.parametrize("parameter", ["Expected", "QueryFilter", "ScanFilter", "AttributeUpdates"])
def test_an_empty_parameter_says_nothing(parameter: str) -> None:
    assert with_expressions({"TableName": "t", parameter: {}}) == {"TableName": "t"}


def test_attribute_updates_are_clauses() -> None:
    modern = with_expressions(
        {
            "AttributeUpdates": {
                "a": {"Value": ONE},
                "b": {"Action": "PUT", "Value": TWO},
                "c": {"Action": "ADD", "Value": ONE},
                "d": {"Action": "DELETE"},
                "e": {"Action": "DELETE", "Value": {"S": "x"}},
            }
        }
    )
    assert spelled_out(modern, "UpdateExpression") == "SET a = 1, b = 2 ADD c 1 REMOVE d DELETE e x"


@pytest.mark.parametrize("change", [{}, {"Action": "PUT"}, {"Action": "ADD"}])
def test_only_a_delete_needs_no_value(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationException) as caught:
        with_expressions({"AttributeUpdates": {"a": change}})
    assert caught.value.message == f"{PREFIX}Only DELETE action is allowed when no attribute value is specified"


def test_an_expectation_and_updates_share_their_placeholders() -> None:
    modern = with_expressions({"Expected": {"a": {"Value": ONE}}, "AttributeUpdates": {"a": {"Value": TWO}}})
    assert spelled_out(modern, "ConditionExpression") == "a = 1"
    assert spelled_out(modern, "UpdateExpression") == "SET a = 2"


def test_both_kinds_in_one_request_are_refused() -> None:
    with pytest.raises(ValidationException) as caught:
        with_expressions({"AttributesToGet": ["a"], "ScanFilter": {}, "FilterExpression": "a = b"})
    assert caught.value.message == (
        "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: "
        "{AttributesToGet, ScanFilter} Expression parameters: {FilterExpression}"
    )
