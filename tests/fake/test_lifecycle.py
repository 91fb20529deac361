"""A table that takes its time, as an application meets it: boto3's waiters wait in virtual time."""

from __future__ import annotations

import boto3
import pytest
from botocore.exceptions import WaiterError

from pytest_ddbthrottle import FakeDynamoDB

ORDERS = {
    "TableName": "orders",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}


@pytest.fixture(params=["virtual", "sdk"])
def fake(request):
    with FakeDynamoDB(clock=request.param) as fake:
        fake.limits(lifecycle="realistic")
        yield fake


@pytest.fixture
def client(fake):
    return boto3.client("dynamodb", region_name="us-east-1")


def test_the_waiter_for_a_table_waits_in_virtual_time(fake, client):
    client.create_table(**ORDERS)

    client.get_waiter("table_exists").wait(TableName="orders")

    assert fake.clock.elapsed == 20.0
    client.put_item(TableName="orders", Item={"pk": {"S": "a"}})


def test_the_waiter_for_the_end_of_a_table_waits_in_virtual_time(fake, client):
    client.create_table(**ORDERS)
    fake.clock.advance(10)
    client.delete_table(TableName="orders")

    client.get_waiter("table_not_exists").wait(TableName="orders", WaiterConfig={"Delay": 1})

    assert fake.clock.elapsed == 17.0
    assert client.list_tables()["TableNames"] == []


def test_a_waiter_that_gives_up_too_early_fails(fake, client):
    client.create_table(**ORDERS)

    with pytest.raises(WaiterError, match="Max attempts exceeded"):
        client.get_waiter("table_exists").wait(TableName="orders", WaiterConfig={"Delay": 1, "MaxAttempts": 5})


def test_code_that_does_not_wait_is_told_so(fake, client):
    client.create_table(**ORDERS)

    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.put_item(TableName="orders", Item={"pk": {"S": "a"}})


def test_retries_carry_the_application_over_the_rate_of_the_control_plane(fake, client):
    for number in range(10):
        client.create_table(**{**ORDERS, "TableName": f"orders{number}"})

    assert len(client.list_tables()["TableNames"]) == 10
    assert fake.clock.elapsed > 0


def test_a_handle_sees_what_the_clock_has_done(fake, client):
    client.create_table(**{**ORDERS, "BillingMode": "PROVISIONED", "ProvisionedThroughput": units(5)})
    fake.clock.advance(30)
    client.update_table(TableName="orders", ProvisionedThroughput=units(50))
    orders = fake.table("orders")
    orders.drain("write")

    fake.clock.advance(1.5)
    orders.drain("write")
    fake.clock.advance(1)

    assert orders.balance("write") == 50


def test_a_rule_of_the_test_holds_during_a_change_and_after_it(fake, client):
    client.create_table(**{**ORDERS, "BillingMode": "PROVISIONED", "ProvisionedThroughput": units(5)})
    fake.clock.advance(30)
    client.update_table(TableName="orders", ProvisionedThroughput=units(50))

    fake.table("orders").throttle(read_capacity_units=2, write_capacity_units=2)

    seen = []
    for _ in range(2):
        table = client.describe_table(TableName="orders")["Table"]
        seen.append((table["TableStatus"], table["ProvisionedThroughput"]["WriteCapacityUnits"]))
        fake.clock.advance(1.5)
    assert seen == [("UPDATING", 2), ("ACTIVE", 2)]


def test_a_rule_for_another_table_leaves_a_change_its_time(fake, client):
    client.create_table(**{**ORDERS, "BillingMode": "PROVISIONED", "ProvisionedThroughput": units(5)})
    fake.clock.advance(30)
    client.update_table(TableName="orders", ProvisionedThroughput=units(50))

    fake.throttle(table="baskets", write_capacity_units=2)

    assert client.describe_table(TableName="orders")["Table"]["ProvisionedThroughput"]["WriteCapacityUnits"] == 5
    fake.clock.advance(1.5)
    assert client.describe_table(TableName="orders")["Table"]["ProvisionedThroughput"]["WriteCapacityUnits"] == 50


def units(number):
    return {"ReadCapacityUnits": number, "WriteCapacityUnits": number}
