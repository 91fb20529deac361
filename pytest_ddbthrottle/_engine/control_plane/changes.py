"""UpdateTable's changes, computed before any of them is made: throughput of the table and of each index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pytest_ddbthrottle._engine.capacity import BillingMode, Throughput
from pytest_ddbthrottle._engine.control_plane.description import decreases_today, utc_day
from pytest_ddbthrottle._engine.control_plane.throughput import (
    NO_UNITS_ON_DEMAND,
    TABLE,
    Subject,
    warmed,
    with_caps,
    with_warm_throughput,
)
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.keys import INVALID_PARAMETER
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table

Request = Mapping[str, Any]
GUIDE = "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."


@dataclass(frozen=True, slots=True)
class ThroughputChange:
    """The throughput that a table or index is about to get."""

    holder: Table | SecondaryIndex
    throughput: Throughput

    def commit(self, now_ns: int) -> None:
        """Put it in force, and count it as an increase, a decrease, or neither."""
        before = self.holder.throughput
        self.holder.throughput = self.throughput
        if before is None or self.throughput.billing_mode is not BillingMode.PROVISIONED:
            return
        _count(self.holder.details, before, self.throughput, now_ns)


def _count(details: dict[str, Any], before: Throughput, after: Throughput, now_ns: int) -> None:
    changes = (
        after.read_capacity_units - before.read_capacity_units,
        after.write_capacity_units - before.write_capacity_units,
    )
    if before.billing_mode is BillingMode.PROVISIONED and min(changes) < 0:
        details["decreases"] = (utc_day(now_ns), decreases_today(details, now_ns) + 1)
        details["last_decrease_ns"] = now_ns
    elif max(changes) > 0:
        details["last_increase_ns"] = now_ns


def table_change(table: Table, request: Request) -> Throughput:
    """Give the throughput that an UpdateTable asks for its table, which may be the present one.

    Raises:
        ValidationException: the members contradict each other or the table's billing mode, or change nothing.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2 (rules and texts).
    """
    asked_mode, units = request.get("BillingMode"), request.get("ProvisionedThroughput")
    _check_mode(table, asked_mode, units)
    switched = _switched(table.throughput, asked_mode)
    if units is not None:
        changed = with_units(switched, units)
        if asked_mode is None or switched == table.throughput:
            check_changes(table.throughput, changed, TABLE)
        switched = warmed(changed)
    capped = with_caps(switched, request.get("OnDemandThroughput"), TABLE, creating=False)
    return with_warm_throughput(capped, request.get("WarmThroughput"), TABLE, creating=False)


def _check_mode(table: Table, asked_mode: str | None, units: Request | None) -> None:
    if asked_mode == "PAY_PER_REQUEST" and units is not None:
        raise ValidationException(
            f"{INVALID_PARAMETER}ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST"
        )
    if asked_mode == "PROVISIONED" and units is None:
        raise ValidationException(
            f"{INVALID_PARAMETER}ProvisionedThroughput must be specified when BillingMode is PROVISIONED"
        )
    on_demand = table.throughput.billing_mode is BillingMode.PAY_PER_REQUEST
    if asked_mode is None and units is not None and on_demand:
        raise ValidationException(NO_UNITS_ON_DEMAND)


def _switched(throughput: Throughput, asked_mode: str | None) -> Throughput:
    """Give a throughput in the mode that is asked for; a switch drops the caps, or the capacity, of the old mode."""
    mode = throughput.billing_mode if asked_mode is None else BillingMode(asked_mode)
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


def with_units(throughput: Throughput, units: Request) -> Throughput:
    """Give a throughput with the capacity of ``ProvisionedThroughput``."""
    return replace(
        throughput,
        read_capacity_units=units["ReadCapacityUnits"],
        write_capacity_units=units["WriteCapacityUnits"],
    )


def check_changes(before: Throughput, after: Throughput, subject: Subject) -> None:
    """Check that provisioned capacity changes at all.

    Raises:
        ValidationException: it stays the same.
    """
    if (before.read_capacity_units, before.write_capacity_units) != (
        after.read_capacity_units,
        after.write_capacity_units,
    ):
        return
    the = f"the {subject.for_text}"
    read, write = before.read_capacity_units, before.write_capacity_units
    raise ValidationException(
        f"The provisioned throughput for {the} will not change. The requested value equals the current value. "
        f"Current ReadCapacityUnits provisioned for {the}: {read}. Requested ReadCapacityUnits: {read}. "
        f"Current WriteCapacityUnits provisioned for {the}: {write}. Requested WriteCapacityUnits: {write}. {GUIDE}"
    )


def index_change(index: SecondaryIndex, update: Request, table_after: Throughput, *, switches: bool) -> Throughput:
    """Give the throughput that an ``Update`` of an index asks for.

    Args:
        index: the index.
        update: ``UpdateGlobalSecondaryIndexAction``.
        table_after: the table's throughput after the request: its mode is the index's.
        switches: whether the request changes the billing mode.

    Raises:
        ValidationException: the members contradict the billing mode, or change nothing.
    """
    before = index.throughput or table_after
    subject, units = Subject(index.name), update.get("ProvisionedThroughput")
    moved = _switched(before, table_after.billing_mode.value)
    if units is not None:
        if table_after.billing_mode is BillingMode.PAY_PER_REQUEST:
            raise ValidationException(
                f"{INVALID_PARAMETER}The only Updates for index: {index.name} when TableThroughputMode is "
                "PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput"
            )
        changed = with_units(moved, units)
        if not switches:
            check_changes(before, changed, subject)
        moved = warmed(changed)
    capped = with_caps(moved, update.get("OnDemandThroughput"), subject, creating=False)
    return with_warm_throughput(capped, update.get("WarmThroughput"), subject, creating=False)


def switched_index(index: SecondaryIndex, table_after: Throughput) -> Throughput:
    """Give an index the billing mode that its table switches to.

    Raises:
        ValidationException: to PROVISIONED, each index needs an Update with its capacity in the same request.
    """
    if table_after.billing_mode is BillingMode.PROVISIONED:
        raise ValidationException(f"{INVALID_PARAMETER}ProvisionedThroughput must be specified for index: {index.name}")
    return _switched(index.throughput or table_after, table_after.billing_mode.value)
