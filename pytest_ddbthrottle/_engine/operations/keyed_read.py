"""What GetItem, BatchGetItem and TransactGetItems share: one item, found by its key, of which a projection is shown."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_ddbthrottle._engine.attribute_value import Item, normalized_item
from pytest_ddbthrottle._engine.capacity import Consumption, OperationType, ReadConsistency, read_nano_units
from pytest_ddbthrottle._engine.expressions.placeholders import Placeholders
from pytest_ddbthrottle._engine.expressions.projection import Projection, projection
from pytest_ddbthrottle._engine.keys import Key, canonical_partition_key, check_key
from pytest_ddbthrottle._engine.operations.context import Request
from pytest_ddbthrottle._engine.stored_items import StoredItem
from pytest_ddbthrottle._engine.tables import Table


@dataclass(frozen=True, slots=True)
class KeyedRead:
    """One understood read of one item, and what it found."""

    table: Table
    key: Key
    found: StoredItem | None
    projection: Projection | None

    def item(self) -> Item | None:
        """Give what the reply shows of the item, or None where there is no item."""
        if self.found is None:
            return None
        attributes = self.found.attributes()
        return attributes if self.projection is None else self.projection.apply(attributes)

    def consumption(self, consistency: ReadConsistency) -> Consumption:
        """Give what the read takes: the item rounded up by itself; the minimum where there is none.

        Source: Documented — Developer Guide, "DynamoDB read and write operations", read 2026-11-30.
        """
        nano_units = read_nano_units(0 if self.found is None else self.found.size_bytes, consistency)
        partition_key = canonical_partition_key(self.table.key_schema.collection_prefix(self.key))
        return Consumption(self.table.name, OperationType.READ, nano_units, key_ranges=((partition_key, nano_units),))


def keyed_read(table: Table, key: Item, shown: Projection | None) -> KeyedRead:
    """Look for the item that a ``Key`` member names.

    Raises:
        ValidationException: the key is not one of the table.
    """
    key = normalized_item(key)
    check_key(table.key_schema, key)
    table_key = table.key_schema.key_of(key)
    return KeyedRead(table, table_key, table.items.get(table_key), shown)


def read_consistency(request: Request) -> ReadConsistency:
    """Give how a request outside a transaction is served."""
    return ReadConsistency.STRONG if request.get("ConsistentRead") else ReadConsistency.EVENTUAL


def requested_projection(request: Request) -> Projection | None:
    """Give the bound ``ProjectionExpression`` of a read without other expressions, or None.

    Raises:
        ValidationException: the expression is not valid, or a placeholder is unused.
    """
    placeholders = Placeholders(request.get("ExpressionAttributeNames"), None)
    text = request.get("ProjectionExpression")
    if text is None:
        placeholders.check_without_expressions()
        return None
    shown = projection(text, placeholders)
    placeholders.check_all_used()
    return shown
