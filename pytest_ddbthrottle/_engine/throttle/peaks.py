"""The peaks of an on-demand table or index: what it served in one second, and when that begins to count."""

from __future__ import annotations

from dataclasses import dataclass, field

from pytest_ddbthrottle._engine.limits import GROWTH_PEAK_SECONDS
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._engine.throttle.bucket import NANO_UNITS_PER_UNIT


@dataclass(slots=True)
class Peaks:
    """What was consumed in the running second, the peaks that wait for their 30 minutes, and the highest that counts.

    Only a second above half of the rate can raise anything; so the peaks that wait are in rising order. A second counts
    for no more than the rate then in force: what a bucket let through beyond it was saved before.

    Source: Documented — Developer Guide, "On-demand capacity mode", read 2026-11-30 (twice the previous peak, 30
    minutes); Assumed — peaks are taken over whole seconds of the clock, and never fade.
    """

    counted_units_per_second: int = 0
    waiting: list[tuple[int, int]] = field(default_factory=list)
    _second: int = 0
    _nano_units: int = 0
    _rate_units_per_second: int = 0

    def record(self, nano_units: int, rate_units_per_second: int, now_ns: int) -> None:
        """Note what was consumed under a growth rate of so much."""
        second = now_ns // NANOSECONDS_PER_SECOND
        if second != self._second:
            self._close()
            self._second = second
        self._nano_units += nano_units
        self._rate_units_per_second = rate_units_per_second

    def _close(self) -> None:
        units = min(self._nano_units // NANO_UNITS_PER_UNIT, self._rate_units_per_second)
        self._nano_units = 0
        highest = self.waiting[-1][1] if self.waiting else self._rate_units_per_second // 2
        if units > highest:
            counts_ns = (self._second + 1 + GROWTH_PEAK_SECONDS) * NANOSECONDS_PER_SECOND
            self.waiting.append((counts_ns, units))

    def count(self, now_ns: int) -> bool:
        """Let the peaks that are old enough count; tells whether one did."""
        if self._nano_units and now_ns // NANOSECONDS_PER_SECOND != self._second:
            self._close()
        if not self.waiting:
            return False
        old_enough = [units for counts_ns, units in self.waiting if counts_ns <= now_ns]
        if not old_enough:
            return False
        self.waiting = [peak for peak in self.waiting if peak[0] > now_ns]
        self.counted_units_per_second = max(old_enough[-1], self.counted_units_per_second)
        return True

    def copy(self) -> Peaks:
        """Give peaks of their own with the same content."""
        return Peaks(
            self.counted_units_per_second,
            list(self.waiting),
            self._second,
            self._nano_units,
            self._rate_units_per_second,
        )
