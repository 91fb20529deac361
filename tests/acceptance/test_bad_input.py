"""Bad input of every kind: an error with the service's text, or one that names the culprit, and an account as it was."""

from __future__ import annotations

import json
from itertools import pairwise

import boto3
import pytest
from botocore import xform_name
from botocore.config import Config

from pytest_ddbthrottle import FakeDynamoDB

URL = "https://dynamodb.us-east-1.amazonaws.com/"
INVALID = "One or more parameter values were invalid: "
NOT_VALID = "One or more parameter values are not valid. "
EMPTY_KEY = "The AttributeValue for a key attribute cannot contain an empty string value."
KEY = {"pk": {"S": "a"}}
ABROAD = "arn:aws:dynamodb:eu-west-1:123456789012:table/orders"


@pytest.fixture
def fake():
    with FakeDynamoDB(clock="sdk") as fake:
        orders = fake.create_table("orders", indexes={"by_status": "status:S"})
        orders.load([{"pk": "a", "status": "open", "n": 1}, {"pk": "b", "status": "shut"}])
        yield fake


@pytest.fixture
def client(fake):
    # The SDK's own check of parameters would keep many of these requests to itself.
    config = Config(parameter_validation=False, retries={"total_max_attempts": 1})
    keys = {"aws_access_key_id": "AKIDEXAMPLE", "aws_secret_access_key": "secret"}
    return boto3.client("dynamodb", region_name="us-east-1", config=config, **keys)


def raw(fake, target, body):
    """Send bytes as any HTTP client might; gives the error's code and text."""
    headers = {} if target is None else {"X-Amz-Target": target}
    reply = fake._wire.answer(URL, headers, body)
    members = json.loads(reply.body)
    assert reply.status_code == 400, members
    return members["__type"].rpartition("#")[2], members.get("message") or members.get("Message")


def put(**item):
    return "PutItem", {"TableName": "orders", "Item": {**KEY, **item}}


def update(expression, **values):
    request = {"TableName": "orders", "Key": KEY, "UpdateExpression": expression}
    return "UpdateItem", {**request, **({"ExpressionAttributeValues": values} if values else {})}


def create(**members):
    keys = [{"AttributeName": "pk", "KeyType": "HASH"}]
    types = [{"AttributeName": "pk", "AttributeType": "S"}]
    return "CreateTable", {"TableName": "made", "KeySchema": keys, "AttributeDefinitions": types, **members}


def of_orders(operation, **members):
    return operation, {"TableName": "orders", **members}


def not_there(text="Requested resource not found"):
    return "ResourceNotFoundException", text


def not_valid(text):
    return "ValidationException", text


def violations(*texts):
    errors = "error" if len(texts) == 1 else "errors"
    told = "; ".join(
        f"Value {place} failed to satisfy constraint: Member must {constraint}" for place, constraint in texts
    )
    return not_valid(f"{len(texts)} validation {errors} detected: {told}")


def no_such_index():
    return not_valid("The table does not have the specified index: by_age")


OF_KEY = {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}}

