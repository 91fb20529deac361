"""Replies that never arrive: what botocore raises, what passes, what was stored, and what the journal says."""

from __future__ import annotations

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ConnectionClosedError, ReadTimeoutError

from pytest_ddbthrottle import FakeDynamoDB

ERRORS = {"timeout": ReadTimeoutError, "reset": ConnectionClosedError}
ENDPOINT = "https://dynamodb.us-east-1.amazonaws.com/"


@pytest.fixture
def orders(ddb_fake):
    return ddb_fake.create_table("orders")


def client_of(**config):
    names = {"aws_access_key_id": "any", "aws_secret_access_key": "any"}
    return boto3.client("dynamodb", "us-east-1", config=Config(**config), **names)


def put(client, key="a"):
    return client.put_item(TableName="orders", Item={"pk": {"S": key}})


@pytest.mark.parametrize(
    ("error", "text"),
    [
        ("timeout", f'Read timeout on endpoint URL: "{ENDPOINT}"'),
        (
            "reset",
            f'Connection was closed before we received a valid response from endpoint URL: "{ENDPOINT}".',
        ),
    ],
)
def test_the_caller_gets_botocores_own_exception(ddb_fake, ddb_client, orders, error, text):
    ddb_fake.inject(error=error)

    with pytest.raises(ERRORS[error]) as raised:
        put(ddb_client)

    assert str(raised.value) == text


@pytest.mark.parametrize("applied", [False, True])
@pytest.mark.parametrize("error", ["timeout", "reset", "InternalServerError", "ServiceUnavailable"])
def test_the_write_has_happened_or_not_as_the_rule_says(ddb_fake, ddb_client, orders, error, applied):
    ddb_fake.inject(error=error, applied=applied)

    with pytest.raises(Exception, match=r"timeout|closed|error|unavailable"):
        put(ddb_client)

    (call,) = ddb_fake.calls
    assert orders.item_count == applied
    assert (call.error, call.applied, call.scripted) == (error, applied, True)
    assert call.consumed_write_units == applied


def test_a_lost_reply_is_recorded_as_none(ddb_fake, ddb_client, orders):
    ddb_fake.inject(error="reset")

    with pytest.raises(ConnectionClosedError):
        put(ddb_client)

    (call,) = ddb_fake.calls
    assert (call.status_code, call.body, call.headers) == (0, b"", {})
    assert call.message == "the connection was reset before a reply"


@pytest.mark.parametrize(
    ("config", "names", "seconds"),
    [
        ({}, {"error": "timeout"}, 60),
        ({"read_timeout": 2}, {"error": "timeout"}, 2),
        ({"read_timeout": 2}, {"error": "timeout", "latency_seconds": 0.5}, 0.5),
        ({}, {"error": "reset"}, 0),
        ({}, {"error": "reset", "latency_seconds": 3}, 3),
    ],
)
def test_a_timeout_takes_as_long_as_the_client_waits(ddb_fake, orders, config, names, seconds):
    client = client_of(retries={"total_max_attempts": 1}, **config)
    ddb_fake.inject(**names)

    with pytest.raises(ERRORS[names["error"]]):
        put(client)

    assert ddb_fake.clock.elapsed == seconds


@pytest.mark.parametrize("mode", ["legacy", "standard", "adaptive"])
@pytest.mark.parametrize("error", ["timeout", "reset"])
def test_the_sdk_sends_again_what_got_no_reply(ddb_fake, orders, mode, error):
    client = client_of(retries={"mode": mode})
    ddb_fake.inject(error=error, times=2)

    reply = put(client)

    assert reply["ResponseMetadata"]["RetryAttempts"] == 2
    ddb_fake.assert_attempts("PutItem", 3)
    ddb_fake.assert_nothing_lost()
    assert orders.item_count == 1


def test_an_update_whose_reply_was_lost_is_counted_twice_by_the_sdks_retry(ddb_fake, orders):
    client = client_of()
    ddb_fake.inject(error="timeout", applied=True)

    client.update_item(
        TableName="orders",
        Key={"pk": {"S": "a"}},
        UpdateExpression="ADD sold :one",
        ExpressionAttributeValues={":one": {"N": "1"}},
    )

    assert orders.items(plain=True) == [{"pk": "a", "sold": 2}]


@pytest.mark.parametrize("applied", [False, True])
def test_a_write_without_a_reply_is_lost_unless_it_happened(ddb_fake, ddb_client, orders, applied):
    ddb_fake.inject(error="timeout", applied=applied)
    with pytest.raises(ReadTimeoutError):
        put(ddb_client)

    try:
        ddb_fake.assert_nothing_lost()
        lost = False
    except AssertionError:
        lost = True

    assert lost is not applied


@pytest.mark.ddb_inject(error="timeout", operation="BatchWriteItem", applied=True)
@pytest.mark.ddb_inject(leftover=1)
def test_a_batch_that_was_carried_out_in_part_is_not_applied(ddb_fake, ddb_client, orders):
    entries = [{"PutRequest": {"Item": {"pk": {"S": key}}}} for key in "ab"]

    with pytest.raises(ReadTimeoutError):
        ddb_client.batch_write_item(RequestItems={"orders": entries})

    assert orders.item_count == 1
    assert not ddb_fake.calls[0].applied
    assert ddb_fake.leftovers == []


def test_a_write_that_is_carried_out_is_refused_like_any_other(ddb_fake, ddb_client):
    ddb_fake.create_table("orders", write_capacity_units=1)
    put(ddb_client, "first")
    ddb_fake.inject(error="reset", applied=True)

    with pytest.raises(ConnectionClosedError):
        put(ddb_client)

    assert ddb_fake.table("orders").item_count == 1
    assert ddb_fake.calls[1].throttled
    assert not ddb_fake.calls[1].applied


def test_in_real_time_a_timeout_does_not_wait():
    with FakeDynamoDB(clock="real") as fake:
        fake.create_table("orders")
        fake.inject(error="timeout")

        with pytest.raises(ReadTimeoutError):
            put(client_of(retries={"total_max_attempts": 1}))

        assert fake.sleeps == []
