"""The table of scopes: whose rate, how much is kept, what there is at first."""

from __future__ import annotations

import pytest

from pytest_ddbthrottle._engine.capacity import BillingMode, Throughput
from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.throttle.bucket import BucketSize
from pytest_ddbthrottle._engine.throttle.reasons import OperationType, Scope
from pytest_ddbthrottle._engine.throttle.scopes import SCOPES, Terms, account_size, capacity_scope
from pytest_ddbthrottle._engine.throttle.settings import ThrottleSettings

PROVISIONED = Throughput(BillingMode.PROVISIONED, 5, 7)
CAPPED = Throughput(BillingMode.PAY_PER_REQUEST, max_read_request_units=20, max_write_request_units=30)
HALF_CAPPED = Throughput(BillingMode.PAY_PER_REQUEST, max_write_request_units=30)
UNCAPPED = Throughput(BillingMode.PAY_PER_REQUEST)
CLEARED = Throughput(BillingMode.PAY_PER_REQUEST, max_read_request_units=-1, max_write_request_units=-1)
WARM = Throughput(BillingMode.PAY_PER_REQUEST, warm_read_units_per_second=15_000, warm_write_units_per_second=9_000)
COOL = Throughput(BillingMode.PAY_PER_REQUEST, warm_read_units_per_second=10, warm_write_units_per_second=10)
READ, WRITE = OperationType.READ, OperationType.WRITE


def terms(throughput: Throughput, direction: OperationType) -> Terms:
    return Terms(throughput, ThrottleSettings(), AccountLimits(), direction)


@pytest.mark.parametrize(
    ("throughput", "direction", "scope", "rate"),
    [
        (PROVISIONED, READ, Scope.PROVISIONED, 5),
        (PROVISIONED, WRITE, Scope.PROVISIONED, 7),
        (CAPPED, READ, Scope.CAP, 20),
        (CAPPED, WRITE, Scope.CAP, 30),
        (HALF_CAPPED, READ, Scope.QUOTA, 40_000),
        (HALF_CAPPED, WRITE, Scope.CAP, 30),
        (UNCAPPED, READ, Scope.QUOTA, 40_000),
        (UNCAPPED, WRITE, Scope.QUOTA, 40_000),
        (CLEARED, READ, Scope.QUOTA, 40_000),
        (CLEARED, WRITE, Scope.QUOTA, 40_000),
    ],
)
def test_one_scope_gives_the_capacity_of_a_direction(throughput, direction, scope, rate):
    of = terms(throughput, direction)

    assert capacity_scope(of) is scope
    assert SCOPES[scope].size(of) == BucketSize(rate, 300, 1)


@pytest.mark.parametrize(
    ("throughput", "direction", "rate"),
    [
        (UNCAPPED, READ, 12_000),
        (UNCAPPED, WRITE, 4_000),
        (WARM, READ, 15_000),
        (WARM, WRITE, 9_000),
        (COOL, READ, 12_000),
        (HALF_CAPPED, READ, 12_000),
        (HALF_CAPPED, WRITE, None),
        (CAPPED, READ, None),
        (PROVISIONED, READ, None),
    ],
)
def test_growth_binds_uncapped_on_demand_directions_alone(throughput, direction, rate):
    of, rule = terms(throughput, direction), SCOPES[Scope.GROWTH]

    assert (rule.size(of) if rule.applies(of) else None) == (None if rate is None else BucketSize(rate, 1, 1))


@pytest.mark.parametrize("throughput", [PROVISIONED, UNCAPPED, CAPPED])
@pytest.mark.parametrize(("direction", "rate"), [(READ, 3_000), (WRITE, 1_000)])
def test_a_key_range_serves_the_same_in_every_mode(throughput, direction, rate):
    assert SCOPES[Scope.KEY_RANGE].size(terms(throughput, direction)) == BucketSize(rate, 1, 1)


def test_the_settings_reach_the_buckets():
    settings = ThrottleSettings(
        burst_seconds=60, initial_seconds=10, partition_write_units_per_second=50, partition_burst_seconds=300
    )
    of = Terms(PROVISIONED, settings, AccountLimits(), WRITE)

    assert SCOPES[Scope.PROVISIONED].size(of) == BucketSize(7, 60, 10)
    assert SCOPES[Scope.KEY_RANGE].size(of) == BucketSize(50, 300, 1)


def test_the_quota_is_the_accounts_limit_per_table():
    of = Terms(UNCAPPED, ThrottleSettings(), AccountLimits(per_table_max_rcu=100, per_table_max_wcu=200), WRITE)

    assert SCOPES[Scope.QUOTA].size(of).rate_units_per_second == 200


def test_the_account_has_a_bucket_only_for_the_direction_that_is_limited():
    limits = AccountLimits(account_write_units_per_second=10)

    assert account_size(limits, WRITE) == BucketSize(10, 300, 1)
    assert account_size(limits, READ) is None
