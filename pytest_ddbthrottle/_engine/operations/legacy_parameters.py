"""The parameters from before expressions, said as expressions.

``AttributesToGet``, ``KeyConditions``, ``QueryFilter``, ``ScanFilter``, ``Expected`` and ``AttributeUpdates`` mean what
an expression with placeholders of its own means, so nothing behind this module knows them.

Source: Documented — Developer Guide, "Legacy conditional parameters", read 2026-11-30.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.keys import INVALID_PARAMETER
from pytest_ddbthrottle._engine.operations.context import Request
from pytest_ddbthrottle._engine.worded_faults import WordedFault

LEGACY_PARAMETERS = (
    "AttributesToGet",
    "AttributeUpdates",
    "ConditionalOperator",
    "Expected",
    "KeyConditions",
    "QueryFilter",
    "ScanFilter",
)
_LEGACY = frozenset(LEGACY_PARAMETERS)

EXPRESSION_PARAMETERS = (
    "ProjectionExpression",
    "UpdateExpression",
    "ConditionExpression",
    "KeyConditionExpression",
    "FilterExpression",
)

COMPARISONS = {
    "EQ": ("{0} = {1}", 1),
    "NE": ("{0} <> {1}", 1),
    "LE": ("{0} <= {1}", 1),
    "LT": ("{0} < {1}", 1),
    "GE": ("{0} >= {1}", 1),
    "GT": ("{0} > {1}", 1),
    "BETWEEN": ("{0} BETWEEN {1} AND {2}", 2),
    "BEGINS_WITH": ("begins_with({0}, {1})", 1),
    "CONTAINS": ("contains({0}, {1})", 1),
    "NOT_CONTAINS": ("NOT contains({0}, {1})", 1),
    "NOT_NULL": ("attribute_exists({0})", 0),
    "NULL": ("attribute_not_exists({0})", 0),
}
"""``ComparisonOperator``: how an expression says it, and how many values it takes. ``IN`` takes any number."""

INDEXABLE = ("EQ", "LE", "LT", "GE", "GT", "BETWEEN", "BEGINS_WITH")
NOT_INDEXABLE = "Attempted conditional constraint is not an indexable operation"
"""Source: Observed — public conformance suites, 2026."""

CONTRADICTIONS: tuple[tuple[Callable[[Mapping[str, Any]], bool], str], ...] = (
    (
        lambda expected: {"Value", "AttributeValueList"} <= expected.keys(),
        "Value and AttributeValueList cannot be used together",
    ),
    (
        lambda expected: {"Exists", "ComparisonOperator"} <= expected.keys(),
        "Exists and ComparisonOperator cannot be used together",
    ),
    (
        lambda expected: (
            expected.get("ComparisonOperator", "NULL") not in ("NULL", "NOT_NULL")
            and expected.keys().isdisjoint({"Value", "AttributeValueList"})
        ),
        "Value or AttributeValueList must be used with ComparisonOperator: {}",
    ),
    (
        lambda expected: "AttributeValueList" in expected and "ComparisonOperator" not in expected,
        "AttributeValueList can only be used with a ComparisonOperator",
    ),
)
"""What an element of ``Expected`` may not say, in the order in which it is told. Source: Observed — a public suite recorded
against the service until 2022."""

UPDATE_CLAUSES = {"PUT": "SET", "ADD": "ADD", "DELETE": "DELETE"}


@dataclass(slots=True)
class _Expressions:
    """The request's expressions so far, and the placeholders that they use."""

    texts: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)

    def name(self, attribute_name: str) -> str:
        placeholder = f"#legacy{len(self.names)}"
        self.names[placeholder] = attribute_name
        return placeholder

    def value(self, attribute_value: Any) -> str:
        placeholder = f":legacy{len(self.values)}"
        self.values[placeholder] = attribute_value
        return placeholder

    def comparison(self, attribute_name: str, operator: str, operands: Sequence[Any]) -> str:
        placed = [self.value(operand) for operand in operands]
        if operator == "IN" and placed:
            return f"{self.name(attribute_name)} IN ({', '.join(placed)})"
        text, arguments = COMPARISONS.get(operator, ("", 1))
        if operator == "IN" or len(placed) != arguments:
            raise WordedFault(f"{INVALID_PARAMETER}Invalid number of argument(s) for the {operator} ComparisonOperator")
        return text.format(self.name(attribute_name), *placed)


