"""The virtual clock: integer nanoseconds that stand still until something moves them."""

from __future__ import annotations

from _thread import RLock  # A real one: those of threading may wait by this very clock.
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Protocol

from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND

DEFAULT_START = datetime(2026, 1, 1, tzinfo=timezone.utc)
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


@dataclass(frozen=True, slots=True)
class Sleep:
    """A wait that passed in virtual time.

    Attributes:
        at_seconds: virtual seconds since the clock's start, before the sleep.
        seconds: how long it lasted.
        origin: ``"sdk"`` for botocore's back-off and limiter, ``"application"`` for the code under test.
    """

    at_seconds: float
    seconds: float
    origin: str


class Turns(Protocol):
    """Who goes on when, where several threads take turns on one clock."""

    def has_turn(self) -> bool:
        """Tell whether the present thread is one of them."""

    def wait(self, duration_ns: int, origin: str) -> None:
        """Let the others go on until so much time has passed; a wait of no length lets them go on as well."""

    def wait_for(self, attempt: Callable[[], bool], is_worth_it: Callable[[], bool], timeout_seconds: float) -> bool:
        """Let the others go on until an attempt succeeds, or that time has passed; a negative one is none."""

    def waiting_really(self) -> AbstractContextManager[None]:
        """Let the present thread wait in real time for a block, and nobody else go on."""

    def delay(self, duration_ns: int) -> None:
        """Let the reply that is being made come so much later."""


