"""What the state of a table or of its indexes refuses: changes that would meet one that is still on its way.

Under ``lifecycle="instant"`` nothing is ever on its way, and nothing cools down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from types import MappingProxyType
from typing import Any

from pytest_ddbthrottle._engine.control_plane.index_updates import ONE_ONLINE_INDEX, IndexUpdate
from pytest_ddbthrottle._engine.control_plane.lifecycle import check_rate, is_realistic
from pytest_ddbthrottle._engine.errors import LimitExceededException, ResourceInUseException, ThrottlingException
from pytest_ddbthrottle._engine.limits import PROTECTION_COOL_DOWN_SECONDS, TAG_LOCK_SECONDS
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._engine.operations.context import Context
from pytest_ddbthrottle._engine.pending_change import Work
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table
from pytest_ddbthrottle._engine.vector_index import VectorIndex

Request = Mapping[str, Any]

IN_USE = "Attempt to change a resource which is still in use: "
BEING_CREATED = f"{IN_USE}Table is being created: {{table}}"
BEING_DELETED = f"{IN_USE}Table is being deleted: {{table}}"
BEING_UPDATED = f"{IN_USE}Table: {{table}} is in the process of being updated."
INDEXES_BUSY = f"{IN_USE}Cannot delete table while indexes are being created, updated, or deleted."
CAPACITY_BUSY = f"{IN_USE}Table IOPS are currently being updated. Table: {{table}}"
CAPACITY_BESIDE_DELETION = (
    f"{IN_USE}Can't change table IOPS when an index is being deleted. Table: {{table}} Indexes: [{{indexes}}]"
)
INDEX_BESIDE_CAPACITY = f"{IN_USE}Can't create or delete indexes while table IOPS are being updated. Table: {{table}}"
CAPS_BESIDE_CREATION = (
    f"{IN_USE}OnDemandThroughput cannot be updated while index creation is in progress for indexes: [{{indexes}}]"
)
IN_ALLOCATION = (
    f"{IN_USE}Index creation is in resource allocation phase. Retry deletion during backfilling phase or when the index "
    "is active. Table: {table} Index: {index}"
)
PROTECTION_COOLS_DOWN = (
    "Deletion protection setting for table {table} modified within the previous 15000 milliseconds. "
    "Please try again after {instant}"
)
TAGS_LOCKED = "Subscriber limit exceeded: Table tags are being updated: {table}"
"""Source: Observed — a public lab's notes of 2026-10-08 and 2026-10-09, us-west-2."""

INDEX_BUSY: Mapping[Work, str] = MappingProxyType(
    {
        Work.CREATION: f"{IN_USE}Index is being created. Table: {{table}} Index: {{index}}",
        Work.UPDATE: f"{IN_USE}Index is being updated. Table: {{table}} Index: {{index}}",
        Work.DELETION: f"{IN_USE}Index is being deleted. Table: {{table}} Index: {{index}}",
    }
)
"""Source: Observed — as above (updated; deleted up to its first full stop); Assumed — the rest, and the text of creation."""


def check_present(table: Table) -> None:
    """Check that a table is there to be changed.

    Raises:
        ResourceInUseException: it is being created or deleted.

    Source: Observed — a public lab's notes of 2026-10-09, us-west-2.
    """
    work = table.pending.work if table.pending is not None else None
    if work is Work.CREATION:
        raise ResourceInUseException(BEING_CREATED.format(table=table.name))
    if work is Work.DELETION:
        raise ResourceInUseException(BEING_DELETED.format(table=table.name))


def check_deletable(table: Table, now_ns: int) -> None:
    """Check that nothing is on its way that a DeleteTable would meet.

    Raises:
        ResourceInUseException: the table is not ACTIVE, or one of its indexes is not.

    Source: Observed — a public lab's notes of 2026-10-09, us-west-2; Assumed — the table's own change is named first.
    """
    check_present(table)
    if table.pending is not None or table.is_stream_settling(now_ns):
        raise ResourceInUseException(BEING_UPDATED.format(table=table.name))
    if table.pending_changes:
        raise ResourceInUseException(INDEXES_BUSY)


