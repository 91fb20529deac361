"""Markers: who wins, on what they hold, and what a marker that can't be is told."""

from __future__ import annotations

from dataclasses import fields

import pytest

from pytest_ddbthrottle._engine.limits import AccountLimits

THROTTLE_NAMES = (
    "Allowed names: table, index, billing_mode, read_capacity_units, write_capacity_units, max_read_request_units, "
    "max_write_request_units, warm_read_units_per_second, warm_write_units_per_second, burst_seconds, "
    "initial_seconds, partition_read_units_per_second, partition_write_units_per_second, partition_burst_seconds, "
    "partitioning, admission, account_limit_error, strict"
)
INJECT_NAMES = (
    "Allowed names: reason, error, operation, table, index, key, direction, times, after, every, rate, leftover, "
    "latency_seconds, applied, optional"
)
LIMITS_NAMES = f"Allowed names: {', '.join(limit.name for limit in fields(AccountLimits))}"


@pytest.mark.parametrize(
    ("marker", "lines"),
    [
        (
            "ddb_throttle('orders')",
            ["@pytest.mark.ddb_throttle takes keyword arguments only, not 'orders'.", THROTTLE_NAMES],
        ),
        (
            "ddb_throttle(write_capacity_unit=5)",
            [
                (
                    "@pytest.mark.ddb_throttle has no argument 'write_capacity_unit'. "
                    "Did you mean 'write_capacity_units'?"
                ),
                THROTTLE_NAMES,
            ],
        ),
        (
            "ddb_throttle(write_capacity_units=-5)",
            ["@pytest.mark.ddb_throttle(write_capacity_units=-5): write_capacity_units=-5: at least 1 is needed"],
        ),
        (
            "ddb_throttle(max_read_request_units=-2)",
            [
                (
                    "@pytest.mark.ddb_throttle(max_read_request_units=-2): max_read_request_units=-2: "
                    "at least 1 is needed, or -1 for no cap"
                )
            ],
        ),
        (
            "ddb_throttle(read_capacity_units='5')",
            [
                (
                    "@pytest.mark.ddb_throttle(read_capacity_units='5'): "
                    "read_capacity_units='5': a whole number of capacity units is needed"
                )
            ],
        ),
        (
            "ddb_throttle(partitioning='ranges')",
            [
                (
                    "@pytest.mark.ddb_throttle(partitioning='ranges'): "
                    "partitioning='ranges' is not modelled yet: only 'per_key' is"
                )
            ],
        ),
        (
            "ddb_throttle(zzz=5)",
            ["@pytest.mark.ddb_throttle has no argument 'zzz'", THROTTLE_NAMES],
        ),
        (
            "ddb_throttle(strict='yes')",
            ["@pytest.mark.ddb_throttle(strict='yes'): strict='yes': True or False is needed"],
        ),
        (
            "ddb_throttle(billing_mode='PAY_PER_REQUEST', read_capacity_units=5)",
            [
                (
                    "@pytest.mark.ddb_throttle(billing_mode='PAY_PER_REQUEST', read_capacity_units=5): "
                    "read_capacity_units contradicts billing_mode='PAY_PER_REQUEST': "
                    "capacity units are for PROVISIONED tables"
                )
            ],
        ),
        (
            "ddb_throttle(index='by_status', read_capacity_units=5)",
            [
                (
                    "@pytest.mark.ddb_throttle(index='by_status', read_capacity_units=5): "
                    "index='by_status' needs the table that it belongs to: table=..."
                )
            ],
        ),
        (
            "ddb_throttle(admission='polite')",
            [
                (
                    "@pytest.mark.ddb_throttle(admission='polite'): "
                    "admission='polite': allowed is 'positive_balance' or 'full_cost'"
                )
            ],
        ),
        (
            "ddb_inject('PutItem', times=2)",
            ["@pytest.mark.ddb_inject takes keyword arguments only, not 'PutItem'.", INJECT_NAMES],
        ),
        (
            "ddb_inject(error='InternalServerError', time=2)",
            ["@pytest.mark.ddb_inject has no argument 'time'. Did you mean 'times'?", INJECT_NAMES],
        ),
        (
            "ddb_inject()",
            [("@pytest.mark.ddb_inject(): nothing to inject: give reason=, error=, leftover= or latency_seconds=")],
        ),
        (
            "ddb_inject(error='InternalServerError', leftover=2)",
            [
                (
                    "@pytest.mark.ddb_inject(error='InternalServerError', leftover=2): "
                    "error contradicts leftover: a rule does one thing"
                )
            ],
        ),
        (
            "ddb_limits(max_tables=3)",
            [
                "@pytest.mark.ddb_limits has no argument 'max_tables'. Did you mean 'max_tables_per_account'?",
                LIMITS_NAMES,
            ],
        ),
        (
            "ddb_limits(max_policy_bytes=400)",
            [
                "@pytest.mark.ddb_limits has no argument 'max_policy_bytes'. Did you mean 'max_policy_document_bytes'?",
                LIMITS_NAMES,
            ],
        ),
        (
            "ddb_limits(lifecycle='slow')",
            ["@pytest.mark.ddb_limits(lifecycle='slow'): lifecycle='slow': allowed are 'instant', 'realistic'"],
        ),
        (
            "ddb_limits(per_table_max_rcu=-1)",
            [
                (
                    "@pytest.mark.ddb_limits(per_table_max_rcu=-1): "
                    "per_table_max_rcu=-1: a whole number, at least 0, is needed"
                )
            ],
        ),
    ],
)
def test_a_marker_that_can_not_be_fails_its_test_alone(run, marker, lines):
    result = run(
        f"""
        import pytest

        @pytest.mark.{marker}
        def test_marked(ddb_fake): pass

        def test_other(ddb_fake): pass
        """
    )

    result.assert_outcomes(passed=1, errors=1)
    said = result.stdout.lines
    start = next(place for place, line in enumerate(said) if "ERROR at setup of test_marked" in line) + 1
    end = next(place for place, line in enumerate(said) if "short test summary" in line)
    assert said[start:end] == lines


