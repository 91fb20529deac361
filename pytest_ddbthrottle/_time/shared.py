"""One time for all sleepers of the process: the room that they wait in, opened with the first clock of a nest."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import NamedTuple

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._time.locks import virtual_locks
from pytest_ddbthrottle._time.minder import Minder
from pytest_ddbthrottle._time.participant import Outcome
from pytest_ddbthrottle._time.threads import room_in_force, virtual_threads
from pytest_ddbthrottle._time.waiting_room import WaitingRoom


class Watched(NamedTuple):
    """How a room is watched.

    Attributes:
        stall_seconds: of real time, in which something has to happen; 0 for no watchdog.
        answered: gives how many calls the clock's fake has answered.
        notice_fd: where a notice is written.
    """

    stall_seconds: float
    answered: Callable[[], int]
    notice_fd: int


@contextmanager
def shared_time(clock: VirtualClock, watched: Watched, *, is_virtual: bool) -> Iterator[WaitingRoom]:
    """Let a clock's sleepers wait in the process's room for a block; gives the room.

    Args:
        clock: what the sleepers move.
        watched: how the room is watched, if it is opened for this.
        is_virtual: whether the application's own waits are virtual.
    """
    with ExitStack() as stack:
        room = room_in_force() or stack.enter_context(_opened_room(watched))
        stack.enter_context(room.on_clock(clock, watched.answered, is_virtual=is_virtual))
        clock.wait_by(partial(_sleep, room, getattr(time.sleep, "real", time.sleep)))
        stack.callback(clock.wait_by, None)
        yield room


@contextmanager
def while_a_swarm_runs() -> Iterator[None]:
    """Let a swarm that the present thread runs move the clock for a block: whoever waits in the room waits on."""
    room = room_in_force()
    assert room is not None, "a swarm needs virtual time"
    swarm, me = threading.Thread(), room.me() or room.enter(threading.current_thread())
    # It never starts, so nobody sees it stand still.
    room.enter(swarm)
    me.waits_really = True
    try:
        yield
    finally:
        me.waits_really = False
        room.leave(swarm)


@contextmanager
def _opened_room(watched: Watched) -> Iterator[WaitingRoom]:
    def notify(text: str) -> None:
        os.write(watched.notice_fd, f"\n{text}\n".encode())

    room = WaitingRoom(lambda room: Minder(room, watched.stall_seconds, notify))
    room.enter(threading.current_thread())
    with virtual_threads(room), virtual_locks(room):
        try:
            yield room
        finally:
            room.close()


def _sleep(room: WaitingRoom, really: Callable[[float], None], duration_ns: int) -> None:
    due_ns = room.now_ns() + duration_ns
    if room.sleep_ns(duration_ns, f"{duration_ns / 1e9:g} s to pass") is Outcome.CLOSED:
        really(max(0, due_ns - room.now_ns()) / 1e9)
