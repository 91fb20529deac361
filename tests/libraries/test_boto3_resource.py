"""boto3's resource layer, as its guide shows it: ``Table``, ``batch_writer``, ``Key`` and ``Attr``, collections, waiters."""

from __future__ import annotations

from decimal import Decimal

import pytest
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary
from botocore.exceptions import ClientError, WaiterError


@pytest.fixture
def users(ddb_resource):
    """The table of boto3's guide, with an index by type."""
    table = ddb_resource.create_table(
        TableName="users",
        KeySchema=[
            {"AttributeName": "username", "KeyType": "HASH"},
            {"AttributeName": "last_name", "KeyType": "RANGE"},
        ],
        AttributeDefinitions=[
            {"AttributeName": name, "AttributeType": kind}
            for name, kind in (("username", "S"), ("last_name", "S"), ("account_type", "S"), ("age", "N"))
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by_type",
                "KeySchema": [
                    {"AttributeName": "account_type", "KeyType": "HASH"},
                    {"AttributeName": "age", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        BillingMode="PAY_PER_REQUEST",
    )
    table.wait_until_exists()
    return table


JANE = {"username": "janedoe", "first_name": "Jane", "last_name": "Doe", "age": 25, "account_type": "standard_user"}
PEOPLE = [
    {"username": f"user{n}", "last_name": "Doe" if n % 2 else "Roe", "age": 20 + n, "account_type": kind, "n": n}
    for n, kind in enumerate(["standard_user", "super_user", "standard_user", "super_user", "end_user"])
]


@pytest.fixture
def people(users):
    with users.batch_writer() as batch:
        for person in PEOPLE:
            batch.put_item(Item=person)
    return users


def test_a_table_knows_itself(people, ddb_resource):
    people.reload()

    assert (people.table_status, people.item_count, people.name) == ("ACTIVE", 5, "users")
    assert people.table_arn == "arn:aws:dynamodb:us-east-1:123456789012:table/users"
    assert people.key_schema[1] == {"AttributeName": "last_name", "KeyType": "RANGE"}
    assert [table.name for table in ddb_resource.tables.all()] == ["users"]


def test_an_item_comes_back_as_it_was_put(users):
    users.put_item(Item=JANE)

    assert users.get_item(Key={"username": "janedoe", "last_name": "Doe"})["Item"] == JANE


PLAIN_VALUES = {
    "text": "a",
    "number": Decimal("1.50"),
    "binary": b"\x00\xff",
    "yes": True,
    "nothing": None,
    "strings": {"a", "b"},
    "numbers": {Decimal("1"), Decimal("2.5")},
    "binaries": {Binary(b"a")},
    "list": [Decimal(1), "a", [None]],
    "map": {"deep": {"er": [True]}},
}


def test_every_type_of_pythons_comes_back(users):
    users.put_item(Item={"username": "a", "last_name": "b", **PLAIN_VALUES})

    item = users.get_item(Key={"username": "a", "last_name": "b"}, ConsistentRead=True)["Item"]

    assert {name: item[name] for name in PLAIN_VALUES} == PLAIN_VALUES


def test_an_update_gives_what_it_is_asked_for(users):
    users.put_item(Item=JANE)

    reply = users.update_item(
        Key={"username": "janedoe", "last_name": "Doe"},
        UpdateExpression="SET age = age + :one, tags = :tags",
        ConditionExpression=Attr("age").lt(30) & Attr("account_type").is_in(["standard_user", "super_user"]),
        ExpressionAttributeValues={":one": 1, ":tags": {"a"}},
        ReturnValues="UPDATED_NEW",
    )

    assert reply["Attributes"] == {"age": 26, "tags": {"a"}}


def test_a_condition_of_attr_refuses(users):
    users.put_item(Item=JANE)

    with pytest.raises(ClientError) as caught:
        users.put_item(Item=JANE, ConditionExpression=Attr("username").not_exists())

    assert caught.value.response["Error"]["Code"] == "ConditionalCheckFailedException"
    assert isinstance(caught.value, users.meta.client.exceptions.ConditionalCheckFailedException)


def test_a_delete_gives_the_old_item(users):
    users.put_item(Item=JANE)

    reply = users.delete_item(Key={"username": "janedoe", "last_name": "Doe"}, ReturnValues="ALL_OLD")

    assert reply["Attributes"] == JANE
    assert "Item" not in users.get_item(Key={"username": "janedoe", "last_name": "Doe"})


KEY_CONDITIONS = [
    (Key("account_type").eq("super_user"), [1, 3]),
    (Key("account_type").eq("super_user") & Key("age").gt(21), [3]),
    (Key("account_type").eq("super_user") & Key("age").gte(21), [1, 3]),
    (Key("account_type").eq("super_user") & Key("age").lt(23), [1]),
    (Key("account_type").eq("super_user") & Key("age").lte(23), [1, 3]),
    (Key("account_type").eq("standard_user") & Key("age").between(21, 25), [2]),
    (Key("account_type").eq("end_user") & Key("age").eq(24), [4]),
]


@pytest.mark.parametrize(("condition", "numbers"), KEY_CONDITIONS, ids=range(len(KEY_CONDITIONS)))
def test_a_query_of_an_index_by_key(people, condition, numbers):
    reply = people.query(IndexName="by_type", KeyConditionExpression=condition)

    assert [int(item["n"]) for item in reply["Items"]] == numbers


def test_a_sort_key_begins_with(people):
    reply = people.query(KeyConditionExpression=Key("username").eq("user1") & Key("last_name").begins_with("D"))

    assert [int(item["n"]) for item in reply["Items"]] == [1]


FILTERS = [
    (Attr("n").eq(2), {2}),
    (Attr("n").ne(2), {0, 1, 3, 4}),
    (Attr("n").lt(2), {0, 1}),
    (Attr("n").lte(2) & Attr("n").gte(1), {1, 2}),
    (Attr("n").gt(3) | Attr("last_name").eq("Doe"), {1, 3, 4}),
    (~Attr("last_name").eq("Doe"), {0, 2, 4}),
    (Attr("n").between(1, 3), {1, 2, 3}),
    (Attr("account_type").begins_with("s"), {0, 1, 2, 3}),
    (Attr("account_type").contains("end"), {4}),
    (Attr("n").is_in([0, 4, 9]), {0, 4}),
    (Attr("n").exists() & Attr("gone").not_exists(), {0, 1, 2, 3, 4}),
    (Attr("n").attribute_type("N"), {0, 1, 2, 3, 4}),
    (Attr("account_type").size().gt(12), {0, 2}),
    (Attr("address.state").eq("CA"), set()),
]


@pytest.mark.parametrize(("condition", "numbers"), FILTERS, ids=range(len(FILTERS)))
def test_a_scan_with_a_filter(people, condition, numbers):
    reply = people.scan(FilterExpression=condition)

    assert {int(item["n"]) for item in reply["Items"]} == numbers
    assert reply["ScannedCount"] == 5


def test_a_projection_with_a_reserved_name(people):
    reply = people.scan(ProjectionExpression="#n, last_name", ExpressionAttributeNames={"#n": "n"}, Limit=1)

    assert [sorted(item) for item in reply["Items"]] == [["last_name", "n"]]


def test_a_batch_writer_sends_25_at_a_time_and_takes_the_last_of_two(users, ddb_fake):
    with users.batch_writer(overwrite_by_pkeys=["username", "last_name"]) as batch:
        for n in range(60):
            batch.put_item(Item={"username": f"u{n % 50}", "last_name": "x", "n": n})
        batch.delete_item(Key={"username": "u49", "last_name": "x"})

    assert ddb_fake.table("users").item_count == 49
    assert users.get_item(Key={"username": "u5", "last_name": "x"})["Item"]["n"] == 55
    ddb_fake.assert_attempts("BatchWriteItem", 3)


def test_a_batch_get_of_the_service_resource(people, ddb_resource):
    keys = [{"username": person["username"], "last_name": person["last_name"]} for person in PEOPLE]

    reply = ddb_resource.batch_get_item(RequestItems={"users": {"Keys": keys, "ProjectionExpression": "n"}})

    assert {int(item["n"]) for item in reply["Responses"]["users"]} == {0, 1, 2, 3, 4}
    assert reply["UnprocessedKeys"] == {}


def test_a_deleted_table_is_waited_for_and_gone(users):
    users.delete()
    users.wait_until_not_exists()

    with pytest.raises(ClientError, match="ResourceNotFoundException"):
        users.load()


def test_a_paginator_walks_every_page_of_a_scan_and_a_query(people, ddb_client):
    scan = ddb_client.get_paginator("scan").paginate(TableName="users", PaginationConfig={"PageSize": 2})
    query = ddb_client.get_paginator("query").paginate(
        TableName="users",
        IndexName="by_type",
        KeyConditionExpression="account_type = :t",
        ExpressionAttributeValues={":t": {"S": "super_user"}},
        PaginationConfig={"PageSize": 1},
    )

    assert [page["Count"] for page in scan] == [2, 2, 1]
    assert [item["n"]["N"] for item in query.search("Items[]")] == ["1", "3"]


def test_a_paginator_takes_up_where_another_stopped(people, ddb_client):
    paginate = ddb_client.get_paginator("scan").paginate
    first = paginate(TableName="users", PaginationConfig={"MaxItems": 3, "PageSize": 2}).build_full_result()

    rest = paginate(TableName="users", PaginationConfig={"StartingToken": first["NextToken"]}).build_full_result()

    assert len(first["Items"]) == 3
    assert len(rest["Items"]) == 2
    assert {item["username"]["S"] for item in first["Items"] + rest["Items"]} == {f"user{n}" for n in range(5)}


def test_a_paginator_of_tables_and_one_of_tags(ddb_fake, ddb_client):
    for n in range(7):
        ddb_fake.create_table(f"table{n}")
    arn = ddb_fake.table("table0").arn
    ddb_client.tag_resource(ResourceArn=arn, Tags=[{"Key": f"k{n}", "Value": "v"} for n in range(15)])

    tables = ddb_client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 3})
    tags = ddb_client.get_paginator("list_tags_of_resource").paginate(ResourceArn=arn)

    assert [len(page["TableNames"]) for page in tables] == [3, 3, 1]
    assert len(list(tags.search("Tags[]"))) == 15


@pytest.mark.ddb_limits(lifecycle="realistic")
def test_waiters_wait_in_virtual_time(ddb_fake, ddb_client):
    ddb_client.create_table(
        TableName="slow",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )

    ddb_client.get_waiter("table_exists").wait(TableName="slow")
    ddb_client.delete_table(TableName="slow")
    ddb_client.get_waiter("table_not_exists").wait(TableName="slow")

    assert ddb_client.list_tables()["TableNames"] == []
    assert ddb_fake.clock.elapsed >= 20  # One look of each waiter was too early.


def test_a_waiter_gives_up_in_virtual_time(ddb_fake, ddb_client):
    with pytest.raises(WaiterError):
        ddb_client.get_waiter("table_exists").wait(TableName="never", WaiterConfig={"Delay": 20, "MaxAttempts": 25})

    assert ddb_fake.clock.elapsed == 24 * 20
