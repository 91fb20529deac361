"""``lifecycle="realistic"``: how long a change is on its way, and what it leaves as it was until then.

Nothing waits here: a change is noted at the request (``PendingChange``), and is done when somebody looks after its end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pytest_ddbthrottle._engine.capacity import BillingMode, Throughput
from pytest_ddbthrottle._engine.control_plane.changes import ThroughputChange
from pytest_ddbthrottle._engine.errors import LimitExceededException, ThrottlingException
from pytest_ddbthrottle._engine.limits import (
    ALLOCATE_INDEX_SECONDS,
    CHANGE_CAPACITY_SECONDS,
    CHANGE_INDEX_CAPACITY_SECONDS,
    CHANGE_INDEX_CAPS_SECONDS,
    CREATE_INDEX_SECONDS,
    CREATE_INDEXED_TABLE_SECONDS,
    CREATE_TABLE_SECONDS,
    DELETE_INDEX_SECONDS,
    DELETE_TABLE_SECONDS,
    FIRST_SWITCH_TO_ON_DEMAND_SECONDS,
    LATER_SWITCH_TO_ON_DEMAND_SECONDS,
    SWITCH_INDEXED_TO_PROVISIONED_SECONDS,
    SWITCH_TO_PROVISIONED_SECONDS,
)
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._engine.operations.context import Context
from pytest_ddbthrottle._engine.pending_change import PendingChange, Work
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table
from pytest_ddbthrottle._engine.vector_index import VectorIndex

RATE_TOO_HIGH = "The rate of control plane requests made by this account is too high"
"""Source: Observed — a public lab's notes of 2026-10-09, us-west-2."""

TOO_MANY_AT_ONCE = "Subscriber limit exceeded: Only {maximum} tables can be created, updated, or deleted simultaneously"
"""Source: Observed — public reports of 2016 and 2017, when 10 was the most; Assumed — with the number of today."""


def is_realistic(context: Context) -> bool:
    """Tell whether changes take their time."""
    return context.limits.lifecycle == "realistic"


def check_operation(context: Context, table: Table | None) -> None:
    """Check that one more table may be on its way, and that the account may make one more change; then count it.

    Args:
        context: the account.
        table: what is to change; None for a new one.

    Raises:
        LimitExceededException: as many tables as there may be are on their way.
        ThrottlingException: too many changes of late.

    Source: Documented — Developer Guide, "Quotas", read 2026-11-30 (500 at once); Assumed — the order, and that a table
    on its way already is not counted once more.
    """
    if not is_realistic(context):
        return
    is_underway = table is not None and table.status_at(context.now_ns) != "ACTIVE"
    underway = sum(other.status_at(context.now_ns) != "ACTIVE" for other in context.tables.values())
    maximum = context.limits.max_simultaneous_operations
    if underway >= maximum and not is_underway:
        raise LimitExceededException(TOO_MANY_AT_ONCE.format(maximum=maximum))
    check_rate(context)


def check_rate(context: Context) -> None:
    """Check that the account may make one more change, and count it; the last check of a request.

    Raises:
        ThrottlingException: too many changes of late.

    Source: Observed — a public lab's notes of 2026-10-09, us-west-2.
    """
    if is_realistic(context) and not context.admit_change():
        raise ThrottlingException(RATE_TOO_HIGH)


def begin_creation(context: Context, table: Table) -> None:
    """Let a new table be CREATING, and its global and vector indexes with it."""
    if not is_realistic(context):
        return
    created_with_it: list[SecondaryIndex | VectorIndex] = [
        *table.global_indexes.values(),
        *table.vector_indexes.values(),
    ]
    seconds = CREATE_INDEXED_TABLE_SECONDS if created_with_it else CREATE_TABLE_SECONDS
    table.pending = PendingChange(Work.CREATION, in_seconds(context, seconds))
    for index in created_with_it:
        index.pending = table.pending


def begin_deletion(context: Context, table: Table) -> None:
    """Let a table be DELETING."""
    table.pending = PendingChange(Work.DELETION, in_seconds(context, DELETE_TABLE_SECONDS))


def begin_index_creation(context: Context, index: SecondaryIndex | VectorIndex) -> None:
    """Let a new index be allocated, then backfilled."""
    if is_realistic(context):
        backfills_from_ns = in_seconds(context, ALLOCATE_INDEX_SECONDS)
        end_ns = in_seconds(context, CREATE_INDEX_SECONDS)
        index.pending = PendingChange(Work.CREATION, end_ns, backfills_from_ns=backfills_from_ns)


def begin_index_deletion(context: Context, index: SecondaryIndex | VectorIndex) -> None:
    """Let an index be DELETING."""
    index.pending = PendingChange(Work.DELETION, in_seconds(context, DELETE_INDEX_SECONDS))


@dataclass(frozen=True, slots=True)
class Delay:
    """One change of throughput that is on its way: whose, what is in force until then, and what comes."""

    holder: Table | SecondaryIndex
    before: Throughput
    pending: PendingChange

    def begin(self) -> None:
        """Take back what was put in force, until the change is done."""
        self.holder.throughput, self.holder.pending = self.before, self.pending


def delays(context: Context, table: Table, changes: Iterable[ThroughputChange]) -> list[Delay]:
    """Give what an UpdateTable's changes of throughput wait for, before they are made; a table's caps wait for nothing."""
    if not is_realistic(context):
        return []
    found = []
    for change in changes:
        seconds = _seconds(table, change)
        if seconds:
            decreases = change.holder.history.decreases_today(context.now_ns)
            end_ns = in_seconds(context, seconds)
            pending = PendingChange(Work.UPDATE, end_ns, change.throughput, decreases_before=decreases)
            found.append(Delay(change.holder, change.before, pending))
    return found


def _seconds(table: Table, change: ThroughputChange) -> float:
    before, after = change.before, change.throughput
    if before.billing_mode is not after.billing_mode:
        return _switch_seconds(table, after.billing_mode)
    capacity_stays = (before.read_capacity_units, before.write_capacity_units) == (
        after.read_capacity_units,
        after.write_capacity_units,
    )
    if isinstance(change.holder, Table):
        return 0 if capacity_stays else CHANGE_CAPACITY_SECONDS
    return CHANGE_INDEX_CAPS_SECONDS if capacity_stays else CHANGE_INDEX_CAPACITY_SECONDS


def _switch_seconds(table: Table, mode: BillingMode) -> float:
    if mode is BillingMode.PROVISIONED:
        return SWITCH_INDEXED_TO_PROVISIONED_SECONDS if table.global_indexes else SWITCH_TO_PROVISIONED_SECONDS
    was_on_demand = table.settings.last_on_demand_ns is not None
    return LATER_SWITCH_TO_ON_DEMAND_SECONDS if was_on_demand else FIRST_SWITCH_TO_ON_DEMAND_SECONDS


def in_seconds(context: Context, seconds: float) -> int:
    """Give the instant that is so many seconds after the request's."""
    return context.now_ns + round(seconds * NANOSECONDS_PER_SECOND)
