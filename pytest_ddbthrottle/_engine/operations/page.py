"""The page walk that Query and Scan share.

A page ends after ``Limit`` entries or with the entry that takes it to 1 MB, both counted before the filter. It is
charged for what was walked: sizes added up, then rounded once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_ddbthrottle._engine.attribute_value import Item
from pytest_ddbthrottle._engine.capacity import (
    Consumption,
    OperationType,
    ReadConsistency,
    consumed_capacity,
    read_nano_units,
)
from pytest_ddbthrottle._engine.expressions.condition import Condition
from pytest_ddbthrottle._engine.expressions.projection import Projection
from pytest_ddbthrottle._engine.keys import Key, canonical_partition_key
from pytest_ddbthrottle._engine.limits import MAX_PAGE_BYTES
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.page_source import PageSource
from pytest_ddbthrottle._engine.tables import StoredItem


@dataclass(frozen=True, slots=True)
class PagePlan:
    """How to read one page. ``fetches`` sends each entry of a local index to the table for its whole item."""

    source: PageSource
    consistency: ReadConsistency
    filter: Condition | None
    projection: Projection | None
    fetches: bool


@dataclass(frozen=True, slots=True)
class Walked:
    """What one page walked: the entries with their keys, and the item that stands for each."""

    keys: Sequence[Key]
    entries: Sequence[StoredItem]
    items: Sequence[StoredItem]
    was_cut: bool


def read_page(
    context: Context,
    request: Request,
    plan: PagePlan,
    walk: Iterable[tuple[Key, StoredItem]],
    partition_key: Key | None = None,
) -> Reply:
    """Read one page and make the reply of it.

    Args:
        context: the account.
        request: ``QueryInput`` or ``ScanInput``.
        plan: how to read.
        walk: the entries from the start of the page, in order.
        partition_key: the one that a Query reads; a Scan's units are spread over those that it meets.

    Raises:
        Throttled: a bucket refused.

    Source: Documented — API Reference, Query and Scan, read 2026-11-30; a cursor after the very last entry Observed —
    eu-west-2, 2026-07, a public conformance suite.
    """
    walked = _walked(plan, walk, request.get("Limit"))
    consumptions = _consumptions(plan, walked, partition_key)
    context.admit(consumptions)
    matching, count = _matching(plan, walked, count_only=request.get("Select") == "COUNT")
    reply: Reply = {}
    if consumed := consumed_capacity(request["TableName"], consumptions, request.get("ReturnConsumedCapacity")):
        reply["ConsumedCapacity"] = consumed
    reply["Count"] = count
    if matching is not None:
        reply["Items"] = matching
    if walked.was_cut:
        reply["LastEvaluatedKey"] = plan.source.cursor(walked.entries[-1].attributes())
    reply["ScannedCount"] = len(walked.keys)
    return reply


def _walked(plan: PagePlan, walk: Iterable[tuple[Key, StoredItem]], limit: int | None) -> Walked:
    keys: list[Key] = []
    entries: list[StoredItem] = []
    items = [] if plan.fetches else entries
    page_bytes, was_cut = 0, False
    for key, entry in walk:
        keys.append(key)
        entries.append(entry)
        if plan.fetches:
            items.append(_fetched(plan, key))
        page_bytes += items[-1].size_bytes
        if len(keys) == limit or page_bytes >= MAX_PAGE_BYTES:
            was_cut = True
            break
    return Walked(keys, entries, items, was_cut)


def _fetched(plan: PagePlan, entry_key: Key) -> StoredItem:
    # The key of an index entry ends in the key of its item.
    item = plan.source.table.items.get(entry_key[-1])
    assert item is not None, f"{plan.source.table.name}: an index entry without its item, {entry_key}"
    return item


def _consumptions(plan: PagePlan, walked: Walked, partition_key: Key | None) -> list[Consumption]:
    index = plan.source.index
    nano_units = read_nano_units(sum(entry.size_bytes for entry in walked.entries), plan.consistency)
    read = Consumption(
        plan.source.table.name,
        OperationType.READ,
        nano_units,
        index_name=index.name if index is not None and index.is_global else None,
        local_index_name=index.name if index is not None and not index.is_global else None,
        key_ranges=_key_ranges(plan, walked, partition_key, nano_units),
    )
    if not plan.fetches or not walked.items:
        return [read]
    nano_units = sum(read_nano_units(item.size_bytes, plan.consistency) for item in walked.items)
    key_ranges = _key_ranges(plan, walked, partition_key, nano_units)
    return [read, Consumption(plan.source.table.name, OperationType.READ, nano_units, key_ranges=key_ranges)]


def _key_ranges(
    plan: PagePlan, walked: Walked, partition_key: Key | None, nano_units: int
) -> tuple[tuple[Key, int], ...]:
    """Spread units over the item collections of a page by their bytes, in integers that add up."""
    if partition_key is not None:
        return ((partition_key, nano_units),)
    prefix_of = plan.source.key_schema.collection_prefix
    collection_bytes: dict[Key, int] = {}
    for key, item in zip(walked.keys, walked.items, strict=True):
        prefix = prefix_of(key)
        collection_bytes[prefix] = collection_bytes.get(prefix, 0) + item.size_bytes
    page_bytes, walked_bytes, spread_nano_units = sum(collection_bytes.values()), 0, 0
    ranges = []
    for prefix, size_bytes in collection_bytes.items():
        walked_bytes += size_bytes
        due_nano_units = nano_units * walked_bytes // page_bytes
        ranges.append((canonical_partition_key(prefix), due_nano_units - spread_nano_units))
        spread_nano_units = due_nano_units
    return tuple(ranges)


def _matching(plan: PagePlan, walked: Walked, *, count_only: bool) -> tuple[list[Item] | None, int]:
    """Give the items of the reply, None where it only counts them, and how many match."""
    if count_only and plan.filter is None:
        return None, len(walked.keys)
    items = _parsed(walked.items)
    if plan.filter is not None:
        items = [item for item in items if plan.filter.matches(item)]
    if count_only:
        return None, len(items)
    return (items if plan.projection is None else [plan.projection.apply(item) for item in items]), len(items)


def _parsed(items: Iterable[StoredItem]) -> list[Any]:
    # One JSON text for the page is read faster than one for each item.
    parsed: list[Any] = json.loads(f"[{','.join(item.json_text for item in items)}]")
    return parsed