def test_a_test_that_carries_only_a_marker_gets_the_fake(run):
    result = run(
        """
        import boto3
        import pytest

        @pytest.mark.ddb_throttle(table="orders", write_capacity_units=5)
        def test_marked():
            client = boto3.client("dynamodb")
            client.create_table(
                TableName="orders",
                AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
                KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                BillingMode="PAY_PER_REQUEST",
            )
            table = client.describe_table(TableName="orders")["Table"]
            assert table["ProvisionedThroughput"]["WriteCapacityUnits"] == 5
        """
    )

    result.assert_outcomes(passed=1)


def test_a_unittest_method_that_carries_only_a_marker_gets_the_fake(run):
    result = run(
        """
        import unittest
        import boto3
        import pytest

        class Orders(unittest.TestCase):
            @pytest.mark.ddb_limits(max_tables_per_account=3)
            def test_marked(self):
                assert boto3.client("dynamodb").list_tables()["TableNames"] == []
        """
    )

    result.assert_outcomes(passed=1)


def test_a_marker_only_test_has_the_fake_before_other_fixtures(run):
    result = run(
        """
        import boto3
        import pytest

        @pytest.fixture(autouse=True)
        def tables():
            return boto3.client("dynamodb").list_tables()

        @pytest.mark.ddb_limits(max_tables_per_account=3)
        def test_marked(): pass
        """
    )

    result.assert_outcomes(passed=1)


