"""Key schemas: which attributes make a key, how keys sort, and the bounds that a key condition sets.

A *key* in the engine is a flat tuple: the hash of the partition key value, its parts, the sort key's parts. Tuples sort
as Scan walks a table (by hash, then by sort key), and a prefix of a key bounds an item collection. An entry of an index
ends in the key of its item, so that entries with equal index keys stay apart.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from hashlib import blake2b
from typing import Any

from pytest_ddbthrottle._engine.attribute_value import AttributeValue, Item, number, type_of, value_size_bytes
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.limits import MAX_PARTITION_KEY_BYTES, MAX_SORT_KEY_BYTES

Key = tuple[Any, ...]
KeyPart = Any
"""``str``, ``Decimal`` or ``bytes``: they sort as S (UTF-8), N and B do."""

INVALID_PARAMETER = "One or more parameter values were invalid: "
KEY_MISMATCH = "The provided key element does not match the schema"


class _Top:
    """Sorts after every key part."""

    def __lt__(self, other: object) -> bool:
        return False

    def __gt__(self, other: object) -> bool:
        return True


TOP: KeyPart = _Top()


@dataclass(frozen=True, slots=True)
class KeyAttribute:
    """One attribute of a key: its name and its type, S, N or B."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class KeySchema:
    """The partition key and sort key attributes of a table or index.

    Tables have one partition key attribute and at most one sort key attribute; a global secondary index up to four of
    each.
    """

    partition: tuple[KeyAttribute, ...]
    sort: tuple[KeyAttribute, ...] = ()

    def __iter__(self) -> Iterator[KeyAttribute]:
        return iter((*self.partition, *self.sort))

    @property
    def names(self) -> frozenset[str]:
        """The names of all key attributes."""
        return frozenset(attribute.name for attribute in self)

    def key_of(self, item: Mapping[str, AttributeValue]) -> Key:
        """Give the key of an item that holds valid key attributes."""
        partition = [part(item[attribute.name]) for attribute in self.partition]
        return (key_range_hash(partition), *partition, *[part(item[attribute.name]) for attribute in self.sort])

    def index_key_of(self, item: Mapping[str, AttributeValue], item_key: Key) -> Key | None:
        """Give the key of an item's index entry, or None where the item lacks a key attribute (a sparse index)."""
        for attribute in self:
            value = item.get(attribute.name)
            if value is None or attribute.type not in value:
                return None
        return (*self.key_of(item), item_key)

    def collection_prefix(self, key: Key) -> Key:
        """Give the part of a key that all of its item collection share: the hash and the partition key."""
        return key[: 1 + len(self.partition)]

    def only_keys(self, item: Mapping[str, AttributeValue]) -> Item:
        """Give the key attributes of an item."""
        return {attribute.name: item[attribute.name] for attribute in self}


def part(value: AttributeValue) -> KeyPart:
    """Give the sortable form of a key attribute's value.

    >>> part({"N": "10"}) > part({"N": "9"})
    True
    """
    ((kind, content),) = value.items()
    if kind == "S":
        return content
    return number(content) if kind == "N" else b64decode(content)


