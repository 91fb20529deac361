"""The operators of a policy's ``Condition``, as one table."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from operator import ge, gt, le, lt
from typing import Final, Literal

from pytest_ddbthrottle._engine.policy.patterns import as_written, covers, covers_arn, expand

Values = Mapping[str, tuple[str, ...]]
Test = Callable[[str, str, Values, bool], bool]
"""Whether one value of a policy meets one value of the request; the others are what variables need."""
Quantifier = Literal["", "ForAllValues", "ForAnyValue"]

_NUMBER = re.compile(r"[+-]?[0-9]{1,40}(\.[0-9]{1,40})?")
_EPOCH = re.compile(r"[0-9]{1,11}")
_START = datetime(1970, 1, 1, tzinfo=timezone.utc)


def _string(wanted: str, value: str, values: Values, variables: bool) -> bool:
    tokens = expand(wanted, values, variables=variables)
    return tokens is not None and as_written(tokens) == value


def _string_in_any_case(wanted: str, value: str, values: Values, variables: bool) -> bool:
    tokens = expand(wanted, values, variables=variables)
    return tokens is not None and as_written(tokens).casefold() == value.casefold()


def _like(wanted: str, value: str, values: Values, variables: bool) -> bool:
    tokens = expand(wanted, values, variables=variables)
    return tokens is not None and covers(tokens, value)


def _arn(wanted: str, value: str, values: Values, variables: bool) -> bool:
    tokens = expand(wanted, values, variables=variables)
    return tokens is not None and covers_arn(tokens, value)


def _bool(wanted: str, value: str, values: Values, variables: bool) -> bool:
    return _string_in_any_case(wanted, value, values, variables)


def _bytes(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _number(text: str) -> Decimal | None:
    return Decimal(text) if _NUMBER.fullmatch(text) else None


def _moment(text: str) -> timedelta | None:
    """Read a date as the time since 1970: seconds, or ISO 8601 (UTC where it names no offset)."""
    if _EPOCH.fullmatch(text):
        return timedelta(seconds=int(text))
    try:
        read = datetime.fromisoformat(re.sub("[Zz]$", "+00:00", text))
    except ValueError:
        return None
    return (read if read.tzinfo else read.replace(tzinfo=timezone.utc)) - _START


def _network(text: str) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(text, strict=False)
    except ValueError:
        return None


def _ip(wanted: str, value: str, values: Values, variables: bool) -> bool:
    network = _network(wanted)
    try:
        return network is not None and ip_address(value) in network
    except ValueError:
        return False


def _compared(read: Callable[[str], object | None], compare: Callable[..., bool]) -> Test:
    """Make a test of two texts that are read; what cannot be read meets nothing."""

    def test(wanted: str, value: str, values: Values, variables: bool) -> bool:
        left, right = read(value), read(wanted)
        return left is not None and right is not None and compare(left, right)

    return test


def _equal(left: object, right: object) -> bool:
    return left == right


def _anything(text: str) -> bool:
    return True


def _is_bool(text: str) -> bool:
    return text.lower() in ("true", "false") or "${" in text


def _is_flag(text: str) -> bool:
    return text.lower() in ("true", "false")


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator: how two values compare, whether it is negated, and what a policy may write as its value."""

    test: Test
    negated: bool = False
    takes: Callable[[str], bool] = _anything
    wants: str = "a string"


def _readable(read: Callable[[str], object | None]) -> Callable[[str], bool]:
    return lambda text: read(text) is not None


def _pair(name: str, negated: str, operator: Operator) -> dict[str, Operator]:
    """Give an operator and its negation."""
    return {name: operator, negated: Operator(operator.test, True, operator.takes, operator.wants)}


def _ordered(
    kind: str, read: Callable[[str], object | None], wants: str, words: tuple[str, ...]
) -> dict[str, Operator]:
    """Give the six comparisons of numbers or of dates."""
    takes = _readable(read)
    return _pair(f"{kind}Equals", f"{kind}NotEquals", Operator(_compared(read, _equal), False, takes, wants)) | {
        f"{kind}{word}": Operator(_compared(read, compare), False, takes, wants)
        for word, compare in zip(words, (lt, le, gt, ge), strict=True)
    }


NULL: Final = "Null"

