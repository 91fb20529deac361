"""Maxima of the account: each at its bound and one step over it, with the service's sentence, and nothing changed."""

from __future__ import annotations

import pytest

GUIDE = "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."
PER_TABLE = (
    "LimitExceededException: The requested {}, {}, is above the per table maximum for the account in us-west-2. "
    "Per table maximum: {}. " + GUIDE
)
PER_INDEX = (
    "LimitExceededException: The requested {} for index {}, {}, is above the per index maximum for the account in "
    "us-west-2. Per table maximum: {}. " + GUIDE
)
ACCOUNT = (
    "LimitExceededException: This request would have caused the {0} limit to be exceeded for the account in us-west-2. "
    "Current {0} reserved by the account: {1}. Limit: {2}. Requested: {3}. " + GUIDE
)
ACCOUNT_OF_TABLE = (
    "LimitExceededException: This request would have caused the {0} limit to be exceeded for the account in us-west-2. "
    "Current {0} reserved by the account: {1}. Current {0} provisioned for the table and indexes: {2}. Limit: {3}. "
    "Requested: {4}. " + GUIDE
)
READ, WRITE = "ReadCapacityUnits", "WriteCapacityUnits"
TABLES_100 = {"per_table_max_rcu": 100, "per_table_max_wcu": 100}
ACCOUNT_150 = {"per_account_max_rcu": 150, "per_account_max_wcu": 150}


def units(read, write):
    return {"ReadCapacityUnits": read, "WriteCapacityUnits": write}


def of_index(name, read, write):
    return [{"Update": {"IndexName": name, "ProvisionedThroughput": units(read, write)}}]


@pytest.mark.parametrize(
    ("limits", "capacity", "indexes", "expected"),
    [
        (TABLES_100, (101, 1), {}, PER_TABLE.format(READ, 101, 100)),
        (TABLES_100, (1, 101), {}, PER_TABLE.format(WRITE, 101, 100)),
        (TABLES_100, (101, 101), {}, PER_TABLE.format(READ, 101, 100)),
        (TABLES_100, (100, 1), {"gsi1": (1, 1)}, PER_TABLE.format(READ, 101, 100)),
        (TABLES_100, (1, 50), {"gsi1": (1, 50), "gsi2": (1, 1)}, PER_TABLE.format(WRITE, 101, 100)),
        (
            {**TABLES_100, "per_table_scope": "each"},
            (1, 1),
            {"gsi1": (101, 1)},
            PER_INDEX.format(READ, "gsi1", 101, 100),
        ),
        ({**TABLES_100, "per_table_scope": "each"}, (1, 101), {"gsi1": (101, 1)}, PER_TABLE.format(WRITE, 101, 100)),
        (ACCOUNT_150, (151, 1), {}, ACCOUNT.format(READ, 0, 150, 151)),
        (ACCOUNT_150, (1, 151), {}, ACCOUNT.format(WRITE, 0, 150, 151)),
        (ACCOUNT_150, (150, 1), {"gsi1": (1, 1)}, ACCOUNT.format(READ, 0, 150, 151)),
        ({**TABLES_100, **ACCOUNT_150}, (101, 151), {}, ACCOUNT.format(WRITE, 0, 150, 151)),
        (
            {"max_tables_per_account": 0},
            (1, 1),
            {},
            "LimitExceededException: There is a soft account quota of 0 tables.",
        ),
        ({"max_tables_per_account": 0}, None, {}, "LimitExceededException: There is a soft account quota of 0 tables."),
        ({**TABLES_100, "max_tables_per_account": 0}, (101, 1), {}, PER_TABLE.format(READ, 101, 100)),
        ({}, (40_001, 1), {}, PER_TABLE.format(READ, 40_001, 40_000)),
        ({"per_table_max_rcu": 90_000}, (80_001, 1), {}, ACCOUNT.format(READ, 0, 80_000, 80_001)),
    ],
)
def test_a_new_table_over_a_maximum_is_refused(account, limits, capacity, indexes, expected):
    account.limits(**limits)

    assert account.refused("CreateTable", **account.new_table("tab1", capacity, indexes)) == expected


