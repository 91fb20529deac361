"""The ten attribute value types in their wire form: validated, normalised, compared, measured.

A value is a dictionary with one type tag, ``{"S": "x"}`` say; a binary is base64 text; a number is text. ``normalized``
gives the only form that the rest of the engine meets: numbers in canonical digits, containers that are its own.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Mapping
from decimal import Context, Decimal
from typing import Any

from pytest_ddbthrottle._engine.errors import SerializationException, ValidationException
from pytest_ddbthrottle._engine.limits import MAX_NESTING_LEVELS
from pytest_ddbthrottle._engine.worded_faults import (
    EMPTY_SETS,
    INVALID,
    OVERFLOW,
    TOO_MANY_DIGITS,
    UNDERFLOW,
    WordedFault,
    not_a_number,
    repeated_member,
)

AttributeValue = dict[str, Any]
Item = dict[str, AttributeValue]

MAX_SIGNIFICANT_DIGITS = 38
MAX_EXPONENT = 125
MIN_EXPONENT = -130
"""Magnitudes from 1E-130 to 9.99…E+125. Source: Documented — Developer Guide, "Data types: number", read 2026-11-30."""

EMPTY_VALUE = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
SEVERAL_TYPES = (
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
)
NESTED_TOO_DEEP = (
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
)
EMPTY_NAME = "Empty attribute name"
NOT_NULL = f"{INVALID}Null attribute value types must have the value of true"
BAD_BASE64_LENGTH = "Base64 encoded length is expected a multiple of 4 bytes but found"
"""Source: Observed — four Regions, 2026-10, a public conformance suite. """

_is_canonical = re.compile(
    r"0|-?[1-9][0-9]{0,37}|-?(?:0|[1-9][0-9]{0,17})\.[0-9]{0,17}[1-9]"
).fullmatch  # not all canonical texts, but most that occur
_is_number = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE](?P<exponent>[+-]?[0-9]+))?").fullmatch
_MAX_READABLE_EXPONENT = 2**63 - 1
_EXACT = 300
"""Digits that hold any sum of two numbers in DynamoDB's range."""


def number(text: str) -> Decimal:
    """Give the exact value of a number's text.

    >>> number("1.5")
    Decimal('1.5')
    """
    return Decimal(text)


def number_text(value: Decimal) -> str:
    """Give the digits in which the service answers a number, or say why it can't be stored.

    >>> number_text(Decimal("1.50E2"))
    '150'

    Raises:
        ValidationException: more than 38 significant digits, or a magnitude out of range.
    """
    sign, digits, _ = value.as_tuple()
    text = "".join(map(str, digits)).strip("0")
    _check_range(value.adjusted(), len(text))
    return ("-" if sign else "") + _plain_digits(text, value.adjusted()) if text else "0"


def _check_range(magnitude: int, significant_digits: int) -> None:
    # Zero has no magnitude of its own: the service checks the one that it is written with.
    if magnitude > MAX_EXPONENT:
        raise ValidationException(OVERFLOW)
    if magnitude < MIN_EXPONENT:
        raise ValidationException(UNDERFLOW)
    if significant_digits > MAX_SIGNIFICANT_DIGITS:
        raise ValidationException(TOO_MANY_DIGITS)


def _plain_digits(digits: str, magnitude: int) -> str:
    if magnitude < 0:
        return "0." + "0" * (-magnitude - 1) + digits
    whole, fraction = digits[: magnitude + 1], digits[magnitude + 1 :]
    whole += "0" * (magnitude + 1 - len(whole))
    return f"{whole}.{fraction}" if fraction else whole


def add(left: Decimal, right: Decimal) -> Decimal:
    """Give an exact sum.

    >>> add(Decimal("1E125"), Decimal("1E-130")) == Decimal("1E125")
    False
    """
    return Context(prec=_EXACT).add(left, right)


def subtract(left: Decimal, right: Decimal) -> Decimal:
    """Give an exact difference."""
    return Context(prec=_EXACT).subtract(left, right)


def _normal_number(content: Any) -> str:
    text: str = content if type(content) is str else _expect(content, str, "String")
    if _is_canonical(text):
        return text
    found = _is_number(text)
    if found is None:
        raise not_a_number(text)
    exponent_digits = (found["exponent"] or "").lstrip("+-0")
    if len(exponent_digits) > 19 or int(exponent_digits or 0) > _MAX_READABLE_EXPONENT:
        raise not_a_number(text)
    if len(exponent_digits) > 9:
        raise WordedFault(UNDERFLOW if "-" in found["exponent"] else OVERFLOW)
    try:
        return number_text(Decimal(text))
    except ValidationException as error:
        raise WordedFault(error.message) from None


