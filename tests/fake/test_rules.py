"""Rules by calls and for a block: what they say, how long they hold, and whether they had any effect."""

from __future__ import annotations

import re

import pytest

from pytest_ddbthrottle import ThrottlingReason
from pytest_ddbthrottle._engine.faults import InjectRule
from pytest_ddbthrottle._engine.throttle.rule import ThrottleRule

KEY_RANGE = "TableWriteKeyRangeThroughputExceeded"


@pytest.fixture
def orders(fake):
    return fake.create_table("orders")


def test_a_rule_holds_for_tables_that_exist_and_those_to_come(fake, orders):
    fake.throttle(write_capacity_units=5)

    assert (orders.balance("write"), fake.create_table("customers").balance("write")) == (5, 5)


def test_of_two_rules_the_later_wins_field_by_field(fake, orders):
    fake.throttle(table="orders", read_capacity_units=1, write_capacity_units=1)
    fake.throttle(write_capacity_units=5)

    assert (orders.balance("read"), orders.balance("write")) == (1, 5)


def test_limits_stay_unless_named_and_describe_limits_shows_them(fake, send):
    fake.limits(per_table_max_rcu=100, per_account_max_rcu=150)
    fake.limits(per_account_max_rcu=200)

    limits = send("DescribeLimits")
    assert (limits["TableMaxReadCapacityUnits"], limits["AccountMaxReadCapacityUnits"]) == (100, 200)
    assert limits["TableMaxWriteCapacityUnits"] == 40_000


@pytest.mark.parametrize(
    ("call", "names", "error", "message"),
    [
        ("throttle", {"tabel": "a"}, TypeError, "throttle() has no argument 'tabel'. Did you mean 'table'?"),
        ("throttle", {"strict": 2}, ValueError, "strict=2: True or False is needed"),
        ("throttle", {"write_capacity_units": -1}, ValueError, "write_capacity_units=-1: at least 1 is needed"),
        ("inject", {"reasons": "x"}, TypeError, "inject() has no argument 'reasons'. Did you mean 'reason'?"),
        (
            "inject",
            {},
            ValueError,
            "nothing to inject: give reason=, error=, leftover= or latency_seconds=",
        ),
        (
            "limits",
            {"max_tables": 1},
            TypeError,
            "limits() has no argument 'max_tables'. Did you mean 'max_tables_per_account'?",
        ),
        (
            "limits",
            {"max_policy_document_bytes": "400"},
            ValueError,
            "max_policy_document_bytes='400': a whole number, at least 0, is needed",
        ),
        (
            "limits",
            {"per_table_max_rcu": -1},
            ValueError,
            "per_table_max_rcu=-1: a whole number, at least 0, is needed",
        ),
    ],
)
def test_a_wrong_call_is_told_and_changes_nothing(fake, orders, account_state, call, names, error, message):
    before = account_state(fake._engine)

    with pytest.raises(error) as caught:
        getattr(fake, call)(**names)

    assert str(caught.value).splitlines()[0] == message
    assert account_state(fake._engine) == before
    assert (fake._engine.rules, fake._engine.scripted_rules) == ([], [])


def test_an_injection_fires_and_counts(fake, orders, put):
    injection = fake.inject(operation="PutItem", error="InternalServerError", times=2)

    refused = [put("1") is not None for _ in range(3)]

    assert refused == [True, True, False]
    assert injection.fired == 2


def test_an_injection_for_a_block_ends_with_it(fake, orders, put):
    with fake.inject(operation="PutItem", reason="TableWriteKeyRangeThroughputExceeded", times=9) as injection:
        inside = put("1")

    assert (inside, put("1")) == ("TableWriteKeyRangeThroughputExceeded", None)
    assert injection.fired == 1
    assert fake.unfired() == []


def test_an_injection_must_fire_in_its_block(fake):
    with (
        pytest.raises(
            AssertionError,
            match=re.escape(
                "ddb_inject(error='InternalServerError', operation='PutItem') never fired: no call matched it\n"
                "If that is meant: optional=True; docs/how-to/inject.md"
            ),
        ),
        fake.inject(operation="PutItem", error="InternalServerError"),
    ):
        pass


