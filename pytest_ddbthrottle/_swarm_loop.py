"""An event loop in virtual time, one for each coroutine of a swarm: where it has nothing to do, the others go on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any
from weakref import WeakKeyDictionary

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._escaped import place_in_stack
from pytest_ddbthrottle._swarm_turns import Stopped, TurnTaking

_MICROSECOND_NS = 1000
_MOST_LAST_ROUNDS = 1000
"""How often a loop may go round once its time is over, for its tasks to be cancelled."""


def run_coroutine(coroutine: Coroutine[Any, Any, Any], clock: VirtualClock, turns: TurnTaking) -> None:
    """Run a coroutine to its end, as ``asyncio.run`` does, in turn with the other strands.

    Raises:
        Stopped: the time of the swarm is over.
        BaseException: what the coroutine raises.
    """
    loop = VirtualLoop(clock, turns)
    try:
        task = loop.create_task(coroutine)
        turns.present.locate = lambda: _place_of(task)
        try:
            loop.run_until_complete(task)
        finally:
            loop.cancel_all()
            loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()


class VirtualLoop(asyncio.BaseEventLoop):
    """A loop whose time is the clock's; it stands for its own selector, as nothing comes in from outside.

    Args:
        clock: its time.
        turns: whom it lets go on.
    """

    is_virtual = True

    def __init__(self, clock: VirtualClock, turns: TurnTaking) -> None:
        super().__init__()
        self._clock = clock
        self._turns = turns
        self._strand = turns.present
        self._selector = self
        self._clock_resolution = _MICROSECOND_NS / NANOSECONDS_PER_SECOND
        self._tasks: WeakKeyDictionary[asyncio.Task[Any], None] = WeakKeyDictionary()
        self._last_rounds = 0
        self._ahead_seconds = 0.0

    def time(self) -> float:
        """Give virtual seconds since the clock's start, and what a loop that is being stopped is ahead by."""
        return self._clock.elapsed + self._ahead_seconds

    def select(self, timeout: float | None) -> list[Any]:
        """Let the others go on until the next timer is due, or until another strand has something for this loop."""
        if self._turns.is_over:
            self._go_round_a_last_time(timeout)
        elif timeout is None:
            self._turns.hold()
        else:
            # In whole microseconds, as the clock's own sleeps.
            microseconds = -(-round(timeout * NANOSECONDS_PER_SECOND) // _MICROSECOND_NS)
            self._turns.wait(microseconds * _MICROSECOND_NS, "application")
        return []

    def create_task(self, *parts: Any, **named: Any) -> asyncio.Task[Any]:
        """Make a task, and remember in which order they were made."""
        task = super().create_task(*parts, **named)
        self._tasks[task] = None
        return task

    def run_in_executor(self, executor: Any, function: Callable[..., Any], *parts: Any) -> asyncio.Future[Any]:  # type: ignore[override]
        """Run a function in a strand of its own: it takes its turn as the others do, whatever the executor."""
        future = self.create_future()

        def job() -> None:
            try:
                outcome, error = function(*parts), None
            except Exception as raised:
                outcome, error = None, raised
            if not self.is_closed():
                self.call_soon_threadsafe(_settle, future, outcome, error)

        self._turns.start(self._strand.worker, job)
        return future

    def cancel_all(self) -> None:
        """Cancel what is still to do, in the order in which it was begun."""
        tasks = [task for task in self._tasks if not task.done()]
        for task in tasks:
            task.cancel()
        try:
            self.run_until_complete(asyncio.gather(*tasks, return_exceptions=True)) if tasks else None
        except Stopped:
            self._turns.leave_behind()

    def _go_round_a_last_time(self, timeout: float | None) -> None:
        """Let what the tasks still wait for come at once, so that they can clean up."""
        self._last_rounds += 1
        if timeout is None or self._last_rounds > _MOST_LAST_ROUNDS:
            raise Stopped("the time of the swarm is over")
        self._ahead_seconds += timeout

    def _process_events(self, events: list[Any]) -> None:
        """Nothing comes in."""

    def _write_to_self(self) -> None:
        """Another strand has something for this loop."""
        if not self._turns.has_turn() or self._turns.present is not self._strand:
            self._turns.wake(self._strand)


def _settle(future: asyncio.Future[Any], outcome: Any, error: Exception | None) -> None:
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(outcome)


def _place_of(task: asyncio.Task[Any]) -> str | None:
    """Give the application's line at which a task waits: the innermost one of the coroutines that await each other."""
    awaited: Any = task.get_coro()
    place = None
    while awaited is not None:
        place = place_in_stack(getattr(awaited, "cr_frame", None)) or place
        awaited = getattr(awaited, "cr_await", None)
    return place