TABLES_AND_INDEXES = {
    "an unknown table": (("GetItem", {"TableName": "nope", "Key": KEY}), not_there()),
    "an unknown table, described": (
        ("DescribeTable", {"TableName": "nope"}),
        not_there("Requested resource not found: Table: nope not found"),
    ),
    "an unknown table, deleted": (
        ("DeleteTable", {"TableName": "nope"}),
        not_there("Requested resource not found: Table: nope not found"),
    ),
    "an unknown table, changed": (
        ("UpdateTable", {"TableName": "nope", "BillingMode": "PAY_PER_REQUEST"}),
        not_there("Requested resource not found: Table: nope not found"),
    ),
    "an unknown table in a batch": (
        ("BatchWriteItem", {"RequestItems": {name: [{"PutRequest": {"Item": KEY}}] for name in ("orders", "nope")}}),
        not_there(),
    ),
    "an unknown table in a transaction": (
        (
            "TransactWriteItems",
            {
                "TransactItems": [
                    {"Put": {"TableName": "orders", "Item": {"pk": {"S": "z"}}}},
                    {"Put": {"TableName": "nope", "Item": KEY}},
                ]
            },
        ),
        not_there(),
    ),
    "a table of another Region": (("GetItem", {"TableName": ABROAD, "Key": KEY}), not_there()),
    "a name that no table can have": (
        ("GetItem", {"TableName": "bad name!", "Key": KEY}),
        violations(("'bad name!' at 'tableName'", "satisfy regular expression pattern: [a-zA-Z0-9_.-]+")),
    ),
    "an unknown index": (of_orders("Query", IndexName="by_age", **OF_KEY), no_such_index()),
    "an unknown index, scanned": (of_orders("Scan", IndexName="by_age"), no_such_index()),
    "an unknown index, deleted": (
        of_orders("UpdateTable", GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by_age"}}]),
        not_there("Requested resource not found: Index by_age for table orders"),
    ),
    "a table that exists": (
        create(TableName="orders", BillingMode="PAY_PER_REQUEST"),
        ("ResourceInUseException", "Table already exists: orders"),
    ),
}

CAPACITY = {
    "a negative capacity": (
        create(ProvisionedThroughput={"ReadCapacityUnits": -1, "WriteCapacityUnits": -2}),
        violations(
            ("'-2' at 'provisionedThroughput.writeCapacityUnits'", "have value greater than or equal to 1"),
            ("'-1' at 'provisionedThroughput.readCapacityUnits'", "have value greater than or equal to 1"),
        ),
    ),
    "a negative cap": (
        create(BillingMode="PAY_PER_REQUEST", OnDemandThroughput={"MaxReadRequestUnits": -2}),
        not_valid(f"{INVALID}Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range"),
    ),
    "a negative cap of a table that exists": (
        of_orders("UpdateTable", OnDemandThroughput={"MaxWriteRequestUnits": -2}),
        not_valid(
            f"{INVALID}Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range"
        ),
    ),
    "a limit of nothing": (
        of_orders("Scan", Limit=0),
        violations(("'0' at 'limit'", "have value greater than or equal to 1")),
    ),
}

ITEMS = {
    "a number that is none": (
        put(n={"N": "abc"}),
        not_valid("1 validation error detected: The parameter cannot be converted to a numeric value: abc"),
    ),
    "a number that is none, in a set": (
        put(n={"NS": ["1", "abc"]}),
        not_valid("1 validation error detected: The parameter cannot be converted to a numeric value: abc"),
    ),
    "a number that is none, in an expression": (
        update("SET n = :v", **{":v": {"N": "abc"}}),
        not_valid("1 validation error detected: The parameter cannot be converted to a numeric value: abc"),
    ),
    "a number out of range": (
        put(n={"N": "1e126"}),
        not_valid(
            "1 validation error detected: Number overflow. Attempting to store a number with magnitude larger than "
            "supported range"
        ),
    ),
    "two types in one value": (
        put(n={"S": "a", "N": "1"}),
        not_valid(
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
        ),
    ),
    "no type in a value": (
        put(n={}),
        not_valid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"),
    ),
    "an empty set": (put(n={"SS": []}), not_valid(f"{INVALID}An string set  may not be empty")),
    "an attribute without a name": (put(**{"": {"S": "a"}}), not_valid("Empty attribute name")),
    "an empty key": (put(pk={"S": ""}), not_valid(f"{NOT_VALID}{EMPTY_KEY} Key: pk")),
    "an empty key, read": (of_orders("GetItem", Key={"pk": {"S": ""}}), not_valid(f"{NOT_VALID}{EMPTY_KEY} Key: pk")),
    "no key": (
        ("PutItem", {"TableName": "orders", "Item": {"n": {"N": "1"}}}),
        not_valid(f"{INVALID}Missing the key pk in the item"),
    ),
    "a key of another type": (
        put(pk={"N": "1"}),
        not_valid(f"{INVALID}Type mismatch for key pk expected: S actual: N"),
    ),
    "an index key of another type": (
        put(status={"N": "1"}),
        not_valid(f"{INVALID}Type mismatch for Index Key status Expected: S Actual: N IndexName: by_status"),
    ),
    "an empty index key": (
        put(status={"S": ""}),
        not_valid(
            f"{NOT_VALID}A value specified for a secondary index key is not supported. {EMPTY_KEY} "
            "IndexName: by_status, IndexKey: status"
        ),
    ),
    "an item that is too large": (
        put(big={"S": "x" * 409_600}),
        not_valid("Item size has exceeded the maximum allowed size"),
    ),
    "a key to be changed": (
        update("SET pk = :v", **{":v": {"S": "z"}}),
        not_valid(f"{INVALID}Cannot update attribute pk. This attribute is part of the key"),
    ),
    "a placeholder without a value": (
        update("SET n = :v"),
        not_valid(
            "Invalid UpdateExpression: An expression attribute value used in expression is not defined; "
            "attribute value: :v"
        ),
    ),
    "an expression with a slip of the pen": (
        update("SETT n = :v", **{":v": {"N": "1"}}),
        not_valid('Invalid UpdateExpression: Syntax error; token: "SETT", near: "SETT n"'),
    ),
    "a bad write behind a good one": (
        (
            "BatchWriteItem",
            {
                "RequestItems": {
                    "orders": [
                        {"PutRequest": {"Item": {"pk": {"S": "z"}}}},
                        {"PutRequest": {"Item": {"pk": {"N": "1"}}}},
                    ]
                }
            },
        ),
        not_valid("The provided key element does not match the schema"),
    ),
    "a bad action behind a good one": (
        (
            "TransactWriteItems",
            {
                "TransactItems": [
                    {"Put": {"TableName": "orders", "Item": {"pk": {"S": "z"}}}},
                    {"Put": {"TableName": "orders", "Item": {**KEY, "n": {"N": "x"}}}},
                ]
            },
        ),
        not_valid("The parameter cannot be converted to a numeric value: x"),
    ),
}

JSON_TYPES = {
    "a number in the place of a string": (put(n={"S": 5}), "NUMBER_VALUE cannot be converted to String"),
    "a number in the place of a number's text": (put(n={"N": 5}), "NUMBER_VALUE cannot be converted to String"),
    "a string in the place of a value": (put(n="a"), "Unexpected value type in payload"),
    "a string in the place of a boolean": (put(n={"BOOL": "yes"}), "Unexpected token received from parser"),
    "a list in the place of a map": (put(n={"M": []}), "Start of list found where not expected"),
    "a map in the place of a list": (put(n={"L": {}}), "Start of structure or map found where not expected"),
    "a binary that is not base64": (
        put(n={"B": "YQ"}),
        "Base64 encoded length is expected a multiple of 4 bytes but found: 2",
    ),
    "a number in the place of a table's name": (
        ("GetItem", {"TableName": 5, "Key": KEY}),
        "NUMBER_VALUE cannot be converted to String",
    ),
    "a string in the place of a capacity": (
        create(ProvisionedThroughput={"ReadCapacityUnits": "5", "WriteCapacityUnits": 5}),
        "STRING_VALUE cannot be converted to Long",
    ),
}
"""What the SDK can't even send: by raw requests alone."""

UNMODELLED = {
    "an operation that is not modelled": (
        ("ListBackups", {}),
        (
            "UnknownOperationException",
            "ListBackups is not modelled by pytest-ddbthrottle yet; see docs/unsupported.md",
        ),
    ),
    "a parameter that is not modelled": (
        create(BillingMode="PAY_PER_REQUEST", GlobalTableSettingsReplicationMode="ENABLED"),
        not_valid(
            "CreateTable: the parameter GlobalTableSettingsReplicationMode is not modelled by pytest-ddbthrottle yet; "
            "see docs/unsupported.md"
        ),
    ),
}

ROWS = {**TABLES_AND_INDEXES, **CAPACITY, **ITEMS, **UNMODELLED}


@pytest.mark.parametrize(("call", "expected"), ROWS.values(), ids=list(ROWS))
def test_a_client_is_told_what_is_wrong_and_nothing_has_changed(fake, client, account_state, call, expected):
    before, (operation, request) = account_state(fake._engine), call

    with pytest.raises(client.exceptions.ClientError) as caught:
        getattr(client, xform_name(operation))(**request)

    error = caught.value.response["Error"]
    assert (error["Code"], error["Message"]) == expected
    assert account_state(fake._engine) == before
    fake.check_invariants()


@pytest.mark.parametrize(("call", "expected"), JSON_TYPES.values(), ids=list(JSON_TYPES))
def test_a_value_of_another_json_type_is_told_and_nothing_has_changed(fake, account_state, call, expected):
    before, (operation, request) = account_state(fake._engine), call

    told = raw(fake, f"DynamoDB_20120810.{operation}", json.dumps(request).encode())

    assert told == ("SerializationException", expected)
    assert account_state(fake._engine) == before
    fake.check_invariants()


MALFORMED = {
    "nothing": (b"", "The request body is not JSON: Expecting value: line 1 column 1 (char 0)"),
    "no JSON": (b"<xml/>", "The request body is not JSON: Expecting value: line 1 column 1 (char 0)"),
    "half of a request": (
        b'{"TableName":"orders","Item":{',
        "The request body is not JSON: Expecting property name enclosed in double quotes: line 1 column 31 (char 30)",
    ),
    "a list": (b"[]", "Start of structure or map found where not expected"),
    "no UTF-8": (
        b'{"TableName":"\xff"}',
        "The request body is not JSON: 'utf-8' codec can't decode byte 0xff in position 14: invalid start byte",
    ),
    "UTF-16": (
        '{"TableName":"orders"}'.encode("utf-16"),
        "The request body is not JSON: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
    ),
    "hostile nesting": (b'{"Item":' * 100_000, "The request body is nested deeper than 500 levels"),
}


@pytest.mark.parametrize(("body", "expected"), MALFORMED.values(), ids=list(MALFORMED))
def test_a_malformed_body_is_told_and_nothing_has_changed(fake, account_state, body, expected):
    before = account_state(fake._engine)

    told = raw(fake, "DynamoDB_20120810.PutItem", body)

    assert told == ("SerializationException", expected)
    assert account_state(fake._engine) == before


TARGETS = {
    "no target": (None, "The request has no X-Amz-Target header: it names no operation"),
    "a target without a version": ("PutItem", "X-Amz-Target: 'PutItem' names no operation of DynamoDB"),
    "another service": (
        "Kinesis_20131202.PutRecord",
        "X-Amz-Target: 'Kinesis_20131202.PutRecord' names no operation of DynamoDB",
    ),
    "an unknown operation": ("DynamoDB_20120810.PutItems", "PutItems: DynamoDB has no such operation"),
    "an operation that is not modelled": (
        "DynamoDB_20120810.CreateBackup",
        "CreateBackup is not modelled by pytest-ddbthrottle yet; see docs/unsupported.md",
    ),
    "an operation of streams, asked of the database": (
        "DynamoDB_20120810.GetRecords",
        "X-Amz-Target: 'DynamoDB_20120810.GetRecords' names no operation of DynamoDB",
    ),
}


@pytest.mark.parametrize(("target", "expected"), TARGETS.values(), ids=list(TARGETS))
def test_a_target_that_names_no_operation_is_told_and_nothing_has_changed(fake, account_state, target, expected):
    before = account_state(fake._engine)

    told = raw(fake, target, json.dumps({"TableName": "orders", "Item": {"pk": {"S": "z"}}}).encode())

    assert told == ("UnknownOperationException", expected)
    assert account_state(fake._engine) == before


def test_a_refused_call_is_in_the_record_with_what_was_told(fake, client):
    with pytest.raises(client.exceptions.ClientError):
        client.query(TableName="orders", IndexName="by_age", **OF_KEY)

    call = fake.calls[-1]
    assert (call.operation, call.table, call.index) == ("Query", "orders", "by_age")
    assert (call.error, call.message) == no_such_index()
    assert (call.consumed_read_units, call.throttled) == (0.0, False)


def test_the_state_that_is_compared_shows_each_change(fake, client, account_state):
    states = [account_state(fake._engine)]
    client.put_item(TableName="orders", Item=KEY)
    states.append(account_state(fake._engine))
    client.get_item(TableName="orders", Key=KEY)
    states.append(account_state(fake._engine))
    client.delete_table(TableName="orders")
    states.append(account_state(fake._engine))

    assert all(before != after for before, after in pairwise(states))
