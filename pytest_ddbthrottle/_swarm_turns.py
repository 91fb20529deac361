"""Threads that take turns: one runs at a time, and whose turn it is follows from the clock and the seed alone.

The law: a strand runs until it pauses; then the turn goes to whoever is due first, and among those due at one instant to
the one that the dice say. The clock moves only when nobody is due, to the earliest instant at which somebody is.
"""

from __future__ import annotations

import sys
from _thread import LockType, allocate_lock  # Real ones, whatever stands for those of threading.
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from heapq import heappop, heappush
from itertools import count
from random import Random
from threading import Thread, get_ident

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.errors import Interruption, Livelock
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._escaped import place_in_stack
from pytest_ddbthrottle._failures import seconds_text

STALL_SECONDS = 10.0
"""Real seconds in which a worker has to come to its next call or sleep. Source: Assumed — a call takes under a
millisecond, making a client a tenth of a second; a machine under load may take a hundred times that."""
MOST_TURNS = 100_000
"""Turns at one virtual instant that count as no end. Source: Assumed — a thousand workers may each take a hundred."""
MOST_STOPS = 100
"""How often a strand is told to stop before it is left behind."""
_PAGE = "docs/how-to/swarm.md#a-worker-that-never-ends"


class Stopped(Interruption):
    """The time of the swarm is over: ends a worker that is still at work."""


class Strand:
    """A thread that runs when it is its turn.

    Args:
        worker: whose it is.
        job: what it does.
    """

    def __init__(self, worker: int, job: Callable[[], None]) -> None:
        self.worker = worker
        self.job = job
        self.turn, self.back = _held_lock(), _held_lock()
        self.thread_id: int | None = None
        self.locate: Callable[[], str | None] = lambda: None
        self.is_out = False
        self.waits_really = False
        self.has_ended = False
        self.ticket = 0
        self.owed_ns = 0
        self.sdk_waits_since_ns: int | None = None
        self.stops = 0
        self.stopped_at: str | None = None

    def take_owed_ns(self) -> int:
        """Give what its reply is late by; with this it is settled."""
        owed_ns, self.owed_ns = self.owed_ns, 0
        return owed_ns

    def take_sdk_wait_ns(self) -> int | None:
        """Give since when the SDK has waited on behalf of the call that is now made; None if it has not."""
        since_ns, self.sdk_waits_since_ns = self.sdk_waits_since_ns, None
        return since_ns

    @property
    def place(self) -> str:
        """Where it is, as ``file.py:12``."""
        frame = sys._current_frames().get(self.thread_id or 0)
        return self.stopped_at or place_in_stack(frame) or self.locate() or "no line of the application"


def _held_lock() -> LockType:
    lock = allocate_lock()
    lock.acquire()
    return lock


