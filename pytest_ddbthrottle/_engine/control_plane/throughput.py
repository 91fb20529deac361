"""Throughput as a request asks for it: billing mode, capacity, caps and warm throughput, and the rules between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pytest_ddbthrottle._engine.capacity import BillingMode, Throughput
from pytest_ddbthrottle._engine.errors import InternalFailure, ValidationException
from pytest_ddbthrottle._engine.keys import INVALID_PARAMETER
from pytest_ddbthrottle._engine.limits import (
    NEW_ON_DEMAND_READ_UNITS_PER_SECOND,
    NEW_ON_DEMAND_WRITE_UNITS_PER_SECOND,
)

Request = Mapping[str, Any]

BOTH_UNITS_NEEDED = f"{INVALID_PARAMETER}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"
NO_UNITS_ON_DEMAND = (
    f"{INVALID_PARAMETER}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
    "PAY_PER_REQUEST"
)
"""Source: Observed — a public lab's notes of 2026-10-08, us-west-2."""

CAPS = ("MaxReadRequestUnits", "MaxWriteRequestUnits")
WARM = {
    "ReadUnitsPerSecond": ("warm_read_units_per_second", "ReadCapacityUnits", NEW_ON_DEMAND_READ_UNITS_PER_SECOND),
    "WriteUnitsPerSecond": ("warm_write_units_per_second", "WriteCapacityUnits", NEW_ON_DEMAND_WRITE_UNITS_PER_SECOND),
}
ON_DEMAND_INITIAL_URL = (
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html"
    "#on-demand-capacity-mode-initial"
)


@dataclass(frozen=True, slots=True)
class Subject:
    """What a text speaks of: the table, or one index."""

    index_name: str | None = None

    @property
    def for_text(self) -> str:
        """``table`` or ``index gsi1``."""
        return "table" if self.index_name is None else f"index {self.index_name}"


TABLE = Subject()


def created_table_throughput(request: Request) -> Throughput:
    """Give the throughput that a CreateTable asks for its table.

    Raises:
        ValidationException: the members contradict each other.
    """
    mode = BillingMode(request.get("BillingMode", "PROVISIONED"))
    units = request.get("ProvisionedThroughput")
    if mode is BillingMode.PROVISIONED and units is None:
        raise ValidationException(BOTH_UNITS_NEEDED)
    if mode is BillingMode.PAY_PER_REQUEST and units is not None:
        raise ValidationException(NO_UNITS_ON_DEMAND)
    return created_throughput(mode, units, request, TABLE)


def created_index_throughput(mode: BillingMode, index: Request) -> Throughput:
    """Give the throughput that a new global index of a table in this mode asks for.

    Raises:
        ValidationException: the members contradict the table's billing mode.
    """
    name, units = index["IndexName"], index.get("ProvisionedThroughput")
    if mode is BillingMode.PROVISIONED and units is None:
        raise ValidationException(f"{INVALID_PARAMETER}ProvisionedThroughput is not specified for index: {name}")
    if mode is BillingMode.PAY_PER_REQUEST and units is not None:
        raise ValidationException(
            f"{INVALID_PARAMETER}ProvisionedThroughput should not be specified for index: {name} when BillingMode is "
            "PAY_PER_REQUEST"
        )
    return created_throughput(mode, units, index, Subject(name))


def created_throughput(mode: BillingMode, units: Request | None, request: Request, subject: Subject) -> Throughput:
    """Give the throughput of something new, its caps and warm throughput checked."""
    read, write = (units["ReadCapacityUnits"], units["WriteCapacityUnits"]) if units else (0, 0)
    base = warmed(Throughput(mode, read, write))
    capped = with_caps(base, request.get("OnDemandThroughput"), subject, creating=True)
    return with_warm_throughput(capped, request.get("WarmThroughput"), subject, creating=True)


def warmed(throughput: Throughput) -> Throughput:
    """Give a throughput whose warm throughput has caught up: what is provisioned, or what a new on-demand table serves.

    Source: Observed — a public lab's notes of 2026-10-08: warm throughput never falls.
    """
    on_demand = throughput.billing_mode is BillingMode.PAY_PER_REQUEST
    read = NEW_ON_DEMAND_READ_UNITS_PER_SECOND if on_demand else throughput.read_capacity_units
    write = NEW_ON_DEMAND_WRITE_UNITS_PER_SECOND if on_demand else throughput.write_capacity_units
    return replace(
        throughput,
        warm_read_units_per_second=max(read, throughput.warm_read_units_per_second),
        warm_write_units_per_second=max(write, throughput.warm_write_units_per_second),
    )


def with_caps(throughput: Throughput, caps: Request | None, subject: Subject, *, creating: bool) -> Throughput:
    """Give a throughput with ``OnDemandThroughput`` merged into it, member by member; -1 clears.

    Raises:
        ValidationException: the table is provisioned, or a cap is out of range.
        InternalFailure: an empty structure on UpdateTable, which the service answers so.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2.
    """
    if caps is None:
        return throughput
    if not caps and not creating:
        raise InternalFailure()
    for member in CAPS:
        if member in caps and throughput.billing_mode is BillingMode.PROVISIONED:
            the, end = ("", ".") if creating else ("the ", "")
            raise ValidationException(
                f"{INVALID_PARAMETER}{member} for OnDemandThroughput cannot be specified when {the}table BillingMode is "
                f"PROVISIONED{end}"
            )
    for member in CAPS:
        if member in caps and (caps[member] < (1 if creating else -1) or caps[member] == 0):
            raise ValidationException(
                f"{INVALID_PARAMETER}Requested {member} for OnDemandThroughput for {subject.for_text} is outside of "
                "valid range"
            )
    read, write = (
        current if member not in caps else (None if caps[member] == -1 else caps[member])
        for member, current in zip(
            CAPS, (throughput.max_read_request_units, throughput.max_write_request_units), strict=True
        )
    )
    return replace(throughput, max_read_request_units=read, max_write_request_units=write)


def with_warm_throughput(
    throughput: Throughput, warm: Request | None, subject: Subject, *, creating: bool
) -> Throughput:
    """Give a throughput with ``WarmThroughput`` raised; it can't be lowered.

    Raises:
        ValidationException: a member is lower than what is there.
        InternalFailure: an empty structure on UpdateTable, which the service answers so.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2.
    """
    if warm is None:
        return throughput
    if not warm and not creating:
        raise InternalFailure()
    raised: dict[str, int] = {}
    for member, (name, _, _) in WARM.items():
        if member in warm:
            if warm[member] < getattr(throughput, name):
                raise ValidationException(_too_cold(throughput, member, subject, creating=creating))
            raised[name] = warm[member]
    return replace(throughput, **raised)  # type: ignore[arg-type]  # the names are those of WARM


def _too_cold(throughput: Throughput, member: str, subject: Subject, *, creating: bool) -> str:
    begin = f"{INVALID_PARAMETER}Requested {member} for WarmThroughput for {subject.for_text} is lower than "
    if not creating:
        return begin + "current WarmThroughput, decreasing WarmThroughput is not supported"
    if throughput.billing_mode is BillingMode.PROVISIONED:
        return begin + f"{WARM[member][1]} of ProvisionedThroughput"
    return begin + f"initial throughput for OnDemand. See: {ON_DEMAND_INITIAL_URL}"
