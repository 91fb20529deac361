"""The verb of a statement, and the table or index that it names: what is asked before it is read in whole."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.partiql.tokens import tokenize

BEFORE_TABLE: Mapping[str, str] = MappingProxyType(
    {"SELECT": "FROM", "EXISTS": "FROM", "DELETE": "FROM", "INSERT": "INTO", "UPDATE": "UPDATE", "FROM": "FROM"}
)
"""First word of a statement: the word before the table."""


class StatementTarget(NamedTuple):
    """What a statement does, and where. A statement that begins with FROM is an UPDATE."""

    verb: str
    table_name: str | None
    index_name: str | None

    @property
    def reads(self) -> bool:
        """Whether it only reads; EXISTS is a part of writes."""
        return self.verb == "SELECT"


@lru_cache(maxsize=1024)
def statement_target(statement: str) -> StatementTarget | None:
    """Give verb, table and index of a statement; None where it begins with no verb, or can't be read at all.

    >>> statement_target('SELECT * FROM "orders"."by_status" WHERE status = ?')
    StatementTarget(verb='SELECT', table_name='orders', index_name='by_status')
    """
    try:
        tokens = tokenize(statement)
    except ValidationException:
        return None
    verb = tokens[0].text.upper() if tokens[0].is_word(*BEFORE_TABLE) else None
    if verb is None:
        return None
    place = next((place for place, token in enumerate(tokens) if token.is_word(BEFORE_TABLE[verb])), len(tokens))
    named, point, qualifier = (*tokens[place + 1 : place + 4], *[tokens[-1]] * 3)[:3]
    verb = "UPDATE" if verb == "FROM" else verb
    if not named.is_name:
        return StatementTarget(verb, None, None)
    return StatementTarget(verb, named.text, qualifier.text if point.is_symbol(".") and qualifier.is_name else None)
