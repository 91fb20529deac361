"""What a PartiQL statement asks of policies: which of four actions, on which table or index."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

ACTIONS: Mapping[str, tuple[str, str | None]] = MappingProxyType(
    {
        "SELECT": ("PartiQLSelect", "FROM"),
        "EXISTS": ("PartiQLSelect", "FROM"),
        "INSERT": ("PartiQLInsert", "INTO"),
        "UPDATE": ("PartiQLUpdate", "UPDATE"),
        "DELETE": ("PartiQLDelete", "FROM"),
    }
)
"""First word of a statement: the action, and the word before the table.
Source: Documented — Developer Guide, "IAM security policies with PartiQL for DynamoDB", read 2026-11-30."""

_TOKEN = re.compile(r"\"[^\"]*\"|'[^']*'|[A-Za-z_][A-Za-z0-9_.-]*|\S")


def statement_target(statement: str) -> tuple[str, str | None, str | None] | None:
    """Give action, table and index of a statement; None where it begins with no verb.

    >>> statement_target('SELECT * FROM "orders"."by_status" WHERE status = ?')
    ('PartiQLSelect', 'orders', 'by_status')
    """
    tokens = _TOKEN.findall(statement)
    action, before = ACTIONS.get(tokens[0].upper() if tokens else "", (None, None))
    if action is None:
        return None
    words = [token.upper() for token in tokens]
    place = words.index(before) + 1 if before in words else len(tokens)
    table = _name(tokens, place)
    is_index = table is not None and tokens[place + 1 : place + 2] == ["."]
    return action, table, _name(tokens, place + 2) if is_index else None


def _name(tokens: Sequence[str], place: int) -> str | None:
    name = tokens[place].strip('"') if place < len(tokens) else ""
    return name if name and not name.startswith("'") else None
