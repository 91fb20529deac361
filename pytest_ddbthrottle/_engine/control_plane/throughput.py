"""Throughput as a request asks for it: billing mode, capacity, caps and warm throughput, and the rules between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from pytest_ddbthrottle._engine.capacity import BillingMode, Throughput
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.keys import INVALID_PARAMETER
from pytest_ddbthrottle._engine.limits import (
    NEW_ON_DEMAND_READ_UNITS_PER_SECOND,
    NEW_ON_DEMAND_WRITE_UNITS_PER_SECOND,
)

Request = Mapping[str, Any]

BOTH_UNITS_NEEDED = (
    f"{INVALID_PARAMETER}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is "
    "PROVISIONED"
)
NO_UNITS_ON_DEMAND = (
    f"{INVALID_PARAMETER}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
    "PAY_PER_REQUEST"
)
NO_INDEX_UNITS = f"{INVALID_PARAMETER}ProvisionedThroughput is not specified for index: {{index}}"
INDEX_UNITS_ON_DEMAND = (
    f"{INVALID_PARAMETER}ProvisionedThroughput should not be specified for index: {{index}} when BillingMode is "
    "PAY_PER_REQUEST"
)
BOTH_INDEX_UNITS_NEEDED = (
    f"{INVALID_PARAMETER}Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: {{index}}"
)
NO_NEW_INDEX_UNITS_ON_DEMAND = (
    f"{INVALID_PARAMETER}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: {{index}} when "
    "BillingMode is PAY_PER_REQUEST"
)
CAP_ON_NEW_PROVISIONED = (
    f"{INVALID_PARAMETER}{{member}} for OnDemandThroughput{{of_index}} cannot be specified when table BillingMode is "
    "PROVISIONED."
)
CAP_ON_PROVISIONED = (
    f"{INVALID_PARAMETER}{{member}} for OnDemandThroughput{{of_index}} cannot be specified when the table BillingMode is "
    "PROVISIONED"
)
CAP_OUT_OF_RANGE = (
    f"{INVALID_PARAMETER}Requested {{member}} for OnDemandThroughput for {{subject}} is outside of valid range"
)
TOO_COLD = f"{INVALID_PARAMETER}Requested {{member}} for WarmThroughput for {{subject}} is lower than "
"""Source: Observed — a public lab's notes of 2026-10-08 and 2026-10-09, us-west-2."""

ON_DEMAND_INITIAL_URL = (
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html"
    "#on-demand-capacity-mode-initial"
)

CAPS: Mapping[str, str] = MappingProxyType(
    {"MaxReadRequestUnits": "max_read_request_units", "MaxWriteRequestUnits": "max_write_request_units"}
)
"""Member of ``OnDemandThroughput`` to field of ``Throughput``."""

CLEARED = -1
"""What takes a cap away. Source: Observed — a public lab's notes of 2026-10-08, us-west-2."""


@dataclass(frozen=True, slots=True)
class WarmMember:
    """What belongs to one member of ``WarmThroughput``: its field, its provisioned twin, what on-demand starts with."""

    field: str
    provisioned_member: str
    provisioned_field: str
    on_demand_units_per_second: int


