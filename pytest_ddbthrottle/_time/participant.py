"""One thread that takes part in virtual time: what it is doing, and where it is parked while it waits."""

from __future__ import annotations

import threading
from _thread import allocate_lock
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Any, Protocol


class State(Enum):
    """What a participant is doing."""

    RUNNING = "running"
    WAITING = "waiting"
    AWAY = "away"
    """Stuck outside, as far as the minder can see."""


class Outcome(Enum):
    """How a wait ended."""

    WOKEN = "woken"
    DUE = "due"
    CLOSED = "closed"
    """The room has closed: whoever waited goes on waiting in real time."""


class Parking(Protocol):
    """Where a participant waits really while it waits in the room."""

    def hold(self) -> Any:
        """Wait until ``open`` is called, or something else ends the wait."""

    def open(self) -> None:
        """End the wait."""


class Gate:
    """The usual parking: a lock that is opened for one passage."""

    __slots__ = ("_lock",)

    def __init__(self) -> None:
        self._lock = allocate_lock()
        self._lock.acquire()

    def hold(self) -> None:
        """Wait for the gate."""
        self._lock.acquire()

    def open(self) -> None:
        """Let one pass; a gate that is open, since nobody came for it, stays so."""
        if self._lock.locked():
            self._lock.release()

    def shut(self) -> None:
        """Take back an opening that nobody used."""
        self._lock.acquire(False)


class Participant:
    """A thread that takes part in virtual time.

    Attributes:
        thread: the thread.
        state: what it is doing.
        due_ns: when its wait ends, on the room's own scale; None for a wait that only somebody else can end.
        arrival: its place among those due at the same instant.
        woken: whether somebody has ended its wait, or will have ended its next one.
        what: what it waits for, in words.
        wakeable: whether somebody outside might end its wait.
        is_parked: whether it stands where it is parked, or is on the way there or back.
        loop: the event loop that it runs, if it does.
        listens: whether real input can end it.
        tries: how often, since it last waited, it looked in vain for what it did not wait for.
        waits_really: whether locks leave it to real time for now.
        error: what its wait raises.
        joiners: who waits for its end.
        stillness: what the minder saw of it last, and how often.
    """

    __slots__ = (
        "arrival",
        "due_ns",
        "error",
        "gate",
        "is_parked",
        "joiners",
        "listens",
        "loop",
        "parking",
        "state",
        "stillness",
        "thread",
        "tries",
        "turn_began",
        "waits_really",
        "wakeable",
        "what",
        "woken",
    )

    def __init__(self, thread: threading.Thread) -> None:
        self.thread = thread
        self.state = State.RUNNING
        self.due_ns: int | None = None
        self.arrival = self.tries = 0
        self.woken = self.wakeable = self.listens = self.waits_really = self.is_parked = False
        self.what = ""
        self.loop: Any = None
        self.error: BaseException | None = None
        self.gate = Gate()
        self.parking: Parking = self.gate
        self.joiners: list[Participant] = []
        self.stillness: tuple[object, int] = (None, 0)
        self.turn_began: float | None = None

    @property
    def has_lost_its_turn(self) -> bool:
        """Whether it was let go on and stands there still: it is stuck in here, and not outside."""
        return self.state is State.AWAY and self.is_parked

    @contextmanager
    def waiting_really(self) -> Iterator[None]:
        """Let locks leave it to real time for a block."""
        self.waits_really = True
        try:
            yield
        finally:
            self.waits_really = False
