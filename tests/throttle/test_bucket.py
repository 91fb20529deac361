"""The token bucket's arithmetic."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_ddbthrottle._engine.throttle.bucket import BucketSize, TokenBucket

UNIT = SECOND = 10**9
FIVE = BucketSize(5, holds_seconds=300, starts_seconds=1)


def test_a_new_bucket_holds_its_first_second():
    bucket = TokenBucket.start(FIVE, 0)

    assert bucket.balance_nano_units == 5 * UNIT


def test_a_new_bucket_never_starts_with_more_than_it_holds():
    bucket = TokenBucket.start(BucketSize(5, holds_seconds=2, starts_seconds=300), 0)

    assert bucket.balance_nano_units == bucket.holds_nano_units == 10 * UNIT


def test_ten_tenths_of_a_second_are_one_second():
    in_steps, at_once = (TokenBucket(1, 300 * UNIT, 0, 0) for _ in range(2))

    for step in range(1, 11):
        in_steps.settle(step * SECOND // 10)
    at_once.settle(SECOND)

    assert in_steps == at_once
    assert at_once.balance_nano_units == UNIT


def test_a_bucket_keeps_no_more_than_it_holds():
    bucket = TokenBucket.start(FIVE, 0)

    assert bucket.settle(400 * SECOND) == 1500 * UNIT
    assert bucket.is_full


def test_a_positive_balance_admits_any_size():
    bucket = TokenBucket(5, 1500 * UNIT, 1, 0)

    assert bucket.admits(400 * UNIT, 0)


def test_an_overdraw_is_paid_back_before_anything_is_admitted():
    bucket = TokenBucket.start(FIVE, 0)
    bucket.charge(15 * UNIT)

    assert not bucket.admits(1, 2 * SECOND)  # the debt is paid, and nothing is there
    assert bucket.admits(1, 2 * SECOND + 1)


@pytest.mark.parametrize(("asked", "admitted"), [(5 * UNIT, True), (5 * UNIT + 1, False)])
def test_full_cost_wants_the_whole_cost_covered(asked, admitted):
    bucket = TokenBucket.start(FIVE, 0)

    assert bucket.admits(asked, 0, full_cost=True) is admitted


def test_asking_charges_nothing():
    bucket = TokenBucket.start(FIVE, 0)

    bucket.admits(400 * UNIT, 0)

    assert bucket.balance_nano_units == 5 * UNIT


def test_a_clock_that_went_back_gives_nothing_and_counts_on_from_there():
    bucket = TokenBucket(5, 1500 * UNIT, 0, 100 * SECOND)

    assert bucket.settle(40 * SECOND) == 0
    assert bucket.settle(41 * SECOND) == 5 * UNIT


@pytest.mark.parametrize(
    ("balance_units", "new_rate", "scaled_units"),
    [(5, 10, 10), (1500, 10, 3000), (10, 1, 2), (-10, 10, -20), (-10, 1, -2), (0, 7, 0)],
)
def test_a_new_rate_scales_the_balance_and_the_debt(balance_units, new_rate, scaled_units):
    bucket = TokenBucket(5, 1500 * UNIT, balance_units * UNIT, 0)

    bucket.resize(replace(FIVE, rate_units_per_second=new_rate), 0)

    assert bucket.balance_nano_units == scaled_units * UNIT


def test_what_was_earned_at_the_old_rate_is_settled_before_scaling():
    bucket = TokenBucket(5, 1500 * UNIT, 0, 0)

    bucket.resize(replace(FIVE, rate_units_per_second=10), 2 * SECOND)

    assert bucket.balance_nano_units == 20 * UNIT
    assert bucket.settle(3 * SECOND) == 30 * UNIT


def test_a_bucket_that_could_hold_nothing_starts_afresh():
    bucket = TokenBucket.start(BucketSize(0, 300, 1), 0)

    bucket.resize(FIVE, SECOND)

    assert bucket.balance_nano_units == 5 * UNIT


def test_a_copy_has_a_balance_of_its_own():
    bucket = TokenBucket.start(FIVE, 0)

    bucket.copy().charge(UNIT)

    assert bucket.balance_nano_units == 5 * UNIT


@pytest.mark.parametrize("broken", [{"balance_nano_units": 1501 * UNIT}, {"rate_units_per_second": -1}])
def test_the_invariants_notice_a_broken_bucket(broken):
    bucket = replace(TokenBucket.start(FIVE, 0), **broken)

    with pytest.raises(AssertionError):
        bucket.check_invariants()


@given(
    rate=st.integers(1, 10_000),
    asks=st.lists(st.tuples(st.integers(0, 10 * SECOND), st.integers(1, 500 * UNIT)), max_size=40),
)
def test_a_bucket_never_admits_more_than_its_start_its_refill_and_one_overdraw(rate, asks):
    bucket = TokenBucket.start(BucketSize(rate, 300, 1), 0)
    now_ns = admitted = 0

    for pause_ns, asked in asks:
        now_ns += pause_ns
        if bucket.admits(asked, now_ns):
            assert admitted < rate * UNIT + rate * now_ns
            bucket.charge(asked)
            admitted += asked
        bucket.check_invariants()

    assert admitted <= rate * UNIT + rate * now_ns + max((asked for _, asked in asks), default=0)


@given(
    rate=st.integers(1, 10_000),
    asks=st.lists(st.tuples(st.integers(0, 10 * SECOND), st.integers(1, 500 * UNIT)), max_size=40),
)
def test_full_cost_never_admits_more_than_start_and_refill(rate, asks):
    bucket = TokenBucket.start(BucketSize(rate, 300, 1), 0)
    now_ns = admitted = 0

    for pause_ns, asked in asks:
        now_ns += pause_ns
        if bucket.admits(asked, now_ns, full_cost=True):
            bucket.charge(asked)
            admitted += asked
        assert bucket.balance_nano_units >= 0

    assert admitted <= rate * UNIT + rate * now_ns


@given(
    balance=st.integers(-(10**13), 1500 * UNIT),
    rates=st.lists(st.integers(0, 100_000), min_size=1, max_size=6),
)
def test_no_series_of_rates_breaks_a_bucket(balance, rates):
    bucket = TokenBucket(5, 1500 * UNIT, balance, 0)

    for second, rate in enumerate(rates, start=1):
        bucket.resize(BucketSize(rate, 300, 1), second * SECOND)
        bucket.check_invariants()
