"""Clients that exist before a fake does: made at import, in a conftest, in threads, before the plugin was loaded."""

from __future__ import annotations

import pytest

PUT_AND_COUNT = """
def put_and_count(client, fake):
    fake.create_table("orders")
    client.put_item(TableName="orders", Item={"pk": {"S": "1"}})
    assert fake.table("orders").item_count == 1
"""

MODULE_LEVEL = (
    PUT_AND_COUNT
    + """
import boto3

CLIENT = boto3.client("dynamodb")
ORDERS = boto3.resource("dynamodb").Table("orders")

def test_module_level_client(ddb_fake):
    put_and_count(CLIENT, ddb_fake)

def test_in_the_next_account(ddb_fake):
    put_and_count(CLIENT, ddb_fake)

def test_module_level_table(ddb_fake):
    ddb_fake.create_table("orders")
    ORDERS.put_item(Item={"pk": "1"})
    assert ddb_fake.table("orders").item_count == 1
"""
)


def test_a_client_made_while_the_test_module_is_imported_needs_no_configuration(run_apart):
    result = run_apart(MODULE_LEVEL)

    result.assert_outcomes(passed=3)


@pytest.mark.parametrize("first", ["test_in_the_next_account", "test_module_level_table"])
def test_a_client_of_a_module_is_answered_whichever_test_is_first_and_in_each_worker(run_apart, pytester, first):
    pytest.importorskip("xdist")
    pytester.makeconftest(
        f"""
        def pytest_collection_modifyitems(items):
            items.sort(key=lambda item: item.name != "{first}")
        """
    )

    result = run_apart(MODULE_LEVEL, "-n", "2")

    result.assert_outcomes(passed=3)


def test_boto3_s_default_session_is_answered_whoever_made_it(run_apart):
    result = run_apart(
        """
        import boto3

        boto3.setup_default_session(region_name="eu-west-1", aws_access_key_id="real", aws_secret_access_key="real")

        def write():
            boto3.client("dynamodb").put_item(TableName="orders", Item={"pk": {"S": "1"}})

        def test_default_session(ddb_fake):
            import pytest
            with pytest.raises(boto3.client("dynamodb").exceptions.ResourceNotFoundException):
                write()
            assert [call.region for call in ddb_fake.calls] == ["eu-west-1"]
        """
    )

    result.assert_outcomes(passed=1)


def test_a_client_that_a_thread_made_before_the_fake_is_answered_in_that_thread(run_apart):
    result = run_apart(
        """
        from concurrent.futures import ThreadPoolExecutor
        from threading import local
        import boto3

        HELD = local()
        WORKER = ThreadPoolExecutor(1)

        def make():
            HELD.client = boto3.session.Session().client("dynamodb", region_name="us-east-1")

        def write(number):
            HELD.client.put_item(TableName="orders", Item={"pk": {"S": str(number)}})

        WORKER.submit(make).result()

        def test_thread(ddb_fake):
            ddb_fake.create_table("orders")
            for number in range(3):
                WORKER.submit(write, number).result()
            assert ddb_fake.table("orders").item_count == 3
        """
    )

    result.assert_outcomes(passed=1)


def test_a_client_made_in_a_conftest_needs_no_configuration(run_apart, pytester):
    pytester.makeconftest("import boto3; CLIENT = boto3.client('dynamodb')")

    result = run_apart(
        PUT_AND_COUNT
        + """
def test_conftest_client(ddb_fake, request):
    conftest = next(m for m in request.config.pluginmanager.get_plugins() if hasattr(m, "CLIENT"))
    put_and_count(conftest.CLIENT, ddb_fake)
"""
    )

    result.assert_outcomes(passed=1)


def test_a_client_made_before_the_plugin_was_loaded_is_answered(run_apart, pytester):
    pytester.makepyfile(
        made_before="""
        import boto3

        CLIENT = boto3.client("dynamodb", region_name="us-east-1")
        """
    )

    result = run_apart(
        PUT_AND_COUNT
        + """
from made_before import CLIENT

def test_client_made_before(ddb_fake):
    put_and_count(CLIENT, ddb_fake)
    ddb_fake.attach(CLIENT)
""",
        "-p",
        "made_before",
    )

    result.assert_outcomes(passed=1)


def test_a_session_made_before_the_plugin_was_loaded_is_answered(run_apart, pytester):
    pytester.makepyfile(
        made_before="""
        import boto3

        boto3.setup_default_session(region_name="us-east-1")
        """
    )

    result = run_apart(
        PUT_AND_COUNT
        + """
import boto3

def test_default_session(ddb_fake):
    put_and_count(boto3.client("dynamodb"), ddb_fake)
""",
        "-p",
        "made_before",
    )

    result.assert_outcomes(passed=1)


def test_sessions_made_inside_threads_are_answered(run):
    result = run(
        """
        from concurrent.futures import ThreadPoolExecutor
        import boto3

        def write(number):
            client = boto3.session.Session().client("dynamodb")
            client.put_item(TableName="orders", Item={"pk": {"S": str(number)}})

        def test_threads(ddb_fake):
            ddb_fake.create_table("orders")
            with ThreadPoolExecutor(4) as threads:
                list(threads.map(write, range(8)))
            assert ddb_fake.table("orders").item_count == 8
        """
    )

    result.assert_outcomes(passed=1)


def test_the_default_region_is_the_one_in_the_options(run_apart):
    result = run_apart(
        """
        import boto3

        CLIENT = boto3.client("dynamodb")

        def test_region(ddb_fake):
            assert CLIENT.meta.region_name == boto3.client("dynamodb").meta.region_name == "eu-west-1"
            ddb_fake.create_table("orders")
            assert CLIENT.list_tables()["TableNames"] == ["orders"]
        """,
        "-o",
        "ddb_region=eu-west-1",
    )

    result.assert_outcomes(passed=1)


def test_what_was_armed_is_disarmed_after_the_run(run):
    import botocore.session

    before = botocore.session.Session.create_client

    run("def test_nothing(ddb_fake): pass").assert_outcomes(passed=1)

    assert botocore.session.Session.create_client is before
