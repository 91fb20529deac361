"""``ddb_throttle`` as a value: what a test says of the capacity of tables and indexes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from pytest_ddbthrottle._engine.capacity import BillingMode, Throughput
from pytest_ddbthrottle._engine.throttle.settings import ThrottleSettings

UNSAID_DIRECTION_UNITS = 40_000
"""What a direction gets that a rule makes provisioned without a number: the per-table quota, so that it never binds.
Source: Assumed — a test that starves one direction means the other one to be plentiful."""

_CAPACITY_FIELDS = ("read_capacity_units", "write_capacity_units")
_CAP_FIELDS = ("max_read_request_units", "max_write_request_units")
_WARM_FIELDS = ("warm_read_units_per_second", "warm_write_units_per_second")


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrottleRule:
    """What a test says of one table, one index, or (``table=None``) every table; None means "nothing said".

    Args:
        table: the table's name; None for every table.
        index: the index's name; None for the table itself (and its indexes, where the rule makes it provisioned).
        billing_mode: ``"PROVISIONED"`` or ``"PAY_PER_REQUEST"``; implied by capacity units or by caps.
        read_capacity_units: RCU, at least 1.
        write_capacity_units: WCU, at least 1.
        max_read_request_units: the on-demand cap on reads; -1 for none.
        max_write_request_units: the on-demand cap on writes; -1 for none.
        warm_read_units_per_second: warm throughput for reads.
        warm_write_units_per_second: warm throughput for writes.
        burst_seconds: how many seconds of unused capacity a table or index keeps.
        initial_seconds: how many seconds of its rate it starts with.
        partition_read_units_per_second: what one key range serves.
        partition_write_units_per_second: the same for writes.
        partition_burst_seconds: how many seconds of its rate a key range keeps.
        partitioning: ``"per_key"``.
        admission: ``"positive_balance"`` or ``"full_cost"``.
        account_limit_error: the class for the per-table quota: ``"ThrottlingException"`` or
            ``"RequestLimitExceeded"``.
        strict: whether a test fails for what an audit finds in its calls to the table.

    Raises:
        ValueError: a number out of range, or fields that contradict each other; the message names them.
    """

    table: str | None = None
    index: str | None = None
    billing_mode: str | None = None
    read_capacity_units: int | None = None
    write_capacity_units: int | None = None
    max_read_request_units: int | None = None
    max_write_request_units: int | None = None
    warm_read_units_per_second: int | None = None
    warm_write_units_per_second: int | None = None
    burst_seconds: int | None = None
    initial_seconds: int | None = None
    partition_read_units_per_second: int | None = None
    partition_write_units_per_second: int | None = None
    partition_burst_seconds: int | None = None
    partitioning: str | None = None
    admission: str | None = None
    account_limit_error: str | None = None
    strict: bool | None = None

    def __post_init__(self) -> None:
        if self.index is not None and self.table is None:
            raise ValueError(f"index={self.index!r} needs the table that it belongs to: table=...")
        if self.billing_mode is not None and self.billing_mode not in BillingMode.__members__:
            raise ValueError(f"billing_mode={self.billing_mode!r}: allowed are {', '.join(BillingMode.__members__)}")
        for name in (*_CAPACITY_FIELDS, *_CAP_FIELDS, *_WARM_FIELDS):
            _check_units(name, getattr(self, name), least=-1 if name in _CAP_FIELDS else 1)
        if self.strict not in (None, True, False):
            raise ValueError(f"strict={self.strict!r}: True or False is needed")
        self._check_mode()
        self.settings()

    def _check_mode(self) -> None:
        said = {name for name in (*_CAPACITY_FIELDS, *_CAP_FIELDS) if getattr(self, name) is not None}
        capacity, caps = sorted(said & set(_CAPACITY_FIELDS)), sorted(said & set(_CAP_FIELDS))
        if capacity and (caps or self.billing_mode == "PAY_PER_REQUEST"):
            other = caps[0] if caps else "billing_mode='PAY_PER_REQUEST'"
            raise ValueError(f"{capacity[0]} contradicts {other}: capacity units are for PROVISIONED tables")
        if caps and self.billing_mode == "PROVISIONED":
            raise ValueError(f"{caps[0]} contradicts billing_mode='PROVISIONED': caps are for PAY_PER_REQUEST tables")

    @property
    def mode(self) -> BillingMode | None:
        """The billing mode that the rule says or implies."""
        if self.billing_mode is not None:
            return BillingMode(self.billing_mode)
        if any(getattr(self, name) is not None for name in _CAPACITY_FIELDS):
            return BillingMode.PROVISIONED
        return BillingMode.PAY_PER_REQUEST if any(getattr(self, n) is not None for n in _CAP_FIELDS) else None

    def settings(self) -> ThrottleSettings:
        """Give the settings of the throttle model, with the defaults for what the rule leaves open."""
        names = {field.name for field in fields(ThrottleSettings)}
        said = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return ThrottleSettings(**said)

    def throughput(self, asked: Throughput) -> Throughput:
        """Give what is in force where ``asked`` was requested and this rule holds."""
        mode = self.mode or asked.billing_mode
        return _IN_MODE[mode](self, asked)


def _check_units(name: str, value: Any, *, least: int) -> None:
    if value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{name}={value!r}: a whole number of capacity units is needed")
    if value < least or value == 0:
        raise ValueError(f"{name}={value}: at least 1 is needed" + (", or -1 for no cap" if least < 0 else ""))


def _provisioned(rule: ThrottleRule, asked: Throughput) -> Throughput:
    read, write = (
        said or asked_units or UNSAID_DIRECTION_UNITS
        for said, asked_units in (
            (rule.read_capacity_units, asked.read_capacity_units),
            (rule.write_capacity_units, asked.write_capacity_units),
        )
    )
    return Throughput(
        BillingMode.PROVISIONED,
        read,
        write,
        warm_read_units_per_second=rule.warm_read_units_per_second or read,
        warm_write_units_per_second=rule.warm_write_units_per_second or write,
    )


def _on_demand(rule: ThrottleRule, asked: Throughput) -> Throughput:
    read_cap, write_cap = (
        asked_cap if said is None else (None if said < 0 else said)
        for said, asked_cap in (
            (rule.max_read_request_units, asked.max_read_request_units),
            (rule.max_write_request_units, asked.max_write_request_units),
        )
    )
    return Throughput(
        BillingMode.PAY_PER_REQUEST,
        max_read_request_units=read_cap,
        max_write_request_units=write_cap,
        warm_read_units_per_second=rule.warm_read_units_per_second or asked.warm_read_units_per_second,
        warm_write_units_per_second=rule.warm_write_units_per_second or asked.warm_write_units_per_second,
    )


_IN_MODE = {BillingMode.PROVISIONED: _provisioned, BillingMode.PAY_PER_REQUEST: _on_demand}


def rule_for(rules: Sequence[ThrottleRule], table: str, index: str | None) -> ThrottleRule:
    """Give what several rules say together of one table or index; the later (closer) one wins, field by field.

    A rule for a table holds for its indexes as well where it makes the table provisioned; caps are the table's alone.
    On an index, a rule that names it is closer than any that does not, whichever came first.

    >>> rules = [
    ...     ThrottleRule(table="orders", index="by_status", write_capacity_units=1),
    ...     ThrottleRule(table="orders", read_capacity_units=9, write_capacity_units=9),
    ... ]
    >>> of_index = rule_for(rules, "orders", "by_status")
    >>> of_index.read_capacity_units, of_index.write_capacity_units
    (9, 1)

    Source: Assumed — whoever names an index means that index; who speaks of its table alone may not think of it.
    """
    said: dict[str, Any] = {}
    for rule in sorted(rules, key=lambda rule: rule.index is not None):
        if rule.table not in (None, table) or rule.index not in (None, index):
            continue
        for field in fields(ThrottleRule):
            value = getattr(rule, field.name)
            inherited_cap = index is not None and rule.index is None and field.name in _CAP_FIELDS
            if value is not None and not inherited_cap:
                said[field.name] = value
        _drop_other_mode(said, rule)
    return ThrottleRule(**{**said, "table": table, "index": index})


def _drop_other_mode(said: dict[str, Any], closest: ThrottleRule) -> None:
    """Let the closest rule that says or implies a mode take what a farther one said of the other mode away."""
    if closest.mode is None:
        return
    for name in _CAP_FIELDS if closest.mode is BillingMode.PROVISIONED else _CAPACITY_FIELDS:
        said.pop(name, None)
    said["billing_mode"] = closest.mode.value
