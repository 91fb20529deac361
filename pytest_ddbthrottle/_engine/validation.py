"""The constraints that a request must meet before anything looks at what it means, as tables.

Three kinds of fault, in this order: a member of the wrong JSON type (SerializationException, the first one found);
violated constraints, gathered in the order of the tables (one ValidationException for all, ten at most); and a member
that DynamoDB has but this fake does not model. Members that DynamoDB does not know are ignored, as the service does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_ddbthrottle._engine.errors import SerializationException, ValidationException
from pytest_ddbthrottle._engine.request_shapes import (
    NOT_MODELLED,
    SHAPES,
    Choice,
    Flag,
    ListOf,
    MapOf,
    Number,
    Shape,
    Structure,
    Text,
    Value,
)

MAX_VIOLATIONS = 10
"""Source: Observed — public conformance suites, 2026."""

_JSON_NAMES: tuple[tuple[type, str], ...] = (
    (bool, "TRUE_VALUE"),
    (int, "NUMBER_VALUE"),
    (float, "DECIMAL_VALUE"),
    (str, "STRING_VALUE"),
)


@dataclass(slots=True)
class _Faults:
    """The violations found so far, as the service words them."""

    texts: list[str] = field(default_factory=list)

    def add(self, value: Any, path: str, constraint: str) -> None:
        """Add one."""
        shown = "null" if value is None else f"'{value}'"
        self.texts.append(f"Value {shown} at '{path}' failed to satisfy constraint: {constraint}")

    def add_without_value(self, path: str, constraint: str) -> None:
        """Add one whose value the service does not print."""
        self.texts.append(f"Value at '{path}' failed to satisfy constraint: {constraint}")


def check(operation_name: str, request: Mapping[str, Any]) -> None:
    """Check a request's shape.

    Args:
        operation_name: AWS's name.
        request: the parsed body.

    Raises:
        SerializationException: a member has the wrong JSON type.
        ValidationException: constraints are violated, or a member is not modelled.
    """
    shape = SHAPES.get(operation_name)
    if shape is None:
        return
    faults = _Faults()
    _check_structure(shape, request, "", faults)
    if faults.texts:
        texts = faults.texts[:MAX_VIOLATIONS]
        errors = "error" if len(texts) == 1 else "errors"
        raise ValidationException(f"{len(texts)} validation {errors} detected: {'; '.join(texts)}")
    for member in NOT_MODELLED.get(operation_name, ()):
        if _asks_for_something(request.get(member)):
            raise ValidationException(
                f"{operation_name}: the parameter {member} is not modelled by pytest-ddbthrottle yet; "
                "see docs/unsupported.md"
            )


def _asks_for_something(value: Any) -> bool:
    """Tell whether a member means anything: clients send empty lists, and features switched off."""
    switched_off = isinstance(value, Mapping) and set(value.values()) == {False}
    return value not in (None, [], {}) and not switched_off


def _check(shape: Shape, value: Any, path: str, faults: _Faults) -> None:
    _CHECKS[type(shape)](shape, value, path, faults)


def _check_structure(shape: Any, value: Any, path: str, faults: _Faults) -> None:
    if not isinstance(value, Mapping):
        raise SerializationException(_mismatch(value, "structure"))
    for name, member in shape.members.items():
        found = value.get(name)
        where = f"{path}.{_lowered(name)}" if path else _lowered(name)
        if found is not None:
            _check(member, found, where, faults)
        elif name in shape.required:
            faults.add(None, where, "Member must not be null")


def _lowered(name: str) -> str:
    return name[:1].lower() + name[1:]


def _check_text(shape: Any, value: Any, path: str, faults: _Faults) -> None:
    if not isinstance(value, str):
        raise SerializationException(_mismatch(value, "String"))
    if len(value) < shape.min_length:
        faults.add(value, path, f"Member must have length greater than or equal to {shape.min_length}")
    if shape.max_length is not None and len(value) > shape.max_length:
        faults.add(value, path, f"Member must have length less than or equal to {shape.max_length}")
    if shape.pattern is not None and not re.fullmatch(shape.pattern, value):
        faults.add(value, path, f"Member must satisfy regular expression pattern: {shape.pattern}")


def _check_choice(shape: Any, value: Any, path: str, faults: _Faults) -> None:
    if not isinstance(value, str):
        raise SerializationException(_mismatch(value, "String"))
    if value not in shape.values:
        faults.add(value, path, f"Member must satisfy enum value set: [{', '.join(shape.values)}]")


def _check_number(shape: Any, value: Any, path: str, faults: _Faults) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise SerializationException(_mismatch(value, shape.type_name))
    if shape.least is not None and value < shape.least:
        faults.add(value, path, f"Member must have value greater than or equal to {shape.least}")
    if shape.most is not None and value > shape.most:
        faults.add(value, path, f"Member must have value less than or equal to {shape.most}")


def _check_bool(shape: Any, value: Any, path: str, faults: _Faults) -> None:
    if not isinstance(value, bool):
        raise SerializationException(_mismatch(value, "Boolean"))


def _check_list(shape: Any, value: Any, path: str, faults: _Faults) -> None:
    if not isinstance(value, list):
        raise SerializationException(_mismatch(value, "list"))
    if len(value) < shape.min_length:
        faults.add_without_value(path, f"Member must have length greater than or equal to {shape.min_length}")
    if shape.max_length is not None and len(value) > shape.max_length:
        faults.add_without_value(path, f"Member must have length less than or equal to {shape.max_length}")
        return
    for number, element in enumerate(value, 1):
        if element is None:
            faults.add(None, f"{path}.{number}.member", "Member must not be null")
        else:
            _check(shape.element, element, f"{path}.{number}.member", faults)


def _check_map(shape: Any, value: Any, path: str, faults: _Faults) -> None:
    if not isinstance(value, Mapping):
        raise SerializationException(_mismatch(value, "structure"))
    if len(value) < shape.min_length:
        faults.add_without_value(path, f"Member must have length greater than or equal to {shape.min_length}")
    if shape.max_length is not None and len(value) > shape.max_length:
        faults.add_without_value(path, f"Member must have length less than or equal to {shape.max_length}")
    for key, element in value.items():
        if element is None:
            faults.add(None, f"{path}.{key}.member", "Member must not be null")
        else:
            _check(shape.element, element, f"{path}.{key}.member", faults)


def _check_anything(shape: Any, value: Any, path: str, faults: _Faults) -> None:
    """Leave an attribute value to ``attribute_value``, which knows its faults."""


_CHECKS: dict[type, Callable[[Any, Any, str, _Faults], None]] = {
    Structure: _check_structure,
    Text: _check_text,
    Choice: _check_choice,
    Number: _check_number,
    ListOf: _check_list,
    MapOf: _check_map,
    Flag: _check_bool,
    Value: _check_anything,
}


def _mismatch(value: Any, expected: str) -> str:
    if isinstance(value, Mapping):
        return "Start of structure or map found where not expected"
    if isinstance(value, list):
        return "Start of list found where not expected"
    if expected in ("list", "structure"):
        return "Unexpected field type"
    if value is False:
        return f"FALSE_VALUE cannot be converted to {expected}"
    name = next(name for kind, name in _JSON_NAMES if isinstance(value, kind))
    return f"{name} cannot be converted to {expected}"