def key_range_hash(partition: Sequence[KeyPart]) -> int:
    """Give the 64-bit hash that places a partition key value; the same in every process.

    Source: Assumed — the service's hash function is not published; Scan's order is promised to nobody.
    """
    digest = blake2b(digest_size=8)
    for key_part in partition:
        digest.update(key_part if isinstance(key_part, bytes) else str(key_part).encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return int.from_bytes(digest.digest(), "big")


def check_key(schema: KeySchema, key: Mapping[str, AttributeValue]) -> None:
    """Check a ``Key`` member: the schema's attributes, all of them, nothing else, with their types and sizes.

    Raises:
        ValidationException: the service's text for the first fault.

    Source: Observed — public conformance suites, 2026; ``docs/model.md``.
    """
    if len(key) != len(schema.partition) + len(schema.sort):
        raise ValidationException(KEY_MISMATCH)
    for attribute in schema:
        value = key.get(attribute.name)
        if value is None or type_of(value) != attribute.type:
            raise ValidationException(KEY_MISMATCH)
    _check_content(schema, key)


def check_item_key(schema: KeySchema, item: Mapping[str, AttributeValue]) -> None:
    """Check that an item to be stored holds a valid key.

    Raises:
        ValidationException: an attribute is missing, has another type, is empty or too long.
    """
    for attribute in schema:
        value = item.get(attribute.name)
        if value is None:
            raise ValidationException(f"{INVALID_PARAMETER}Missing the key {attribute.name} in the item")
        if (actual := type_of(value)) != attribute.type:
            raise ValidationException(
                f"{INVALID_PARAMETER}Type mismatch for key {attribute.name} expected: {attribute.type} actual: {actual}"
            )
    _check_content(schema, item)


def check_index_key(
    index_name: str, schema: KeySchema, item: Mapping[str, AttributeValue], *, updated: bool = False
) -> None:
    """Check that what an item holds of an index key has the right type and is not empty; absence is fine.

    Args:
        index_name: which index.
        schema: its keys.
        item: the item to store, or what an update changes of it.
        updated: whether an update made it, which has a text of its own for an empty value.

    Raises:
        ValidationException: the service's text for the first fault.

    Source: Observed — eu-west-2, 2026-06, a public conformance suite.
    """
    for attribute in schema:
        value = item.get(attribute.name)
        if value is None:
            continue
        if (actual := type_of(value)) != attribute.type:
            raise ValidationException(
                f"{INVALID_PARAMETER}Type mismatch for Index Key {attribute.name} Expected: {attribute.type} "
                f"Actual: {actual} IndexName: {index_name}"
            )
        check_not_empty(index_name, attribute.name, value, updated=updated)


def check_not_empty(index_name: str, name: str, value: AttributeValue, *, updated: bool) -> None:
    """Check that the value of an attribute that an index is keyed by is not empty.

    Raises:
        ValidationException: it is.
    """
    kind = _empty_kind(value)
    if kind and updated:
        raise ValidationException(
            "One or more parameter values are not valid. The update expression attempted to update a secondary index "
            f"key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty {kind} "
            "value."
        )
    if kind:
        raise ValidationException(
            "One or more parameter values are not valid. A value specified for a secondary index key is not supported. "
            f"The AttributeValue for a key attribute cannot contain an empty {kind} value. IndexName: {index_name}, "
            f"IndexKey: {name}"
        )


def _check_content(schema: KeySchema, values: Mapping[str, AttributeValue]) -> None:
    partition_bytes = [_content_bytes(values[attribute.name]) for attribute in schema.partition]
    sort_bytes = [_content_bytes(values[attribute.name]) for attribute in schema.sort]
    if 0 in partition_bytes or 0 in sort_bytes:
        empty = next(attribute for attribute in schema if _empty_kind(values[attribute.name]))
        raise ValidationException(
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
            f"empty {_empty_kind(values[empty.name])} value. Key: {empty.name}"
        )
    if max(partition_bytes) > MAX_PARTITION_KEY_BYTES:
        raise ValidationException(
            f"{INVALID_PARAMETER}Size of hashkey has exceeded the maximum size limit of{MAX_PARTITION_KEY_BYTES} bytes"
        )
    if sum(sort_bytes) > MAX_SORT_KEY_BYTES:
        raise ValidationException(
            f"{INVALID_PARAMETER}Aggregated size of all range keys has exceeded the size limit of "
            f"{MAX_SORT_KEY_BYTES} bytes"
        )


def _empty_kind(value: AttributeValue) -> str | None:
    if value.get("S") == "":
        return "string"
    return "binary" if value.get("B") == "" else None


def _content_bytes(value: AttributeValue) -> int:
    """Give the size of a key attribute's content: 0 where it is empty."""
    text = value.get("S")
    if text is not None:
        return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return value_size_bytes(value)


@dataclass(frozen=True, slots=True)
class KeyBounds:
    """The keys from ``first`` to ``last``; each end inclusive or not."""

    first: Key
    last: Key
    first_inclusive: bool = True
    last_inclusive: bool = True


def bounds(prefix: Key, operator: str | None, operands: Sequence[KeyPart]) -> KeyBounds:
    """Give the bounds of the keys that start with ``prefix`` and whose next part meets a condition.

    Args:
        prefix: hash, partition key and the sort key parts that are fixed.
        operator: ``<``, ``<=``, ``>``, ``>=``, ``=``, ``BETWEEN``, ``begins_with``, or None for all of the collection.
        operands: the operator's one or two operands, as key parts.

    >>> bounds((7, "a"), ">=", ["m"]).first
    (7, 'a', 'm')
    """
    low = (*prefix, operands[0]) if operands else prefix
    after_low, end = (*low, TOP), (*prefix, TOP)
    if operator is None:
        return KeyBounds(prefix, end)
    if operator == "begins_with":
        beyond = _successor(operands[0])
        return KeyBounds(low, end) if beyond is None else KeyBounds(low, (*prefix, beyond), last_inclusive=False)
    return {
        "=": KeyBounds(low, after_low),
        "<": KeyBounds(prefix, low, last_inclusive=False),
        "<=": KeyBounds(prefix, after_low),
        ">": KeyBounds(after_low, end, first_inclusive=False),
        ">=": KeyBounds(low, end),
        "BETWEEN": KeyBounds(low, (*prefix, operands[-1], TOP)),
    }[operator]


def _successor(prefix: KeyPart) -> KeyPart | None:
    """Give the least value that sorts after everything with this prefix, or None where there is none."""
    while prefix:
        last = prefix[-1] if isinstance(prefix, bytes) else ord(prefix[-1])
        top = 0xFF if isinstance(prefix, bytes) else 0x10FFFF
        if last < top:
            return prefix[:-1] + (bytes([last + 1]) if isinstance(prefix, bytes) else chr(last + 1))
        prefix = prefix[:-1]
    return None


def canonical_partition_key(prefix: Key) -> Key:
    """Give the partition key value of a key prefix as a hashable value: what names a key range."""
    return prefix[1:]


def attribute_value(key_part: KeyPart, kind: str) -> AttributeValue:
    """Give a key part's wire form again (reports only)."""
    return {kind: format(key_part, "f") if isinstance(key_part, Decimal) else key_part}