class TurnTaking:
    """The turns of a swarm's strands on one clock: the ``Turns`` of that clock.

    Args:
        clock: what moves when nobody is due.
        seed: of whose turn it is among those who are due.
        until_ns: the instant (since the epoch) at which who is still at work is stopped.
    """

    def __init__(self, clock: VirtualClock, seed: int, until_ns: int) -> None:
        self._clock = clock
        self._dice = Random(f"turns {seed}")
        self._until_ns = until_ns
        self._due: list[tuple[int, float, int, int, Strand]] = []
        self._order = count()
        self._strands: dict[int, Strand] = {}
        self._all: list[Strand] = []
        self._waiting: dict[Strand, Callable[[], bool]] = {}
        self._turns_here = 0
        self._failure: BaseException | None = None
        self.is_over = False

    def has_turn(self) -> bool:
        """Tell whether the present thread is a strand, and waits as one."""
        strand = self._strands.get(get_ident())
        return strand is not None and not strand.waits_really

    @property
    def stopped(self) -> list[Strand]:
        """Those that were still at work when the time was over, in the order in which they had begun."""
        return [strand for strand in self._all if strand.stops]

    @property
    def present(self) -> Strand:
        """The strand that is the present thread."""
        return self._strands[get_ident()]

    def start(self, worker: int, job: Callable[[], None]) -> Strand:
        """Let a job begin at this instant, when it is its turn."""
        strand = Strand(worker, job)
        self._all.append(strand)
        self.wake(strand)
        return strand

    def wake(self, strand: Strand) -> None:
        """Let a strand go on at this instant, when it is its turn."""
        self._put(strand, self._clock.now_ns())

    def wait(self, duration_ns: int, origin: str) -> None:
        """Let the others go on until so much time has passed.

        Args:
            duration_ns: may be 0.
            origin: ``"sdk"`` where the SDK waits on behalf of a call.

        Raises:
            Stopped: the time is over.
        """
        now_ns = self._clock.now_ns()
        if origin == "sdk" and self.present.sdk_waits_since_ns is None:
            self.present.sdk_waits_since_ns = now_ns
        self._pause(now_ns + duration_ns)

    def wait_for(self, attempt: Callable[[], bool], is_worth_it: Callable[[], bool], timeout_seconds: float) -> bool:
        """Let the others go on until an attempt succeeds, or that time has passed.

        Args:
            attempt: made when it is the present strand's turn.
            is_worth_it: whether it might succeed; asked between turns.
            timeout_seconds: a negative one is none.

        Raises:
            Stopped: the time of the swarm is over.
        """
        strand = self.present
        timeout_ns = max(0, -(-round(timeout_seconds * NANOSECONDS_PER_SECOND) // 1000) * 1000)
        due_ns = None if timeout_seconds < 0 else self._clock.now_ns() + timeout_ns
        while not attempt():
            if due_ns is not None and due_ns <= self._clock.now_ns():
                return False
            self._waiting[strand] = is_worth_it
            try:
                self._pause(due_ns)
            finally:
                self._waiting.pop(strand, None)
        return True

    @contextmanager
    def waiting_really(self) -> Iterator[None]:
        """Let the present strand wait in real time for a block, and nobody else go on."""
        strand = self.present
        strand.waits_really = True
        try:
            yield
        finally:
            strand.waits_really = False

    def delay(self, duration_ns: int) -> None:
        """Let the reply to the present strand's call come so much later."""
        self.present.owed_ns += duration_ns

    def hold(self) -> None:
        """Let the others go on until one of them wakes the present strand."""
        self._pause(None)

    def leave_behind(self) -> None:
        """Never let the present strand go on: it will not be stopped, nor what it holds be cleaned up."""
        self.present.has_ended = True
        self.present.back.release()
        self.present.turn.acquire()

    def run(self) -> None:
        """Give turns until all strands have ended, or the time is over; then stop who is still at work.

        Raises:
            Livelock: a strand does not come back, or nothing moves the clock.
            BaseException: what a job raised.
        """
        __tracebackhide__ = True
        try:
            while self._failure is None and (strand := self._next()) is not None:
                self._give(strand)
        except BaseException as error:
            self.fail(error)
        self.is_over = True
        self._stop_all()
        if self._failure is not None:
            raise self._failure

    def fail(self, error: BaseException) -> None:
        """End the run with an error; the first one counts."""
        self._failure = self._failure or error

    def _next(self) -> Strand | None:
        for strand in [strand for strand, is_worth_it in self._waiting.items() if is_worth_it()]:
            del self._waiting[strand]
            self.wake(strand)
        while self._due:
            wake_ns, _, _, ticket, strand = heappop(self._due)
            if ticket == strand.ticket and not strand.has_ended:
                if wake_ns > self._until_ns:
                    break
                self._move_to(wake_ns)
                return strand
        if not all(strand.has_ended for strand in self._all):
            self._move_to(self._until_ns)
        return None

    def _move_to(self, instant_ns: int) -> None:
        duration_ns = instant_ns - self._clock.now_ns()
        if duration_ns > 0:
            self._turns_here = 0
            self._clock.advance_ns(duration_ns)

    def _give(self, strand: Strand) -> None:
        self._turns_here += 1
        if self._turns_here > MOST_TURNS:
            raise Livelock(_spinning_text(strand, self._clock.elapsed))
        self._let_go_on(strand)
        if not strand.back.acquire(timeout=STALL_SECONDS):
            raise Livelock(_stalled_text(strand))
        strand.is_out = False

    def _let_go_on(self, strand: Strand) -> None:
        strand.is_out = True
        if strand.thread_id is None:
            run, name = copy_context().run, f"worker {strand.worker} of a swarm"
            Thread(target=run, args=(self._run, strand), name=name, daemon=True).start()
        else:
            strand.turn.release()

    def _stop_all(self) -> None:
        # Who does not come back may wait for what another one holds: those first.
        at_work = [strand for strand in self._all if not strand.has_ended and strand.thread_id is not None]
        for strand in sorted(at_work, key=lambda strand: strand.is_out):
            if not strand.is_out:
                self._let_go_on(strand)
            strand.back.acquire(timeout=STALL_SECONDS)

    def _run(self, strand: Strand) -> None:
        strand.thread_id = get_ident()
        self._strands[strand.thread_id] = strand
        try:
            strand.job()
        except Stopped:
            pass
        except BaseException as error:
            if not strand.stops:
                self.fail(error)
        strand.has_ended = True
        del self._strands[strand.thread_id]
        strand.back.release()

    def _put(self, strand: Strand, wake_ns: int) -> None:
        strand.ticket += 1
        heappush(self._due, (wake_ns, self._dice.random(), next(self._order), strand.ticket, strand))

    def _pause(self, wake_ns: int | None) -> None:
        strand = self.present
        if not self.is_over:
            if wake_ns is not None:
                self._put(strand, wake_ns)
            strand.back.release()
            strand.turn.acquire()
        if self.is_over:
            self._refuse(strand)

    def _refuse(self, strand: Strand) -> None:
        strand.stopped_at = strand.stopped_at or strand.place
        strand.stops += 1
        if strand.stops > MOST_STOPS:
            self.leave_behind()
        raise Stopped("the time of the swarm is over")


def _stalled_text(strand: Strand) -> str:
    return (
        f"swarm: worker {strand.worker} has come to no call and no sleep for {STALL_SECONDS:g} real seconds: it is at "
        f"{strand.place}.\nIt computes for ever, or waits for something that knows nothing of virtual time: a socket, a "
        f"child process, a lock that was made before the fake was installed; {_PAGE}"
    )


def _spinning_text(strand: Strand, elapsed_seconds: float) -> str:
    return (
        f"swarm: {MOST_TURNS} calls, and sleeps of no length, at one virtual instant, {seconds_text(elapsed_seconds)}, and "
        f"no end: worker {strand.worker} is at {strand.place}.\nNothing moves the clock. Give the replies a "
        f"latency_seconds, let the workers sleep, or let them end; {_PAGE}"
    )
