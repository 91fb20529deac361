"""What one request wants of one table or index in one direction, and the refusal if it can't have it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from pytest_ddbthrottle._engine.capacity import Consumption
from pytest_ddbthrottle._engine.throttle.meter import Meter, Question
from pytest_ddbthrottle._engine.throttle.reasons import OperationType, Scope
from pytest_ddbthrottle._engine.throttle.refusal import Refusal


@dataclass(slots=True)
class Ask:
    """The sum of a request's consumptions of one table or index in one direction.

    Args:
        meter: the buckets to be asked.
        arn: of the table or index.
    """

    meter: Meter
    arn: str
    parts: list[Consumption] = field(default_factory=list)
    nano_units: int = 0
    by_key: dict[Hashable, int] = field(default_factory=dict)

    def add(self, part: Consumption) -> None:
        """Add one consumption."""
        self.parts.append(part)
        self.nano_units += part.nano_units
        for partition_key, nano_units in part.key_ranges:
            if nano_units:
                self.by_key[partition_key] = self.by_key.get(partition_key, 0) + nano_units

    def refused_part(self, question: Question) -> Consumption:
        """Give the consumption that is to blame: the first that the bucket's balance does not reach."""
        left = max(0, question.bucket.balance_nano_units)
        for part in self.parts[:-1]:
            left -= _asked(part, question)
            if left < 0:
                return part
        return self.parts[-1]

    def refusal(self, question: Question, now_ns: int) -> Refusal:
        """Give the journal's view of a bucket's no."""
        part = self.parts[0]
        return Refusal(
            scope=question.scope,
            billing_mode=self.meter.terms.throughput.billing_mode,
            direction=part.direction,
            table_name=part.table_name,
            index_name=part.index_name,
            resource=self.arn,
            asked_nano_units=question.asked_nano_units,
            left_nano_units=question.bucket.balance_nano_units,
            rate_units_per_second=question.bucket.rate_units_per_second,
            at_ns=now_ns,
            partition_key=question.partition_key,
        )


def _asked(part: Consumption, question: Question) -> int:
    if question.scope is not Scope.KEY_RANGE:
        return part.nano_units
    return sum(nano_units for partition_key, nano_units in part.key_ranges if partition_key == question.partition_key)


def in_order(asks: Iterable[Ask]) -> list[Ask]:
    """Give asks in the order of asking: reads, then writes; tables as first named; a table, then its indexes by name.

    Source: Assumed — the order is undocumented; a public implementation reads before it writes.
    """
    ordered = list(asks)
    if len(ordered) == 1:
        return ordered
    tables = {ask.parts[0].table_name: 0 for ask in ordered}
    place = {name: number for number, name in enumerate(tables)}
    return sorted(ordered, key=lambda ask: _rank(ask.parts[0], place[ask.parts[0].table_name]))


def _rank(part: Consumption, table_place: int) -> tuple[bool, int, str]:
    return part.direction is OperationType.WRITE, table_place, part.index_name or ""
