"""ListTables."""

from __future__ import annotations

from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request

MAX_NAMES_PER_PAGE = 100
"""Source: Documented — API Reference, ListTables, Limit, read 2026-11-30."""


def list_tables(context: Context, request: Request) -> Reply:
    """List the names of the Region's tables in alphabetical order, a page at a time.

    Args:
        context: the account.
        request: ``ListTablesInput``.

    Returns:
        ``ListTablesOutput``.
    """
    start = request.get("ExclusiveStartTableName", "")
    names = sorted(name for name in context.tables if name > start)
    page = names[: request.get("Limit", MAX_NAMES_PER_PAGE)]
    reply: Reply = {"TableNames": page}
    if len(page) < len(names):
        reply["LastEvaluatedTableName"] = page[-1]
    return reply
