"""Throttles do not count against the service level agreement; only HTTP 500 and 503 do."""

import pytest
from availability import Availability, counted_client


@pytest.fixture
def counter():
    return Availability()


def save(counter, count):
    client = counted_client(counter)
    for number in range(count):
        client.put_item(TableName="orders", Item={"pk": {"S": f"order#{number}"}})


@pytest.mark.ddb_throttle(table="orders", write_capacity_units=5)
def test_throttles_do_not_count(ddb_fake, counter):
    ddb_fake.create_table("orders")

    save(counter, 20)

    assert counter.throttles == len(ddb_fake.throttles) > 0
    assert (counter.requests, counter.errors, counter.percent) == (20 + counter.throttles, 0, 100.0)


@pytest.mark.ddb_inject(operation="PutItem", error="InternalServerError", times=1)
@pytest.mark.ddb_inject(operation="PutItem", error="ServiceUnavailable", times=1, after=10)
@pytest.mark.ddb_inject(operation="PutItem", reason="TableWriteKeyRangeThroughputExceeded", times=6, after=12)
def test_500_and_503_count(ddb_fake, counter):
    ddb_fake.create_table("orders")

    save(counter, 92)

    assert (counter.requests, counter.errors, counter.throttles) == (100, 2, 6)
    assert counter.percent == pytest.approx(98.0)
    assert ddb_fake.table("orders").item_count == 92
