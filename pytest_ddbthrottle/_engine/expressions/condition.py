"""ConditionExpression and FilterExpression: a bound condition is asked of any number of items."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass

from pytest_ddbthrottle._engine.attribute_value import (
    TYPE_TAGS,
    AttributeValue,
    Item,
    compare,
    equal,
    type_of,
)
from pytest_ddbthrottle._engine.errors import ValidationException
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
from pytest_ddbthrottle._engine.expressions.paths import shown
from pytest_ddbthrottle._engine.expressions.placeholders import Placeholders

Matches = Callable[[Item], bool]

ORDERED = frozenset({"S", "N", "B"})
SIZED = frozenset({"S", "B", "SS", "NS", "BS", "L", "M"})
BEGINNING = frozenset({"S", "B"})
CONTAINERS = frozenset({"S", "B", "SS", "NS", "BS", "L"})
TYPE_NAMES_TEXT = "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}"
ANY_TYPE_TEXT = "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"
"""Source: Observed — us-east-1, until 2022, a public suite recorded against the service; the order varies there."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A bound condition."""

    _matches: Matches
    attribute_names: frozenset[str]

    def matches(self, item: Item) -> bool:
        """Tell whether an item meets it; ``{}`` stands for no item."""
        return self._matches(item)


def condition(text: str, placeholders: Placeholders, kind: str = "ConditionExpression") -> Condition:
    """Bind a condition to a request's placeholders.

    Args:
        text: the expression.
        placeholders: those of the request.
        kind: ``ConditionExpression`` or ``FilterExpression``.

    Raises:
        ValidationException: the service's text for the first fault.

    >>> small = condition("size(a) < :n AND NOT attribute_exists(b)", Placeholders(None, {":n": {"N": "3"}}))
    >>> small.matches({"a": {"S": "xy"}}), small.matches({"a": {"S": "xyz"}})
    (True, False)
    """
    placeholders.check()
    return bound_condition(kind, parse_test(kind, text), placeholders)


def bound_condition(kind: str, test: Test, placeholders: Placeholders) -> Condition:
    """Bind a condition that is parsed already.

    Raises:
        ValidationException: as ``condition``.
    """
    binder = _Binder(kind, placeholders)
    matches = binder.test(test)
    return Condition(matches, frozenset(binder.names))


