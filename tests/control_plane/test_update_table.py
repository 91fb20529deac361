"""UpdateTable: what it refuses, with the service's texts, and what it changes."""

from __future__ import annotations

import pytest

P = "ValidationException: One or more parameter values were invalid: "
GUIDE = "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."
WILL_NOT_CHANGE = (
    "ValidationException: The provisioned throughput for the {0} will not change. The requested value equals the current "
    "value. Current ReadCapacityUnits provisioned for the {0}: 5. Requested ReadCapacityUnits: 5. "
    "Current WriteCapacityUnits provisioned for the {0}: 5. Requested WriteCapacityUnits: 5. " + GUIDE
)
NOTHING_TO_DO = (
    "ValidationException: At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
    "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, "
    "MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required"
)
ONE_ONLINE_INDEX = (
    "LimitExceededException: Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per "
    "table"
)
NO_UNITS = "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"
OTHER_UPDATES = (
    P + "The only Updates for index: gsi1 when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, "
    "WarmThroughput"
)


def units(read, write=5):
    return {"ReadCapacityUnits": read, "WriteCapacityUnits": write}


def index_update(name="gsi1", **members):
    return {"Update": {"IndexName": name, **members}}


def index_create(name="gsi9", key="g", **members):
    schema = [{"AttributeName": key, "KeyType": "HASH"}]
    return {"Create": {"IndexName": name, "KeySchema": schema, "Projection": {"ProjectionType": "ALL"}, **members}}


def updates(*entries):
    return {"GlobalSecondaryIndexUpdates": list(entries)}


