"""One reader tells the four causes apart, in three classes of error whose reasons lists differ in spelling."""

import pytest
from botocore.exceptions import ClientError
from reasons_reader import cure_for, dynamodb, save_order, throttled_because

from pytest_ddbthrottle import assert_throttled

ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/orders"


def refused_order(fake, **rules):
    """Let a customer's bulk order leave a debt of 390 units, which five attempts of the next order can't outlast."""
    fake.create_table("orders", sort_key="sk:S", **rules)
    bulk = {"pk": {"S": "customer#123"}, "sk": {"S": "bulk"}, "lines": {"S": "x" * 400_000}}
    dynamodb.put_item(TableName="orders", Item=bulk)
    with pytest.raises(ClientError) as caught:
        save_order("customer#123", "order#1")
    return caught.value


def test_a_provisioned_table_names_its_capacity(ddb_fake, capsys):
    error = refused_order(ddb_fake, write_capacity_units=1)

    assert_throttled(error, error="ProvisionedThroughputExceededException", resource=ARN)
    assert capsys.readouterr().out == f"Throttled: TableWriteProvisionedThroughputExceeded on {ARN}\n"
    assert cure_for(error) == "raise the capacity, or switch to on-demand"


def test_an_on_demand_table_names_its_own_maximum(ddb_fake):
    error = refused_order(ddb_fake, max_write_request_units=1)

    assert_throttled(error, error="ThrottlingException", namespace="com.amazon.coral.availability")
    assert throttled_because(error) == [f"Throttled: TableWriteMaxOnDemandThroughputExceeded on {ARN}"]
    assert cure_for(error) == "raise the table's own maximum, or accept it"


@pytest.mark.ddb_limits(per_table_max_wcu=1)
def test_an_on_demand_table_names_the_quota(ddb_fake):
    error = refused_order(ddb_fake)

    assert_throttled(error, error="ThrottlingException", reason="TableWriteAccountLimitExceeded")
    assert cure_for(error) == "ask for a higher quota"


@pytest.mark.ddb_limits(account_write_units_per_second=1)
def test_the_account_as_a_whole_has_a_class_of_its_own(ddb_fake):
    error = refused_order(ddb_fake)

    assert_throttled(error, error="RequestLimitExceeded", reason="TableWriteAccountLimitExceeded")
    assert cure_for(error) == "ask for a higher quota"


def test_a_hot_key_is_named(ddb_fake):
    error = refused_order(ddb_fake, partition_write_units_per_second=1)

    assert throttled_because(error) == [f"Throttled: TableWriteKeyRangeThroughputExceeded on {ARN}"]
    assert cure_for(error) == "spread the key: more capacity does not help"


def test_a_hot_read_on_demand_gives_no_reason_and_is_told_by_that(ddb_fake):
    table = ddb_fake.create_table("orders", sort_key="sk:S", partition_read_units_per_second=1)
    table.load([{"pk": "customer#123", "sk": "bulk", "lines": "x" * 400_000}])
    key = {"pk": {"S": "customer#123"}, "sk": {"S": "bulk"}}
    dynamodb.get_item(TableName="orders", Key=key)

    with pytest.raises(ClientError) as caught:
        dynamodb.get_item(TableName="orders", Key=key)

    assert throttled_because(caught.value) == []
    assert cure_for(caught.value) == "spread the key: more capacity does not help"


def test_an_error_that_is_no_throttle_has_no_reasons(ddb_fake):
    with pytest.raises(ClientError) as caught:
        save_order("customer#123", "order#1", table="nowhere")

    assert throttled_because(caught.value) == []
    assert cure_for(caught.value) is None