_JSON_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "TRUE_VALUE"),
    (int, "NUMBER_VALUE"),
    (float, "DECIMAL_VALUE"),
    (str, "STRING_VALUE"),
)


def _expect(content: Any, kind: type, name: str) -> Any:
    """Give the content, if it has the JSON type that its tag needs."""
    if type(content) is kind:
        return content
    if content is None:
        raise ValidationException(EMPTY_VALUE)
    if isinstance(content, dict):
        raise SerializationException("Start of structure or map found where not expected")
    if isinstance(content, list):
        raise SerializationException("Start of list found where not expected")
    if kind in (list, dict):
        raise SerializationException("Unexpected field type")
    if kind is bool and isinstance(content, str):
        raise SerializationException("Unexpected token received from parser")
    found = next(label for type_, label in _JSON_KINDS if isinstance(content, type_))
    if content is False:
        found = "FALSE_VALUE"
    raise SerializationException(f"{found} cannot be converted to {name}")


def _normal_string(content: Any) -> str:
    return content if type(content) is str else str(_expect(content, str, "String"))


def _normal_binary(content: Any) -> str:
    if not isinstance(content, str | dict | list | None):
        raise SerializationException("only base-64-encoded strings are convertible to bytes")
    text: str = _expect(content, str, "Binary")
    if len(text) % 4:
        raise SerializationException(f"{BAD_BASE64_LENGTH}: {len(text)}")
    try:
        return b64encode(b64decode(text, validate=True)).decode("ascii")
    except (Base64Error, ValueError):
        raise SerializationException(f"{text!r} is not base64: Blob expected") from None


def _normal_bool(content: Any) -> bool:
    return bool(_expect(content, bool, "Boolean"))


def _normal_null(content: Any) -> bool:
    if not _expect(content, bool, "Boolean"):
        raise ValidationException(NOT_NULL)
    return True


def _normal_set(tag: str, normal_member: Callable[[Any], str]) -> Callable[[Any], list[str]]:
    def normal(content: Any) -> list[str]:
        members = [normal_member(member) for member in _expect(content, list, "List")]
        if not members:
            raise ValidationException(EMPTY_SETS[tag])
        if len(set(members)) != len(members):
            raise repeated_member(tag, members, _ORDER[tag[0]])
        return members

    return normal


_SCALARS: dict[str, Callable[[Any], Any]] = {
    "S": _normal_string,
    "N": _normal_number,
    "B": _normal_binary,
    "BOOL": _normal_bool,
    "NULL": _normal_null,
    "SS": _normal_set("SS", _normal_string),
    "NS": _normal_set("NS", _normal_number),
    "BS": _normal_set("BS", _normal_binary),
}
TYPE_TAGS = frozenset({*_SCALARS, "L", "M"})


def normalized(value: Any, levels: int = MAX_NESTING_LEVELS) -> AttributeValue:
    """Check one wire value, and give its normal form: a value of its own, numbers in canonical digits.

    Args:
        value: what stands in a request.
        levels: how many levels there may still be; the value itself is one.

    Raises:
        ValidationException: no type, several types, or content that the type can't have.
        SerializationException: content of another JSON type.

    >>> normalized({"L": [{"N": "00042"}]})
    {'L': [{'N': '42'}]}
    """
    if levels == 0:
        raise ValidationException(NESTED_TOO_DEEP)
    if type(value) is dict and len(value) == 1:
        ((tag, content),) = value.items()
    else:
        tag, content = _only_type(value)
    scalar = _SCALARS.get(tag)
    if scalar is not None:
        return {tag: scalar(content)}
    if tag == "L":
        return {"L": [normalized(element, levels - 1) for element in _expect(content, list, "List")]}
    if tag == "M":
        return {"M": _normal_members(_expect(content, dict, "Map"), levels - 1)}
    raise ValidationException(EMPTY_VALUE)


def _only_type(value: Any) -> tuple[str, Any]:
    """Give the type tag of a value that is not as simple as most, and its content."""
    if not isinstance(value, Mapping):
        raise SerializationException("Unexpected value type in payload")
    tags = [tag for tag in value if tag in TYPE_TAGS and value[tag] is not None]
    if len(tags) != 1:
        raise ValidationException(SEVERAL_TYPES if tags else EMPTY_VALUE)
    return tags[0], value[tags[0]]


def _normal_members(members: Mapping[str, Any], levels: int) -> Item:
    if "" in members:
        raise ValidationException(EMPTY_NAME)
    return {name: normalized(value, levels) for name, value in members.items()}


