"""The constraints that a request must meet before anything looks at what it means, as tables.

Three kinds of fault, in this order: a member of the wrong JSON type (SerializationException, the first one found);
violated constraints, gathered in the order of the tables (one ValidationException for all, ten at most); and a member
that DynamoDB has but this fake does not model. Members that DynamoDB does not know are ignored, as the service does,
and a null is an absent member.

The service words a constraint in two ways, and is moving from one to the other Region by Region: with the value and the
members in lower camel case, or with neither. Texts here are of the first kind, but for collections that are too long,
and maps, whose values the first kind prints as Java objects, and for all of SearchVectors, which knows the second alone.

Source: Observed — public conformance suites, eu-west-2 and us-east-1, 2026-10-09, and a public lab's notes of the same
day, us-west-2 (texts); Assumed — the texts about lists in the place of something else, which the service leaves out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_ddbthrottle._engine.errors import SerializationException, ValidationException
from pytest_ddbthrottle._engine.member_shapes import (
    Choice,
    Flag,
    ListOf,
    MapOf,
    Moment,
    NameOrArn,
    NotModelled,
    Number,
    Shape,
    Structure,
    Text,
    Value,
)
from pytest_ddbthrottle._engine.request_shapes import SHAPES

MAX_VIOLATIONS = 10
"""Source: Observed — public conformance suites, 2026."""

INTEGER_BITS = {"Integer": 32, "Long": 64}
"""Source: Documented — botocore service model 2012-08-10, types integer and long, read 2026-11-30."""

_TABLE_ARN = re.compile(r"arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:[0-9]{12}:table/[a-zA-Z0-9_.-]{3,255}")
_JSON_NAMES: tuple[tuple[type, str], ...] = (
    (bool, "TRUE_VALUE"),
    (int, "NUMBER_VALUE"),
    (float, "DECIMAL_VALUE"),
    (str, "STRING_VALUE"),
)

Step = str | int | tuple[str]
"""On the way to a value: a member's name, an element's number, or a map's key in a tuple of its own."""
Path = tuple[Step, ...]


@dataclass(slots=True)
class _Findings:
    """What was found so far: violations as the service words them, members that are not modelled, and nulls."""

    texts: list[str] = field(default_factory=list)
    not_modelled: list[str] = field(default_factory=list)
    has_nulls: bool = False
    shows_values: bool = True

    def add(self, value: Any, path: Path, constraint: str) -> None:
        """Add a violation, with the value where the operation shows values."""
        if not self.shows_values:
            self.add_unshown(path, constraint)
            return
        shown = "null" if value is None else f"'{value}'"
        place = ".".join(_step_text(step, lowered=True) for step in path)
        self.texts.append(f"Value {shown} at '{place}' failed to satisfy constraint: {constraint}")

    def add_unshown(self, path: Path, constraint: str) -> None:
        """Add a violation, without the value."""
        place = ".".join(_step_text(step, lowered=False) for step in path)
        self.texts.append(f"Value at '{place}' failed to satisfy constraint: {constraint}")


def _step_text(step: Step, *, lowered: bool) -> str:
    if isinstance(step, str):
        return step[:1].lower() + step[1:] if lowered else step
    return f"{step}.member" if isinstance(step, int) else f"{step[0]}.member"


def check(operation_name: str, request: Mapping[str, Any]) -> Mapping[str, Any]:
    """Check a request's shape.

    Args:
        operation_name: AWS's name.
        request: the parsed body.

    Returns:
        The request without its nulls, and without members that the operation does not know.

    Raises:
        SerializationException: a member has the wrong JSON type.
        ValidationException: constraints are violated, or a member is not modelled.
    """
    shape = SHAPES.get(operation_name)
    if shape is None:
        return request
    findings = _Findings(shows_values=shape.shows_values)
    _check_structure(shape, request, (), findings)
    if findings.texts:
        raise ValidationException(_envelope(findings.texts[:MAX_VIOLATIONS]))
    for member in findings.not_modelled:
        raise ValidationException(
            f"{operation_name}: the parameter {member} is not modelled by pytest-ddbthrottle yet; "
            "see docs/unsupported.md"
        )
    checked: Mapping[str, Any] = _without_nulls(shape, request) if findings.has_nulls else request
    if not checked.keys() <= shape.members.keys():
        # What another operation acts on, and this one does not know, would be acted on without having been checked.
        checked = {name: value for name, value in checked.items() if name in shape.members}
    return checked


