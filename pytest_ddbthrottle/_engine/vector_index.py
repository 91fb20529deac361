"""Vector indexes: which items they hold, what they hold of them, and what one write would change.

An entry is computed from an item alone. An item without a vector, or without the attribute that partitions the index,
has none, and is no fault; what a write may not store is for ``operations/vector_checks`` to refuse.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field, replace
from decimal import Decimal

from pytest_ddbthrottle._engine.attribute_value import AttributeValue, Item, type_of
from pytest_ddbthrottle._engine.keys import Key, KeyAttribute, KeyBounds, KeySchema, bounds
from pytest_ddbthrottle._engine.pending_change import PendingChange
from pytest_ddbthrottle._engine.stored_items import OrderedItems, StoredItem, projected, same_projection, stored
from pytest_ddbthrottle._engine.vectors.single_precision import fits, single_text

BYTES_PER_DIMENSION = 4
HASH, INLINE_FILTER = "HASH", "INLINE_FILTER"


@dataclass(frozen=True, slots=True)
class SearchElement:
    """One attribute of a ``SearchSchema``: its name, its type (S, N or B) and its role."""

    name: str
    type: str
    role: str


@dataclass(frozen=True, slots=True)
class VectorEntry:
    """What an index holds of one item: the projected attributes without the vector, and the vector.

    Attributes:
        shown: the projected attributes.
        vector: 32-bit numbers.
        size_bytes: four for each dimension, the vector's name, and the other attributes.
    """

    shown: StoredItem
    vector: array[float]
    size_bytes: int

    def vector_value(self) -> AttributeValue:
        """Give the vector as an attribute value: the index's own numbers, not those of the table."""
        return {"L": [{"N": single_text(number)} for number in self.vector]}


