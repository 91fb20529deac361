"""DescribeStream."""

from __future__ import annotations

from typing import Any

from pytest_ddbthrottle._engine.control_plane.description import key_schema_description, timestamp
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.shard_iterator import find_stream, shard_id
from pytest_ddbthrottle._engine.operations.stream_rates import check_look_rate
from pytest_ddbthrottle._engine.streams import Stream

MAX_SHARDS = 100
"""Source: Documented — API Reference, DescribeStream, read 2026-11-30."""


def describe_stream(context: Context, request: Request) -> Reply:
    """Describe a stream and its shard.

    Args:
        context: the account.
        request: ``DescribeStreamInput``.

    Returns:
        ``DescribeStreamOutput``; no shard after an ``ExclusiveStartShardId`` that is not before it, and none as the child
        of another.

    Raises:
        ResourceNotFoundException, ThrottlingException, ValidationException

    Source: Documented — API Reference, DescribeStream, read 2026-11-30. Assumed — a stream has one shard, which is open
    until the stream is disabled; the service divides a stream, and begins new shards every few hours.
    """
    check_look_rate(context, "DescribeStream")
    stream = find_stream(context, request["StreamArn"])
    asks_for_children = request.get("ShardFilter", {}).get("Type") == "CHILD_SHARDS"
    shards = [] if asks_for_children or shard_id(stream) <= request.get("ExclusiveStartShardId", "") else [stream]
    description = {
        "StreamArn": stream.arn,
        "StreamLabel": stream.label,
        "StreamStatus": stream.status(context.now_ns),
        "StreamViewType": stream.view_type,
        "CreationRequestDateTime": timestamp(stream.begun_ns),
        "TableName": stream.table_name,
        "KeySchema": key_schema_description(stream.key_schema),
        "Shards": [_shard(shard) for shard in shards[: request.get("Limit", MAX_SHARDS)]],
    }
    return {"StreamDescription": description}


def _shard(stream: Stream) -> dict[str, Any]:
    numbers = {"StartingSequenceNumber": stream.sequence_number(0)}
    if stream.disabled_ns is not None:
        numbers["EndingSequenceNumber"] = stream.sequence_number(max(len(stream.records) - 1, 0))
    return {"ShardId": shard_id(stream), "SequenceNumberRange": numbers}
