"""Time to live: one attribute of a table at a time, and how it is changed."""

from __future__ import annotations

from pytest_ddbthrottle._engine.control_plane.lifecycle import is_realistic
from pytest_ddbthrottle._engine.errors import ResourceInUseException, ValidationException
from pytest_ddbthrottle._engine.limits import TTL_COOL_DOWN_SECONDS
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._engine.operations.context import Context
from pytest_ddbthrottle._engine.pending_change import Work
from pytest_ddbthrottle._engine.table_settings import TimeToLive
from pytest_ddbthrottle._engine.tables import Table

ALREADY_ENABLED = "TimeToLive is already enabled"
ALREADY_DISABLED = "TimeToLive is already disabled"
OTHER_ATTRIBUTE = "TimeToLive is active on a different AttributeName: current AttributeName is {attribute}"
COOLS_DOWN = "Time to live has been modified multiple times within a fixed interval"
BEING_CREATED = "Attempt to change a resource which is still in use: Table {table} is being created"
NOT_TO_BE_DESCRIBED = "Cannot describe time to live while table is in {state} state: Current table state is {state}"
"""Source: Observed — a public lab's notes of 2026-10-08 and 2026-10-09, us-west-2."""


def check_created(table: Table) -> None:
    """Check that the time to live of a table can be changed.

    Raises:
        ResourceInUseException: the table is being created.
    """
    if table.pending is not None and table.pending.work is Work.CREATION:
        raise ResourceInUseException(BEING_CREATED.format(table=table.name))


def check_describable(table: Table) -> None:
    """Check that the time to live of a table can be read.

    Raises:
        ValidationException: the table is being created or deleted.
    """
    if not table.is_readable and table.pending is not None:
        raise ValidationException(NOT_TO_BE_DESCRIBED.format(state=table.pending.work.value))


def changed_time_to_live(context: Context, present: TimeToLive, attribute_name: str, *, enabled: bool) -> TimeToLive:
    """Give a table's time to live after a change.

    Args:
        context: the account.
        present: what is in force.
        attribute_name: the attribute that the request names, to disable as well.
        enabled: whether items are to expire.

    Raises:
        ValidationException: nothing would change, another attribute is in force, or, under ``lifecycle="realistic"``, the
            last change was a moment ago.

    Source: Observed — a public lab's notes of 2026-10-09, us-west-2 (the order as well; a key attribute may be named).
    """
    if present.attribute_name is None:
        if not enabled:
            raise ValidationException(ALREADY_DISABLED)
    elif present.attribute_name != attribute_name:
        raise ValidationException(OTHER_ATTRIBUTE.format(attribute=present.attribute_name))
    elif enabled:
        raise ValidationException(ALREADY_ENABLED)
    if is_realistic(context) and present.changed_ns is not None:
        free_ns = present.changed_ns + TTL_COOL_DOWN_SECONDS * NANOSECONDS_PER_SECOND
        if context.now_ns < free_ns:
            raise ValidationException(COOLS_DOWN)
    return TimeToLive(attribute_name if enabled else None, changed_ns=context.now_ns, swept_ns=context.now_ns)
