"""What the control plane's operations answer, member by member."""

from __future__ import annotations

import pytest

ARN = "arn:aws:dynamodb:us-west-2:123456789012:table/tab1"
START = 1_767_225_600.0
WARM = {"ReadUnitsPerSecond": 12_000, "WriteUnitsPerSecond": 4_000, "Status": "ACTIVE"}


def units(read, write):
    return {"ReadCapacityUnits": read, "WriteCapacityUnits": write}


def shown_units(read, write, **instants):
    return {**instants, "NumberOfDecreasesToday": 0, **units(read, write)}


def without_id(description):
    assert len(description.pop("TableId")) == 36
    return description


GSI = {
    "IndexName": "gsi1",
    "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
    "Projection": {"ProjectionType": "ALL"},
    "IndexSizeBytes": 0,
    "ItemCount": 0,
    "IndexArn": f"{ARN}/index/gsi1",
}


def test_an_on_demand_table_is_described_with_its_mode_and_warm_throughput(account):
    account.create("tab1", indexes={"gsi1": None})

    assert without_id(account.describe("tab1")) == {
        "AttributeDefinitions": account.strings("pk", "g"),
        "TableName": "tab1",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "TableStatus": "ACTIVE",
        "CreationDateTime": START,
        "ProvisionedThroughput": shown_units(0, 0),
        "TableSizeBytes": 0,
        "ItemCount": 0,
        "TableArn": ARN,
        "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST", "LastUpdateToPayPerRequestDateTime": START},
        "GlobalSecondaryIndexes": [
            {**GSI, "IndexStatus": "ACTIVE", "ProvisionedThroughput": shown_units(0, 0), "WarmThroughput": WARM}
        ],
        "WarmThroughput": WARM,
        "DeletionProtectionEnabled": False,
    }


def test_the_reply_of_create_table_says_creating_and_not_yet_what_comes_later(account):
    reply = account.create("tab1", indexes={"gsi1": None})

    assert reply["TableStatus"] == reply["GlobalSecondaryIndexes"][0]["IndexStatus"] == "CREATING"
    assert reply["BillingModeSummary"] == {"BillingMode": "PAY_PER_REQUEST"}
    assert "WarmThroughput" not in reply
    assert "WarmThroughput" not in reply["GlobalSecondaryIndexes"][0]
    assert set(account.describe("tab1")) - set(reply) == {"WarmThroughput"}


def test_the_reply_of_create_table_shows_the_warm_throughput_that_was_asked_for(account):
    reply = account.create("tab1", WarmThroughput={"ReadUnitsPerSecond": 13_000})

    assert reply["WarmThroughput"]["ReadUnitsPerSecond"] == 13_000


def test_a_provisioned_table_has_no_billing_mode_summary_until_it_was_on_demand(account):
    created = account.create("tab1", (5, 6))
    before = account.describe("tab1")
    account.clock.advance(1.0009999)
    reply = account.update("tab1", BillingMode="PAY_PER_REQUEST")

    assert "BillingModeSummary" not in created
    assert "BillingModeSummary" not in before
    assert before["ProvisionedThroughput"] == shown_units(5, 6)
    assert before["WarmThroughput"] == {"ReadUnitsPerSecond": 5, "WriteUnitsPerSecond": 6, "Status": "ACTIVE"}
    assert (reply["TableStatus"], reply["BillingModeSummary"]) == ("UPDATING", {"BillingMode": "PAY_PER_REQUEST"})
    assert account.describe("tab1")["BillingModeSummary"] == {
        "BillingMode": "PAY_PER_REQUEST",
        "LastUpdateToPayPerRequestDateTime": START + 1,
    }


def test_the_reply_of_update_table_shows_the_old_capacity_and_the_new_date(account):
    account.create("tab1", (5, 6))
    account.clock.advance(90.25)

    reply = account.update("tab1", ProvisionedThroughput=units(7, 6))

    assert reply["TableStatus"] == "UPDATING"
    assert reply["ProvisionedThroughput"] == shown_units(5, 6, LastIncreaseDateTime=START + 90.25)
    assert account.describe("tab1")["ProvisionedThroughput"] == shown_units(7, 6, LastIncreaseDateTime=START + 90.25)


