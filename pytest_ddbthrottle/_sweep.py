"""A sweep: a scenario is run once, then again for each of its calls with that call refused."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from pytest_ddbthrottle._assertions import assert_nothing_lost
from pytest_ddbthrottle._engine.errors import Livelock
from pytest_ddbthrottle._engine.journal import Call, Journal
from pytest_ddbthrottle._escaped import is_by_throttling, shortened, told
from pytest_ddbthrottle._failures import attributes_text, counted
from pytest_ddbthrottle._resends import lost_entries
from pytest_ddbthrottle._sweep_bench import Bench, Bounds
from pytest_ddbthrottle._sweep_contents import difference
from pytest_ddbthrottle._sweep_faults import Fault, FaultAt, faults_of
from pytest_ddbthrottle._sweep_options import SweepOptions
from pytest_ddbthrottle._sweep_report import FaultPoint, SweepReport

MOST_TIMES_THE_CALLS = 10
MOST_CALLS_BESIDES = 100
MOST_TIMES_THE_SECONDS = 10
MOST_SECONDS_BESIDES = 3600
"""A run that takes more than these allow never ends. Source: Assumed — a retry doubles its wait up to a minute or so and
gives up after a few; whoever is still at it after an hour of virtual time for one refusal has no bound."""
NO_CALLS = (
    "sweep: the scenario made no call that can be refused{}. Does it run the code under test, on a client that this fake "
    "answers? docs/how-to/sweep.md"
)
_UNBOUNDED = Bounds(10**9, 10**8)


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the scenario."""

    calls: tuple[Call, ...]
    error: BaseException | None
    loss: str | None


class Sweep:
    """Runs a scenario, and again with its calls refused.

    Args:
        bench: the account.
        scenario: a function or a coroutine function; takes nothing, or the fake.
        fake: what it is given.
        options: what the sweep was told.

    Raises:
        TypeError: the scenario is no function.
    """

    def __init__(self, bench: Bench, scenario: Callable[..., object], fake: object, options: SweepOptions) -> None:
        self._bench = bench
        self._options = options
        self._scenario = _bound(scenario, fake, "the scenario")
        self._check = None if options.check is None else _bound(options.check, fake, "check")

    def report(self) -> SweepReport:
        """Run all; the account stands then as it stood after the run in which nothing was refused.

        Raises:
            ValueError: the scenario makes no call that can be refused.
            RuntimeError: it makes other calls another time.
            Exception: whatever it, or the check, raises where nothing is refused.
        """
        __tracebackhide__ = True
        self._start = self._bench.state()
        begun_seconds = self._bench.elapsed_seconds
        with self._bench.refusing((), _UNBOUNDED):
            self._scenario()
        end, calls = self._bench.state(), self._bench.calls
        self._clean_contents = self._bench.contents()
        self._bounds = _bounds(len(calls), self._bench.elapsed_seconds - begun_seconds)
        self._check_clean(calls)
        faults = self._faults(calls, after=0)
        if not faults:
            wanted = "" if self._options.reasons is None else f" for reasons={self._options.reasons!r}"
            raise ValueError(NO_CALLS.format(wanted))
        try:
            return SweepReport(tuple(point for fault in faults for point in self._points(fault)), calls)
        finally:
            self._bench.set_back(end)

    def _check_clean(self, calls: Sequence[Call]) -> None:
        __tracebackhide__ = True
        if self._check is not None:
            self._check()
        else:
            assert_nothing_lost(Journal(list(calls)))

    def _faults(self, calls: Sequence[Call], after: int) -> list[Fault]:
        return [
            fault
            for number, call in enumerate(calls, 1)
            if number > after
            for fault in faults_of(number, call, self._bench.terms_of, self._options.reasons)
        ]

    def _points(self, fault: Fault) -> Iterator[FaultPoint]:
        """Give the point of one fault; then those of the pairs that it begins, if it alone did no harm."""
        point, seconds = self._point((fault,))
        yield point
        if not point.is_finding:
            for second in seconds:
                yield self._point((fault, second))[0]

    def _point(self, faults: tuple[Fault, ...]) -> tuple[FaultPoint, list[Fault]]:
        run = self._run(faults)
        outcome, detail, is_finding = self._outcome(run)
        more = self._options.pairs and len(faults) == 1
        seconds = self._faults(run.calls, after=faults[0].number) if more else []
        return FaultPoint(faults, outcome, detail, is_finding, run.calls), seconds

    def _run(self, faults: Sequence[Fault]) -> Run:
        self._bench.set_back(self._start)
        error: BaseException | None = None
        with self._bench.refusing(faults, self._bounds) as placed:
            try:
                self._scenario()
            except (Livelock, Exception) as escaped:
                error = escaped
        calls = self._bench.calls
        _check_all_fired(placed, calls)
        return Run(calls, error, self._loss(calls, error))

    def _loss(self, calls: Sequence[Call], error: BaseException | None) -> str | None:
        if self._check is not None:
            return _failing(self._check)
        if error is not None:
            return None
        found = difference(self._clean_contents, self._bench.contents())
        lost = [f"{call.operation} of {attributes_text(entry)} never landed" for call, entry in lost_entries(calls)]
        return found or next(iter(lost), None)

    def _outcome(self, run: Run) -> tuple[str, str, bool]:
        """Give the outcome, what happened, and whether it is to be mended."""
        if isinstance(run.error, Livelock):
            return "hung", shortened(f"{_last_of(run.calls)}: {run.error}"), True
        if isinstance(run.error, AssertionError):
            return "lost", told(run.error), True
        if run.error is not None and not _is_allowed(run.error, self._options):
            return "raised", told(run.error), True
        if run.loss is not None:
            return "lost", shortened(run.loss), True
        return ("recovered", "", False) if run.error is None else ("raised", told(run.error), False)


