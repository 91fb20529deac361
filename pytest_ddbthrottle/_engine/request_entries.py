"""Which items a request names: those that it writes or reads, each as the request has it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any

from pytest_ddbthrottle._engine.attribute_value import normalized
from pytest_ddbthrottle._engine.capacity import OperationType
from pytest_ddbthrottle._engine.errors import ServiceError
from pytest_ddbthrottle._engine.partiql.key_reads import equalities
from pytest_ddbthrottle._engine.partiql.parser import parse
from pytest_ddbthrottle._engine.partiql.statements import Exists, Insert
from pytest_ddbthrottle._engine.request_names import statement_targets

NamedItem = tuple[str, Mapping[str, Any]]
"""A table as the request names it; and the item, or the key."""


def _named_item(member: str) -> Callable[[Mapping[str, Any]], Iterator[NamedItem]]:
    return lambda request: iter([(request["TableName"], request[member])])


def _written_by_batch(request: Mapping[str, Any]) -> Iterator[NamedItem]:
    return ((table, written(entry)) for table, entries in request["RequestItems"].items() for entry in entries)


def written(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give the item or the key of a batch's write request."""
    item: Mapping[str, Any] = entry["PutRequest"]["Item"] if "PutRequest" in entry else entry["DeleteRequest"]["Key"]
    return item


def _read_by_batch(request: Mapping[str, Any]) -> Iterator[NamedItem]:
    return ((table, key) for table, part in request["RequestItems"].items() for key in part["Keys"])


def _in_transaction(members: Mapping[str, str]) -> Callable[[Mapping[str, Any]], Iterator[NamedItem]]:
    def named(request: Mapping[str, Any]) -> Iterator[NamedItem]:
        for action in request["TransactItems"]:
            for name, part in action.items():
                if name in members:
                    yield part["TableName"], part[members[name]]

    return named


def _by_statement(member: Mapping[str, Any]) -> Iterator[NamedItem]:
    """Give the one item that a statement inserts, or that its WHERE clause names."""
    parsed = parse(member["Statement"], [normalized(value) for value in member.get("Parameters") or ()])
    statement = parsed.statement
    if isinstance(statement, Insert):
        yield statement.target.table, statement.item
    elif not isinstance(statement, Exists):
        yield statement.target.table, equalities(statement.where, parsed.literals)


def _by_statements(member: str) -> Callable[[Mapping[str, Any]], Iterator[NamedItem]]:
    """Give the items of several statements; one that can't be read has an error of its own, and names none."""

    def named(request: Mapping[str, Any]) -> Iterator[NamedItem]:
        for part in request[member]:
            with suppress(ServiceError):
                yield from _by_statement(part)

    return named


NAMED: Mapping[str, tuple[OperationType | None, Callable[[Mapping[str, Any]], Iterable[NamedItem]]]] = MappingProxyType(
    {
        "PutItem": (OperationType.WRITE, _named_item("Item")),
        "UpdateItem": (OperationType.WRITE, _named_item("Key")),
        "DeleteItem": (OperationType.WRITE, _named_item("Key")),
        "GetItem": (OperationType.READ, _named_item("Key")),
        "BatchWriteItem": (OperationType.WRITE, _written_by_batch),
        "BatchGetItem": (OperationType.READ, _read_by_batch),
        "TransactWriteItems": (
            OperationType.WRITE,
            _in_transaction({"Put": "Item", "Update": "Key", "Delete": "Key"}),
        ),
        "TransactGetItems": (OperationType.READ, _in_transaction({"Get": "Key"})),
        "ExecuteStatement": (None, _by_statement),
        "BatchExecuteStatement": (None, _by_statements("Statements")),
        "ExecuteTransaction": (None, _by_statements("TransactStatements")),
    }
)
"""Operation → its direction, and which items its request names. A check stores nothing and is left out.

Statements tell their direction, the same for all of a request.
"""


def direction_of(operation: str, request: Mapping[str, Any]) -> OperationType:
    """Give the direction in which an operation of ``NAMED`` consumes."""
    reads = all(target.reads for target in statement_targets(request))
    return NAMED[operation][0] or (OperationType.READ if reads else OperationType.WRITE)


def named_items(operation: str, request: Mapping[str, Any]) -> list[NamedItem]:
    """Give the items that a request names, in its order; none where it has none, or is malformed.

    >>> named_items("BatchGetItem", {"RequestItems": {"orders": {"Keys": [{"pk": {"S": "a"}}]}}})
    [('orders', {'pk': {'S': 'a'}})]
    """
    if operation not in NAMED:
        return []
    try:
        return list(NAMED[operation][1](request))
    except (AttributeError, KeyError, TypeError, ServiceError):
        return []