def test_the_reply_to_a_decrease_shows_the_old_count(account):
    account.create("tab1", (5, 6))

    reply = account.update("tab1", ProvisionedThroughput=units(4, 6))

    assert reply["ProvisionedThroughput"] == shown_units(5, 6, LastDecreaseDateTime=START)
    assert account.describe("tab1")["ProvisionedThroughput"] == {
        "LastDecreaseDateTime": START,
        "NumberOfDecreasesToday": 1,
        **units(4, 6),
    }


@pytest.mark.parametrize(
    ("members", "status"),
    [
        ({"BillingMode": "PAY_PER_REQUEST"}, "UPDATING"),
        ({"TableClass": "STANDARD"}, "UPDATING"),
        ({"DeletionProtectionEnabled": True}, "ACTIVE"),
        ({"OnDemandThroughput": {"MaxReadRequestUnits": 5}}, "ACTIVE"),
        ({"WarmThroughput": {"ReadUnitsPerSecond": 13_000}}, "ACTIVE"),
        (
            {
                "GlobalSecondaryIndexUpdates": [
                    {"Update": {"IndexName": "gsi1", "OnDemandThroughput": {"MaxReadRequestUnits": 5}}}
                ]
            },
            "ACTIVE",
        ),
        ({"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "gsi1"}}]}, "UPDATING"),
    ],
)
def test_only_some_changes_say_updating(account, members, status):
    account.create("tab1", indexes={"gsi1": None})

    assert account.update("tab1", **members)["TableStatus"] == status
    assert account.describe("tab1")["TableStatus"] == "ACTIVE"


def test_the_reply_shows_a_new_index_creating_and_a_deleted_one_deleting(account):
    account.create("tab1", (5, 5))
    creating = account.update("tab1", **account.index_creation("gsi1", (7, 7)))["GlobalSecondaryIndexes"]
    active = account.describe("tab1")["GlobalSecondaryIndexes"]
    deleting = account.update("tab1", GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "gsi1"}}])

    assert (creating[0]["IndexStatus"], creating[0]["Backfilling"]) == ("CREATING", False)
    assert (active[0]["IndexStatus"], "Backfilling" in active[0]) == ("ACTIVE", False)
    assert deleting["GlobalSecondaryIndexes"][0]["IndexStatus"] == "DELETING"


def test_the_reply_shows_an_updated_index_updating_with_its_old_capacity(account):
    account.create("tab1", (5, 5), indexes={"gsi1": (5, 5)})
    update = {"Update": {"IndexName": "gsi1", "ProvisionedThroughput": units(7, 9)}}

    index = account.update("tab1", GlobalSecondaryIndexUpdates=[update])["GlobalSecondaryIndexes"][0]

    assert index["IndexStatus"] == "UPDATING"
    assert index["ProvisionedThroughput"] == shown_units(5, 5, LastIncreaseDateTime=START)


def test_the_reply_shows_warm_throughput_as_it_was(account):
    account.create("tab1")

    reply = account.update("tab1", WarmThroughput={"WriteUnitsPerSecond": 5_000})

    assert reply["WarmThroughput"] == {**WARM, "Status": "UPDATING"}
    assert account.describe("tab1")["WarmThroughput"] == {**WARM, "WriteUnitsPerSecond": 5_000}


def test_the_reply_shows_a_cap_that_is_taken_away_as_minus_one(account):
    account.create("tab1", OnDemandThroughput={"MaxReadRequestUnits": 5, "MaxWriteRequestUnits": 6})

    reply = account.update("tab1", OnDemandThroughput={"MaxReadRequestUnits": -1})

    assert reply["OnDemandThroughput"] == {"MaxReadRequestUnits": -1, "MaxWriteRequestUnits": 6}
    assert account.describe("tab1")["OnDemandThroughput"] == {"MaxWriteRequestUnits": 6}


def test_a_changed_table_class_is_shown_with_the_date_once_the_change_is_made(account):
    account.create("tab1")

    reply = account.update("tab1", TableClass="STANDARD_INFREQUENT_ACCESS")

    assert "TableClassSummary" not in reply
    assert account.describe("tab1")["TableClassSummary"] == {
        "TableClass": "STANDARD_INFREQUENT_ACCESS",
        "LastUpdateDateTime": START,
    }


