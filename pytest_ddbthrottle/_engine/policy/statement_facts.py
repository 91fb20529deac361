"""What a PartiQL statement asks of policies: which of four actions, on which table or index."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pytest_ddbthrottle._engine.partiql.target import statement_target

ACTIONS: Mapping[str, str] = MappingProxyType(
    {
        "SELECT": "PartiQLSelect",
        "EXISTS": "PartiQLSelect",
        "INSERT": "PartiQLInsert",
        "UPDATE": "PartiQLUpdate",
        "DELETE": "PartiQLDelete",
    }
)
"""Verb of a statement: the action.
Source: Documented — Developer Guide, "IAM security policies with PartiQL for DynamoDB", read 2026-11-30."""


def statement_action(statement: str) -> tuple[str, str | None, str | None] | None:
    """Give action, table and index of a statement; None where it begins with no verb.

    >>> statement_action('SELECT * FROM "orders"."by_status" WHERE status = ?')
    ('PartiQLSelect', 'orders', 'by_status')
    """
    target = statement_target(statement)
    return None if target is None else (ACTIONS[target.verb], target.table_name, target.index_name)
