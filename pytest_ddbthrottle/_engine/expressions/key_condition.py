"""KeyConditionExpression: the partition key by equality, the sort key by one condition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pytest_ddbthrottle._engine.attribute_value import AttributeValue
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.condition import BEGINNING, ORDERED, check_bounds
from pytest_ddbthrottle._engine.expressions.nodes import (
    Between,
    Call,
    Comparison,
    In,
    Junction,
    Not,
    Operand,
    Path,
    Test,
    Value,
)
from pytest_ddbthrottle._engine.expressions.operands import BoundOperand, bind_simple, check_count, check_types
from pytest_ddbthrottle._engine.expressions.parser import parse_test
from pytest_ddbthrottle._engine.expressions.placeholders import Placeholders

KIND = "KeyConditionExpression"
NOT_SUPPORTED = "Query key condition not supported"
ONE_PER_KEY = f"{KIND}s must only contain one condition per key"
"""Source: Observed — public conformance suites, 2026."""

_MIRRORED = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class SortCondition(NamedTuple):
    """A condition on one sort key attribute; BETWEEN has two operands, the others one."""

    name: str
    operator: str
    operands: tuple[AttributeValue, ...]


@dataclass(frozen=True, slots=True)
class KeyCondition:
    """A bound key condition.

    Attributes:
        partition_values: one for each partition key attribute, in the schema's order.
        sort: conditions on the sort key attributes, from the left without a gap; only the last may be a range.
    """

    partition_values: tuple[AttributeValue, ...]
    sort: tuple[SortCondition, ...]


def key_condition(
    text: str, placeholders: Placeholders, partition_key_names: Sequence[str], sort_key_names: Sequence[str]
) -> KeyCondition:
    """Bind a key condition to a request's placeholders and to a key schema.

    Args:
        text: ``KeyConditionExpression``.
        placeholders: those of the request.
        partition_key_names: the attributes that must be given by equality.
        sort_key_names: the attributes that may have a condition, from the left.

    Raises:
        ValidationException: the service's text for the first fault.

    >>> key_condition("pk = :p", Placeholders(None, {":p": {"S": "a"}}), ["pk"], ["sk"]).partition_values
    ({'S': 'a'},)
    """
    return for_key_schema(conditions_by_name(text, placeholders), partition_key_names, sort_key_names)


def conditions_by_name(text: str, placeholders: Placeholders) -> dict[str, SortCondition]:
    """Bind a key condition to a request's placeholders: what the service checks before it looks for the table.

    Raises:
        ValidationException: the service's text for the first fault.

    >>> sorted(conditions_by_name("pk = :p AND :s < sk", Placeholders(None, {":p": {"S": "a"}, ":s": {"N": "1"}})))
    ['pk', 'sk']

    Source: Observed — eu-west-2, 2026-10, a public conformance suite (the order).
    """
    placeholders.check()
    found: dict[str, SortCondition] = {}
    for node in _conjuncts(parse_test(KIND, text)):
        part = _bound(node, placeholders)
        if part.name in found:
            raise ValidationException(_invalid(ONE_PER_KEY))
        found[part.name] = part
    return found


def for_key_schema(
    conditions: Mapping[str, SortCondition], partition_key_names: Sequence[str], sort_key_names: Sequence[str]
) -> KeyCondition:
    """Bind conditions to a key schema; ``key_condition`` says how.

    Raises:
        ValidationException: they don't fit the keys.
    """
    names = (*partition_key_names, *sort_key_names)
    if len(conditions) > len(names):
        raise ValidationException(
            f"The number of query conditions ({len(conditions)}) exceeds the number of key attributes defined in the "
            f"schema ({len(names)})"
        )
    partition = tuple(_partition_value(conditions, name) for name in partition_key_names)
    return KeyCondition(partition, _sort_conditions(conditions, names, sort_key_names))


def _partition_value(conditions: Mapping[str, SortCondition], name: str) -> AttributeValue:
    part = conditions.get(name)
    if part is None:
        raise ValidationException(f"Query condition missed key schema element: {name}")
    if part.operator != "=":
        raise ValidationException(NOT_SUPPORTED)
    return part.operands[0]


def _sort_conditions(
    conditions: Mapping[str, SortCondition], key_names: Sequence[str], sort_key_names: Sequence[str]
) -> tuple[SortCondition, ...]:
    """Give the sort key conditions in the schema's order."""
    if any(name not in key_names for name in conditions):
        absent = next(name for name in sort_key_names if name not in conditions)
        raise ValidationException(f"Query condition missed key schema element: {absent}")
    named = [name for name in sort_key_names if name in conditions]
    for last in named[-1:]:
        before = sort_key_names[: sort_key_names.index(last)]
        loose = [name for name in before if name not in conditions or conditions[name].operator != "="]
        if loose:
            raise ValidationException(
                f"RANGE key attributes {', '.join(loose)} must have equality conditions specified in the query "
                f"because a condition is present on key attribute {last}"
            )
    return tuple(conditions[name] for name in named)


