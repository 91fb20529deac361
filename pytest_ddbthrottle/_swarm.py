"""A swarm: many copies of a worker against one account, each going on at its calls and sleeps, by the seed alone."""

from __future__ import annotations

import inspect
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import TypeVar

from pytest_ddbthrottle._engine.capacity import OperationType
from pytest_ddbthrottle._engine.errors import Livelock, UnmodelledWait
from pytest_ddbthrottle._engine.journal import Call
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._escaped import is_by_throttling, place_in_stack
from pytest_ddbthrottle._failures import listed, seconds_text
from pytest_ddbthrottle._swarm_loop import run_coroutine
from pytest_ddbthrottle._swarm_options import SwarmOptions
from pytest_ddbthrottle._swarm_report import GaveUp, StillAtWork, SwarmReport
from pytest_ddbthrottle._swarm_traffic import Sent, traffic_of
from pytest_ddbthrottle._swarm_turns import Strand, TurnTaking
from pytest_ddbthrottle._time import while_a_swarm_runs
from pytest_ddbthrottle._wire import Wire, WireReply, livelock_text

_Name = TypeVar("_Name", bound=str)
_PAGE = "docs/how-to/swarm.md"


class Swarm:
    """Runs the copies of a worker.

    Args:
        wire: the account.
        worker: a function or a coroutine function, of nothing or of its number.
        options: what the swarm was told.
        seed: of whose turn it is, and of Python's own dice.

    Raises:
        TypeError: the worker is none.
        RuntimeError: another swarm is running.
    """

    def __init__(self, wire: Wire, worker: Callable[..., object], options: SwarmOptions, seed: int) -> None:
        self._call = _of_its_number(worker)
        self._wire = wire
        self._journal = wire.engine.journal
        self._clock = wire.engine.clock
        if self._clock.turns is not None:
            raise RuntimeError("swarm: another swarm is running on this account; a worker can't start one")
        self._options = options
        self._seed = seed
        self._began_ns = self._clock.now_ns()
        until_ns = self._began_ns + round(options.until * NANOSECONDS_PER_SECOND)
        self._turns = TurnTaking(self._clock, seed, until_ns)
        self._livelock_limit = wire.livelock_limit
        self._fruitless: dict[int, tuple[int, int]] = {}
        self._sent: list[Sent] = []
        self._gave_up: list[GaveUp] = []

    def report(self) -> SwarmReport:
        """Run all copies, and say what they came to.

        Raises:
            Livelock: a worker keeps sending what is refused at one instant, or does not come back.
            Exception: what a worker raised that neither throttling caused nor ``may_raise`` names.
        """
        __tracebackhide__ = True
        for number in range(self._options.workers):
            self._turns.start(number, self._job(number))
        with self._in_force(), while_a_swarm_runs():
            self._turns.run()
        return self._report()

    @contextmanager
    def _in_force(self) -> Iterator[None]:
        """Let the workers take turns; Python's own dice, which hand-made jitter draws from, are thrown by the seed."""
        dice = random.getstate()
        random.seed(f"workers {self._seed}")
        # The fake's guard counts all that is refused at one instant; here each worker's refusals are counted apart.
        self._wire.livelock_limit = sys.maxsize
        self._clock.turns = self._turns
        try:
            yield
        finally:
            self._clock.turns = None
            self._wire.livelock_limit = self._livelock_limit
            self._journal.count_refusals_anew()
            random.setstate(dice)

    def _job(self, number: int) -> Callable[[], None]:
        def job() -> None:
            try:
                outcome = self._call(number)
                if inspect.iscoroutine(outcome):
                    run_coroutine(outcome, self._clock, self._turns)
            except Exception as error:
                if self._turns.is_over:
                    return  # It was stopped, and that is what it made of it.
                if not is_by_throttling(error) and not isinstance(error, self._options.may_raise_classes):
                    _note(error, f"swarm: worker {number}, after {seconds_text(self._elapsed_seconds)}")
                    raise
                self._gave_up.append(GaveUp(number, self._elapsed_seconds, error))

        return job

    def answer(self, url: str, headers: Mapping[str, str], body: bytes) -> WireReply:
        """Answer a worker's request when it is its turn.

        Raises:
            Livelock: its requests are refused again and again at one instant.
            UnmodelledWait: the request comes from a thread that a worker has started.
        """
        if not self._turns.has_turn():
            raise UnmodelledWait(_foreign_text())
        strand = self._turns.present
        began_ns = strand.take_sdk_wait_ns() or self._clock.now_ns()
        self._turns.wait(0, "application")
        reply = self._wire.answer(url, headers, body)
        call = self._journal.calls[-1]
        self._guard(strand, call)
        latency_ns = strand.take_owed_ns() + round(self._options.latency_seconds * NANOSECONDS_PER_SECOND)
        self._sent.append(Sent(strand.worker, call, began_ns, self._clock.now_ns() + latency_ns))
        if latency_ns:
            self._turns.wait(latency_ns, "application")
        return reply

    def _guard(self, strand: Strand, call: Call) -> None:
        """End the swarm where one worker's calls are refused again and again at one instant."""
        now_ns = self._clock.now_ns()
        at_ns, fruitless = self._fruitless.get(strand.worker, (now_ns, 0))
        fruitless = (fruitless if at_ns == now_ns else 0) + 1 if call.throttled or call.leftovers else 0
        self._fruitless[strand.worker] = now_ns, fruitless
        if fruitless >= self._livelock_limit:
            where = f"swarm: worker {strand.worker} is at {strand.place} after {seconds_text(self._elapsed_seconds)}."
            raise Livelock(f"{livelock_text(call, fruitless)}\n{where} {_PAGE}")

    @property
    def _elapsed_seconds(self) -> float:
        return (self._clock.now_ns() - self._began_ns) / NANOSECONDS_PER_SECOND

    def _report(self) -> SwarmReport:
        seconds = self._elapsed_seconds
        calls = tuple(one.call for one in self._sent)
        stopped: dict[int, str] = {}
        for strand in self._turns.stopped:
            stopped.setdefault(strand.worker, strand.place)
        return SwarmReport(
            workers=self._options.workers,
            seconds=seconds,
            writes=traffic_of(OperationType.WRITE, self._sent, seconds),
            reads=traffic_of(OperationType.READ, self._sent, seconds),
            refusals=_counts(refusal.cause for call in calls for refusal in call.refusals),
            errors=_counts(call.error for call in calls if call.error is not None and not call.throttled),
            gave_up=tuple(self._gave_up),
            still_at_work=tuple(StillAtWork(worker, place) for worker, place in sorted(stopped.items())),
            calls=calls,
        )