class _Binder:
    """Turns the nodes of one condition into functions of an item, and says what is wrong with the request."""

    def __init__(self, kind: str, placeholders: Placeholders) -> None:
        self.kind = kind
        self.placeholders = placeholders
        self.names: set[str] = set()

    def test(self, node: Test) -> Matches:
        """Bind a condition."""
        return _TESTS[type(node)](self, node)

    def operand(self, node: Operand) -> BoundOperand:
        """Bind an operand: a path, a value, or ``size``."""
        if isinstance(node, Call):
            return self._size(node)
        assert isinstance(node, (Path, Value)), f"{node} is no operand of a condition"
        bound = bind_simple(self.kind, node, self.placeholders)
        if bound.path is not None:
            self.names.add(str(bound.path[0]))
        return bound

    def _size(self, node: Call) -> BoundOperand:
        operands = [self.operand(operand) for operand in node.operands]
        check_count(self.kind, "size", len(operands), 1)
        check_types(self.kind, "size", operands[0], SIZED)
        read = operands[0].read
        return BoundOperand(lambda item: _size_of(read(item)), result_type="N")

    def comparison(self, node: Comparison) -> Matches:
        """Bind ``left = right`` and its like."""
        left, right = self.operand(node.left), self.operand(node.right)
        self._check_distinct(node.operator, left, right)
        if node.operator == "=":
            return lambda item: _are_equal(left.read(item), right.read(item))
        if node.operator == "<>":
            return lambda item: not _are_equal(left.read(item), right.read(item))
        for operand in (left, right):
            check_types(self.kind, node.operator, operand, ORDERED)
        holds = _ORDER_TESTS[node.operator]
        return lambda item: _ordered(left.read(item), right.read(item), holds)

    def _check_distinct(self, operator: str, first: BoundOperand, *others: BoundOperand) -> None:
        if first.path is not None and any(first.path == other.path for other in others):
            raise ValidationException(
                f"Invalid {self.kind}: The first operand must be distinct from the remaining operands for this "
                f"operator or function; operator: {operator}, first operand: {shown(first.path)}"
            )

    def between(self, node: Between) -> Matches:
        """Bind ``operand BETWEEN low AND high``."""
        operand, low, high = self.operand(node.operand), self.operand(node.low), self.operand(node.high)
        self._check_distinct("BETWEEN", operand, low, high)
        for part in (operand, low, high):
            check_types(self.kind, "BETWEEN", part, ORDERED)
        check_bounds(self.kind, low.literal, high.literal)

        def matches(item: Item) -> bool:
            value = operand.read(item)
            return _ordered(value, low.read(item), _ORDER_TESTS[">="]) and _ordered(
                value, high.read(item), _ORDER_TESTS["<="]
            )

        return matches

    def membership(self, node: In) -> Matches:
        """Bind ``operand IN (options)``."""
        operand, options = self.operand(node.operand), [self.operand(option) for option in node.options]
        self._check_distinct("IN", operand, *options)

        def matches(item: Item) -> bool:
            value = operand.read(item)
            return any(_are_equal(value, option.read(item)) for option in options)

        return matches

    def negation(self, node: Not) -> Matches:
        """Bind ``NOT operand``."""
        operand = self.test(node.operand)
        return lambda item: not operand(item)

    def junction(self, node: Junction) -> Matches:
        """Bind a chain of ANDs or of ORs."""
        operands = [self.test(operand) for operand in node.operands]
        if node.operator == "AND":
            return lambda item: all(operand(item) for operand in operands)
        return lambda item: any(operand(item) for operand in operands)

    def function(self, node: Call) -> Matches:
        """Bind a function that is a condition by itself."""
        count, bind = _FUNCTIONS[node.function]
        operands = [self.operand(operand) for operand in node.operands]
        check_count(self.kind, node.function, len(operands), count)
        self._check_distinct(node.function, *operands)
        return bind(self.kind, operands)


def check_bounds(kind: str, low: AttributeValue | None, high: AttributeValue | None) -> None:
    """Check two literal bounds of BETWEEN.

    Raises:
        ValidationException: they are of two types, or the upper one is lower.

    Source: Observed — public conformance suites, 2026.
    """
    if low is None or high is None:
        return
    order = compare(low, high)
    if order is None:
        fault = "same data type for lower and upper bounds"
    elif order > 0:
        fault = "upper bound to be greater than or equal to lower bound"
    else:
        return
    raise ValidationException(
        f"Invalid {kind}: The BETWEEN operator requires {fault}; lower bound operand: {_shown_value(low)}, "
        f"upper bound operand: {_shown_value(high)}"
    )


def _shown_value(value: AttributeValue) -> str:
    ((tag, content),) = value.items()
    return f"AttributeValue: {{{tag}:{content}}}"


def _are_equal(left: AttributeValue | None, right: AttributeValue | None) -> bool:
    return left is not None and right is not None and equal(left, right)


_ORDER_TESTS: dict[str, Callable[[int], bool]] = {
    "<": lambda order: order < 0,
    "<=": lambda order: order <= 0,
    ">": lambda order: order > 0,
    ">=": lambda order: order >= 0,
}


def _ordered(left: AttributeValue | None, right: AttributeValue | None, holds: Callable[[int], bool]) -> bool:
    if left is None or right is None:
        return False
    order = compare(left, right)
    return order is not None and holds(order)


