"""Threads that share one virtual time: who goes on, who waits, and when time may jump.

The law:

- A participant has the turn, or waits. The turn goes on only when its holder waits or ends.
- It goes to the waiter that comes first: whoever was woken or is due, by the instant of that, then by arrival. So one
  waiter is woken at a time, and a run has one order.
- When nobody was woken and nobody is due, time jumps to the earliest deadline; never while a participant runs.
- When nobody waits for a time either, nothing can move: that is an error, and no hang.

A participant may also be stuck outside, in a lock or a socket that knows nothing of this room, while the one who could
free it waits in here. The ``minder`` sees that in real time and declares it away; the turn then passes on without it,
and time jumps only after a grace of real time. ``threads``, ``locks`` and ``event_loops`` bring their waits in.

Everything in here is a real lock of ``_thread``'s: those of ``threading`` may be ours.
"""

from __future__ import annotations

import itertools
import threading
from _thread import RLock, get_ident
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import getpid

from pytest_ddbthrottle._engine.clock import Turns, VirtualClock
from pytest_ddbthrottle._engine.errors import Stalled
from pytest_ddbthrottle._time.minding import Minding
from pytest_ddbthrottle._time.participant import Outcome, Parking, Participant, State
from pytest_ddbthrottle._time.stall_report import Waiter, stall_text

TRIES_THAT_TAKE_TIME = 100


