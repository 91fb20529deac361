"""What a swarm came to: what an operator would want to know of it, and as text a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby

from pytest_ddbthrottle._engine.journal import Call
from pytest_ddbthrottle._engine.throttle.reasons import ThrottlingReason
from pytest_ddbthrottle._escaped import told
from pytest_ddbthrottle._failures import MAX_LINES, counted, listed, number_text, seconds_text
from pytest_ddbthrottle._swarm_traffic import Traffic, nearest_rank

_HEADINGS = ("", "landed", "per second", "sent", "per item", "declined", "given up", "p50", "p90", "p99", "longest")
_PERCENTILES = (50, 90, 99, 100)
_PAGE = "docs/how-to/swarm.md"


@dataclass(frozen=True, slots=True)
class GaveUp:
    """A worker that ended by an exception.

    Attributes:
        worker: its number, from 0.
        at_seconds: virtual seconds since the swarm's start.
        error: the exception.
    """

    worker: int
    at_seconds: float
    error: Exception

    def __str__(self) -> str:
        return f"worker {self.worker} gave up after {seconds_text(self.at_seconds)}: {told(self.error)}"


@dataclass(frozen=True, slots=True)
class StillAtWork:
    """A worker that had not ended when the time was over.

    Attributes:
        worker: its number, from 0.
        place: the line of the application that it was at, as ``file.py:12``.
    """

    worker: int
    place: str


@dataclass(frozen=True, slots=True)
class SwarmReport:
    """What many copies of a worker came to against one account; as text it is a table.

    Attributes:
        workers: how many there were.
        seconds: virtual seconds from the start to the end of the last worker, or until who was at work was stopped.
        writes: what they wrote.
        reads: what they read.
        refusals: how often each cause refused; of a batch each entry. The most frequent first.
        errors: how often each error was the reply that is no refusal, ``ConditionalCheckFailedException`` say.
        gave_up: the workers that ended by an exception, in order.
        still_at_work: the workers that were stopped.
        calls: all attempts, in order.
    """

    workers: int
    seconds: float
    writes: Traffic
    reads: Traffic
    refusals: Mapping[ThrottlingReason, int]
    errors: Mapping[str, int]
    gave_up: tuple[GaveUp, ...]
    still_at_work: tuple[StillAtWork, ...]
    calls: tuple[Call, ...] = field(repr=False)

    @property
    def done(self) -> int:
        """How many workers came to their end."""
        return self.workers - len(self.gave_up) - len(self.still_at_work)

    @property
    def drained_after_seconds(self) -> float | None:
        """Virtual seconds until the backlog was gone: the last worker was done; None where one gave up or was stopped."""
        return self.seconds if self.done == self.workers else None

    @property
    def goodput_per_second(self) -> float:
        """Items written or read in a virtual second; ``inf`` where no time passed."""
        return self.writes.per_second + self.reads.per_second

    @property
    def attempts_per_write(self) -> float:
        """How often an item was sent to be written, for one that was; ``inf`` where none was."""
        return self.writes.attempts_per_item

    def latency_seconds(self, percentile: float) -> float:
        """Give the latency that so many of a hundred items, read or written, did not exceed, by the nearest rank.

        It runs from when a worker first wanted the item to the reply with which it landed: back-off, the SDK's limiter
        and what the worker itself sends again are all in it.

        Args:
            percentile: above 0, and at most 100.

        Returns:
            Virtual seconds; ``nan`` where nothing landed.

        Raises:
            ValueError: it is out of range.
        """
        together = sorted((*self.writes.latencies_seconds, *self.reads.latencies_seconds))
        return nearest_rank(tuple(together), percentile)

    def __str__(self) -> str:
        return "\n".join([self._first_line(), *self._table(), *self._counts(), *self._exceptions()])

    def assert_all_done(self) -> None:
        """Assert that every worker came to its end.

        Raises:
            AssertionError: one gave up, or was still at work when the time was over; then the table follows.
        """
        __tracebackhide__ = True
        if self.done < self.workers:
            raise AssertionError(f"expected all {counted(self.workers, 'worker')} to be done\n{self}\n{_PAGE}")

    def _first_line(self) -> str:
        ends = [
            f"{self.done} done",
            *([f"{len(self.gave_up)} gave up"] if self.gave_up else []),
            *([f"{len(self.still_at_work)} still at work"] if self.still_at_work else []),
        ]
        return f"{counted(self.workers, 'worker')}, {seconds_text(self.seconds)}: {listed(ends)}"

    def _table(self) -> list[str]:
        traffics = [("writes", self.writes), ("reads", self.reads)]
        rows = [_HEADINGS, *(_cells(name, traffic) for name, traffic in traffics if traffic.attempts)]
        if len(rows) == 1:
            return ["nothing was written or read"]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return [
            "  ".join([cells[0].ljust(widths[0]), *map(str.rjust, cells[1:], widths[1:])]).rstrip() for cells in rows
        ]

    def _counts(self) -> list[str]:
        return [
            *(f"refused {counted(count, 'time')}: {cause.value}" for cause, count in self.refusals.items()),
            *(f"answered {counted(count, 'time')}: {code}" for code, count in self.errors.items()),
        ]

    def _exceptions(self) -> list[str]:
        lines = [f"- {one}" for one in self.gave_up[:MAX_LINES]]
        if len(self.gave_up) > MAX_LINES:
            lines.append(f"- and {len(self.gave_up) - MAX_LINES} more")
        at_work = sorted(self.still_at_work, key=lambda one: one.place)
        for place, there in groupby(at_work, key=lambda one: one.place):
            numbers = [str(one.worker) for one in there]
            shown = ", ".join([*numbers[:MAX_LINES], *(["…"] if len(numbers) > MAX_LINES else [])])
            lines.append(f"- {counted(len(numbers), 'worker')} still at work at {place}: {shown}")
        return lines


def _cells(name: str, traffic: Traffic) -> tuple[str, ...]:
    latencies = [_shown(traffic.latency_seconds(percentile), " s") for percentile in _PERCENTILES]
    return (
        name,
        str(traffic.landed),
        _shown(traffic.per_second),
        str(traffic.attempts),
        _shown(traffic.attempts_per_item),
        str(traffic.declined),
        str(traffic.given_up),
        *latencies,
    )


def _shown(value: float, unit: str = "") -> str:
    """Give a number; a dash where there is none."""
    return number_text(round(value, 2)) + unit if abs(value) < float("inf") else "-"