def _envelope(texts: Sequence[str]) -> str:
    errors = "error" if len(texts) == 1 else "errors"
    return f"{len(texts)} validation {errors} detected: {'; '.join(texts)}"


def _without_nulls(shape: Shape, value: Any) -> Any:
    """Give a well-formed value whose structures have no null members."""
    if isinstance(shape, Structure):
        return {
            name: _without_nulls(shape.members[name], member) if name in shape.members else member
            for name, member in value.items()
            if member is not None
        }
    if isinstance(shape, ListOf):
        return [_without_nulls(shape.element, element) for element in value]
    if isinstance(shape, MapOf):
        return {key: _without_nulls(shape.element, element) for key, element in value.items()}
    return value


def _check(shape: Shape, value: Any, path: Path, findings: _Findings) -> None:
    _CHECKS[type(shape)](shape, value, path, findings)


def _check_structure(shape: Any, value: Any, path: Path, findings: _Findings) -> None:
    if not isinstance(value, dict):
        raise SerializationException(_mismatch(value, "structure"))
    for name, member in shape.members.items():
        found = value.get(name)
        if found is not None:
            _CHECKS[type(member)](member, found, (*path, name), findings)
            continue
        findings.has_nulls = findings.has_nulls or name in value
        if name in shape.required:
            findings.add(None, (*path, name), "Member must not be null")


def _check_text(shape: Any, value: Any, path: Path, findings: _Findings) -> None:
    if not isinstance(value, str):
        raise SerializationException(_mismatch(value, "String"))
    if shape.pattern is None and shape.min_length <= len(value) and len(value) <= (shape.max_length or len(value)):
        return
    for constraint in _text_faults(shape, value):
        findings.add(value, path, constraint)


def _text_faults(shape: Text, value: str) -> list[str]:
    faults = []
    if len(value) < shape.min_length:
        faults.append(f"Member must have length greater than or equal to {shape.min_length}")
    if shape.max_length is not None and len(value) > shape.max_length:
        faults.append(f"Member must have length less than or equal to {shape.max_length}")
    if shape.pattern is not None and not re.fullmatch(shape.pattern, value):
        faults.append(f"Member must satisfy regular expression pattern: {shape.pattern}")
    if shape.kind_first:
        faults.reverse()
    return faults[:1] if shape.one_fault else faults


def _check_name_or_arn(shape: Any, value: Any, path: Path, findings: _Findings) -> None:
    if not (isinstance(value, str) and _TABLE_ARN.fullmatch(value)):
        _check_text(shape.name, value, path, findings)


def _check_choice(shape: Any, value: Any, path: Path, findings: _Findings) -> None:
    if not isinstance(value, str):
        raise SerializationException(_mismatch(value, "String"))
    if value not in shape.values:
        findings.add(value, path, f"Member must satisfy enum value set: [{', '.join(shape.values)}]")


def _check_number(shape: Any, value: Any, path: Path, findings: _Findings) -> None:
    limit = 2 ** (INTEGER_BITS[shape.type_name] - 1)
    if not isinstance(value, int) or isinstance(value, bool) or not -limit <= value < limit:
        raise SerializationException(_mismatch(value, shape.type_name))
    if shape.least is not None and value < shape.least:
        findings.add(value, path, f"Member must have value greater than or equal to {shape.least}")
    if shape.most is not None and value > shape.most:
        findings.add(value, path, f"Member must have value less than or equal to {shape.most}")


