"""What a member of a request may be: the words in which ``request_shapes`` describes requests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True, slots=True)
class Shape:
    """What a member of a request may be."""


@dataclass(frozen=True, slots=True)
class Text(Shape):
    """A string of so many characters, all of one kind.

    ``one_fault``: of several faults only the first is told; ``kind_first``: wrong characters are told before their number.
    """

    min_length: int = 0
    max_length: int | None = None
    pattern: str | None = None
    one_fault: bool = False
    kind_first: bool = False


@dataclass(frozen=True, slots=True)
class NameOrArn(Shape):
    """A table's name, or its ARN."""

    name: Text


@dataclass(frozen=True, slots=True)
class Choice(Shape):
    """One of several strings."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Number(Shape):
    """A whole number in a range."""

    least: int | None = None
    most: int | None = None
    type_name: str = "Long"


@dataclass(frozen=True, slots=True)
class Moment(Shape):
    """An instant: seconds since the epoch, whole or not."""


@dataclass(frozen=True, slots=True)
class Flag(Shape):
    """True or false."""


@dataclass(frozen=True, slots=True)
class Value(Shape):
    """An attribute value: ``attribute_value`` knows its faults."""


@dataclass(frozen=True, slots=True)
class NotModelled(Shape):
    """A member that DynamoDB has and this fake does not act on: refused by its name where it is not ``switched_off``."""

    switched_off: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class ListOf(Shape):
    """A list of one shape."""

    element: Shape
    min_length: int = 0
    max_length: int | None = None


@dataclass(frozen=True, slots=True)
class MapOf(Shape):
    """A map from strings to one shape."""

    element: Shape
    min_length: int = 0
    max_length: int | None = None
    key: Text | NameOrArn = Text(0, 65_535)


@dataclass(frozen=True, slots=True)
class Structure(Shape):
    """Named members, in the order in which their faults are told.

    ``shows_values``: whether the faults of the request, of which it is the whole, are told with the values.
    """

    members: Mapping[str, Shape]
    required: frozenset[str] = field(default_factory=frozenset)
    shows_values: bool = True


SMALL_STRUCTURE_MEMBERS = 10
SMALL_BUCKETS, LARGE_BUCKETS = 16, 32
"""How many buckets hold the members of a structure. Source: Assumed — as the order of faults; GetItem's seven members
are told in the order of 16 buckets, DeleteItem's eleven in that of 32."""


def structure(*required: str, **members: Shape) -> Structure:
    """Give a structure, its members in the order in which their faults are told; the required ones are named first.

    >>> list(structure(ReadCapacityUnits=Number(1), WriteCapacityUnits=Number(1)).members)
    ['WriteCapacityUnits', 'ReadCapacityUnits']
    """
    ordered = hash_map_order(members, key=lambda name: name[:1].lower() + name[1:])
    return Structure(MappingProxyType({name: members[name] for name in ordered}), frozenset(required))


def hash_map_order(names: Collection[str], key: Callable[[str], str] = str) -> list[str]:
    """Give names in the order in which Java's ``HashMap`` holds them, or what ``key`` makes of them.

    >>> hash_map_order(["zz", "b", "a"])
    ['zz', 'a', 'b']
    """
    buckets = SMALL_BUCKETS if len(names) <= SMALL_STRUCTURE_MEMBERS else LARGE_BUCKETS
    return sorted(names, key=lambda name: _java_hash(key(name)) % buckets)


def _java_hash(text: str) -> int:
    """Give a string's hash as Java's ``HashMap`` spreads it."""
    code = 0
    for character in text:
        code = (31 * code + ord(character)) % 2**32
    return code ^ (code >> 16)
