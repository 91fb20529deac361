"""aws-lambda-powertools, as its documentation shows it: idempotency kept in a table, batches of a table's stream."""

from __future__ import annotations

from dataclasses import dataclass

import boto3
import pytest
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.batch.exceptions import BatchProcessingError
from aws_lambda_powertools.utilities.idempotency import (
    DynamoDBPersistenceLayer,
    IdempotencyConfig,
    idempotent,
    idempotent_function,
)
from aws_lambda_powertools.utilities.idempotency.exceptions import (
    IdempotencyAlreadyInProgressError,
    IdempotencyValidationError,
)


@dataclass
class LambdaContext:
    function_name: str = "pay"
    memory_limit_in_mb: int = 128
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:pay"
    aws_request_id: str = "52fdfc07-2182-154f-163f-5f0f9a621d72"
    remaining_millis: int = 5_000

    def get_remaining_time_in_millis(self) -> int:
        return self.remaining_millis


@pytest.fixture
def store(ddb_fake, monkeypatch):
    monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", "pay")
    ddb_fake.create_table("idempotency", partition_key="id:S")
    return DynamoDBPersistenceLayer(table_name="idempotency", boto3_session=boto3.Session(region_name="us-east-1"))


def payments(store, config=None, raises=None):
    """Give a handler that counts what it has paid, and the list of it."""
    paid = []

    @idempotent(persistence_store=store, config=config or IdempotencyConfig())
    def handler(event, context):
        if raises is not None:
            raise raises
        paid.append(event["order"])
        return {"payment": len(paid), "order": event["order"]}

    return handler, paid


def test_one_event_is_handled_once(store, ddb_fake):
    handler, paid = payments(store)

    first, again = (handler({"order": "a"}, LambdaContext()) for _ in range(2))

    assert first == again == {"payment": 1, "order": "a"}
    assert paid == ["a"]
    assert [item["status"] for item in ddb_fake.table("idempotency").items()] == [{"S": "COMPLETED"}]
    assert handler({"order": "b"}, LambdaContext())["payment"] == 2


def test_a_record_that_has_expired_counts_no_more(store, ddb_fake):
    handler, paid = payments(store, IdempotencyConfig(expires_after_seconds=60))
    handler({"order": "a"}, LambdaContext())

    ddb_fake.clock.advance(59)
    handler({"order": "a"}, LambdaContext())
    ddb_fake.clock.advance(2)
    handler({"order": "a"}, LambdaContext())

    assert paid == ["a", "a"]


def test_an_exception_leaves_nothing_behind(store, ddb_fake):
    handler, _ = payments(store, raises=RuntimeError("no money"))

    with pytest.raises(RuntimeError, match="no money"):
        handler({"order": "a"}, LambdaContext())

    assert ddb_fake.table("idempotency").item_count == 0


def test_an_event_that_is_being_handled_is_refused_until_its_time_is_over(store, ddb_fake):
    rounds = []

    @idempotent(persistence_store=store, config=IdempotencyConfig())
    def slow(event, context):
        rounds.append(event)
        if len(rounds) == 1:
            with pytest.raises(IdempotencyAlreadyInProgressError):
                slow(event, context)
            ddb_fake.clock.advance(5.1)  # The first invocation's 5 s are over.
            slow(event, context)
        return "done"

    assert slow({"order": "a"}, LambdaContext()) == "done"
    assert len(rounds) == 2


def test_a_part_of_the_event_is_the_key_and_another_is_checked(store):
    config = IdempotencyConfig(event_key_jmespath="[user, order]", payload_validation_jmespath="amount")
    handler, paid = payments(store, config)
    event = {"user": "u", "order": "a", "amount": 5}
    handler(event, LambdaContext())

    handler({**event, "trace": "other"}, LambdaContext())
    with pytest.raises(IdempotencyValidationError):
        handler({**event, "amount": 6}, LambdaContext())

    assert paid == ["a"]


def test_a_function_and_a_table_with_a_sort_key(ddb_fake, monkeypatch):
    monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", "pay")
    ddb_fake.create_table("idempotency", partition_key="pk:S", sort_key="sk:S")
    store = DynamoDBPersistenceLayer(
        table_name="idempotency",
        key_attr="pk",
        sort_key_attr="sk",
        boto3_session=boto3.Session(region_name="us-east-1"),
    )
    config = IdempotencyConfig()
    config.register_lambda_context(LambdaContext())
    done = []

    @idempotent_function(data_keyword_argument="order", persistence_store=store, config=config)
    def pay(order, note):
        done.append(note)
        return order

    pay(order="a", note="first")
    pay(order="a", note="second")

    assert done == ["first"]
    assert [item["pk"]["S"] for item in ddb_fake.table("idempotency").items()] == ["idempotency#pay"]


@pytest.mark.ddb_inject(
    operation="PutItem", table="idempotency", reason="TableWriteKeyRangeThroughputExceeded", times=2
)
def test_a_throttled_record_is_written_after_all(store, ddb_fake):
    handler, paid = payments(store)

    handler({"order": "a"}, LambdaContext())

    assert paid == ["a"]
    ddb_fake.assert_attempts("PutItem", 3)


def record(number, order):
    """A record of a table's stream, as Lambda hands it over."""
    image = {"pk": {"S": order}, "n": {"N": str(number)}, "tags": {"SS": ["a"]}}
    return {
        "eventID": f"event-{number}",
        "eventName": "INSERT",
        "eventVersion": "1.0",
        "eventSource": "aws:dynamodb",
        "awsRegion": "us-east-1",
        "eventSourceARN": "arn:aws:dynamodb:us-east-1:123456789012:table/orders/stream/2026-01-01T00:00:00.000",
        "dynamodb": {
            "Keys": {"pk": {"S": order}},
            "NewImage": image,
            "SequenceNumber": f"{4421584500000000017450439090 + number}",
            "SizeBytes": 26,
            "StreamViewType": "NEW_AND_OLD_IMAGES",
        },
    }


def handler_of_batches(table_name):
    """Give a handler that copies each record to a table."""
    processor = BatchProcessor(event_type=EventType.DynamoDBStreams)
    table = boto3.resource("dynamodb", region_name="us-east-1").Table(table_name)

    def copy(record):
        image = record.dynamodb.new_image
        table.put_item(Item=image, ConditionExpression="attribute_not_exists(pk)")
        return image["pk"]

    def handler(event, context):
        return process_partial_response(event=event, record_handler=copy, processor=processor, context=context)

    return handler


def test_a_batch_of_stream_records_is_handled(ddb_fake):
    ddb_fake.create_table("copies", partition_key="pk:S")
    handler = handler_of_batches("copies")

    reply = handler({"Records": [record(n, f"order{n}") for n in range(3)]}, LambdaContext())

    assert reply == {"batchItemFailures": []}
    assert ddb_fake.table("copies").item_count == 3


def test_a_record_that_fails_is_told_by_its_sequence_number(ddb_fake):
    ddb_fake.create_table("copies", partition_key="pk:S")
    handler = handler_of_batches("copies")

    reply = handler({"Records": [record(0, "a"), record(1, "a"), record(2, "b")]}, LambdaContext())

    assert reply == {"batchItemFailures": [{"itemIdentifier": "4421584500000000017450439091"}]}
    assert ddb_fake.table("copies").item_count == 2


def test_a_batch_of_failures_alone_raises(ddb_fake):
    handler = handler_of_batches("never_made")

    with pytest.raises(BatchProcessingError, match="ResourceNotFoundException"):
        handler({"Records": [record(0, "a")]}, LambdaContext())