def _check_moment(shape: Any, value: Any, path: Path, findings: _Findings) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise SerializationException(_mismatch(value, "Timestamp"))


def _check_flag(shape: Any, value: Any, path: Path, findings: _Findings) -> None:
    if not isinstance(value, bool):
        raise SerializationException(_mismatch(value, "Boolean"))


def _check_list(shape: Any, value: Any, path: Path, findings: _Findings) -> None:
    if not isinstance(value, list):
        raise SerializationException(_mismatch(value, "list"))
    if len(value) < shape.min_length:
        findings.add(value, path, f"Member must have length greater than or equal to {shape.min_length}")
    if shape.max_length is not None and len(value) > shape.max_length:
        findings.add_unshown(path, f"Member must have length less than or equal to {shape.max_length}")
        return
    for number, element in enumerate(value, 1):
        if element is None:
            findings.add(None, (*path, number), "Member must not be null")
        else:
            _check(shape.element, element, (*path, number), findings)


def _check_map(shape: Any, value: Any, path: Path, findings: _Findings) -> None:
    if not isinstance(value, dict):
        raise SerializationException(_mismatch(value, "structure"))
    if len(value) < shape.min_length:
        findings.add_unshown(path, f"Member must have length greater than or equal to {shape.min_length}")
    if shape.max_length is not None and len(value) > shape.max_length:
        findings.add_unshown(path, f"Member must have length less than or equal to {shape.max_length}")
    _check_keys(shape.key, value, path, findings)
    if type(shape.element) is Value and None not in value.values():
        return
    for key, element in value.items():
        if element is None:
            findings.add(None, (*path, (key,)), "Member must not be null")
        else:
            _check(shape.element, element, (*path, (key,)), findings)


def _check_keys(shape: Text | NameOrArn, keys: Mapping[str, Any], path: Path, findings: _Findings) -> None:
    text = shape.name if isinstance(shape, NameOrArn) else shape
    longest = text.max_length or 0
    if text.pattern is None and max(map(len, keys), default=0) <= longest:
        return
    if not any(_text_faults(text, key) for key in keys if text is shape or not _TABLE_ARN.fullmatch(key)):
        return
    constraints = [
        f"Member must have length less than or equal to {longest}",
        f"Member must have length greater than or equal to {text.min_length}",
    ]
    if text.pattern is not None:
        constraints.append(f"Member must satisfy regular expression pattern: {text.pattern}")
    findings.add_unshown(path, f"Map keys must satisfy constraint: [{', '.join(constraints)}]")


def _check_value(shape: Any, value: Any, path: Path, findings: _Findings) -> None:
    """Leave an attribute value to ``attribute_value``, which knows its faults."""


def _check_not_modelled(shape: Any, value: Any, path: Path, findings: _Findings) -> None:
    """Note a member that asks for something; 0 is no False here."""
    if repr(value) not in map(repr, shape.switched_off):
        findings.not_modelled.append(str(path[-1]))


_CHECKS: dict[type, Callable[[Any, Any, Path, _Findings], None]] = {
    Structure: _check_structure,
    Text: _check_text,
    NameOrArn: _check_name_or_arn,
    Choice: _check_choice,
    Number: _check_number,
    Moment: _check_moment,
    ListOf: _check_list,
    MapOf: _check_map,
    Flag: _check_flag,
    Value: _check_value,
    NotModelled: _check_not_modelled,
}


def _mismatch(value: Any, expected: str) -> str:
    if isinstance(value, Mapping):
        return "Start of structure or map found where not expected"
    if isinstance(value, list):
        return "Start of list found where not expected"
    if expected in ("list", "structure"):
        return "Unexpected field type"
    if expected == "Boolean" and isinstance(value, str):
        return "Unexpected token received from parser"
    if value is False:
        return f"FALSE_VALUE cannot be converted to {expected}"
    name = next(name for kind, name in _JSON_NAMES if isinstance(value, kind))
    return f"{name} cannot be converted to {expected}"
