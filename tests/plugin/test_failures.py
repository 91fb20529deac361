"""A failed assertion: shown at the line of the test that made it."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "call",
    ["assert_attempts('PutItem', 1)", "assert_throttled()", "assert_consumed(write_units=1)", "assert_backoff()"],
)
def test_a_failure_shows_the_test_s_own_line_alone(run, call):
    result = run(f"def test_fails(ddb_fake): ddb_fake.{call}")

    files = [line for line in result.stdout.lines if ".py:" in line and "::" not in line]
    assert files == ["test_a_failure_shows_the_test_s_own_line_alone.py:1: AssertionError"]
    result.stdout.fnmatch_lines(f">*def test_fails(ddb_fake): ddb_fake.{call}")
