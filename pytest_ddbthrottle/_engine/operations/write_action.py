"""What PutItem, UpdateItem, DeleteItem and a condition check share, alone, in a batch and in a transaction.

An action is understood in two steps, as the service does: ``put_action`` and its like say everything that is wrong
with the request alone; what they give binds it to its table and says what is wrong with it there. A bound
``WriteAction`` can be attempted: ``attempt`` looks at the item. Nothing changes until the attempt is committed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_ddbthrottle._engine.attribute_value import Item, item_size_bytes, normalized_item
from pytest_ddbthrottle._engine.capacity import (
    Consumption,
    OperationType,
    index_write_nano_units,
    vector_write_bytes,
    write_nano_units,
)
from pytest_ddbthrottle._engine.errors import (
    ConditionalCheckFailedException,
    DuplicateItemException,
    ServiceError,
    ValidationException,
)
from pytest_ddbthrottle._engine.expressions.condition import Condition, condition
from pytest_ddbthrottle._engine.expressions.placeholders import Placeholders
from pytest_ddbthrottle._engine.expressions.update import Update, update
from pytest_ddbthrottle._engine.keys import (
    Key,
    canonical_partition_key,
    check_index_key,
    check_item_key,
    check_key,
)
from pytest_ddbthrottle._engine.limits import MAX_ITEM_BYTES
from pytest_ddbthrottle._engine.operations.context import Request
from pytest_ddbthrottle._engine.operations.vector_checks import check_vectors
from pytest_ddbthrottle._engine.stored_items import StoredItem, stored
from pytest_ddbthrottle._engine.tables import IndexChange, PreparedWrite, Table
from pytest_ddbthrottle._engine.vector_index import VectorChange

CONDITION_FAILED = "The conditional request failed"
DUPLICATE_ITEM = "Duplicate primary key exists in table"
"""Source: Observed — public reports of PartiQL's INSERT, 2021 to 2026."""

ITEM_TOO_LARGE = "Item size has exceeded the maximum allowed size"
UPDATE_TOO_LARGE = "Item size to update has exceeded the maximum allowed size"
"""Source: Observed — eu-west-2, 2026-07, a public conformance suite."""

EXPRESSION_MEMBERS = frozenset(
    {"ConditionExpression", "UpdateExpression", "ExpressionAttributeNames", "ExpressionAttributeValues"}
)


@dataclass(frozen=True, slots=True)
class WriteAttempt:
    """A write seen against the item that is there: what it would do, and whether its condition holds."""

    prepared: PreparedWrite
    new: Item | None
    condition_holds: bool
    stores: bool = True
    inserts: bool = False

    @property
    def old(self) -> Item | None:
        """The item that is there, as a fresh value."""
        return None if self.prepared.old is None else self.prepared.old.attributes()

    def consumptions(self, factor: int = 1) -> list[Consumption]:
        """Give what the write takes: its table's part, then one for each index that it changes.

        A failed condition is charged for the larger of the two items, and no index. ``factor`` is 2 in a transaction,
        which doubles the table's part alone.

        Source: Documented — Developer Guide, "Read and write operations"; Observed — eu-west-2, 2026-07 (the arms).
        """
        own = _table_consumption(self.prepared, factor * write_nano_units(self.prepared.larger_bytes))
        if not self.condition_holds:
            return [own]
        parts = (_index_consumption(self.prepared, change) for change in self.prepared.index_changes)
        taken = [own, *(part for part in parts if part is not None)]
        for change in self.prepared.vector_changes:
            taken += _vector_consumptions(self.prepared, change)
        return taken

    def commit(self, at_ns: int) -> None:
        """Store what the write makes."""
        if self.stores:
            self.prepared.commit(at_ns)

    def condition_failure(self, request: Request) -> ServiceError:
        """Give the error of a failed condition, with the old item if the request wants it."""
        if self.inserts:
            return DuplicateItemException(DUPLICATE_ITEM)
        old = self.old if request.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD" else None
        return ConditionalCheckFailedException(CONDITION_FAILED, None if old is None else {"Item": old})