def _size_of(value: AttributeValue | None) -> AttributeValue | None:
    """Give ``size``: characters, bytes, members; None for what has no size, which makes its condition false."""
    if value is None or type_of(value) not in SIZED:
        return None
    ((tag, content),) = value.items()
    return {"N": str(len(b64decode(content) if tag == "B" else content))}


BindFunction = Callable[[str, "list[BoundOperand]"], Matches]


def _document_path(kind: str, function: str, operand: BoundOperand) -> None:
    if operand.path is None:
        raise ValidationException(
            f"Invalid {kind}: Operator or function requires a document path; operator or function: {function}"
        )


def _attribute_exists(kind: str, operands: list[BoundOperand]) -> Matches:
    (operand,) = operands
    _document_path(kind, "attribute_exists", operand)
    return lambda item: operand.read(item) is not None


def _attribute_not_exists(kind: str, operands: list[BoundOperand]) -> Matches:
    (operand,) = operands
    _document_path(kind, "attribute_not_exists", operand)
    return lambda item: operand.read(item) is None


def _attribute_type(kind: str, operands: list[BoundOperand]) -> Matches:
    operand, wanted = operands
    _document_path(kind, "attribute_type", operand)
    check_types(kind, "attribute_type", wanted, frozenset({"S"}))
    if wanted.literal is None:
        raise ValidationException(
            f"Invalid {kind}: Incorrect operand type for operator or function; operator or function: attribute_type, "
            f"operand type: {ANY_TYPE_TEXT}"
        )
    tag = wanted.literal["S"]
    if tag not in TYPE_TAGS:
        raise ValidationException(
            f"Invalid {kind}: Invalid attribute type name found; type: {tag}, valid types: {TYPE_NAMES_TEXT}"
        )
    return lambda item: tag in (operand.read(item) or {})


def _begins_with(kind: str, operands: list[BoundOperand]) -> Matches:
    operand, prefix = operands
    for part in operands:
        check_types(kind, "begins_with", part, BEGINNING)
    return lambda item: _starts(operand.read(item), prefix.read(item))


def _starts(value: AttributeValue | None, prefix: AttributeValue | None) -> bool:
    if value is None or prefix is None:
        return False
    for tag in BEGINNING:
        if tag in value and tag in prefix:
            if tag == "B":
                return b64decode(value[tag]).startswith(b64decode(prefix[tag]))
            return bool(value[tag].startswith(prefix[tag]))
    return False


def _contains(kind: str, operands: list[BoundOperand]) -> Matches:
    operand, wanted = operands
    check_types(kind, "contains", operand, CONTAINERS)
    return lambda item: _holds(operand.read(item), wanted.read(item))


def _holds(value: AttributeValue | None, wanted: AttributeValue | None) -> bool:
    if value is None or wanted is None:
        return False
    ((tag, content),) = value.items()
    if tag == "L":
        return any(equal(element, wanted) for element in content)
    if tag == "B" and "B" in wanted:
        return b64decode(wanted["B"]) in b64decode(content)
    member_type = {"S": "S", "SS": "S", "NS": "N", "BS": "B"}.get(tag)
    return member_type is not None and member_type in wanted and wanted[member_type] in content


_FUNCTIONS: dict[str, tuple[int, BindFunction]] = {
    "attribute_exists": (1, _attribute_exists),
    "attribute_not_exists": (1, _attribute_not_exists),
    "attribute_type": (2, _attribute_type),
    "begins_with": (2, _begins_with),
    "contains": (2, _contains),
}

_TESTS: dict[type, Callable[[_Binder, object], Matches]] = {
    Comparison: _Binder.comparison,  # type: ignore[dict-item]  # each takes its own node, by which it is found
    Between: _Binder.between,  # type: ignore[dict-item]
    In: _Binder.membership,  # type: ignore[dict-item]
    Not: _Binder.negation,  # type: ignore[dict-item]
    Junction: _Binder.junction,  # type: ignore[dict-item]
    Call: _Binder.function,  # type: ignore[dict-item]
}
