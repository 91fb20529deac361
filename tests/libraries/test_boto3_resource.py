"""boto3's resource layer, paginators and waiters on the fake, as boto3's guide shows them."""

from __future__ import annotations

from decimal import Decimal

import boto3
import pytest
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary
from botocore.exceptions import ClientError, WaiterError

STORE_ONLY = pytest.mark.ddb_throttle(
    table="users", initial_seconds=300, partition_write_units_per_second=10**6, partition_read_units_per_second=10**6
)
pytestmark = STORE_ONLY


@pytest.fixture
def dynamodb(ddb_fake):
    return boto3.resource("dynamodb", region_name="us-east-1")


@pytest.fixture
def users(dynamodb):
    table = dynamodb.create_table(
        TableName="users",
        KeySchema=[
            {"AttributeName": "username", "KeyType": "HASH"},
            {"AttributeName": "last_name", "KeyType": "RANGE"},
        ],
        AttributeDefinitions=[
            {"AttributeName": "username", "AttributeType": "S"},
            {"AttributeName": "last_name", "AttributeType": "S"},
            {"AttributeName": "age", "AttributeType": "N"},
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by-age",
                "KeySchema": [
                    {"AttributeName": "last_name", "KeyType": "HASH"},
                    {"AttributeName": "age", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        BillingMode="PAY_PER_REQUEST",
    )
    table.wait_until_exists()
    return table


def fill(users, count):
    with users.batch_writer() as batch:
        for number in range(count):
            batch.put_item(Item={"username": f"user{number:03}", "last_name": "Doe", "age": number, "tags": {"a", "b"}})


def test_a_table_knows_its_attributes(users):
    users.reload()

    assert (users.item_count, users.table_status, users.name) == (0, "ACTIVE", "users")
    assert users.billing_mode_summary["BillingMode"] == "PAY_PER_REQUEST"
    assert users.key_schema[0] == {"AttributeName": "username", "KeyType": "HASH"}


def test_each_type_is_stored_and_read_as_python_has_it(users):
    item = {
        "username": "janedoe",
        "last_name": "Doe",
        "age": Decimal(25),
        "share": Decimal("0.1"),
        "picture": Binary(b"\x00\xff"),
        "active": True,
        "nothing": None,
        "names": {"a", "b"},
        "numbers": {Decimal(1), Decimal(2)},
        "address": {"road": ["Main", Decimal(1), {"deep": False}]},
    }
    users.put_item(Item=item)

    assert users.get_item(Key={"username": "janedoe", "last_name": "Doe"})["Item"] == item


def test_an_item_is_updated_and_deleted(users):
    fill(users, 1)
    key = {"username": "user000", "last_name": "Doe"}

    reply = users.update_item(
        Key=key,
        UpdateExpression="SET age = age + :one, tags2 = :tags",
        ExpressionAttributeValues={":one": 1, ":tags": ["x"]},
        ReturnValues="UPDATED_NEW",
    )
    users.delete_item(Key=key)

    assert reply["Attributes"] == {"age": Decimal(1), "tags2": ["x"]}
    assert "Item" not in users.get_item(Key=key)


def test_a_batch_writer_writes_more_than_a_batch_and_deletes(users):
    fill(users, 60)

    with users.batch_writer() as batch:
        for number in range(10):
            batch.delete_item(Key={"username": f"user{number:03}", "last_name": "Doe"})

    assert users.scan(Select="COUNT")["Count"] == 50


def test_a_batch_writer_leaves_duplicates_out_when_it_is_told_to(users):
    with users.batch_writer(overwrite_by_pkeys=["username", "last_name"]) as batch:
        for age in range(3):
            batch.put_item(Item={"username": "u", "last_name": "Doe", "age": age})

    assert [item["age"] for item in users.scan()["Items"]] == [2]


@pytest.mark.ddb_inject(operation="BatchWriteItem", leftover=20)
def test_a_batch_writer_sends_leftovers_again(users, ddb_fake):
    fill(users, 25)

    assert users.scan(Select="COUNT")["Count"] == 25
    assert len(ddb_fake.leftovers) == 20


CONDITIONS = {
    "equal": (Attr("age").eq(5), [5]),
    "not equal": (Attr("age").ne(5) & Attr("age").lt(7), [0, 1, 2, 3, 4, 6]),
    "at most": (Attr("age").lte(1), [0, 1]),
    "above": (Attr("age").gt(18), [19]),
    "at least": (Attr("age").gte(18), [18, 19]),
    "between": (Attr("age").between(3, 5), [3, 4, 5]),
    "in": (Attr("age").is_in([3, 7, 99]), [3, 7]),
    "begins with": (Attr("username").begins_with("user01"), list(range(10, 20))),
    "contains": (Attr("tags").contains("a") & Attr("age").lt(2), [0, 1]),
    "exists": (Attr("absent").exists(), []),
    "absent": (Attr("absent").not_exists() & Attr("age").eq(0), [0]),
    "type": (Attr("tags").attribute_type("SS") & Attr("age").eq(0), [0]),
    "size": (Attr("tags").size().eq(2) & Attr("age").eq(1), [1]),
    "or": (Attr("age").eq(1) | Attr("age").eq(2), [1, 2]),
    "not": (~Attr("age").gt(0), [0]),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_condition_filters_a_scan(users, name):
    condition, expected = CONDITIONS[name]
    fill(users, 20)

    items = users.scan(FilterExpression=condition)["Items"]

    assert sorted(int(item["age"]) for item in items) == expected


KEY_CONDITIONS = {
    "equal": (Key("last_name").eq("Doe"), 20),
    "and equal": (Key("last_name").eq("Doe") & Key("age").eq(5), 1),
    "and below": (Key("last_name").eq("Doe") & Key("age").lt(5), 5),
    "and at most": (Key("last_name").eq("Doe") & Key("age").lte(5), 6),
    "and above": (Key("last_name").eq("Doe") & Key("age").gt(5), 14),
    "and at least": (Key("last_name").eq("Doe") & Key("age").gte(5), 15),
    "and between": (Key("last_name").eq("Doe") & Key("age").between(5, 6), 2),
}


@pytest.mark.parametrize("name", KEY_CONDITIONS)
def test_a_key_condition_queries_an_index(users, name):
    condition, expected_count = KEY_CONDITIONS[name]
    fill(users, 20)

    reply = users.query(IndexName="by-age", KeyConditionExpression=condition, Select="COUNT")

    assert reply["Count"] == expected_count


def test_a_sort_key_prefix_queries_the_table(users):
    fill(users, 1)

    reply = users.query(KeyConditionExpression=Key("username").eq("user000") & Key("last_name").begins_with("D"))

    assert reply["Count"] == 1


def test_a_conditional_put_of_what_is_there_is_refused(users):
    fill(users, 1)

    with pytest.raises(ClientError) as refused:
        users.put_item(
            Item={"username": "user000", "last_name": "Doe"}, ConditionExpression=Attr("username").not_exists()
        )

    assert refused.value.response["Error"]["Code"] == "ConditionalCheckFailedException"


def test_the_service_resource_gets_batches_and_lists_tables(dynamodb, users):
    fill(users, 3)

    reply = dynamodb.batch_get_item(
        RequestItems={
            "users": {"Keys": [{"username": f"user{number:03}", "last_name": "Doe"} for number in range(5)]},
        }
    )

    assert sorted(int(item["age"]) for item in reply["Responses"]["users"]) == [0, 1, 2]
    assert reply["UnprocessedKeys"] == {}
    assert [table.name for table in dynamodb.tables.all()] == ["users"]


PAGED = {
    "scan": ({"TableName": "users"}, "Items", 23),
    "query": (
        {
            "TableName": "users",
            "IndexName": "by-age",
            "KeyConditionExpression": "last_name = :n",
            "ExpressionAttributeValues": {":n": "Doe"},
        },
        "Items",
        23,
    ),
    "list_tables": ({}, "TableNames", 1),
}


@pytest.mark.parametrize("operation", PAGED)
@pytest.mark.parametrize("page_size", [1, 5, 100])
def test_a_paginator_goes_through_all_pages(users, operation, page_size):
    request, member, expected_count = PAGED[operation]
    fill(users, 23)

    pages = users.meta.client.get_paginator(operation).paginate(**request, PaginationConfig={"PageSize": page_size})

    assert sum(len(page[member]) for page in pages) == expected_count


def test_a_paginator_stops_and_goes_on_from_its_token(users):
    fill(users, 10)
    paginator = users.meta.client.get_paginator("scan")

    first = paginator.paginate(TableName="users", PaginationConfig={"MaxItems": 4}).build_full_result()
    rest = paginator.paginate(
        TableName="users", PaginationConfig={"StartingToken": first["NextToken"]}
    ).build_full_result()

    names = [item["username"] for item in first["Items"] + rest["Items"]]
    assert (len(first["Items"]), len(names), len(set(names))) == (4, 10, 10)


def test_a_paginator_of_tags_lists_them(users):
    client = users.meta.client
    client.tag_resource(ResourceArn=users.table_arn, Tags=[{"Key": f"k{n}", "Value": "v"} for n in range(15)])

    pages = client.get_paginator("list_tags_of_resource").paginate(ResourceArn=users.table_arn)

    assert len(pages.build_full_result()["Tags"]) == 15


@pytest.mark.ddb_limits(lifecycle="realistic")
def test_waiters_wait_in_virtual_time(users, ddb_fake):
    assert users.table_status == "CREATING"
    waited_seconds = sum(sleep.seconds for sleep in ddb_fake.sleeps)
    users.delete()

    users.wait_until_not_exists()

    assert waited_seconds > 0
    assert sum(sleep.seconds for sleep in ddb_fake.sleeps) > waited_seconds


def test_a_waiter_gives_up_on_a_table_that_never_comes(dynamodb, ddb_fake):
    waiter = dynamodb.meta.client.get_waiter("table_exists")

    with pytest.raises(WaiterError, match="Max attempts exceeded"):
        waiter.wait(TableName="absent", WaiterConfig={"Delay": 20, "MaxAttempts": 3})

    assert [sleep.seconds for sleep in ddb_fake.sleeps] == [20, 20]
