"""Time to live: how it is enabled, what is read until a pass, and what a pass takes."""

from __future__ import annotations

import pytest

START_SECONDS = 1_767_225_600
"""The clock's start, 2026-01-01."""
YEAR_SECONDS = 365 * 86_400
V = "ValidationException: "


def expiry(name="exp", enabled=True):
    return {"TableName": "tab1", "TimeToLiveSpecification": {"Enabled": enabled, "AttributeName": name}}


def shown(account):
    return account.call("DescribeTimeToLive", TableName="tab1")["TimeToLiveDescription"]


def put(account, pk, **attributes):
    account.call("PutItem", TableName="tab1", Item={"pk": {"S": pk}, **attributes})


def put_expiring(account, pk, in_seconds):
    put(account, pk, exp={"N": str(START_SECONDS + in_seconds)})


def keys(account, **index):
    return sorted(item["pk"]["S"] for item in account.call("Scan", TableName="tab1", **index)["Items"])


@pytest.fixture
def table(account):
    account.create("tab1", indexes={"gsi1": None})
    return account


@pytest.fixture
def expiring(table):
    table.call("UpdateTimeToLive", **expiry())
    return table


# ------------------------------------------------------------------------------------------------- the two operations


def test_it_is_enabled_and_disabled_at_once(table):
    assert shown(table) == {"TimeToLiveStatus": "DISABLED"}

    asked = expiry()["TimeToLiveSpecification"]
    assert table.call("UpdateTimeToLive", **expiry()) == {"TimeToLiveSpecification": asked}
    assert shown(table) == {"TimeToLiveStatus": "ENABLED", "AttributeName": "exp"}

    table.call("UpdateTimeToLive", **expiry(enabled=False))
    assert shown(table) == {"TimeToLiveStatus": "DISABLED"}


@pytest.mark.parametrize(
    ("in_force", "asked", "expected"),
    [
        (None, expiry(enabled=False), f"{V}TimeToLive is already disabled"),
        ("exp", expiry(), f"{V}TimeToLive is already enabled"),
        (
            "exp",
            expiry("other"),
            f"{V}TimeToLive is active on a different AttributeName: current AttributeName is exp",
        ),
        (
            "exp",
            expiry("other", enabled=False),
            f"{V}TimeToLive is active on a different AttributeName: current AttributeName is exp",
        ),
    ],
)
def test_what_would_change_nothing_or_another_attribute_is_refused(table, in_force, asked, expected):
    if in_force:
        table.call("UpdateTimeToLive", **expiry(in_force))

    assert table.refused("UpdateTimeToLive", **asked) == expected


def null_at(*places):
    constraint = "failed to satisfy constraint: Member must not be null"
    texts = [f"Value null at '{place}' {constraint}" for place in places]
    return f"{V}{len(texts)} validation error{'s' * (len(texts) > 1)} detected: {'; '.join(texts)}"


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ({"TableName": "tab1"}, null_at("timeToLiveSpecification")),
        (
            {"TableName": "tab1", "TimeToLiveSpecification": {}},
            null_at("timeToLiveSpecification.attributeName", "timeToLiveSpecification.enabled"),
        ),
        (
            expiry(""),
            f"{V}1 validation error detected: Value '' at 'timeToLiveSpecification.attributeName' failed to satisfy "
            "constraint: Member must have length greater than or equal to 1",
        ),
        (
            expiry("a" * 256),
            f"{V}1 validation error detected: Value '{'a' * 256}' at 'timeToLiveSpecification.attributeName' failed to "
            "satisfy constraint: Member must have length less than or equal to 255",
        ),
        (
            {**expiry(), "TableName": "absent"},
            "ResourceNotFoundException: Requested resource not found: Table: absent not found",
        ),
    ],
)
def test_a_request_that_can_not_be_is_refused(table, request_, expected):
    assert table.refused("UpdateTimeToLive", **request_) == expected


def test_a_table_that_is_not_there_has_no_time_to_live(account):
    refused = account.refused("DescribeTimeToLive", TableName="absent")

    assert refused == "ResourceNotFoundException: Requested resource not found: Table: absent not found"


def test_a_second_change_waits_while_changes_take_their_time(account):
    account.limits(lifecycle="realistic")
    account.create("tab1")
    account.clock.advance(60)
    account.call("UpdateTimeToLive", **expiry())

    account.clock.advance(1839)
    assert shown(account)["TimeToLiveStatus"] == "ENABLED"
    refused = account.refused("UpdateTimeToLive", **expiry(enabled=False))
    assert refused == f"{V}Time to live has been modified multiple times within a fixed interval"

    account.clock.advance(1)
    account.call("UpdateTimeToLive", **expiry(enabled=False))
    assert shown(account) == {"TimeToLiveStatus": "DISABLED"}


def test_a_table_that_is_being_created_neither_takes_nor_shows_it(account):
    account.limits(lifecycle="realistic")
    account.create("tab1")

    assert account.refused("UpdateTimeToLive", **expiry()) == (
        "ResourceInUseException: Attempt to change a resource which is still in use: Table tab1 is being created"
    )
    assert account.refused("DescribeTimeToLive", TableName="tab1") == (
        f"{V}Cannot describe time to live while table is in CREATING state: Current table state is CREATING"
    )


