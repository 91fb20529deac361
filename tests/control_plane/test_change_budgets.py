"""How often a table may be changed, on the virtual clock."""

from __future__ import annotations

import pytest

DECREASES = (
    "LimitExceededException: Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC "
    "day. After the first 4 decreases, each subsequent decrease in the same UTC day can be performed at most once every "
    "3600 seconds. Number of decreases today: {}. Last decrease at {} Coordinated Universal Time. Next decrease can be "
    "made at {} Coordinated Universal Time"
)
SWITCHES = (
    "LimitExceededException: Subscriber limit exceeded: Update to PayPerRequest mode are limited to 4 times in 1 "
    "day(s)."
)
CLASSES = (
    "LimitExceededException: Subscriber limit exceeded: Updates to TableClass are limited to 2 times in 30 day(s)."
)


def units(read, write=50):
    return {"ReadCapacityUnits": read, "WriteCapacityUnits": write}


def of_index(read):
    return [{"Update": {"IndexName": "gsi1", "ProvisionedThroughput": units(read)}}]


def decrease(account, reads):
    for read in reads:
        account.update("tab1", ProvisionedThroughput=units(read))


@pytest.fixture
def table(account):
    """Give an account with a table and an index of 50 units each, at twenty past noon."""
    account.clock.move_to("2026-01-01T12:21:34Z")
    account.create("tab1", (50, 50), indexes={"gsi1": (50, 50)})
    return account


def test_the_fifth_decrease_of_a_day_is_refused(table):
    decrease(table, [40, 30, 20, 10])

    refused = table.refused("UpdateTable", TableName="tab1", ProvisionedThroughput=units(5))

    at = ("Thursday, January 1, 2026 at 12:21:34 PM", "Thursday, January 1, 2026 at 1:21:34 PM")
    assert refused == DECREASES.format(4, *at)
    assert table.describe("tab1")["ProvisionedThroughput"]["NumberOfDecreasesToday"] == 4


def test_one_more_decrease_is_allowed_an_hour_after_the_last(table):
    decrease(table, [40, 30, 20, 10])
    table.clock.advance(3599.999999)

    assert table.refused("UpdateTable", TableName="tab1", ProvisionedThroughput=units(5)).startswith("LimitExceeded")
    table.clock.advance(0.000001)
    decrease(table, [5])
    at = ("Thursday, January 1, 2026 at 1:21:34 PM", "Thursday, January 1, 2026 at 2:21:34 PM")
    assert table.refused("UpdateTable", TableName="tab1", ProvisionedThroughput=units(4)) == DECREASES.format(5, *at)


def test_at_midnight_the_budget_is_whole_again(table):
    table.clock.move_to("2026-01-01T23:40:00Z")
    decrease(table, [40, 30, 20, 10])

    refused = table.refused("UpdateTable", TableName="tab1", ProvisionedThroughput=units(9))

    at = ("Thursday, January 1, 2026 at 11:40:00 PM", "Friday, January 2, 2026 at 12:00:00 AM")
    assert refused == DECREASES.format(4, *at)
    table.clock.move_to("2026-01-02T00:00:00Z")
    decrease(table, [9, 8, 7, 6])
    assert table.refused("UpdateTable", TableName="tab1", ProvisionedThroughput=units(5)).startswith("LimitExceeded")


def test_down_in_one_direction_and_up_in_the_other_is_one_decrease(table):
    table.update("tab1", ProvisionedThroughput=units(30, 60))

    shown = table.describe("tab1")["ProvisionedThroughput"]
    assert shown["NumberOfDecreasesToday"] == 1
    assert "LastIncreaseDateTime" not in shown


def test_increases_are_never_limited(table):
    decrease(table, [40, 30, 20, 10])

    for read in range(11, 20):
        table.update("tab1", ProvisionedThroughput=units(read))

    assert table.describe("tab1")["ProvisionedThroughput"]["NumberOfDecreasesToday"] == 4


def test_a_table_and_its_index_have_budgets_of_their_own(table):
    decrease(table, [40, 30, 20, 10])

    for read in (40, 30, 20, 10):
        table.update("tab1", GlobalSecondaryIndexUpdates=of_index(read))

    assert table.refused("UpdateTable", TableName="tab1", GlobalSecondaryIndexUpdates=of_index(9)).startswith("Limit")


def test_one_spent_budget_refuses_the_table_and_the_index_together(table):
    decrease(table, [40, 30, 20, 10])

    refused = table.refused(
        "UpdateTable", TableName="tab1", ProvisionedThroughput=units(5), GlobalSecondaryIndexUpdates=of_index(40)
    )

    assert refused.startswith("LimitExceededException: Subscriber limit exceeded: Provisioned throughput decreases")


def test_a_table_that_is_made_again_has_a_budget_of_its_own(table):
    decrease(table, [40, 30, 20, 10])
    table.call("DeleteTable", TableName="tab1")
    table.create("tab1", (50, 50))

    decrease(table, [40])

    assert table.describe("tab1")["ProvisionedThroughput"]["NumberOfDecreasesToday"] == 1


def switch(account, times):
    for _ in range(times):
        account.update("tab1", BillingMode="PAY_PER_REQUEST")
        account.update("tab1", BillingMode="PROVISIONED", ProvisionedThroughput=units(50))


def test_the_fifth_switch_to_on_demand_within_a_day_is_refused(account):
    account.create("tab1", (50, 50))
    switch(account, 1)
    account.clock.advance(3600)
    switch(account, 3)

    assert account.refused("UpdateTable", TableName="tab1", BillingMode="PAY_PER_REQUEST") == SWITCHES
    account.clock.advance(82_799.999999)
    assert account.refused("UpdateTable", TableName="tab1", BillingMode="PAY_PER_REQUEST") == SWITCHES
    account.clock.advance(0.000001)
    switch(account, 1)
    assert account.refused("UpdateTable", TableName="tab1", BillingMode="PAY_PER_REQUEST") == SWITCHES


def test_a_mode_that_is_sent_again_is_no_switch(account):
    account.create("tab1")

    for _ in range(9):
        account.update("tab1", BillingMode="PAY_PER_REQUEST")

    assert account.describe("tab1")["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"


def test_the_third_change_of_the_table_class_within_thirty_days_is_refused(account):
    account.create("tab1")
    account.update("tab1", TableClass="STANDARD_INFREQUENT_ACCESS")
    account.clock.advance(60)
    account.update("tab1", TableClass="STANDARD")

    for table_class in ("STANDARD", "STANDARD_INFREQUENT_ACCESS"):
        assert account.refused("UpdateTable", TableName="tab1", TableClass=table_class) == CLASSES
    account.clock.advance(30 * 86_400 - 60.000001)
    assert account.refused("UpdateTable", TableName="tab1", TableClass="STANDARD_INFREQUENT_ACCESS") == CLASSES
    account.clock.advance(0.000001)
    account.update("tab1", TableClass="STANDARD_INFREQUENT_ACCESS")
    assert account.describe("tab1")["TableClassSummary"]["TableClass"] == "STANDARD_INFREQUENT_ACCESS"


def test_a_class_that_is_sent_again_is_no_change(account):
    account.create("tab1")

    for _ in range(5):
        account.update("tab1", TableClass="STANDARD")

    assert "TableClassSummary" not in account.describe("tab1")
