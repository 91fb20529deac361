"""Key ranges: made late, dropped when full, and nothing lost with them."""

from __future__ import annotations

import pytest

from pytest_ddbthrottle._engine.throttle.bucket import BucketSize, TokenBucket
from pytest_ddbthrottle._engine.throttle.key_ranges import FEWEST_BUCKETS_TO_SWEEP, KeyRanges

UNIT = SECOND = 10**9


@pytest.fixture
def ranges() -> KeyRanges:
    return KeyRanges(TokenBucket.start(BucketSize(10, holds_seconds=1, starts_seconds=1), 0))


def test_a_charge_touches_one_key_alone(ranges):
    ranges.charge("a", 4 * UNIT, 0)

    assert ranges.bucket("a").balance_nano_units == 6 * UNIT
    assert ranges.bucket("b").balance_nano_units == 10 * UNIT


def test_asking_makes_no_bucket(ranges):
    ranges.bucket("a")

    assert not ranges.touched


def test_refilled_buckets_are_dropped_so_that_memory_stays_bounded(ranges):
    for second in range(1_000):
        for key in range(10):
            ranges.charge((second, key), 10 * UNIT, second * SECOND)

    assert len(ranges.touched) <= FEWEST_BUCKETS_TO_SWEEP


def test_keys_in_use_are_all_kept(ranges):
    for key in range(1_000):
        ranges.charge(key, 10 * UNIT, 0)

    assert all(ranges.bucket(key).balance_nano_units == 0 for key in range(1_000))


def test_an_untouched_key_has_saved_as_long_as_its_table_exists():
    ranges = KeyRanges(TokenBucket.start(BucketSize(10, holds_seconds=300, starts_seconds=1), 0))

    ranges.charge("a", UNIT, 5 * SECOND)

    assert ranges.bucket("a").balance_nano_units == 59 * UNIT


def test_a_new_rate_holds_for_touched_and_untouched_keys(ranges):
    ranges.charge("a", 5 * UNIT, 0)

    ranges.resize(BucketSize(20, 1, 1), 0)

    assert ranges.bucket("a").balance_nano_units == 10 * UNIT
    assert ranges.bucket("b").balance_nano_units == 20 * UNIT


def test_a_copy_has_balances_of_its_own(ranges):
    ranges.charge("a", UNIT, 0)
    copy = ranges.copy()

    copy.charge("a", UNIT, 0)

    assert ranges.bucket("a").balance_nano_units == 9 * UNIT
