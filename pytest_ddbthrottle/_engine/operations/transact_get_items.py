"""TransactGetItems."""

from __future__ import annotations

from functools import partial

from pytest_ddbthrottle._engine.attribute_value import Item, normalized_item
from pytest_ddbthrottle._engine.capacity import ReadConsistency
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.keyed_read import KeyedRead, keyed_read, requested_projection
from pytest_ddbthrottle._engine.operations.lookup import find_table
from pytest_ddbthrottle._engine.operations.transaction import (
    NO_REASON,
    admit,
    check_distinct,
    check_reasons,
    check_size,
    consumed_by_table,
    fault_reason,
    or_fault,
)


def transact_get_items(context: Context, request: Request) -> Reply:
    """Read up to 100 items as they were at one instant; twice the units of a consistent read.

    Args:
        context: the account.
        request: ``TransactGetItemsInput``.

    Returns:
        ``TransactGetItemsOutput``; an item that is not there is an empty element.

    Raises:
        TransactionCanceledException, ResourceNotFoundException, ValidationException, Throttled
    """
    gets = [entry["Get"] for entry in request["TransactItems"]]
    reads = _reads(context, gets)
    consumptions = [[read.consumption(ReadConsistency.TRANSACTIONAL)] for read in reads]
    admit(context, consumptions)
    reply: Reply = {}
    names = [get["TableName"] for get in gets]
    detail = request.get("ReturnConsumedCapacity")
    if consumed := consumed_by_table(names, consumptions, detail, "ReadCapacityUnits"):
        reply["ConsumedCapacity"] = consumed
    reply["Responses"] = [_response(read.item()) for read in reads]
    return reply


def _reads(context: Context, gets: list[Request]) -> list[KeyedRead]:
    """Understand every Get: what the request alone shows first, then tables, then keys."""
    projections = [requested_projection(get) for get in gets]
    keys = [normalized_item(get["Key"]) for get in gets]
    tables = [find_table(context, get["TableName"]) for get in gets]
    tried = [
        or_fault(partial(keyed_read, table, key, shown))
        for table, key, shown in zip(tables, keys, projections, strict=True)
    ]
    reads = [read for read in tried if isinstance(read, KeyedRead)]
    check_distinct([(read.table, read.key) for read in reads])
    check_reasons([fault_reason(read) if isinstance(read, ValidationException) else NO_REASON for read in tried])
    check_size(read.found.size_bytes if read.found else 0 for read in reads)
    return reads


def _response(item: Item | None) -> Reply:
    return {} if item is None else {"Item": item}