def normalized_item(item: Any) -> Item:
    """Check an item, or a key, and give its normal form.

    Raises:
        ValidationException, SerializationException: as ``normalized``.
    """
    if not isinstance(item, Mapping):
        raise SerializationException("Unexpected value type in payload")
    return _normal_members(item, MAX_NESTING_LEVELS)


def check_nesting(value: AttributeValue, levels: int = MAX_NESTING_LEVELS) -> None:
    """Check the levels of a normalised value; an update can make one that no request could bring.

    Raises:
        ValidationException: it has more than 32.
    """
    if levels == 0:
        raise ValidationException(NESTED_TOO_DEEP)
    for part in value["M"].values() if "M" in value else value.get("L", ()):
        check_nesting(part, levels - 1)


def type_of(value: AttributeValue) -> str:
    """Give a value's type tag."""
    return next(iter(value))


def number_size_bytes(text: str) -> int:
    """Give the size of a number in canonical digits.

    One byte, one for each two significant digits of the whole part and of the fraction, each rounded up, and one for a
    sign. Zeros at both ends do not count; those that end the whole part do once a fraction follows.

    >>> [number_size_bytes(text) for text in ("0", "100", "-42", "3.14159", "100.5")]
    [1, 2, 3, 5, 4]

    Source: Observed — eu-west-2, 2026-07, 34 literals bisected to the byte by a public conformance suite.
    """
    if text == "0":
        return 1
    negative = text[0] == "-"
    whole, _, fraction = text[negative:].partition(".")
    whole = whole.lstrip("0")
    if fraction:
        fraction = fraction if whole else fraction.lstrip("0")
    else:
        whole = whole.rstrip("0")
    return 1 + (len(whole) + 1) // 2 + (len(fraction) + 1) // 2 + negative


def _text_bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _binary_bytes(text: str) -> int:
    return len(text) * 3 // 4 - text.count("=", -2)


def _list_bytes(elements: list[AttributeValue]) -> int:
    return 3 + sum(1 + value_size_bytes(element) for element in elements)


def _map_bytes(parts: Item) -> int:
    return 3 + sum(1 + _text_bytes(name) + value_size_bytes(part) for name, part in parts.items())


_SIZES: dict[str, Callable[[Any], int]] = {
    "S": _text_bytes,
    "N": number_size_bytes,
    "B": _binary_bytes,
    "BOOL": lambda content: 1,
    "NULL": lambda content: 1,
    "SS": lambda members: sum(map(_text_bytes, members)),
    "NS": lambda members: sum(map(number_size_bytes, members)),
    "BS": lambda members: sum(map(_binary_bytes, members)),
    "L": _list_bytes,
    "M": _map_bytes,
}


def value_size_bytes(value: AttributeValue) -> int:
    """Give the size of a normalised value.

    Source: Documented — Developer Guide, "DynamoDB item sizes and formats", read 2026-11-30; Observed — the byte for each
    element of a list or map, us-east-1, 2026, a public implementation's probe.
    """
    ((tag, content),) = value.items()
    return _SIZES[tag](content)


def item_size_bytes(item: Mapping[str, AttributeValue]) -> int:
    """Give the size of a normalised item: its names and its values.

    >>> item_size_bytes({"Shirt-Color": {"S": "R"}, "Shirt-Size": {"S": "M"}})
    23
    """
    return sum(_text_bytes(name) + value_size_bytes(value) for name, value in item.items())


def equal(left: AttributeValue, right: AttributeValue) -> bool:
    """Tell whether two normalised values are equal: same type, same content, sets in any order."""
    if left == right:
        return True
    tag = type_of(left)
    if tag != type_of(right):
        return False
    mine, other = left[tag], right[tag]
    if tag in ("SS", "NS", "BS"):
        return set(mine) == set(other)
    if tag == "L":
        return len(mine) == len(other) and all(map(equal, mine, other))
    if tag == "M":
        return mine.keys() == other.keys() and all(equal(mine[name], other[name]) for name in mine)
    return tag == "B" and b64decode(mine) == b64decode(other)


ORDERED_TYPES = frozenset({"S", "N", "B"})
_ORDER: dict[str, Callable[[str], Any]] = {"S": str, "N": Decimal, "B": b64decode}


def compare(left: AttributeValue, right: AttributeValue) -> int | None:
    """Give the order of two normalised values: negative, 0 or positive; None where they have none.

    Strings and binaries sort by their bytes, numbers by their value; other types, and different ones, have no order.

    >>> compare({"N": "9"}, {"N": "10"})
    -1
    """
    tag = type_of(left)
    if tag != type_of(right) or tag not in ORDERED_TYPES:
        return None
    mine, other = _ORDER[tag](left[tag]), _ORDER[tag](right[tag])
    return int(mine > other) - int(mine < other)
