"""The one place where real time counts: what no participant can see of itself.

A thread of its own, begun when it is first needed, that looks at the room every ten milliseconds:

- a participant that stands still in foreign code (a lock that knows nothing of the room, a socket, a child process) is
  declared away, and running again when it moves;
- a jump that something outside might forestall is made after a grace of real time;
- a turn that lasts very long lets those go on who were woken: they may be what it waits for, without a wait;
- a wait that nothing has ended for the watchdog's seconds is an error, and somebody who stays away so long is reported.
"""

from __future__ import annotations

import sys
import threading
import time
from _thread import allocate_lock, start_new_thread
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

from pytest_ddbthrottle._time.callers import asking_frames, module_name
from pytest_ddbthrottle._time.ignored import TOOLS, IgnoredModules
from pytest_ddbthrottle._time.participant import Participant, State
from pytest_ddbthrottle._time.waiting_room import WaitingRoom

TICK_SECONDS = 0.01
GRACE_SECONDS = 0.05
TICKS_OF_STILLNESS = 5
LONG_TURN_SECONDS = 1.0
DEFAULT_STALL_SECONDS = 5.0
FRUITLESS_JUMPS = 1000
"""So many in a row, and for the watchdog's seconds, make a loop that gets nowhere."""


class Minder:
    """Real time's view of a room.

    Args:
        room: who is looked after.
        stall_seconds: how long nothing may happen; 0 for no watchdog.
        notify: told, once, what is wrong where no wait could be ended with an error.
        monotonic: the real time; bound when this module is loaded, so that a later freeze leaves it.
    """

    def __init__(
        self,
        room: WaitingRoom,
        stall_seconds: float,
        notify: Callable[[str], None],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._room = room
        self._stall_seconds = stall_seconds
        self._notify = notify
        self._has_notified = False
        self._monotonic = monotonic
        self._is_begun = False
        self._bell = allocate_lock()
        self._bell.acquire()
        self._jumps = 0
        self._answered_before = 0
        self._progress_at = monotonic()
        self._quiet_since: float | None = None
        self._away_since: float | None = None
        # A swarm's strands, some of which it leaves behind, wake nobody in here.
        self._tools = IgnoredModules([*TOOLS, "pytest_ddbthrottle._swarm_turns"])
        self._is_tool: dict[int, bool] = {}

    def needed(self) -> None:
        """Begin to tick."""
        self._quiet_since = self._monotonic()
        if not self._is_begun:
            self._is_begun = True
            start_new_thread(self._run, ())

    def dismiss(self) -> None:
        """Stop ticking."""
        if self._bell.locked():
            self._bell.release()

    def progress(self) -> None:
        """Begin to count anew."""
        self._jumps = 0
        self._progress_at = self._monotonic()

    def no_progress(self) -> bool:
        """Count a jump; tell whether there were too many, for too long, between two answered calls."""
        self._jumps += 1
        if self._jumps % FRUITLESS_JUMPS or not self._stall_seconds:
            return False
        return not self._got_somewhere() and self._monotonic() - self._progress_at >= self._stall_seconds

    def strangers(self) -> bool:
        """Tell whether a living thread neither takes part nor is a tool's."""
        inside = self._room.participants
        strange = [one for one in list(threading._active.values()) if id(one) not in inside]  # type: ignore[attr-defined]
        return any(not self._belongs_to_a_tool(one) for one in strange)

    def _belongs_to_a_tool(self, thread: threading.Thread) -> bool:
        ident = thread.ident or 0
        if ident not in self._is_tool:
            frame: Any = sys._current_frames().get(ident)
            is_tool = frame is None
            while frame is not None and not is_tool:
                is_tool = self._tools.has(module_name(frame))
                frame = frame.f_back
            self._is_tool[ident] = is_tool
        return self._is_tool[ident]

    def _got_somewhere(self) -> bool:
        answered = self._room.answered()
        if answered == self._answered_before:
            return False
        self._answered_before = answered
        self.progress()
        return True

    def _run(self) -> None:
        while not self._bell.acquire(timeout=TICK_SECONDS):
            with self._room.mutex:
                if not self._room.is_open:
                    return
                self._tick_and_go_on()

    def _tick_and_go_on(self) -> None:
        try:
            self.tick()
        except Exception as error:
            # It is the error of those for whom the time was to be moved; and somebody has to look again.
            raised = error
            self._room.end_waits(lambda: raised)

    def tick(self) -> None:
        """Look at the room once."""
        now = self._monotonic()
        # First who has begun, then who has a frame: one that begins in between has not ended.
        begun = [(one, one.thread.ident) for one in self._room.participants.values() if one.state is not State.WAITING]
        frames = sys._current_frames()
        for participant, ident in begun:
            if ident is not None and ident not in frames:
                # It was there before the room, or was never threading's, and ended unseen.
                self._room.leave(participant.thread)
            else:
                self._look_at(participant, frames.get(ident or 0), now)
        self._watch_those_away(frames, now)
        if self._room.somebody_runs:
            self._quiet_since = None
        elif self._quiet_since is None:
            self._quiet_since = now
        elif now - self._quiet_since >= GRACE_SECONDS:
            self._after_the_grace(now, now - self._quiet_since)

    def _after_the_grace(self, now: float, quiet_seconds: float) -> None:
        if self._room.first_waiter() is not None:
            self._quiet_since = now
            self._room.let_another_run(jump=True)
        elif self._stall_seconds and quiet_seconds >= self._stall_seconds and self._room.is_stuck_in_here:
            self._room.stall()

    def _watch_those_away(self, frames: Mapping[int, FrameType], now: float) -> None:
        """Report, once, somebody who stays away while the others get nowhere: no error can reach them there."""
        if not any(self._is_stuck(one, frames) for one in self._room.participants.values()):
            self._away_since = None
        elif self._away_since is None:
            self._away_since = now
        elif self._stall_seconds and not self._has_notified and len(self._room.participants) > 1:
            since = max(self._away_since, self._progress_at)
            if not self._got_somewhere() and now - since >= self._stall_seconds:
                self._has_notified = True
                self._notify(self._room.report())

    def _is_stuck(self, participant: Participant, frames: Mapping[int, FrameType]) -> bool:
        asking, _ = asking_frames(frames.get(participant.thread.ident or 0))
        is_tools = asking is not None and self._tools.has(module_name(asking))
        return participant.state is State.AWAY and not is_tools

    def _look_at(self, participant: Participant, frame: FrameType | None, now: float) -> None:
        stillness, times = _stillness(participant.thread, frame), participant.stillness[1]
        is_still = stillness is not None and stillness == participant.stillness[0]
        participant.stillness = (stillness, times + 1 if is_still else 0)
        if participant.stillness[1] >= TICKS_OF_STILLNESS:
            self._room.declare(participant, State.AWAY)
        elif not is_still:
            self._room.declare(participant, State.RUNNING)
        if participant.turn_began is None:
            participant.turn_began = now
        elif participant.state is State.RUNNING and now - participant.turn_began >= LONG_TURN_SECONDS:
            self._room.let_another_run(jump=False)


def _stillness(thread: threading.Thread, frame: FrameType | None) -> object:
    """Give something that stays the same as long as the thread stands still in foreign code; None if it runs."""
    if frame is None or _wants_the_processor(thread):
        return None
    return id(frame), frame.f_lasti


def _wants_the_processor(thread: threading.Thread) -> bool:
    """Tell whether Linux has the thread on its list: a machine under load is not a thread that stands still."""
    try:
        with open(f"/proc/self/task/{thread.native_id}/stat", "rb") as stat:
            return stat.read().rpartition(b")")[2].split()[0] == b"R"
    except (OSError, IndexError):
        return False
