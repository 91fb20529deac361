"""Scan."""

from __future__ import annotations

from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.condition import Condition, condition
from pytest_ddbthrottle._engine.expressions.placeholders import Placeholders
from pytest_ddbthrottle._engine.expressions.projection import Projection, projection
from pytest_ddbthrottle._engine.keys import KEY_MISMATCH, Key, KeyBounds
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.keyed_read import read_consistency
from pytest_ddbthrottle._engine.operations.legacy_parameters import with_expressions
from pytest_ddbthrottle._engine.operations.lookup import find_table
from pytest_ddbthrottle._engine.operations.page import PagePlan, read_page
from pytest_ddbthrottle._engine.operations.page_source import (
    STARTING_KEY_INVALID,
    PageSource,
    holds,
    page_source,
    refuse_vector_index,
    resumed,
)
from pytest_ddbthrottle._engine.operations.selection import check_select, needs_fetch

PARTITION_HASHES = 2**64
"""The hash that begins each key has 64 bits; a segment is a slice of them, the same for every page."""


def scan(context: Context, request: Request) -> Reply:
    """Read a table or index in the order of its keys' hashes, a page at a time, or one segment of it.

    Args:
        context: the account.
        request: ``ScanInput``.

    Returns:
        ``ScanOutput``.

    Raises:
        ResourceNotFoundException, ValidationException, Throttled

    Source: Assumed — a filter on attributes that the index lacks matches nothing here, as the service's PartiQL reads
    without a key do; Query refuses it.
    """
    check_select(request, envelope="")
    _check_segment(request)
    request = with_expressions(request)
    kept, shown = _expressions(request)
    table = find_table(context, request["TableName"])
    refuse_vector_index(table, request, by_query=False)
    source = page_source(table, request)
    within = _segment(request)
    start = _start(source, request, within)
    fetches = needs_fetch(source.table, source.index, request, shown)
    plan = PagePlan(source, read_consistency(request), kept, shown, fetches)
    return read_page(context, request, plan, source.entries.walk(resumed(within, start, forward=True)))


def _check_segment(request: Request) -> None:
    """Check that the two members of a parallel scan come together.

    Source: Observed — eu-west-2, 2026-07, a public conformance suite.
    """
    segment, total_segments = request.get("Segment"), request.get("TotalSegments")
    if segment is not None and total_segments is None:
        raise ValidationException(
            "The TotalSegments parameter is required but was not present in the request when Segment parameter is "
            "present"
        )
    if total_segments is not None and segment is None:
        raise ValidationException(
            "The Segment parameter is required but was not present in the request when parameter TotalSegments is "
            "present"
        )
    if segment is not None and total_segments is not None and segment >= total_segments:
        raise ValidationException(
            "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
            f"Segment: {segment} is not less than TotalSegments: {total_segments}"
        )


def _expressions(request: Request) -> tuple[Condition | None, Projection | None]:
    placeholders = Placeholders(request.get("ExpressionAttributeNames"), request.get("ExpressionAttributeValues"))
    filter_text, shown_text = request.get("FilterExpression"), request.get("ProjectionExpression")
    if filter_text is None and shown_text is None:
        placeholders.check_without_expressions()
        return None, None
    shown = None if shown_text is None else projection(shown_text, placeholders)
    kept = None if filter_text is None else condition(filter_text, placeholders, "FilterExpression")
    placeholders.check_all_used()
    return kept, shown


def _segment(request: Request) -> KeyBounds:
    segment, total_segments = request.get("Segment") or 0, request.get("TotalSegments") or 1
    first, last = (-(-PARTITION_HASHES * number // total_segments) for number in (segment, segment + 1))
    return KeyBounds((first,), (last,), last_inclusive=False)


def _start(source: PageSource, request: Request, within: KeyBounds) -> Key | None:
    cursor = request.get("ExclusiveStartKey")
    if cursor is None:
        return None
    fault = STARTING_KEY_INVALID if source.index else f"{STARTING_KEY_INVALID}: {KEY_MISMATCH}"
    start = source.position(cursor, fault)
    if not holds(within, start):
        raise ValidationException(
            f"{STARTING_KEY_INVALID}: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. "
            f"TotalSegments: {request['TotalSegments']} Segment: {request['Segment']}"
        )
    return start
