"""The wire form: targets, bodies, headers, and one journal record for each request."""

from __future__ import annotations

import json
from zlib import crc32

import pytest

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.dynamodb import DynamoDB
from pytest_ddbthrottle._engine.errors import Livelock
from pytest_ddbthrottle._engine.faults import InjectRule
from pytest_ddbthrottle._wire import Wire, region_of

URL = "https://dynamodb.us-east-1.amazonaws.com/"
CREATE = {
    "TableName": "orders",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}
PUT = {"TableName": "orders", "Item": {"pk": {"S": "a"}}}


@pytest.fixture
def wire():
    return Wire(DynamoDB(VirtualClock()), livelock_limit=5)


def send(wire, operation, request, **headers):
    body = request if isinstance(request, bytes) else json.dumps(request).encode()
    return wire.answer(URL, {"X-Amz-Target": f"DynamoDB_20120810.{operation}", **headers}, body)


@pytest.mark.parametrize(
    ("body", "code", "text"),
    [
        (
            b"{",
            "SerializationException",
            "The request body is not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
        ),
        (b"", "SerializationException", "The request body is not JSON: Expecting value: line 1 column 1 (char 0)"),
        (
            b"\xff\xfe",
            "SerializationException",
            "The request body is not JSON: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
        ),
        (b'{"Limit":NaN}', "SerializationException", "The request body is not JSON: NaN is no JSON number"),
        (b"[" * 100_000, "SerializationException", "The request body is nested deeper than 500 levels"),
        (
            b'{"a":' * 501 + b"1" + b"}" * 501,
            "SerializationException",
            "The request body is nested deeper than 500 levels",
        ),
        (b"[]", "SerializationException", "Start of structure or map found where not expected"),
        (b'"x"', "SerializationException", "Start of structure or map found where not expected"),
    ],
)
def test_a_malformed_body_is_a_serialization_error(wire, body, code, text):
    reply = send(wire, "PutItem", body)

    assert reply.status_code == 400
    assert json.loads(reply.body) == {"__type": f"com.amazon.coral.service#{code}", "Message": text}


def test_a_body_of_many_containers_need_not_be_deep(wire):
    send(wire, "CreateTable", CREATE)
    elements = [{"M": {"n": {"N": str(number)}}} for number in range(1000)]

    reply = send(wire, "PutItem", {"TableName": "orders", "Item": {"pk": {"S": "a"}, "l": {"L": elements}}})

    assert reply.status_code == 200


def test_half_a_surrogate_pair_is_answered_as_a_question_mark(wire):
    send(wire, "CreateTable", CREATE)
    send(wire, "PutItem", {"TableName": "orders", "Item": {"pk": {"S": "a"}, "odd": {"S": "\ud800!"}}})

    reply = send(wire, "GetItem", {"TableName": "orders", "Key": {"pk": {"S": "a"}}})

    assert json.loads(reply.body.decode())["Item"]["odd"] == {"S": "?!"}


@pytest.mark.parametrize(
    ("operation", "text"),
    [
        (
            "ExportTableToPointInTime",
            "ExportTableToPointInTime is not modelled by pytest-ddbthrottle yet; see docs/unsupported.md",
        ),
        ("GetRecords", "X-Amz-Target: 'DynamoDB_20120810.GetRecords' names no operation of DynamoDB"),
        ("PutItems", "PutItems: DynamoDB has no such operation"),
        ("", "X-Amz-Target: 'DynamoDB_20120810.' names no operation of DynamoDB"),
    ],
)
def test_an_operation_that_is_not_there_is_named(wire, operation, text):
    reply = send(wire, operation, {})

    assert reply.status_code == 400
    assert json.loads(reply.body) == {
        "__type": "com.amazon.coral.service#UnknownOperationException",
        "message": text,
    }


@pytest.mark.parametrize(
    ("headers", "text"),
    [
        ({}, "The request has no X-Amz-Target header: it names no operation"),
        ({"X-Amz-Target": "PutItem"}, "X-Amz-Target: 'PutItem' names no operation of DynamoDB"),
        ({"X-Amz-Target": "SQS_2012.PutItem"}, "X-Amz-Target: 'SQS_2012.PutItem' names no operation of DynamoDB"),
    ],
)
def test_a_target_that_is_not_dynamodbs_is_named(wire, headers, text):
    reply = wire.answer(URL, headers, b"{}")

    assert reply.status_code == 400
    assert json.loads(reply.body) == {
        "__type": "com.amazon.coral.service#UnknownOperationException",
        "message": text,
    }


