"""BatchWriteItem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.keys import check_key
from pytest_ddbthrottle._engine.limits import MAX_BATCH_WRITE_ENTRIES
from pytest_ddbthrottle._engine.operations.batch_admission import DUPLICATE_KEYS, BatchAdmission
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.item_collection import item_collection_metrics
from pytest_ddbthrottle._engine.operations.lookup import find_table
from pytest_ddbthrottle._engine.operations.write_action import Bind, WriteAction, delete_action, put_action
from pytest_ddbthrottle._engine.tables import Table

TOO_MANY_ENTRIES = "Too many items requested for the BatchWriteItem call"
NOT_ONE_REQUEST = (
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
)
"""What an entry with both a put and a delete, or neither, is told. Source: Observed — a public suite recorded against
the service until 2022."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """One write of the batch: as the request has it, and understood."""

    table_name: str
    requested: Mapping[str, Any]
    action: WriteAction


def batch_write_item(context: Context, request: Request) -> Reply:
    """Put or delete up to 25 items, over tables; each by itself, and what is refused comes back.

    Args:
        context: the account.
        request: ``BatchWriteItemInput``.

    Returns:
        ``BatchWriteItemOutput``; ``UnprocessedItems`` can be sent again as it is.

    Raises:
        ResourceNotFoundException, ValidationException, Throttled
    """
    entries = _entries(context, request["RequestItems"])
    batch = BatchAdmission(context, "BatchWriteItem")
    metrics: dict[str, list[Any]] = {}
    unprocessed: dict[str, list[Any]] = {}
    for entry in entries:
        attempt = entry.action.attempt()
        if not batch.admits(entry.table_name, attempt.consumptions()):
            unprocessed.setdefault(entry.table_name, []).append(entry.requested)
            continue
        attempt.commit(context.now_ns)
        if collection := item_collection_metrics(request, entry.action):
            metrics.setdefault(entry.table_name, []).append(collection)
    batch.check_progress()
    reply: Reply = {}
    if consumed := batch.consumed_capacity(request.get("ReturnConsumedCapacity")):
        reply["ConsumedCapacity"] = consumed
    if metrics:
        reply["ItemCollectionMetrics"] = metrics
    reply["UnprocessedItems"] = unprocessed
    return reply


def _entries(context: Context, tables: Mapping[str, Any]) -> list[_Entry]:
    """Understand every entry, so that nothing is written of a batch that is not valid."""
    for name, requests in tables.items():
        if len(requests) > MAX_BATCH_WRITE_ENTRIES:
            raise ValidationException(
                f"1 validation error detected: Value at 'RequestItems.{name}.member' failed to satisfy constraint: "
                f"Member must have length less than or equal to {MAX_BATCH_WRITE_ENTRIES}"
            )
    if sum(len(requests) for requests in tables.values()) > MAX_BATCH_WRITE_ENTRIES:
        raise ValidationException(TOO_MANY_ENTRIES)
    parsed = [(name, requested, _parsed(requested)) for name, requests in tables.items() for requested in requests]
    found = {name: find_table(context, name) for name in tables}
    entries = [_Entry(name, requested, _bound(found[name], requested, bind)) for name, requested, bind in parsed]
    if len({(entry.action.table.name, entry.action.key) for entry in entries}) < len(entries):
        raise ValidationException(DUPLICATE_KEYS)
    return entries


def _parsed(requested: Mapping[str, Any]) -> Bind:
    put, delete = requested.get("PutRequest"), requested.get("DeleteRequest")
    if put is not None and delete is None:
        return put_action(put)
    if delete is not None and put is None:
        return delete_action(delete)
    raise ValidationException(NOT_ONE_REQUEST)


def _bound(table: Table, requested: Mapping[str, Any], bind: Bind) -> WriteAction:
    """Bind an entry to its table; a batch answers a put without a valid key as it answers a delete.

    Source: Observed — four Regions, 2026-06, a public conformance suite.
    """
    try:
        return bind(table)
    except ValidationException:
        if put := requested.get("PutRequest"):
            names = table.key_schema.names
            check_key(table.key_schema, {name: value for name, value in put["Item"].items() if name in names})
        raise
