"""ListStreams."""

from __future__ import annotations

from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.shard_iterator import check_stream_arn
from pytest_ddbthrottle._engine.operations.stream_rates import check_look_rate

MAX_STREAMS = 100
"""Source: Documented — API Reference, ListStreams, read 2026-11-30."""


def list_streams(context: Context, request: Request) -> Reply:
    """List the streams that can be read, those that were disabled and those of deleted tables for a day as well.

    Args:
        context: the account.
        request: ``ListStreamsInput``.

    Returns:
        ``ListStreamsOutput``.

    Raises:
        ThrottlingException, ValidationException

    Source: Observed — a public lab's notes of 2026-10-09, us-west-2 (what is listed). Assumed — in the order of their ARNs;
    a name that no table has lists nothing.
    """
    check_look_rate(context, "ListStreams")
    start = request.get("ExclusiveStartStreamArn", "")
    if start:
        check_stream_arn(start)
    name = request.get("TableName")
    streams = context.streams
    arns = sorted(arn for arn, stream in streams.items() if name in (None, stream.table_name) and arn > start)
    limit = request.get("Limit", MAX_STREAMS)
    page = [streams[arn] for arn in arns[:limit]]
    reply: Reply = {
        "Streams": [
            {"StreamArn": stream.arn, "TableName": stream.table_name, "StreamLabel": stream.label} for stream in page
        ]
    }
    if len(arns) > limit:
        reply["LastEvaluatedStreamArn"] = page[-1].arn
    return reply
