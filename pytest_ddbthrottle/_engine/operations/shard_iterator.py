"""Shard iterators, and from what a request names to the stream and its one shard.

An iterator says which record comes next and when it was made: ``STREAM-ARN|1|`` and the rest in Base64, as the service's
look. It needs no memory, so a snapshot needs none of it.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from dataclasses import dataclass
from hashlib import md5

from pytest_ddbthrottle._engine.errors import ExpiredIteratorException, ResourceNotFoundException, ValidationException
from pytest_ddbthrottle._engine.limits import SHARD_ITERATOR_SECONDS
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._engine.operations.context import Context
from pytest_ddbthrottle._engine.streams import Stream

NO_STREAM = "Requested resource not found: Stream: {arn} not found"
"""Source: Assumed — the text of public implementations."""

NO_SHARD = "Requested resource not found: Shard does not exist"
"""Source: Observed — public reports, 2016 to 2024."""

INVALID_STREAM_ARN = "Invalid StreamArn"
"""Source: Observed — a public SDK's tests, which ran against the service until 2022."""

INVALID_SHARD_ITERATOR = "Invalid ShardIterator"
"""Source: Assumed — worded as the text above; the class was observed by a public suite recorded against the service."""

ITERATOR_EXPIRED = (
    "The shard iterator has expired and can no longer be used to retrieve stream records. "
    "A shard iterator expires 15 minutes after it is retrieved using the GetShardIterator action."
)
"""Source: Assumed — what the API Reference says of the error, read 2026-11-30."""

_STREAM_ARN = re.compile(r"arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:[0-9]{12}:table/[a-zA-Z0-9_.-]{3,255}/stream/[^/|]+")


def find_stream(context: Context, arn: str) -> Stream:
    """Give the stream that a request names.

    Raises:
        ResourceNotFoundException: there is none, or none any more.
        ValidationException: it is no ARN of a stream.
    """
    check_stream_arn(arn)
    stream = context.streams.get(arn)
    if stream is None:
        raise ResourceNotFoundException(NO_STREAM.format(arn=arn))
    return stream


def check_stream_arn(arn: str) -> None:
    """Check that a text is an ARN of a stream.

    Raises:
        ValidationException
    """
    if not _STREAM_ARN.fullmatch(arn):
        raise ValidationException(INVALID_STREAM_ARN)


def shard_id(stream: Stream) -> str:
    """Give the id of a stream's shard: the instant of its beginning in milliseconds, and eight digits of its own.

    Source: Observed — public reports (the form).
    """
    return f"shardId-{stream.begun_ns // 10**6:020d}-{md5(stream.arn.encode(), usedforsecurity=False).hexdigest()[:8]}"


def check_shard(stream: Stream, shard: str) -> None:
    """Check that a stream has a shard.

    Raises:
        ResourceNotFoundException
    """
    if shard != shard_id(stream):
        raise ResourceNotFoundException(NO_SHARD)


@dataclass(frozen=True, slots=True)
class ShardIterator:
    """Where in a stream reading goes on.

    Attributes:
        stream_arn: which stream.
        place: of the next record.
        made_ns: when the iterator was given out.
    """

    stream_arn: str
    place: int
    made_ns: int

    def text(self) -> str:
        """Give it as a client gets it."""
        rest = b64encode(f"{self.place} {self.made_ns}".encode()).decode()
        return f"{self.stream_arn}|1|{rest}"

    def check_age(self, now_ns: int) -> None:
        """Check that it is not too old.

        Raises:
            ExpiredIteratorException
        """
        if now_ns - self.made_ns > SHARD_ITERATOR_SECONDS * NANOSECONDS_PER_SECOND:
            raise ExpiredIteratorException(ITERATOR_EXPIRED)


def read_iterator(text: str) -> ShardIterator:
    """Give the iterator that a client sent back.

    Raises:
        ValidationException: it is none.
    """
    arn, _, rest = text.partition("|1|")
    try:
        place, made_ns = (int(part) for part in b64decode(rest, validate=True).decode("ascii").split(" "))
    except ValueError:
        raise ValidationException(INVALID_SHARD_ITERATOR) from None
    iterator = ShardIterator(arn, place, made_ns)
    if iterator.text() != text or place < 0 or not _STREAM_ARN.fullmatch(arn):
        raise ValidationException(INVALID_SHARD_ITERATOR)
    return iterator
