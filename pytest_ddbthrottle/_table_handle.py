"""A table as a test sees it: its items, its buckets, its rules."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from typing import TYPE_CHECKING, Any

from pytest_ddbthrottle._engine.capacity import NANO_UNITS_PER_UNIT, OperationType
from pytest_ddbthrottle._engine.dynamodb import DynamoDB
from pytest_ddbthrottle._engine.errors import ServiceError
from pytest_ddbthrottle._engine.keys import KeySchema
from pytest_ddbthrottle._engine.operations.write_action import WriteAction, put_action
from pytest_ddbthrottle._engine.region import Region
from pytest_ddbthrottle._engine.tables import Table
from pytest_ddbthrottle._options import nearest
from pytest_ddbthrottle._plain_values import plain_item, plain_number, wire_item

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from pytest_ddbthrottle._keyword_types import TableThrottleNames

DIRECTIONS = {"read": OperationType.READ, "write": OperationType.WRITE}


@dataclass(frozen=True, slots=True)
class Partition:
    """A key range that was used and has not refilled yet.

    Attributes:
        partition_key: the partition key's attributes with their plain values.
        index: the global secondary index that it belongs to; None for the table.
        left_read_units: what it has left for reads; below zero after an overdraw.
        left_write_units: the same for writes.
    """

    partition_key: Mapping[str, Any]
    index: str | None
    left_read_units: float
    left_write_units: float


class TableHandle:
    """One table of a ``FakeDynamoDB``, by name: it always speaks of the table that has the name now.

    Args:
        engine: the account.
        name: the table's name.
        region: the Region that holds it.
        throttle: puts a rule in force.
    """

    def __init__(self, engine: DynamoDB, name: str, region: str, throttle: Callable[..., None]) -> None:
        self._engine = engine
        self._throttle = throttle
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
            raise LookupError(self._no_table(tables))
        return tables[self.name]

    def _no_table(self, tables: Iterable[str]) -> str:
        elsewhere = [name for name, region in self._engine.regions.items() if self.name in region.tables]
        there = f". {', '.join(elsewhere)} has one" if elsewhere else nearest(self.name, tables)
        return f"no table {self.name!r} in {self.region}; {_held(tables)}{there}"

    @property
    def arn(self) -> str:
        """The table's ARN, as DescribeTable and the throttling reasons show it."""
        return self._table.arn

    def index_arn(self, index: str) -> str:
        """Give an index's ARN.

        Raises:
            LookupError: the table has no such index.
        """
        indexes = self._table.indexes
        if index not in indexes:
            raise LookupError(self._no_index(index, indexes))
        return indexes[index].arn

    def _no_index(self, index: str, indexes: Iterable[str]) -> str:
        return f"no index {index!r} on table {self.name!r}; {_held(indexes)}{nearest(index, indexes)}"

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
        """Store items without charging and without throttling, in the place of those that have their keys.

        Args:
            items: wire form or plain Python values, each item by itself.

        Raises:
            ValueError: an item that PutItem would not take, with its position and the service's text.
            TypeError: an item with a plain value that has no DynamoDB type.
            Whatever is raised, none of the items is stored.

        >>> from pytest_ddbthrottle import FakeDynamoDB
        >>> orders = FakeDynamoDB().create_table("orders")
        >>> orders.load([{"pk": "a", "total": 3}, {"pk": {"S": "b"}}])
        >>> orders.item_count
        2
        """
        with self._engine.lock:
            table = self._table
            for action in [_put(table, position, item) for position, item in enumerate(items)]:
                action.attempt().commit(self._engine.clock.now_ns())

    def balance(self, direction: str, index: str | None = None) -> float:
        """Give the units that the table's or an index's bucket holds now; below zero after an overdraw.

        Of several buckets, an on-demand table's quota and growth, it is the scarcest. ``partitions`` has the key ranges.

        Args:
            direction: ``"read"`` or ``"write"``.
            index: a global secondary index; None for the table.

        Returns:
            Capacity units.

        Raises:
            LookupError: there is no such index.
            ValueError: there is no such direction.
        """
        admission = self._region.admission
        return admission.balance_nano_units(*self._bucket(direction, index)) / NANO_UNITS_PER_UNIT

    def drain(self, direction: str, index: str | None = None) -> None:
        """Take all that the bucket holds: its balance is 0 and the next request is refused.

        Args:
            direction: ``"read"`` or ``"write"``.
            index: a global secondary index; None for the table.

        Raises:
            LookupError, ValueError: as ``balance``.
        """
        self._region.admission.drain(*self._bucket(direction, index))

    def fill(self, direction: str, index: str | None = None) -> None:
        """Fill the bucket: the full burst is there.

        Args:
            direction: ``"read"`` or ``"write"``.
            index: a global secondary index; None for the table.

        Raises:
            LookupError, ValueError: as ``balance``.
        """
        self._region.admission.fill(*self._bucket(direction, index))

    def spend_burst(self, direction: str, units: int, index: str | None = None) -> None:
        """Take units from the bucket as the service's background work may, not below 0.

        Args:
            direction: ``"read"`` or ``"write"``.
            units: capacity units, a whole number.
            index: a global secondary index; None for the table.

        Raises:
            LookupError, ValueError: as ``balance``; ValueError for units that are negative or not whole.

        Source: Documented — Developer Guide, "Burst and adaptive capacity", read 2026-11-30.
        """
        if not isinstance(units, int) or units < 0:
            raise ValueError(f"units={units!r}: a whole number, at least 0, is needed")
        table, operation_type, index, now_ns = self._bucket(direction, index)
        self._region.admission.spend_burst(table, operation_type, index, units * NANO_UNITS_PER_UNIT, now_ns)

    @property
    def partitions(self) -> list[Partition]:
        """The key ranges of the table and its global secondary indexes that were used and have not refilled.

        The one that has the least left, as a share of what it can hold, comes first. Each partition key value has a key
        range of its own (``partitioning="per_key"``); one that is full is as good as one that nobody has used.

        >>> from pytest_ddbthrottle import FakeDynamoDB
        >>> fake = FakeDynamoDB()
        >>> orders = fake.create_table("orders", partition_write_units_per_second=10)
        >>> orders.partitions
        []
        """
        with self._engine.lock:
            table, now_ns = self._table, self._engine.clock.now_ns()
            found = chain.from_iterable(self._scarce(table, index, now_ns) for index in (None, *table.global_indexes))
            return [partition for _, partition in sorted(found, key=lambda scarce: scarce[0])]

    def _scarce(self, table: Table, index: str | None, now_ns: int) -> Iterator[tuple[float, Partition]]:
        admission = self._region.admission
        ranges = [admission.key_ranges(table, direction, index, now_ns) for direction in DIRECTIONS.values()]
        schema = table.key_schema if index is None else table.indexes[index].key_schema
        for key in dict.fromkeys(chain.from_iterable(of_direction.scarce(now_ns) for of_direction in ranges)):
            buckets = [of_direction.bucket(key) for of_direction in ranges]
            read, write = (bucket.settle(now_ns) / NANO_UNITS_PER_UNIT for bucket in buckets)
            share = min(bucket.balance_nano_units / bucket.holds_nano_units for bucket in buckets)
            yield share, Partition(_named(schema, key), index, read, write)

    def throttle(self, **names: Unpack[TableThrottleNames]) -> None:
        """Put a rule in force for this table, or for an index of it (``index=…``); the marker's names.

        Raises:
            LookupError: there is no such index.
            TypeError: an unknown name.
            ValueError: a value out of range, or names that contradict each other.
        """
        if "table" in names:
            raise TypeError("throttle() of a table handle has no argument 'table': the handle is of one")
        self._check_index(names.get("index"))
        self._throttle(table=self.name, **names)

    def _bucket(self, direction: str, index: str | None) -> tuple[Table, OperationType, str | None, int]:
        self._check_index(index)
        if direction not in DIRECTIONS:
            raise ValueError(f"direction={direction!r}: allowed are 'read' and 'write'{nearest(direction, DIRECTIONS)}")
        return self._table, DIRECTIONS[direction], index, self._engine.clock.now_ns()

    def _check_index(self, index: str | None) -> None:
        table = self._table
        if index in table.local_indexes:
            raise LookupError(
                f"index {index!r} of table {self.name!r} is a local one: it draws on the table's capacity"
            )
        if index is not None and index not in table.indexes:
            raise LookupError(self._no_index(index, table.global_indexes))


def _held(names: Iterable[str]) -> str:
    return f"there are: {', '.join(sorted(names)) or 'none'}"


def _put(table: Table, position: int, item: Mapping[str, Any]) -> WriteAction:
    try:
        return put_action({"Item": wire_item(item)})(table)
    except ServiceError as error:
        text = f"load: item {position}, {reprlib.repr(item)}: {error.message}"
    except TypeError as error:
        raise TypeError(f"load: item {position}, {reprlib.repr(item)}: {error}") from None
    raise ValueError(text)


def _named(schema: KeySchema, key: Hashable) -> dict[str, Any]:
    assert isinstance(key, tuple)
    parts = (plain_number(part) if isinstance(part, Decimal) else part for part in key)
    return {attribute.name: part for attribute, part in zip(schema.partition, parts, strict=True)}
