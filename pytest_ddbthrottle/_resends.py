"""Which call sent again what an earlier one could not do, and which entries never landed.

An *entry* is one item of a request: a write, or a key to read. Entries are told apart by their table and key, so that a
leftover is found again in another batch, in a single write or in a transaction.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pytest_ddbthrottle._engine.capacity import OperationType
from pytest_ddbthrottle._engine.errors import LOST_REPLIES, ServiceError
from pytest_ddbthrottle._engine.journal import Call
from pytest_ddbthrottle._engine.keys import Key
from pytest_ddbthrottle._engine.request_entries import direction_of, named_items, written
from pytest_ddbthrottle._engine.request_names import table_names
from pytest_ddbthrottle._engine.throttle.replies import REASONS_MEMBERS

THROTTLE_ERRORS = frozenset(error.__name__ for error in REASONS_MEMBERS)
CANCELLED = "TransactionCanceledException"
CONDITION_ERRORS = ("ConditionalCheckFailedException", "DuplicateItemException")

_MALFORMED = (AttributeError, KeyError, TypeError, ValueError, ArithmeticError, ServiceError)
_MICROSECONDS_PER_SECOND = 1_000_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One item that a request names, by its key."""

    region: str
    table: str
    key: Key
    direction: OperationType
    attributes: Mapping[str, Any]

    @property
    def identity(self) -> tuple[str, str, Key, OperationType]:
        """What an entry has in common with the one that sends it again."""
        return self.region, self.table, self.key, self.direction


def entries_of(call: Call) -> list[Entry]:
    """Give the items that a call names; none for an operation without keys, or for a malformed request."""
    try:
        return _keyed(call, named_items(call.operation, call.request))
    except _MALFORMED:  # refused before it was validated
        return []


def _keyed(call: Call, named: Iterable[tuple[str, Mapping[str, Any]]]) -> list[Entry]:
    entries = []
    for name, attributes in named:
        table = name.rpartition(":table/")[2]
        schema = call.key_schemas.get(table)
        if schema is not None and schema.names <= attributes.keys():
            key, only_keys = schema.key_of(attributes), schema.only_keys(attributes)
            entries.append(Entry(call.region, table, key, direction_of(call.operation, call.request), only_keys))
    return entries


def leftover_entries(call: Call) -> list[Entry]:
    """Give the entries that a batch handed back."""
    if call.operation == "BatchExecuteStatement":
        return _keyed(call, named_items(call.operation, {"Statements": [entry for _, entry in call.leftovers]}))
    batch_write = call.operation == "BatchWriteItem"
    return _keyed(call, ((table, written(entry) if batch_write else entry) for table, entry in call.leftovers))


def refused(call: Call) -> bool:
    """Whether a call ended in an error that says: send it again. Throttled in whole, or a fault of service or network."""
    if call.error is None:
        return False
    return call.throttled or call.error in THROTTLE_ERRORS or call.error in LOST_REPLIES or call.status_code >= 500


def was_throttled(call: Call) -> bool:
    """Whether anything of a call was refused for want of capacity, by a bucket or by the test's script."""
    return call.throttled or call.error in THROTTLE_ERRORS or (call.scripted and bool(call.leftovers))


def open_entries(call: Call) -> list[Entry]:
    """Give the entries of a call that have still to be sent again."""
    return entries_of(call) if refused(call) else leftover_entries(call)


def landed_entries(call: Call) -> list[Entry]:
    """Give the entries of a call that have their answer; a condition that was false is one."""
    if call.error in CONDITION_ERRORS or _is_cancelled_by_a_condition(call):
        return entries_of(call)
    if call.error is not None:
        return entries_of(call) if call.applied else []
    back = {entry.identity for entry in leftover_entries(call)}
    return [entry for entry in entries_of(call) if entry.identity not in back]


def _is_cancelled_by_a_condition(call: Call) -> bool:
    return call.error == CANCELLED and not call.throttled and "ConditionalCheckFailed" in (call.message or "")


def lost_entries(calls: Sequence[Call]) -> list[tuple[Call, Entry]]:
    """Give the entries that never landed, each with the last call that could not do it, in order.

    Writes that were refused, and leftovers of both batches; a read that was refused as a whole told its caller so.
    """
    waiting: dict[Hashable, tuple[Call, Entry]] = {}
    for call in calls:
        for entry in landed_entries(call):
            waiting.pop(entry.identity, None)
        for entry in () if call.applied else open_entries(call):
            if call.error is None or entry.direction is OperationType.WRITE:
                waiting.pop(entry.identity, None)
                waiting[entry.identity] = (call, entry)
    return list(waiting.values())


def sent_again(calls: Sequence[Call]) -> dict[int, Call]:
    """Give, by the number of each call that was refused or left entries over, the next one that sends it again.

    The SDK's next attempt of the same call; else the application's next call of the same operation that has one of the
    open entries, or for an operation without keys names the same table and index.
    """
    retries: dict[Hashable, Call] = {}
    sends: dict[Hashable, Call] = {}
    found: dict[int, Call] = {}
    for call in reversed(calls):
        everything = _traces(call, entries_of(call))
        if refused(call) or call.leftovers:
            attempt = retries.get((everything, call.attempt, _microseconds(call.at_seconds)))
            later = [sends[trace] for trace in _traces(call, open_entries(call)) if trace in sends]
            following = attempt or min(later, key=lambda sent: sent.number, default=None)
            if following is not None:
                found[call.number] = following
        if call.delay_before_seconds is not None:
            before = _microseconds(call.at_seconds - call.delay_before_seconds)
            retries[everything, call.attempt - 1, before] = call
        else:
            sends.update(dict.fromkeys(everything, call))
    return found


def _traces(call: Call, entries: Sequence[Entry]) -> frozenset[Hashable]:
    """What ties a call to the one that sends it again."""
    if entries:
        return frozenset((call.operation, entry.identity) for entry in entries)
    return frozenset([(call.operation, call.region, tuple(table_names(call.request)), call.index)])


def _microseconds(seconds: float) -> int:
    return round(seconds * _MICROSECONDS_PER_SECOND)


def sequences(calls: Sequence[Call], again: Mapping[int, Call]) -> list[list[Call]]:
    """Give each run of calls that sends one thing until it lands or is given up; at least two calls long."""
    continued = {call.number for call in again.values()}
    found = []
    for call in calls:
        if call.number in again and call.number not in continued:
            run = [call]
            while run[-1].number in again:
                run.append(again[run[-1].number])
            found.append(run)
    return found


def delays_seconds(run: Sequence[Call]) -> list[float]:
    """Give the virtual seconds between the calls of a run."""
    return [round(later.at_seconds - call.at_seconds, 9) for call, later in pairwise(run)]
