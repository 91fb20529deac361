"""The token bucket: integers in, integers out. It neither reads a clock nor knows whose it is."""

from __future__ import annotations

from dataclasses import dataclass

NANO_UNITS_PER_UNIT = 1_000_000_000
"""Also nanoseconds to the second, so that units per second times nanoseconds is nano-units."""


@dataclass(frozen=True, slots=True)
class BucketSize:
    """The three numbers of a bucket: its rate, and how many seconds of it the bucket holds and starts with."""

    rate_units_per_second: int
    holds_seconds: int
    starts_seconds: int

    @property
    def holds_nano_units(self) -> int:
        """The most that the bucket can hold."""
        return self.rate_units_per_second * self.holds_seconds * NANO_UNITS_PER_UNIT

    @property
    def starts_nano_units(self) -> int:
        """What a new bucket holds; never more than it can."""
        return self.rate_units_per_second * min(self.starts_seconds, self.holds_seconds) * NANO_UNITS_PER_UNIT


@dataclass(slots=True)
class TokenBucket:
    """A balance that refills with time, up to what the bucket holds.

    With a positive balance the bucket admits a request of any size and may go below zero; it then refuses until it has
    been refilled above zero. All amounts are nano-units.

    Args:
        rate_units_per_second: the refill; at the same time nano-units per nanosecond.
        holds_nano_units: the most that it keeps.
        balance_nano_units: what it has; negative for a debt.
        settled_ns: the instant up to which the refill is in the balance.

    >>> bucket = TokenBucket.start(BucketSize(5, holds_seconds=300, starts_seconds=1), now_ns=0)
    >>> bucket.charge(6_000_000_000)
    >>> bucket.admits(1, now_ns=200_000_000), bucket.admits(1, now_ns=200_000_001)
    (False, True)

    Source: Documented — Developer Guide, "Burst and adaptive capacity", read 2026-11-30 (unused capacity is kept);
    Assumed — the overdraw, ``docs/model.md``.
    """

    rate_units_per_second: int
    holds_nano_units: int
    balance_nano_units: int
    settled_ns: int

    @classmethod
    def start(cls, size: BucketSize, now_ns: int) -> TokenBucket:
        """Give a new bucket, with what a bucket of that size starts with."""
        return cls(size.rate_units_per_second, size.holds_nano_units, size.starts_nano_units, now_ns)

    def settle(self, now_ns: int) -> int:
        """Add what was earned since the last settlement.

        A clock that went back gives nothing and takes nothing: the bucket counts on from the earlier instant.

        Returns:
            The balance, in nano-units.
        """
        elapsed_ns = now_ns - self.settled_ns
        if elapsed_ns > 0:
            earned = self.balance_nano_units + self.rate_units_per_second * elapsed_ns
            self.balance_nano_units = min(self.holds_nano_units, earned)
        self.settled_ns = now_ns
        return self.balance_nano_units

    def admits(self, asked_nano_units: int, now_ns: int, *, full_cost: bool = False) -> bool:
        """Tell whether the bucket admits a request; nothing is charged.

        Args:
            asked_nano_units: what the request costs.
            now_ns: the instant.
            full_cost: whether the balance must cover the whole cost, instead of being positive.
        """
        balance = self.settle(now_ns)
        return balance >= asked_nano_units if full_cost else balance > 0

    def charge(self, nano_units: int) -> None:
        """Take an amount from the balance as last settled, below zero if need be."""
        self.balance_nano_units -= nano_units

    def resize(self, size: BucketSize, now_ns: int) -> None:
        """Settle what was earned at the old rate, then scale the balance to what the bucket will hold.

        A debt scales as well. A bucket that could hold nothing comes back with what a new one starts with.

        Source: Observed — a public implementation's throttle manager scales so, read 2026-11-30; Assumed of AWS.
        """
        balance = self.settle(now_ns)
        held, holds = self.holds_nano_units, size.holds_nano_units
        self.balance_nano_units = min(holds, balance * holds // held) if held else size.starts_nano_units
        self.rate_units_per_second, self.holds_nano_units = size.rate_units_per_second, holds

    @property
    def is_full(self) -> bool:
        """Whether the bucket, as last settled, holds all that it can."""
        return self.balance_nano_units == self.holds_nano_units

    def copy(self) -> TokenBucket:
        """Give a bucket of its own with the same numbers."""
        return TokenBucket(self.rate_units_per_second, self.holds_nano_units, self.balance_nano_units, self.settled_ns)

    def check_invariants(self) -> None:
        """Assert what always holds: nothing negative but a debt, and never more than the bucket holds.

        Raises:
            AssertionError: with the bucket's numbers.
        """
        assert self.rate_units_per_second >= 0, self
        assert self.holds_nano_units >= 0, self
        assert self.balance_nano_units <= self.holds_nano_units, self
