"""32-bit numbers: what fits, what it becomes, and how it is written."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_ddbthrottle._engine.vectors.single_precision import fits, narrowed, single_text

TEXTS = [
    ("0", "0.0"),
    ("1", "1.0"),
    ("-1", "-1.0"),
    ("0.1", "0.1"),
    ("0.1234", "0.1234"),
    ("0.123456789", "0.12345679"),
    ("16777217", "1.6777216E7"),
    ("9999999", "9999999.0"),
    ("10000000", "1.0E7"),
    ("0.001", "0.001"),
    ("0.0009", "9.0E-4"),
    ("-0.00025", "-2.5E-4"),
    ("3.4028235E38", "3.4028235E38"),
]


@pytest.mark.parametrize(("number", "expected"), TEXTS)
def test_a_number_is_written_with_the_fewest_digits_that_name_it(number, expected):
    assert single_text(narrowed(float(number))) == expected


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
@settings(max_examples=300)
def test_what_is_written_is_read_back_as_the_same_number(number):
    assert narrowed(float(single_text(number))) == number


@pytest.mark.parametrize(
    ("number", "expected"),
    [("3.4028235E38", True), ("3.4028236E38", False), ("-3.4028235E38", True), ("-1E39", False), ("1E-130", True)],
)
def test_what_is_within_the_greatest_number_fits(number, expected):
    assert fits(Decimal(number)) is expected