def check_updatable(table: Table, request: Request, updates: Sequence[IndexUpdate], now_ns: int) -> None:
    """Check that nothing is on its way that an UpdateTable would meet.

    Args:
        table: the table.
        request: ``UpdateTableInput``.
        updates: its entries of indexes.
        now_ns: the instant.

    Raises:
        LimitExceededException: another index is being created or deleted.
        ResourceInUseException: the table, its capacity or the index is being changed.

    Source: Observed — a public lab's notes of 2026-10-08 and 2026-10-09, us-west-2; Assumed — the order.
    """
    check_present(table)
    if _changes_capacity(table, request):
        _check_capacity(table)
    if _switches(table, request):
        for index in table.global_indexes.values():
            check_index_free(table, index, is_deletion=False, now_ns=now_ns)
    creating = _names_of(table, Work.CREATION)
    if "OnDemandThroughput" in request and creating:
        raise ResourceInUseException(CAPS_BESIDE_CREATION.format(indexes=", ".join(creating)))
    for update in updates:
        _check_index_update(table, update, now_ns)


def _changes_capacity(table: Table, request: Request) -> bool:
    return "ProvisionedThroughput" in request or _switches(table, request)


def _switches(table: Table, request: Request) -> bool:
    """Tell whether a request changes the mode; the one that is in force, sent again, is no change."""
    mode = table.throughput.billing_mode.value
    return bool(request.get("BillingMode", mode) != mode)


def _check_capacity(table: Table) -> None:
    if table.pending is not None:
        raise ResourceInUseException(CAPACITY_BUSY.format(table=table.name))
    deleting = _names_of(table, Work.DELETION)
    if deleting:
        raise ResourceInUseException(CAPACITY_BESIDE_DELETION.format(table=table.name, indexes=", ".join(deleting)))


def _names_of(table: Table, work: Work) -> list[str]:
    return [index.name for index in table.every_index.values() if index.pending and index.pending.work is work]


def _check_index_update(table: Table, update: IndexUpdate, now_ns: int) -> None:
    index = table.every_index.get(update.index_name)
    is_online = update.action != "Update"
    if is_online and table.pending is not None:
        raise ResourceInUseException(INDEX_BESIDE_CAPACITY.format(table=table.name))
    if index is not None:
        check_index_free(table, index, is_deletion=is_online, now_ns=now_ns)
    online = {*_names_of(table, Work.CREATION), *_names_of(table, Work.DELETION)} - {update.index_name}
    if is_online and online:
        raise LimitExceededException(ONE_ONLINE_INDEX)


def check_index_free(table: Table, index: SecondaryIndex | VectorIndex, *, is_deletion: bool, now_ns: int) -> None:
    """Check that nothing of an index is on its way; one that is being backfilled can be deleted.

    Raises:
        ResourceInUseException: something is.
    """
    pending = index.pending
    if pending is None or (is_deletion and pending.is_backfilling(now_ns)):
        return
    allocates = is_deletion and pending.work is Work.CREATION
    text = IN_ALLOCATION if allocates else INDEX_BUSY[pending.work]
    raise ResourceInUseException(text.format(table=table.name, index=index.name))


def check_protection_cool_down(context: Context, table: Table) -> None:
    """Check that the deletion protection was not set within the last 15 seconds.

    Raises:
        ThrottlingException: it was; the text says when it can be set again.

    Source: Observed — a public lab's notes of 2026-10-09, us-west-2 (the text, and the form of the instant).
    """
    set_ns = table.settings.protection_changed_ns
    if set_ns is None or not is_realistic(context):
        return
    free_ns = set_ns + PROTECTION_COOL_DOWN_SECONDS * NANOSECONDS_PER_SECOND
    if context.now_ns < free_ns:
        raise ThrottlingException(PROTECTION_COOLS_DOWN.format(table=table.name, instant=in_iso_form(free_ns)))


def check_tags_free(context: Context, table: Table) -> None:
    """Check that the tags of a table can be changed.

    Raises:
        LimitExceededException: they were changed a moment ago.
        ResourceInUseException: the table is being created or deleted.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2.
    """
    check_present(table)
    set_ns = table.settings.tags_changed_ns
    if set_ns is None or not is_realistic(context):
        return
    if context.now_ns < set_ns + round(TAG_LOCK_SECONDS * NANOSECONDS_PER_SECOND):
        raise LimitExceededException(TAGS_LOCKED.format(table=table.name))


def in_iso_form(instant_ns: int) -> str:
    """Give an instant in UTC, to the millisecond."""
    instant = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=instant_ns // 10**6)
    return f"{instant:%Y-%m-%dT%H:%M:%S}.{instant.microsecond // 1000:03d}Z"


def change_tags(context: Context, table: Table, tags: Mapping[str, str]) -> None:
    """Give a table these tags, unless it is about something else or the account changes too much.

    Raises:
        LimitExceededException, ResourceInUseException, ThrottlingException
    """
    check_tags_free(context, table)
    check_rate(context)
    table.settings = replace(table.settings, tags=dict(tags), tags_changed_ns=context.now_ns)