OPERATORS: Final[Mapping[str, Operator]] = {
    **_pair("StringEquals", "StringNotEquals", Operator(_string)),
    **_pair("StringEqualsIgnoreCase", "StringNotEqualsIgnoreCase", Operator(_string_in_any_case)),
    **_pair("StringLike", "StringNotLike", Operator(_like)),
    **_ordered("Numeric", _number, "a number", ("LessThan", "LessThanEquals", "GreaterThan", "GreaterThanEquals")),
    **_ordered("Date", _moment, "an ISO 8601 date", ("LessThan", "LessThanEquals", "GreaterThan", "GreaterThanEquals")),
    "Bool": Operator(_bool, False, _is_bool, "true or false"),
    "BinaryEquals": Operator(_compared(_bytes, _equal), False, _readable(_bytes), "base64 text"),
    **_pair("IpAddress", "NotIpAddress", Operator(_ip, False, _readable(_network), "an IP address or a CIDR range")),
    **_pair("ArnEquals", "ArnNotEquals", Operator(_arn)),
    **_pair("ArnLike", "ArnNotLike", Operator(_arn)),
    NULL: Operator(_string, False, _is_flag, "true or false"),
}
"""The operators by their names.

Source: Documented, IAM User Guide, "IAM JSON policy elements: Condition operators", read 2026-12-04; ArnEquals and
ArnLike behave alike, and so do their negations. Assumed: ``BinaryNotEquals`` and other names that the page does not
list are refused.
"""

_BY_LOWER_NAME: Final = {name.lower(): operator for name, operator in OPERATORS.items()}
_QUANTIFIERS: Final[Mapping[str, Quantifier]] = {"forallvalues": "ForAllValues", "foranyvalue": "ForAnyValue"}


@dataclass(frozen=True, slots=True)
class Condition:
    """One key of a ``Condition``, its operator, and the values that the policy gives it."""

    operator: Operator
    key: str
    wanted: tuple[str, ...]
    quantifier: Quantifier = ""
    if_exists: bool = False
    is_null: bool = False


def read_operator(name: str) -> tuple[Operator, Quantifier, bool, bool] | None:
    """Return operator, quantifier, IfExists and whether it is ``Null``; None for a name that says no operator.

    >>> read_operator("ForAnyValue:StringLikeIfExists")[1:]
    ('ForAnyValue', True, False)
    >>> read_operator("StringIsh") is None
    True
    """
    prefix, colon, rest = name.lower().rpartition(":")
    quantifier = _QUANTIFIERS.get(prefix, "")
    bare = rest.removesuffix("ifexists")
    operator, is_null = _BY_LOWER_NAME.get(bare), bare == NULL.lower()
    if operator is None or (colon and not quantifier) or (is_null and (quantifier or bare != rest)):
        return None
    return operator, quantifier, bare != rest, is_null


def holds(condition: Condition, values: Values, *, variables: bool = True) -> bool:
    """Return whether a condition holds for the values of a request.

    Args:
        condition: One key of a ``Condition``.
        values: The request's condition keys in lower case, and their values.
        variables: Whether the policy's version knows variables.

    >>> operator, quantifier, if_exists, is_null = read_operator("StringNotEquals")
    >>> holds(Condition(operator, "dynamodb:select", ("COUNT",)), {})
    True

    Source: Documented, IAM User Guide, "Condition operators" and "Multivalued context keys", read 2026-12-04: an
    absent key meets no positive operator and every negated one; IfExists and ForAllValues hold for it, ForAnyValue
    does not. Assumed: several values under an operator without a prefix meet it when one of them does, and a negated
    one when none does.
    """
    present = values.get(condition.key, ())
    if condition.is_null:
        return any((wanted.lower() == "true") == (not present) for wanted in condition.wanted)
    if not present:
        return _holds_without(condition)
    met = (_meets(condition, value, values, variables) for value in present)
    if condition.quantifier == "ForAllValues" or (condition.operator.negated and not condition.quantifier):
        return all(met)
    return any(met)


def _holds_without(condition: Condition) -> bool:
    """Say what an absent key means."""
    if condition.if_exists or condition.quantifier:
        return condition.if_exists or condition.quantifier == "ForAllValues"
    return condition.operator.negated


def _meets(condition: Condition, value: str, values: Values, variables: bool) -> bool:
    """Say whether one value of the request meets the operator: one of the policy's values; none of them if negated."""
    test = condition.operator.test
    return condition.operator.negated != any(test(wanted, value, values, variables) for wanted in condition.wanted)
