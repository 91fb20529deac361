"""Capacity on the virtual clock, through boto3: so much passes, and not one unit more."""

from __future__ import annotations

import pytest
from botocore.exceptions import ClientError

from pytest_ddbthrottle import assert_throttled

FIVE = pytest.mark.ddb_throttle(
    table="orders", billing_mode="PROVISIONED", read_capacity_units=5, write_capacity_units=5
)


def put(client, number, body_bytes=0, **attributes):
    item = {"pk": {"S": f"k{number}"}, "body": {"S": "x" * body_bytes}, **attributes}
    client.put_item(TableName="orders", Item=item)


def writes_that_pass(client, most=5000, **attributes):
    for number in range(most):
        try:
            put(client, number, **attributes)
        except ClientError:
            return number
    return most


@FIVE
def test_five_writes_pass_and_the_sixth_is_refused(ddb_fake, ddb_client):
    ddb_fake.create_table("orders")
    kilobyte = 1024 - len("pk" + "k0" + "body")

    for number in range(5):
        put(ddb_client, number, kilobyte)
    with pytest.raises(ClientError) as caught:
        put(ddb_client, 5, kilobyte)

    assert_throttled(caught.value, reason="TableWriteProvisionedThroughputExceeded")
    assert ddb_fake.table("orders").item_count == 5


@FIVE
def test_a_second_later_five_more_pass(ddb_fake, ddb_client):
    ddb_fake.create_table("orders")
    assert writes_that_pass(ddb_client) == 5

    ddb_fake.clock.advance(1)

    assert writes_that_pass(ddb_client) == 5


@FIVE
def test_400_idle_seconds_save_300_seconds_of_capacity(ddb_fake, ddb_client):
    ddb_fake.create_table("orders")
    assert writes_that_pass(ddb_client) == 5

    ddb_fake.clock.advance(400)

    assert writes_that_pass(ddb_client) == 1500


@FIVE
@pytest.mark.parametrize("steps", [1, 10, 1000, 10_000])
def test_many_short_advances_admit_as_one_long_one_does(ddb_fake, ddb_client, steps):
    ddb_fake.create_table("orders")
    assert writes_that_pass(ddb_client) == 5

    for _ in range(steps):
        ddb_fake.clock.advance(1 / steps)

    assert writes_that_pass(ddb_client) == 5


@FIVE
def test_a_fresh_table_of_five_units_admits_a_write_of_400(ddb_fake, ddb_client):
    ddb_fake.create_table("orders")

    put(ddb_client, 0, 400_000)

    assert ddb_fake.table("orders").balance("write") == 5 - 391
    ddb_fake.clock.advance(77)
    assert writes_that_pass(ddb_client) == 0
    ddb_fake.clock.advance(0.3)
    assert writes_that_pass(ddb_client) == 1


@pytest.mark.ddb_throttle(table="orders", write_capacity_units=5, admission="full_cost")
def test_full_cost_admits_what_the_balance_covers_and_nothing_else(ddb_fake, ddb_client):
    ddb_fake.create_table("orders")

    with pytest.raises(ClientError):
        put(ddb_client, 0, 400_000)
    put(ddb_client, 1, 4_000)

    assert ddb_fake.table("orders").balance("write") == 1


@pytest.mark.ddb_throttle(table="orders", billing_mode="PAY_PER_REQUEST", max_write_request_units=2)
def test_a_half_capped_table_names_its_cap_on_writes_only(ddb_fake, ddb_client):
    ddb_fake.create_table("orders")

    assert writes_that_pass(ddb_client) == 2
    for number in range(5000):
        ddb_client.get_item(TableName="orders", Key={"pk": {"S": f"k{number}"}})

    ddb_fake.assert_throttled("PutItem", reason="TableWriteMaxOnDemandThroughputExceeded", times=1)
    assert {call.operation for call in ddb_fake.throttles} == {"PutItem"}


@pytest.mark.ddb_throttle(table="orders", index="by_status", max_write_request_units=3)
def test_a_starved_index_refuses_only_what_would_change_it(ddb_fake, ddb_client):
    table = ddb_fake.create_table("orders", indexes={"by_status": "status:S"})
    assert writes_that_pass(ddb_client, status={"S": "OPEN"}) == 3

    put(ddb_client, "without status")

    assert table.item_count == 4
    in_index = ddb_client.scan(TableName="orders", IndexName="by_status", Select="COUNT")["Count"]
    assert in_index == 3
    ddb_fake.check_invariants()


@FIVE
def test_a_refused_request_changes_nothing(ddb_fake, ddb_client):
    table = ddb_fake.create_table("orders")
    assert writes_that_pass(ddb_client) == 5
    before = (table.items(), table.balance("write"), table.balance("read"))

    with pytest.raises(ClientError):
        put(ddb_client, "again")

    assert (table.items(), table.balance("write"), table.balance("read")) == before
