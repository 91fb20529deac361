"""DescribeTable."""

from __future__ import annotations

from pytest_ddbthrottle._engine.control_plane.description import table_description
from pytest_ddbthrottle._engine.control_plane.lookup import find_described_table
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request


def describe_table(context: Context, request: Request) -> Reply:
    """Describe a table: its keys, indexes, and the throughput in force.

    Args:
        context: the account.
        request: ``DescribeTableInput``.

    Returns:
        ``DescribeTableOutput``.

    Raises:
        ResourceNotFoundException
    """
    return {"Table": table_description(find_described_table(context, request["TableName"]), context.now_ns)}
