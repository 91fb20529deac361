"""The account between the runs of a sweep: set back before each, bounded during each, looked at after each."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pytest_ddbthrottle._engine.capacity import Consumption, Throughput
from pytest_ddbthrottle._engine.dynamodb import DynamoDB
from pytest_ddbthrottle._engine.errors import Livelock
from pytest_ddbthrottle._engine.faults import InjectRule, ScriptedRule
from pytest_ddbthrottle._engine.journal import Call
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._engine.tables import Table
from pytest_ddbthrottle._engine.throttle.scopes import Terms
from pytest_ddbthrottle._rules_in_force import RulesInForce
from pytest_ddbthrottle._sweep_faults import Fault, FaultAt

Contents = Mapping[tuple[str, str], tuple[Table, Mapping[Any, Any]]]
"""Region and table → the table, and its items by their keys."""
Throughputs = Mapping["str | None", Throughput]
"""Index → what it may consume; None stands for the table."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a run may take before it counts as one that never ends."""

    calls: int
    seconds: float


@dataclass(frozen=True, slots=True)
class State:
    """All that a run changes."""

    account: Any
    scripted: Sequence[ScriptedRule]
    injections: Sequence[ScriptedRule]
    calls: Sequence[Call]
    sleeps: Sequence[Any]
    random_state: Any


class Bench:
    """An account on which the same is done again and again.

    Args:
        engine: the account.
        rules: takes snapshots of it.
        injections: what calls of the test have scripted.
        forget_retries: lets the process's clients forget that they were throttled.
        holds: whether a refusal holds until the clock moves.
    """

    def __init__(
        self,
        engine: DynamoDB,
        rules: RulesInForce,
        injections: list[ScriptedRule],
        forget_retries: Callable[[], None],
        *,
        holds: bool,
    ) -> None:
        self._engine = engine
        self._rules = rules
        self._injections = injections
        self._forget_retries = forget_retries
        self._holds = holds
        self._calls_before = len(engine.journal.calls)
        self._noted: dict[int, Mapping[tuple[str, str], Throughputs]] = {}

    def state(self) -> State:
        """Remember all that a run changes; Python's own dice among it, which jitter draws from."""
        engine = self._engine
        return State(
            self._rules.snapshot(),
            tuple(engine.scripted_rules),
            tuple(self._injections),
            tuple(engine.journal.calls),
            tuple(engine.clock.sleeps),
            random.getstate(),
        )

    def set_back(self, state: State) -> None:
        """Set the account, its journal and its script back."""
        engine = self._engine
        engine.scripted_rules[:] = state.scripted
        self._injections[:] = state.injections
        self._rules.restore(state.account)
        self._forget_retries()
        engine.journal.calls[:] = state.calls
        engine.clock.sleeps[:] = state.sleeps
        random.setstate(state.random_state)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls of this run."""
        return tuple(self._engine.journal.calls[self._calls_before :])

    @property
    def elapsed_seconds(self) -> float:
        """Virtual seconds since the clock's start."""
        return self._engine.elapsed_seconds

    @contextmanager
    def refusing(self, faults: Sequence[Fault], bounds: Bounds) -> Iterator[list[FaultAt]]:
        """Let faults hit the calls of a run, which ends in ``Livelock`` where it passes the bounds."""
        engine, end_ns = self._engine, self._engine.clock.now_ns() + round(bounds.seconds * NANOSECONDS_PER_SECOND)

        def on_move(now_ns: int) -> None:
            if now_ns > end_ns:
                raise Livelock(f"{bounds.seconds:g} virtual seconds have passed, and no end")

        placed = [self._placed(fault) for fault in faults]
        own = [CallBound(InjectRule(latency_seconds=0), most=bounds.calls, at_the_door=self._note), *placed]
        self._noted = {}
        engine.scripted_rules[:0] = own
        stop = engine.clock.on_move(on_move)
        try:
            yield placed
        finally:
            stop()
            engine.scripted_rules[:] = [rule for rule in engine.scripted_rules if not any(rule is one for one in own)]

    def _placed(self, fault: Fault) -> FaultAt:
        now_ns = self._engine.clock.now_ns
        return FaultAt(
            fault.rule(self._next_number), fault=fault, next_number=self._next_number, now_ns=now_ns, holds=self._holds
        )

    def _note(self) -> int:
        """Remember what is in force for every table at the next call; gives its number."""
        number = self._next_number()
        self._noted[number] = {place: _throughputs(table) for place, table in self._tables().items()}
        return number

    def _next_number(self) -> int:
        return len(self._engine.journal.calls) - self._calls_before + 1

    def contents(self) -> Contents:
        """Give every table with its items, which are never changed in place."""
        return {place: (table, dict(table.items.walk())) for place, table in self._tables().items()}

    def _tables(self) -> dict[tuple[str, str], Table]:
        regions = self._engine.regions.items()
        return {(name, table): region.tables[table] for name, region in regions for table in region.tables}

    def terms_of(self, number: int, region: str, part: Consumption) -> Terms | None:
        """Give what was in force for a table or index at a call of this run; None where there was no such."""
        throughput = self._noted.get(number, {}).get((region, part.table_name), {}).get(part.holder_name)
        if throughput is None:
            return None
        settings = self._engine.settings_for(part.table_name, part.index_name)
        return Terms(throughput, settings, self._engine.limits, part.direction)


def _throughputs(table: Table) -> Throughputs:
    throughputs: dict[str | None, Throughput] = {None: table.throughput}
    throughputs.update((name, index.throughput or table.throughput) for name, index in table.indexes.items())
    throughputs.update(dict.fromkeys(table.vector_indexes, table.throughput))
    return throughputs


@dataclass(slots=True, eq=False, kw_only=True)
class CallBound(ScriptedRule):
    """Sees each call at the door, and ends a run that makes too many."""

    most: int
    at_the_door: Callable[[], int]

    def decide(self, random: random.Random) -> bool:
        """Look at the number of the call that is asking; nothing is done to it."""
        if self.at_the_door() > self.most:
            raise Livelock(f"{self.most} calls were made, and no end")
        return False