def _bounds(calls: int, seconds: float) -> Bounds:
    return Bounds(
        MOST_TIMES_THE_CALLS * calls + MOST_CALLS_BESIDES, MOST_TIMES_THE_SECONDS * seconds + MOST_SECONDS_BESIDES
    )


def _bound(function: Callable[..., object], fake: object, what: str) -> Callable[[], object]:
    """Give a function of nothing; one that needs an argument is given the fake, and a coroutine function is run."""
    if not callable(function):
        raise TypeError(f"sweep: {what} is {function!r}; a function is needed, sweep(scenario)")
    parameters = inspect.signature(function).parameters.values()
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if any(part.kind in positional and part.default is inspect.Parameter.empty for part in parameters):
        return lambda: _ended(function(fake))
    return lambda: _ended(function())


def _ended(outcome: object) -> object:
    """Give what a function gave; where that is a coroutine, what comes of it."""
    if not inspect.iscoroutine(outcome):
        return outcome
    if asyncio._get_running_loop() is None:
        return asyncio.run(outcome)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, outcome).result()


def _check_all_fired(placed: Sequence[FaultAt], calls: Sequence[Call]) -> None:
    for fault in (scripted.fault for scripted in placed if not scripted.has_fired):
        met = next(
            (f"is {call.operation} on {call.table}" for call in calls[fault.number - 1 : fault.number]), "is not"
        )
        raise RuntimeError(
            f"sweep: call {fault.number} was {fault.operation} on {fault.resource}, and another time {met}: a scenario "
            "has to make the same calls each time, and to keep nothing of one run for the next; docs/how-to/sweep.md"
        )


def _failing(check: Callable[[], object]) -> str | None:
    try:
        check()
    except Exception as error:
        return told(error)
    return None


def _is_allowed(error: BaseException, options: SweepOptions) -> bool:
    """Tell whether ``may_raise`` allows an error: one that throttling caused, or one of the classes named."""
    if options.may_raise_classes:
        return isinstance(error, options.may_raise_classes)
    return bool(options.may_raise) and is_by_throttling(error)


def _last_of(calls: Sequence[Call]) -> str:
    if not calls:
        return "before any call"
    last = calls[-1]
    return f"{last.operation} on {last.table or 'no table'} after {counted(len(calls), 'call')}"
