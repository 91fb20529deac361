"""A poller as AWS documents it, on the SDK's own clients, and ``load``."""

from __future__ import annotations

import time

import boto3
import pytest
from botocore.exceptions import ClientError

from pytest_ddbthrottle import FakeDynamoDB


@pytest.fixture
def fake():
    with FakeDynamoDB() as installed:
        yield installed


@pytest.fixture
def orders(fake):
    client = boto3.client("dynamodb", region_name="us-east-1")
    client.create_table(
        TableName="orders",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
    )
    return client


def poll(arn, times, every_seconds=1):
    """Read all shards so many times."""
    streams = boto3.client("dynamodbstreams", region_name="us-east-1")
    shards = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]
    iterators = [
        streams.get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")
        for shard in shards
    ]
    open_iterators = [iterator["ShardIterator"] for iterator in iterators]
    records = []
    for _ in range(times):
        for iterator in list(open_iterators):
            reply = streams.get_records(ShardIterator=iterator)
            records += reply["Records"]
            open_iterators.remove(iterator)
            open_iterators += [following] if (following := reply.get("NextShardIterator")) else []
        time.sleep(every_seconds)
    return records, open_iterators


def test_a_poller_sees_what_the_application_writes(fake, orders):
    orders.put_item(TableName="orders", Item={"pk": {"S": "a"}, "blob": {"B": b"\x00\xff"}})
    arn = orders.describe_table(TableName="orders")["Table"]["LatestStreamArn"]

    records, open_iterators = poll(arn, times=100, every_seconds=20)

    (record,) = records
    assert record["dynamodb"]["NewImage"] == {"pk": {"S": "a"}, "blob": {"B": b"\x00\xff"}}
    assert record["dynamodb"]["ApproximateCreationDateTime"].timestamp() == 1_767_225_600
    assert len(open_iterators) == 1
    assert {call.table for call in fake.calls} == {"orders"}
    assert fake.clock.elapsed == 2000


def test_a_poller_of_a_stream_that_is_disabled_comes_to_its_end(fake, orders):
    orders.put_item(TableName="orders", Item={"pk": {"S": "a"}})
    orders.update_table(TableName="orders", StreamSpecification={"StreamEnabled": False})

    records, open_iterators = poll(orders.describe_table(TableName="orders")["Table"]["LatestStreamArn"], times=3)

    assert ([record["eventName"] for record in records], open_iterators) == (["INSERT"], [])


def test_the_errors_of_streams_are_the_clients_own_exceptions(fake, orders):
    streams = boto3.client("dynamodbstreams", region_name="us-east-1")
    arn = orders.describe_table(TableName="orders")["Table"]["LatestStreamArn"]
    shard = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]["ShardId"]
    place = {"StreamArn": arn, "ShardId": shard}
    iterator = streams.get_shard_iterator(**place, ShardIteratorType="LATEST")["ShardIterator"]

    fake.clock.advance(901)
    with pytest.raises(streams.exceptions.ExpiredIteratorException):
        streams.get_records(ShardIterator=iterator)
    with pytest.raises(streams.exceptions.ResourceNotFoundException):
        streams.describe_stream(StreamArn=arn.replace("orders", "absent"))
    orders.put_item(TableName="orders", Item={"pk": {"S": "a"}})
    number = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]["SequenceNumberRange"]
    fake.clock.advance(86_400)
    with pytest.raises(streams.exceptions.TrimmedDataAccessException):
        streams.get_shard_iterator(
            **place, ShardIteratorType="AT_SEQUENCE_NUMBER", SequenceNumber=number["StartingSequenceNumber"]
        )


def test_a_reader_in_a_hurry_backs_off(fake, orders):
    streams = boto3.client("dynamodbstreams", region_name="us-east-1")
    arn = orders.describe_table(TableName="orders")["Table"]["LatestStreamArn"]
    shard = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]["ShardId"]
    place = {"StreamArn": arn, "ShardId": shard, "ShardIteratorType": "LATEST"}
    iterator = streams.get_shard_iterator(**place)["ShardIterator"]

    for _ in range(6):
        iterator = streams.get_records(ShardIterator=iterator)["NextShardIterator"]

    assert fake.clock.elapsed > 0
    assert [call.error for call in fake.calls if call.operation == "GetRecords"].count("ThrottlingException") >= 1


def test_a_script_hits_the_reads_of_a_stream(fake, orders):
    streams = boto3.client("dynamodbstreams", region_name="us-east-1")
    arn = orders.describe_table(TableName="orders")["Table"]["LatestStreamArn"]
    shard = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]["ShardId"]
    place = {"StreamArn": arn, "ShardId": shard, "ShardIteratorType": "LATEST"}

    with fake.inject(operation="GetRecords", table="orders", error="ExpiredIteratorException"):
        iterator = streams.get_shard_iterator(**place)["ShardIterator"]
        with pytest.raises(streams.exceptions.ExpiredIteratorException):
            streams.get_records(ShardIterator=iterator)

    assert streams.get_records(ShardIterator=iterator)["Records"] == []


def test_what_a_test_loads_is_in_the_stream(fake, orders):
    fake.table("orders").load([{"pk": "a"}, {"pk": "b"}])

    records, _ = poll(orders.describe_table(TableName="orders")["Table"]["LatestStreamArn"], times=1)

    assert {record["dynamodb"]["Keys"]["pk"]["S"] for record in records} == {"a", "b"}


def test_a_policy_is_asked_about_the_stream(fake, orders):
    arn = orders.describe_table(TableName="orders")["Table"]["LatestStreamArn"]
    allow = {"Effect": "Allow", "Action": "dynamodb:*", "Resource": f"{arn}"}
    fake.policy.put_user_policy("reader", "streams", {"Version": "2012-10-17", "Statement": [allow]})
    streams = boto3.client("dynamodbstreams", region_name="us-east-1", **fake.policy.access_key("reader"))

    shard = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]["ShardId"]
    place = {"StreamArn": arn, "ShardId": shard, "ShardIteratorType": "LATEST"}
    assert streams.get_records(ShardIterator=streams.get_shard_iterator(**place)["ShardIterator"])["Records"] == []
    with pytest.raises(ClientError) as caught:
        streams.list_streams()
    assert caught.value.response["Error"]["Code"] == "AccessDeniedException"
