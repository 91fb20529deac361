"""Event loops in virtual time: a loop's timers go by the room's time, and where it selects, its thread waits in the room.

A loop takes part while it runs; one that runs already when the block begins, from then on, or, in a thread from before,
from its first ``asyncio.sleep``. Its timers are moved to the room's time and back.

Real input still counts. A loop that has anything open besides its own pipe waits at its selector and not at its gate,
and the room leaves real time a grace before it jumps.
"""

from __future__ import annotations

import asyncio
import time
from asyncio.base_events import BaseEventLoop
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import wraps
from threading import current_thread
from typing import Any

from pytest_ddbthrottle._engine.clock import Turns
from pytest_ddbthrottle._engine.errors import Interruption, UnmodelledWait
from pytest_ddbthrottle._time.participant import Participant
from pytest_ddbthrottle._time.replaced import replaced
from pytest_ddbthrottle._time.waiting_room import WaitingRoom

RESOLUTION_SECONDS = 1e-6
"""Seconds since the epoch, as floats, are exact to a quarter of it: a timer this near is due."""


class EventLoops:
    """The loops that take part in a room.

    Args:
        room: where they wait.
    """

    def __init__(self, room: WaitingRoom) -> None:
        self._room = room
        self._late = ExitStack()

    @contextmanager
    def virtual(self, real_monotonic: Callable[[], float] = time.monotonic) -> Iterator[None]:
        """Let loops take part for a block."""

        def real_time(self: BaseEventLoop) -> float:
            # A loop that takes no part keeps real time, however frozen: its timers would hang.
            return real_monotonic()

        with (
            replaced(BaseEventLoop, "time", real_time),
            replaced(BaseEventLoop, "run_forever", self._run_forever(BaseEventLoop.run_forever)),
            self._late,
        ):
            running = asyncio._get_running_loop()
            if isinstance(running, BaseEventLoop):
                self._late.enter_context(self._taking_part(running))
            yield

    def bring_in(self) -> None:
        """Let the running loop take part, if it does not yet.

        Raises:
            UnmodelledWait: it can't: it is no loop of asyncio's own.
        """
        loop = asyncio.get_running_loop()
        if not isinstance(loop, BaseEventLoop):
            raise UnmodelledWait(foreign_loop_text(loop))
        if not keeps_virtual_time(loop) and self._room.is_open:
            self._late.enter_context(self._taking_part(loop))

    def _run_forever(self, original: Callable[..., Any]) -> Callable[..., Any]:
        room = self._room

        @wraps(original)
        def run_forever(loop: Any) -> None:
            if not room.is_open or not room.is_virtual or keeps_virtual_time(loop):
                return original(loop)  # type: ignore[no-any-return]
            turns = room.turns_here()
            with self._taking_part(loop) if turns is None else self._taking_turns(loop, turns):
                return original(loop)  # type: ignore[no-any-return]

        return run_forever

    @contextmanager
    def _taking_turns(self, loop: Any, turns: Turns) -> Iterator[None]:
        """Let a loop that a swarm's worker runs itself wait as the worker does."""
        with (
            replaced(loop, "_selector", TurnSelector(turns, loop._selector)),
            replaced(loop, "_clock_resolution", RESOLUTION_SECONDS),
            replaced(loop, "time", self._room.time),
        ):
            yield

    @contextmanager
    def _taking_part(self, loop: Any) -> Iterator[None]:
        room, write_to_self = self._room, loop._write_to_self
        participant = room.me() or room.enter(current_thread())
        loop_before, participant.loop = participant.loop, loop

        def wake() -> None:
            write_to_self()
            room.wake(participant)

        ahead_seconds = room.time() - loop.time()
        with (
            replaced(loop, "_selector", RoomSelector(room, participant, loop._selector, loop, write_to_self)),
            replaced(loop, "_write_to_self", wake),
            replaced(loop, "_clock_resolution", RESOLUTION_SECONDS),
        ):
            try:
                _move_timers(loop, ahead_seconds)
                with replaced(loop, "time", room.time):
                    yield
            finally:
                _move_timers(loop, loop.time() - room.time())
                participant.loop = loop_before