def _conjuncts(node: Test) -> Iterator[Test]:
    if isinstance(node, Junction) and node.operator == "AND":
        for operand in node.operands:
            yield from _conjuncts(operand)
    else:
        yield node


def _bound(node: Test, placeholders: Placeholders) -> SortCondition:
    if isinstance(node, Comparison):
        return _comparison(node, placeholders)
    if isinstance(node, Between):
        return _between(node, placeholders)
    if isinstance(node, Call) and node.function == "begins_with":
        return _begins_with(node, placeholders)
    raise _invalid_operator(_operator_of(node))


def _operator_of(node: Test) -> str:
    if isinstance(node, Junction):
        return node.operator
    if isinstance(node, Not):
        return "NOT"
    return "IN" if isinstance(node, In) else getattr(node, "function", "")


def _comparison(node: Comparison, placeholders: Placeholders) -> SortCondition:
    if node.operator == "<>":
        raise _invalid_operator("<>")
    if isinstance(node.left, Value) and isinstance(node.right, Path):
        literal = _literal(node.left, node.operator, placeholders)
        return SortCondition(_name(node.right, placeholders), _MIRRORED[node.operator], (literal,))
    name = _name(node.left, placeholders)
    return SortCondition(name, node.operator, (_literal(node.right, node.operator, placeholders),))


def _between(node: Between, placeholders: Placeholders) -> SortCondition:
    name = _name(node.operand, placeholders)
    low, high = (_literal(bound, "BETWEEN", placeholders) for bound in (node.low, node.high))
    check_bounds(KIND, low, high)
    return SortCondition(name, "BETWEEN", (low, high))


def _begins_with(node: Call, placeholders: Placeholders) -> SortCondition:
    check_count(KIND, "begins_with", len(node.operands), 2)
    operand, prefix = node.operands
    return SortCondition(_name(operand, placeholders), "begins_with", (_literal(prefix, "begins_with", placeholders),))


def _name(node: Operand, placeholders: Placeholders) -> str:
    path = _simple(node, placeholders).path
    if path is None:
        raise ValidationException(_invalid(f"{KIND}s must be conditions on key attributes"))
    if len(path) > 1:
        raise ValidationException(_invalid(f"{KIND}s cannot have conditions on nested attributes"))
    return str(path[0])


def _literal(node: Operand, operator: str, placeholders: Placeholders) -> AttributeValue:
    operand = _simple(node, placeholders)
    if operand.literal is None:
        raise ValidationException(_invalid(f"{KIND}s must compare a key attribute with a value"))
    if operator != "=":
        check_types(KIND, operator, operand, BEGINNING if operator == "begins_with" else ORDERED)
    return operand.literal


def _simple(node: Operand, placeholders: Placeholders) -> BoundOperand:
    if isinstance(node, (Path, Value)):
        return bind_simple(KIND, node, placeholders)
    raise _invalid_operator(getattr(node, "function", ""))


def _invalid_operator(operator: str) -> ValidationException:
    return ValidationException(f"Invalid operator used in {KIND}: {operator}")


def _invalid(text: str) -> str:
    return f"Invalid {KIND}: {text}"