def test_the_closest_marker_wins_field_by_field(run):
    result = run(
        """
        import pytest

        pytestmark = pytest.mark.ddb_throttle(table="orders", read_capacity_units=7, write_capacity_units=7)

        def units(fake):
            table = fake.create_table("orders")
            return table.balance("read"), table.balance("write")

        def test_module(ddb_fake):
            assert units(ddb_fake) == (7, 7)

        @pytest.mark.ddb_throttle(write_capacity_units=3)
        class TestClass:
            def test_class(self, ddb_fake):
                assert units(ddb_fake) == (7, 3)

            @pytest.mark.ddb_throttle(read_capacity_units=2)
            @pytest.mark.ddb_throttle(read_capacity_units=1)
            def test_function(self, ddb_fake):
                assert units(ddb_fake) == (1, 3)

            @pytest.mark.parametrize(
                "expected",
                [
                    pytest.param((1, 3)),
                    pytest.param((9, 3), marks=pytest.mark.ddb_throttle(read_capacity_units=9)),
                ],
            )
            @pytest.mark.ddb_throttle(read_capacity_units=1)
            def test_parameter(self, ddb_fake, expected):
                assert units(ddb_fake) == expected
        """
    )

    result.assert_outcomes(passed=5)


@pytest.mark.parametrize("mark", ["@{}\n        class Base: pass", "class Base:\n            pytestmark = {}"])
def test_a_class_wins_over_the_one_that_it_inherits_from(run, mark):
    base = mark.format("pytest.mark.ddb_throttle(table='orders', read_capacity_units=1, write_capacity_units=1)")
    result = run(
        f"""
        import pytest

        {base}

        @pytest.mark.ddb_throttle(table="orders", write_capacity_units=2)
        class TestOrders(Base):
            def test_class(self, ddb_fake):
                table = ddb_fake.create_table("orders")
                assert (table.balance("read"), table.balance("write")) == (1, 2)
        """
    )

    result.assert_outcomes(passed=1)


def test_the_closest_limit_wins_name_by_name(run):
    result = run(
        """
        import pytest

        pytestmark = pytest.mark.ddb_limits(per_table_max_rcu=100, per_table_max_wcu=100)

        @pytest.mark.ddb_limits(per_table_max_rcu=200)
        def test_limits(ddb_client):
            limits = ddb_client.describe_limits()
            assert limits["TableMaxReadCapacityUnits"] == 200
            assert limits["TableMaxWriteCapacityUnits"] == 100
            assert limits["AccountMaxReadCapacityUnits"] == 80000
        """
    )

    result.assert_outcomes(passed=1)


def test_a_marked_limit_refuses_a_table(run):
    result = run(
        """
        import pytest

        @pytest.mark.ddb_limits(max_tables_per_account=1)
        def test_limits(ddb_fake):
            ddb_fake.create_table("one")
            with pytest.raises(ValueError, match="LimitExceededException"):
                ddb_fake.create_table("two")

        def test_no_limits(ddb_fake):
            ddb_fake.create_table("one")
            ddb_fake.create_table("two")
        """
    )

    result.assert_outcomes(passed=2)


def test_scripted_rules_stack_and_are_asked_from_the_top_down(run):
    result = run(
        """
        import pytest

        @pytest.mark.ddb_inject(operation="PutItem", error="InternalServerError")
        @pytest.mark.ddb_inject(operation="PutItem", reason="TableWriteKeyRangeThroughputExceeded", after=0)
        @pytest.mark.ddb_inject(operation="GetItem", error="ServiceUnavailable")
        def test_injected(ddb_fake, ddb_client):
            ddb_fake.create_table("orders")
            codes = []
            for call in [ddb_client.put_item] * 3:
                try:
                    call(TableName="orders", Item={"pk": {"S": "1"}})
                    codes.append(None)
                except ddb_client.exceptions.ClientError as error:
                    codes.append(error.response["Error"]["Code"])
            assert codes == ["InternalServerError", "ThrottlingException", None]
            with pytest.raises(ddb_client.exceptions.ClientError, match="ServiceUnavailable"):
                ddb_client.get_item(TableName="orders", Key={"pk": {"S": "1"}})
        """
    )

    result.assert_outcomes(passed=1)


