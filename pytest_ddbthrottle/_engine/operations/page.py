"""The page walk that Query and Scan share.

A page ends after ``Limit`` entries or with the entry that takes it to 1 MB, both counted before the filter. It is
charged for what was walked: sizes added up, then rounded once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

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
from pytest_ddbthrottle._engine.stored_items import StoredItem, StoredItems


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
    """What one page walked: the keys of the entries, and for each the item that a fetch or the entry gave."""

    items: Sequence[tuple[Key, StoredItem]]
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
    walked = walked_page(plan, walk, request.get("Limit"))
    consumptions = page_consumptions(plan, walked, partition_key)
    context.admit(consumptions)
    matching = matching_items(plan, walked)
    reply: Reply = {}
    if consumed := consumed_capacity(request["TableName"], consumptions, request.get("ReturnConsumedCapacity")):
        reply["ConsumedCapacity"] = consumed
    reply["Count"] = len(matching)
    if request.get("Select") != "COUNT":
        reply["Items"] = matching if plan.projection is None else [plan.projection.apply(item) for item in matching]
    if walked.was_cut:
        reply["LastEvaluatedKey"] = plan.source.cursor(walked.items[-1][1].attributes())
    reply["ScannedCount"] = len(walked.items)
    return reply


def walked_page(
    plan: PagePlan, walk: Iterable[tuple[Key, StoredItem]], limit: int | None, page_bytes: int = 0
) -> Walked:
    """Walk over the entries of one page, of which earlier reads may have filled a part."""
    items: list[tuple[Key, StoredItem]] = []
    for keyed_item in _fetching(plan, walk) if plan.fetches else walk:
        items.append(keyed_item)
        page_bytes += keyed_item[1].size_bytes
        if len(items) == limit or page_bytes >= MAX_PAGE_BYTES:
            return Walked(items, was_cut=True)
    return Walked(items, was_cut=False)


def _fetching(plan: PagePlan, walk: Iterable[tuple[Key, StoredItem]]) -> Iterator[tuple[Key, StoredItem]]:
    for key, _ in walk:
        # The key of an index entry ends in the key of its item.
        item = plan.source.table.items.get(key[-1])
        assert item is not None, f"{plan.source.table.name}: an index entry without its item, {key}"
        yield key, item


def page_consumptions(plan: PagePlan, walked: Walked, partition_key: Key | None) -> list[Consumption]:
    """Give what a page takes: of the table or index, then of the table for the fetches."""
    index = plan.source.index
    nano_units = read_nano_units(_entry_bytes(plan, walked), plan.consistency)
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
    nano_units = sum(read_nano_units(item.size_bytes, plan.consistency) for _, item in walked.items)
    key_ranges = _key_ranges(plan, walked, partition_key, nano_units)
    return [read, Consumption(plan.source.table.name, OperationType.READ, nano_units, key_ranges=key_ranges)]


def _entry_bytes(plan: PagePlan, walked: Walked) -> int:
    if not plan.fetches:
        return sum([item.size_bytes for _, item in walked.items])
    entries = (plan.source.entries.get(key) for key, _ in walked.items)
    return sum(entry.size_bytes for entry in entries if entry is not None)


def _key_ranges(
    plan: PagePlan, walked: Walked, partition_key: Key | None, nano_units: int
) -> tuple[tuple[Key, int], ...]:
    """Spread units over the item collections of a page by their bytes, in integers that add up."""
    if partition_key is not None:
        return ((partition_key, nano_units),)
    prefix_of = plan.source.key_schema.collection_prefix
    collection_bytes: dict[Key, int] = {}
    for key, item in walked.items:
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


def matching_items(plan: PagePlan, walked: Walked) -> StoredItems:
    """Give the items of a page that pass the filter."""
    items = [item for _, item in walked.items]
    if plan.filter is None:
        return StoredItems(items)
    matches = plan.filter.matches
    return StoredItems([item for item, seen in zip(items, StoredItems(items), strict=True) if matches(seen)])
