"""What can hit a call: the causes that its tables can give, and the scripted rule that refuses the k-th call of a run."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from pytest_ddbthrottle._engine.capacity import Consumption
from pytest_ddbthrottle._engine.faults import BATCHES, InjectRule, ScriptedRule
from pytest_ddbthrottle._engine.journal import Call
from pytest_ddbthrottle._engine.request_names import batch_entries
from pytest_ddbthrottle._engine.throttle.reasons import (
    LimitType,
    ResourceType,
    Scope,
    ThrottlingReason,
    throttling_reason,
)
from pytest_ddbthrottle._engine.throttle.replies import scope_of
from pytest_ddbthrottle._engine.throttle.scopes import SCOPES, Terms
from pytest_ddbthrottle._sweep_options import EVERY_CAUSE, LEFTOVERS

TermsOf = Callable[[int, str, Consumption], "Terms | None"]
"""Gives the terms that were in force for a table or index, by the call's number, Region and part; None if unknown."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One refusal of a sweep.

    Attributes:
        number: which call of the run it hits, from 1; those of the control plane count.
        operation: what was sent.
        table: the table that refuses.
        index: the index that refuses, or None.
        reason: the throttling reason, or ``"leftovers"`` where the last entry of a batch is left unprocessed.
    """

    number: int
    operation: str
    table: str
    index: str | None
    reason: str

    @property
    def resource(self) -> str:
        """The table, or ``table/index``."""
        return self.table if self.index is None else f"{self.table}/{self.index}"

    def rule(self, next_number: Callable[[], int]) -> InjectRule:
        """Give the rule that does this; ``next_number`` gives the place in the run of the call that is asking."""
        if self.reason == LEFTOVERS:
            return InjectRule(leftover=1, operation=self.operation)
        return HeldRule(
            reason=self.reason, table=self.table, index=self.index, number=self.number, next_number=next_number
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldRule(InjectRule):
    """Speaks of all that one call asks of a table or index; later of the same partition keys alone."""

    number: int
    next_number: Callable[[], int]
    held: set[Hashable] = field(default_factory=set)

    def matches_part(self, part_: Consumption) -> bool:
        """Tell whether the rule speaks of this part, and keep the keys of the one call."""
        # super() knows no class that slots=True has made anew.
        if not InjectRule.matches_part(self, part_):
            return False
        keys = {key for key, _ in part_.key_ranges}
        if self.next_number() == self.number:
            self.held.update(keys)
        return self.next_number() <= self.number or not self.held or not self.held.isdisjoint(keys)


def faults_of(number: int, call: Call, terms_of: TermsOf, reasons: Sequence[str] | str | None) -> list[Fault]:
    """Give what can hit a call that was carried out.

    Args:
        number: its place in the run.
        call: as the journal has it; one that was charged nothing can't be refused.
        terms_of: what was in force for a table or index when it was made.
        reasons: those of ``SweepOptions``.
    """
    faults = []
    for part in _refusable(call, likeliest=reasons is None):
        terms = terms_of(number, call.region, part)
        if terms is not None:
            possible = [likeliest(part, terms)] if reasons is None else list(causes(part, terms))
            faults += [Fault(number, call.operation, part.table_name, part.holder_name, cause) for cause in possible]
    if call.consumed and call.operation in BATCHES and batch_entries(call.request) > 1:
        faults.append(Fault(number, call.operation, call.consumed[0].table_name, None, LEFTOVERS))
    return [fault for fault in faults if reasons in (None, EVERY_CAUSE) or fault.reason in (reasons or ())]


def _refusable(call: Call, *, likeliest: bool) -> list[Consumption]:
    """Give a part for each table, index and direction; of the likeliest, one for the call, or for a batch's tables."""
    found: dict[tuple[object, ...], Consumption] = {}
    for part in sorted(call.consumed, key=lambda part: part.holder_name is not None):
        found.setdefault((part.table_name, part.holder_name, part.direction), part)
    if not likeliest:
        return list(found.values())
    first: dict[str, Consumption] = {}
    for part in found.values():
        first.setdefault(part.table_name, part)
    return list(first.values()) if call.operation in BATCHES else list(first.values())[:1]


def likeliest(part: Consumption, terms: Terms) -> str:
    """Give the reason that one meets first: bought capacity, the cap, or without a cap a hot key."""
    if terms.provisioned:
        return _reason(part, LimitType.PROVISIONED_THROUGHPUT_EXCEEDED).value
    if terms.cap_units is not None:
        return _reason(part, LimitType.MAX_ON_DEMAND_THROUGHPUT_EXCEEDED).value
    return _reason(part, LimitType.KEY_RANGE_THROUGHPUT_EXCEEDED).value


def causes(part: Consumption, terms: Terms) -> Iterator[str]:
    """Give each reason that a table or index can give under these terms; an account's limit may always be reached."""
    for limit_type in LimitType:
        reason = _reason(part, limit_type)
        try:
            scope = scope_of(reason, terms.throughput.billing_mode)
        except ValueError:
            continue
        if scope is Scope.ACCOUNT or SCOPES[scope].applies(terms):
            yield reason.value


def _reason(part: Consumption, limit_type: LimitType) -> ThrottlingReason:
    resource_type = ResourceType.TABLE if part.holder_name is None else ResourceType.INDEX
    return throttling_reason(resource_type, part.direction, limit_type)


@dataclass(slots=True, eq=False, kw_only=True)
class FaultAt(ScriptedRule):
    """A fault in force: it hits the call with its number, and holds for the same keys until time has passed.

    Args:
        fault: the refusal.
        next_number: gives the place in the run of the call that is asking.
        now_ns: gives the instant.
        holds: whether the same keys are refused again while the clock stands still; leftovers come once.
    """

    fault: Fault
    next_number: Callable[[], int]
    now_ns: Callable[[], int]
    holds: bool
    fired_at_ns: int | None = None

    def decide(self, random: Random) -> bool:
        """Tell whether this call is hit."""
        if self.fired_at_ns is None:
            fires = self.next_number() == self.fault.number
        else:
            fires = self.holds and self.fault.reason != LEFTOVERS and self.now_ns() == self.fired_at_ns
        if fires:
            self.fired_at_ns, self.has_fired = self.now_ns(), True
        return fires
