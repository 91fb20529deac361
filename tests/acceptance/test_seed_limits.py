"""The third seed's served check, line by line: three tables, 100 units for a table, 150 for the account."""

from __future__ import annotations

import json

import boto3
import pytest
from botocore.exceptions import ClientError

from pytest_ddbthrottle import FakeDynamoDB

GUIDE = "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."
HEADERS = {
    "Authorization": "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host;x-amz-date;x-amz-target, Signature=0"
}
LIMIT_EXCEEDED = "com.amazonaws.dynamodb.v20120810#LimitExceededException"


@pytest.fixture
def fake():
    fake = FakeDynamoDB()
    fake._engine.region("us-east-1")
    fake.limits(
        max_tables_per_account=3,
        per_table_max_rcu=100,
        per_table_max_wcu=100,
        per_account_max_rcu=150,
        per_account_max_wcu=150,
    )
    return fake


def send(fake, operation, request):
    """Give status and parsed body of a raw request."""
    headers = {**HEADERS, "X-Amz-Target": f"DynamoDB_20120810.{operation}"}
    answer = fake._wire.answer("https://dynamodb.us-east-1.amazonaws.com/", headers, json.dumps(request).encode())
    return answer.status_code, json.loads(answer.body)


def units(read, write=1):
    return {"ReadCapacityUnits": read, "WriteCapacityUnits": write}


def table(name, read, write=1, key="pk"):
    return {
        "TableName": name,
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": key, "KeyType": "HASH"}],
        "ProvisionedThroughput": units(read, write),
    }


def gsi_creation(name, read):
    return {
        "TableName": name,
        "AttributeDefinitions": [{"AttributeName": "g", "AttributeType": "S"}],
        "GlobalSecondaryIndexUpdates": [
            {
                "Create": {
                    "IndexName": "gsi1",
                    "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
                    "Projection": {"ProjectionType": "ALL"},
                    "ProvisionedThroughput": units(read),
                }
            }
        ],
    }


def over_table(member, requested):
    return (
        f"The requested {member}, {requested}, is above the per table maximum for the account in us-east-1. "
        f"Per table maximum: 100. {GUIDE}"
    )


def over_account(between, requested):
    return (
        "This request would have caused the ReadCapacityUnits limit to be exceeded for the account in us-east-1. "
        f"Current ReadCapacityUnits reserved by the account: {between} Limit: 150. Requested: {requested}. {GUIDE}"
    )


def test_the_served_check_of_the_limits(fake, account_state):
    def refused(operation, request):
        before = account_state(fake._engine)
        status, body = send(fake, operation, request)
        assert (status, list(body)) == (400, ["__type", "message"])
        assert account_state(fake._engine) == before
        return body["__type"], body["message"]

    def answered(operation, request):
        status, body = send(fake, operation, request)
        assert status == 200, body
        return body

    # DescribeLimits reports 150, 150, 100 and 100.
    assert list(answered("DescribeLimits", {}).values()) == [150, 150, 100, 100]

    # An undefined key comes before 101 RCU.
    kind, text = refused("CreateTable", table("first", 101, key="undefined"))
    assert kind == "com.amazon.coral.validate#ValidationException"
    assert text.startswith("One or more parameter values were invalid: Some index key attributes are not defined in ")

    # 101 RCU, and 101 WCU: the per-table sentence for each unit. At 100 RCU: created.
    assert refused("CreateTable", table("first", 101)) == (LIMIT_EXCEEDED, over_table("ReadCapacityUnits", 101))
    assert refused("CreateTable", table("first", 1, 101)) == (LIMIT_EXCEEDED, over_table("WriteCapacityUnits", 101))
    answered("CreateTable", table("first", 100))

    # 51 RCU with 100 reserved: the account sentence. At 50 RCU: created.
    assert refused("CreateTable", table("second", 51)) == (LIMIT_EXCEEDED, over_account("100.", 51))
    answered("CreateTable", table("second", 50))

    # UpdateTable of that table to 101 RCU: the per-table sentence. To 60: the account's. Down to 40: accepted.
    to_101 = {"TableName": "second", "ProvisionedThroughput": units(101)}
    assert refused("UpdateTable", to_101) == (LIMIT_EXCEEDED, over_table("ReadCapacityUnits", 101))
    to_60 = {"TableName": "second", "ProvisionedThroughput": units(60)}
    held = "150. Current ReadCapacityUnits provisioned for the table and indexes: 50."
    assert refused("UpdateTable", to_60) == (LIMIT_EXCEEDED, over_account(held, 60))
    answered("UpdateTable", {"TableName": "second", "ProvisionedThroughput": units(40)})

    # A GSI of 11 RCU on it: the account sentence, with 140 reserved, 40 provisioned and 51 requested.
    held = "140. Current ReadCapacityUnits provisioned for the table and indexes: 40."
    assert refused("UpdateTable", gsi_creation("second", 11)) == (LIMIT_EXCEEDED, over_account(held, 51))

    # With 3 tables, a fourth; and a taken name.
    answered("CreateTable", table("third", 5))
    fourth = refused("CreateTable", table("fourth", 1))
    assert fourth == (LIMIT_EXCEEDED, "There is a soft account quota of 3 tables.")
    assert refused("CreateTable", table("third", 1)) == (
        "com.amazonaws.dynamodb.v20120810#ResourceInUseException",
        "Table already exists: third",
    )


def document_of(size_bytes):
    """Give a policy that allows everything, of so many bytes."""
    text = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"dynamodb:*","Resource":"*"}]}'
    return text if len(text) == size_bytes else text[:1] + text[1:].rjust(size_bytes - 1)


def test_a_policy_of_622_bytes_is_refused_at_400_and_one_of_94_is_unreadable_at_50():
    with FakeDynamoDB(clock="sdk") as fake:
        fake.limits(max_policy_document_bytes=400)

        with pytest.raises(ValueError) as refused:
            fake.policy.put_user_policy("alice", "large", document_of(622))
        assert str(refused.value) == (
            "Invalid policy document: policy parse error: policy document exceeds maximum size (400 bytes)"
        )
        fake.policy.put_user_policy("alice", "small", document_of(94))
        client = boto3.client("dynamodb", "us-east-1", **fake.policy.access_key("alice"))
        assert client.list_tables()["TableNames"] == []

        fake.limits(max_policy_document_bytes=50)
        with pytest.raises(ClientError) as denied:
            client.list_tables()
        assert denied.value.response["Error"]["Code"] == "AccessDeniedException"

        fake.limits(max_policy_document_bytes=400)
        assert client.list_tables()["TableNames"] == []
