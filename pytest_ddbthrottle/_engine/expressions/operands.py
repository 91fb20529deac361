"""Operands, bound: what stands on either side of an operator, or in a function's parentheses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pytest_ddbthrottle._engine.attribute_value import AttributeValue, Item, type_of
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.nodes import Path, Value
from pytest_ddbthrottle._engine.expressions.paths import BoundPath, bind_path, find
from pytest_ddbthrottle._engine.expressions.placeholders import Placeholders

Read = Callable[[Item], "AttributeValue | None"]


@dataclass(frozen=True, slots=True)
class BoundOperand:
    """One operand: how to read it from an item, and what is known of it without one.

    Attributes:
        read: gives its value, or None where it has none.
        literal: the request's value, if it is one.
        path: the document path, if it is one.
        result_type: the type that it always has, if that is known: a literal's, or a function's.
    """

    read: Read
    literal: AttributeValue | None = None
    path: BoundPath | None = None
    result_type: str | None = None


def bind_simple(kind: str, node: Path | Value, placeholders: Placeholders) -> BoundOperand:
    """Bind a path or a value."""
    if isinstance(node, Value):
        literal = placeholders.value(kind, node.placeholder)
        return BoundOperand(lambda item: literal, literal=literal, result_type=type_of(literal))
    path = bind_path(kind, node, placeholders)
    if len(path) == 1:
        name = str(path[0])
        return BoundOperand(lambda item: item.get(name), path=path)
    return BoundOperand(lambda item: find(item, path), path=path)


def check_types(kind: str, operator: str, operand: BoundOperand, allowed: frozenset[str]) -> None:
    """Check an operand whose type is known without an item.

    Raises:
        ValidationException: the operator or function can't take that type, whatever the item holds.

    Source: Observed — public reports and conformance suites, 2026.
    """
    if operand.result_type is not None and operand.result_type not in allowed:
        raise ValidationException(
            f"Invalid {kind}: Incorrect operand type for operator or function; operator or function: {operator}, "
            f"operand type: {operand.result_type}"
        )


def check_count(kind: str, function: str, found: int, *expected: int) -> None:
    """Check how many operands a function has.

    Raises:
        ValidationException: it has another number.
    """
    if found not in expected:
        raise ValidationException(
            f"Invalid {kind}: Incorrect number of operands for operator or function; operator or function: {function}, "
            f"number of operands: {found}"
        )
