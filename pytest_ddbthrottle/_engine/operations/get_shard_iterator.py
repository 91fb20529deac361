"""GetShardIterator."""

from __future__ import annotations

from pytest_ddbthrottle._engine.errors import TrimmedDataAccessException, ValidationException
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.shard_iterator import ShardIterator, check_shard, find_stream
from pytest_ddbthrottle._engine.streams import Stream

BY_NUMBER = ("AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER")
NEEDED = "{member} is required for ShardIteratorType {kind}"
NOT_TAKEN = "{member} can not be specified for ShardIteratorType {kind}"
INVALID_SEQUENCE_NUMBER = "Invalid SequenceNumber"
IN_THE_FUTURE = "Timestamp can not be in the future"
"""Source: Assumed — the texts; the class of the first three was observed by a public suite recorded against the service, and
that of the last is documented in the API Reference, GetShardIterator, read 2026-11-30."""

TRIMMED = "The data you are trying to access has been trimmed"
"""Source: Observed — a public report of 2019."""


def get_shard_iterator(context: Context, request: Request) -> Reply:
    """Give an iterator that reads a shard from some place on, good for 15 minutes.

    Args:
        context: the account.
        request: ``GetShardIteratorInput``.

    Returns:
        ``GetShardIteratorOutput``.

    Raises:
        ResourceNotFoundException, TrimmedDataAccessException, ValidationException

    Source: Documented — API Reference, GetShardIterator, read 2026-11-30. Assumed — the order of the faults, and that a
    number that no record has is refused.
    """
    kind = request["ShardIteratorType"]
    _check_member("SequenceNumber", request, kind, takes=kind in BY_NUMBER)
    _check_member("Timestamp", request, kind, takes=kind == "AT_TIMESTAMP")
    stream = find_stream(context, request["StreamArn"])
    check_shard(stream, request["ShardId"])
    return {"ShardIterator": ShardIterator(stream.arn, _place(context, stream, request), context.now_ns).text()}


def _check_member(member: str, request: Request, kind: str, *, takes: bool) -> None:
    if takes and member not in request:
        raise ValidationException(NEEDED.format(member=member, kind=kind))
    if member in request and not takes:
        raise ValidationException(NOT_TAKEN.format(member=member, kind=kind))


def _place(context: Context, stream: Stream, request: Request) -> int:
    """Give the place of the first record that is to be read."""
    kind, trimmed = request["ShardIteratorType"], stream.trimmed(context.now_ns)
    if kind == "LATEST":
        return len(stream.records)
    if kind == "TRIM_HORIZON":
        return trimmed
    if kind == "AT_TIMESTAMP":
        at_ns = request["Timestamp"] * NANOSECONDS_PER_SECOND
        if at_ns > context.now_ns:
            raise ValidationException(IN_THE_FUTURE)
        return max(trimmed, stream.first_since(round(max(at_ns, 0))))
    place = stream.place_of(request["SequenceNumber"])
    if place is None:
        raise ValidationException(INVALID_SEQUENCE_NUMBER)
    if place < trimmed:
        raise TrimmedDataAccessException(TRIMMED)
    return place + 1 if kind == "AFTER_SEQUENCE_NUMBER" and stream.records else place
