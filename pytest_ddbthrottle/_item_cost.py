"""What an item costs, as functions for a test's own arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_ddbthrottle._engine import attribute_value, capacity
from pytest_ddbthrottle._engine.errors import ServiceError
from pytest_ddbthrottle._plain_values import wire_item


def item_size_bytes(item: Mapping[str, Any]) -> int:
    """Give an item's size as DynamoDB counts it: names and values, no overhead for the item.

    Args:
        item: wire form, or plain Python values.

    Returns:
        Bytes.

    Raises:
        ValueError: an item that is none; the message is the service's.
        TypeError: a plain value that has no DynamoDB type.

    >>> item_size_bytes({"Shirt-Color": "R", "Shirt-Size": "M"})
    23

    Source: Documented — Developer Guide, "DynamoDB item sizes and formats", read 2026-11-30.
    """
    try:
        return attribute_value.item_size_bytes(attribute_value.normalized_item(wire_item(item)))
    except ServiceError as error:
        text = error.message
    raise ValueError(text)


def read_units(size_bytes: int, *, consistent: bool = False, transactional: bool = False) -> float:
    """Give the read units that one item of so many bytes costs.

    Args:
        size_bytes: the item's size; 0 for one that is not there.
        consistent: strongly consistent; else eventually, at half the price.
        transactional: read in TransactGetItems, at twice the price.

    Returns:
        Read units, a multiple of 0.5.

    Raises:
        ValueError: a negative size.

    >>> read_units(20_005), read_units(20_005, consistent=True)
    (2.5, 5.0)

    Source: Documented — Developer Guide, "DynamoDB read and write operations", read 2026-11-30.
    """
    _check_size(size_bytes)
    consistency = capacity.ReadConsistency.STRONG if consistent else capacity.ReadConsistency.EVENTUAL
    if transactional:
        consistency = capacity.ReadConsistency.TRANSACTIONAL
    return capacity.read_nano_units(size_bytes, consistency) / capacity.NANO_UNITS_PER_UNIT


def write_units(size_bytes: int, *, transactional: bool = False) -> float:
    """Give the write units that one item of so many bytes costs its table, indexes not counted.

    Args:
        size_bytes: the larger of the item before and after; 0 for one that is not there.
        transactional: written in TransactWriteItems, at twice the price.

    Returns:
        Write units, a whole number.

    Raises:
        ValueError: a negative size.

    >>> write_units(1025), write_units(500, transactional=True)
    (2.0, 2.0)

    Source: Documented — Developer Guide, "DynamoDB read and write operations", read 2026-11-30.
    """
    _check_size(size_bytes)
    return capacity.write_nano_units(size_bytes) * (1 + transactional) / capacity.NANO_UNITS_PER_UNIT


def _check_size(size_bytes: int) -> None:
    if size_bytes < 0:
        raise ValueError(f"size_bytes={size_bytes}: at least 0 is needed")
