"""One table: scope → where it applies, whose rate, which burst, which initial fill."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pytest_ddbthrottle._engine.capacity import BillingMode, Throughput
from pytest_ddbthrottle._engine.limits import (
    NEW_ON_DEMAND_READ_UNITS_PER_SECOND,
    NEW_ON_DEMAND_WRITE_UNITS_PER_SECOND,
    AccountLimits,
)
from pytest_ddbthrottle._engine.throttle.bucket import BucketSize
from pytest_ddbthrottle._engine.throttle.reasons import OperationType, Scope
from pytest_ddbthrottle._engine.throttle.settings import ThrottleSettings

ACCOUNT_BURST_SECONDS = 300
"""Source: Assumed — as a table's; the account aggregate is undocumented beyond its error."""


@dataclass(frozen=True, slots=True)
class Terms:
    """All that decides a bucket's size: what the resource may consume, what the test has set, and in which direction."""

    throughput: Throughput
    settings: ThrottleSettings
    limits: AccountLimits
    direction: OperationType

    @property
    def reads(self) -> bool:
        """Whether these are the terms of the read direction."""
        return self.direction is OperationType.READ

    @property
    def provisioned(self) -> bool:
        """Whether capacity is bought beforehand."""
        return self.throughput.billing_mode is BillingMode.PROVISIONED

    @property
    def cap_units(self) -> int | None:
        """The on-demand cap of this direction; None where it is absent or negative, or the mode is another."""
        return None if self.provisioned else self.throughput.cap_units(self.direction)

    @property
    def uncapped(self) -> bool:
        """Whether this is an on-demand direction without a cap."""
        return not self.provisioned and self.cap_units is None


@dataclass(frozen=True, slots=True)
class ScopeRule:
    """One row of ``SCOPES``."""

    applies: Callable[[Terms], bool]
    rate_units_per_second: Callable[[Terms], int]
    holds_seconds: Callable[[Terms], int]
    starts_seconds: Callable[[Terms], int]

    def size(self, terms: Terms) -> BucketSize:
        """Give the numbers of a bucket under these terms."""
        return BucketSize(self.rate_units_per_second(terms), self.holds_seconds(terms), self.starts_seconds(terms))


def _burst_seconds(terms: Terms) -> int:
    return terms.settings.burst_seconds


def _initial_seconds(terms: Terms) -> int:
    return terms.settings.initial_seconds


def _one_second(_: Terms) -> int:
    return 1


def _quota_units_per_second(terms: Terms) -> int:
    return terms.limits.per_table_max_rcu if terms.reads else terms.limits.per_table_max_wcu


def _unpeaked_units_per_second(terms: Terms) -> int:
    new = NEW_ON_DEMAND_READ_UNITS_PER_SECOND if terms.reads else NEW_ON_DEMAND_WRITE_UNITS_PER_SECOND
    return max(new, terms.throughput.warm_units(terms.direction))


def _partition_units_per_second(terms: Terms) -> int:
    settings = terms.settings
    return settings.partition_read_units_per_second if terms.reads else settings.partition_write_units_per_second


def _account_units_per_second(terms: Terms) -> int | None:
    limits = terms.limits
    return limits.account_read_units_per_second if terms.reads else limits.account_write_units_per_second


SCOPES: Mapping[Scope, ScopeRule] = MappingProxyType(
    {
        Scope.PROVISIONED: ScopeRule(
            lambda terms: terms.provisioned,
            lambda terms: terms.throughput.capacity_units(terms.direction),
            _burst_seconds,
            _initial_seconds,
        ),
        Scope.CAP: ScopeRule(
            lambda terms: terms.cap_units is not None,
            lambda terms: terms.cap_units or 0,
            _burst_seconds,
            _initial_seconds,
        ),
        Scope.QUOTA: ScopeRule(lambda terms: terms.uncapped, _quota_units_per_second, _burst_seconds, _initial_seconds),
        Scope.GROWTH: ScopeRule(lambda terms: terms.uncapped, _unpeaked_units_per_second, _one_second, _one_second),
        Scope.KEY_RANGE: ScopeRule(
            lambda terms: True,
            _partition_units_per_second,
            lambda terms: terms.settings.partition_burst_seconds,
            _one_second,
        ),
        Scope.ACCOUNT: ScopeRule(
            lambda terms: _account_units_per_second(terms) is not None,
            lambda terms: _account_units_per_second(terms) or 0,
            lambda terms: ACCOUNT_BURST_SECONDS,
            _one_second,
        ),
    }
)
"""Whose rate, how much of it is kept, and what there is at first.

The growth row gives the rate before any peak has counted; ``peaks`` doubles those.

Source: Documented — Developer Guide, "Burst and adaptive capacity", "On-demand capacity mode", "Designing partition
keys", "Quotas", read 2026-11-30 (rates, 300 s); Assumed — the initial second, one bucket for the cap and another for the
quota, the key range's hard ceiling, the account's burst.
"""

_NO_TABLE = Throughput(BillingMode.PAY_PER_REQUEST)
_CAPACITY_SCOPES = (Scope.PROVISIONED, Scope.CAP, Scope.QUOTA)


def capacity_scope(terms: Terms) -> Scope:
    """Give the scope of the capacity bucket in force: exactly one of provisioned, cap and quota applies."""
    return next(scope for scope in _CAPACITY_SCOPES if SCOPES[scope].applies(terms))


def account_size(limits: AccountLimits, direction: OperationType) -> BucketSize | None:
    """Give the size of the account's own bucket, or None where the test has set no limit for that direction."""
    terms = Terms(_NO_TABLE, ThrottleSettings(), limits, direction)
    rule = SCOPES[Scope.ACCOUNT]
    return rule.size(terms) if rule.applies(terms) else None