@dataclass(frozen=True, slots=True)
class WriteAction:
    """One understood write.

    Attributes:
        table: where.
        key: which item.
        key_item: the key's attributes, and perhaps others.
        condition: what must hold, if anything.
        new: the item that a put stores.
        new_at_rest: the same, as it is stored.
        make_new: gives the item to store from the one that is there; None for a put or delete, which need not look.
        update: what an update reports as changed.
        stores: False for a condition check.
        inserts: whether it must not find an item, as PartiQL's INSERT.
    """

    table: Table
    key: Key
    key_item: Item
    condition: Condition | None
    new: Item | None = None
    new_at_rest: StoredItem | None = None
    make_new: Callable[[Item | None], Item] | None = None
    update: Update | None = None
    stores: bool = True
    inserts: bool = False

    def attempt(self) -> WriteAttempt:
        """Look at the item and compute the write.

        Raises:
            ValidationException: the item that is there makes the write invalid.
        """
        looks = self.condition is not None or self.make_new is not None or self.table.has_indexes
        found = self.table.items.get(self.key) if looks else None
        old = None if found is None else found.attributes()
        holds = self.condition is None or self.condition.matches(old or {})
        new = self._new(old, holds=holds) if self.stores else old
        prepared = self.table.prepare_write(self.key, old, new, self.new_at_rest)
        return WriteAttempt(prepared, new, holds, self.stores, self.inserts)

    def _new(self, old: Item | None, *, holds: bool) -> Item | None:
        if self.make_new is None:
            return self.new
        try:
            return self.make_new(old)
        except ValidationException:
            # A false condition is charged for the larger of both images, and never hidden by a fault of the second.
            if holds:
                raise
            return old


Bind = Callable[[Table], WriteAction]
"""Binds an action to its table.

Raises:
    ValidationException: the action is not valid there.
"""


def put_action(request: Request) -> Bind:
    """Understand a Put: ``PutItemInput``, the ``Put`` of a transaction, or a ``PutRequest``.

    Raises:
        ValidationException: the request is not valid.
    """
    item = normalized_item(request["Item"])
    bound_condition, _ = _expressions(request)
    return put_of(item, bound_condition)


def put_of(item: Item, bound_condition: Condition | None, *, inserts: bool = False) -> Bind:
    """Give a Put of a normalised item.

    Raises:
        ValidationException: the item is too large.
    """
    at_rest = stored(item)
    if at_rest.size_bytes > MAX_ITEM_BYTES:
        raise ValidationException(ITEM_TOO_LARGE)

    def bind(table: Table) -> WriteAction:
        check_item_key(table.key_schema, item)
        _check_index_keys(table, item)
        check_vectors(table, item)
        key = table.key_schema.key_of(item)
        return WriteAction(table, key, item, bound_condition, item, at_rest, inserts=inserts)

    return bind


def delete_action(request: Request) -> Bind:
    """Understand a Delete: ``DeleteItemInput``, the ``Delete`` of a transaction, or a ``DeleteRequest``."""
    return _keyed(request, stores=True)


def condition_check_action(request: Request) -> Bind:
    """Understand the ``ConditionCheck`` of a transaction: it leaves the item as it is."""
    return _keyed(request, stores=False)


def _keyed(request: Request, *, stores: bool) -> Bind:
    key_item = normalized_item(request["Key"])
    bound_condition, _ = _expressions(request)
    return lambda table: keyed_write(table, key_item, bound_condition, stores=stores)


def keyed_write(table: Table, key_item: Item, bound_condition: Condition | None, *, stores: bool = True) -> WriteAction:
    """Give a Delete, or a condition check, of the item with a key.

    Raises:
        ValidationException: the key is not one of the table.
    """
    check_key(table.key_schema, key_item)
    return WriteAction(table, table.key_schema.key_of(key_item), key_item, bound_condition, stores=stores)


def update_action(request: Request, *, flat_gate: bool = False) -> Bind:
    """Understand an Update: ``UpdateItemInput``, or the ``Update`` of a transaction.

    Args:
        request: the wire form.
        flat_gate: whether the size limit sees the finished item alone, as in a transaction.
    """
    key_item = normalized_item(request["Key"])
    bound_condition, bound_update = _expressions(request)
    return lambda table: updating_write(table, key_item, bound_condition, bound_update, flat_gate=flat_gate)


