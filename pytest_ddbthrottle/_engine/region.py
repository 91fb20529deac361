"""What an account holds in one Region, and how that follows the clock: what is on its way is done when it is looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pytest_ddbthrottle._engine.expiry import delete_expired
from pytest_ddbthrottle._engine.limits import CONTROL_PLANE_CHANGES_AT_ONCE, CONTROL_PLANE_CHANGES_PER_SECOND
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._engine.pending_change import PendingChange, Work
from pytest_ddbthrottle._engine.streams import Stream
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table
from pytest_ddbthrottle._engine.throttle.admission import Admission
from pytest_ddbthrottle._engine.vector_index import VectorIndex

RegionSnapshot = tuple[Mapping[str, Table], Mapping[str, Any], Any, Sequence[Stream], Mapping[str, int]]
"""Tables, transaction tokens, buckets, streams of deleted tables, and until when calls that have a rate are paid for."""


@dataclass(slots=True)
class Region:
    """What an account holds in one Region.

    Attributes:
        name: the Region.
        admission: its buckets.
        tables: by name.
        transaction_tokens: what TransactWriteItems remembers.
        changing: names of the tables of which something is on its way, or whose items expire.
        left_streams: those of tables that were deleted.
        paid_until_ns: when the calls that were made are paid for, by what they are.
    """

    name: str
    admission: Admission
    tables: dict[str, Table] = field(default_factory=dict)
    transaction_tokens: dict[str, Any] = field(default_factory=dict)
    changing: set[str] = field(default_factory=set)
    left_streams: list[Stream] = field(default_factory=list)
    paid_until_ns: dict[str, int] = field(default_factory=dict)

    def follow(self, table: Table, now_ns: int) -> None:
        """Follow a table that was created or changed: its buckets, what is on its way, and what expires."""
        self.admission.refresh(table, now_ns)
        if _is_changing(table):
            self.changing.add(table.name)

    def forget(self, table: Table, now_ns: int) -> None:
        """Drop a table that was deleted, and its buckets; its streams can be read for another day."""
        if table.stream is not None:
            table.stream.disable(now_ns)
        self.left_streams += table.streams
        self.tables.pop(table.name, None)
        self.changing.discard(table.name)
        self.admission.forget(table.name)

    def settle(self, now_ns: int, ttl_sweep_seconds: int) -> None:
        """Do what was on its way and has been due since, each change at its own instant; delete what has expired."""
        if not self.changing:
            return
        for name in sorted(self.changing):
            table = self.tables[name]
            due = sorted({pending.ends_ns for pending in table.pending_changes if pending.ends_ns <= now_ns})
            for at_ns in due:
                self._finish(table, at_ns)
            if name not in self.tables or not _is_changing(table):
                self.changing.discard(name)
            else:
                delete_expired(table, ttl_sweep_seconds, now_ns)

    def _finish(self, table: Table, at_ns: int) -> None:
        done = table.pending if table.pending is not None and table.pending.ends_ns == at_ns else None
        if done is not None and done.work is Work.DELETION:
            self.forget(table, at_ns)
            return
        if done is not None and done.work is Work.CREATION:
            self.admission.forget(table.name)  # The buckets of a table fill from the moment when it is ACTIVE.
        if done is not None:
            _put_in_force(table, done)
        for index in table.every_index.values():
            if index.pending is not None and index.pending.ends_ns == at_ns:
                _finish_index(table, index, index.pending)
        self.admission.refresh(table, at_ns)

    def streams(self, now_ns: int) -> dict[str, Stream]:
        """Give the streams that can be read, by ARN."""
        found = [*self.left_streams, *(stream for table in self.tables.values() for stream in table.streams)]
        return {stream.arn: stream for stream in found if stream.is_there(now_ns)}

    def admit_change(self, now_ns: int) -> bool:
        """Count a change of the control plane; False, and nothing counted, where there were too many of late."""
        return self.admit_call(
            "change", now_ns, per_second=CONTROL_PLANE_CHANGES_PER_SECOND, at_once=CONTROL_PLANE_CHANGES_AT_ONCE
        )

    def admit_call(self, what: str, now_ns: int, *, per_second: int, at_once: int) -> bool:
        """Count a call of a kind that has a rate; False, and nothing counted, where there were too many of late."""
        if not per_second:
            return False
        call_ns = NANOSECONDS_PER_SECOND // per_second
        paid_until_ns = max(self.paid_until_ns.get(what, 0), now_ns)
        if paid_until_ns - now_ns > (at_once - 1) * call_ns:
            return False
        self.paid_until_ns[what] = paid_until_ns + call_ns
        return True

    def snapshot(self) -> RegionSnapshot:
        """Give all of it as it is now."""
        tables = {table.name: table.copy() for table in self.tables.values()}
        streams = [stream.copy() for stream in self.left_streams]
        return tables, dict(self.transaction_tokens), self.admission.snapshot(), streams, dict(self.paid_until_ns)

    def restore(self, snapshot: RegionSnapshot) -> None:
        """Set a new Region to a snapshot, which stays good for further uses."""
        tables, tokens, admission, streams, paid_until_ns = snapshot
        self.tables.update((table.name, table.copy()) for table in tables.values())
        self.transaction_tokens.update(tokens)
        self.admission.restore(admission)
        self.left_streams += [stream.copy() for stream in streams]
        self.paid_until_ns.update(paid_until_ns)
        self.changing.update(table.name for table in self.tables.values() if _is_changing(table))


def _is_changing(table: Table) -> bool:
    return bool(table.pending_changes) or table.settings.time_to_live.attribute_name is not None


def _finish_index(table: Table, index: SecondaryIndex | VectorIndex, done: PendingChange) -> None:
    if done.work is Work.DELETION:
        table.drop_index(index.name)
    elif isinstance(index, VectorIndex):
        index.pending = None
    else:
        _put_in_force(index, done)


def _put_in_force(holder: Table | SecondaryIndex, done: PendingChange) -> None:
    """Put a change in force; warm throughput that was raised meanwhile stays."""
    holder.pending = None
    before, after = holder.throughput, done.throughput
    if before is None or after is None:
        return
    holder.throughput = replace(
        after,
        warm_read_units_per_second=max(before.warm_read_units_per_second, after.warm_read_units_per_second),
        warm_write_units_per_second=max(before.warm_write_units_per_second, after.warm_write_units_per_second),
    )