G = {"AttributeDefinitions": [{"AttributeName": "g", "AttributeType": "S"}]}
DELETE = {"Delete": {"IndexName": "gsi1"}}


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({}, NOTHING_TO_DO),
        (G, NOTHING_TO_DO),
        ({"ProvisionedThroughput": units(5)}, WILL_NOT_CHANGE.format("table")),
        ({"BillingMode": "PROVISIONED", "ProvisionedThroughput": units(5)}, WILL_NOT_CHANGE.format("table")),
        (updates(index_update(ProvisionedThroughput=units(5))), WILL_NOT_CHANGE.format("index gsi1")),
        ({"BillingMode": "PROVISIONED"}, P + "ProvisionedThroughput must be specified when BillingMode is PROVISIONED"),
        (
            {"BillingMode": "PAY_PER_REQUEST", "ProvisionedThroughput": units(6)},
            P + "ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST",
        ),
        (
            {"DeletionProtectionEnabled": True, "ProvisionedThroughput": units(6)},
            P + "DeletionProtection modification must be the only operation in the request",
        ),
        (
            {"DeletionProtectionEnabled": True, "TableClass": "STANDARD"},
            P + "TableClass modification must be the only operation in the request",
        ),
        (
            {"WarmThroughput": {"ReadUnitsPerSecond": 9}, "DeletionProtectionEnabled": True},
            P + "DeletionProtection modification must be the only operation in the request",
        ),
        (
            {"WarmThroughput": {"ReadUnitsPerSecond": 9}, "ProvisionedThroughput": units(6)},
            P + "WarmThroughput must be the only operation in the request",
        ),
        (
            {"OnDemandThroughput": {"MaxReadRequestUnits": 9}, "ProvisionedThroughput": units(6)},
            P + "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request",
        ),
        (
            {"OnDemandThroughput": {"MaxReadRequestUnits": 9}},
            P
            + "MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED",
        ),
        (
            updates(index_update(OnDemandThroughput={"MaxWriteRequestUnits": 9})),
            P + "MaxWriteRequestUnits for OnDemandThroughput for index : gsi1 cannot be specified when the table "
            "BillingMode is PROVISIONED",
        ),
        (
            {"WarmThroughput": {"ReadUnitsPerSecond": 4}},
            P + "Requested ReadUnitsPerSecond for WarmThroughput for table is lower than current WarmThroughput, "
            "decreasing WarmThroughput is not supported",
        ),
        (
            updates(index_update(WarmThroughput={"WriteUnitsPerSecond": 4})),
            P + "Requested WriteUnitsPerSecond for WarmThroughput for index gsi1 is lower than current WarmThroughput, "
            "decreasing WarmThroughput is not supported",
        ),
        ({"WarmThroughput": {}}, "InternalFailure: "),
        ({"OnDemandThroughput": {}}, "InternalFailure: "),
        (
            updates(index_update(WarmThroughput={})),
            P
            + "WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for index: "
            "gsi1",
        ),
        (
            updates(index_update(ProvisionedThroughput={"ReadCapacityUnits": 9})),
            P + "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: gsi1",
        ),
        (updates(index_update()), P + "ProvisionedThroughput must be specified for index: gsi1"),
        (
            {"GlobalSecondaryIndexUpdates": []},
            P + "List of GlobalSecondaryIndexUpdates is empty",
        ),
        (
            updates({}),
            P + "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
            "GlobalSecondaryIndexUpdate.Delete must not be null",
        ),
        (
            updates({**index_update(ProvisionedThroughput=units(6)), **DELETE}),
            P + "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object",
        ),
        (
            updates(index_update(ProvisionedThroughput=units(6)), index_update(ProvisionedThroughput=units(7))),
            P + "Only one global secondary index update per index is allowed simultaneously. Index: gsi1",
        ),
        (
            {**updates(DELETE), "ProvisionedThroughput": units(6)},
            P + "You cannot create or delete index while updating table IOPS",
        ),
        (
            {**updates(DELETE), "BillingMode": "PAY_PER_REQUEST"},
            P + "You cannot create or delete index while updating table IOPS",
        ),
        (updates(DELETE, index_create(ProvisionedThroughput=units(1))), ONE_ONLINE_INDEX),
        (updates(DELETE, {"Delete": {"IndexName": "gsi2"}}), ONE_ONLINE_INDEX),
        (
            updates(index_update("none", ProvisionedThroughput=units(6))),
            "ResourceNotFoundException: Requested resource not found: Index none for table tab1",
        ),
        (
            updates({"Delete": {"IndexName": "none"}}),
            "ResourceNotFoundException: Requested resource not found: Index none for table tab1",
        ),
        (
            {
                "AttributeDefinitions": [{"AttributeName": "g", "AttributeType": "N"}],
                **updates(index_create(ProvisionedThroughput=units(1))),
            },
            P
            + "Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. "
            "Existing schema: Schema:[SchemaElement: key{g:S:HASH}] New schema: Schema:[SchemaElement: key{g:N:HASH}]",
        ),
        (
            {**G, **updates(index_create("gsi1", key="undefined"))},
            "ValidationException: Attempting to create an index which already exists",
        ),
        (updates(index_create()), P + "AttributeDefinitions is not specified for index: gsi9"),
        (
            {**G, **updates(index_create(key="other"))},
            P + "Some index key attributes are not defined in AttributeDefinitions. Keys: [other], "
            "AttributeDefinitions: [g]",
        ),
        (
            {**G, **updates(index_create())},
            P + "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: gsi9",
        ),
        (
            {"ProvisionedThroughput": {"ReadCapacityUnits": 9}},
            "ValidationException: 1 validation error detected: Value null at 'provisionedThroughput.writeCapacityUnits' "
            "failed to satisfy constraint: Member must not be null",
        ),
        (
            {"ProvisionedThroughput": units(0, 0)},
            "ValidationException: 2 validation errors detected: Value '0' at 'provisionedThroughput.writeCapacityUnits' "
            "failed to satisfy constraint: Member must have value greater than or equal to 1; Value '0' at "
            "'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must have value greater than "
            "or equal to 1",
        ),
    ],
)
def test_an_update_of_a_provisioned_table_is_refused(account, members, expected):
    account.create("tab1", (5, 5), indexes={"gsi1": (5, 5), "gsi2": (5, 5)})

    assert account.refused("UpdateTable", TableName="tab1", **members) == expected


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"ProvisionedThroughput": units(5)}, P + NO_UNITS),
        (updates(index_update(ProvisionedThroughput=units(5))), OTHER_UPDATES),
        (updates(index_update()), OTHER_UPDATES),
        (updates(index_update(OnDemandThroughput={})), OTHER_UPDATES),
        (
            {"BillingMode": "PROVISIONED", "ProvisionedThroughput": units(5)},
            P + "ProvisionedThroughput must be specified for index: gsi1",
        ),
        (
            {**G, **updates(index_create(ProvisionedThroughput=units(5)))},
            P + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: gsi9 when BillingMode is "
            "PAY_PER_REQUEST",
        ),
        *(
            (
                {"OnDemandThroughput": {member: cap}},
                P + f"Requested {member} for OnDemandThroughput for table is outside of valid range",
            )
            for member in ("MaxReadRequestUnits", "MaxWriteRequestUnits")
            for cap in (0, -2)
        ),
        (
            updates(index_update(OnDemandThroughput={"MaxReadRequestUnits": 0})),
            P + "Requested MaxReadRequestUnits for OnDemandThroughput for index : gsi1 is outside of valid range",
        ),
        (
            {"WarmThroughput": {"ReadUnitsPerSecond": 11_999}},
            P + "Requested ReadUnitsPerSecond for WarmThroughput for table is lower than current WarmThroughput, "
            "decreasing WarmThroughput is not supported",
        ),
    ],
)
def test_an_update_of_an_on_demand_table_is_refused(account, members, expected):
    account.create("tab1", indexes={"gsi1": None})

    assert account.refused("UpdateTable", TableName="tab1", **members) == expected


def test_an_update_of_a_table_that_is_not_there_names_it(account):
    refused = account.refused("UpdateTable", TableName="none", BillingMode="PAY_PER_REQUEST")

    assert refused == "ResourceNotFoundException: Requested resource not found: Table: none not found"


def test_an_empty_structure_beside_another_member_is_passed_over(account):
    account.create("tab1")

    account.update("tab1", WarmThroughput={}, DeletionProtectionEnabled=True)

    assert account.describe("tab1")["DeletionProtectionEnabled"] is True


