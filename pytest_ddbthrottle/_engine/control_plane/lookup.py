"""From the name in a control-plane request to the table."""

from __future__ import annotations

from pytest_ddbthrottle._engine.errors import ResourceNotFoundException
from pytest_ddbthrottle._engine.operations.context import Context
from pytest_ddbthrottle._engine.tables import Table


def find_described_table(context: Context, name_or_arn: str) -> Table:
    """Give the table that a control-plane request names, by name or ARN.

    Raises:
        ResourceNotFoundException: there is none; the control plane names it.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2.
    """
    name = name_or_arn.rpartition(":table/")[2]
    table = context.tables.get(name)
    if table is None or (name_or_arn.startswith("arn:") and name_or_arn != table.arn):
        raise ResourceNotFoundException(f"Requested resource not found: Table: {name} not found")
    return table
