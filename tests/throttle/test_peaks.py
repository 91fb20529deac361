"""Peaks: taken over whole seconds, and counting after thirty minutes."""

from __future__ import annotations

import pytest

from pytest_ddbthrottle._engine.throttle.peaks import Peaks

UNIT = SECOND = 10**9


def counted(consumed: list[tuple[float, int]], at: float, rate: int = 4_000) -> int:
    """The peak that counts at an instant, after consumption of so many units at so many seconds."""
    peaks = Peaks()
    for second, units in consumed:
        peaks.record(units * UNIT, rate, round(second * SECOND))
    peaks.count(round(at * SECOND))
    return peaks.counted_units_per_second


@pytest.mark.parametrize(
    ("consumed", "at", "peak"),
    [
        pytest.param([(0, 3_000)], 1800, 0, id="a second before its thirty minutes are over"),
        pytest.param([(0, 3_000)], 1801, 3_000, id="thirty minutes after the second ended"),
        pytest.param([(0, 1_500), (0.5, 1_500)], 1801, 3_000, id="one second is summed"),
        pytest.param([(0, 1_500), (1, 1_500)], 1802, 0, id="two seconds are not"),
        pytest.param([(0, 2_000)], 1801, 0, id="half of the rate raises nothing"),
        pytest.param([(0, 9_000)], 1801, 4_000, id="an overdraw counts for the rate alone"),
        pytest.param([(0, 3_000), (60, 4_000)], 1801, 3_000, id="each peak waits for itself"),
        pytest.param([(0, 3_000), (60, 4_000)], 1861, 4_000, id="then the higher one counts"),
        pytest.param([(0, 4_000), (60, 3_000)], 9_999, 4_000, id="a lower one takes nothing back"),
        pytest.param([], 1801, 0, id="nothing, no peak"),
    ],
)
def test_a_peak_counts_when_it_is_thirty_minutes_old(consumed, at, peak):
    assert counted(consumed, at) == peak


def test_a_clock_that_went_back_takes_no_peak_away():
    peaks = Peaks()
    for second, units in [(100, 3_000), (50, 4_000), (51, 0)]:
        peaks.record(units * UNIT, 4_000, second * SECOND)

    counted_at = {}
    for at in (1_851, 1_901):
        peaks.count(at * SECOND)
        counted_at[at] = peaks.counted_units_per_second

    assert counted_at == {1_851: 4_000, 1_901: 4_000}


def test_a_copy_waits_on_its_own():
    peaks = Peaks()
    peaks.record(3_000 * UNIT, 4_000, 0)
    copy = peaks.copy()

    copy.count(1801 * SECOND)

    assert (copy.counted_units_per_second, peaks.counted_units_per_second) == (3_000, 0)