def test_the_reply_of_delete_table_has_fewer_members(account):
    account.create("tab1", (5, 6), indexes={"gsi1": (1, 1)})
    account.call("PutItem", TableName="tab1", Item={"pk": {"S": "a"}})

    reply = without_id(account.call("DeleteTable", TableName="tab1")["TableDescription"])

    assert reply == {
        "TableName": "tab1",
        "TableStatus": "DELETING",
        "ProvisionedThroughput": shown_units(5, 6),
        "TableSizeBytes": 3,
        "ItemCount": 1,
        "TableArn": ARN,
        "DeletionProtectionEnabled": False,
    }


@pytest.mark.parametrize("operation", ["DescribeTable", "DeleteTable", "UpdateTable"])
def test_a_table_is_named_by_its_arn_as_well(account, operation):
    account.create("tab1")
    members = {"DeletionProtectionEnabled": False} if operation == "UpdateTable" else {}

    reply = account.call(operation, TableName=ARN, **members)

    assert next(iter(reply.values()))["TableName"] == "tab1"


@pytest.mark.parametrize("operation", ["DescribeTable", "DeleteTable"])
def test_a_table_that_is_not_there_is_named(account, operation):
    refused = account.refused(operation, TableName="none")

    assert refused == "ResourceNotFoundException: Requested resource not found: Table: none not found"


def test_tables_are_listed_by_name_a_page_at_a_time(account):
    for name in ("charlie", "alpha", "bravo"):
        account.create(name)

    first = account.call("ListTables", Limit=2)
    second = account.call("ListTables", Limit=2, ExclusiveStartTableName=first["LastEvaluatedTableName"])

    assert first == {"TableNames": ["alpha", "bravo"], "LastEvaluatedTableName": "bravo"}
    assert second == {"TableNames": ["charlie"]}


@pytest.mark.parametrize(
    ("limit", "start", "expected"),
    [
        (3, None, {"TableNames": ["alpha", "bravo", "charlie"]}),
        (1, "alpha", {"TableNames": ["bravo"], "LastEvaluatedTableName": "bravo"}),
        (1, "between", {"TableNames": ["bravo"], "LastEvaluatedTableName": "bravo"}),
        (1, "charlie", {"TableNames": []}),
        (100, "zulu", {"TableNames": []}),
    ],
)
def test_a_page_of_tables_begins_after_a_name_that_need_not_exist(account, limit, start, expected):
    for name in ("alpha", "bravo", "charlie"):
        account.create(name)

    assert account.call("ListTables", Limit=limit, **({"ExclusiveStartTableName": start} if start else {})) == expected


def test_a_page_has_a_hundred_tables_at_most(account):
    for number in range(101):
        account.create(f"tab{number:03}")

    page = account.call("ListTables")

    assert (len(page["TableNames"]), page["LastEvaluatedTableName"]) == (100, "tab099")


@pytest.mark.parametrize(
    ("limit", "constraint"),
    [
        (0, "Member must have value greater than or equal to 1"),
        (101, "Member must have value less than or equal to 100"),
    ],
)
def test_a_page_of_no_table_or_of_more_than_a_hundred_is_refused(account, limit, constraint):
    refused = account.refused("ListTables", Limit=limit)

    text = f"1 validation error detected: Value '{limit}' at 'limit' failed to satisfy constraint: {constraint}"
    assert refused == f"ValidationException: {text}"


def test_a_start_that_is_no_name_is_told_its_characters_before_its_length(account):
    refused = account.refused("ListTables", ExclusiveStartTableName="")

    assert refused == (
        "ValidationException: 2 validation errors detected: "
        "Value '' at 'exclusiveStartTableName' failed to satisfy constraint: Member must satisfy regular expression "
        "pattern: [a-zA-Z0-9_.-]+; "
        "Value '' at 'exclusiveStartTableName' failed to satisfy constraint: Member must have length greater than or equal "
        "to 3"
    )


def test_the_endpoint_is_that_of_the_region(account):
    assert account.call("DescribeEndpoints") == {
        "Endpoints": [{"Address": "dynamodb.us-west-2.amazonaws.com", "CachePeriodInMinutes": 1440}]
    }