@dataclass(slots=True)
class VectorIndex:
    """A vector index.

    Attributes:
        name: unique among all indexes of the table.
        arn: as that of any other index.
        vector_attribute: which attribute holds the vectors.
        dimensions: how many numbers a vector has.
        distance_function: a name of ``DISTANCE_FUNCTIONS``.
        search_schema: what a search may filter by.
        projection_type: ALL, INCLUDE or KEYS_ONLY.
        non_key_attributes: what INCLUDE adds.
        pending: what is on its way.
        entries: by partition, then in the order of the table's keys.
    """

    name: str
    arn: str
    vector_attribute: str
    dimensions: int
    distance_function: str
    search_schema: tuple[SearchElement, ...] = ()
    projection_type: str = "ALL"
    non_key_attributes: tuple[str, ...] = ()
    pending: PendingChange | None = None
    entries: OrderedItems[VectorEntry] = field(default_factory=OrderedItems)

    @property
    def partition(self) -> SearchElement | None:
        """The attribute that partitions the index, if there is one."""
        return next((element for element in self.search_schema if element.role == HASH), None)

    @property
    def searched_names(self) -> frozenset[str]:
        """The attributes that searches filter by."""
        return frozenset(element.name for element in self.search_schema)

    @property
    def shows_vector(self) -> bool:
        """Whether the vector is among the projected attributes, and can be asked back."""
        return self.projection_type == "ALL" or self.vector_attribute in self.non_key_attributes

    @property
    def _partition_schema(self) -> KeySchema | None:
        partition = self.partition
        return None if partition is None else KeySchema((KeyAttribute(partition.name, partition.type),))

    def projected_names(self, table_schema: KeySchema) -> frozenset[str] | None:
        """Give the names of the attributes that the index holds beside the vector, or None for all."""
        if self.projection_type == "ALL":
            return None
        others = frozenset(self.non_key_attributes) - {self.vector_attribute}
        return table_schema.names | self.searched_names | others

    def entry_key(self, item: Item, item_key: Key) -> Key:
        """Give the place of an item that has an entry."""
        schema = self._partition_schema
        return item_key if schema is None else (*schema.key_of(item), item_key)

    def partition_bounds(self, value: AttributeValue) -> KeyBounds:
        """Give the bounds of the entries of one partition."""
        schema = self._partition_schema
        assert schema is not None, f"{self.name} has no partitions"
        return bounds(schema.key_of({schema.partition[0].name: value}), None, ())

    def entry_of(self, item: Item, table_schema: KeySchema) -> VectorEntry | None:
        """Give what the index holds of an item, or None where it holds nothing of it.

        Source: Documented — Developer Guide, "Creating and searching vector indexes", writing items, read 2026-12-07;
        Observed — eu-west-2 and us-east-1, 2026-08-12, a public implementation's capture: an item that was stored before
        the index was made is left out where its vector is not valid.
        """
        vector = self.vector_of(item)
        if vector is None or not all(self._has_place(item, element) for element in self.search_schema):
            return None
        others = {name: value for name, value in item.items() if name != self.vector_attribute}
        shown = stored(projected(others, self.projected_names(table_schema)))
        size_bytes = shown.size_bytes + len(self.vector_attribute.encode()) + BYTES_PER_DIMENSION * len(vector)
        return VectorEntry(shown, vector, size_bytes)

    def vector_of(self, item: Item) -> array[float] | None:
        """Give an item's vector in 32-bit numbers, or None where it has none that the index takes."""
        elements = item.get(self.vector_attribute, {}).get("L")
        if elements is None or len(elements) != self.dimensions or any("N" not in element for element in elements):
            return None
        numbers = [Decimal(element["N"]) for element in elements]
        return array("f", map(float, numbers)) if all(map(fits, numbers)) else None

    def _has_place(self, item: Item, element: SearchElement) -> bool:
        value = item.get(element.name)
        if value is None:
            return element.role != HASH
        is_empty = element.role == HASH and value[type_of(value)] == ""
        return type_of(value) == element.type and not is_empty

    def fill(self, items: OrderedItems[StoredItem], table_schema: KeySchema) -> None:
        """Make the entries of a new index from the items that its table holds."""
        for key, item in items.walk():
            attributes = item.attributes()
            entry = self.entry_of(attributes, table_schema)
            if entry is not None:
                self.entries.put(self.entry_key(attributes, key), entry)

    def change(self, key: Key, old: Item | None, new: Item | None, table_schema: KeySchema) -> VectorChange:
        """Compute what one write does to the index.

        Args:
            key: the item's key in its table.
            old: the item that is there.
            new: the item to store, or None to delete.
            table_schema: the table's keys.
        """
        before = None if old is None else self.entry_of(old, table_schema)
        after = None if new is None else self.entry_of(new, table_schema)
        return VectorChange(
            self,
            None if before is None or old is None else self.entry_key(old, key),
            None if after is None or new is None else self.entry_key(new, key),
            before,
            after,
        )

    def copy(self) -> VectorIndex:
        """Give an index of its own with the same entries (snapshots)."""
        return replace(self, entries=self.entries.copy())

    def check_invariants(self, items: OrderedItems[StoredItem], table_schema: KeySchema) -> None:
        """Assert that the index holds what its table's items make of it.

        Raises:
            AssertionError: naming the index.
        """
        twin = replace(self, entries=OrderedItems())
        twin.fill(items, table_schema)
        assert list(twin.entries.walk()) == list(self.entries.walk()), f"{self.arn} disagrees with its table"
        assert twin.entries.size_bytes == self.entries.size_bytes, f"{self.arn}: sizes don't add up"


@dataclass(frozen=True, slots=True)
class VectorChange:
    """What one write does to one vector index: the entry before and after, each None where there is none."""

    index: VectorIndex
    old_key: Key | None
    new_key: Key | None
    old_entry: VectorEntry | None
    new_entry: VectorEntry | None

    @property
    def same_content(self) -> bool:
        """Whether both entries hold the same attributes and the same vector; sets in any order."""
        old, new = self.old_entry, self.new_entry
        if old is None or new is None or old.vector != new.vector:
            return False
        return old.shown == new.shown or same_projection(old.shown.attributes(), new.shown.attributes(), None)

    def commit(self) -> None:
        """Make the change."""
        if self.old_key is not None and self.old_key != self.new_key:
            self.index.entries.remove(self.old_key)
        if self.new_key is not None and self.new_entry is not None:
            self.index.entries.put(self.new_key, self.new_entry)
