"""What a table remembers beside its items: its settings, and when its throughput was changed.

All of it is frozen, so that a snapshot can share it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pytest_ddbthrottle._engine.capacity import BillingMode, Throughput
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_DAY


@dataclass(frozen=True, slots=True)
class ThroughputHistory:
    """When the throughput of a table or index was changed, and what the application asked for.

    Attributes:
        asked: the application's own word, whatever a rule of the test puts in force; None for what no request made.
        last_increase_ns: instant of the last increase of provisioned capacity, or None.
        last_decrease_ns: instant of the last decrease, or None.
        decreases_on_last_day: decreases in the UTC day of ``last_decrease_ns``.
        own_word: whether the application has changed it since the test last put rules in force.
        overruled: the rules of the test that such a change came after: they say nothing of its capacity any more.
    """

    asked: Throughput | None = None
    last_increase_ns: int | None = None
    last_decrease_ns: int | None = None
    decreases_on_last_day: int = 0
    own_word: bool = False
    overruled: tuple[object, ...] = ()

    def decreases_today(self, now_ns: int) -> int:
        """Give how often provisioned capacity was decreased in the present UTC day.

        >>> ThroughputHistory(last_decrease_ns=86_399 * 10**9, decreases_on_last_day=4).decreases_today(86_400 * 10**9)
        0

        Source: Observed — a public lab's notes of 2026-10-08, us-west-2: the count starts again at 00:00 UTC.
        """
        if (
            self.last_decrease_ns is None
            or self.last_decrease_ns // NANOSECONDS_PER_DAY != now_ns // NANOSECONDS_PER_DAY
        ):
            return 0
        return self.decreases_on_last_day

    def changed(self, before: Throughput, after: Throughput, now_ns: int) -> ThroughputHistory:
        """Give the history after a change, which counts as a decrease, an increase, or neither."""
        own_word = self.own_word or _apart_from_warmth(before) != _apart_from_warmth(after)
        history = replace(self, asked=asked_after(self.asked or before, before, after), own_word=own_word)
        if is_decrease(before, after):
            count = self.decreases_today(now_ns) + 1
            return replace(history, last_decrease_ns=now_ns, decreases_on_last_day=count)
        return replace(history, last_increase_ns=now_ns) if _is_increase(before, after) else history


def is_decrease(before: Throughput, after: Throughput) -> bool:
    """Tell whether a change lowers provisioned capacity in either direction.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2: down in one direction and up in the other is one.
    """
    stays = before.billing_mode is after.billing_mode is BillingMode.PROVISIONED
    return stays and (
        after.read_capacity_units < before.read_capacity_units
        or after.write_capacity_units < before.write_capacity_units
    )


def _is_increase(before: Throughput, after: Throughput) -> bool:
    stays = before.billing_mode is after.billing_mode is BillingMode.PROVISIONED
    return stays and _provisioned(before) != _provisioned(after)


def _provisioned(throughput: Throughput) -> tuple[BillingMode, int, int]:
    return throughput.billing_mode, throughput.read_capacity_units, throughput.write_capacity_units


def _apart_from_warmth(throughput: Throughput) -> Throughput:
    return replace(throughput, warm_read_units_per_second=0, warm_write_units_per_second=0)


def asked_after(asked: Throughput, before: Throughput, after: Throughput) -> Throughput:
    """Give what the application has asked for once it has changed what was in force.

    A change of mode or capacity is its own word; other changes leave it what it asked of capacity.
    """
    if _provisioned(before) != _provisioned(after):
        return after
    return replace(
        asked,
        max_read_request_units=after.max_read_request_units,
        max_write_request_units=after.max_write_request_units,
        warm_read_units_per_second=max(asked.warm_read_units_per_second, after.warm_read_units_per_second),
        warm_write_units_per_second=max(asked.warm_write_units_per_second, after.warm_write_units_per_second),
    )


@dataclass(frozen=True, slots=True)
class ResourcePolicy:
    """A table's resource policy, or what is left of one that was deleted: its instant, and that one was there.

    Attributes:
        text: the document as it is read back; None once it is deleted.
        revision_id: rises with each change.
        changed_ns: instant of the change.
    """

    text: str | None
    revision_id: int
    changed_ns: int


@dataclass(frozen=True, slots=True)
class Encryption:
    """Whose key a table is encrypted with.

    Attributes:
        key_arn: None for DynamoDB's own.
        key_arn_before: the key before the last change.
        changes_ns: instants of its changes, CreateTable aside.
        until_ns: when the last change is done.
    """

    key_arn: str | None = None
    key_arn_before: str | None = None
    changes_ns: tuple[int, ...] = ()
    until_ns: int = 0


@dataclass(frozen=True, slots=True)
class TimeToLive:
    """Which attribute says when an item expires, and how far expired items have been deleted.

    Attributes:
        attribute_name: None while items don't expire.
        changed_ns: when it was last enabled or disabled; None if it never was.
        swept_ns: instant of the last pass that deleted what had expired; before the first one, when it was enabled.
    """

    attribute_name: str | None = None
    changed_ns: int | None = None
    swept_ns: int = 0


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What Describe shows of a table that no item depends on, and the instants that quotas count.

    Attributes:
        attribute_types: type by name, of the key attributes of the table and its indexes.
        deletion_protection: whether DeleteTable is refused.
        tags: value by key.
        table_class: None until one is named.
        table_class_changes_ns: instants of its changes.
        last_on_demand_ns: when the table was last made on-demand; None if it never was.
        on_demand_switches_ns: instants of switches from provisioned to on-demand.
        protection_changed_ns: when the deletion protection was last set by UpdateTable.
        encryption: whose key it is encrypted with.
        tags_changed_ns: when the tags were last changed, CreateTable aside.
        policy: the resource policy; None if the table never had one.
        time_to_live: which attribute says when an item expires.
    """

    attribute_types: Mapping[str, str] = field(default_factory=dict)
    deletion_protection: bool = False
    tags: Mapping[str, str] = field(default_factory=dict)
    table_class: str | None = None
    table_class_changes_ns: tuple[int, ...] = ()
    last_on_demand_ns: int | None = None
    on_demand_switches_ns: tuple[int, ...] = ()
    protection_changed_ns: int | None = None
    tags_changed_ns: int | None = None
    policy: ResourcePolicy | None = None
    encryption: Encryption = field(default_factory=Encryption)
    time_to_live: TimeToLive = field(default_factory=TimeToLive)
