"""BatchGetItem."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_ddbthrottle._engine.attribute_value import Item
from pytest_ddbthrottle._engine.capacity import ReadConsistency
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.keys import Key
from pytest_ddbthrottle._engine.limits import MAX_BATCH_GET_BYTES, MAX_BATCH_GET_KEYS
from pytest_ddbthrottle._engine.operations.batch_admission import DUPLICATE_KEYS, BatchAdmission
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.keyed_read import (
    KeyedRead,
    keyed_read,
    read_consistency,
    requested_projection,
)
from pytest_ddbthrottle._engine.operations.legacy_parameters import with_expressions
from pytest_ddbthrottle._engine.operations.lookup import find_table

TOO_MANY_KEYS = "Too many items requested for the BatchGetItem call"
"""Source: Observed — public reports and conformance suites, 2020 to 2026."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """One key of the batch: as the request has it, and understood."""

    table_name: str
    requested_key: Item
    read: KeyedRead
    consistency: ReadConsistency


def batch_get_item(context: Context, request: Request) -> Reply:
    """Read up to 100 items by their keys, over tables; keys that are refused or don't fit in 16 MB come back.

    Args:
        context: the account.
        request: ``BatchGetItemInput``.

    Returns:
        ``BatchGetItemOutput``; ``UnprocessedKeys`` can be sent again as it is.

    Raises:
        ResourceNotFoundException, ValidationException, Throttled
    """
    tables = request["RequestItems"]
    entries = _entries(context, tables)
    batch = BatchAdmission(context, "BatchGetItem")
    responses: dict[str, list[Item]] = {name: [] for name in tables}
    unprocessed: dict[str, list[Item]] = {}
    for entry, fits in _fitting(entries):
        if fits and batch.admits(entry.table_name, [entry.read.consumption(entry.consistency)]):
            item = entry.read.item()
            responses[entry.table_name] += [] if item is None else [item]
        else:
            unprocessed.setdefault(entry.table_name, []).append(entry.requested_key)
    batch.check_progress()
    reply: Reply = {}
    if consumed := batch.consumed_capacity(request.get("ReturnConsumedCapacity")):
        reply["ConsumedCapacity"] = consumed
    reply["Responses"] = responses
    reply["UnprocessedKeys"] = {name: {**tables[name], "Keys": keys} for name, keys in unprocessed.items()}
    return reply


def _entries(context: Context, tables: Mapping[str, Any]) -> list[_Entry]:
    """Understand every key, so that nothing is read of a batch that is not valid."""
    for name, wanted in tables.items():
        if len(wanted["Keys"]) > MAX_BATCH_GET_KEYS:
            raise ValidationException(
                f"1 validation error detected: Value at 'RequestItems.{name}.member.Keys' failed to satisfy "
                f"constraint: Member must have length less than or equal to {MAX_BATCH_GET_KEYS}"
            )
    if sum(len(wanted["Keys"]) for wanted in tables.values()) > MAX_BATCH_GET_KEYS:
        raise ValidationException(TOO_MANY_KEYS)
    projections = {name: requested_projection(with_expressions(wanted)) for name, wanted in tables.items()}
    entries = [
        _Entry(name, key, keyed_read(find_table(context, name), key, projections[name]), read_consistency(wanted))
        for name, wanted in tables.items()
        for key in wanted["Keys"]
    ]
    _check_duplicates(entries)
    return entries


def _check_duplicates(entries: list[_Entry]) -> None:
    seen: set[tuple[str, Key]] = {(entry.read.table.name, entry.read.key) for entry in entries}
    if len(seen) < len(entries):
        raise ValidationException(DUPLICATE_KEYS)


def _fitting(entries: list[_Entry]) -> Iterator[tuple[_Entry, bool]]:
    """Give each entry, and whether the reply has room for it: none has once one had not.

    Source: Documented — API Reference, BatchGetItem (16 MB), read 2026-11-30; Assumed — counted before projections.
    """
    batch_bytes = 0
    for entry in entries:
        batch_bytes += entry.read.found.size_bytes if entry.read.found else 0
        yield entry, batch_bytes <= MAX_BATCH_GET_BYTES
