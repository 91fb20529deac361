"""A table as a test sees it: its items, its buckets, its rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_ddbthrottle._engine.attribute_value import normalized_item
from pytest_ddbthrottle._engine.capacity import NANO_UNITS_PER_UNIT, OperationType
from pytest_ddbthrottle._engine.dynamodb import DynamoDB, Region
from pytest_ddbthrottle._engine.keys import check_item_key
from pytest_ddbthrottle._engine.tables import Table
from pytest_ddbthrottle._engine.throttle.rule import ThrottleRule
from pytest_ddbthrottle._plain_values import plain_item, wire_item

DIRECTIONS = {"read": OperationType.READ, "write": OperationType.WRITE}


class TableHandle:
    """One table of a ``FakeDynamoDB``, by name: it always speaks of the table that has the name now.

    Args:
        engine: the account.
        name: the table's name.
        region: the Region that holds it.
    """

    def __init__(self, engine: DynamoDB, name: str, region: str) -> None:
        self._engine = engine
        self.name = name
        self.region = region

    def __repr__(self) -> str:
        return f"<TableHandle {self.name} in {self.region}>"

    @property
    def _region(self) -> Region:
        return self._engine.region(self.region)

    @property
    def _table(self) -> Table:
        tables = self._region.tables
        if self.name not in tables:
            held = ", ".join(sorted(tables)) or "none"
            raise LookupError(f"no table {self.name!r} in {self.region}; there are: {held}")
        return tables[self.name]

    @property
    def arn(self) -> str:
        """The table's ARN, as DescribeTable and the throttling reasons show it."""
        return self._table.arn

    def index_arn(self, index: str) -> str:
        """Give an index's ARN.

        Raises:
            LookupError: the table has no such index.
        """
        self._check_index(index)
        return self._table.indexes[index].arn

    @property
    def item_count(self) -> int:
        """How many items the table holds now (DescribeTable's own count lags behind on the service)."""
        return len(self._table.items)

    def items(self, *, plain: bool = False) -> list[dict[str, Any]]:
        """Give all items in Scan's order, without charging.

        Args:
            plain: plain Python values instead of the wire form.
        """
        with self._engine.lock:
            items = [item.attributes() for _, item in self._table.items.walk()]
        return [plain_item(item) for item in items] if plain else items

    def load(self, items: Iterable[Mapping[str, Any]]) -> None:
        """Store items without charging and without throttling.

        Args:
            items: wire form or plain Python values.

        Raises:
            ValidationException: an item that the table could not hold; then none is stored.
            TypeError: a plain value that has no DynamoDB type.
        """
        with self._engine.lock:
            table = self._table
            normalized = [normalized_item(wire_item(item)) for item in items]
            for item in normalized:
                check_item_key(table.key_schema, item)
            for item in normalized:
                key = table.key_schema.key_of(item)
                old = table.items.get(key)
                table.prepare_write(key, old.attributes() if old else None, item).commit()

    def balance(self, direction: str, index: str | None = None) -> float:
        """Give the units that the table's or an index's bucket holds now; below zero after an overdraw.

        Args:
            direction: ``"read"`` or ``"write"``.
            index: a global secondary index; None for the table.
        """
        self._check_index(index)
        now_ns = self._engine.clock.now_ns()
        nano_units = self._region.admission.balance_nano_units(self._table, _direction(direction), index, now_ns)
        return nano_units / NANO_UNITS_PER_UNIT

    def drain(self, direction: str, index: str | None = None) -> None:
        """Take all that the bucket holds: its balance is 0 and the next request is refused."""
        self._check_index(index)
        self._region.admission.drain(self._table, _direction(direction), index, self._engine.clock.now_ns())

    def fill(self, direction: str, index: str | None = None) -> None:
        """Fill the bucket: the full burst is there."""
        self._check_index(index)
        self._region.admission.fill(self._table, _direction(direction), index, self._engine.clock.now_ns())

    def spend_burst(self, direction: str, units: int, index: str | None = None) -> None:
        """Take units from the bucket as the service's background work may, not below 0.

        Source: Documented — Developer Guide, "Burst and adaptive capacity", read 2026-11-30.
        """
        self._check_index(index)
        now_ns = self._engine.clock.now_ns()
        nano_units = units * NANO_UNITS_PER_UNIT
        self._region.admission.spend_burst(self._table, _direction(direction), index, nano_units, now_ns)

    def throttle(self, **names: Any) -> None:
        """Put a rule in force for this table, or for an index of it (``index=…``); the marker's names.

        Raises:
            TypeError, ValueError: as the marker ``ddb_throttle``.
        """
        self._check_index(names.get("index"))
        self._engine.set_rules([*self._engine.rules, ThrottleRule(table=self.name, **names)])

    def _check_index(self, index: str | None) -> None:
        table = self._table
        if index is not None and index not in table.indexes:
            held = ", ".join(sorted(table.indexes)) or "none"
            raise LookupError(f"no index {index!r} on table {self.name!r}; there are: {held}")


def _direction(direction: str) -> OperationType:
    if direction not in DIRECTIONS:
        raise ValueError(f"direction={direction!r}: allowed are 'read' and 'write'")
    return DIRECTIONS[direction]