def test_an_optional_injection_need_not_and_an_error_in_the_block_is_not_masked(fake):
    with fake.inject(error="InternalServerError", optional=True):
        pass

    with pytest.raises(RuntimeError, match="mine"), fake.inject(error="InternalServerError"):
        raise RuntimeError("mine")


def test_an_injection_can_be_taken_out_of_force(fake, orders, put):
    injection = fake.inject(error="InternalServerError", operation="PutItem")

    injection.remove()

    assert put("1") is None
    assert repr(injection) == "<ddb_inject(error='InternalServerError', operation='PutItem'): fired 0 times>"


def test_what_had_no_effect_is_told_a_sentence_each(fake, orders, send):
    fake.inject(operation="PutItem", error="InternalServerError", after=1)
    fake.inject(operation="GetItem", error="InternalServerError", optional=True)
    fake.throttle(table="order", write_capacity_units=5)
    fake.throttle(table="orders", write_capacity_units=5)
    fake.throttle(write_capacity_units=5)
    send("PutItem", TableName="orders", Item={"pk": {"S": "1"}})

    assert fake.unfired() == [
        "ddb_inject(error='InternalServerError', operation='PutItem', after=1) never fired: 1 call matched, after=1",
        "ddb_throttle(table='order', write_capacity_units=5) was never used: no table 'order' was made",
    ]


def test_scoped_rules_are_taken_back(fake, orders, account_state, put):
    before = account_state(fake._engine)

    with fake.scoped(
        [ThrottleRule(table="orders", write_capacity_units=5)],
        [InjectRule(error="InternalServerError", operation="PutItem", times=9)],
        {"max_tables_per_account": 1},
    ) as scope:
        inside = (orders.balance("write"), put("1"), fake._engine.limits.max_tables_per_account)

    assert inside[0] == 5
    assert inside[1].endswith("InternalServerError")
    assert inside[2] == 1
    assert scope.unfired() == []
    after = account_state(fake._engine, balances=False)
    assert after["limits"] == before["limits"]
    assert (fake._engine.rules, fake._engine.scripted_rules) == ([], [])
    assert put("1") is None


def test_what_a_call_says_within_a_scope_outlives_it(fake, orders):
    with fake.scoped([ThrottleRule(table="orders", write_capacity_units=5)], limits={"max_tables_per_account": 3}):
        fake.throttle(table="orders", read_capacity_units=2)
        fake.limits(per_table_max_rcu=7)

    limits = fake._engine.limits
    assert orders.balance("read") == 2
    assert (limits.max_tables_per_account, limits.per_table_max_rcu) == (2500, 7)


def test_scopes_nest_and_the_inner_one_wins(fake, orders):
    outer, inner = (ThrottleRule(table="orders", write_capacity_units=units) for units in (5, 3))
    said = []

    with fake.scoped([outer]):
        with fake.scoped([inner]):
            said.append(orders.balance("write"))
        orders.fill("write")
        said.append(orders.balance("write"))

    assert said == [3, 1500]


def test_rules_that_a_table_can_not_follow_hold_not_even_in_part(fake, account_state):
    fake.create_table("orders", indexes={"by_status": "status:S"})
    before = account_state(fake._engine)
    mixed = ThrottleRule(table="orders", index="by_status", read_capacity_units=5)

    with (
        pytest.raises(ValueError, match="by_status"),
        fake.scoped([mixed], [InjectRule(error="InternalServerError")], {"max_tables_per_account": 1}),
    ):
        pass

    assert account_state(fake._engine) == before
    assert (fake._engine.rules, fake._engine.scripted_rules) == ([], [])


@pytest.mark.parametrize("reason", [ThrottlingReason.TABLE_WRITE_KEY_RANGE_THROUGHPUT_EXCEEDED, KEY_RANGE])
def test_a_reason_may_be_a_word_or_its_enum(fake, orders, put, reason):
    fake.inject(reason=reason)

    assert put("1") == KEY_RANGE
