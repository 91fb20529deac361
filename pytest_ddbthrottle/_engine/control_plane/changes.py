"""UpdateTable's changes of throughput, computed before any of them is made: of the table, and of each index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pytest_ddbthrottle._engine.capacity import BillingMode, Throughput
from pytest_ddbthrottle._engine.control_plane.account_limits import GUIDE, Change
from pytest_ddbthrottle._engine.control_plane.change_budgets import check_decrease
from pytest_ddbthrottle._engine.control_plane.throughput import (
    BOTH_INDEX_UNITS_NEEDED,
    NO_UNITS_ON_DEMAND,
    TABLE,
    Subject,
    warmed,
    with_caps,
    with_warm_throughput,
)
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.keys import INVALID_PARAMETER
from pytest_ddbthrottle._engine.table_settings import asked_after, is_decrease
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table

Request = Mapping[str, Any]

UNITS_WITH_ON_DEMAND = (
    f"{INVALID_PARAMETER}ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST"
)
NO_UNITS_WITH_PROVISIONED = (
    f"{INVALID_PARAMETER}ProvisionedThroughput must be specified when BillingMode is PROVISIONED"
)
NO_UNITS_FOR_INDEX = f"{INVALID_PARAMETER}ProvisionedThroughput must be specified for index: {{index}}"
ON_DEMAND_INDEX_UPDATE = (
    f"{INVALID_PARAMETER}The only Updates for index: {{index}} when TableThroughputMode is PAY_PER_REQUEST can be to "
    "OnDemandThroughput, WarmThroughput"
)
EMPTY_WARM_THROUGHPUT = (
    f"{INVALID_PARAMETER}WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified "
    "for index: {index}"
)
WILL_NOT_CHANGE = (
    "The provisioned throughput for the {subject} will not change. The requested value equals the current value. "
    "Current ReadCapacityUnits provisioned for the {subject}: {read}. Requested ReadCapacityUnits: {read}. "
    "Current WriteCapacityUnits provisioned for the {subject}: {write}. Requested WriteCapacityUnits: {write}. " + GUIDE
)
"""Source: Observed — a public lab's notes of 2026-10-08 and 2026-10-09, us-west-2."""


@dataclass(frozen=True, slots=True)
class ThroughputChange:
    """The throughput that a table or index is about to get."""

    holder: Table | SecondaryIndex
    throughput: Throughput

    @property
    def before(self) -> Throughput:
        """What is in force."""
        return self.holder.throughput or self.throughput

    def as_asked(self) -> Change:
        """Give the change as the account's limits count it."""
        asked = self.holder.history.asked or self.before
        name = self.holder.name if isinstance(self.holder, SecondaryIndex) else None
        return Change(name, asked, asked_after(asked, self.before, self.throughput))

    def check_budget(self, now_ns: int) -> None:
        """Check that a decrease is allowed.

        Raises:
            LimitExceededException: the holder's budget of decreases is spent.
        """
        if is_decrease(self.before, self.throughput):
            check_decrease(self.holder.history, now_ns)

    def commit(self, now_ns: int) -> None:
        """Put it in force, and note when."""
        self.holder.history = self.holder.history.changed(self.before, self.throughput, now_ns)
        self.holder.throughput = self.throughput


def table_change(table: Table, request: Request) -> Throughput:
    """Give the throughput that an UpdateTable asks for its table, which may be the present one.

    Raises:
        ValidationException: the members contradict each other or the table's billing mode, or change nothing.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2 (rules and texts).
    """
    asked_mode, units = request.get("BillingMode"), request.get("ProvisionedThroughput")
    _check_mode(table, asked_mode, units)
    switched = _switched(table.throughput, BillingMode(asked_mode or table.throughput.billing_mode))
    if units is not None:
        switched = warmed(_with_units(switched, units))
        _check_changes(table, switched, TABLE)
    capped = with_caps(switched, request.get("OnDemandThroughput"), TABLE, creating=False)
    return with_warm_throughput(capped, request.get("WarmThroughput"), TABLE, creating=False)