@pytest.mark.parametrize(
    ("limits", "capacity", "indexes"),
    [
        (TABLES_100, (100, 100), {}),
        (TABLES_100, (99, 50), {"gsi1": (1, 50)}),
        ({**TABLES_100, "per_table_scope": "each"}, (100, 100), {"gsi1": (100, 100)}),
        (ACCOUNT_150, (150, 149), {}),
        (ACCOUNT_150, (75, 149), {"gsi1": (75, 1)}),
        ({"max_tables_per_account": 1}, (1, 1), {}),
        ({"per_table_max_rcu": 0, "per_table_max_wcu": 0, "per_account_max_rcu": 0}, None, {"gsi1": None}),
    ],
)
def test_a_new_table_at_a_maximum_is_created(account, limits, capacity, indexes):
    account.limits(**limits)

    assert account.create("tab1", capacity, indexes=indexes)["TableName"] == "tab1"


def test_a_new_table_is_judged_by_what_all_tables_and_indexes_of_the_region_hold(account):
    account.limits(**ACCOUNT_150)
    account.create("tab1", (50, 1), indexes={"gsi1": (30, 1)})
    account.create("tab2", (19, 1))
    account.create("tab3", None, indexes={"gsi1": None})
    account.engine.handle("CreateTable", account.new_table("elsewhere", (150, 1)), "eu-west-1")

    refused = account.refused("CreateTable", **account.new_table("tab4", (52, 1)))

    assert refused == ACCOUNT.format(READ, 99, 150, 52)
    assert account.create("tab4", (51, 1))["TableName"] == "tab4"


def test_what_a_deleted_table_held_is_free_again(account):
    account.limits(**ACCOUNT_150, max_tables_per_account=1)
    account.create("tab1", (150, 1))
    account.call("DeleteTable", TableName="tab1")

    assert account.create("tab2", (150, 1))["TableName"] == "tab2"


ORDER = {"max_tables_per_account": 1, **TABLES_100, **ACCOUNT_150}


@pytest.mark.parametrize(
    ("request_of", "expected"),
    [
        (
            {"name": "tab1", "KeySchema": [{"AttributeName": "undefined", "KeyType": "HASH"}]},
            "ValidationException: One or more parameter values were invalid: Some index key attributes are not defined in "
            "AttributeDefinitions. Keys: [undefined], AttributeDefinitions: [pk]",
        ),
        ({"name": "tab1"}, "ResourceInUseException: Table already exists: tab1"),
        ({"name": "tab2"}, ACCOUNT.format(READ, 1, 150, 500)),
        ({"name": "tab2", "capacity": (101, 1)}, PER_TABLE.format(READ, 101, 100)),
        ({"name": "tab2", "capacity": (1, 1)}, "LimitExceededException: There is a soft account quota of 1 tables."),
    ],
)
def test_a_new_table_is_checked_by_definition_name_account_maximum_and_count_in_this_order(
    account, request_of, expected
):
    account.create("tab1", (1, 1))
    account.limits(**ORDER)

    assert account.refused("CreateTable", **account.new_table(**{"capacity": (500, 500), **request_of})) == expected


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"ProvisionedThroughput": units(101, 10)}, PER_TABLE.format(READ, 101, 100)),
        ({"ProvisionedThroughput": units(10, 101)}, PER_TABLE.format(WRITE, 101, 100)),
        ({"ProvisionedThroughput": units(101, 101)}, PER_TABLE.format(READ, 101, 100)),
        ({"GlobalSecondaryIndexUpdates": of_index("gsi1", 101, 10)}, PER_INDEX.format(READ, "gsi1", 101, 100)),
        ({"GlobalSecondaryIndexUpdates": of_index("gsi1", 10, 101)}, PER_INDEX.format(WRITE, "gsi1", 101, 100)),
        ({"ProvisionedThroughput": units(91, 10)}, ACCOUNT_OF_TABLE.format(READ, 70, 20, 150, 101)),
        ({"ProvisionedThroughput": units(10, 91)}, ACCOUNT_OF_TABLE.format(WRITE, 70, 20, 150, 101)),
        ({"GlobalSecondaryIndexUpdates": of_index("gsi1", 91, 10)}, ACCOUNT_OF_TABLE.format(READ, 70, 20, 150, 101)),
        (
            {"ProvisionedThroughput": units(60, 10), "GlobalSecondaryIndexUpdates": of_index("gsi1", 41, 10)},
            ACCOUNT_OF_TABLE.format(READ, 70, 20, 150, 101),
        ),
        (
            {"ProvisionedThroughput": units(101, 10), "GlobalSecondaryIndexUpdates": of_index("gsi1", 101, 10)},
            PER_TABLE.format(READ, 101, 100),
        ),
    ],
)
def test_an_update_that_raises_something_over_a_maximum_is_refused(account, members, expected):
    account.create("tab0", (50, 50))
    account.create("tab1", (10, 10), indexes={"gsi1": (10, 10)})
    account.limits(**TABLES_100, **ACCOUNT_150)

    assert account.refused("UpdateTable", TableName="tab1", **members) == expected


