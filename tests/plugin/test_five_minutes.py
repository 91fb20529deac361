"""The first examples that a user reads, each with a small application."""

from __future__ import annotations

import pytest

APPLICATION = """
import time

import boto3

CLIENT = boto3.client("dynamodb")


def create_orders_table():
    CLIENT.create_table(
        TableName="orders",
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        BillingMode="PAY_PER_REQUEST",
    )


def import_orders(rows):
    puts = [{"PutRequest": {"Item": {"pk": {"S": str(row)}}}} for row in range(rows)]
    for start in range(0, rows, 25):
        left, pause_seconds = puts[start : start + 25], 0.1
        while left:
            try:
                left = CLIENT.batch_write_item(RequestItems={"orders": left})["UnprocessedItems"].get("orders")
            except CLIENT.exceptions.ProvisionedThroughputExceededException:
                pass
            if left:
                time.sleep(pause_seconds)
                pause_seconds = min(2 * pause_seconds, 5)


def save_order(key):
    CLIENT.put_item(TableName="orders", Item={"pk": {"S": key}})


def provision(names, units):
    for name in names:
        try:
            CLIENT.create_table(
                TableName=name,
                AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
                KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                ProvisionedThroughput={"ReadCapacityUnits": units, "WriteCapacityUnits": 1},
            )
        except CLIENT.exceptions.LimitExceededException:
            return name, "quota"
        except CLIENT.exceptions.ClientError as error:
            return name, error.response["Error"]["Code"]
    return None
"""


@pytest.fixture
def application(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(application=APPLICATION)


@pytest.mark.usefixtures("application")
def test_the_importer_survives_a_throttle(run_apart):
    result = run_apart(
        """
        import pytest
        from application import create_orders_table, import_orders
        from pytest_ddbthrottle import assert_throttled

        @pytest.mark.ddb_throttle(table="orders", billing_mode="PROVISIONED", read_capacity_units=5, write_capacity_units=5)
        def test_the_importer_survives_a_throttle(ddb_fake):
            create_orders_table()
            import_orders(rows=200)
            assert ddb_fake.table("orders").item_count == 200
            assert ddb_fake.throttles
            ddb_fake.assert_nothing_lost()
            assert ddb_fake.clock.elapsed >= 38
        """
    )

    result.assert_outcomes(passed=1)


def test_the_alarm_names_the_cap(run):
    result = run(
        """
        import pytest
        from pytest_ddbthrottle import assert_throttled

        @pytest.mark.ddb_throttle(table="orders", billing_mode="PAY_PER_REQUEST", max_write_request_units=2)
        def test_the_alarm_names_the_cap(ddb_fake, ddb_client):
            ddb_fake.create_table("orders", partition_key="pk:S")
            with pytest.raises(ddb_client.exceptions.ClientError) as caught:
                for n in range(10):
                    ddb_client.put_item(TableName="orders", Item={"pk": {"S": str(n)}})
            assert_throttled(
                caught.value,
                error="ThrottlingException",
                namespace="com.amazon.coral.availability",
                reason="TableWriteMaxOnDemandThroughputExceeded",
                resource=ddb_fake.table("orders").arn,
                message="Throughput exceeds the maximum OnDemandThroughput configured on table or index",
            )
        """
    )

    result.assert_outcomes(passed=1)


@pytest.mark.usefixtures("application")
def test_two_hot_key_refusals_then_success(run_apart):
    result = run_apart(
        """
        import pytest
        from application import create_orders_table, save_order

        @pytest.fixture(autouse=True)
        def orders(ddb_fake):
            create_orders_table()

        @pytest.mark.ddb_inject(
            operation="PutItem", table="orders", reason="TableWriteKeyRangeThroughputExceeded", times=2
        )
        def test_two_hot_key_refusals_then_success(ddb_fake):
            save_order("customer#1")
            ddb_fake.assert_attempts("PutItem", 3)
        """
    )

    result.assert_outcomes(passed=1)


@pytest.mark.usefixtures("application")
def test_the_provisioner_reports_a_quota(run_apart):
    result = run_apart(
        """
        import pytest
        from application import provision

        @pytest.mark.ddb_limits(max_tables_per_account=3, per_table_max_rcu=100, per_account_max_rcu=150)
        def test_the_provisioner_reports_a_quota(ddb_fake):
            assert provision(["one", "two", "three", "four"], units=10) == ("four", "quota")

        @pytest.mark.ddb_limits(max_tables_per_account=3, per_table_max_rcu=100, per_account_max_rcu=150)
        @pytest.mark.parametrize(("units", "refused"), [(101, "one"), (80, "two")])
        def test_the_provisioner_reports_capacity(ddb_fake, units, refused):
            assert provision(["one", "two"], units) == (refused, "quota")
        """
    )

    result.assert_outcomes(passed=3)
