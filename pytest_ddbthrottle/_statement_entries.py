"""Which items the statements of a call name, by the equalities of their WHERE clauses or in what they insert."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_ddbthrottle._engine.attribute_value import normalized
from pytest_ddbthrottle._engine.partiql.key_reads import equalities
from pytest_ddbthrottle._engine.partiql.parser import parse
from pytest_ddbthrottle._engine.partiql.statements import Exists, Insert


def named_by_statement(member: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Give table and attributes of the one item that a statement names; nothing of EXISTS, which stores nothing.

    Args:
        member: what has a ``Statement`` and perhaps ``Parameters``.

    Raises:
        ServiceError: the statement can't be read.

    >>> list(named_by_statement({"Statement": "DELETE FROM orders WHERE pk = ?", "Parameters": [{"S": "a"}]}))
    [('orders', {'pk': {'S': 'a'}})]
    """
    parsed = parse(member["Statement"], [normalized(value) for value in member.get("Parameters") or ()])
    statement = parsed.statement
    if isinstance(statement, Insert):
        yield statement.target.table, statement.item
    elif not isinstance(statement, Exists):
        yield statement.target.table, equalities(statement.where, parsed.literals)
