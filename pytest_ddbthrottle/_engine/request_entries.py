"""Which items a request names: those that it writes or reads, each as the request has it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from pytest_ddbthrottle._engine.capacity import OperationType

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


NAMED: Mapping[str, tuple[OperationType, Callable[[Mapping[str, Any]], Iterable[NamedItem]]]] = MappingProxyType(
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
    }
)
"""Operation → its direction, and which items its request names. A ConditionCheck stores nothing and is left out."""


def named_items(operation: str, request: Mapping[str, Any]) -> list[NamedItem]:
    """Give the items that a request names, in its order; none where it has none, or is malformed.

    >>> named_items("BatchGetItem", {"RequestItems": {"orders": {"Keys": [{"pk": {"S": "a"}}]}}})
    [('orders', {'pk': {'S': 'a'}})]
    """
    if operation not in NAMED:
        return []
    try:
        return list(NAMED[operation][1](request))
    except (AttributeError, KeyError, TypeError):
        return []