def test_the_mark_of_one_parameter_leaves_the_others_without_a_fake(run):
    result = run(
        """
        import pytest

        @pytest.mark.parametrize(
            "faked", [False, pytest.param(True, marks=pytest.mark.ddb_limits(max_tables_per_account=3)), False]
        )
        def test_parameter(request, faked):
            assert ("ddb_fake" in request.fixturenames) is faked
        """
    )

    result.assert_outcomes(passed=3)


@pytest.mark.parametrize("fixture", ["module_ddb_fake", "session_ddb_fake"])
def test_markers_on_a_shared_fake_hold_for_one_test_and_are_taken_back(run, fixture):
    result = run(
        f"""
        import pytest

        @pytest.fixture(scope="module")
        def orders({fixture}):
            return {fixture}.create_table("orders", write_capacity_units=50)

        def units(client):
            return client.describe_table(TableName="orders")["Table"]["ProvisionedThroughput"]["WriteCapacityUnits"]

        def test_before(orders, ddb_client):
            assert units(ddb_client) == 50

        @pytest.mark.ddb_throttle(table="orders", write_capacity_units=5)
        @pytest.mark.ddb_limits(per_table_max_rcu=10)
        @pytest.mark.ddb_inject(operation="PutItem", error="InternalServerError", times=9)
        def test_marked(orders, ddb_client, {fixture}, request):
            assert units(ddb_client) == 5
            assert ddb_client.describe_limits()["TableMaxReadCapacityUnits"] == 10
            with pytest.raises(ddb_client.exceptions.InternalServerError):
                ddb_client.put_item(TableName="orders", Item={{"pk": {{"S": "1"}}}})
            assert "ddb_fake" not in request.fixturenames

        def test_after(orders, ddb_client):
            assert units(ddb_client) == 50
            assert ddb_client.describe_limits()["TableMaxReadCapacityUnits"] == 40000
            ddb_client.put_item(TableName="orders", Item={{"pk": {{"S": "1"}}}})
        """
    )

    result.assert_outcomes(passed=3)


def test_a_marker_that_the_table_of_a_shared_fake_can_not_follow_fails_its_test_alone(run):
    result = run(
        """
        import pytest

        @pytest.fixture(scope="module", autouse=True)
        def orders(module_ddb_fake):
            module_ddb_fake.create_table("orders", indexes={"by_status": "status:S"})

        @pytest.mark.ddb_throttle(table="orders", index="by_status", write_capacity_units=5)
        def test_marked(module_ddb_fake): pass

        def test_after(module_ddb_fake): pass
        """
    )

    result.assert_outcomes(passed=1, errors=1)
    assert [line for line in result.stdout.lines if line.startswith("@pytest.mark")] == [
        "@pytest.mark.ddb_throttle(table='orders', index='by_status'): the rule makes the index PROVISIONED while its "
        "table is PAY_PER_REQUEST; give the table the same billing mode, or the index numbers of the table's mode"
    ]


def test_a_module_fixture_is_set_up_before_the_markers_of_its_first_test_hold(run):
    result = run(
        """
        import pytest

        @pytest.fixture(scope="module")
        def orders(module_ddb_fake, module_client):
            module_ddb_fake.create_table("orders")
            module_client.put_item(TableName="orders", Item={"pk": {"S": "1"}})

        @pytest.fixture(scope="module")
        def module_client():
            import boto3
            return boto3.client("dynamodb")

        @pytest.mark.ddb_inject(operation="PutItem", error="InternalServerError")
        def test_marked(orders, ddb_client):
            with pytest.raises(ddb_client.exceptions.InternalServerError):
                ddb_client.put_item(TableName="orders", Item={"pk": {"S": "1"}})
        """
    )

    result.assert_outcomes(passed=1)


