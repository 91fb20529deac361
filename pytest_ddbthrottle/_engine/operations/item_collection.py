"""``ItemCollectionMetrics``: the item collections that a write touched, of tables with local secondary indexes."""

from __future__ import annotations

from typing import Any

from pytest_ddbthrottle._engine.operations.context import Request
from pytest_ddbthrottle._engine.operations.write_action import WriteAction

SIZE_ESTIMATE_RANGE_GB = (0.0, 1.0)
"""Source: Observed — eu-west-2 and us-east-1, 2026-10-09, a public conformance suite (the range of a small collection);
Assumed — none in memory grows past a gigabyte."""


def item_collection_metrics(request: Request, action: WriteAction) -> dict[str, Any] | None:
    """Give what one write reports of its item collection, or None where the request or the table has no such thing.

    Args:
        request: the one that carries ``ReturnItemCollectionMetrics``.
        action: the write.

    Source: Documented — API Reference, PutItem, ReturnItemCollectionMetrics, read 2026-11-30.
    """
    if request.get("ReturnItemCollectionMetrics") != "SIZE" or not action.table.local_indexes:
        return None
    (attribute,) = action.table.key_schema.partition
    return {
        "ItemCollectionKey": {attribute.name: action.key_item[attribute.name]},
        "SizeEstimateRangeGB": list(SIZE_ESTIMATE_RANGE_GB),
    }
