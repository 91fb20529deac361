"""The journal, as the audit's rules ask it: what was sent again, what landed, what was put aside, what was read."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from pytest_ddbthrottle._engine.journal import Call, Journal
from pytest_ddbthrottle._resends import Entry, entries_of, landed_entries, leftover_entries, refused, sent_again

_CERTAIN_CHARACTERS = 8
"""A key as long as this is taken for itself inside a longer text; a shorter one may be there by chance."""
_SEARCHED_TEXTS = 2_000
"""In more texts than these no key is looked for: it may be in one of them."""


class Evidence:
    """What the rules look at.

    Args:
        journal: whose calls.
        sleeps_are_seen: whether the application's own sleeps move the clock.

    Attributes:
        calls: every attempt, in order.
        read: by the request id of a reply that has reached the application: what it has read of it.
        livelocks: the calls that ended a test.
        again: by the number of a call, the next one that sends it again.
    """

    def __init__(self, journal: Journal, *, sleeps_are_seen: bool) -> None:
        self.calls: Sequence[Call] = list(journal.calls)
        self.read: Mapping[str, set[str]] = journal.read
        self.livelocks: Sequence[Call] = journal.livelocks
        self.again = sent_again(self.calls)
        self.sleeps_are_seen = sleeps_are_seen

    def given_up(self) -> list[Call]:
        """Give the refused calls that nothing sent again: the last of their attempts."""
        return [call for call in self.calls if refused(call) and not call.applied and call.number not in self.again]

    def is_sent_once(self, call: Call) -> bool:
        """Tell whether the application has sent this once: what it tried several times it may have told of afterwards."""
        while call.attempt > 1 and call.number in self._before:
            call = self._before[call.number]
        return call.attempt == 1 and call.number not in self._before

    @cached_property
    def _before(self) -> dict[int, Call]:
        return {self.again[call.number].number: call for call in self.calls if call.number in self.again}

    def is_sent_later(self, entry: Entry, call: Call) -> bool:
        """Tell whether an entry is in any request after a call."""
        return self._last_sent.get(entry.identity, 0) > call.number

    def is_done(self, call: Call) -> bool:
        """Tell whether anything that a call names landed after it, or was put aside."""
        entries = entries_of(call)
        return any(self._last_landed.get(entry.identity, 0) > call.number for entry in entries) or any(
            self.is_put_aside(entry, call) for entry in entries
        )

    def has_landed(self, entry: Entry, call: Call) -> bool:
        """Tell whether an entry landed after a call."""
        return self._last_landed.get(entry.identity, 0) > call.number

    @cached_property
    def _last_sent(self) -> dict[Hashable, int]:
        return {entry.identity: call.number for call in self.calls for entry in entries_of(call)}

    @cached_property
    def _last_landed(self) -> dict[Hashable, int]:
        return {entry.identity: call.number for call in self.calls for entry in landed_entries(call)}

    def repeats_an_action_of(self, call: Call) -> bool:
        """Tell whether a later call does something that a transaction was to do, in another one or by itself.

        That the same items are written later says nothing: an account that pays twice is written twice.
        """
        return any(self._last_done.get(action, 0) > call.number for action in _actions(call.request))

    @cached_property
    def _last_done(self) -> dict[str, int]:
        return {action: call.number for call in self.calls for action in _actions(call.request)}

    def is_put_aside(self, entry: Entry, call: Call) -> bool:
        """Tell whether a later write that succeeded holds the whole key of an entry, which itself has not landed."""
        return any(number > call.number for number in self._writes_with(_contents(entry)))

    def _writes_with(self, contents: Iterable[str]) -> set[int]:
        return set.intersection(
            *({*self._written.get(content, ()), *self._written_inside(content)} for content in contents)
        )

    def _written_inside(self, content: str) -> Iterator[int]:
        """Give the writes of which a longer text holds this one."""
        if len(content) < _CERTAIN_CHARACTERS:
            return
        longer = self._long_texts[bisect_right(self._long_texts, len(content), key=len) :]
        if len(longer) > _SEARCHED_TEXTS:
            yield self.calls[-1].number
        for text in longer[:_SEARCHED_TEXTS]:
            if content in text:
                yield from self._written[text]

    @cached_property
    def _written(self) -> defaultdict[str, list[int]]:
        """By each text in a write that succeeded: the numbers of these calls."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for call in self.calls:
            if call.error is None and not call.leftovers and call.consumed_write_units:
                for text in set(_texts(call.request)):
                    found[text].append(call.number)
        return found

    @cached_property
    def _long_texts(self) -> list[str]:
        return sorted((text for text in self._written if len(text) > _CERTAIN_CHARACTERS), key=len)

    def chains(self) -> list[list[Call]]:
        """Give each run of one worker's calls in which every one sends the very thing again that the one before could not.

        Nothing else of that worker's stands between them; a single call is no run.
        """
        found: list[list[Call]] = []
        by_worker: dict[Hashable, list[Call]] = {}
        for call in self.calls:
            worker = call.caller and call.caller.worker
            run = by_worker.setdefault(worker, [])
            if run and not _repeats(run[-1], call):
                found.append(run)
                run = by_worker[worker] = []
            run.append(call)
        found += by_worker.values()
        return sorted((run for run in found if len(run) > 1), key=lambda run: run[0].number)


def _repeats(before: Call, call: Call) -> bool:
    if before.operation != call.operation or not (refused(before) or before.leftovers):
        return False
    if before.leftovers:
        return {entry.identity for entry in entries_of(call)} <= {entry.identity for entry in leftover_entries(before)}
    return before.request == call.request


def sends(run: Sequence[Call]) -> list[Call]:
    """Give the calls of a run that the application made itself: the first attempt of each."""
    return [call for call in run if call.attempt == 1]


def _actions(request: Mapping[str, Any]) -> list[str]:
    """Give what a request does, as text, without what it wants to be told."""
    actions = request.get("TransactItems")
    parts = [part for action in actions for part in action.values()] if isinstance(actions, list) else [request]
    return [
        json.dumps({name: part[name] for name in part if not name.startswith("Return")}, sort_keys=True)
        for part in parts
    ]


def _contents(entry: Entry) -> list[str]:
    return [content for value in entry.attributes.values() for content in value.values()]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, str):
        yield value
