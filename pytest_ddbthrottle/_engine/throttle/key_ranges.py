"""The key ranges of one table or index in one direction: a bucket for each partition key that was touched lately."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from pytest_ddbthrottle._engine.throttle.bucket import BucketSize, TokenBucket

FEWEST_BUCKETS_TO_SWEEP = 64
"""Below this, looking for refilled buckets costs more than it frees."""


@dataclass(slots=True)
class KeyRanges:
    """Buckets made when a key is first charged, and dropped when they have refilled.

    ``untouched`` is the bucket of every key that no request has charged: it earns like the others and is never spent.
    A touched bucket that is full has no more than the untouched one, which then is full too; so nothing is lost with it.
    """

    untouched: TokenBucket
    touched: dict[Hashable, TokenBucket] = field(default_factory=dict)
    _sweep_above: int = FEWEST_BUCKETS_TO_SWEEP

    def bucket(self, partition_key: Hashable) -> TokenBucket:
        """Give the bucket to ask for a key."""
        return self.touched.get(partition_key, self.untouched)

    def charge(self, partition_key: Hashable, nano_units: int, now_ns: int) -> None:
        """Take an amount from a key's bucket."""
        bucket = self.touched.get(partition_key)
        if bucket is None:
            self._sweep(now_ns)
            bucket = self.touched[partition_key] = self.untouched.copy()
        bucket.settle(now_ns)
        bucket.charge(nano_units)

    def scarce(self, now_ns: int) -> dict[Hashable, TokenBucket]:
        """Give the buckets that are not full, settled, by their partition keys; the keys in the order of their use."""
        for bucket in self.touched.values():
            bucket.settle(now_ns)
        return {key: bucket for key, bucket in self.touched.items() if not bucket.is_full}

    def _sweep(self, now_ns: int) -> None:
        """Drop what has refilled, whenever the buckets have doubled: each charge pays a constant share."""
        if len(self.touched) < self._sweep_above:
            return
        self.touched = self.scarce(now_ns)
        self._sweep_above = max(FEWEST_BUCKETS_TO_SWEEP, 2 * len(self.touched))

    def resize(self, size: BucketSize, now_ns: int) -> None:
        """Put another rate in force, for touched and untouched keys alike."""
        for bucket in (self.untouched, *self.touched.values()):
            bucket.resize(size, now_ns)

    def copy(self) -> KeyRanges:
        """Give key ranges of their own with the same balances."""
        touched = {key: bucket.copy() for key, bucket in self.touched.items()}
        return KeyRanges(self.untouched.copy(), touched, self._sweep_above)
