"""A refused reply taken apart, and compared with what a test expects of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any
from weakref import WeakValueDictionary

from pytest_ddbthrottle._engine.journal import Call, Journal
from pytest_ddbthrottle._engine.throttle.replies import REASONS_MEMBERS
from pytest_ddbthrottle._failures import listed
from pytest_ddbthrottle._resends import CANCELLED, THROTTLE_ERRORS, was_throttled

CAPACITY_CODES = frozenset({"ProvisionedThroughputExceeded", "ThrottlingError"})
"""The cancellation codes that mean throttling.

Source: Documented — API Reference, TransactWriteItems, read 2026-11-30.
"""

_LIST_MEMBERS: Mapping[str, str] = MappingProxyType(
    {error.__name__: member for error, member in REASONS_MEMBERS.items()}
)
_NO_LIST = "no list"
_NOT_RECORDED = "unknown: no fake that is still alive has recorded this reply, and only its record shows it"

# An exception knows nothing of the fake that sent it: only the request id leads back. Oldest first, never kept alive.
_JOURNALS: WeakValueDictionary[int, Journal] = WeakValueDictionary()


def watch(journal: Journal) -> None:
    """Let replies that are in this journal be found again by their request ids, for as long as it lives."""
    _JOURNALS[id(journal)] = journal


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a test expects of a refused reply; None is not compared. See ``assert_throttled``."""

    error: str | None = None
    namespace: str | None = None
    reason: str | None = None
    reasons: Sequence[str] | None = None
    resource: str | None = None
    message: str | None = None
    cause: str | None = None

    def __str__(self) -> str:
        return listed([f"{name} {_told(getattr(self, name))}" for name in self.given if name != "message"])

    @property
    def given(self) -> list[str]:
        """The names of the parts that are compared."""
        return [part.name for part in fields(self) if getattr(self, part.name) is not None]


def _told(expected: str | Sequence[str]) -> str:
    if isinstance(expected, str):
        return str.__str__(expected)
    return ", ".join(map(str, expected)) or _NO_LIST


@dataclass(frozen=True, slots=True)
class Difference:
    """One part of a reply that is not as expected."""

    part: str
    expected: str
    actual: str

    def __str__(self) -> str:
        return f"- {self.part}\n    expected: {self.expected}\n    actual:   {self.actual}"


