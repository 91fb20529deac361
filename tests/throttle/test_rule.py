"""``ddb_throttle`` as a value: what it makes of a table, and what it refuses to be."""

from __future__ import annotations

from itertools import permutations

import pytest

from pytest_ddbthrottle._engine.capacity import BillingMode, Throughput
from pytest_ddbthrottle._engine.throttle.rule import ThrottleRule, rule_for

ON_DEMAND = Throughput(BillingMode.PAY_PER_REQUEST)
PROVISIONED = Throughput(BillingMode.PROVISIONED, 10, 20)


def given(asked, **names):
    made = ThrottleRule(**names).throughput(asked)
    return (
        made.billing_mode.value,
        made.read_capacity_units,
        made.write_capacity_units,
        made.max_read_request_units,
        made.max_write_request_units,
    )


@pytest.mark.parametrize(
    ("asked", "names", "expected"),
    [
        (ON_DEMAND, {}, ("PAY_PER_REQUEST", 0, 0, None, None)),
        (PROVISIONED, {}, ("PROVISIONED", 10, 20, None, None)),
        (PROVISIONED, {"write_capacity_units": 5}, ("PROVISIONED", 10, 5, None, None)),
        (ON_DEMAND, {"write_capacity_units": 5}, ("PROVISIONED", 40_000, 5, None, None)),
        (
            ON_DEMAND,
            {"billing_mode": "PROVISIONED", "read_capacity_units": 1, "write_capacity_units": 2},
            ("PROVISIONED", 1, 2, None, None),
        ),
        (PROVISIONED, {"billing_mode": "PAY_PER_REQUEST"}, ("PAY_PER_REQUEST", 0, 0, None, None)),
        (PROVISIONED, {"max_write_request_units": 2}, ("PAY_PER_REQUEST", 0, 0, None, 2)),
        (ON_DEMAND, {"max_read_request_units": -1}, ("PAY_PER_REQUEST", 0, 0, None, None)),
    ],
)
def test_a_rule_wins_over_what_create_table_asked_for(asked, names, expected):
    assert given(asked, **names) == expected


def resolved(rules, index=None, table="orders"):
    return rule_for([ThrottleRule(**names) for names in rules], table, index)


def test_the_closest_rule_wins_field_by_field():
    rule = resolved(
        [{"read_capacity_units": 1, "write_capacity_units": 1}, {"table": "orders", "write_capacity_units": 9}]
    )

    assert (rule.read_capacity_units, rule.write_capacity_units) == (1, 9)


def test_a_rule_for_another_table_says_nothing():
    assert resolved([{"table": "users", "write_capacity_units": 1}]).write_capacity_units is None


def test_a_rule_that_makes_a_table_provisioned_holds_for_its_indexes():
    assert resolved([{"table": "orders", "write_capacity_units": 5}], "by_status").write_capacity_units == 5


OF_TABLE = {"table": "orders", "read_capacity_units": 5, "write_capacity_units": 5}
OF_EVERY_TABLE = {"write_capacity_units": 7}
OF_INDEX = {"table": "orders", "index": "i", "write_capacity_units": 1}


@pytest.mark.parametrize("rules", list(permutations([OF_TABLE, OF_EVERY_TABLE, OF_INDEX])))
def test_a_rule_that_names_the_index_wins_over_its_tables_whichever_came_first(rules):
    of_index = resolved(rules, "i")

    assert (of_index.read_capacity_units, of_index.write_capacity_units) == (5, 1)
    assert resolved(rules).write_capacity_units in (5, 7)


def test_of_two_rules_that_name_the_index_the_closer_one_wins():
    assert resolved([OF_INDEX, OF_TABLE, {**OF_INDEX, "write_capacity_units": 2}], "i").write_capacity_units == 2


def test_a_rule_that_names_the_index_leaves_another_index_alone():
    assert resolved([OF_INDEX, OF_TABLE], "j").write_capacity_units == 5


def test_a_cap_is_the_tables_alone():
    assert resolved([{"table": "orders", "max_write_request_units": 5}], "by_status").max_write_request_units is None


def test_the_closest_rule_that_says_a_mode_drops_the_other_modes_numbers():
    rule = resolved([{"write_capacity_units": 5}, {"table": "orders", "max_write_request_units": 2}])

    assert (rule.billing_mode, rule.write_capacity_units, rule.max_write_request_units) == ("PAY_PER_REQUEST", None, 2)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ({"write_capacity_units": -1}, "write_capacity_units=-1: at least 1 is needed"),
        ({"write_capacity_units": 0}, "write_capacity_units=0: at least 1 is needed"),
        ({"write_capacity_units": 1.5}, "write_capacity_units=1.5: a whole number of capacity units is needed"),
        ({"write_capacity_units": True}, "write_capacity_units=True: a whole number of capacity units is needed"),
        ({"max_read_request_units": 0}, "max_read_request_units=0: at least 1 is needed, or -1 for no cap"),
        ({"max_read_request_units": -2}, "max_read_request_units=-2: at least 1 is needed, or -1 for no cap"),
        ({"billing_mode": "FREE"}, "billing_mode='FREE': allowed are PROVISIONED, PAY_PER_REQUEST"),
        (
            {"billing_mode": "PAY_PER_REQUEST", "write_capacity_units": 5},
            "write_capacity_units contradicts billing_mode='PAY_PER_REQUEST': capacity units are for PROVISIONED tables",
        ),
        (
            {"billing_mode": "PROVISIONED", "max_write_request_units": 5},
            "max_write_request_units contradicts billing_mode='PROVISIONED': caps are for PAY_PER_REQUEST tables",
        ),
        (
            {"read_capacity_units": 5, "max_write_request_units": 5},
            "read_capacity_units contradicts max_write_request_units: capacity units are for PROVISIONED tables",
        ),
        ({"index": "by_status"}, "index='by_status' needs the table that it belongs to: table=..."),
        ({"partitioning": "ranges"}, "partitioning='ranges' is not modelled yet: only 'per_key' is"),
        ({"admission": "never"}, "admission='never': allowed is 'positive_balance' or 'full_cost'"),
    ],
)
def test_a_contradictory_rule_is_refused_by_name(names, text):
    with pytest.raises(ValueError) as refused:
        ThrottleRule(**names)

    assert str(refused.value) == text
