"""What a PartiQL statement asks of policies: which of four actions, on which table or index, and what conditions see.

Asked before the request is validated: a statement that can't be read has a verb and a table at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from pytest_ddbthrottle._engine.attribute_value import AttributeValue, normalized
from pytest_ddbthrottle._engine.errors import ServiceError
from pytest_ddbthrottle._engine.partiql.key_reads import attribute_names, equalities, read_plan
from pytest_ddbthrottle._engine.partiql.parser import Parsed, parse
from pytest_ddbthrottle._engine.partiql.statements import Exists, Insert, Select, Update
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


def read_statement(statement: str, parameters: Sequence[Any]) -> Parsed | None:
    """Give a statement that was read, or None where it can't be."""
    try:
        return parse(statement, [normalized(value) for value in parameters])
    except ServiceError:
        return None


def statement_values(parsed: Parsed, partition_key: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Give what conditions see of a statement: its partition key values, its attributes, whether it reads all there is.

    Args:
        parsed: the statement.
        partition_key: the attribute of its table or index.

    >>> statement = read_statement("SELECT a FROM t WHERE pk IN ['x', 'y']", [])
    >>> dict(statement_values(statement, "pk"))["dynamodb:leadingkeys"]
    ['x', 'y']

    Source: Documented — Developer Guide, "IAM security policies with PartiQL for DynamoDB" (``dynamodb:FullTableScan``), and
    Service Authorization Reference, condition keys of the four actions, read 2026-12-07. Assumed — the attributes are those
    that the statement names, as for the item operations.
    """
    statement = parsed.statement
    select = statement.select if isinstance(statement, Exists) else statement
    if isinstance(select, Select):
        values = _read_values(select, parsed, partition_key)
        yield "dynamodb:fulltablescan", ("true" if values is None else "false",)
    else:
        named = select.item if isinstance(select, Insert) else equalities(select.where, parsed.literals)
        values = [named[partition_key]] if partition_key in named else []
    yield "dynamodb:leadingkeys", [text for value in values or () for text in value.values() if isinstance(text, str)]
    yield "dynamodb:attributes", list(_names(parsed))


def _read_values(select: Select, parsed: Parsed, partition_key: str) -> list[AttributeValue] | None:
    try:
        plan = read_plan(select.where, partition_key, None, parsed.literals)
    except ServiceError:
        return []
    return None if plan.reads is None else [read.partition_value for read in plan.reads]


def _names(parsed: Parsed) -> Mapping[str, None]:
    statement = parsed.statement
    select = statement.select if isinstance(statement, Exists) else statement
    if isinstance(select, Insert):
        return dict.fromkeys(select.item)
    paths = (select.paths or ()) if isinstance(select, Select) else ()
    actions = select.actions if isinstance(select, Update) else ()
    where = () if select.where is None else (select.where,)
    return attribute_names([*paths, *(action.path for action in actions), *where])