@pytest.mark.parametrize("action", ["Update", "Delete"])
def test_a_local_index_can_be_neither_updated_nor_deleted(account, action):
    keys = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
    local = {"IndexName": "lsi1", "KeySchema": keys, "Projection": {"ProjectionType": "ALL"}}
    account.create(
        "tab1", KeySchema=keys, AttributeDefinitions=account.strings("pk", "sk"), LocalSecondaryIndexes=[local]
    )

    refused = account.refused("UpdateTable", TableName="tab1", **updates({action: {"IndexName": "lsi1"}}))

    text = f"Cannot {action.lower()} an index that is not a GlobalSecondaryIndex: lsi1"
    assert refused == f"ValidationException: {text}"


def test_the_twenty_first_index_is_refused_and_the_twentieth_is_not(account):
    account.create("tab1", indexes={f"gsi{n}": None for n in range(19)})
    account.update("tab1", **account.index_creation("gsi19"))

    refused = account.refused("UpdateTable", TableName="tab1", **account.index_creation("gsi20"))

    text = "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20"
    assert refused == f"LimitExceededException: {text}"


def test_a_new_index_has_the_items_that_have_its_key(account):
    account.create("tab1")
    for item in ({"pk": {"S": "a"}, "g": {"S": "x"}}, {"pk": {"S": "b"}}, {"pk": {"S": "c"}, "g": {"N": "1"}}):
        account.call("PutItem", TableName="tab1", Item=item)

    account.update("tab1", **account.index_creation("gsi1"))

    found = account.call("Scan", TableName="tab1", IndexName="gsi1")
    assert list(found["Items"]) == [{"pk": {"S": "a"}, "g": {"S": "x"}}]
    assert account.describe("tab1")["GlobalSecondaryIndexes"][0]["ItemCount"] == 1


def test_a_deleted_index_takes_its_attribute_definition_along(account):
    account.create("tab1", indexes={"gsi1": None})

    account.update("tab1", **updates(DELETE))

    assert account.describe("tab1")["AttributeDefinitions"] == account.strings("pk")
    assert "GlobalSecondaryIndexes" not in account.describe("tab1")


def test_an_index_takes_a_new_throughput(account):
    account.create("tab1", (5, 5), indexes={"gsi1": (5, 5)})

    account.update("tab1", **updates(index_update(ProvisionedThroughput=units(7, 9))))

    shown = account.describe("tab1")["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"]
    assert (shown["ReadCapacityUnits"], shown["WriteCapacityUnits"]) == (7, 9)


def test_caps_are_merged_member_by_member_and_cleared_by_minus_one(account):
    account.create("tab1", OnDemandThroughput={"MaxReadRequestUnits": 7})
    account.update("tab1", OnDemandThroughput={"MaxWriteRequestUnits": 9})
    both = account.describe("tab1")["OnDemandThroughput"]

    account.update("tab1", OnDemandThroughput={"MaxReadRequestUnits": -1})
    one = account.describe("tab1")["OnDemandThroughput"]
    account.update("tab1", OnDemandThroughput={"MaxWriteRequestUnits": -1})

    assert both == {"MaxReadRequestUnits": 7, "MaxWriteRequestUnits": 9}
    assert one == {"MaxWriteRequestUnits": 9}
    assert "OnDemandThroughput" not in account.describe("tab1")


def test_a_switch_to_provisioned_drops_the_caps_and_keeps_the_warm_throughput(account):
    account.create("tab1", indexes={"gsi1": None}, OnDemandThroughput={"MaxReadRequestUnits": 7})

    account.update(
        "tab1",
        BillingMode="PROVISIONED",
        ProvisionedThroughput=units(5),
        **updates(index_update(ProvisionedThroughput=units(6))),
    )

    shown = account.describe("tab1")
    assert "OnDemandThroughput" not in shown
    assert shown["WarmThroughput"] == {"ReadUnitsPerSecond": 12_000, "WriteUnitsPerSecond": 4_000, "Status": "ACTIVE"}
    assert shown["BillingModeSummary"]["BillingMode"] == "PROVISIONED"
    assert shown["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"]["ReadCapacityUnits"] == 6


def test_a_switch_to_on_demand_may_bring_caps(account):
    account.create("tab1", (5, 5), indexes={"gsi1": (5, 5)})

    account.update("tab1", BillingMode="PAY_PER_REQUEST", OnDemandThroughput={"MaxReadRequestUnits": 7})

    shown = account.describe("tab1")
    assert shown["OnDemandThroughput"] == {"MaxReadRequestUnits": 7}
    assert shown["ProvisionedThroughput"] == {
        "NumberOfDecreasesToday": 0,
        "ReadCapacityUnits": 0,
        "WriteCapacityUnits": 0,
    }


def test_a_protected_table_can_not_be_deleted_until_it_is_no_longer_protected(account):
    account.create("tab1", DeletionProtectionEnabled=True)

    refused = account.refused("DeleteTable", TableName="tab1")

    text = (
        "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first."
    )
    assert refused == f"ValidationException: {text}"
    account.update("tab1", DeletionProtectionEnabled=False)
    account.call("DeleteTable", TableName="tab1")
    assert account.call("ListTables") == {"TableNames": []}
