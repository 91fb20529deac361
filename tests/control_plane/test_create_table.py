"""CreateTable's definition checks: each text, each bound, and nothing created."""

from __future__ import annotations

import pytest

P = "ValidationException: One or more parameter values were invalid: "
HASH, RANGE = "HASH", "RANGE"


def keys(*pairs):
    return [{"AttributeName": name, "KeyType": kind} for name, kind in pairs]


def types(*names):
    return [{"AttributeName": name, "AttributeType": "S"} for name in names]


def index(name="idx1", schema=(("g", HASH),), projection="ALL", **more):
    return {"IndexName": name, "KeySchema": keys(*schema), "Projection": {"ProjectionType": projection, **more}}


PK_SK = {"KeySchema": keys(("pk", HASH), ("sk", RANGE))}
LOCAL = (("pk", HASH), ("g", RANGE))


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        (
            {"BillingMode": None},
            P + "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED",
        ),
        (
            {"ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}},
            P + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST",
        ),
        (
            {
                "GlobalSecondaryIndexes": [
                    {**index(), "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}
                ],
                "AttributeDefinitions": types("pk", "g"),
            },
            P + "ProvisionedThroughput should not be specified for index: idx1 when BillingMode is PAY_PER_REQUEST",
        ),
        (
            {
                "BillingMode": "PROVISIONED",
                "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
                "GlobalSecondaryIndexes": [index()],
                "AttributeDefinitions": types("pk", "g"),
            },
            P + "ProvisionedThroughput is not specified for index: idx1",
        ),
        (
            {
                "BillingMode": "PROVISIONED",
                "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 1},
                "WarmThroughput": {"ReadUnitsPerSecond": 4},
            },
            P + "Requested ReadUnitsPerSecond for WarmThroughput for table is lower than ReadCapacityUnits of "
            "ProvisionedThroughput",
        ),
        (
            {
                "BillingMode": "PROVISIONED",
                "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 1},
                "OnDemandThroughput": {"MaxReadRequestUnits": 0},
            },
            P + "MaxReadRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.",
        ),
        (
            {"WarmThroughput": {"WriteUnitsPerSecond": 3_999}},
            P
            + "Requested WriteUnitsPerSecond for WarmThroughput for table is lower than initial throughput for OnDemand. "
            "See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html"
            "#on-demand-capacity-mode-initial",
        ),
        *(
            (
                {"OnDemandThroughput": {"MaxReadRequestUnits": cap}},
                P + "Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range",
            )
            for cap in (0, -1, -2)
        ),
        (
            {"KeySchema": keys(("pk", RANGE))},
            "ValidationException: Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
        ),
        (
            {"KeySchema": keys(("pk", HASH), ("sk", HASH))},
            "ValidationException: Invalid KeySchema: The second KeySchemaElement is not a RANGE key type",
        ),
        (
            {"KeySchema": keys(("pk", HASH), ("pk", RANGE))},
            "ValidationException: Both the Hash Key and the Range Key element in the KeySchema have the same name",
        ),
        (
            {"KeySchema": keys(("other", HASH))},
            P + "Some index key attributes are not defined in AttributeDefinitions. Keys: [other], "
            "AttributeDefinitions: [pk]",
        ),
        (
            {"AttributeDefinitions": types("pk", "more")},
            P + "Number of attributes in KeySchema does not exactly match number of attributes defined in "
            "AttributeDefinitions",
        ),
        (
            {"AttributeDefinitions": types("pk", "g", "more"), "GlobalSecondaryIndexes": [index()]},
            P + "Some AttributeDefinitions are not used. AttributeDefinitions: [pk, g, more], keys used: [pk, g]",
        ),
        ({"GlobalSecondaryIndexes": []}, P + "List of GlobalSecondaryIndexes is empty"),
        ({"LocalSecondaryIndexes": []}, P + "List of LocalSecondaryIndexes is empty"),
        (
            {"AttributeDefinitions": types("pk", "g"), "GlobalSecondaryIndexes": [index(), index()]},
            P + "Duplicate index name: idx1",
        ),
        (
            {"AttributeDefinitions": types("pk", "g"), "GlobalSecondaryIndexes": [index(projection="INCLUDE")]},
            P + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified",
        ),
        (
            {
                "AttributeDefinitions": types("pk", "g"),
                "GlobalSecondaryIndexes": [index(projection="KEYS_ONLY", NonKeyAttributes=["a"])],
            },
            P + "ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified",
        ),
        (
            {
                "AttributeDefinitions": types("pk", "g"),
                "GlobalSecondaryIndexes": [{**index(), "Projection": {}}],
            },
            P + "Unknown ProjectionType: null",
        ),
        (
            {"AttributeDefinitions": types("pk", "g"), "LocalSecondaryIndexes": [index(schema=LOCAL)]},
            P + "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex",
        ),
        (
            {
                **PK_SK,
                "AttributeDefinitions": types("pk", "sk", "g"),
                "LocalSecondaryIndexes": [index(schema=(("g", HASH), ("sk", RANGE)))],
            },
            P + "Index KeySchema does not have the same leading hash key as table KeySchema for index: idx1. "
            "index hash key: g, table hash key: pk",
        ),
        (
            {
                **PK_SK,
                "AttributeDefinitions": types("pk", "sk"),
                "LocalSecondaryIndexes": [index(schema=(("pk", HASH),))],
            },
            P + "Index KeySchema does not have a range key for index: idx1",
        ),
        (
            {
                "AttributeDefinitions": types("pk", "a", "b", "c", "d", "e"),
                "GlobalSecondaryIndexes": [index(schema=[(name, HASH) for name in "abcde"])],
            },
            P + "The KeySchema exceeds the maximum allowed number of HASH key attributes",
        ),
        (
            {
                "AttributeDefinitions": types("pk", "a", "b", "c"),
                "GlobalSecondaryIndexes": [index(schema=(("a", HASH), ("b", RANGE), ("c", HASH)))],
            },
            P + "All HASH key attributes must precede RANGE key attributes in the KeySchema",
        ),
    ],
)
def test_a_definition_that_can_not_be_is_refused(account, members, expected):
    request = account.new_table("tab1", **members)

    assert account.refused("CreateTable", **request) == expected


