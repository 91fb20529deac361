"""Vector search as a test of an application sees it: refusals that are scripted, and the account's door."""

from __future__ import annotations

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from pytest_ddbthrottle import FakeDynamoDB, assert_throttled

ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/docs/index/near"
ITEM = {"pk": {"S": "a"}, "v": {"L": [{"N": "1"}, {"N": "2"}]}}
SEARCH = {"TableName": "docs", "IndexName": "near", "SearchVector": [{"N": "1"}, {"N": "2"}], "TopK": 1}


@pytest.fixture
def fake():
    with FakeDynamoDB(clock="sdk") as fake:
        yield fake


@pytest.fixture
def client(fake):
    once = Config(retries={"total_max_attempts": 1})
    client = boto3.client("dynamodb", "us-east-1", aws_access_key_id="x", aws_secret_access_key="x", config=once)
    client.create_table(
        TableName="docs",
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        BillingMode="PAY_PER_REQUEST",
        VectorIndexes=[
            {
                "IndexName": "near",
                "VectorAttribute": {"AttributeName": "v"},
                "Projection": {"ProjectionType": "ALL"},
                "Dimensions": 2,
                "DistanceFunction": "EUCLIDEAN",
            }
        ],
    )
    return client


def refused(call, **request):
    with pytest.raises(ClientError) as caught:
        call(**request)
    return caught.value


CAP = "Throughput exceeds the maximum OnDemandThroughput configured on table or index"


def test_a_search_can_be_refused_by_its_index(fake, client):
    fake.inject(operation="SearchVectors", index="near", reason="IndexReadMaxOnDemandThroughputExceeded")

    error = refused(client.search_vectors, **SEARCH)

    assert_throttled(
        error, error="ThrottlingException", reason="IndexReadMaxOnDemandThroughputExceeded", resource=ARN, message=CAP
    )
    assert client.search_vectors(**SEARCH)["SearchResults"] == []
    [record] = fake.throttles
    assert (record.operation, record.table) == ("SearchVectors", "docs")


def test_a_write_can_be_refused_by_the_vector_index_that_it_changes(fake, client):
    fake.inject(index="near", reason="IndexWriteMaxOnDemandThroughputExceeded", times=2)
    client.put_item(TableName="docs", Item={"pk": {"S": "no vector"}})

    errors = [refused(client.put_item, TableName="docs", Item=ITEM) for _ in range(2)]

    for error in errors:
        assert_throttled(error, reason="IndexWriteMaxOnDemandThroughputExceeded", resource=ARN)
    assert fake.table("docs").item_count == 1


def test_a_rule_of_the_table_is_not_about_its_vector_index(fake, client):
    fake.inject(table="docs", reason="TableReadMaxOnDemandThroughputExceeded", optional=True)

    assert client.search_vectors(**SEARCH)["SearchResults"] == []


def test_a_fault_of_the_service_reaches_a_search(fake, client):
    fake.inject(operation="SearchVectors", error="InternalServerError")

    assert refused(client.search_vectors, **SEARCH).response["Error"]["Code"] == "InternalServerError"


def test_an_account_that_has_read_too_much_is_refused_at_the_door(fake, client):
    fake.limits(account_read_units_per_second=0)

    assert refused(client.search_vectors, **SEARCH).response["Error"]["Code"] == "RequestLimitExceeded"


def test_loaded_items_are_found_and_a_vector_that_no_index_takes_is_told(fake, client):
    table = fake.table("docs")

    table.load([{"pk": "b", "v": [3, 4]}])

    assert client.search_vectors(**SEARCH)["SearchResults"][0]["Item"] == {"pk": {"S": "b"}}
    with pytest.raises(ValueError, match="Invalid size for parameter v, Expected: 2, Actual: 1 IndexName: near"):
        table.load([{"pk": "c", "v": [3]}])


def test_capacity_of_the_table_is_not_spent_by_a_search(fake, client):
    table = fake.table("docs")
    before = table.balance("read")

    client.search_vectors(**SEARCH)

    assert table.balance("read") == before
    fake.assert_consumed(read_units=0, operation="SearchVectors")


def test_a_rule_can_speak_of_the_index_that_a_search_names(fake, client):
    fake.inject(index="near", error="ServiceUnavailable")
    client.put_item(TableName="docs", Item=ITEM)

    assert refused(client.search_vectors, **SEARCH).response["Error"]["Code"] == "ServiceUnavailable"


def test_a_sweep_refuses_a_search_by_its_index_and_a_write_by_its_table(fake, client):
    def scenario():
        client.put_item(TableName="docs", Item=ITEM)
        client.search_vectors(**SEARCH)

    report = fake.sweep(scenario)

    assert [(point.operation, point.reason, point.outcome) for point in report.points] == [
        ("PutItem", "TableWriteKeyRangeThroughputExceeded", "raised"),
        ("SearchVectors", "IndexReadKeyRangeThroughputExceeded", "raised"),
    ]