@pytest.mark.parametrize(
    "members",
    [
        {"ProvisionedThroughput": units(90, 90)},
        {"GlobalSecondaryIndexUpdates": of_index("gsi1", 90, 90)},
        {"ProvisionedThroughput": units(100, 10), "GlobalSecondaryIndexUpdates": of_index("gsi1", 1, 10 + 1)},
    ],
)
def test_an_update_up_to_a_maximum_is_made(account, members):
    account.create("tab0", (49, 50))
    account.create("tab1", (10, 10), indexes={"gsi1": (10, 10)})
    account.limits(**TABLES_100, **ACCOUNT_150)

    assert account.update("tab1", **members)["TableName"] == "tab1"


@pytest.mark.parametrize(("read", "expected"), [(91, ACCOUNT_OF_TABLE.format(READ, 60, 10, 150, 101)), (90, None)])
def test_an_index_that_is_created_counts_for_the_account(account, read, expected):
    account.limits(**TABLES_100, **ACCOUNT_150)
    account.create("tab0", (50, 1))
    account.create("tab1", (10, 1))
    creation = account.index_creation("gsi1", (read, 1))

    if expected:
        assert account.refused("UpdateTable", TableName="tab1", **creation) == expected
    else:
        assert len(account.update("tab1", **creation)["GlobalSecondaryIndexes"]) == 1


def test_an_index_that_is_created_over_the_maximum_gets_the_sentence_of_indexes(account):
    account.limits(**TABLES_100)
    account.create("tab1", (1, 1))

    refused = account.refused("UpdateTable", TableName="tab1", **account.index_creation("gsi1", (1, 101)))

    assert refused == PER_INDEX.format(WRITE, "gsi1", 101, 100)


@pytest.mark.parametrize(
    ("capacity", "expected"),
    [
        ((101, 1), PER_TABLE.format(READ, 101, 100)),
        ((61, 1), ACCOUNT_OF_TABLE.format(READ, 100, 0, 150, 61)),
        ((50, 1), None),
    ],
)
def test_a_switch_to_provisioned_is_a_raise_from_nothing(account, capacity, expected):
    account.limits(**TABLES_100, **ACCOUNT_150)
    account.create("tab0", (100, 1))
    account.create("tab1")
    members = {"BillingMode": "PROVISIONED", "ProvisionedThroughput": units(*capacity)}

    if expected:
        assert account.refused("UpdateTable", TableName="tab1", **members) == expected
    else:
        assert account.update("tab1", **members)["TableStatus"] == "UPDATING"


def test_a_switch_to_on_demand_frees_what_the_table_and_its_indexes_held(account):
    account.limits(**ACCOUNT_150)
    account.create("tab1", (100, 1), indexes={"gsi1": (50, 1)})
    account.update("tab1", BillingMode="PAY_PER_REQUEST")

    assert account.create("tab2", (150, 1))["TableName"] == "tab2"


@pytest.mark.parametrize(
    "members",
    [
        {"ProvisionedThroughput": units(400, 400)},
        {"ProvisionedThroughput": units(500, 400)},
        {"ProvisionedThroughput": units(400, 400), "GlobalSecondaryIndexUpdates": of_index("gsi1", 90, 90)},
        {"GlobalSecondaryIndexUpdates": of_index("gsi1", 70, 70)},
        {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "gsi1"}}]},
        {"DeletionProtectionEnabled": True},
    ],
)
def test_above_a_lowered_maximum_what_is_not_raised_is_not_refused(account, members):
    account.create("tab1", (500, 500), indexes={"gsi1": (80, 80)})
    account.limits(**TABLES_100, **ACCOUNT_150)

    assert account.update("tab1", **members)["TableName"] == "tab1"


