"""Threads take part in virtual time from their start to their end, and wait for each other's end in it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from functools import wraps
from threading import Thread
from typing import Any

from pytest_ddbthrottle._engine.errors import Stalled
from pytest_ddbthrottle._time.callers import module_name
from pytest_ddbthrottle._time.ignored import TOOLS, IgnoredModules
from pytest_ddbthrottle._time.replaced import replaced
from pytest_ddbthrottle._time.waiting_room import WaitingRoom


def room_in_force() -> WaitingRoom | None:
    """Give the room that threads are started in, if there is one: the patch is where it is kept."""
    return getattr(Thread.start, "room", None)


@contextmanager
def virtual_threads(room: WaitingRoom) -> Iterator[None]:
    """Let each thread that the application starts take part in a room, for a block."""
    with ExitStack() as stack:
        for name, seam in (("start", _start), ("join", _join), ("_bootstrap_inner", _bootstrap_inner)):
            stack.enter_context(replaced(Thread, name, seam(room, getattr(Thread, name))))
        yield


def _start(room: WaitingRoom, original: Callable[..., Any]) -> Callable[..., Any]:
    # A swarm's own threads take turns of another kind.
    tools = IgnoredModules([*TOOLS, "pytest_ddbthrottle"])

    @wraps(original)
    def start(self: Thread) -> None:
        turns = room.turns_here()
        if turns is not None:
            with turns.waiting_really():
                return original(self)  # type: ignore[no-any-return]
        starter = room.me()
        takes_part = room.is_open and _can_start(self) and not tools.has(module_name(sys._getframe(1)))
        if takes_part:
            # Before it is there: time may not jump until it waits for its turn.
            room.enter(self)
            run = vars(self).get("run")
            self.run = lambda: _run_in_turn(room, self, run)  # type: ignore[method-assign]
        try:
            with starter.waiting_really() if starter is not None else nullcontext():
                return original(self)  # type: ignore[no-any-return]
        except BaseException:
            if takes_part:
                room.leave(self)
            raise

    start.room = room  # type: ignore[attr-defined]
    return start


def _can_start(thread: Thread) -> bool:
    started = getattr(thread, "_started", None)
    return started is not None and not started.is_set()


def _run_in_turn(room: WaitingRoom, thread: Thread, own_run: Any) -> None:
    if own_run is None:
        del thread.run
    else:
        thread.run = own_run  # type: ignore[method-assign]
    try:
        room.yield_turn()
        thread.run()
    except Stalled:
        # The thread of the test was told the same, and fails with it.
        if threading.main_thread() is thread or not room.has_told_the_first:
            raise


def _join(room: WaitingRoom, original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def join(self: Thread, timeout: float | None = None) -> None:
        takes_part = room.is_open and self.ident is not None and self is not threading.current_thread()
        if takes_part and not room.wait_for_end(self, timeout):
            return None
        return original(self, timeout)  # type: ignore[no-any-return]

    return join


def _bootstrap_inner(room: WaitingRoom, original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def bootstrap_inner(self: Thread) -> None:
        try:
            original(self)
        finally:
            room.leave(self)

    return bootstrap_inner
