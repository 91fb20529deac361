"""``StreamSpecification``: how a table's stream is enabled, disabled and shown, and what is refused."""

from __future__ import annotations

import pytest

ARN = "arn:aws:dynamodb:us-west-2:123456789012:table/tab1/stream/"
V = "ValidationException: "
P = f"{V}One or more parameter values were invalid: "
IN_USE = "ResourceInUseException: Attempt to change a resource which is still in use: "


def on(view_type="NEW_AND_OLD_IMAGES"):
    return {"StreamEnabled": True, "StreamViewType": view_type}


OFF = {"StreamEnabled": False}


def shown(description):
    return {name: value for name, value in description.items() if "Stream" in name}


def streams(account):
    return [stream["StreamLabel"] for stream in account.call("ListStreams")["Streams"]]


def status(account, label):
    return account.call("DescribeStream", StreamArn=f"{ARN}{label}")["StreamDescription"]["StreamStatus"]


def test_a_table_is_created_with_a_stream(account):
    reply = account.create("tab1", StreamSpecification=on("KEYS_ONLY"))

    assert shown(reply) == {
        "StreamSpecification": on("KEYS_ONLY"),
        "LatestStreamArn": f"{ARN}2026-01-01T00:00:00.000",
        "LatestStreamLabel": "2026-01-01T00:00:00.000",
    }
    assert shown(account.describe()) == shown(reply)


@pytest.mark.parametrize("more", [{}, {"StreamSpecification": OFF}])
def test_a_table_without_a_stream_shows_none(account, more):
    account.create("tab1", **more)

    assert shown(account.describe()) == {}
    assert streams(account) == []


def test_each_stream_is_a_new_one_and_the_old_ones_are_still_listed(account):
    account.create("tab1")
    account.clock.advance(1.5)

    reply = account.update(StreamSpecification=on("NEW_IMAGE"))
    assert (reply["TableStatus"], reply["LatestStreamLabel"]) == ("UPDATING", "2026-01-01T00:00:01.500")
    account.update(StreamSpecification=OFF)
    assert shown(account.describe()) == {
        "LatestStreamArn": f"{ARN}2026-01-01T00:00:01.500",
        "LatestStreamLabel": "2026-01-01T00:00:01.500",
    }
    account.update(StreamSpecification=on("OLD_IMAGE"))

    assert account.describe()["LatestStreamLabel"] == "2026-01-01T00:00:01.501"
    assert streams(account) == ["2026-01-01T00:00:01.500", "2026-01-01T00:00:01.501"]
    assert [status(account, label) for label in streams(account)] == ["DISABLED", "ENABLED"]


def test_a_deleted_tables_stream_is_disabled_and_a_new_table_has_another(account):
    account.create("tab1", StreamSpecification=on())
    account.call("DeleteTable", TableName="tab1")
    account.create("tab1", StreamSpecification=on())

    assert streams(account) == ["2026-01-01T00:00:00.000", "2026-01-01T00:00:00.001"]
    assert [status(account, label) for label in streams(account)] == ["DISABLED", "ENABLED"]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (
            {"StreamEnabled": True},
            f"{P}Table is being created with a stream enabled, UpdateViewType is required",
        ),
        (
            {**on(), "StreamEnabled": False},
            f"{P}Table is being created with a stream disabled, UpdateViewType should not be specified",
        ),
        (
            {},
            f"{V}1 validation error detected: Value null at 'streamSpecification.streamEnabled' failed to satisfy "
            "constraint: Member must not be null",
        ),
        (
            on("EVERYTHING"),
            f"{V}1 validation error detected: Value 'EVERYTHING' at 'streamSpecification.streamViewType' failed to satisfy "
            "constraint: Member must satisfy enum value set: [NEW_IMAGE, OLD_IMAGE, NEW_AND_OLD_IMAGES, KEYS_ONLY]",
        ),
    ],
)
def test_a_specification_that_can_not_be_refuses_a_new_table(account, asked, expected):
    assert account.refused("CreateTable", **account.new_table("tab1", StreamSpecification=asked)) == expected


