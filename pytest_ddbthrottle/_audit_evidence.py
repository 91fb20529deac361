"""The journal, as the audit's rules ask it: what was sent again, what landed, what was put aside, what was read."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_ddbthrottle._engine.journal import Call, Journal
from pytest_ddbthrottle._resends import Entry, entries_of, landed_entries, leftover_entries, refused, sent_again

_CERTAIN_CHARACTERS = 8
"""A key as long as this is taken for itself inside a longer text; a shorter one may be there by chance."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the rules look at.

    Attributes:
        calls: every attempt, in order.
        read: by the request id of a reply that has reached the application: what it has read of it.
        livelocks: the calls that ended a test.
        again: by the number of a call, the next one that sends it again.
        sleeps_are_seen: whether the application's own sleeps move the clock.
    """

    calls: Sequence[Call]
    read: Mapping[str, set[str]]
    livelocks: Sequence[Call]
    again: Mapping[int, Call]
    sleeps_are_seen: bool

    @classmethod
    def of(cls, journal: Journal, *, sleeps_are_seen: bool) -> Evidence:
        """Gather it from a journal."""
        calls = list(journal.calls)
        return cls(calls, journal.read, journal.livelocks, sent_again(calls), sleeps_are_seen)

    def given_up(self) -> list[Call]:
        """Give the refused calls that reached the application and that nothing sent again: the last of their attempts."""
        return [call for call in self.calls if refused(call) and not call.applied and call.number not in self.again]

    def is_sent_later(self, entry: Entry, call: Call) -> bool:
        """Tell whether an entry is in any request after a call."""
        return any(entry.identity == other.identity for later in self.after(call) for other in entries_of(later))

    def landed_later(self, call: Call) -> bool:
        """Tell whether anything that a call names landed after it."""
        own = {entry.identity for entry in entries_of(call)}
        return any(entry.identity in own for later in self.after(call) for entry in landed_entries(later))

    def repeats_an_action_of(self, call: Call) -> bool:
        """Tell whether a later call does something that a transaction was to do, in another one or by itself.

        That the same items are written later says nothing: an account that pays twice is written twice.
        """
        return any(action in _actions(later.request) for action in _actions(call.request) for later in self.after(call))

    def is_put_aside(self, entry: Entry, call: Call) -> bool:
        """Tell whether a later write that succeeded, of another item, holds the whole key of an entry."""
        return any(
            self._holds(later, entry) for later in self.after(call) if later.error is None and not later.leftovers
        )

    def _holds(self, call: Call, entry: Entry) -> bool:
        if not call.consumed_write_units or entry.identity in {other.identity for other in entries_of(call)}:
            return False
        leaves = set(_leaves(call.request))
        return all(_is_among(next(iter(value.values())), leaves) for value in entry.attributes.values())

    def after(self, call: Call) -> Sequence[Call]:
        """Give the calls after one."""
        return self.calls[call.number :]

    def chains(self) -> list[list[Call]]:
        """Give each run of one worker's calls in which every one sends the very thing again that the one before could not.

        Nothing else of that worker's stands between them; a single call is no run.
        """
        found: list[list[Call]] = []
        by_worker: dict[Hashable, list[Call]] = {}
        for call in self.calls:
            run = by_worker.setdefault(call.caller and call.caller.worker, [])
            if run and not _repeats(run[-1], call):
                if len(run) > 1:
                    found.append(run)
                run = by_worker[call.caller and call.caller.worker] = []
            run.append(call)
        found += [run for run in by_worker.values() if len(run) > 1]
        return sorted(found, key=lambda run: run[0].number)


def _repeats(before: Call, call: Call) -> bool:
    if before.operation != call.operation or not (refused(before) or before.leftovers):
        return False
    if before.leftovers:
        return {entry.identity for entry in entries_of(call)} <= {entry.identity for entry in leftover_entries(before)}
    return before.request == call.request


def sends(run: Sequence[Call]) -> list[Call]:
    """Give the calls of a run that the application made itself: the first attempt of each."""
    return [call for call in run if call.attempt == 1]


def _actions(request: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Give what a request does, without what it wants to be told."""
    parts = [part for action in request.get("TransactItems", ()) for part in action.values()]
    return [{name: part[name] for name in part if not name.startswith("Return")} for part in parts or [request]]


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for part in value.values():
            yield from _leaves(part)
    elif isinstance(value, list):
        for part in value:
            yield from _leaves(part)
    elif isinstance(value, str):
        yield value


def _is_among(content: str, leaves: set[str]) -> bool:
    return content in leaves or (len(content) >= _CERTAIN_CHARACTERS and any(content in leaf for leaf in leaves))
