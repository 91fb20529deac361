"""DynamoDB Streams: what was written to a table, in order, readable for a day.

A stream is one shard, and a record's number is its place in it: nothing moves when the oldest are trimmed. Whether a
record is trimmed, and whether a stream that was disabled is still there, is asked of the clock when somebody looks.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace

from pytest_ddbthrottle._engine.attribute_value import equal
from pytest_ddbthrottle._engine.keys import KeySchema
from pytest_ddbthrottle._engine.limits import STREAM_RETENTION_SECONDS
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._engine.stored_items import StoredItem

RETENTION_NS = STREAM_RETENTION_SECONDS * NANOSECONDS_PER_SECOND
NUMBERS_PER_NANOSECOND = 1000
NUMBER_DIGITS = 21
"""A sequence number is the instant of the stream's beginning, and the record's place, in 21 digits at least: it rises over
all streams of a table. Source: Documented — API Reference, StreamRecord, SequenceNumber, read 2026-11-30 (21 to 40 digits,
numeric characters alone); Assumed — what it is made of."""


@dataclass(frozen=True, slots=True)
class StreamRecord:
    """One item before and after one write, each None where there was none.

    Attributes:
        at_ns: when it was written.
        old: the item before.
        new: the item after.
        expired: whether it is a delete of time to live.
    """

    at_ns: int
    old: StoredItem | None
    new: StoredItem | None
    expired: bool = False


@dataclass(slots=True)
class Stream:
    """One stream of a table: from when it was enabled until a day after it was disabled.

    Attributes:
        arn: its ARN.
        label: the last part of the ARN.
        table_name: whose it is.
        key_schema: the table's.
        view_type: what its records show.
        begun_ns: the instant that the label tells.
        settled_ns: until when it is ENABLING, or DISABLING once it is disabled.
        disabled_ns: when it was disabled, or its table deleted; None while it takes records.
        records: all of them, those that are trimmed as well.
    """

    arn: str
    label: str
    table_name: str
    key_schema: KeySchema
    view_type: str
    begun_ns: int
    settled_ns: int = 0
    disabled_ns: int | None = None
    records: list[StreamRecord] = field(default_factory=list)

    def record(self, old: StoredItem | None, new: StoredItem | None, at_ns: int, *, expired: bool) -> None:
        """Append a record of one write, unless it changed nothing.

        Source: Documented — Developer Guide, "Change data capture for DynamoDB Streams", read 2026-11-30. Assumed — where a
        calendar is set back, time stands still in the stream.
        """
        if not _same(old, new):
            latest_ns = self.records[-1].at_ns if self.records else self.begun_ns
            self.records.append(StreamRecord(max(at_ns, latest_ns), old, new, expired))

    def trimmed(self, now_ns: int) -> int:
        """Give how many of the records are older than a day: the place of the oldest that can be read."""
        return bisect_right(self.records, now_ns - RETENTION_NS, key=lambda record: record.at_ns)

    def first_since(self, at_ns: int) -> int:
        """Give the place of the first record whose creation, which is told in whole seconds, is not before an instant."""
        second_ns = -(-at_ns // NANOSECONDS_PER_SECOND) * NANOSECONDS_PER_SECOND
        return bisect_left(self.records, second_ns, key=lambda record: record.at_ns)

    def sequence_number(self, place: int) -> str:
        """Give the sequence number of the record at a place."""
        return str(self.begun_ns * NUMBERS_PER_NANOSECOND + place).zfill(NUMBER_DIGITS)

    def place_of(self, sequence_number: str) -> int | None:
        """Give the place of a record; None where no record has that number. The first number stands for the beginning."""
        if not sequence_number.isdecimal():
            return None
        place = int(sequence_number) - self.begun_ns * NUMBERS_PER_NANOSECOND
        return place if 0 <= place < max(len(self.records), 1) else None

    def status(self, now_ns: int) -> str:
        """Give ``StreamStatus``."""
        if self.disabled_ns is None:
            return "ENABLING" if now_ns < self.settled_ns else "ENABLED"
        return "DISABLING" if now_ns < self.settled_ns else "DISABLED"

    def is_there(self, now_ns: int) -> bool:
        """Tell whether it can be read: it takes records, or did so until less than a day ago.

        Source: Documented — Developer Guide, "Change data capture for DynamoDB Streams", read 2026-11-30.
        """
        return self.disabled_ns is None or now_ns < self.disabled_ns + RETENTION_NS

    def disable(self, now_ns: int, *, settled_ns: int = 0) -> None:
        """Let it take no more records."""
        if self.disabled_ns is None:
            self.disabled_ns, self.settled_ns = now_ns, settled_ns

    def copy(self) -> Stream:
        """Give a stream of its own with the same records (snapshots)."""
        return replace(self, records=list(self.records))


def _same(old: StoredItem | None, new: StoredItem | None) -> bool:
    if old is None or new is None:
        return old is new
    return old.json_text == new.json_text or equal({"M": old.attributes()}, {"M": new.attributes()})