def with_expressions(request: Request) -> Request:
    """Give a request that says with expressions what it said with legacy parameters.

    Args:
        request: any data-plane input; one without legacy parameters is given back as it is.

    Raises:
        ValidationException: it mixes both kinds, or a legacy parameter is not valid.

    >>> with_expressions({"AttributesToGet": ["a"]})
    {'ProjectionExpression': '#legacy0', 'ExpressionAttributeNames': {'#legacy0': 'a'}}
    """
    if _LEGACY.isdisjoint(request):
        return request
    legacy = [name for name in LEGACY_PARAMETERS if request.get(name) is not None]
    expressions = [name for name in EXPRESSION_PARAMETERS if request.get(name) is not None]
    if legacy and expressions:
        raise ValidationException(
            "Can not use both expression and non-expression parameters in the same request: Non-expression "
            f"parameters: {{{', '.join(legacy)}}} Expression parameters: {{{', '.join(expressions)}}}"
        )
    made = _Expressions()
    for name in legacy:
        if name in _TRANSLATIONS:
            _TRANSLATIONS[name](made, request[name], f" {request.get('ConditionalOperator', 'AND')} ")
    return _merged(request, made)


def _merged(request: Request, made: _Expressions) -> dict[str, Any]:
    modern = {name: value for name, value in request.items() if name not in LEGACY_PARAMETERS} | made.texts
    for member, placed in (("ExpressionAttributeNames", made.names), ("ExpressionAttributeValues", made.values)):
        if placed:
            modern[member] = {**request.get(member, {}), **placed}
    return modern


def _attributes_to_get(made: _Expressions, names: Sequence[str], joint: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ValidationException(f"{INVALID_PARAMETER}Duplicate value in attribute name: {name}")
    made.texts["ProjectionExpression"] = ", ".join(made.name(name) for name in names)


def _key_conditions(made: _Expressions, conditions: Mapping[str, Any], joint: str) -> None:
    if any(condition["ComparisonOperator"] not in INDEXABLE for condition in conditions.values()):
        raise ValidationException(NOT_INDEXABLE)
    made.texts["KeyConditionExpression"] = _joined(made, conditions, " AND ")


def _filter(made: _Expressions, conditions: Mapping[str, Any], joint: str) -> None:
    if conditions:
        made.texts["FilterExpression"] = _joined(made, conditions, joint)


def _joined(made: _Expressions, conditions: Mapping[str, Any], joint: str) -> str:
    return joint.join(
        made.comparison(name, condition["ComparisonOperator"], condition.get("AttributeValueList", ()))
        for name, condition in conditions.items()
    )


def _expected(made: _Expressions, conditions: Mapping[str, Any], joint: str) -> None:
    if conditions:
        texts = [made.comparison(name, *_expectation(name, expected)) for name, expected in conditions.items()]
        made.texts["ConditionExpression"] = joint.join(texts)


def _expectation(name: str, expected: Mapping[str, Any]) -> tuple[str, Sequence[Any]]:
    for contradicts, text in CONTRADICTIONS:
        if contradicts(expected):
            raise WordedFault(
                f"{INVALID_PARAMETER}{text.format(expected.get('ComparisonOperator'))} for Attribute: {name}"
            )
    if "ComparisonOperator" in expected:
        return expected["ComparisonOperator"], expected.get("AttributeValueList") or _single(expected)
    exists, values = expected.get("Exists", True), _single(expected)
    if exists and not values:
        raise WordedFault(
            f"{INVALID_PARAMETER}Value must be provided when Exists is {str(exists).lower()} for Attribute: {name}"
        )
    if values and not exists:
        raise WordedFault(f"{INVALID_PARAMETER}Value cannot be used when Exists is false for Attribute: {name}")
    return ("EQ", values) if exists else ("NULL", ())


def _single(expected: Mapping[str, Any]) -> Sequence[Any]:
    return [expected["Value"]] if "Value" in expected else []


def _attribute_updates(made: _Expressions, updates: Mapping[str, Any], joint: str) -> None:
    clauses: dict[str, list[str]] = {}
    for name, change in updates.items():
        action = change.get("Action", "PUT")
        if "Value" not in change and action != "DELETE":
            raise ValidationException(
                f"{INVALID_PARAMETER}Only DELETE action is allowed when no attribute value is specified"
            )
        if "Value" not in change:
            clauses.setdefault("REMOVE", []).append(made.name(name))
            continue
        equals = " =" if action == "PUT" else ""
        text = f"{made.name(name)}{equals} {made.value(change['Value'])}"
        clauses.setdefault(UPDATE_CLAUSES[action], []).append(text)
    if clauses:
        made.texts["UpdateExpression"] = " ".join(f"{clause} {', '.join(texts)}" for clause, texts in clauses.items())


_TRANSLATIONS: Mapping[str, Callable[[_Expressions, Any, str], None]] = {
    "AttributesToGet": _attributes_to_get,
    "AttributeUpdates": _attribute_updates,
    "Expected": _expected,
    "KeyConditions": _key_conditions,
    "QueryFilter": _filter,
    "ScanFilter": _filter,
}