@pytest.mark.parametrize(
    ("before", "asked", "expected"),
    [
        (None, {"StreamEnabled": True}, f"{P}If stream is being enabled then UpdateViewType is required"),
        (
            on(),
            {**on(), "StreamEnabled": False},
            f"{P}If stream is being disabled, then UpdateViewType must not be specified",
        ),
        (on(), on(), f"{V}Table already has an enabled stream: TableName: tab1"),
        (on("KEYS_ONLY"), on(), f"{V}Table already has an enabled stream: TableName: tab1"),
        (None, OFF, f"{V}Table has no stream to disable: TableName: tab1"),
    ],
)
def test_a_specification_that_can_not_be_refuses_an_update(account, before, asked, expected):
    account.create("tab1", **({"StreamSpecification": before} if before else {}))

    assert account.refused("UpdateTable", TableName="tab1", StreamSpecification=asked) == expected


BESIDE = [
    ("units", f"{P}You cannot modify stream status while updating table IOPS"),
    ("mode", f"{P}You cannot modify stream status while updating table IOPS"),
    ("index", f"{P}You cannot create or delete index while changing stream status"),
    ("class", f"{P}TableClass modification must be the only operation in the request"),
    ("protection", f"{P}DeletionProtection modification must be the only operation in the request"),
    ("warmth", f"{P}WarmThroughput must be the only operation in the request"),
    ("caps", f"{P}OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"),
]


@pytest.mark.parametrize(("what", "expected"), BESIDE)
def test_a_stream_is_changed_beside_nothing_else(account, what, expected):
    account.create("tab1", capacity=(5, 5))
    units = {"ProvisionedThroughput": account.units(6, 6)}
    members = {
        "units": units,
        "mode": {"BillingMode": "PROVISIONED", **units},
        "index": account.index_creation("gsi1", (5, 5)),
        "class": {"TableClass": "STANDARD"},
        "protection": {"DeletionProtectionEnabled": True},
        "warmth": {"WarmThroughput": {"ReadUnitsPerSecond": 13_000}},
        "caps": {"OnDemandThroughput": {"MaxReadRequestUnits": 5}},
    }[what]

    assert account.refused("UpdateTable", TableName="tab1", StreamSpecification=on(), **members) == expected


def test_a_stream_may_be_changed_beside_a_switch_to_on_demand(account):
    account.create("tab1", capacity=(5, 5))

    account.update(BillingMode="PAY_PER_REQUEST", StreamSpecification=on())

    description = account.describe()
    assert description["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert description["StreamSpecification"] == on()


# ------------------------------------------------------------------------------------------------- it takes its time


@pytest.fixture
def slow(account):
    account.limits(lifecycle="realistic")
    account.create("tab1")
    account.clock.advance(60)
    return account


def test_a_table_is_updating_while_its_stream_is_enabled_and_disabled(slow):
    slow.update(StreamSpecification=on())
    label = "2026-01-01T00:01:00.000"

    slow.clock.advance(3.9)
    assert (slow.describe()["TableStatus"], status(slow, label)) == ("UPDATING", "ENABLING")
    slow.clock.advance(0.1)
    assert (slow.describe()["TableStatus"], status(slow, label)) == ("ACTIVE", "ENABLED")

    slow.update(StreamSpecification=OFF)
    slow.clock.advance(4.5)
    assert (slow.describe()["TableStatus"], status(slow, label)) == ("UPDATING", "DISABLING")
    slow.clock.advance(0.1)
    assert (slow.describe()["TableStatus"], status(slow, label)) == ("ACTIVE", "DISABLED")


def test_a_table_whose_stream_is_on_its_way_is_neither_deleted_nor_given_another(slow):
    slow.update(StreamSpecification=on())

    busy = f"{IN_USE}Table: tab1 is in the process of being updated."
    assert slow.refused("DeleteTable", TableName="tab1") == busy
    assert slow.refused("UpdateTable", TableName="tab1", StreamSpecification=OFF) == busy


def test_streams_are_listed_5_and_described_10_times_a_second(slow):
    slow.update(StreamSpecification=on())
    arn = slow.describe()["LatestStreamArn"]

    for _ in range(5):
        slow.call("ListStreams")
    for _ in range(10):
        slow.call("DescribeStream", StreamArn=arn)

    assert slow.refused("ListStreams") == "ThrottlingException: Rate exceeded"
    assert slow.refused("DescribeStream", StreamArn=arn) == "ThrottlingException: Rate exceeded"
    slow.clock.advance(0.2)
    slow.call("ListStreams")
    slow.call("DescribeStream", StreamArn=arn)
