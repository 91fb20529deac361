"""However a span of time is cut into steps, and whoever looks in between: the same capacity comes back."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_ddbthrottle import FakeDynamoDB

EXAMPLES = settings(max_examples=100)
RATES = st.integers(1, 20_000)
RULES = st.one_of(
    st.builds(lambda rate: {"write_capacity_units": rate}, RATES),
    st.builds(lambda rate: {"max_write_request_units": rate}, RATES),
    st.builds(lambda rate: {"warm_write_units_per_second": 4000 + rate}, RATES),
    st.builds(
        lambda rate, burst: {"write_capacity_units": rate, "burst_seconds": burst, "initial_seconds": 0},
        RATES,
        st.integers(1, 300),
    ),
    st.builds(lambda rate: {"partition_write_units_per_second": rate}, st.integers(1, 1000)),
)
PUT = {"TableName": "orders", "Item": {"pk": {"S": "a"}}}


def spent(rules: dict[str, Any], puts: int) -> FakeDynamoDB:
    fake = FakeDynamoDB()
    fake.create_table("orders", **rules)
    for _ in range(puts):
        fake._engine.handle("PutItem", PUT, "us-east-1")
    large = {**PUT, "Item": {"pk": {"S": "b"}, "d": {"S": "x" * 5000 * puts}}}
    fake._engine.handle("PutItem", large, "us-east-1")
    return fake


def writes_that_pass(fake: FakeDynamoDB, most: int = 50) -> int:
    errors = [fake._engine.handle("PutItem", PUT, "us-east-1").error for _ in range(most)]
    return errors.count(None)


def seen(fake: FakeDynamoDB) -> tuple[float, int, float]:
    balance = fake.table("orders").balance("write")
    return balance, writes_that_pass(fake), fake.table("orders").balance("write")


@EXAMPLES
@given(rules=RULES, puts=st.integers(0, 60))
def test_ten_advances_of_a_tenth_are_one_of_a_second(rules, puts):
    at_once, in_steps = spent(rules, puts), spent(rules, puts)

    at_once.clock.advance(1)
    for _ in range(10):
        in_steps.clock.advance(0.1)

    assert seen(in_steps) == seen(at_once)
    assert in_steps.clock.now_ns() == at_once.clock.now_ns()


@EXAMPLES
@given(rules=RULES, puts=st.integers(0, 60), parts=st.lists(st.integers(1, 10**9), min_size=1, max_size=20))
def test_looking_and_being_refused_in_between_changes_nothing(rules, puts, parts):
    at_once, in_steps = spent(rules, puts), spent(rules, puts)

    at_once.clock.advance_ns(sum(parts))
    for part in parts:
        in_steps.clock.advance_ns(part)
        if in_steps.table("orders").balance("write") <= 0:
            assert in_steps._engine.handle("PutItem", PUT, "us-east-1").refusals
        in_steps.check_invariants()

    assert seen(in_steps) == seen(at_once)
