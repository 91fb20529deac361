"""KeyConditionExpression: the partition key by equality, the sort key by one condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pytest_ddbthrottle._engine.attribute_value import AttributeValue, type_of
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.condition import BEGINNING, ORDERED, check_bounds, condition
from pytest_ddbthrottle._engine.expressions.nodes import (
    Between,
    Call,
    Comparison,
    Junction,
    Not,
    Operand,
    Path,
    Test,
    Value,
)
from pytest_ddbthrottle._engine.expressions.operands import check_count
from pytest_ddbthrottle._engine.expressions.parser import parse_test
from pytest_ddbthrottle._engine.expressions.paths import bind_path
from pytest_ddbthrottle._engine.expressions.placeholders import Placeholders

KIND = "KeyConditionExpression"
NOT_SUPPORTED = "Query key condition not supported"
INVALID_CONDITION = f"Invalid condition in {KIND}: "
ONE_PER_KEY = f"Invalid {KIND}: {KIND}s must only contain one condition per key"
NESTED_ATTRIBUTE = f"Invalid {KIND}: {KIND}s cannot have conditions on nested attributes"
NESTED_OPERATION = f"Invalid {KIND}: {KIND}s cannot contain nested operations"
"""Source: Observed — eu-west-2, 2026-10, and us-east-1, until 2022, public suites recorded against the service."""

KEY_OPERATORS: dict[str, frozenset[str] | None] = {
    "=": None,
    **dict.fromkeys(("<", "<=", ">", ">=", "BETWEEN"), ORDERED),
    "begins_with": BEGINNING,
}
"""What a key condition may use, and for values of which types; of any, where the table's key says which."""

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
    try:
        return _by_name(_bound(node, placeholders) for node in list(_conjuncts(parse_test(KIND, text))))
    except ValidationException:
        # What would be wrong with it as any condition is said first.
        condition(text, placeholders, KIND)
        raise


def _by_name(parts: Iterable[SortCondition]) -> dict[str, SortCondition]:
    found: dict[str, SortCondition] = {}
    for part in parts:
        if found.setdefault(part.name, part) is not part:
            raise ValidationException(ONE_PER_KEY)
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
    operator, operands = _operation(node)
    if operator not in KEY_OPERATORS:
        raise ValidationException(f"Invalid operator used in {KIND}: {operator}")
    if operator not in _MIRRORED and not isinstance(operands[0], Path):
        raise ValidationException(
            f"{INVALID_CONDITION}{operator} operator must have the key attribute as its first operand"
        )
    name = _only_name(operands, placeholders)
    values = tuple(_literal(operand, operator, placeholders) for operand in operands if isinstance(operand, Value))
    if operator == "BETWEEN":
        check_bounds(KIND, *values)
    return SortCondition(name, _MIRRORED[operator] if isinstance(operands[0], Value) else operator, values)


def _operation(node: Test) -> tuple[str, tuple[Operand, ...]]:
    """Give a condition's operator or function, and its operands."""
    if isinstance(node, Comparison):
        return node.operator, (node.left, node.right)
    if isinstance(node, Between):
        return "BETWEEN", (node.operand, node.low, node.high)
    if isinstance(node, Call):
        if node.function in KEY_OPERATORS:
            check_count(KIND, node.function, len(node.operands), 2)
        return node.function, node.operands
    if isinstance(node, Junction):
        return node.operator, ()
    return "NOT" if isinstance(node, Not) else "IN", ()


def _only_name(operands: Sequence[Operand], placeholders: Placeholders) -> str:
    """Give the attribute of a condition, which must have one and otherwise values."""
    names: list[str] = []
    for operand in operands:
        if isinstance(operand, Call):
            raise ValidationException(NESTED_OPERATION)
        if isinstance(operand, Path):
            path = bind_path(KIND, operand, placeholders)
            if names:
                raise ValidationException(f"{INVALID_CONDITION}Multiple attribute names used in one condition")
            if len(path) > 1:
                raise ValidationException(NESTED_ATTRIBUTE)
            names.append(str(path[0]))
    if not names:
        raise ValidationException(f"{INVALID_CONDITION}No key attribute specified")
    return names[0]


def _literal(operand: Value, operator: str, placeholders: Placeholders) -> AttributeValue:
    value = placeholders.value(KIND, operand.placeholder)
    allowed = KEY_OPERATORS[operator]
    if allowed is not None and type_of(value) not in allowed:
        raise ValidationException(NOT_SUPPORTED)
    return value