def test_above_a_lowered_maximum_the_direction_that_is_raised_is_refused(account):
    account.create("tab1", (500, 10))
    account.limits(**TABLES_100)

    refused = account.refused("UpdateTable", TableName="tab1", ProvisionedThroughput=units(400, 101))

    assert refused == PER_TABLE.format(WRITE, 101, 100)


def test_more_tables_than_a_lowered_quota_stay_and_none_is_added(account):
    account.create("tab1")
    account.create("tab2")
    account.limits(max_tables_per_account=1)

    refused = account.refused("CreateTable", **account.new_table("tab3"))

    assert refused == "LimitExceededException: There is a soft account quota of 1 tables."
    assert account.call("ListTables")["TableNames"] == ["tab1", "tab2"]


QUOTA = (
    "LimitExceededException: Subscriber limit exceeded: Requested {} for {} for {} exceeds {} of the account in region "
    "us-west-2"
)
ON_DEMAND = {"per_table_max_rcu": 20_000, "per_table_max_wcu": 10_000}
NUMBERS = [
    ("OnDemandThroughput", "MaxReadRequestUnits", 20_000, "TableMaxReadCapacityUnits", "index : gsi1"),
    ("OnDemandThroughput", "MaxWriteRequestUnits", 10_000, "TableMaxWriteCapacityUnits", "index : gsi1"),
    ("WarmThroughput", "ReadUnitsPerSecond", 20_000, "TableMaxReadCapacityUnits", "index gsi1"),
    ("WarmThroughput", "WriteUnitsPerSecond", 10_000, "TableMaxWriteCapacityUnits", "index gsi1"),
]


@pytest.mark.parametrize(("structure", "member", "maximum", "quota", "of"), NUMBERS)
def test_caps_and_warm_throughput_end_at_the_per_table_quota(account, structure, member, maximum, quota, of):
    account.create("tab1", indexes={"gsi1": None})
    account.limits(**ON_DEMAND)
    over, at = {structure: {member: maximum + 1}}, {structure: {member: maximum}}

    assert account.refused("UpdateTable", TableName="tab1", **over) == QUOTA.format(member, structure, "table", quota)
    update = {"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "gsi1", **over}}]}
    assert account.refused("UpdateTable", TableName="tab1", **update) == QUOTA.format(member, structure, of, quota)
    new = account.new_table("tab2", **over)
    assert account.refused("CreateTable", **new) == QUOTA.format(member, structure, "table", quota)
    account.update("tab1", **at)
    assert account.describe("tab1")[structure][member] == maximum


def test_a_cap_above_a_lowered_quota_can_still_be_lowered(account):
    account.create("tab1", OnDemandThroughput={"MaxReadRequestUnits": 30_000})
    account.limits(**ON_DEMAND)

    account.update("tab1", OnDemandThroughput={"MaxReadRequestUnits": 25_000})

    assert account.describe("tab1")["OnDemandThroughput"] == {"MaxReadRequestUnits": 25_000}


def test_describe_limits_shows_the_numbers_in_force(account):
    account.limits(per_account_max_rcu=150, per_account_max_wcu=140, per_table_max_rcu=100, per_table_max_wcu=90)

    assert account.call("DescribeLimits") == {
        "AccountMaxReadCapacityUnits": 150,
        "AccountMaxWriteCapacityUnits": 140,
        "TableMaxReadCapacityUnits": 100,
        "TableMaxWriteCapacityUnits": 90,
    }


def test_describe_limits_shows_the_defaults(account):
    assert list(account.call("DescribeLimits").values()) == [80_000, 80_000, 40_000, 40_000]


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({"per_table_max_rcu": -1}, "per_table_max_rcu=-1: a whole number, at least 0, is needed"),
        ({"max_tables_per_account": 2.5}, "max_tables_per_account=2.5: a whole number, at least 0, is needed"),
        ({"max_tables_per_account": True}, "max_tables_per_account=True: a whole number, at least 0, is needed"),
        ({"per_account_max_wcu": "9"}, "per_account_max_wcu='9': a whole number, at least 0, is needed"),
        ({"per_account_max_wcu": None}, "per_account_max_wcu=None: a whole number, at least 0, is needed"),
        ({"per_table_scope": "all"}, "per_table_scope='all': allowed are 'sum', 'each'"),
    ],
)
def test_a_limit_that_can_not_be_is_an_error_that_says_what_can(account, limits, expected):
    with pytest.raises(ValueError) as caught:
        account.limits(**limits)

    assert str(caught.value) == expected
