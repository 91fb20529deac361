"""DescribeLimits."""

from __future__ import annotations

from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request


def describe_limits(context: Context, request: Request) -> Reply:
    """Give the capacity limits in force: of the account, and of one table.

    Args:
        context: the account.
        request: ``DescribeLimitsInput``: nothing.

    Returns:
        ``DescribeLimitsOutput``.
    """
    limits = context.limits
    return {
        "AccountMaxReadCapacityUnits": limits.per_account_max_rcu,
        "AccountMaxWriteCapacityUnits": limits.per_account_max_wcu,
        "TableMaxReadCapacityUnits": limits.per_table_max_rcu,
        "TableMaxWriteCapacityUnits": limits.per_table_max_wcu,
    }