class WaitingRoom:
    """The participants of one virtual time.

    Args:
        minder: makes the room's view of real time.
    """

    def __init__(self, minder: Callable[[WaitingRoom], Minding]) -> None:
        self.mutex = RLock()
        self.participants: dict[int, Participant] = {}
        """By the thread's object, which has an identity before it has an ident."""
        self._is_open = True
        self.has_told_the_first = False
        """Whether the thread that came first, the test's, was told that nothing can move."""
        self._process = getpid()
        self._clocks: list[VirtualClock] = []
        self._answered: list[Callable[[], int]] = []
        self._epoch_ns = self._virtual_blocks = 0
        self._arrivals = itertools.count()
        self.minder = minder(self)

    @property
    def is_open(self) -> bool:
        """Whether waits are waits in here: not after the end, and not in a child that was forked."""
        return self._is_open and getpid() == self._process

    @property
    def is_virtual(self) -> bool:
        """Whether the application's own timeouts are virtual too, and not the SDK's waits alone."""
        return self._virtual_blocks > 0

    @contextmanager
    def on_clock(self, clock: VirtualClock, answered: Callable[[], int], *, is_virtual: bool) -> Iterator[None]:
        """Let a clock be moved, in front of those that are moved already, for a block.

        Args:
            clock: what is moved.
            answered: gives how many calls its fake has answered.
            is_virtual: whether the application's own timeouts are virtual.
        """
        if not self._clocks:
            self._epoch_ns = clock.now_ns() - clock.elapsed_ns
        self._clocks.append(clock)
        self._answered.append(answered)
        self._virtual_blocks += is_virtual
        try:
            yield
        finally:
            self._virtual_blocks -= is_virtual
            self._answered.remove(answered)
            if len(self._clocks) > 1:
                # The outermost stays: threads that outlive the room ask it how long they still have to wait.
                self._clocks.remove(clock)

    def answered(self) -> int:
        """Give how many calls were answered: whoever calls is getting somewhere."""
        return sum(answered() for answered in self._answered)

    def now_ns(self) -> int:
        """Give the instant on the room's scale: nanoseconds since the outermost clock's start."""
        return self._clocks[0].elapsed_ns

    def time(self) -> float:
        """Give the room's time in seconds: the epoch's, as long as nobody else freezes another; it never goes back."""
        return (self._epoch_ns + self.now_ns()) / 1e9

    def turns_here(self) -> Turns | None:
        """Give the swarm that the present thread takes turns in, and not in here; None for every other thread."""
        return self._clocks[-1].turns_here()

    # Coming and going.

    def me(self) -> Participant | None:
        """Give the present thread as a participant, if it is one."""
        thread = threading._active.get(get_ident())  # type: ignore[attr-defined]
        return self.participants.get(id(thread))

    def enter(self, thread: threading.Thread) -> Participant:
        """Let a thread take part; it runs."""
        with self.mutex:
            participant = self.participants[id(thread)] = Participant(thread)
            if len(self.participants) > 1:
                self.minder.needed()
            self.minder.progress()
            return participant

    def leave(self, thread: threading.Thread) -> None:
        """Let a thread take part no longer."""
        with self.mutex:
            participant = self.participants.pop(id(thread), None)
            if participant is None:
                return
            self.minder.progress()
            if participant.state is State.WAITING:
                # It has not ended, whoever thinks so: it would wait for ever for a turn that nobody gives it.
                self._open(participant)
            for joiner in participant.joiners:
                self.wake(joiner)
            if self.is_open:
                self._pass_turn()

    def close(self) -> None:
        """End the room: who waits goes on waiting in real time."""
        with self.mutex:
            self._is_open = False
            self.minder.dismiss()
            for participant in self._waiting():
                self._open(participant)

    # Waiting.

    def sleep_ns(self, duration_ns: int, what: str) -> Outcome:
        """Let the present thread wait for a time; whoever does so takes part from then on."""
        participant = self.me() or self.enter(threading.current_thread())
        due_ns = self.now_ns() + duration_ns
        outcome = Outcome.WOKEN
        while outcome is Outcome.WOKEN:
            outcome = self.park(participant, due_ns, what)
        return outcome

    def yield_turn(self) -> None:
        """Let those who were woken or are due go first."""
        participant = self.me()
        if participant is not None and len(self.participants) > 1:
            self.park(participant, self.now_ns(), "its turn")

    def let_others_go_first(self) -> None:
        """Let those who were woken or are due go first, if there are any."""
        if len(self.participants) > 1:
            with self.mutex:
                first = self.first_waiter()
            if first is not None and first.due_ns is not None and first.due_ns <= self.now_ns():
                self.yield_turn()

    def tries_in_vain(self, participant: Participant) -> None:
        """Hear that the present participant looked for something and did not wait for it.

        Whoever does so again and again waits after all: others go on, and in the end time does, as it would in life.
        """
        participant.tries += 1
        if participant.tries >= TRIES_THAT_TAKE_TIME:
            self.park(participant, self.now_ns() + 1000, "something that it looks for again and again")

    def wait_for_end(self, thread: threading.Thread, timeout_seconds: float | None) -> bool:
        """Let the present participant wait until a thread has left the room; tell whether it has."""
        me, target = self.me(), self.participants.get(id(thread))
        if me is None or target is None:
            return True
        due_ns = self.due_ns(timeout_seconds)
        outcome = Outcome.WOKEN
        while outcome is Outcome.WOKEN:
            with self.mutex:
                # Together: an end in between would wake nobody.
                if self.participants.get(id(thread)) is not target:
                    return True
                target.joiners.append(me)
            outcome = self.park(me, due_ns, f"the end of thread {thread.name!r}")
        return id(thread) not in self.participants

    def due_ns(self, timeout_seconds: float | None) -> int | None:
        """Give the end of a wait that begins now, in whole microseconds: a smaller step is lost on a float clock."""
        if timeout_seconds is None:
            return None
        return self.now_ns() + max(0, -(-round(timeout_seconds * 1e9) // 1000) * 1000)

    def park(
        self,
        participant: Participant,
        due_ns: int | None,
        what: str,
        *,
        parking: Parking | None = None,
        wakeable: bool = False,
        listens: bool = False,
    ) -> Outcome:
        """Let the present participant wait, until it is woken or due.

        A wake that came before the wait counts. So a waiter first shows itself to those who might wake it, then looks
        once more whether it need wait, and only then parks; and asks again afterwards, for the wake may be an old one.

        Raises:
            Stalled: nothing can move.
        """
        if not self.is_open:
            return Outcome.CLOSED
        with self.mutex:
            # Whoever was taken for ended, and was not, is back.
            self.participants[id(participant.thread)] = participant
            if participant.woken or not self._is_open:
                participant.woken = False
                return Outcome.WOKEN if self._is_open else Outcome.CLOSED
            self._begin_wait(participant, due_ns, what, parking or participant.gate, wakeable, listens)
            self._pass_turn()
        self._hold(participant)
        if participant.error is not None:
            error, participant.error = participant.error, None
            raise error
        woken, participant.woken = participant.woken, False
        return Outcome.WOKEN if woken else Outcome.DUE if self.is_open else Outcome.CLOSED

    def wake(self, participant: Participant) -> None:
        """End a participant's wait, or the next one that it begins."""
        with self.mutex:
            if participant.woken:
                return
            participant.woken = True
            self.minder.progress()
            if participant.state is State.WAITING:
                participant.due_ns, participant.arrival = self.now_ns(), next(self._arrivals)
                self._pass_turn()

    def _begin_wait(
        self, one: Participant, due_ns: int | None, what: str, parking: Parking, wakeable: bool, listens: bool
    ) -> None:
        one.state, one.due_ns, one.what, one.parking = State.WAITING, due_ns, what, parking
        one.tries = 0
        one.wakeable, one.listens, one.arrival = wakeable, listens, next(self._arrivals)
        if one.listens:
            self.minder.needed()

    def _hold(self, one: Participant) -> None:
        one.is_parked = True
        try:
            one.parking.hold()
        except BaseException:
            with self.mutex:
                if one.state is State.WAITING:
                    self._runs(one)
                else:
                    one.gate.shut()
            raise
        finally:
            one.is_parked = False
        if one.state is State.WAITING:
            # Real input ended it, perhaps at the very moment at which it was opened.
            with self.mutex:
                if one.state is State.WAITING:
                    self._runs(one)

    # The turn.

    def _pass_turn(self, *, whatever_happens_outside: bool = False) -> None:
        if self.somebody_runs:
            return
        first = self.first_waiter()
        if first is None:
            self._nobody_waits_for_a_time()
            return
        assert first.due_ns is not None
        jump_ns = first.due_ns - self.now_ns()
        if jump_ns > 0:
            if not whatever_happens_outside and self._may_be_disturbed(first):
                self.minder.needed()
                return
            if self.minder.no_progress():
                self.stall()
                return
            self._jump(jump_ns)
        self._open(first)

    def first_waiter(self) -> Participant | None:
        """Give the waiter that comes first, or None where none waits for a time."""
        timed = [one for one in self._waiting() if one.due_ns is not None]
        return min(timed, key=_in_order, default=None)

    def let_another_run(self, *, jump: bool) -> None:
        """Let the first waiter go on although somebody runs, or may act outside; for the minder."""
        first = self.first_waiter()
        if first is not None and first.due_ns is not None and first.due_ns <= self.now_ns():
            self._open(first)
        elif jump:
            self._pass_turn(whatever_happens_outside=True)

    def stall(self) -> None:
        """Let every wait raise that nothing can move."""
        for one in self.participants.values():
            if one.has_lost_its_turn:
                one.state, one.due_ns = State.WAITING, None
        text = self.report()
        self.end_waits(lambda: Stalled(text))

    def end_waits(self, error: Callable[[], BaseException]) -> None:
        """Let every wait raise an error."""
        self.minder.progress()
        for participant in self._waiting():
            participant.error, participant.woken, participant.due_ns = error(), True, self.now_ns()
        self.has_told_the_first = any(one.error is not None for one in [*self.participants.values()][:1])
        self._pass_turn()

    def report(self) -> str:
        """Say who waits for what."""
        return stall_text(self._clocks[-1].elapsed, [self._waiter(one) for one in self.participants.values()])

    def declare(self, participant: Participant, state: State) -> None:
        """Take a participant for away, or for running again."""
        if participant.state is state:
            return
        participant.state = state
        self._pass_turn()

    @property
    def somebody_runs(self) -> bool:
        """Whether a participant has the turn."""
        return any(one.state is State.RUNNING for one in self.participants.values())

    @property
    def somebody_is_away(self) -> bool:
        """Whether a participant is stuck outside."""
        return any(one.state is State.AWAY for one in self.participants.values())

    @property
    def is_stuck_in_here(self) -> bool:
        """Whether a participant has lost its turn, or all of them wait: no news from outside would help."""
        return not self.somebody_is_away or any(one.has_lost_its_turn for one in self.participants.values())

    def _hears_from_outside(self) -> bool:
        return self.somebody_is_away or any(one.listens for one in self.participants.values())

    def _may_be_disturbed(self, first: Participant) -> bool:
        """Tell whether something outside may end a wait before the deadline that comes next."""
        return self._hears_from_outside() or (first.wakeable and self.minder.strangers())

    def _nobody_waits_for_a_time(self) -> None:
        if not self._waiting():
            return
        if self._hears_from_outside() or self.minder.strangers():
            self.minder.needed()
        else:
            self.stall()

    def _jump(self, duration_ns: int) -> None:
        targets = [clock.elapsed_ns + duration_ns for clock in self._clocks]
        for clock, target_ns in reversed(list(zip(self._clocks, targets, strict=True))):
            # One frozen time may have moved with another.
            if clock.elapsed_ns < target_ns:
                clock.advance_ns(target_ns - clock.elapsed_ns)

    def _open(self, participant: Participant) -> None:
        self._runs(participant)
        participant.parking.open()

    def _runs(self, participant: Participant) -> None:
        participant.state, participant.listens = State.RUNNING, False
        participant.stillness, participant.turn_began = (None, 0), None

    def _waiting(self) -> list[Participant]:
        return [one for one in self.participants.values() if one.state is State.WAITING]

    def _waiter(self, one: Participant) -> Waiter:
        left_ns = None if one.due_ns is None or one.state is not State.WAITING else one.due_ns - self.now_ns()
        what = one.what if one.state is State.WAITING else "something outside of virtual time"
        return Waiter(one.thread, what, None if left_ns is None else left_ns / 1e9, one.loop)


def _in_order(participant: Participant) -> tuple[int, int]:
    return participant.due_ns or 0, participant.arrival