def global_indexes(count, **more):
    return {
        "AttributeDefinitions": types("pk", "g"),
        "GlobalSecondaryIndexes": [index(f"idx{number}", **more) for number in range(count)],
    }


def local_indexes(count):
    return {
        **PK_SK,
        "AttributeDefinitions": types("pk", "sk", "g"),
        "LocalSecondaryIndexes": [index(f"idx{number}", LOCAL) for number in range(count)],
    }


def projecting(*counts):
    found = [
        index(f"idx{place}", projection="INCLUDE", NonKeyAttributes=[f"a{number}" for number in range(count)])
        for place, count in enumerate(counts)
    ]
    return {"AttributeDefinitions": types("pk", "g"), "GlobalSecondaryIndexes": found}


@pytest.mark.parametrize(
    ("at", "over", "expected"),
    [
        (global_indexes(20), global_indexes(21), P + "GlobalSecondaryIndex count exceeds the per-table limit of 20"),
        (local_indexes(5), local_indexes(6), P + "Number of LocalSecondaryIndexes exceeds per-table limit of 5"),
        (
            projecting(20, 20, 20, 20, 20),
            projecting(20, 20, 20, 20, 20, 1),
            P + "Number of projected non-key attributes 101 exceeds the per-table limit of 100",
        ),
    ],
)
def test_a_table_may_have_so_many_indexes_and_projected_attributes_and_not_one_more(account, at, over, expected):
    assert account.refused("CreateTable", **account.new_table("tab1", **over)) == expected

    assert account.create("tab1", **at)["TableName"] == "tab1"


def test_an_index_created_later_counts_among_the_projected_attributes(account):
    account.create("tab1", **projecting(20, 20, 20, 20, 20))

    refused = account.refused(
        "UpdateTable",
        TableName="tab1",
        AttributeDefinitions=types("g"),
        GlobalSecondaryIndexUpdates=[{"Create": index("more", projection="INCLUDE", NonKeyAttributes=["a"])}],
    )

    assert refused == P + "Number of projected non-key attributes 101 exceeds the per-table limit of 100"


def test_an_empty_cap_or_warm_throughput_is_no_fault_of_a_new_table(account):
    account.create("tab1", OnDemandThroughput={}, WarmThroughput={})

    assert "OnDemandThroughput" not in account.describe("tab1")


def test_a_taken_name_is_refused_in_every_state(account):
    account.create("tab1")

    refused = account.refused("CreateTable", **account.new_table("tab1", (1, 1)))

    assert refused == "ResourceInUseException: Table already exists: tab1"
