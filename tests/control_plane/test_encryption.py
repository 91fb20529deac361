"""Whose key a table is encrypted with, how it is told, and how often it may change."""

from __future__ import annotations

import pytest

KEY = "arn:aws:kms:us-west-2:123456789012:key/301f0bb6-edf0-476a-9525-14f2ee58148a"
OTHER_KEY = "arn:aws:kms:us-west-2:123456789012:key/76d9a4a7-0000-4000-8000-14f2ee58148a"
INVALID = "ValidationException: One or more parameter values were invalid: "
STILL = (
    "ResourceInUseException: Attempt to change a resource which is still in use: "
    "Server-Side Encryption is still being updated"
)
TOO_MANY = (
    "LimitExceededException: Subscriber limit exceeded: Encryption mode changes are limited in the 24h window ending at {}. "
    "After the first 4 change, each subsequent change in the same window can be performed at most once every 21600 "
    "seconds. Number of updates today: {}. Last change at {}. Next changes can be made at {}."
)


def key(arn=KEY):
    return {"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": arn}


def update(account, **specification):
    return account.update("tab1", SSESpecification=specification)


def change(account, times):
    """Change the key so often, one second apart."""
    for number in range(times):
        update(account, **key((KEY, OTHER_KEY)[number % 2]))
        account.clock.advance(1)


def refused(account, **specification):
    return account.refused("UpdateTable", TableName="tab1", SSESpecification=specification)


@pytest.fixture
def table(account):
    account.create("tab1")
    return account


def test_a_table_that_dynamodb_encrypts_with_its_own_key_shows_nothing(table):
    assert "SSEDescription" not in table.describe("tab1")


@pytest.mark.parametrize("specification", [{"Enabled": True}, {"SSEType": "KMS"}, {"Enabled": True, "SSEType": "KMS"}])
def test_the_account_s_managed_key_is_asked_for_without_a_key(account, specification):
    account.create("tab1", SSESpecification=specification)

    shown = account.describe("tab1")["SSEDescription"]
    assert (shown["Status"], shown["SSEType"]) == ("ENABLED", "KMS")
    assert shown["KMSMasterKeyArn"].startswith("arn:aws:kms:us-west-2:123456789012:key/")


def test_the_managed_key_is_one_for_all_tables_and_its_alias_names_it(account):
    account.create("tab1", SSESpecification={"Enabled": True})
    account.create("tab2", SSESpecification=key("alias/aws/dynamodb"))

    assert account.describe("tab1")["SSEDescription"] == account.describe("tab2")["SSEDescription"]


def test_a_key_can_be_named_by_its_id(account):
    account.create("tab1", SSESpecification=key(KEY.rpartition("/")[2]))

    assert account.describe("tab1")["SSEDescription"]["KMSMasterKeyArn"] == KEY


def test_update_table_says_that_the_encryption_changes_and_shows_the_old_key(table):
    first = update(table, **key())
    second = update(table, Enabled=False)

    assert (first["TableStatus"], first["SSEDescription"]) == ("ACTIVE", {"Status": "UPDATING"})
    assert second["SSEDescription"] == {"Status": "UPDATING", "SSEType": "KMS", "KMSMasterKeyArn": KEY}
    assert "SSEDescription" not in table.describe("tab1")


@pytest.mark.parametrize(
    ("specification", "expected"),
    [
        ({"Enabled": False, "SSEType": "KMS"}, "SSEType can not be specified if Enabled is false"),
        ({"Enabled": False, "KMSMasterKeyId": KEY}, "KMSMasterKeyId can not be specified if Enabled is false"),
        ({"Enabled": True, "KMSMasterKeyId": KEY}, "SSEType KMS is required if KMSMasterKeyId is specified"),
        ({"Enabled": True, "SSEType": "AES256"}, "SSEType AES256 is not supported"),
    ],
)
def test_members_that_contradict_each_other_are_refused(table, specification, expected):
    assert refused(table, **specification) == INVALID + expected
    request = table.new_table("tab2", SSESpecification=specification)
    assert table.refused("CreateTable", **request) == INVALID + expected


@pytest.mark.parametrize("specification", [{}, {"Enabled": False}])
def test_dynamodb_s_own_key_is_no_change_where_it_is_there(table, specification):
    assert refused(table, **specification) == f"{INVALID}Table is already encrypted by default"


def test_the_present_key_is_refused_by_its_arn_and_counted_by_another_name(table):
    update(table, **key())

    assert refused(table, **key()) == (
        f"{INVALID}Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you want to "
        "change Master Key"
    )
    for _ in range(3):
        update(table, **key(KEY.rpartition("/")[2]))
    assert refused(table, **key(OTHER_KEY)).startswith("LimitExceededException")


def test_four_changes_are_allowed_and_the_fifth_is_refused(table):
    change(table, 4)

    assert refused(table, **key()) == TOO_MANY.format(
        "2026-01-02T00:00:00.000Z", 4, "2026-01-01T00:00:03.000Z", "2026-01-01T06:00:03.000Z"
    )


def test_one_more_change_is_allowed_six_hours_after_the_last(table):
    change(table, 4)
    table.clock.move_to("2026-01-01T06:00:02.999Z")

    assert refused(table, **key()).startswith("LimitExceededException")
    table.clock.advance(0.001)
    update(table, **key())
    assert refused(table, **key(OTHER_KEY)).startswith("LimitExceededException")


def test_a_new_window_begins_24_hours_after_its_first_change(table):
    change(table, 4)
    table.clock.move_to("2026-01-01T20:00:00Z")
    update(table, **key())
    table.clock.move_to("2026-01-01T23:59:59.999Z")

    assert "Next changes can be made at 2026-01-02T00:00:00.000Z." in refused(table, **key(OTHER_KEY))
    table.clock.advance(0.001)
    for arn in (OTHER_KEY, KEY, OTHER_KEY, KEY):
        update(table, **key(arn))


def test_what_would_change_nothing_is_told_before_the_budget(table):
    change(table, 3)
    update(table, Enabled=False)

    assert refused(table, Enabled=False) == f"{INVALID}Table is already encrypted by default"


def test_a_table_made_anew_has_a_new_budget(table):
    change(table, 4)
    table.call("DeleteTable", TableName="tab1")
    table.create("tab1")

    change(table, 4)


def test_a_change_takes_its_time_under_a_realistic_lifecycle(account):
    account.limits(lifecycle="realistic")
    account.create("tab1")
    account.clock.advance(60)
    update(account, **key())

    assert account.describe("tab1")["SSEDescription"] == {"Status": "UPDATING"}
    assert account.describe("tab1")["TableStatus"] == "ACTIVE"
    assert refused(account, Enabled=False) == STILL
    assert account.refused("DeleteTable", TableName="tab1") == STILL
    account.clock.advance(22.3)
    assert account.describe("tab1")["SSEDescription"]["Status"] == "ENABLED"
    update(account, Enabled=False)
