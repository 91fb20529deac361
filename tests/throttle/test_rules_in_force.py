"""A rule wins over CreateTable; an UpdateTable wins over the rules before it; a rule after that wins again."""

from __future__ import annotations

import pytest

from pytest_ddbthrottle import FakeDynamoDB
from pytest_ddbthrottle._engine.throttle.rule import ThrottleRule

INDEX = "by_status"


@pytest.fixture
def fake():
    return FakeDynamoDB()


@pytest.fixture
def update(fake):
    def update_table(**members):
        outcome = fake._engine.handle("UpdateTable", {"TableName": "orders", **members}, "us-east-1")
        assert outcome.error is None

    return update_table


def units(read, write):
    return {"ProvisionedThroughput": {"ReadCapacityUnits": read, "WriteCapacityUnits": write}}


def in_force(fake, index=None):
    table = fake._engine.region("us-east-1").tables["orders"]
    throughput = table.throughput if index is None else table.indexes[index].throughput
    if throughput.read_capacity_units:
        return throughput.read_capacity_units, throughput.write_capacity_units
    return throughput.max_read_request_units, throughput.max_write_request_units


def orders(fake, **rules):
    return fake.create_table("orders", indexes={INDEX: "status:S"}, **rules)


def speak_of_another_table(fake):
    fake.throttle(table="users", write_capacity_units=3)


def make_another_table(fake):
    fake.create_table("users", write_capacity_units=3)


def hold_a_block(fake):
    with fake.scoped([ThrottleRule(table="users", write_capacity_units=3)]):
        pass


@pytest.mark.parametrize("elsewhere", [speak_of_another_table, make_another_table, hold_a_block])
def test_rules_for_another_table_leave_the_applications_word_alone(fake, update, elsewhere):
    orders(fake, read_capacity_units=5, write_capacity_units=5)
    update(
        **units(5, 20),
        GlobalSecondaryIndexUpdates=[{"Update": {"IndexName": INDEX, **units(5, 30)}}],
    )

    elsewhere(fake)

    assert (in_force(fake), in_force(fake, INDEX)) == ((5, 20), (5, 30))


def test_so_does_a_switch_of_the_mode(fake, update):
    orders(fake, read_capacity_units=5, write_capacity_units=5)
    update(BillingMode="PAY_PER_REQUEST")

    speak_of_another_table(fake)

    assert (in_force(fake), in_force(fake, INDEX)) == ((None, None), (None, None))


def test_so_does_a_cap(fake, update):
    orders(fake, max_write_request_units=2)
    update(OnDemandThroughput={"MaxWriteRequestUnits": 9})

    speak_of_another_table(fake)

    assert in_force(fake) == (None, 9)


def test_a_rule_after_it_wins_in_the_fields_that_it_names(fake, update):
    orders(fake, read_capacity_units=5, write_capacity_units=5)
    update(**units(6, 20))

    fake.throttle(table="orders", read_capacity_units=3)

    assert in_force(fake) == (3, 20)
    assert in_force(fake, INDEX) == (3, 5)


def test_a_rule_that_is_taken_back_gives_the_applications_word_back(fake, update):
    orders(fake, read_capacity_units=5, write_capacity_units=5)
    update(**units(6, 20))

    with fake.scoped([ThrottleRule(table="orders", read_capacity_units=3)]):
        assert in_force(fake) == (3, 20)

    assert in_force(fake) == (6, 20)


def test_what_was_asked_of_create_table_comes_back_with_the_end_of_a_rule(fake):
    with fake.scoped([ThrottleRule(table="orders", write_capacity_units=3)]):
        orders(fake)
        assert in_force(fake) == (40_000, 3)

    assert in_force(fake) == (None, None)


MIXED = [
    ({}, {"table": "orders", "index": INDEX, "write_capacity_units": 3}, "PROVISIONED", "PAY_PER_REQUEST"),
    (
        {"write_capacity_units": 3},
        {"table": "orders", "index": INDEX, "billing_mode": "PAY_PER_REQUEST"},
        "PAY_PER_REQUEST",
        "PROVISIONED",
    ),
]


@pytest.mark.parametrize(("rules", "names", "of_index", "of_table"), MIXED)
def test_an_index_of_another_mode_is_told_and_nothing_is_changed(fake, account_state, rules, names, of_index, of_table):
    orders(fake, **rules)
    before = (account_state(fake._engine), list(fake._engine.rules))

    with pytest.raises(ValueError) as refused:
        fake.throttle(**names)

    assert str(refused.value) == (
        f"ddb_throttle(table='orders', index='by_status'): the rule makes the index {of_index} while its table is "
        f"{of_table}; give the table the same billing mode, or the index numbers of the table's mode"
    )
    assert (account_state(fake._engine), fake._engine.rules) == before
    speak_of_another_table(fake)
