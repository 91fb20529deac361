"""What a swarm sent, and what came of it: items asked for, items that landed, and how long each took."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field

from pytest_ddbthrottle._engine.capacity import OperationType
from pytest_ddbthrottle._engine.journal import Call
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._resends import entries_of, landed_entries


@dataclass(frozen=True, slots=True)
class Sent:
    """One attempt of a worker: what was sent, since when it wanted to send it, and when it had the reply."""

    worker: int
    call: Call
    began_ns: int
    ended_ns: int


@dataclass(frozen=True, slots=True)
class Traffic:
    """The reads of a swarm, or its writes; an item of a batch or a transaction counts by itself, a Query or Scan as one.

    Attributes:
        attempts: items sent, each as often as it was sent.
        landed: items that were written or read.
        declined: items whose condition was false: an answer, and no write.
        given_up: items that were refused, or failed, and were not sent again by their worker until they had an answer.
        seconds: virtual seconds from the swarm's start to its end.
        latencies_seconds: of each item that landed, from when its worker first wanted it to the reply; the shortest first.
    """

    attempts: int
    landed: int
    declined: int
    given_up: int
    seconds: float
    latencies_seconds: tuple[float, ...] = field(repr=False)

    @property
    def per_second(self) -> float:
        """Items that landed in a virtual second; ``inf`` where no time passed."""
        return _ratio(self.landed, self.seconds)

    @property
    def attempts_per_item(self) -> float:
        """How often an item was sent for one that landed; ``inf`` where none did."""
        return _ratio(self.attempts, self.landed)

    def latency_seconds(self, percentile: float) -> float:
        """Give the latency that so many of a hundred items did not exceed, by the nearest rank.

        Args:
            percentile: above 0, and at most 100.

        Returns:
            Virtual seconds; ``nan`` where nothing landed.

        Raises:
            ValueError: it is out of range.

        >>> Traffic(4, 4, 0, 0, 1.0, (0.1, 0.2, 0.3, 0.9)).latency_seconds(50)
        0.2
        """
        return nearest_rank(self.latencies_seconds, percentile)


def nearest_rank(ascending: tuple[float, ...], percentile: float) -> float:
    """Give the smallest value that so many of a hundred do not exceed; ``nan`` where there is none."""
    if not 0 < percentile <= 100:
        raise ValueError(f"percentile={percentile!r}: a number above 0, and at most 100, is needed")
    # The product first: 0.07 * 100 is more than 7.
    return ascending[math.ceil(percentile * len(ascending) / 100) - 1] if ascending else math.nan


def _ratio(count: int, of: float) -> float:
    return count / of if of else (math.inf if count else 0.0)


def traffic_of(direction: OperationType, sent: Iterable[Sent], seconds: float) -> Traffic:
    """Count the reads or the writes of what was sent."""
    attempts = landed = declined = 0
    waiting: dict[Hashable, int] = {}
    latencies_ns: list[int] = []
    for one in sent:
        asked = list(_asked(one.call, direction))
        attempts += len(asked)
        for item in asked:
            waiting.setdefault((one.worker, item), one.began_ns)
        for item in _answered(one.call, direction):
            began_ns = waiting.pop((one.worker, item), one.began_ns)
            if one.call.error is None:
                landed += 1
                latencies_ns.append(one.ended_ns - began_ns)
            else:
                declined += 1
    latencies_seconds = tuple(latency_ns / NANOSECONDS_PER_SECOND for latency_ns in sorted(latencies_ns))
    return Traffic(attempts, landed, declined, len(waiting), seconds, latencies_seconds)


def _asked(call: Call, direction: OperationType) -> Iterator[Hashable]:
    """Give what a call asks for in a direction: its items, or for one without keys the request as a whole."""
    entries = entries_of(call)
    if entries:
        yield from (entry.identity for entry in entries if entry.direction is direction)
    elif direction in _directions(call):
        yield call.region, call.operation, json.dumps(call.request, sort_keys=True, default=repr)


def _answered(call: Call, direction: OperationType) -> Iterator[Hashable]:
    if entries_of(call):
        yield from (entry.identity for entry in landed_entries(call) if entry.direction is direction)
    elif call.error is None:
        yield from _asked(call, direction)


def _directions(call: Call) -> set[OperationType]:
    # A call that was charged, or refused: what never asks for capacity is of the control plane.
    return {part.direction for part in call.consumed} or {refusal.direction for refusal in call.refusals}