def test_each_reply_has_its_checksum_and_a_request_id_of_the_services_form(wire):
    reply = send(wire, "CreateTable", CREATE)

    assert reply.headers["x-amz-crc32"] == str(crc32(reply.body))
    assert len(reply.headers["x-amzn-RequestId"]) == 52
    assert reply.headers["x-amzn-RequestId"].endswith("VV4KQNSO5AEMVJF66Q9ASUAAJG")
    assert reply.headers["Content-Type"] == "application/x-amz-json-1.0"
    assert "x-amz-retry-after" not in reply.headers


def test_the_same_seed_gives_the_same_bytes():
    def transcript():
        wire = Wire(DynamoDB(VirtualClock(), seed=7))
        return [send(wire, *request) for request in (("CreateTable", CREATE), ("PutItem", PUT), ("Scan", CREATE))]

    assert transcript() == transcript()


def test_the_journal_knows_what_was_sent_and_what_came_back(wire):
    send(wire, "CreateTable", CREATE)
    wire.engine.clock.advance(1.5)
    reply = send(wire, "PutItem", PUT)

    call = wire.engine.journal.calls[-1]

    assert (call.number, call.operation, call.table, call.region) == (2, "PutItem", "orders", "us-east-1")
    assert (call.request, call.body, call.status_code, call.error) == (PUT, reply.body, 200, None)
    assert (call.at_seconds, call.attempt, call.delay_before_seconds) == (1.5, 1, None)
    assert (call.consumed_write_units, call.consumed_read_units, call.throttled) == (1.0, 0.0, False)


def test_attempts_of_one_invocation_are_counted_with_their_delays(wire):
    for delay in (0, 0.05, 0.1):
        wire.engine.clock.advance(delay)
        send(wire, "PutItem", PUT, **{"amz-sdk-invocation-id": "one"})
    send(wire, "PutItem", PUT, **{"amz-sdk-invocation-id": "two"})

    calls = wire.engine.journal.calls

    assert [(call.attempt, call.delay_before_seconds) for call in calls] == [(1, None), (2, 0.05), (3, 0.1), (1, None)]


@pytest.mark.parametrize(
    ("url", "authorization", "region"),
    [
        ("https://localhost:8000/", "AWS4-HMAC-SHA256 Credential=AKID/20260101/eu-west-1/dynamodb/x", "eu-west-1"),
        ("https://dynamodb.us-west-2.amazonaws.com/", "Credential=AKID/20260101/eu-west-1/dynamodb/x", "eu-west-1"),
        ("https://dynamodb.us-west-2.amazonaws.com/", "", "us-west-2"),
        ("https://dynamodb-fips.us-gov-west-1.amazonaws.com/", "", "us-gov-west-1"),
        ("https://123456789012.ddb.ap-south-1.amazonaws.com/", "", "ap-south-1"),
        ("https://dynamodb.eu-west-1.api.aws/", "", "eu-west-1"),
        ("https://streams.dynamodb.eu-west-1.amazonaws.com/", "", "eu-west-1"),
        ("http://localhost:8000/", "", None),
    ],
)
def test_the_region_is_the_one_that_was_signed_for(url, authorization, region):
    assert region_of(url, authorization) == region


def test_regions_are_apart(wire):
    send(wire, "CreateTable", CREATE)
    abroad = {"Authorization": "Credential=AKID/20260101/eu-west-1/dynamodb/aws4_request"}

    reply = send(wire, "PutItem", PUT, **abroad)

    assert json.loads(reply.body)["__type"].endswith("ResourceNotFoundException")


def refuse_all(wire):
    send(wire, "CreateTable", CREATE)
    wire.engine.inject(InjectRule(reason="TableWriteKeyRangeThroughputExceeded", times=1000))


def test_refusals_at_one_instant_end_in_a_livelock(wire):
    refuse_all(wire)
    for _ in range(4):
        send(wire, "PutItem", PUT)

    with pytest.raises(Livelock) as stopped:
        send(wire, "PutItem", PUT)

    assert str(stopped.value) == (
        "5 calls in a row were refused or left entries over at the same virtual instant, 0 s: the last was PutItem on "
        "orders (TableWriteKeyRangeThroughputExceeded).\n"
        "Nothing between them moves the clock, so no capacity comes back: the code under test re-sends without "
        "sleeping, as boto3's batch_writer does with leftovers.\n"
        "Let it back off, give the table more capacity, or raise ddb_livelock_limit; docs/how-to/livelock.md"
    )


def test_a_clock_that_moves_between_refusals_is_no_livelock(wire):
    refuse_all(wire)

    for _ in range(20):
        wire.engine.clock.advance(0.001)
        assert send(wire, "PutItem", PUT).status_code == 400


def test_a_success_between_refusals_is_no_livelock(wire):
    refuse_all(wire)

    for _ in range(20):
        send(wire, "PutItem", PUT)
        assert send(wire, "GetItem", {"TableName": "orders", "Key": PUT["Item"]}).status_code == 200
