"""What rules make of a table's throughput and of its indexes': told apart from putting it in force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pytest_ddbthrottle._engine.capacity import BillingMode, Throughput
from pytest_ddbthrottle._engine.operations.create_table import mixed_modes
from pytest_ddbthrottle._engine.table_settings import ThroughputHistory
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table
from pytest_ddbthrottle._engine.throttle.rule import ThrottleRule, rule_for


@dataclass(frozen=True, slots=True)
class RuledHolder:
    """A table or an index, and the throughput that rules give it."""

    holder: Table | SecondaryIndex
    history: ThroughputHistory
    throughput: Throughput

    def put_in_force(self) -> None:
        """Give the holder its throughput; a change on its way that the rules leave alone takes its time."""
        holder = self.holder
        holder.history = self.history
        pending = holder.pending
        if pending is None or pending.throughput != self.throughput:
            holder.throughput = self.throughput
            holder.pending = pending and replace(pending, throughput=None)


def ruled_holders(
    table: Table, rules: Sequence[ThrottleRule], *, held: Sequence[ThrottleRule], brings_new: bool
) -> list[RuledHolder]:
    """Give what rules make of a table and of its global indexes.

    Args:
        table: it.
        rules: those to come, from the farthest to the closest.
        held: those in force until now: an UpdateTable since then is the application's own word, and overrules them.
        brings_new: whether any of the rules is new.

    Raises:
        ValueError: a new rule gives an index another billing mode than its table's.
    """
    ruled = [_ruled(table.name, None, table, rules, held)]
    of_table = ruled[0].throughput
    for name, index in table.global_indexes.items():
        ruled.append(_ruled(table.name, name, index, rules, held))
        given = ruled[-1].throughput
        if brings_new and given.billing_mode is not of_table.billing_mode:
            raise ValueError(mixed_modes(table.name, name, given, of_table))
    return ruled


def _ruled(
    table_name: str,
    index_name: str | None,
    holder: Table | SecondaryIndex,
    rules: Sequence[ThrottleRule],
    held: Sequence[ThrottleRule],
) -> RuledHolder:
    history = holder.history
    if history.own_word:
        history = replace(history, own_word=False, overruled=(*history.overruled, *held))
    live = [rule for rule in rules if not any(rule is overruled for overruled in history.overruled)]
    asked = history.asked or holder.throughput or Throughput(BillingMode.PAY_PER_REQUEST)
    return RuledHolder(holder, history, rule_for(live, table_name, index_name).throughput(asked))
