"""Plain Python values and DynamoDB's wire form, both ways; boto3 need not be installed for it.

The mapping is boto3's own: ``str`` S, ``int`` and ``Decimal`` N, ``bytes`` and boto3's ``Binary`` B, ``bool`` BOOL,
None NULL, sets SS, NS or BS, lists L, dictionaries M.

Source: Documented — boto3 documentation, "DynamoDB: valid types", read 2026-11-30.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, SupportsBytes

from pytest_ddbthrottle._engine.attribute_value import AttributeValue, Item

TYPE_TAGS = frozenset({"S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"})


def is_wire_item(item: Mapping[str, Any]) -> bool:
    """Tell whether each value of an item has the wire form: a dictionary with one type tag.

    >>> is_wire_item({"pk": {"S": "a"}}), is_wire_item({"pk": "a"})
    (True, False)
    """
    return all(isinstance(value, Mapping) and len(value) == 1 and set(value) <= TYPE_TAGS for value in item.values())


def wire_item(item: Mapping[str, Any]) -> Item:
    """Give an item's wire form, from plain values or from the wire form itself.

    Raises:
        TypeError: a value has no DynamoDB type; the message names it.
    """
    if is_wire_item(item):
        return {name: dict(value) for name, value in item.items()}
    return {name: wire_value(value) for name, value in item.items()}


def wire_value(value: Any) -> AttributeValue:
    """Give the wire form of a plain value.

    >>> wire_value([1, "a", {2, 3}])
    {'L': [{'N': '1'}, {'S': 'a'}, {'NS': ['2', '3']}]}

    Raises:
        TypeError: the value has no DynamoDB type (``float`` among them: use ``Decimal``).
    """
    if isinstance(value, (set, frozenset)):
        return _wire_set(value)
    for kind, tag, convert in _WIRE_TYPES:
        if isinstance(value, kind):
            return {tag: convert(value)}
    raise TypeError(f"{value!r} ({type(value).__name__}) has no DynamoDB type")


def _wire_set(members: set[Any] | frozenset[Any]) -> AttributeValue:
    tagged = [wire_value(member) for member in members]
    tags = {tag for member in tagged for tag in member}
    if len(tags) != 1 or not tags <= {"S", "N", "B"}:
        raise TypeError(f"{members!r}: a set needs members of one type, str, int, Decimal or bytes")
    (tag,) = tags
    return {f"{tag}S": sorted(member[tag] for member in tagged)}


_WIRE_TYPES: tuple[tuple[Any, str, Any], ...] = (
    (str, "S", str),
    (bool, "BOOL", bool),
    ((int, Decimal), "N", str),
    ((bytes, bytearray, SupportsBytes), "B", lambda value: b64encode(bytes(value)).decode("ascii")),
    (type(None), "NULL", lambda value: True),
    ((list, tuple), "L", lambda value: [wire_value(element) for element in value]),
    (Mapping, "M", lambda value: {name: wire_value(element) for name, element in value.items()}),
)


def plain_item(item: Mapping[str, AttributeValue]) -> dict[str, Any]:
    """Give an item's plain values; numbers as ``int`` where they are whole, else as ``Decimal``."""
    return {name: plain_value(value) for name, value in item.items()}


def plain_value(value: AttributeValue) -> Any:
    """Give the plain form of a wire value.

    >>> plain_value({"M": {"n": {"N": "1.50"}}})
    {'n': Decimal('1.50')}
    """
    ((tag, content),) = value.items()
    return _PLAIN_TYPES[tag](content)


def plain_number(number: Decimal) -> int | Decimal:
    """Give a number as ``int`` where it is whole.

    >>> plain_number(Decimal("2.0")), plain_number(Decimal("2.5"))
    (2, Decimal('2.5'))
    """
    return int(number) if number == number.to_integral_value() else number


def _plain_number(text: str) -> int | Decimal:
    return plain_number(Decimal(text))


_PLAIN_TYPES: dict[str, Any] = {
    "S": str,
    "N": _plain_number,
    "B": b64decode,
    "BOOL": bool,
    "NULL": lambda content: None,
    "SS": set,
    "NS": lambda content: {_plain_number(text) for text in content},
    "BS": lambda content: {b64decode(text) for text in content},
    "L": lambda content: [plain_value(element) for element in content],
    "M": plain_item,
}
