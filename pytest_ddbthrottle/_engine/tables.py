"""Tables and their secondary indexes: what is stored, in which order, and what one write would change.

A write is prepared before it is admitted: ``prepare_write`` looks and computes, ``commit`` stores. Nothing stored is
ever changed in place, so a snapshot is a copy of the containers, made when it is needed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pytest_ddbthrottle._engine.attribute_value import Item
from pytest_ddbthrottle._engine.capacity import Throughput
from pytest_ddbthrottle._engine.keys import Key, KeySchema
from pytest_ddbthrottle._engine.pending_change import PendingChange, Work
from pytest_ddbthrottle._engine.stored_items import OrderedItems, StoredItem, projected, same_projection, stored
from pytest_ddbthrottle._engine.streams import Stream
from pytest_ddbthrottle._engine.table_settings import TableSettings, ThroughputHistory
from pytest_ddbthrottle._engine.vector_index import VectorChange, VectorIndex


@dataclass(slots=True)
class SecondaryIndex:
    """A global secondary index, or a local one (``throughput`` is None: it draws on the table)."""

    name: str
    arn: str
    key_schema: KeySchema
    projection_type: str
    non_key_attributes: tuple[str, ...] = ()
    throughput: Throughput | None = None
    pending: PendingChange | None = None
    history: ThroughputHistory = field(default_factory=ThroughputHistory)
    entries: OrderedItems[StoredItem] = field(default_factory=OrderedItems)

    @property
    def is_global(self) -> bool:
        """Whether the index has its own capacity and partition key."""
        return self.throughput is not None

    def projected_names(self, table_schema: KeySchema) -> frozenset[str] | None:
        """Give the names of the attributes that the index holds, or None for all."""
        if self.projection_type == "ALL":
            return None
        return self.key_schema.names | table_schema.names | frozenset(self.non_key_attributes)


@dataclass(frozen=True, slots=True)
class IndexChange:
    """What one write does to one index: the entry before and after, each None where there is none."""

    index: SecondaryIndex
    old_key: Key | None
    new_key: Key | None
    old_entry: StoredItem | None
    new_entry: StoredItem | None
    same_content: bool

    @property
    def is_empty(self) -> bool:
        """Whether the index would hold the same entry as before."""
        return self.old_key == self.new_key and (self.old_key is None or self.same_content)


@dataclass(frozen=True, slots=True)
class PreparedWrite:
    """One write, computed and not yet done."""

    table: Table
    key: Key
    old: StoredItem | None
    new: StoredItem | None
    index_changes: tuple[IndexChange, ...]
    vector_changes: tuple[VectorChange, ...] = ()

    @property
    def larger_bytes(self) -> int:
        """The larger of the item before and after: what the write is charged for."""
        return max(self.old.size_bytes if self.old else 0, self.new.size_bytes if self.new else 0)

    def commit(self, at_ns: int, *, expired: bool = False) -> None:
        """Store what was prepared, in the table and in each index that it changes, and record it in the table's stream.

        Everything that is ever written comes through here.

        Args:
            at_ns: the instant.
            expired: whether it is a delete of time to live.
        """
        for change in self.index_changes:
            if change.old_key is not None and change.old_key != change.new_key:
                change.index.entries.remove(change.old_key)
            if change.new_key is not None and change.new_entry is not None:
                change.index.entries.put(change.new_key, change.new_entry)
        for vector_change in self.vector_changes:
            vector_change.commit()
        if self.new is not None:
            self.table.items.put(self.key, self.new)
        elif self.old is not None:
            self.table.items.remove(self.key)
        if self.table.stream is not None:
            self.table.stream.record(self.old, self.new, at_ns, expired=expired)


@dataclass(slots=True)
class Table:
    """One table: its keys, throughput, indexes, settings and items; and its streams, the latest last."""

    name: str
    arn: str
    table_id: str
    key_schema: KeySchema
    throughput: Throughput
    created_ns: int
    pending: PendingChange | None = None
    indexes: dict[str, SecondaryIndex] = field(default_factory=dict)
    vector_indexes: dict[str, VectorIndex] = field(default_factory=dict)
    settings: TableSettings = field(default_factory=TableSettings)
    history: ThroughputHistory = field(default_factory=ThroughputHistory)
    items: OrderedItems[StoredItem] = field(default_factory=OrderedItems)
    streams: list[Stream] = field(default_factory=list)

    @property
    def stream(self) -> Stream | None:
        """The stream that takes what is written, if one is enabled."""
        latest = self.streams[-1] if self.streams else None
        return latest if latest is not None and latest.disabled_ns is None else None

    def is_stream_settling(self, now_ns: int) -> bool:
        """Tell whether a stream is being enabled or disabled."""
        return bool(self.streams) and now_ns < self.streams[-1].settled_ns

    @property
    def global_indexes(self) -> dict[str, SecondaryIndex]:
        """The global secondary indexes by name."""
        return {name: index for name, index in self.indexes.items() if index.is_global}

    @property
    def every_index(self) -> dict[str, SecondaryIndex | VectorIndex]:
        """The indexes of every kind by name."""
        return {**self.indexes, **self.vector_indexes}

    @property
    def has_indexes(self) -> bool:
        """Whether a write has to look at the item for an index of any kind."""
        return bool(self.indexes or self.vector_indexes)

    @property
    def is_readable(self) -> bool:
        """Whether the data plane knows the table: it is neither being created nor deleted."""
        return self.pending is None or self.pending.work is Work.UPDATE

    @property
    def pending_changes(self) -> list[PendingChange]:
        """What is on its way, of the table and of its indexes."""
        found = [self.pending, *(index.pending for index in self.every_index.values())]
        return [pending for pending in found if pending is not None]

    def status_at(self, now_ns: int) -> str:
        """Give ``TableStatus``: a table is UPDATING too while an index is allocated or deleted, and for its stream."""
        if self.pending is not None:
            return self.pending.work.value
        works = [index.pending for index in self.every_index.values() if index.pending is not None]
        is_busy = any(pending.work is not Work.UPDATE and not pending.is_backfilling(now_ns) for pending in works)
        return "UPDATING" if is_busy or self.is_stream_settling(now_ns) else "ACTIVE"

    @property
    def local_indexes(self) -> dict[str, SecondaryIndex]:
        """The local secondary indexes by name."""
        return {name: index for name, index in self.indexes.items() if not index.is_global}

    def drop_index(self, name: str) -> None:
        """Let an index of any kind be gone."""
        self.indexes.pop(name, None)
        self.vector_indexes.pop(name, None)

    def prepare_write(
        self,
        key: Key,
        old_attributes: Item | None,
        new_attributes: Item | None,
        new_item: StoredItem | None = None,
    ) -> PreparedWrite:
        """Compute a put, an update or a delete of one item.

        Args:
            key: the item's key in this table.
            old_attributes: what ``items`` holds under the key, parsed, or None.
            new_attributes: the item to store, or None to delete.
            new_item: its form at rest, where it is known already.
        """
        new = new_item if new_item is not None or new_attributes is None else stored(new_attributes)
        changes = tuple(
            self._index_change(index, key, old_attributes, new_attributes, new) for index in self.indexes.values()
        )
        prepared = PreparedWrite(self, key, self.items.get(key), new, changes)
        if not self.vector_indexes:
            return prepared
        vector_changes = tuple(
            index.change(key, old_attributes, new_attributes, self.key_schema) for index in self.vector_indexes.values()
        )
        return replace(prepared, vector_changes=vector_changes)

    def _index_change(
        self, index: SecondaryIndex, key: Key, old: Item | None, new: Item | None, new_item: StoredItem | None
    ) -> IndexChange:
        old_key = None if old is None else index.key_schema.index_key_of(old, key)
        new_key = None if new is None else index.key_schema.index_key_of(new, key)
        names = index.projected_names(self.key_schema)
        same = old_key is not None and old_key == new_key and same_projection(old or {}, new or {}, names)
        new_entry = None
        if new_key is not None and new is not None:
            new_entry = new_item if names is None else stored(projected(new, names))
        old_entry = None if old_key is None else index.entries.get(old_key)
        return IndexChange(index, old_key, new_key, old_entry, new_entry, same)

    def fill_index(self, index: SecondaryIndex) -> None:
        """Make the entries of a new index from the items that the table holds; what has no valid key stays out."""
        names = index.projected_names(self.key_schema)
        for key, item in self.items.walk():
            attributes = item.attributes()
            entry_key = index.key_schema.index_key_of(attributes, key)
            if entry_key is not None:
                index.entries.put(entry_key, item if names is None else stored(projected(attributes, names)))

    def copy(self) -> Table:
        """Give a table of its own with the same content (snapshots)."""
        indexes = {
            name: SecondaryIndex(
                index.name,
                index.arn,
                index.key_schema,
                index.projection_type,
                index.non_key_attributes,
                index.throughput,
                index.pending,
                index.history,
                index.entries.copy(),
            )
            for name, index in self.indexes.items()
        }
        return Table(
            self.name,
            self.arn,
            self.table_id,
            self.key_schema,
            self.throughput,
            self.created_ns,
            self.pending,
            indexes,
            {name: index.copy() for name, index in self.vector_indexes.items()},
            self.settings,
            self.history,
            self.items.copy(),
            [stream.copy() for stream in self.streams],
        )

    def check_invariants(self) -> None:
        """Assert that sizes add up and that every index agrees with the table's items.

        Raises:
            AssertionError: naming the table or index that disagrees.
        """
        total_bytes = sum(item.size_bytes for _, item in self.items.walk())
        assert self.items.size_bytes == total_bytes, (
            f"{self.name}: {self.items.size_bytes} B kept, {total_bytes} B held"
        )
        for key, item in self.items.walk():
            assert self.key_schema.key_of(item.attributes()) == key, f"{self.name}: {key} holds another key's item"
        for index in self.indexes.values():
            twin = SecondaryIndex(
                index.name, index.arn, index.key_schema, index.projection_type, index.non_key_attributes
            )
            self.fill_index(twin)
            assert list(twin.entries.walk()) == list(index.entries.walk()), f"{index.arn} disagrees with its table"
            assert twin.entries.size_bytes == index.entries.size_bytes, f"{index.arn}: sizes don't add up"
        for vector_index in self.vector_indexes.values():
            vector_index.check_invariants(self.items, self.key_schema)