def test_a_table_that_is_being_deleted_takes_and_does_not_show_it(account):
    account.limits(lifecycle="realistic")
    account.create("tab1")
    account.clock.advance(60)
    account.call("DeleteTable", TableName="tab1")

    account.call("UpdateTimeToLive", **expiry())

    assert account.refused("DescribeTimeToLive", TableName="tab1") == (
        f"{V}Cannot describe time to live while table is in DELETING state: Current table state is DELETING"
    )


# ------------------------------------------------------------------------------------------------- what expires


def test_an_expired_item_is_read_until_the_next_pass(expiring):
    put_expiring(expiring, "a", in_seconds=10)

    expiring.clock.advance(299)
    assert keys(expiring) == ["a"]

    expiring.clock.advance(1)
    assert keys(expiring) == []


def test_a_pass_takes_what_has_expired_before_it(expiring):
    for pk, in_seconds in (("past", -1), ("before", 299), ("at", 300), ("after", 301)):
        put_expiring(expiring, pk, in_seconds)

    expiring.clock.advance(300)
    assert keys(expiring) == ["after", "at"]

    expiring.clock.advance(300)
    assert keys(expiring) == []


def test_an_item_leaves_the_indexes_with_the_table(expiring):
    put(expiring, "a", g={"S": "x"}, exp={"N": str(START_SECONDS + 1)})
    put(expiring, "b", g={"S": "x"})

    expiring.clock.advance(300)

    assert keys(expiring, IndexName="gsi1") == ["b"]
    assert expiring.describe()["ItemCount"] == 1


@pytest.mark.parametrize(
    ("attributes", "stays"),
    [
        ({"exp": {"N": str(START_SECONDS)}}, False),
        ({"exp": {"N": "1767225600.5"}}, False),
        ({"exp": {"S": str(START_SECONDS)}}, True),
        ({"exp": {"L": [{"N": str(START_SECONDS)}]}}, True),
        ({"other": {"N": str(START_SECONDS)}}, True),
        ({}, True),
        ({"exp": {"N": "1E125"}}, True),
        ({"exp": {"N": str(START_SECONDS + 300 - 5 * YEAR_SECONDS)}}, False),
        ({"exp": {"N": str(START_SECONDS + 299 - 5 * YEAR_SECONDS)}}, True),
        ({"exp": {"N": "1"}}, True),
    ],
)
def test_only_a_number_of_the_last_five_years_expires(expiring, attributes, stays):
    put(expiring, "a", **attributes)

    expiring.clock.advance(300)

    assert (keys(expiring) == ["a"]) is stays


def test_nobody_is_charged_for_what_expires(account):
    account.create("tab1", capacity=(5, 5))
    account.call("UpdateTimeToLive", **expiry())
    for number in range(4):
        put_expiring(account, str(number), in_seconds=1)

    account.clock.advance(300)

    outcomes = [
        account.engine.handle("PutItem", {"TableName": "tab1", "Item": {"pk": {"S": f"{number}"}}}, "us-west-2")
        for number in range(10, 1511)
    ]
    assert [outcome.error is None for outcome in outcomes] == [True] * 1500 + [False]


def test_an_item_that_is_prolonged_in_time_stays(expiring):
    put_expiring(expiring, "a", in_seconds=10)
    expiring.clock.advance(299)
    put_expiring(expiring, "a", in_seconds=1000)

    expiring.clock.advance(300)

    assert keys(expiring) == ["a"]


def test_what_expired_while_nothing_did_expire_goes_with_the_first_pass(table):
    put_expiring(table, "a", in_seconds=1)
    table.clock.advance(900)
    table.call("UpdateTimeToLive", **expiry())

    assert keys(table) == ["a"]
    table.clock.advance(300)
    assert keys(table) == []


def test_nothing_expires_once_it_is_disabled(expiring):
    put_expiring(expiring, "a", in_seconds=1)
    expiring.call("UpdateTimeToLive", **expiry(enabled=False))

    expiring.clock.advance(900)

    assert keys(expiring) == ["a"]


@pytest.mark.parametrize(("seconds", "before", "at"), [(60, 59, 60), (172_800, 172_799, 172_800)])
def test_the_time_between_passes_is_a_setting(expiring, seconds, before, at):
    expiring.limits(ttl_sweep_seconds=seconds)
    put_expiring(expiring, "a", in_seconds=1)

    expiring.clock.advance(before)
    assert keys(expiring) == ["a"]
    expiring.clock.advance(at - before)
    assert keys(expiring) == []


def test_without_time_between_passes_an_item_goes_as_soon_as_it_has_expired(expiring):
    expiring.limits(ttl_sweep_seconds=0)
    put_expiring(expiring, "a", in_seconds=10)

    expiring.clock.advance(10)
    assert keys(expiring) == ["a"]
    expiring.clock.advance(0.001)
    assert keys(expiring) == []


def test_a_snapshot_knows_what_expires(expiring):
    put_expiring(expiring, "a", in_seconds=1)
    expiring.clock.advance(200)
    before = expiring.engine.snapshot()
    expiring.clock.advance(100)
    assert keys(expiring) == []

    expiring.engine.restore(before)

    assert keys(expiring) == ["a"]
    expiring.clock.advance(100)
    assert keys(expiring) == []