def _of_its_number(worker: Callable[..., object]) -> Callable[[int], object]:
    """Give a function of a worker's number; one that needs no argument is not given it."""
    if not callable(worker):
        if inspect.iscoroutine(worker):
            worker.close()
        raise TypeError(f"swarm: the worker is {worker!r}; a function or a coroutine function is needed, swarm(worker)")
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(worker).parameters.values()
    needed = [part.name for part in parameters if part.kind in positional and part.default is inspect.Parameter.empty]
    if len(needed) > 1:
        raise TypeError(f"swarm: the worker needs {listed(needed)}; it is given its number, from 0, or nothing")
    return worker if needed else lambda _: worker()


def _counts(names: Iterable[_Name]) -> Mapping[_Name, int]:
    """Count names: the most frequent first, and of several the first by name."""
    counted = Counter(names)
    return MappingProxyType({name: counted[name] for name in sorted(counted, key=lambda name: (-counted[name], name))})


def _foreign_text() -> str:
    return (
        f"swarm: a DynamoDB request at {place_in_stack(sys._getframe(1)) or 'no line of the application'} comes from a "
        "thread that a worker has started: one worker runs at a time, and only what runs in it takes turns. Let the "
        f"swarm have more workers, or use asyncio.to_thread in a coroutine; {_PAGE}"
    )


def _note(error: Exception, text: str) -> None:
    if sys.version_info >= (3, 11):
        error.add_note(text)