@dataclass(frozen=True, slots=True)
class ThrottledReply:
    """A reply taken apart.

    Attributes:
        error: the error's code; None for a success.
        message: its text.
        members: of the body, or of botocore's ``response``.
        call: its record, where one was found.
    """

    error: str | None
    message: str
    members: Mapping[str, Any]
    call: Call | None

    def differences(self, parts: Parts) -> list[Difference]:
        """Give what is not as expected, beginning with whether it was throttled at all."""
        found = [self._compared(name, getattr(parts, name)) for name in parts.given]
        differences = [difference for difference in (self._misspelled(), *found) if difference is not None]
        if not self.throttled and all(difference.part != "error" for difference in differences):
            expected = listed(sorted(THROTTLE_ERRORS), "or")
            differences.insert(0, Difference("error", expected, self._error_text()))
        return differences

    @property
    def throttled(self) -> bool:
        """Whether it was refused for want of capacity, in whole or in part."""
        if self.call is not None and was_throttled(self.call):
            return True
        return self.error in THROTTLE_ERRORS or any(code in CAPACITY_CODES for code in self._cancellations("Code"))

    def _compared(self, name: str, expected: Any) -> Difference | None:
        if name in ("namespace", "cause") and self.call is None:
            return Difference(name, _told(expected), _NOT_RECORDED)
        if name == "reasons":
            actual = [entry.get("reason", "") for entry in self._list]
            return None if list(expected) == actual else Difference(name, _told(expected), _told(actual))
        accepted = self._accepted(name)
        wanted = expected.rstrip("#") if name == "namespace" else expected
        return None if wanted in accepted else Difference(name, _told(expected), self._actual_text(name, accepted))

    def _accepted(self, name: str) -> list[str]:
        """Give the values that a part may have to be as expected."""
        if name == "error":
            return [self.error] if self.error else []
        if name == "message":
            return [self.message, *self._cancellations("Message")]
        if name == "namespace":
            return [self._namespace]
        if name == "cause":
            return [text for refusal in self._refusals for text in (refusal.cause.value, refusal.scope.value)]
        told = [entry[name] for entry in self._list if name in entry]
        if name == "reason":
            told += [code for code in self._cancellations("Code") if code != "None"]
        return told + self._recorded(name)

    def _recorded(self, name: str) -> list[str]:
        """Give what only the record knows, where the reply has no list by its nature."""
        if self.error in THROTTLE_ERRORS:
            return []
        return [str(value) for refusal in self._refusals if (value := getattr(refusal, name)) is not None]

    def _actual_text(self, name: str, accepted: Sequence[str]) -> str:
        if name == "error":
            return self._error_text()
        return ", ".join(dict.fromkeys(accepted)) or ("none" if name == "cause" else _NO_LIST)

    def _error_text(self) -> str:
        return self.error or "none: it was a success"

    @property
    def _refusals(self) -> Sequence[Any]:
        return self.call.refusals if self.call is not None else ()

    @property
    def _namespace(self) -> str:
        body = json.loads(self.call.body) if self.call is not None else {}
        return str(body.get("__type", "none")).partition("#")[0]

    @property
    def _list(self) -> list[Mapping[str, str]]:
        member = _LIST_MEMBERS.get(self.error or "")
        return list(self.members.get(member, [])) if member else []

    def _cancellations(self, member: str) -> list[str]:
        if self.error != CANCELLED:
            return []
        return [reason[member] for reason in self.members.get("CancellationReasons", ()) if reason.get(member)]

    def _misspelled(self) -> Difference | None:
        """Tell of a list under the other class's spelling: clients drop it."""
        right = _LIST_MEMBERS.get(self.error or "")
        wrong = [name for name in sorted(set(_LIST_MEMBERS.values())) if name != right and name in self.members]
        return Difference("list's name", right or _NO_LIST, listed(wrong)) if wrong else None


def reply_of_call(call: Call) -> ThrottledReply:
    """Take a recorded call's reply apart."""
    members = json.loads(call.body) if call.body else {}
    return ThrottledReply(call.error, call.message or "", members, call)


def reply_of(subject: Any, asserting: str = "assert_throttled") -> ThrottledReply:
    """Take apart what a test has in its hands: a ClientError, its ``response``, or a recorded call.

    Raises:
        TypeError: it is something else; the message says what to give instead.
    """
    if isinstance(subject, Call):
        return reply_of_call(subject)
    response = subject if isinstance(subject, Mapping) else getattr(subject, "response", None)
    if not isinstance(response, Mapping) or not isinstance(response.get("Error"), Mapping):
        raise TypeError(f"{asserting} needs a ClientError, its response or a recorded call; {_hint(subject)}")
    error = response["Error"]
    code, message = error.get("Code", ""), error.get("Message", "")
    request_id = response.get("ResponseMetadata", {}).get("RequestId")
    return ThrottledReply(code, message, response, _recorded_call(request_id, code, message))


def _hint(subject: Any) -> str:
    if isinstance(subject, Mapping):
        return "this reply is a success: for entries that came back unprocessed see leftovers of the fake"
    if hasattr(getattr(subject, "value", None), "response"):
        return "this is what pytest.raises gives: take its .value"
    return f"this is a {type(subject).__name__}"


def _recorded_call(request_id: str | None, code: str, message: str) -> Call | None:
    """Find the record of a reply, in the fake made last that has it: fakes of one seed draw the same ids."""
    for journal in reversed(list(_JOURNALS.values())) if request_id else ():
        for call in reversed(journal.calls):
            told = (call.headers.get("x-amzn-RequestId"), call.error, call.message or "")
            if told == (request_id, code, message):
                return call
    return None
