"""DescribeTimeToLive."""

from __future__ import annotations

from pytest_ddbthrottle._engine.control_plane.lookup import find_described_table
from pytest_ddbthrottle._engine.control_plane.time_to_live import check_describable
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request


def describe_time_to_live(context: Context, request: Request) -> Reply:
    """Tell whether the items of a table expire, and which attribute says when.

    Args:
        context: the account.
        request: ``DescribeTimeToLiveInput``.

    Returns:
        ``DescribeTimeToLiveOutput``; of a table whose items don't expire any more it is that of one whose never did.

    Raises:
        ResourceNotFoundException, ValidationException

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2.
    """
    table = find_described_table(context, request["TableName"])
    check_describable(table)
    name = table.settings.time_to_live.attribute_name
    if name is None:
        return {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}}
    return {"TimeToLiveDescription": {"TimeToLiveStatus": "ENABLED", "AttributeName": name}}
