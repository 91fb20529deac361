"""Timelines: at t, so many times n units, admitted or the reason. The model's numbers are pinned here."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_ddbthrottle._engine.capacity import BillingMode, Throughput
from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.throttle.settings import ThrottleSettings

ADMITTED = "admitted"
FULL = "TableWriteProvisionedThroughputExceeded"
CAP = "TableWriteMaxOnDemandThroughputExceeded"
HOT = "TableWriteKeyRangeThroughputExceeded"
QUOTA = "TableWriteAccountLimitExceeded"

FIVE = Throughput(BillingMode.PROVISIONED, 5, 5)
PLENTY = Throughput(BillingMode.PROVISIONED, 40_000, 40_000)
ON_DEMAND = Throughput(BillingMode.PAY_PER_REQUEST)
CAPPED_AT_TWO = Throughput(BillingMode.PAY_PER_REQUEST, max_write_request_units=2)
WARM = Throughput(BillingMode.PAY_PER_REQUEST, warm_write_units_per_second=9_000)

# (throughput, settings, timeline); a step of a timeline: at t seconds, times, units each, outcome of each
WRITES = {
    "five units admit five writes, then five a second": (
        FIVE,
        {},
        [
            (0, 5, 1, ADMITTED),
            (0, 3, 1, FULL),
            (1, 5, 1, ADMITTED),
            (1, 1, 1, FULL),
            (2, 5, 1, ADMITTED),
            (2, 1, 1, FULL),
        ],
    ),
    "400 idle seconds save 300 seconds' worth": (FIVE, {}, [(400, 1_500, 1, ADMITTED), (400, 1, 1, FULL)]),
    "what is saved adds to the first second": (FIVE, {}, [(10, 55, 1, ADMITTED), (10, 1, 1, FULL)]),
    "refusals cost nothing": (FIVE, {}, [(0, 5, 1, ADMITTED), (0, 100, 1, FULL), (1, 5, 1, ADMITTED), (1, 1, 1, FULL)]),
    "a fifth of a second is one unit": (
        FIVE,
        {},
        [(0, 5, 1, ADMITTED), (0.2, 1, 1, ADMITTED), (0.2, 1, 1, FULL), (0.4, 1, 1, ADMITTED), (0.4, 1, 1, FULL)],
    ),
    "any fraction of a unit admits": (FIVE, {}, [(0, 5, 1, ADMITTED), (0, 1, 1, FULL), (0.000000001, 1, 1, ADMITTED)]),
    "a fresh table takes one write of 400": (
        FIVE,
        {},
        [(0, 1, 400, ADMITTED), (0, 1, 1, FULL), (79, 1, 1, FULL), (79.1, 1, 1, ADMITTED)],
    ),
    "full cost takes no write that the balance doesn't cover": (
        FIVE,
        {"admission": "full_cost"},
        [(0, 1, 6, FULL), (0, 1, 5, ADMITTED), (0, 1, 1, FULL), (0.9, 1, 5, FULL), (1, 1, 5, ADMITTED)],
    ),
    "a table that starts with nothing waits for its first unit": (
        FIVE,
        {"initial_seconds": 0},
        [(0, 1, 1, FULL), (0.2, 1, 1, ADMITTED)],
    ),
    "a table may start with its full burst": (
        FIVE,
        {"initial_seconds": 300},
        [(0, 1_500, 1, ADMITTED), (0, 1, 1, FULL)],
    ),
    "a burst of two seconds keeps no more": (FIVE, {"burst_seconds": 2}, [(400, 10, 1, ADMITTED), (400, 1, 1, FULL)]),
    "a cap counts like capacity": (
        CAPPED_AT_TWO,
        {},
        [(0, 2, 1, ADMITTED), (0, 1, 1, CAP), (1, 2, 1, ADMITTED), (1, 1, 1, CAP)],
    ),
    "a cap saves its burst": (CAPPED_AT_TWO, {}, [(1_000, 600, 1, ADMITTED), (1_000, 1, 1, CAP)]),
    "a new on-demand table takes 4,000 writes a second": (
        ON_DEMAND,
        {},
        [(0, 4, 1_000, ADMITTED), (0, 1, 1, HOT), (1, 4, 1_000, ADMITTED), (1, 1, 1, HOT)],
    ),
    "growth saves no burst": (ON_DEMAND, {}, [(1_000, 4, 1_000, ADMITTED), (1_000, 1, 1, HOT)]),
    "warm throughput raises the ceiling": (WARM, {}, [(0, 9, 1_000, ADMITTED), (0, 1, 1, HOT)]),
    "twice the peak is served 30 minutes after it": (
        ON_DEMAND,
        {},
        [
            (0, 3, 1_000, ADMITTED),
            (1_800, 4, 1_000, ADMITTED),
            (1_800, 1, 1, HOT),
            (1_801, 6, 1_000, ADMITTED),
            (1_801, 1, 1, HOT),
        ],
    ),
    "twice the peak is there for the first request after it": (
        ON_DEMAND,
        {"admission": "full_cost"},
        [(0, 1, 4_001, HOT), (0, 1, 3_000, ADMITTED), (1_801, 1, 6_001, HOT), (1_801, 1, 6_000, ADMITTED)],
    ),
    "peaks double again": (
        ON_DEMAND,
        {},
        [
            (0, 4, 1_000, ADMITTED),
            (1_801, 8, 1_000, ADMITTED),
            (1_801, 1, 1, HOT),
            (3_602, 16, 1_000, ADMITTED),
            (3_602, 1, 1, HOT),
        ],
    ),
}


@pytest.mark.parametrize(("throughput", "settings", "timeline"), WRITES.values(), ids=WRITES)
def test_a_timeline_of_writes(account, throughput, settings, timeline):
    account.settings = ThrottleSettings(**settings)
    account.create(throughput)

    for at, times, units, outcome in timeline:
        outcomes = {account.ask(account.part("write", units), at=at) for _ in range(times)}
        assert outcomes == {outcome}, f"at {at} s"


# (throughput, settings, timeline); a step: at t, times, units each, partition key, outcome of each
HOT_KEYS = {
    "one key takes 1,000 writes a second, another one its own": (
        PLENTY,
        {},
        [(0, 1_000, 1, "a", ADMITTED), (0, 1, 1, "a", HOT), (0, 1, 1, "b", ADMITTED), (1, 1_000, 1, "a", ADMITTED)],
    ),
    "a key range is a hard ceiling": (PLENTY, {}, [(1_000, 1_000, 1, "a", ADMITTED), (1_000, 1, 1, "a", HOT)]),
    "a key range may save a burst": (
        PLENTY,
        {"partition_burst_seconds": 300},
        [(0, 1, 1_000, "a", ADMITTED), (0, 1, 1, "a", HOT), (400, 300, 1_000, "a", ADMITTED), (400, 1, 1, "a", HOT)],
    ),
    "a test may make key ranges small": (
        PLENTY,
        {"partition_write_units_per_second": 2},
        [(0, 2, 1, "a", ADMITTED), (0, 1, 1, "a", HOT), (0.5, 1, 1, "a", ADMITTED), (0.5, 1, 1, "a", HOT)],
    ),
    "an on-demand table has key ranges as well": (
        ON_DEMAND,
        {},
        [(0, 1_000, 1, "a", ADMITTED), (0, 1, 1, "a", HOT), (0, 1, 1, "b", ADMITTED)],
    ),
    "capacity refuses before the key range": (FIVE, {}, [(0, 1, 1_000, "a", ADMITTED), (0, 1, 1, "a", FULL)]),
}


@pytest.mark.parametrize(("throughput", "settings", "timeline"), HOT_KEYS.values(), ids=HOT_KEYS)
def test_a_timeline_of_one_hot_key(account, throughput, settings, timeline):
    account.settings = ThrottleSettings(**settings)
    account.create(throughput)

    for at, times, units, key, outcome in timeline:
        outcomes = {account.ask(account.part("write", units, key=key), at=at) for _ in range(times)}
        assert outcomes == {outcome}, f"key {key} at {at} s"


# (throughput at first, seconds, units spent, new throughput, seconds later, units left then)
CHANGES = {
    "raising scales what was saved": (FIVE, 9, 0, replace(FIVE, write_capacity_units=10), 0, 100),
    "lowering scales as well": (FIVE, 9, 0, replace(FIVE, write_capacity_units=1), 0, 10),
    "a debt scales": (FIVE, 0, 15, replace(FIVE, write_capacity_units=10), 0, -20),
    "then the new rate earns": (FIVE, 0, 15, replace(FIVE, write_capacity_units=10), 3, 10),
    "the same rate changes nothing": (FIVE, 9, 7, replace(FIVE), 0, 43),
    "a cap inherits from provisioned capacity": (FIVE, 9, 0, CAPPED_AT_TWO, 0, 20),
    "provisioned capacity inherits from a cap": (CAPPED_AT_TWO, 9, 0, FIVE, 0, 50),
    "the quota inherits, and growth starts afresh": (FIVE, 9, 0, ON_DEMAND, 0, 4_000),
    "growth ends where a cap begins": (ON_DEMAND, 0, 0, CAPPED_AT_TWO, 0, 2),
}


@pytest.mark.parametrize(("before", "at", "spent", "after", "later", "left"), CHANGES.values(), ids=CHANGES)
def test_a_change_settles_at_the_old_rate_and_scales(account, before, at, spent, after, later, left):
    account.create(before)
    if spent:
        account.ask(account.part("write", spent), at=at)

    account.change(after, at=at)

    assert account.balance("write", at=at + later) == left


def test_a_switch_to_on_demand_and_back_keeps_the_peaks(account):
    account.create(ON_DEMAND)
    account.ask(account.part("write", 4_000), at=0)
    account.change(PLENTY, at=1)
    account.change(ON_DEMAND, at=1_801)

    assert account.balance("write", at=1_801) == 8_000


def test_the_two_directions_are_apart(account):
    account.create(FIVE)
    account.ask(account.part("write", 100))

    assert account.ask(account.part("read", 5)) == ADMITTED
    assert account.ask(account.part("read", 0.5)) == "TableReadProvisionedThroughputExceeded"


def test_an_eventually_consistent_read_takes_half_a_unit(account):
    account.create(FIVE)

    outcomes = [account.ask(account.part("read", 0.5)) for _ in range(11)]

    assert outcomes == [ADMITTED] * 10 + ["TableReadProvisionedThroughputExceeded"]


def test_a_half_capped_table_reports_its_cap_for_that_direction_alone(account):
    account.create(CAPPED_AT_TWO)

    assert [account.ask(account.part("write", 2)) for _ in range(2)] == [ADMITTED, CAP]
    assert [account.ask(account.part("read", 12_000)) for _ in range(2)] == [
        ADMITTED,
        "ThrottlingException without a reason",
    ]


def test_a_small_quota_refuses_before_growth(account):
    account.limits = AccountLimits(per_table_max_wcu=100)
    account.create(ON_DEMAND)

    assert [account.ask(account.part("write", 100)) for _ in range(2)] == [ADMITTED, QUOTA]


def test_a_quota_that_is_raised_takes_effect_at_once(account):
    account.limits = AccountLimits(per_table_max_wcu=100)
    account.create(ON_DEMAND)
    account.limits = AccountLimits(per_table_max_wcu=200)

    assert account.balance("write") == 200


def test_a_clock_that_went_back_gives_nothing(account):
    account.create(FIVE)
    account.ask(account.part("write", 5), at=0)
    account.ask(account.part("write", 5), at=1)

    assert account.ask(account.part("write", 1), at=0.5) == FULL
    assert account.ask(account.part("write", 1), at=0.7) == ADMITTED
