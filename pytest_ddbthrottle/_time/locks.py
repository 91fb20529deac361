"""Locks whose waiters wait in the room; and with them all that ``threading`` and ``queue`` make of locks.

``threading`` makes the lock that a ``Condition`` waits for at the wait. So an ``Event``, ``Queue``, ``Semaphore`` or
``Future`` that was there before waits in the room too; only a lock itself that was made before does not.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from _thread import allocate_lock
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from pytest_ddbthrottle._time.callers import asking_frames, module_name
from pytest_ddbthrottle._time.ignored import TOOLS, IgnoredModules
from pytest_ddbthrottle._time.participant import Outcome, Participant
from pytest_ddbthrottle._time.replaced import replaced
from pytest_ddbthrottle._time.stall_report import A_LOCK
from pytest_ddbthrottle._time.threads import room_in_force
from pytest_ddbthrottle._time.waiting_room import WaitingRoom

REALS = (threading.Lock, queue.SimpleQueue)
"""As they were when this was loaded, which is before they are replaced."""
_TOOLS = IgnoredModules(list(TOOLS))


class WaiterLock:
    """A lock as ``threading.Lock()`` gives it. It outlives the room it was made in, and waits really where there is none."""

    __slots__ = ("__weakref__", "_lock", "_waiters")

    def __init__(self) -> None:
        self._lock = allocate_lock()
        self._waiters: deque[tuple[WaitingRoom, Participant]] = deque()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take the lock, in virtual time if the thread takes part in it."""
        if self._lock.acquire(False):
            return True
        room = room_in_force()
        turns = room.turns_here() if room is not None else None
        if turns is not None and blocking and timeout:
            return turns.wait_for(lambda: self._lock.acquire(False), self._is_free, timeout)
        participant = room.me() if room is not None else None
        if room is None or participant is None or self._waits_really(room, participant, timeout):
            return self._lock.acquire(blocking, timeout)
        if not blocking or (timeout <= 0 and timeout != -1):
            room.tries_in_vain(participant)
            return self._lock.acquire(blocking, timeout)
        return self._wait_in(room, participant, timeout)

    __enter__ = acquire
    acquire_lock = acquire

    def release(self) -> None:
        """Give the lock back; whoever waits for it goes on when its turn comes."""
        self._lock.release()
        self._wake_first()

    release_lock = release

    def __exit__(self, *error: object) -> None:
        self.release()

    def locked(self) -> bool:
        """Tell whether the lock is taken."""
        return self._lock.locked()

    def _is_free(self) -> bool:
        return not self._lock.locked()

    def _at_fork_reinit(self) -> None:
        self._lock = allocate_lock()
        self._waiters.clear()

    def __repr__(self) -> str:
        return f"<{'locked' if self.locked() else 'unlocked'} lock of virtual time at {id(self):#x}>"

    def _waits_really(self, room: WaitingRoom, participant: Participant, timeout: float) -> bool:
        if participant.waits_really or not room.is_open or (timeout > 0 and not room.is_virtual):
            return True
        asking, _ = asking_frames(sys._getframe(2))
        return asking is not None and _TOOLS.has(module_name(asking))

    def _wait_in(self, room: WaitingRoom, participant: Participant, timeout: float) -> bool:
        due_ns = room.due_ns(None if timeout < 0 else timeout)
        participant.woken = False
        waiter = (room, participant)
        # First in sight of whoever releases it, then once more a look: no release goes unseen in between.
        self._waiters.append(waiter)
        taken = False
        try:
            outcome = Outcome.WOKEN
            while not (taken := self._lock.acquire(False)) and outcome is Outcome.WOKEN:
                outcome = room.park(participant, due_ns, A_LOCK, wakeable=True)
        finally:
            self._waiters.remove(waiter)
            # Whoever released it meanwhile, for it may be another thread than the holder, has woken this one.
            if not self._lock.locked():
                self._wake_first()
        if not taken and outcome is Outcome.CLOSED:
            left_seconds = -1 if due_ns is None else max(0, due_ns - room.now_ns()) / 1e9
            return self._lock.acquire(True, left_seconds)
        return taken

    def _wake_first(self) -> None:
        try:
            room, participant = self._waiters[0]
        except IndexError:
            return
        room.wake(participant)


STAND_INS = (WaiterLock, queue._PySimpleQueue)  # type: ignore[attr-defined]
"""What is in their place, and in that of each name that an application bound to them."""


@contextmanager
def virtual_locks(room: WaitingRoom) -> Iterator[None]:
    """Let locks made from now on, and the waits of ``threading`` and ``queue``, be the room's, for a block."""
    monotonic = _monotonic(room)
    with ExitStack() as stack:
        for owner, name, value in (
            (threading, "_allocate_lock", WaiterLock),
            (threading, "Lock", WaiterLock),
            # Without it ``RLock`` makes one of Python's, of such locks.
            (threading, "_CRLock", None),
            # trio asks where its lock comes from, and takes none of Python's.
            (threading._RLock, "__module__", "_thread"),
            (threading, "_time", monotonic),
            (queue, "time", monotonic),
            (queue, "SimpleQueue", STAND_INS[1]),
        ):
            stack.enter_context(replaced(owner, name, value))
        yield


def _monotonic(room: WaitingRoom, real: Callable[[], float] = time.monotonic) -> Callable[[], Any]:
    def monotonic() -> float:
        if room.turns_here() is not None:
            return room.time()
        participant = room.me()
        if participant is None or participant.waits_really or not room.is_open or not room.is_virtual:
            return real()
        return room.time()

    return monotonic