def updating_write(
    table: Table, key_item: Item, bound_condition: Condition | None, bound_update: Update | None, *, flat_gate: bool
) -> WriteAction:
    """Give an Update of the item with a key; ``flat_gate`` as of ``update_action``.

    Raises:
        ValidationException: the key is not one of the table, or the update touches it.
    """
    if bound_update is not None:
        bound_update.check_keys(table.key_schema.names)
    check_key(table.key_schema, key_item)

    def make_new(old: Item | None) -> Item:
        before = dict(key_item) if old is None else old
        return before if bound_update is None else _updated(table, bound_update, before, flat_gate=flat_gate)

    key = table.key_schema.key_of(key_item)
    return WriteAction(table, key, key_item, bound_condition, make_new=make_new, update=bound_update)


def _updated(table: Table, bound_update: Update, before: Item, *, flat_gate: bool) -> Item:
    after = bound_update.apply(before)
    gate_bytes = item_size_bytes(after)
    if not flat_gate:
        gate_bytes = max(gate_bytes, bound_update.written_gate_bytes(after))
    if gate_bytes > MAX_ITEM_BYTES:
        raise ValidationException(UPDATE_TOO_LARGE)
    # An index that was added later may have left the item out for an attribute that this update does not touch.
    changed = {name: value for name, value in after.items() if before.get(name) != value} if table.has_indexes else {}
    _check_index_keys(table, changed, updated=True)
    check_vectors(table, changed, updated=True)
    return after


def _expressions(request: Request) -> tuple[Condition | None, Update | None]:
    if EXPRESSION_MEMBERS.isdisjoint(request):
        return None, None
    placeholders = Placeholders(request.get("ExpressionAttributeNames"), request.get("ExpressionAttributeValues"))
    update_text, condition_text = request.get("UpdateExpression"), request.get("ConditionExpression")
    if update_text is None and condition_text is None:
        placeholders.check_without_expressions()
    bound_update = None if update_text is None else update(update_text, placeholders)
    bound_condition = None if condition_text is None else condition(condition_text, placeholders)
    placeholders.check_all_used()
    return bound_condition, bound_update


def _check_index_keys(table: Table, item: Mapping[str, Any], *, updated: bool = False) -> None:
    # The service names the first by name of the indexes that share an attribute.
    for name in sorted(table.indexes):
        check_index_key(name, table.indexes[name].key_schema, item, updated=updated)


def _table_consumption(prepared: PreparedWrite, nano_units: int, local_index_name: str | None = None) -> Consumption:
    table = prepared.table
    partition_key = canonical_partition_key(table.key_schema.collection_prefix(prepared.key))
    return Consumption(
        table.name,
        OperationType.WRITE,
        nano_units,
        local_index_name=local_index_name,
        key_ranges=((partition_key, nano_units),),
    )


def _index_consumption(prepared: PreparedWrite, change: IndexChange) -> Consumption | None:
    removed, added = index_write_nano_units(
        change.old_entry.size_bytes if change.old_entry else None,
        change.new_entry.size_bytes if change.new_entry else None,
        same_key=change.old_key == change.new_key,
        same_content=change.same_content,
    )
    if not removed + added:
        return None
    if not change.index.is_global:
        return _table_consumption(prepared, removed + added, change.index.name)
    schema = change.index.key_schema
    key_ranges = tuple(
        (canonical_partition_key(schema.collection_prefix(key)), nano_units)
        for key, nano_units in ((change.old_key, removed), (change.new_key, added))
        if key is not None and nano_units
    )
    return Consumption(
        prepared.table.name, OperationType.WRITE, removed + added, change.index.name, key_ranges=key_ranges
    )


def _vector_consumptions(prepared: PreparedWrite, change: VectorChange) -> list[Consumption]:
    written_bytes = vector_write_bytes(
        change.old_entry.size_bytes if change.old_entry else None,
        change.new_entry.size_bytes if change.new_entry else None,
        same_key=change.old_key == change.new_key,
        same_content=change.same_content,
    )
    name = change.index.name
    part = Consumption(prepared.table.name, OperationType.WRITE, 0, vector_index_name=name, vector_bytes=written_bytes)
    return [part] if written_bytes else []
