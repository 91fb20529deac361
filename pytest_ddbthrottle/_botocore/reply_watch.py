"""Replies that tell of a refusal or of leftovers, and note which of their members the application asks for."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from pytest_ddbthrottle._engine.caller import is_sdks, is_tests
from pytest_ddbthrottle._engine.journal import SENT_AGAIN

REASONS = ("ThrottlingReasons", "throttlingReasons", "CancellationReasons")
UNPROCESSED = ("UnprocessedItems", "UnprocessedKeys")
LEFTOVERS = frozenset((*UNPROCESSED, "Responses"))
"""Where a reply tells what was left over; the responses of a batch of statements do."""

WATCHED = LEFTOVERS.union(REASONS)


class WatchedReply(dict[str, Any]):
    """A parsed reply. It is a dict in everything; whoever looks at all of it has asked for every member.

    Botocore, boto3 and this package may look without being noted. The test function may look at reasons: that is not the
    application's reading. What it does with leftovers that it was given is its own affair.
    """

    def note_into(self, read: set[str]) -> WatchedReply:
        """Say where to note what is read."""
        self._read = read
        return self

    def _note(self, *names: object) -> None:
        reader = sys._getframe(2)
        if not is_sdks(reader):
            self._read.update((LEFTOVERS if is_tests(reader) else WATCHED).intersection(names))

    def __getitem__(self, name: str) -> Any:
        if name in WATCHED:
            self._note(name)
        return dict.__getitem__(self, name)

    def get(self, name: str, default: Any = None) -> Any:
        """Give a member, or the default."""
        if name in WATCHED:
            self._note(name)
        return dict.get(self, name, default)

    def pop(self, name: str, *default: Any) -> Any:
        """Take a member out."""
        if name in WATCHED:
            self._note(name)
        return dict.pop(self, name, *default)

    def __contains__(self, name: object) -> bool:
        if name in WATCHED:
            self._note(name)
        return dict.__contains__(self, name)

    def __iter__(self) -> Iterator[str]:
        self._note(*self.keys())
        return dict.__iter__(self)

    def items(self) -> Any:
        """Give all members."""
        self._note(*self.keys())
        return dict.items(self)

    def values(self) -> Any:
        """Give all members' values."""
        self._note(*self.keys())
        return dict.values(self)

    def copy(self) -> dict[str, Any]:
        """Give a plain dict."""
        self._note(*self.keys())
        return dict(dict.items(self))

    def __repr__(self) -> str:
        self._note(*self.keys())
        return dict.__repr__(self)

    def __reduce__(self) -> Any:
        # Copied or sent elsewhere it is a plain dict.
        self._note(*self.keys())
        return dict, (dict(dict.items(self)),)


def watched(parsed: Any, read: dict[str, set[str]]) -> Any:
    """Give a reply that notes what is read of it, if it tells of a refusal or of leftovers; else the reply itself."""
    if "Error" not in parsed and not any(parsed.get(name) for name in UNPROCESSED) and not _has_refused(parsed):
        return parsed
    request_id = parsed.get("ResponseMetadata", {}).get("RequestId", "")
    return WatchedReply(parsed).note_into(read.setdefault(request_id, set()))


def _has_refused(parsed: Any) -> bool:
    """Tell whether a reply to a batch of statements has refused one."""
    responses = parsed.get("Responses")
    errors = (response.get("Error", {}) for response in responses) if isinstance(responses, list) else ()
    return any(error.get("Code") in SENT_AGAIN for error in errors)
