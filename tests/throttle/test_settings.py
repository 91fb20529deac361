"""What a test can set, and what it is told when it can't."""

from __future__ import annotations

import pytest

from pytest_ddbthrottle._engine.throttle.settings import ThrottleSettings


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ({"burst_seconds": 0}, "burst_seconds=0: a whole number, at least 1, is needed"),
        ({"burst_seconds": 0.5}, "burst_seconds=0.5: a whole number, at least 1, is needed"),
        ({"burst_seconds": True}, "burst_seconds=True: a whole number, at least 1, is needed"),
        ({"initial_seconds": -1}, "initial_seconds=-1: a whole number, at least 0, is needed"),
        ({"partition_read_units_per_second": 0}, "partition_read_units_per_second=0: a whole number, at least 1"),
        ({"partitioning": "ranges"}, "partitioning='ranges' is not modelled yet: only 'per_key' is"),
        ({"partitioning": "hash"}, "partitioning='hash': allowed is 'per_key'"),
        ({"admission": "strict"}, "admission='strict': allowed is 'positive_balance' or 'full_cost'"),
        ({"account_limit_error": "Throttled"}, "allowed is 'ThrottlingException' or 'RequestLimitExceeded'"),
    ],
)
def test_a_setting_out_of_range_is_refused_with_what_is_allowed(said, answer):
    with pytest.raises(ValueError) as caught:
        ThrottleSettings(**said)

    assert answer in str(caught.value)


def test_a_table_may_start_with_nothing():
    assert ThrottleSettings(initial_seconds=0).initial_seconds == 0
