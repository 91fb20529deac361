"""UpdateTimeToLive."""

from __future__ import annotations

from dataclasses import replace

from pytest_ddbthrottle._engine.control_plane.lookup import find_described_table
from pytest_ddbthrottle._engine.control_plane.time_to_live import changed_time_to_live, check_created
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request


def update_time_to_live(context: Context, request: Request) -> Reply:
    """Let the items of a table expire, or no longer. It is in force at once.

    Args:
        context: the account.
        request: ``UpdateTimeToLiveInput``.

    Returns:
        ``UpdateTimeToLiveOutput``: what was asked for.

    Raises:
        ResourceInUseException, ResourceNotFoundException, ValidationException

    Source: Observed — a public lab's notes of 2026-10-08 and 2026-10-09, us-west-2: ENABLING and DISABLING are never seen,
    the rate of the control plane does not count it, and a table that is being deleted takes it.
    """
    table = find_described_table(context, request["TableName"])
    check_created(table)
    asked = request["TimeToLiveSpecification"]
    name, enabled = asked["AttributeName"], asked["Enabled"]
    changed = changed_time_to_live(context, table.settings.time_to_live, name, enabled=enabled)
    table.settings = replace(table.settings, time_to_live=changed)
    context.time_to_live_changed(table)
    return {"TimeToLiveSpecification": {"Enabled": enabled, "AttributeName": name}}
