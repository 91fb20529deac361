"""Items at rest, and the order in which they stand: of a table, and of each of its indexes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from sortedcontainers import SortedDict

from pytest_ddbthrottle._engine.attribute_value import Item, equal, item_size_bytes
from pytest_ddbthrottle._engine.keys import Key, KeyBounds

# An item that was read from JSON doesn't hold itself.
_to_json = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, check_circular=False).encode


@dataclass(frozen=True, slots=True)
class StoredItem:
    """One item at rest: its JSON text, a third of the memory of the parsed form, and its size."""

    json_text: str
    size_bytes: int

    def attributes(self) -> Item:
        """Give the item as a fresh value, free to be changed."""
        item: Item = json.loads(self.json_text)
        return item


def stored(item: Item) -> StoredItem:
    """Give the form in which a normalised item is kept."""
    return StoredItem(_to_json(item), item_size_bytes(item))


class StoredItems:
    """Items of a reply, as they are at rest: the wire form takes the text over, and only who looks pays for parsing."""

    __slots__ = ("_items", "_parsed")

    def __init__(self, items: Sequence[StoredItem]) -> None:
        self._items = items
        self._parsed: list[Item] | None = None

    @property
    def json_text(self) -> str:
        """The JSON array of the items."""
        return f"[{','.join([item.json_text for item in self._items])}]"

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, position: int) -> Item:
        return self.parsed()[position]

    def __iter__(self) -> Iterator[Item]:
        return iter(self.parsed())

    def __eq__(self, other: object) -> bool:
        return self.parsed() == (other.parsed() if isinstance(other, StoredItems) else other)

    def __repr__(self) -> str:
        return repr(self.parsed())

    def parsed(self) -> list[Item]:
        """Give the items as fresh values, the same ones each time."""
        if self._parsed is None:
            # One JSON text for all is read faster than one for each item.
            self._parsed = json.loads(self.json_text)
        return self._parsed or []


class Held(Protocol):
    """What stands in an order: it knows its size."""

    @property
    def size_bytes(self) -> int:
        """Its size."""


HeldItem = TypeVar("HeldItem", bound=Held)


class OrderedItems(Generic[HeldItem]):
    """Items in the order of their keys. Finding, storing and removing one costs O(log n).

    A copy costs nothing until one of the two is changed; that one then makes an order of its own.
    """

    __slots__ = ("_is_shared", "_items", "size_bytes")

    def __init__(self) -> None:
        self._items: Any = SortedDict()
        self._is_shared = False
        self.size_bytes = 0

    def __len__(self) -> int:
        return len(self._items)

    def get(self, key: Key) -> HeldItem | None:
        """Give the item with this key, if there is one."""
        found: HeldItem | None = self._items.get(key)
        return found

    def put(self, key: Key, item: HeldItem) -> None:
        """Store an item, in the place of the one that had its key."""
        self._own_order()
        old = self._items.get(key)
        self._items[key] = item
        self.size_bytes += item.size_bytes - (old.size_bytes if old is not None else 0)

    def remove(self, key: Key) -> None:
        """Remove the item with this key."""
        self._own_order()
        self.size_bytes -= self._items.pop(key).size_bytes

    def _own_order(self) -> None:
        if self._is_shared:
            self._items, self._is_shared = self._items.copy(), False

    def walk(self, bounds: KeyBounds | None = None, *, forward: bool = True) -> Iterator[tuple[Key, HeldItem]]:
        """Give the items between two keys, or all, in order."""
        if bounds is None:
            keys = iter(self._items) if forward else reversed(self._items)
        else:
            inclusive = (bounds.first_inclusive, bounds.last_inclusive)
            keys = self._items.irange(bounds.first, bounds.last, inclusive, reverse=not forward)
        for key in keys:
            yield key, self._items[key]

    def copy(self) -> OrderedItems[HeldItem]:
        """Give a container of its own with the same items."""
        twin: OrderedItems[HeldItem] = OrderedItems()
        twin._items, twin.size_bytes = self._items, self.size_bytes
        twin._is_shared = self._is_shared = True
        return twin


def projected(item: Item, names: frozenset[str] | None) -> Item:
    """Give those attributes of an item that an index holds; None stands for all."""
    return item if names is None else {name: value for name, value in item.items() if name in names}


def same_projection(old: Mapping[str, Any], new: Mapping[str, Any], names: frozenset[str] | None) -> bool:
    """Tell whether two items are the same to an index that holds some attributes, or all."""
    seen: Sequence[str] = list(names) if names is not None else list(old.keys() | new.keys())
    return all((name in old) == (name in new) and (name not in old or equal(old[name], new[name])) for name in seen)