def _check_mode(table: Table, asked_mode: str | None, units: Request | None) -> None:
    if asked_mode == "PAY_PER_REQUEST" and units is not None:
        raise ValidationException(UNITS_WITH_ON_DEMAND)
    if asked_mode == "PROVISIONED" and units is None:
        raise ValidationException(NO_UNITS_WITH_PROVISIONED)
    on_demand = table.throughput.billing_mode is BillingMode.PAY_PER_REQUEST
    if asked_mode is None and units is not None and on_demand:
        raise ValidationException(NO_UNITS_ON_DEMAND)


def _switched(throughput: Throughput, mode: BillingMode) -> Throughput:
    """Give a throughput in a mode; a switch drops the caps, or the capacity, of the other one."""
    if mode is throughput.billing_mode:
        return throughput
    return warmed(
        replace(
            throughput,
            billing_mode=mode,
            read_capacity_units=0,
            write_capacity_units=0,
            max_read_request_units=None,
            max_write_request_units=None,
        )
    )


def _with_units(throughput: Throughput, units: Request) -> Throughput:
    return replace(
        throughput,
        read_capacity_units=units["ReadCapacityUnits"],
        write_capacity_units=units["WriteCapacityUnits"],
    )


def _check_changes(holder: Table | SecondaryIndex, after: Throughput, subject: Subject) -> None:
    """Check that something changes; beside a change on its way, it is for the state to refuse."""
    before = holder.throughput or after
    if holder.pending is not None:
        return
    read, write = before.read_capacity_units, before.write_capacity_units
    if before.billing_mode is after.billing_mode and (read, write) == (
        after.read_capacity_units,
        after.write_capacity_units,
    ):
        raise ValidationException(WILL_NOT_CHANGE.format(subject=subject.in_text, read=read, write=write))


def check_index_update(update: Request) -> None:
    """Check what an ``Update`` of an index can be told by itself, before anything is looked up.

    Raises:
        ValidationException: an empty ``WarmThroughput``, or one unit without the other.

    Source: Observed — a public lab's notes of 2026-10-09, us-west-2.
    """
    if update.get("WarmThroughput") == {}:
        raise ValidationException(EMPTY_WARM_THROUGHPUT.format(index=update["IndexName"]))
    units = update.get("ProvisionedThroughput")
    if units is not None and not ("ReadCapacityUnits" in units and "WriteCapacityUnits" in units):
        raise ValidationException(BOTH_INDEX_UNITS_NEEDED.format(index=update["IndexName"]))


def index_change(index: SecondaryIndex, update: Request, table_after: Throughput) -> Throughput:
    """Give the throughput that an ``Update`` of an index asks for.

    Args:
        index: the index.
        update: ``UpdateGlobalSecondaryIndexAction``.
        table_after: the table's throughput after the request: its mode is the index's.

    Raises:
        ValidationException: the members contradict the billing mode, or change nothing.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2; Assumed — the text where a provisioned index is
    given no capacity.
    """
    before, subject, units = index.throughput or table_after, Subject(index.name), update.get("ProvisionedThroughput")
    on_demand = table_after.billing_mode is BillingMode.PAY_PER_REQUEST
    changes_on_demand = update.get("OnDemandThroughput") or update.get("WarmThroughput")
    if on_demand and (units is not None or not changes_on_demand):
        raise ValidationException(ON_DEMAND_INDEX_UPDATE.format(index=index.name))
    if (
        not on_demand
        and units is None
        and (not changes_on_demand or before.billing_mode is not table_after.billing_mode)
    ):
        raise ValidationException(NO_UNITS_FOR_INDEX.format(index=index.name))
    moved = _switched(before, table_after.billing_mode)
    if units is not None:
        moved = warmed(_with_units(moved, units))
        _check_changes(index, moved, subject)
    capped = with_caps(moved, update.get("OnDemandThroughput"), subject, creating=False)
    return with_warm_throughput(capped, update.get("WarmThroughput"), subject, creating=False)


def switched_index(index: SecondaryIndex, table_after: Throughput) -> Throughput:
    """Give an index the billing mode that its table switches to.

    Raises:
        ValidationException: to PROVISIONED, each index needs an Update with its capacity in the same request.
    """
    if table_after.billing_mode is BillingMode.PROVISIONED:
        raise ValidationException(NO_UNITS_FOR_INDEX.format(index=index.name))
    return _switched(index.throughput or table_after, table_after.billing_mode)
