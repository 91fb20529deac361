"""The fake's own assertions, over its journal."""

from __future__ import annotations

import pytest

from pytest_ddbthrottle import ThrottlingReason

HOT = "TableWriteProvisionedThroughputExceeded"


@pytest.fixture
def throttled(fake, put):
    """One write that was admitted, one that was refused."""
    fake.create_table("orders", write_capacity_units=1)
    put("1")
    put("2")
    return fake


@pytest.mark.parametrize(
    ("assertion", "positional", "keywords"),
    [
        ("assert_attempts", ("PutItem", 2), {}),
        ("assert_attempts", ("PutItem", 0), {"table": "customers"}),
        ("assert_throttled", (), {}),
        ("assert_throttled", ("PutItem",), {"reason": ThrottlingReason(HOT), "times": 1}),
        ("assert_not_throttled", ("customers",), {}),
        ("assert_consumed", (), {"table": "orders", "write_units": 1}),
        ("assert_nothing_lost", (), {"accounted_for": [{"pk": "2"}]}),
    ],
)
def test_an_assertion_that_holds_says_nothing(throttled, assertion, positional, keywords):
    getattr(throttled, assertion)(*positional, **keywords)


@pytest.mark.parametrize(
    ("assertion", "positional", "keywords", "first_line"),
    [
        ("assert_attempts", ("PutItem", 3), {}, "expected 3"),
        ("assert_throttled", ("GetItem",), {}, "expected a throttled call of GetItem"),
        ("assert_not_throttled", (), {}, "expected"),
        ("assert_consumed", (), {"write_units": 2}, "expected"),
        ("assert_nothing_lost", (), {}, "expected"),
        ("assert_backoff", ("PutItem",), {"at_least": 1}, "expected"),
    ],
)
def test_an_assertion_that_does_not_hold_says_what_was_expected(throttled, assertion, positional, keywords, first_line):
    with pytest.raises(AssertionError, match=f"^{first_line}"):
        getattr(throttled, assertion)(*positional, **keywords)


@pytest.mark.parametrize("assertion", ["assert_throttled", "assert_consumed", "assert_backoff"])
def test_an_unknown_keyword_is_an_error(throttled, assertion):
    with pytest.raises(TypeError, match="'write_unit'"):
        getattr(throttled, assertion)(write_unit=1)


def test_the_sleeps_are_those_of_the_clock(fake):
    fake.clock.sleep(2.5)

    assert [(sleep.at_seconds, sleep.seconds, sleep.origin) for sleep in fake.sleeps] == [(0, 2.5, "application")]
