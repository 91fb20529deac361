"""The placeholders of one request: what they stand for, and which of them its expressions have used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pytest_ddbthrottle._engine.attribute_value import AttributeValue, normalized
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.worded_faults import WordedFault

_NAME_KEY = re.compile(r"#[A-Za-z0-9_]+")
_VALUE_KEY = re.compile(r":[A-Za-z0-9_]+")


class Placeholders:
    """``ExpressionAttributeNames`` and ``ExpressionAttributeValues``, shared by all expressions of a request.

    Args:
        names: the request's names, or None where it gives none.
        values: the request's values, or None where it gives none.

    They are looked at when the first expression is, so that a request without expressions is told that it has none.

    Source: Observed — public conformance suites, 2026 (texts).
    """

    def __init__(self, names: Mapping[str, str] | None, values: Mapping[str, Any] | None) -> None:
        self._names = names
        self._values = values
        self._normal_values: dict[str, AttributeValue] | None = None
        self._used: set[str] = set()

    def check(self) -> None:
        """Check what the request gives, once: an expression does so before it is read.

        Raises:
            ValidationException: an empty map, a key of wrong form, or a value that is not valid.
        """
        if self._normal_values is None:
            _check_keys("ExpressionAttributeNames", self._names, _NAME_KEY)
            _check_keys("ExpressionAttributeValues", self._values, _VALUE_KEY)
            self._normal_values = _normal_values(self._values or {})

    def name(self, kind: str, step: str) -> str:
        """Give the attribute name that a step of a path means.

        Raises:
            ValidationException: a placeholder that is not defined.
        """
        if not step.startswith("#"):
            return step
        if step not in (self._names or {}):
            raise ValidationException(
                f"Invalid {kind}: An expression attribute name used in the document path is not defined; "
                f"attribute name: {step}"
            )
        self._used.add(step)
        return (self._names or {})[step]

    def value(self, kind: str, placeholder: str) -> AttributeValue:
        """Give the normalised value that a placeholder stands for.

        Raises:
            ValidationException: it is not defined.
        """
        value = (self._normal_values or {}).get(placeholder)
        if value is None:
            raise ValidationException(
                f"Invalid {kind}: An expression attribute value used in expression is not defined; "
                f"attribute value: {placeholder}"
            )
        self._used.add(placeholder)
        return value

    def check_all_used(self) -> None:
        """Check that the expressions have used every placeholder.

        Raises:
            ValidationException: naming those that were not.
        """
        for member, given in (("ExpressionAttributeNames", self._names), ("ExpressionAttributeValues", self._values)):
            unused = [key for key in given or () if key not in self._used]
            if unused:
                raise ValidationException(f"Value provided in {member} unused in expressions: keys: {_listed(unused)}")

    def check_without_expressions(self) -> None:
        """Check that a request without expressions gives no placeholders.

        Raises:
            ValidationException: it does.
        """
        for member, given in (("ExpressionAttributeNames", self._names), ("ExpressionAttributeValues", self._values)):
            if given is not None:
                raise WordedFault(f"{member} can only be specified when using expressions")


def _listed(keys: Iterable[str]) -> str:
    return "{" + ", ".join(keys) + "}"


def _normal_values(values: Mapping[str, Any]) -> dict[str, AttributeValue]:
    normal = {}
    for key, value in values.items():
        try:
            normal[key] = normalized(value)
        except WordedFault as error:
            raise WordedFault(_of_key(error, key), error.current) from None
        except ValidationException as error:
            raise ValidationException(_of_key(error, key)) from None
    return normal


def _of_key(error: ValidationException, key: str) -> str:
    return f"ExpressionAttributeValues contains invalid value: {error.message} for key {key}"


def _check_keys(member: str, given: Mapping[str, Any] | None, form: re.Pattern[str]) -> None:
    if given is None:
        return
    if not given:
        raise WordedFault(f"{member} must not be empty")
    for key in given:
        if not form.fullmatch(key):
            raise ValidationException(f'{member} contains invalid key: Syntax error; key: "{key}"')
