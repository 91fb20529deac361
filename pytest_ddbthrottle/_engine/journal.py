"""The journal: one frozen record for each attempt that reached the engine, in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_ddbthrottle._engine.caller import Caller
from pytest_ddbthrottle._engine.capacity import NANO_UNITS_PER_UNIT, Consumption, OperationType
from pytest_ddbthrottle._engine.keys import KeySchema
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._engine.throttle.refusal import Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One attempt: what was sent, when, what it cost, what came back.

    Attributes:
        number: its place in the journal, from 1.
        operation: AWS's name, ``PutItem`` say.
        table: the name that the request gives (the first of several), without an ARN's beginning, or None.
        index: the index that the request reads, or None.
        region: the Region that the request was signed for.
        request: the parsed body.
        body: the reply's body as it was sent.
        status_code: its HTTP status; 0 where the reply was lost.
        headers: its headers.
        error: the error's code, or None for a success; ``"timeout"`` or ``"reset"`` where the script lost the reply.
        message: the error's text, or None.
        attempt: 1, and one more for each retry of the SDK.
        delay_before_seconds: virtual seconds since the attempt before it; None for a first attempt.
        at_seconds: virtual seconds since the clock's start.
        consumed: what was charged.
        refusals: what was refused; a batch may have several and still succeed.
        leftovers: what came back unprocessed: pairs of table name and entry, in request form.
        key_schemas: the keys of the tables that it names, by their names.
        scripted: whether a rule of the test refused it, and no bucket.
        applied: whether it was carried out although its caller was told of a fault, or nothing.
        caller: the thread and task that made it; and the lines of code, if it did not succeed.
    """

    number: int
    operation: str
    table: str | None
    index: str | None
    region: str
    request: Mapping[str, Any]
    body: bytes
    status_code: int
    headers: Mapping[str, str]
    error: str | None
    message: str | None
    attempt: int
    delay_before_seconds: float | None
    at_seconds: float
    consumed: tuple[Consumption, ...]
    refusals: tuple[Refusal, ...]
    leftovers: tuple[tuple[str, Mapping[str, Any]], ...]
    key_schemas: Mapping[str, KeySchema]
    scripted: bool = False
    applied: bool = False
    caller: Caller | None = field(default=None, repr=False, compare=False)

    @property
    def line(self) -> str | None:
        """The application's line that made it, for a call that was refused, failed or left entries over."""
        frame = self.caller.line if self.caller is not None else None
        return None if frame is None else str(frame)

    @property
    def request_id(self) -> str:
        """The reply's request id; nothing where the reply was lost."""
        return self.headers.get("x-amzn-RequestId", "")

    @property
    def throttled(self) -> bool:
        """Whether anything of it was refused for want of capacity."""
        return bool(self.refusals)

    @property
    def refusal(self) -> Refusal | None:
        """The first refusal, if there was one."""
        return self.refusals[0] if self.refusals else None

    @property
    def consumed_read_units(self) -> float:
        """Read units charged, over all tables and indexes."""
        return self._units(OperationType.READ)

    @property
    def consumed_write_units(self) -> float:
        """Write units charged, over all tables and indexes."""
        return self._units(OperationType.WRITE)

    def _units(self, direction: OperationType) -> float:
        return sum(part.nano_units for part in self.consumed if part.direction is direction) / NANO_UNITS_PER_UNIT


@dataclass(frozen=True, slots=True)
class Leftover:
    """One entry of a batch that came back unprocessed: a write request, a key to read, or a statement."""

    call: Call
    table: str
    entry: Mapping[str, Any]


@dataclass(eq=False)
class Journal:
    """All calls of an account, and who called: the SDK's invocation ids tie the attempts of one call together.

    Attributes:
        calls: in order.
        read: of each reply that tells of an error or of leftovers and has reached the application, by its request id:
            the members that the application has asked it for.
        livelocks: the calls that ended a test because nothing moved the clock.
    """

    calls: list[Call] = field(default_factory=list)
    read: dict[str, set[str]] = field(default_factory=dict)
    livelocks: list[Call] = field(default_factory=list)
    _last_sent: dict[str, tuple[int, int]] = field(default_factory=dict)
    _idle_refusals: int = 0
    _idle_at_ns: int = -1

    def attempt_of(self, invocation_id: str | None, now_ns: int) -> tuple[int, float | None]:
        """Count an attempt of an invocation; gives its number and the virtual seconds since the one before."""
        if invocation_id is None:
            return 1, None
        attempts, last_ns = self._last_sent.get(invocation_id, (0, now_ns))
        self._last_sent[invocation_id] = (attempts + 1, now_ns)
        return attempts + 1, None if not attempts else (now_ns - last_ns) / NANOSECONDS_PER_SECOND

    def record(self, call: Call) -> None:
        """Add one call."""
        self.calls.append(call)

    def idle_refusals(self, call: Call, now_ns: int) -> int:
        """Count the calls in a row, up to this one, that were refused or left something over at one instant."""
        fruitless = call.throttled or bool(call.leftovers)
        if not fruitless or now_ns != self._idle_at_ns:
            self._idle_refusals = 0
        self._idle_at_ns = now_ns
        self._idle_refusals += fruitless
        return self._idle_refusals

    def count_refusals_anew(self) -> None:
        """Begin a new row of refusals: the account was set back, and an instant may come again."""
        self._idle_at_ns = -1

    @property
    def throttles(self) -> list[Call]:
        """The calls of which something was refused."""
        return [call for call in self.calls if call.throttled]

    @property
    def leftovers(self) -> list[Leftover]:
        """What batches gave back unprocessed, in order."""
        return [Leftover(call, table, entry) for call in self.calls for table, entry in call.leftovers]


SENT_AGAIN = frozenset({"ThrottlingError", "ProvisionedThroughputExceeded", "RequestLimitExceeded"})
"""What BatchExecuteStatement tells of a statement that has to be sent again."""


def leftovers_in(
    operation_name: str, request: Mapping[str, Any], reply: Mapping[str, Any]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Give the entries that a batch's reply hands back, with their tables; of a batch of statements the refused ones."""
    if operation_name == "BatchExecuteStatement" and reply:
        for statement, response in zip(request["Statements"], reply["Responses"], strict=True):
            if response.get("Error", {}).get("Code") in SENT_AGAIN:
                yield response["TableName"], statement
    for table, entries in reply.get("UnprocessedItems", {}).items():
        for entry in entries:
            yield table, entry
    for table, keys in reply.get("UnprocessedKeys", {}).items():
        for key in keys["Keys"]:
            yield table, key
