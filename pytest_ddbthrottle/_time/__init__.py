"""The clock made the process's time: the calendar by freezegun, the waits by the sleeps that the application calls.

Three modes. ``virtual``: the process's time is the clock's, and a sleep moves it. ``sdk``: the process keeps its own
time; what the SDK waits is ``_botocore``'s affair. ``real``: the clock goes with the real time. In the first two a
time that somebody else has frozen is followed and moved, so that a test never has two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Literal

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._time.event_loops import EventLoops
from pytest_ddbthrottle._time.frozen import FrozenTime, freeze
from pytest_ddbthrottle._time.minder import DEFAULT_STALL_SECONDS
from pytest_ddbthrottle._time.real import RealTime
from pytest_ddbthrottle._time.shared import Watched, shared_time, while_a_swarm_runs
from pytest_ddbthrottle._time.sleeps import virtual_sleeps

__all__ = ["virtual_time", "while_a_swarm_runs"]

TimeMode = Literal["virtual", "sdk", "real"]


@contextmanager
def virtual_time(
    clock: VirtualClock,
    mode: TimeMode,
    *,
    stall_seconds: float = DEFAULT_STALL_SECONDS,
    answered: Callable[[], int] = lambda: 0,
    notice_fd: int = 2,
) -> Iterator[None]:
    """Bind a clock to the process's time until the block ends; then everything is as it was.

    Args:
        clock: whose time it is.
        mode: ``"virtual"``, ``"sdk"`` or ``"real"``.
        stall_seconds: of real time, in which something has to happen; 0 for no watchdog.
        answered: gives how many calls the clock's fake has answered: whoever calls is getting somewhere.
        notice_fd: where it is written who is stuck outside of virtual time, since no error can reach them there.

    Raises:
        Stalled: in a wait inside the block: nothing can move.
        UnmodelledWait: in ``asyncio.sleep`` inside the block, in an event loop that is not asyncio's own.

    >>> import time
    >>> clock = VirtualClock("2026-01-01T00:00:00Z")
    >>> with virtual_time(clock, "virtual"):
    ...     time.sleep(30)
    ...     time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
    '2026-01-01 00:00:30'
    >>> clock.elapsed
    30.0
    """
    with ExitStack() as stack:
        source: FrozenTime | RealTime = RealTime() if mode == "real" else FrozenTime(clock.rebase)
        if mode == "real":
            clock.rebase(source.now_ns() or 0)
        if mode == "virtual":
            stack.enter_context(freeze(clock.now()))
        clock.follow(source.now_ns)
        stack.callback(clock.follow, None)
        stack.callback(clock.on_move(source.move))
        if mode != "real":
            watched = Watched(stall_seconds, answered, notice_fd)
            room = stack.enter_context(shared_time(clock, watched, is_virtual=mode == "virtual"))
        if mode == "virtual":
            loops = EventLoops(room)
            stack.enter_context(loops.virtual())
            stack.enter_context(virtual_sleeps(clock, loops.bring_in))
        yield
