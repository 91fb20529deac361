"""Which tables and entries a request names, without looking further into it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_ddbthrottle._engine.partiql.target import StatementTarget, statement_target


def table_names(request: Mapping[str, Any]) -> list[str]:
    """Give the tables that a request names, in its order, without ARN beginnings and doubles.

    Looks at nothing but well-formed members, so that it can be asked before the request is validated.

    >>> table_names({"RequestItems": {"orders": []}})
    ['orders']
    >>> table_names({"StreamArn": "arn:aws:dynamodb:us-east-1:123456789012:table/orders/stream/2026-01-01T00:00:00.000"})
    ['orders']
    """
    return list(dict.fromkeys(name.rpartition(":table/")[2] for name in _raw_names(request)))


def first_raw_name(request: Mapping[str, Any]) -> str | None:
    """Give the first table name of a request as it came: a name, an ARN, anything at all; None where it has none."""
    return next(_raw_names(request), None)


def index_name(request: Mapping[str, Any]) -> str | None:
    """Give the index that a request names; None where it names none, or something that can't be a name."""
    name = request.get("IndexName")
    if isinstance(name, str):
        return name
    return next((target.index_name for target in statement_targets(request)), None)


def statement_targets(request: Mapping[str, Any]) -> Iterator[StatementTarget]:
    """Give what the statements of a request are about, in its order; nothing of one that has no verb.

    >>> [target.verb for target in statement_targets({"Statement": "DELETE FROM orders WHERE pk = 'a'"})]
    ['DELETE']
    """
    several = request.get("Statements", request.get("TransactStatements"))
    for member in (request, *several) if isinstance(several, list) else (request,):
        text = member.get("Statement") if isinstance(member, dict) else None
        target = statement_target(text) if isinstance(text, str) else None
        if target is not None:
            yield target


def _raw_names(request: Mapping[str, Any]) -> Iterator[str]:
    name = request.get("TableName")
    if isinstance(name, str):
        yield name
    # A shard iterator begins with the ARN of its stream, and that with the ARN of its table.
    for stream in (request.get("StreamArn"), request.get("ShardIterator")):
        if isinstance(stream, str) and ":table/" in stream:
            yield stream.partition("/stream/")[0]
    batch = request.get("RequestItems")
    if isinstance(batch, dict):
        yield from batch
    actions = request.get("TransactItems")
    for action in actions if isinstance(actions, list) else ():
        for part in action.values() if isinstance(action, dict) else ():
            name = part.get("TableName") if isinstance(part, dict) else None
            if isinstance(name, str):
                yield name
    yield from (target.table_name for target in statement_targets(request) if target.table_name is not None)


def batch_entries(request: Mapping[str, Any]) -> int:
    """Give how many entries a batch has: write requests, or keys to read."""
    batch = request.get("RequestItems", {})
    return sum(len(part["Keys"] if isinstance(part, Mapping) else part) for part in batch.values())
