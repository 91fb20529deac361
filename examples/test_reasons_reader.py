"""One reader for the three throttle classes, whose reasons lists differ in spelling."""

import pytest
from botocore.exceptions import ClientError
from reasons_reader import dynamodb, save_order, throttled_because

from pytest_ddbthrottle import assert_throttled

ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/orders"


def test_a_provisioned_table_names_its_capacity(ddb_fake, capsys):
    table = ddb_fake.create_table("orders", sort_key="sk:S", write_capacity_units=1, initial_seconds=0)
    ddb_fake.inject(operation="PutItem", reason="TableWriteProvisionedThroughputExceeded", times=9)

    with pytest.raises(ClientError) as caught:
        save_order("customer#123", "order#1")

    assert_throttled(caught.value, error="ProvisionedThroughputExceededException", resource=table.arn)
    assert capsys.readouterr().out == f"Throttled: TableWriteProvisionedThroughputExceeded on {ARN}\n"


def test_an_on_demand_table_names_the_hot_key(ddb_fake):
    ddb_fake.create_table("orders", sort_key="sk:S")
    ddb_fake.inject(operation="PutItem", reason="TableWriteKeyRangeThroughputExceeded", times=9)

    with pytest.raises(ClientError) as caught:
        save_order("customer#123", "order#1")

    assert_throttled(caught.value, error="ThrottlingException", namespace="com.amazon.coral.availability")
    assert throttled_because(caught.value) == [f"Throttled: TableWriteKeyRangeThroughputExceeded on {ARN}"]


def test_the_account_names_its_quota(ddb_fake):
    ddb_fake.create_table("orders", sort_key="sk:S")
    ddb_fake.limits(account_write_units_per_second=1)
    dynamodb.put_item(TableName="orders", Item={"pk": {"S": "bulk"}, "sk": {"S": "1"}, "d": {"S": "x" * 400_000}})

    with pytest.raises(ClientError) as caught:
        save_order("customer#123", "order#1")  # five attempts can't outlast a debt of 390 units

    assert_throttled(caught.value, error="RequestLimitExceeded")
    assert throttled_because(caught.value) == [f"Throttled: TableWriteAccountLimitExceeded on {ARN}"]


def test_an_error_that_is_no_throttle_has_no_reasons(ddb_fake):
    with pytest.raises(ClientError) as caught:
        save_order("customer#123", "order#1", table="nowhere")

    assert throttled_because(caught.value) == []