class VirtualClock:
    """A UTC clock that the test owns.

    Counts integer nanoseconds, so that ten steps of 0.1 s are one second exactly. ``sleeps`` records every wait that
    was answered by moving the clock.

    Args:
        start: the first instant, aware or naive UTC, or ISO 8601 text; 2026-01-01T00:00:00Z if absent.

    >>> clock = VirtualClock()
    >>> for _ in range(10):
    ...     clock.advance(0.1)
    >>> clock.elapsed
    1.0
    """

    def __init__(self, start: datetime | str = DEFAULT_START) -> None:
        self._start_ns = self._now_ns = _nanoseconds_since_epoch(start)
        self._movers: list[Callable[[int], None]] = []
        self._outside_now_ns: Callable[[], int | None] | None = None
        self._wait_ns: Callable[[int], None] | None = None
        self._lock = RLock()
        self.sleeps: list[Sleep] = []
        self.turns: Turns | None = None

    def now_ns(self) -> int:
        """Give the instant as nanoseconds since the epoch."""
        if self._outside_now_ns is None:
            return self._now_ns
        with self._lock:
            # Another thread may move both between the look outside and what is made of it.
            outside_ns = self._outside_now_ns() if self._outside_now_ns is not None else None
            if outside_ns is not None:
                self._take(outside_ns)
            return self._now_ns

    def now(self) -> datetime:
        """Give the instant as an aware UTC ``datetime`` (to the microsecond)."""
        return _EPOCH + timedelta(microseconds=self.now_ns() // 1000)

    def time(self) -> float:
        """Give the instant as seconds since the epoch."""
        return self.now_ns() / NANOSECONDS_PER_SECOND

    @property
    def elapsed_ns(self) -> int:
        """Nanoseconds since the clock's start."""
        return self.now_ns() - self._start_ns

    @property
    def elapsed(self) -> float:
        """Seconds since the clock's start."""
        return self.elapsed_ns / NANOSECONDS_PER_SECOND

    def advance(self, duration: float | timedelta) -> None:
        """Move the clock forwards.

        Args:
            duration: seconds, or a ``timedelta``; not negative.

        Raises:
            ValueError: the duration is negative.
        """
        self.advance_ns(_nanoseconds(duration))

    def advance_ns(self, duration_ns: int) -> None:
        """Move the clock forwards by integer nanoseconds."""
        if duration_ns < 0:
            raise ValueError(f"the virtual clock can't go back: advance({duration_ns / NANOSECONDS_PER_SECOND} s)")
        self._move_to_ns(self.now_ns() + duration_ns)

    def move_to(self, instant: datetime | str) -> None:
        """Move the clock forwards to an instant.

        Args:
            instant: aware or naive UTC ``datetime``, or ISO 8601 text.

        Raises:
            ValueError: the instant lies before the present one.
        """
        target_ns = _nanoseconds_since_epoch(instant)
        if target_ns < self.now_ns():
            raise ValueError(f"the virtual clock can't go back: move_to({instant}) at {self.now().isoformat()}")
        self._move_to_ns(target_ns)

    def sleep(self, seconds: float, origin: str = "application") -> None:
        """Pass a wait in virtual time and record it.

        Rounds up to a whole microsecond: a smaller step is lost on a float clock, and a loop that waits until the
        clock has moved would never end.
        """
        duration_ns = _nanoseconds(seconds) or int(seconds > 0)
        if duration_ns < 0:
            raise ValueError(f"the virtual clock can't go back: sleep({seconds} s)")
        self.record_sleep(seconds, origin)
        duration_ns = -(-duration_ns // 1000) * 1000
        turns = self.turns_here()
        if turns is not None:
            return turns.wait(duration_ns, origin)
        (self._wait_ns or self.advance_ns)(duration_ns)

    def record_sleep(self, seconds: float, origin: str = "application") -> None:
        """Record a wait that begins now; somebody else lets it pass."""
        self.sleeps.append(Sleep(self.elapsed, seconds, origin))

    def wait_by(self, wait_ns: Callable[[int], None] | None) -> None:
        """Let a sleep be somebody's who knows of other sleepers: called with nanoseconds, it moves the clock in time."""
        self._wait_ns = wait_ns

    def delay(self, seconds: float) -> None:
        """Let a reply take its time: that of whoever waits for it alone, where threads take turns."""
        turns = self.turns_here()
        if turns is not None:
            return turns.delay(_nanoseconds(seconds))
        self.advance(seconds)

    def turns_here(self) -> Turns | None:
        """Give who decides on the waits of the present thread; None where they move the clock."""
        return self.turns if self.turns is not None and self.turns.has_turn() else None

    def on_move(self, mover: Callable[[int], None]) -> Callable[[], None]:
        """Call ``mover`` with the new instant (ns since the epoch) after each move; gives the way to stop that."""
        self._movers.append(mover)
        return lambda: self._movers.remove(mover)

    def follow(self, outside_now_ns: Callable[[], int | None] | None) -> None:
        """Take the instant from elsewhere, a frozen process time say, whenever that answers with a number.

        Microseconds decide: what is told there of the same microsecond leaves the clock where it is. An instant
        before the present one is another calendar, not time that passed backwards: see ``rebase``.
        """
        self.now_ns()
        self._outside_now_ns = outside_now_ns

    def rebase(self, now_ns: int) -> None:
        """Go on from another instant (ns since the epoch): the calendar jumps, and no time has passed.

        >>> clock = VirtualClock()
        >>> clock.advance(2)
        >>> clock.rebase(0)
        >>> clock.now().year, clock.elapsed
        (1970, 2.0)
        """
        self._start_ns += now_ns - self._now_ns
        self._now_ns = now_ns

    def restore(self, now_ns: int) -> None:
        """Set the clock to a remembered instant, back if need be (snapshots)."""
        self._move_to_ns(now_ns)

    def _take(self, outside_ns: int) -> None:
        if outside_ns // 1000 > self._now_ns // 1000:
            self._now_ns = outside_ns
        elif outside_ns // 1000 < self._now_ns // 1000:
            self.rebase(outside_ns)

    def _move_to_ns(self, target_ns: int) -> None:
        with self._lock:
            self._now_ns = target_ns
            for mover in self._movers:
                mover(target_ns)


def _nanoseconds(duration: float | timedelta) -> int:
    if isinstance(duration, timedelta):
        return (duration // timedelta(microseconds=1)) * 1000
    return round(duration * NANOSECONDS_PER_SECOND)


def _nanoseconds_since_epoch(instant: datetime | str) -> int:
    if isinstance(instant, str):
        instant = datetime.fromisoformat(instant.replace("Z", "+00:00"))
    if instant.tzinfo is None:
        instant = instant.replace(tzinfo=timezone.utc)
    return _nanoseconds(instant - _EPOCH)
