"""The account's maxima for provisioned capacity and tables: what CreateTable and UpdateTable may not pass.

The order is the measured one. CreateTable: the account, the table, the number of tables. UpdateTable: the table, its
indexes, the account. Reads before writes. What a request does not raise is never refused, and a maximum itself is allowed.

Capacity is counted as the application asked for it: what a rule of the test puts in force instead uses up no quota.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pytest_ddbthrottle._engine.capacity import BillingMode, OperationType, Throughput
from pytest_ddbthrottle._engine.errors import LimitExceededException
from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.operations.context import Context
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table

GUIDE = "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."
TABLE_QUOTA = "There is a soft account quota of {quota} tables."
"""Source: Documented — API Reference, LimitExceededException, read 2026-11-30; not measured."""

TABLE_MAXIMUM = (
    "The requested {member}{of_index}, {requested}, is above the per {kind} maximum for the account in {region}. "
    "Per table maximum: {maximum}. " + GUIDE
)
ACCOUNT_MAXIMUM = (
    "This request would have caused the {member} limit to be exceeded for the account in {region}. "
    "Current {member} reserved by the account: {reserved}.{of_table} Limit: {maximum}. Requested: {requested}. " + GUIDE
)
OF_TABLE = " Current {member} provisioned for the table and indexes: {provisioned}."
"""Source: Observed — a public lab's notes of 2026-10-08, us-west-2, and measurements of 2026-10-31 that a public
implementation tells. Assumed — the account's sentence where UpdateTable raises the table's own capacity."""


@dataclass(frozen=True, slots=True)
class Units:
    """One direction of provisioned capacity: what it is called, and the maxima in force."""

    member: str
    direction: OperationType
    table_maximum: int
    account_maximum: int


def _units(limits: AccountLimits) -> tuple[Units, Units]:
    return (
        Units("ReadCapacityUnits", OperationType.READ, limits.per_table_max_rcu, limits.per_account_max_rcu),
        Units("WriteCapacityUnits", OperationType.WRITE, limits.per_table_max_wcu, limits.per_account_max_wcu),
    )


@dataclass(frozen=True, slots=True)
class Change:
    """What a table (``index_name`` is None) or an index asked for before a request and after it; None for nothing."""

    index_name: str | None
    before: Throughput | None
    after: Throughput | None

    def raised_units(self, direction: OperationType) -> int | None:
        """Give the units after the request if it raises them."""
        after = provisioned_units(self.after, direction)
        return after if after > provisioned_units(self.before, direction) else None


def provisioned_units(throughput: Throughput | None, direction: OperationType) -> int:
    """Give the provisioned units of one direction; 0 on demand, and of what does not exist."""
    if throughput is None or throughput.billing_mode is BillingMode.PAY_PER_REQUEST:
        return 0
    return throughput.capacity_units(direction)


def asked(holder: Table | SecondaryIndex) -> Throughput | None:
    """Give what the application asked for a table or an index."""
    return holder.history.asked or holder.throughput


def reserved_units(tables: Iterable[Table], direction: OperationType) -> int:
    """Give the units of one direction that tables and their indexes hold together."""
    held = [asked(holder) for table in tables for holder in _holders(table)]
    return sum(provisioned_units(throughput, direction) for throughput in held)


def _holders(table: Table) -> list[Table | SecondaryIndex]:
    return [table, *table.global_indexes.values()]


def check_created_table(context: Context, table: Throughput, indexes: Mapping[str, Throughput]) -> None:
    """Check a CreateTable whose definition is right and whose name is free against the account's limits.

    Args:
        context: the account.
        table: what is asked for the table.
        indexes: what is asked for its global secondary indexes, by name.

    Raises:
        LimitExceededException: a maximum or the number of tables would be passed.

    Source: Observed — 2026-10-31, us-west-2, as a public implementation tells (the order).
    """
    changes = [Change(None, None, table), *(Change(name, None, asked) for name, asked in indexes.items())]
    for units in _units(context.limits):
        _check_account(context, units, changes, table=None)
    if context.limits.per_table_scope == "sum":
        for units in _units(context.limits):
            total = sum(provisioned_units(change.after, units.direction) for change in changes)
            _check_maximum(context, units, total, None)
    else:
        _check_each(context, changes)
    if len(context.tables) >= context.limits.max_tables_per_account:
        raise LimitExceededException(TABLE_QUOTA.format(quota=context.limits.max_tables_per_account))


def check_updated_table(context: Context, table: Table, changes: Iterable[Change]) -> None:
    """Check an UpdateTable against the account's limits.

    Args:
        context: the account.
        table: the table as it is.
        changes: of the table and of the indexes that the request names.

    Raises:
        LimitExceededException: something is raised over a maximum.

    Source: Observed — 2026-10-31, us-west-2, as a public implementation tells (the order); Assumed — indexes stand
    between the table and the account.
    """
    changes = list(changes)
    _check_each(context, changes)
    for units in _units(context.limits):
        _check_account(context, units, changes, table)


def _check_each(context: Context, changes: Iterable[Change]) -> None:
    for change in changes:
        for units in _units(context.limits):
            raised = change.raised_units(units.direction)
            if raised is not None:
                _check_maximum(context, units, raised, change.index_name)


def _check_maximum(context: Context, units: Units, requested: int, index_name: str | None) -> None:
    if requested <= units.table_maximum:
        return
    raise LimitExceededException(
        TABLE_MAXIMUM.format(
            member=units.member,
            of_index="" if index_name is None else f" for index {index_name}",
            requested=requested,
            kind="table" if index_name is None else "index",
            region=context.region,
            maximum=units.table_maximum,
        )
    )


def _check_account(context: Context, units: Units, changes: Iterable[Change], table: Table | None) -> None:
    """Check the account's sum after the changes; ``table`` is the one that they change, None for a new one."""
    provisioned = reserved_units([table], units.direction) if table else 0
    requested = provisioned + sum(
        provisioned_units(change.after, units.direction) - provisioned_units(change.before, units.direction)
        for change in changes
    )
    reserved = reserved_units(context.tables.values(), units.direction)
    if requested <= provisioned or reserved - provisioned + requested <= units.account_maximum:
        return
    raise LimitExceededException(
        ACCOUNT_MAXIMUM.format(
            member=units.member,
            region=context.region,
            reserved=reserved,
            of_table=OF_TABLE.format(member=units.member, provisioned=provisioned) if table else "",
            maximum=units.account_maximum,
            requested=requested,
        )
    )