WARM: Mapping[str, WarmMember] = MappingProxyType(
    {
        "ReadUnitsPerSecond": WarmMember(
            "warm_read_units_per_second",
            "ReadCapacityUnits",
            "read_capacity_units",
            NEW_ON_DEMAND_READ_UNITS_PER_SECOND,
        ),
        "WriteUnitsPerSecond": WarmMember(
            "warm_write_units_per_second",
            "WriteCapacityUnits",
            "write_capacity_units",
            NEW_ON_DEMAND_WRITE_UNITS_PER_SECOND,
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Subject:
    """What a text speaks of: the table, or one index."""

    index_name: str | None = None

    @property
    def in_text(self) -> str:
        """``table`` or ``index gsi1``."""
        return "table" if self.index_name is None else f"index {self.index_name}"

    @property
    def in_caps_text(self) -> str:
        """``table`` or ``index : gsi1``: texts about caps set the colon apart."""
        return "table" if self.index_name is None else f"index : {self.index_name}"


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
    return _created(mode, units, request, TABLE)


def created_index_throughput(mode: BillingMode, index: Request, *, on_new_table: bool) -> Throughput:
    """Give the throughput that a new global index of a table in this mode asks for.

    Args:
        mode: the table's.
        index: ``GlobalSecondaryIndex``, or UpdateTable's ``CreateGlobalSecondaryIndexAction``.
        on_new_table: whether CreateTable asks; UpdateTable has other texts.

    Raises:
        ValidationException: the members contradict the table's billing mode.
    """
    name, units = index["IndexName"], index.get("ProvisionedThroughput")
    missing, unwanted = (
        (NO_INDEX_UNITS, INDEX_UNITS_ON_DEMAND)
        if on_new_table
        else (BOTH_INDEX_UNITS_NEEDED, NO_NEW_INDEX_UNITS_ON_DEMAND)
    )
    if mode is BillingMode.PROVISIONED and units is None:
        raise ValidationException(missing.format(index=name))
    if mode is BillingMode.PAY_PER_REQUEST and units is not None:
        raise ValidationException(unwanted.format(index=name))
    return _created(mode, units, index, Subject(name))


def _created(mode: BillingMode, units: Request | None, request: Request, subject: Subject) -> Throughput:
    read, write = (units["ReadCapacityUnits"], units["WriteCapacityUnits"]) if units else (0, 0)
    base = warmed(Throughput(mode, read, write))
    capped = with_caps(base, request.get("OnDemandThroughput"), subject, creating=True)
    return with_warm_throughput(capped, request.get("WarmThroughput"), subject, creating=True)


def warmed(throughput: Throughput) -> Throughput:
    """Give a throughput whose warm throughput has caught up: what is provisioned, or what a new on-demand table serves.

    Source: Observed — a public lab's notes of 2026-10-08: warm throughput never falls.
    """
    on_demand = throughput.billing_mode is BillingMode.PAY_PER_REQUEST
    caught_up = {
        rule.field: max(
            rule.on_demand_units_per_second if on_demand else getattr(throughput, rule.provisioned_field),
            getattr(throughput, rule.field),
        )
        for rule in WARM.values()
    }
    return replace(throughput, **caught_up)


def with_caps(throughput: Throughput, caps: Request | None, subject: Subject, *, creating: bool) -> Throughput:
    """Give a throughput with ``OnDemandThroughput`` merged into it, member by member; -1 clears.

    Args:
        throughput: what there is.
        caps: ``OnDemandThroughput``, or None.
        subject: the table or index.
        creating: whether it is new: then nothing can be cleared.

    Raises:
        ValidationException: the table is provisioned, or a cap is out of range.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2; a public conformance suite (the order).
    """
    asked = {member: caps[member] for member in CAPS if member in caps} if caps else {}
    if asked and throughput.billing_mode is BillingMode.PROVISIONED:
        text = CAP_ON_NEW_PROVISIONED if creating else CAP_ON_PROVISIONED
        of_index = "" if subject.index_name is None else f" for {subject.in_caps_text}"
        raise ValidationException(text.format(member=next(iter(asked)), of_index=of_index))
    for member, cap in asked.items():
        if cap < 1 and (creating or cap != CLEARED):
            raise ValidationException(CAP_OUT_OF_RANGE.format(member=member, subject=subject.in_caps_text))
    changed: dict[str, Any] = {CAPS[member]: None if cap == CLEARED else cap for member, cap in asked.items()}
    return replace(throughput, **changed)


def with_warm_throughput(
    throughput: Throughput, warm: Request | None, subject: Subject, *, creating: bool
) -> Throughput:
    """Give a throughput with ``WarmThroughput`` raised; it can't be lowered.

    Args:
        throughput: what there is.
        warm: ``WarmThroughput``, or None.
        subject: the table or index.
        creating: whether it is new.

    Raises:
        ValidationException: a member is lower than what is there.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2.
    """
    asked = {member: warm[member] for member in WARM if member in warm} if warm else {}
    for member, units_per_second in asked.items():
        if units_per_second < getattr(throughput, WARM[member].field):
            begin = TOO_COLD.format(member=member, subject=subject.in_text)
            raise ValidationException(begin + _what_is_warmer(throughput, member, creating=creating))
    raised: dict[str, Any] = {WARM[member].field: units_per_second for member, units_per_second in asked.items()}
    return replace(throughput, **raised)


def _what_is_warmer(throughput: Throughput, member: str, *, creating: bool) -> str:
    if not creating:
        return "current WarmThroughput, decreasing WarmThroughput is not supported"
    if throughput.billing_mode is BillingMode.PROVISIONED:
        return f"{WARM[member].provisioned_member} of ProvisionedThroughput"
    return f"initial throughput for OnDemand. See: {ON_DEMAND_INITIAL_URL}"
