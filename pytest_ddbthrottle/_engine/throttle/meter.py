"""The meter of one table or index in one direction: its buckets, in the order in which they are asked."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from pytest_ddbthrottle._engine.throttle.bucket import BucketSize, TokenBucket
from pytest_ddbthrottle._engine.throttle.key_ranges import KeyRanges
from pytest_ddbthrottle._engine.throttle.peaks import Peaks
from pytest_ddbthrottle._engine.throttle.reasons import Scope
from pytest_ddbthrottle._engine.throttle.scopes import SCOPES, Terms, capacity_scope


class Question(NamedTuple):
    """What one bucket was asked: how much, and for which partition key where the bucket is a key range's."""

    scope: Scope
    bucket: TokenBucket
    asked_nano_units: int
    partition_key: Hashable | None = None


@dataclass(slots=True)
class Meter:
    """The buckets behind one table or index in one direction.

    ``growth`` is None where it does not apply: provisioned, or capped. The peaks outlive a change of mode: the
    partitions that they made are not merged.
    """

    terms: Terms
    capacity_scope: Scope
    capacity: TokenBucket
    growth: TokenBucket | None
    key_ranges: KeyRanges
    peaks: Peaks = field(default_factory=Peaks)

    @classmethod
    def start(cls, terms: Terms, now_ns: int) -> Meter:
        """Give the meter of something new, with what its buckets start with."""
        scope, growth = capacity_scope(terms), SCOPES[Scope.GROWTH]
        return cls(
            terms,
            scope,
            TokenBucket.start(SCOPES[scope].size(terms), now_ns),
            TokenBucket.start(growth.size(terms), now_ns) if growth.applies(terms) else None,
            KeyRanges(TokenBucket.start(SCOPES[Scope.KEY_RANGE].size(terms), now_ns)),
        )

    def agree(self, terms: Terms, now_ns: int) -> None:
        """Put other terms in force: settle at the old rates, then scale the balances.

        The capacity bucket is one and the same in both billing modes, so that a switch inherits its balance in
        proportion; a growth bucket that begins to apply starts afresh.
        """
        self.terms, self.capacity_scope = terms, capacity_scope(terms)
        self.capacity.resize(SCOPES[self.capacity_scope].size(terms), now_ns)
        self.key_ranges.resize(SCOPES[Scope.KEY_RANGE].size(terms), now_ns)
        if not SCOPES[Scope.GROWTH].applies(terms):
            self.growth = None
        elif self.growth is None:
            self.growth = TokenBucket.start(self._growth_size(), now_ns)
        else:
            self.growth.resize(self._growth_size(), now_ns)

    def _growth_size(self) -> BucketSize:
        size = SCOPES[Scope.GROWTH].size(self.terms)
        rate = max(size.rate_units_per_second, 2 * self.peaks.counted_units_per_second)
        return BucketSize(rate, size.holds_seconds, size.starts_seconds)

    def _grow(self, now_ns: int) -> None:
        """Let peaks that have become old enough raise the growth bucket."""
        if self.peaks.count(now_ns) and self.growth is not None:
            # It holds one second before and after, so scaling now is the same as at the instant since when they count.
            self.growth.resize(self._growth_size(), now_ns)

    def refusing(self, nano_units: int, by_key: Mapping[Hashable, int], now_ns: int) -> Question | None:
        """Ask each bucket for a request: capacity, growth, then the key ranges; gives the first that says no, if one does.

        Args:
            nano_units: the cost of the request here.
            by_key: the part of it that falls on each partition key.
            now_ns: the instant.
        """
        full_cost = self.terms.settings.full_cost
        if not self.capacity.admits(nano_units, now_ns, full_cost=full_cost):
            return Question(self.capacity_scope, self.capacity, nano_units)
        if self.growth is not None:
            self._grow(now_ns)
            if not self.growth.admits(nano_units, now_ns, full_cost=full_cost):
                return Question(Scope.GROWTH, self.growth, nano_units)
        for partition_key, key_nano_units in by_key.items():
            bucket = self.key_ranges.bucket(partition_key)
            if not bucket.admits(key_nano_units, now_ns, full_cost=full_cost):
                return Question(Scope.KEY_RANGE, bucket, key_nano_units, partition_key)
        return None

    def charge(self, nano_units: int, by_key: Mapping[Hashable, int], now_ns: int) -> None:
        """Take the cost of a request from every bucket."""
        self.capacity.settle(now_ns)
        self.capacity.charge(nano_units)
        if self.growth is not None:
            self._grow(now_ns)
            self.growth.settle(now_ns)
            self.growth.charge(nano_units)
            self.peaks.record(nano_units, self.growth.rate_units_per_second, now_ns)
        for partition_key, key_nano_units in by_key.items():
            self.key_ranges.charge(partition_key, key_nano_units, now_ns)

    def capacity_buckets(self, now_ns: int) -> list[TokenBucket]:
        """Give the settled buckets that say how much capacity is left, the scarcest first; key ranges are apart."""
        self._grow(now_ns)
        buckets = [self.capacity] if self.growth is None else [self.capacity, self.growth]
        return sorted(buckets, key=lambda bucket: bucket.settle(now_ns))

    def copy(self) -> Meter:
        """Give a meter of its own with the same balances."""
        growth = None if self.growth is None else self.growth.copy()
        return Meter(
            self.terms,
            self.capacity_scope,
            self.capacity.copy(),
            growth,
            self.key_ranges.copy(),
            self.peaks.copy(),
        )

    def check_invariants(self) -> None:
        """Assert that every bucket is sound and has the size that the terms give it.

        Raises:
            AssertionError: with the bucket's numbers.
        """
        assert self.capacity_scope is capacity_scope(self.terms), self.terms
        rule = SCOPES[self.capacity_scope]
        assert self.capacity.holds_nano_units == rule.size(self.terms).holds_nano_units, self.capacity
        assert (self.growth is not None) == SCOPES[Scope.GROWTH].applies(self.terms), self.terms
        ranges = self.key_ranges
        for bucket in (self.capacity, *([self.growth] if self.growth else []), *ranges.touched.values()):
            bucket.check_invariants()
        for bucket in ranges.touched.values():
            assert bucket.holds_nano_units == ranges.untouched.holds_nano_units, bucket