def test_a_marker_added_by_a_conftest_counts(run, pytester):
    pytester.makeconftest(
        """
        import pytest

        def pytest_collection_modifyitems(items):
            for item in items:
                item.add_marker(pytest.mark.ddb_limits(max_tables_per_account=3))
        """
    )

    result = run("def test_marked(request): assert 'ddb_fake' in request.fixturenames")

    result.assert_outcomes(passed=1)


def test_a_marker_beats_the_command_line_that_beats_the_ini_file(run, pytester):
    pytester.makeini("[pytest]\nddb_throttling = on\nddb_seed = 1\n")

    result = run(
        """
        import pytest

        @pytest.mark.ddb_throttle(table="orders", write_capacity_units=1)
        def test_marked(ddb_fake, ddb_client):
            ddb_fake.create_table("orders").drain("write")
            with pytest.raises(ddb_client.exceptions.ProvisionedThroughputExceededException):
                ddb_client.put_item(TableName="orders", Item={"pk": {"S": "1"}})

        def test_unmarked(ddb_fake, ddb_client):
            ddb_fake.create_table("orders", write_capacity_units=1).drain("write")
            ddb_client.put_item(TableName="orders", Item={"pk": {"S": "1"}})
        """,
        "-o",
        "ddb_throttling=off",
    )

    result.assert_outcomes(passed=2)


@pytest.mark.parametrize("fixture", ["module_ddb_fake", "session_ddb_fake"])
def test_a_fixture_may_set_a_shared_fake_back_before_each_test_and_the_markers_hold(run, fixture):
    result = run(
        f"""
        import pytest

        @pytest.fixture(scope="module")
        def beginning({fixture}):
            {fixture}.create_table("orders", write_capacity_units=50).load([{{"pk": "1"}}])
            return {fixture}.snapshot()

        @pytest.fixture(autouse=True)
        def set_back({fixture}, beginning):
            {fixture}.restore(beginning)

        def test_before({fixture}):
            {fixture}.table("orders").load([{{"pk": "2"}}])

        @pytest.mark.ddb_throttle(table="orders", write_capacity_units=5)
        def test_marked({fixture}):
            table = {fixture}.table("orders")
            assert (table.item_count, table.balance("write")) == (1, 5)

        def test_after({fixture}):
            table = {fixture}.table("orders")
            assert (table.item_count, table.balance("write")) == (1, 50)
        """
    )

    result.assert_outcomes(passed=3)


def test_the_markers_pass_strict_markers_and_are_listed(run):
    source = """
        import pytest

        @pytest.mark.ddb_throttle(read_capacity_units=5)
        @pytest.mark.ddb_inject(error="InternalServerError", optional=True)
        @pytest.mark.ddb_limits(max_tables_per_account=3)
        def test_marked(): pass
        """

    run(source, "--strict-markers").assert_outcomes(passed=1)
    listed = run(source, "--markers").stdout.str()

    assert all(f"@pytest.mark.{name}(*, " in listed for name in ("ddb_throttle", "ddb_inject", "ddb_limits"))


def test_a_marked_test_is_throttled_where_throttling_is_off(run, pytester):
    pytester.makeini("[pytest]\nddb_throttling = off\n")

    result = run(
        """
        import pytest

        def write_100(client):
            for number in range(100):
                client.put_item(TableName="orders", Item={"pk": {"S": str(number)}})

        def test_off(ddb_fake, ddb_client):
            ddb_fake.create_table("orders", write_capacity_units=1)
            write_100(ddb_client)
            ddb_fake.assert_not_throttled()

        @pytest.mark.ddb_throttle(table="orders", write_capacity_units=1)
        def test_marked(ddb_fake, ddb_client):
            ddb_fake.create_table("orders")
            with pytest.raises(ddb_client.exceptions.ProvisionedThroughputExceededException):
                write_100(ddb_client)

        def test_off_again(ddb_fake, ddb_client):
            test_off(ddb_fake, ddb_client)
        """
    )

    result.assert_outcomes(passed=3)
