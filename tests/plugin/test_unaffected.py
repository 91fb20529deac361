"""A run that does not use the fake: nothing imported, nothing changed, nothing said."""

from __future__ import annotations

from importlib.metadata import entry_points

import pytest

PLUGIN = "pytest_ddbthrottle.plugin"
HEAVY = ("botocore", "boto3", "freezegun", "sortedcontainers", "pytest_ddbthrottle._engine.dynamodb")


def test_loading_the_plugin_imports_neither_the_sdk_nor_the_engine(run_apart):
    result = run_apart(
        f"""
        import sys

        def test_modules():
            assert "pytest_ddbthrottle.plugin" in sys.modules
            assert not [name for name in {HEAVY!r} if name in sys.modules]
        """
    )

    result.assert_outcomes(passed=1)


def test_botocore_imported_by_a_test_without_the_fake_is_left_as_it_is(run_apart):
    result = run_apart(
        """
        import botocore.endpoint
        import botocore.httpsession
        import time

        def test_seams():
            assert botocore.endpoint.Endpoint._send.__module__ == "botocore.endpoint"
            assert botocore.httpsession.URLLib3Session.send.__module__ == "botocore.httpsession"
            assert type(time.time).__name__ == "builtin_function_or_method"
        """
    )

    result.assert_outcomes(passed=1)


def test_nothing_is_said(run):
    result = run("def test_nothing(): pass", "-q")

    assert "ddb" not in result.stdout.str()
    assert "ddb" not in result.stderr.str()


def test_everything_is_as_it_was_after_a_test_with_the_fake(run, pytester):
    pytester.makeini("[pytest]\nddb_start = 1999-01-01\n")

    result = run(
        """
        import time
        import botocore.endpoint

        ATTRIBUTES = [botocore.endpoint.Endpoint._send, botocore.endpoint.time.sleep]

        def test_with(ddb_fake, ddb_client):
            assert time.gmtime().tm_year == 1999
            ddb_client.list_tables()

        def test_without():
            assert ATTRIBUTES == [botocore.endpoint.Endpoint._send, botocore.endpoint.time.sleep]
            assert time.gmtime().tm_year > 1999
        """
    )

    result.assert_outcomes(passed=2)


def test_the_plugin_can_be_left_out(run_apart):
    found_by_itself = any(point.value == PLUGIN for point in entry_points(group="pytest11"))

    result = run_apart(
        f"""
        import sys

        def test_without(request):
            assert not request.config.pluginmanager.has_plugin("ddbthrottle")
            assert not request.config.pluginmanager.has_plugin("{PLUGIN}")

        def test_its_fixtures_are_gone(ddb_fake): pass
        """,
        "-p",
        "no:ddbthrottle" if found_by_itself else f"no:{PLUGIN}",
    )

    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines("*fixture 'ddb_fake' not found")


def test_the_fake_works_without_the_plugin(run_apart):
    result = run_apart(
        """
        import boto3
        import pytest
        from pytest_ddbthrottle import FakeDynamoDB

        @pytest.fixture
        def fake():
            with FakeDynamoDB() as fake:
                yield fake

        def test_fake(fake):
            fake.create_table("orders")
            boto3.client("dynamodb").put_item(TableName="orders", Item={"pk": {"S": "1"}})
            assert fake.table("orders").item_count == 1
        """,
        "-p",
        "no:ddbthrottle",
    )

    result.assert_outcomes(passed=1)


@pytest.mark.parametrize("arguments", [(), ("-n", "2")])
def test_workers_of_xdist_have_fakes_of_their_own(run_apart, arguments):
    result = run_apart(
        """
        import pytest

        @pytest.mark.parametrize("number", range(6))
        @pytest.mark.ddb_throttle(table="orders", write_capacity_units=5)
        def test_fake(ddb_fake, ddb_client, number):
            ddb_fake.create_table("orders")
            ddb_client.put_item(TableName="orders", Item={"pk": {"S": str(number)}})
            assert ddb_fake.table("orders").item_count == 1
            assert ddb_fake._seed == 7
        """,
        "--ddb-seed=7",
        *arguments,
    )

    result.assert_outcomes(passed=6)
