"""Powertools for AWS Lambda on the fake, as its documentation shows them: idempotency, and batches of a table's stream."""

from __future__ import annotations

import json
from dataclasses import dataclass

import boto3
import pytest
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.dynamo_db_stream_event import DynamoDBRecord
from aws_lambda_powertools.utilities.idempotency import (
    DynamoDBPersistenceLayer,
    IdempotencyConfig,
    idempotent,
    idempotent_function,
)
from aws_lambda_powertools.utilities.idempotency.exceptions import (
    IdempotencyAlreadyInProgressError,
    IdempotencyPersistenceLayerError,
    IdempotencyValidationError,
)


@dataclass
class LambdaContext:
    """What the library reads of a Lambda's context."""

    function_name: str = "payments"
    remaining_ms: int = 30_000

    def get_remaining_time_in_millis(self):
        return self.remaining_ms


@pytest.fixture
def client(ddb_fake):
    return boto3.client("dynamodb", region_name="us-east-1")


@pytest.fixture
def table(client):
    client.create_table(
        TableName="IdempotencyTable",
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    return client


@pytest.fixture
def layer(table):
    return DynamoDBPersistenceLayer(table_name="IdempotencyTable", boto3_client=table)


def records(client):
    return client.scan(TableName="IdempotencyTable")["Items"]


def test_a_handler_runs_once_and_answers_again_from_the_table(layer, client):
    ran = []

    @idempotent(persistence_store=layer)
    def handler(event, context):
        ran.append(event)
        return {"payment": len(ran)}

    first = handler({"user": "a"}, LambdaContext())
    again = handler({"user": "a"}, LambdaContext())
    other = handler({"user": "b"}, LambdaContext())

    assert (first, again, other) == ({"payment": 1}, {"payment": 1}, {"payment": 2})
    assert [record["status"]["S"] for record in records(client)] == ["COMPLETED", "COMPLETED"]


def test_a_record_that_expired_lets_the_handler_run_again(layer, ddb_clock):
    ran = []

    @idempotent(persistence_store=layer, config=IdempotencyConfig(expires_after_seconds=60))
    def handler(event, context):
        ran.append(event)
        return len(ran)

    handler({"user": "a"}, LambdaContext())
    ddb_clock.advance(59)
    within = handler({"user": "a"}, LambdaContext())
    ddb_clock.advance(2)
    after = handler({"user": "a"}, LambdaContext())

    assert (within, after) == (1, 2)


def test_a_second_call_while_the_first_runs_is_refused(layer):
    @idempotent(persistence_store=layer)
    def handler(event, context):
        return handler(event, context)

    with pytest.raises(IdempotencyAlreadyInProgressError):
        handler({"user": "a"}, LambdaContext())


def test_a_handler_that_raised_leaves_no_record(layer, client):
    @idempotent(persistence_store=layer)
    def handler(event, context):
        raise RuntimeError("card declined")

    with pytest.raises(RuntimeError, match="card declined"):
        handler({"user": "a"}, LambdaContext())

    assert records(client) == []


def test_another_payload_under_the_same_key_is_refused(layer):
    config = IdempotencyConfig(event_key_jmespath="id", payload_validation_jmespath="amount")

    @idempotent(persistence_store=layer, config=config)
    def handler(event, context):
        return event["amount"]

    handler({"id": "1", "amount": 5}, LambdaContext())

    with pytest.raises(IdempotencyValidationError):
        handler({"id": "1", "amount": 6}, LambdaContext())


# Outside a Lambda it warns that it knows no deadline.
@pytest.mark.filterwarnings("ignore:Couldn't determine the remaining time left")
def test_a_function_is_idempotent_by_its_argument(layer, client):
    @idempotent_function(data_keyword_argument="order", persistence_store=layer)
    def process(order):
        return {"total": order["count"] * 2}

    assert [process(order={"count": 4}) for _ in range(3)] == [{"total": 8}] * 3
    assert [json.loads(record["data"]["S"]) for record in records(client)] == [{"total": 8}]


@pytest.mark.ddb_inject(reason="TableWriteMaxOnDemandThroughputExceeded", operation="PutItem", times=20)
def test_a_store_that_stays_throttled_keeps_the_handler_from_running(layer):
    ran = []

    @idempotent(persistence_store=layer)
    def handler(event, context):
        ran.append(event)

    with pytest.raises(IdempotencyPersistenceLayerError):
        handler({"user": "a"}, LambdaContext())

    assert ran == []


@pytest.mark.ddb_inject(reason="TableWriteMaxOnDemandThroughputExceeded", operation="UpdateItem")
def test_a_store_that_is_throttled_once_saves_the_answer_at_the_next_attempt(layer, client, ddb_fake):
    @idempotent(persistence_store=layer)
    def handler(event, context):
        return "paid"

    handler({"user": "a"}, LambdaContext())

    assert [record["status"]["S"] for record in records(client)] == ["COMPLETED"]
    assert len(ddb_fake.throttles) == 1


def test_a_partial_batch_names_the_first_record_that_failed(table):
    def record(number):
        return {
            "eventID": str(number),
            "eventName": "INSERT",
            "eventSource": "aws:dynamodb",
            "dynamodb": {
                "Keys": {"id": {"S": str(number)}},
                "NewImage": {"id": {"S": str(number)}, "amount": {"N": str(number)}},
                "SequenceNumber": str(100 + number),
                "StreamViewType": "NEW_IMAGE",
            },
        }

    def store(record: DynamoDBRecord):
        image = record.dynamodb.new_image
        if image["amount"] == 2:
            raise ValueError("two is not taken")
        table.put_item(TableName="IdempotencyTable", Item={"id": {"S": image["id"]}})

    reply = process_partial_response(
        event={"Records": [record(number) for number in range(4)]},
        record_handler=store,
        processor=BatchProcessor(event_type=EventType.DynamoDBStreams),
        context=LambdaContext(),
    )

    assert reply == {"batchItemFailures": [{"itemIdentifier": "102"}]}
    assert sorted(item["id"]["S"] for item in records(table)) == ["0", "1", "3"]
