"""GetRecords."""

from __future__ import annotations

from hashlib import md5
from typing import Any

from pytest_ddbthrottle._engine.attribute_value import Item, item_size_bytes
from pytest_ddbthrottle._engine.errors import ResourceNotFoundException, TrimmedDataAccessException
from pytest_ddbthrottle._engine.limits import MAX_STREAM_RECORDS, MAX_STREAM_RECORDS_BYTES
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.get_shard_iterator import TRIMMED
from pytest_ddbthrottle._engine.operations.shard_iterator import NO_STREAM, ShardIterator, read_iterator
from pytest_ddbthrottle._engine.operations.stream_rates import check_call_rate
from pytest_ddbthrottle._engine.streams import Stream, StreamRecord

EVENT_VERSION = "1.1"
TIME_TO_LIVE_IDENTITY = {"PrincipalId": "dynamodb.amazonaws.com", "Type": "Service"}
"""Source: Documented — API Reference, Record, read 2026-11-30 (the values); botocore service model 2012-08-10 (casing)."""


def get_records(context: Context, request: Request) -> Reply:
    """Read a shard from an iterator on: 1,000 records or 1 MB at most.

    Args:
        context: the account.
        request: ``GetRecordsInput``.

    Returns:
        ``GetRecordsOutput``; ``NextShardIterator`` unless the shard is closed and all of it was read.

    Raises:
        ExpiredIteratorException, ResourceNotFoundException, ThrottlingException, TrimmedDataAccessException,
        ValidationException

    Source: Documented — API Reference, GetRecords, read 2026-11-30. Assumed — a ``Limit`` over 1,000 violates a
    constraint as one under 1 does, though the reference speaks of LimitExceededException; the order of the faults.
    """
    iterator = read_iterator(request["ShardIterator"])
    iterator.check_age(context.now_ns)
    stream = context.streams.get(iterator.stream_arn)
    if stream is None:
        raise ResourceNotFoundException(NO_STREAM.format(arn=iterator.stream_arn))
    if iterator.place < stream.trimmed(context.now_ns):
        raise TrimmedDataAccessException(TRIMMED)
    check_call_rate(context, stream.arn, context.limits.get_records_per_second)
    records = _records(context, stream, iterator.place, request.get("Limit", MAX_STREAM_RECORDS))
    reply: Reply = {"Records": records}
    end = iterator.place + len(records)
    if stream.disabled_ns is None or end < len(stream.records):
        reply["NextShardIterator"] = ShardIterator(stream.arn, end, context.now_ns).text()
    return reply


def _records(context: Context, stream: Stream, start: int, limit: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    size_bytes = 0
    for place, record in enumerate(stream.records[start : start + limit], start):
        shown = _shown(context, stream, place, record)
        size_bytes += shown["dynamodb"]["SizeBytes"]
        if size_bytes > MAX_STREAM_RECORDS_BYTES:
            break
        found.append(shown)
    return found


def _shown(context: Context, stream: Stream, place: int, record: StreamRecord) -> dict[str, Any]:
    number = stream.sequence_number(place)
    identity = {"userIdentity": TIME_TO_LIVE_IDENTITY} if record.expired else {}
    return {
        "eventID": md5(f"{stream.arn} {number}".encode(), usedforsecurity=False).hexdigest(),
        "eventName": "INSERT" if record.old is None else "REMOVE" if record.new is None else "MODIFY",
        "eventVersion": EVENT_VERSION,
        "eventSource": "aws:dynamodb",
        "awsRegion": context.region,
        "dynamodb": _written(stream, number, record),
        **identity,
    }


def _written(stream: Stream, number: str, record: StreamRecord) -> dict[str, Any]:
    """Give ``StreamRecord``: keys, and the images that the view type shows.

    Source: Documented — Developer Guide, "Change data capture for DynamoDB Streams", read 2026-11-30 (in the example a size
    is that of the keys and of each image together); API Reference, StreamRecord (creation in whole seconds).
    """
    images = {
        name: item.attributes()
        for name, item, kinds in (
            ("NewImage", record.new, ("NEW_IMAGE", "NEW_AND_OLD_IMAGES")),
            ("OldImage", record.old, ("OLD_IMAGE", "NEW_AND_OLD_IMAGES")),
        )
        if item is not None and stream.view_type in kinds
    }
    keys = _keys(stream, record)
    return {
        "ApproximateCreationDateTime": record.at_ns // NANOSECONDS_PER_SECOND,
        "Keys": keys,
        **images,
        "SequenceNumber": number,
        "SizeBytes": item_size_bytes(keys) + sum(item_size_bytes(image) for image in images.values()),
        "StreamViewType": stream.view_type,
    }


def _keys(stream: Stream, record: StreamRecord) -> Item:
    item = record.new or record.old
    attributes = item.attributes() if item is not None else {}
    return {name: value for name, value in attributes.items() if name in stream.key_schema.names}
