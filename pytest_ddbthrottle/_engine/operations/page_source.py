"""What a Query or Scan walks: a table or one of its indexes, and the cursor that says where a page begins."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_ddbthrottle._engine.attribute_value import Item, normalized_item, type_of
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.keys import Key, KeyBounds, KeySchema
from pytest_ddbthrottle._engine.operations.context import Request
from pytest_ddbthrottle._engine.operations.lookup import find_index
from pytest_ddbthrottle._engine.stored_items import OrderedItems, StoredItem
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table

STARTING_KEY_INVALID = "The provided starting key is invalid"
QUERY_OF_VECTORS = "Query operation not supported on this index type."
SCAN_OF_VECTORS = "Scan operation not supported on this index type"
CONSISTENT_GLOBAL_READ = "Consistent reads are not supported on global secondary indexes"
"""Source: Observed — eu-west-2, 2026-07 to 2026-10, a public conformance suite."""


@dataclass(frozen=True, slots=True)
class PageSource:
    """A table, or one of its indexes, as a Query or Scan sees it."""

    table: Table
    index: SecondaryIndex | None

    @property
    def key_schema(self) -> KeySchema:
        """The keys in whose order the entries stand."""
        return self.table.key_schema if self.index is None else self.index.key_schema

    @property
    def entries(self) -> OrderedItems[StoredItem]:
        """What there is to read."""
        return self.table.items if self.index is None else self.index.entries

    def cursor(self, entry: Item) -> Item:
        """Give the key that a next page begins after: the table's and, for an index, the index's too."""
        own = self.table.key_schema.only_keys(entry)
        return own if self.index is None else own | self.index.key_schema.only_keys(entry)

    def position(self, cursor: Item, fault: str) -> Key:
        """Give the place of a cursor among the entries, whether or not there is an entry.

        Args:
            cursor: ``ExclusiveStartKey``.
            fault: the text for one that is not of this source.

        Raises:
            ValidationException: an attribute is missing, has another type, or is too much.
        """
        cursor = normalized_item(cursor)
        types = {attribute.name: attribute.type for attribute in (*self.key_schema, *self.table.key_schema)}
        if {name: type_of(value) for name, value in cursor.items()} != types:
            raise ValidationException(fault)
        key = self.table.key_schema.key_of(cursor)
        return key if self.index is None else (*self.index.key_schema.key_of(cursor), key)


def page_source(table: Table, request: Request) -> PageSource:
    """Give what a request reads.

    Raises:
        ValidationException: there is no such index, or it cannot be read consistently.
    """
    index_name = request.get("IndexName")
    if index_name is None:
        return PageSource(table, None)
    index = find_index(table, index_name)
    if index.is_global and request.get("ConsistentRead"):
        raise ValidationException(CONSISTENT_GLOBAL_READ)
    return PageSource(table, index)


def refuse_vector_index(table: Table, request: Request, *, by_query: bool) -> None:
    """Check that a read does not name a vector index.

    Args:
        table: its table.
        request: ``QueryInput`` or ``ScanInput``.
        by_query: whether it is a Query, which looks at ``ConsistentRead`` first.

    Raises:
        ValidationException: it names one.

    Source: Observed — 2026-08-20, a public implementation's capture: the texts, the full stop, and the order.
    """
    if request.get("IndexName") not in table.vector_indexes:
        return
    if by_query and request.get("ConsistentRead"):
        raise ValidationException(CONSISTENT_GLOBAL_READ)
    raise ValidationException(QUERY_OF_VECTORS if by_query else SCAN_OF_VECTORS)


def resumed(within: KeyBounds, start: Key | None, *, forward: bool) -> KeyBounds:
    """Give what is left of some bounds after the cursor's place."""
    if start is None:
        return within
    if forward:
        return KeyBounds(start, within.last, False, within.last_inclusive)
    return KeyBounds(within.first, start, within.first_inclusive, False)


def holds(within: KeyBounds, key: Key) -> bool:
    """Tell whether a key lies between two bounds.

    >>> holds(KeyBounds((1,), (5,), last_inclusive=False), (5,))
    False
    """
    after_first = within.first < key or (within.first_inclusive and within.first == key)
    return after_first and (key < within.last or (within.last_inclusive and key == within.last))