def keeps_virtual_time(loop: Any) -> bool:
    """Tell whether a loop takes part already, or is one of a swarm's."""
    return getattr(loop, "is_virtual", False) or isinstance(loop._selector, RoomSelector | TurnSelector)


def _move_timers(loop: Any, seconds: float) -> None:
    for handle in loop._scheduled:
        handle._when += seconds


class TurnSelector:
    """Stands for the selector of a loop that a swarm's worker runs: selecting lets the other workers go on.

    Args:
        turns: who decides whose turn it is.
        real: the selector.
    """

    def __init__(self, turns: Turns, real: Any) -> None:
        self._turns = turns
        self._real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def select(self, timeout: float | None = None) -> Any:
        """Wait for input or for the timeout, in virtual time."""
        events: list[Any] = []

        def has_input() -> bool:
            events[:] = self._real.select(0)
            return bool(events)

        if timeout is not None and timeout <= 0:
            # A swarm whose time is over is felt at the next real wait: tasks that are cancelled may end before.
            with suppress(Interruption):
                self._turns.wait(0, "application")
        self._turns.wait_for(has_input, has_input, -1 if timeout is None else timeout)
        return events


class RoomSelector:
    """Stands for a loop's selector: selecting is waiting in the room; all else is the real one's.

    Args:
        room: where the loop's thread waits.
        participant: the loop's thread.
        real: the selector.
        loop: the loop.
        write_to_self: ends a wait at the real selector.
    """

    def __init__(
        self, room: WaitingRoom, participant: Participant, real: Any, loop: Any, write_to_self: Callable[[], None]
    ) -> None:
        self._room = room
        self._participant = participant
        self._real = real
        self._loop = loop
        self._write_to_self = write_to_self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def select(self, timeout: float | None = None) -> Any:
        """Wait for input, for a wake or for the timeout, in virtual time."""
        if not self._room.is_open:
            return self._real.select(timeout)
        events = self._real.select(0)
        if events or (timeout is not None and timeout <= RESOLUTION_SECONDS / 2):
            self._room.let_others_go_first()
            return events
        due_ns = None if timeout is None else self._room.now_ns() + round(timeout / RESOLUTION_SECONDS) * 1000
        if not self._hears_from_outside():
            self._room.park(self._participant, due_ns, ITS_LOOP, wakeable=True)
            return self._real.select(0)
        listening = Listening(self._real, self._write_to_self)
        self._room.park(self._participant, due_ns, ITS_LOOP, parking=listening, wakeable=True, listens=True)
        return listening.events

    def _hears_from_outside(self) -> bool:
        if not hasattr(self._real, "get_map"):
            return True
        # Its own pipe is one; a signal handler is heard of through that pipe alone.
        return len(self._real.get_map() or ()) > 1 or bool(getattr(self._loop, "_signal_handlers", None))


ITS_LOOP = "its event loop"


class Listening:
    """Parked at a real selector."""

    def __init__(self, selector: Any, write_to_self: Callable[[], None]) -> None:
        self._selector = selector
        self.open = write_to_self
        self.events: Any = []

    def hold(self) -> None:
        """Wait until there is input, if only from the loop's own pipe."""
        self.events = self._selector.select(None)


def foreign_loop_text(loop: object) -> str:
    """Say that a loop can't take part, and what to do."""
    kind = type(loop)
    return (
        f"asyncio.sleep in an event loop of {kind.__module__}.{kind.__qualname__}: under virtual time only asyncio's own "
        "event loops can wait.\n"
        "Let the tests run on asyncio's loop (asyncio.DefaultEventLoopPolicy), or with ddb_clock=sdk, where the "
        "application's own sleeps are real.\ndocs/how-to/time.md#event-loops"
    )
