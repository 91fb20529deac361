"""Fixtures: a fake for each scope, its clock, and clients on it."""

from __future__ import annotations

import pytest


def test_each_test_has_an_account_of_its_own(run):
    result = run(
        """
        import pytest

        @pytest.mark.parametrize("number", [1, 2])
        def test_tables_do_not_leak(ddb_fake, number):
            ddb_fake.create_table("orders").load([{"pk": str(number)}])
            assert ddb_fake.table("orders").items(plain=True) == [{"pk": str(number)}]
            assert ddb_fake.clock.elapsed == 0
            ddb_fake.clock.advance(60)
        """
    )

    result.assert_outcomes(passed=2)


def test_a_module_fake_ends_with_its_module_and_a_session_fake_does_not(run, pytester):
    pytester.makepyfile(
        test_a="""
        def test_one(module_ddb_fake, session_ddb_fake):
            module_ddb_fake.create_table("module")
            session_ddb_fake.create_table("session")

        def test_two(module_ddb_fake):
            assert module_ddb_fake.table("module").item_count == 0
        """,
        test_b="""
        import pytest

        def test_three(module_ddb_fake, session_ddb_fake):
            assert session_ddb_fake.table("session").item_count == 0
            with pytest.raises(LookupError):
                module_ddb_fake.table("module")
        """,
    )

    result = run("")

    result.assert_outcomes(passed=3)


@pytest.mark.parametrize("outer", ["module_ddb_fake", "session_ddb_fake"])
def test_the_innermost_fake_answers_and_the_outer_one_does_again_afterwards(run, outer):
    result = run(
        f"""
        import boto3

        def names():
            return boto3.client("dynamodb").list_tables()["TableNames"]

        def test_outer({outer}, ddb_client, ddb_clock):
            {outer}.create_table("outer")
            assert names() == ddb_client.list_tables()["TableNames"] == ["outer"]
            assert ddb_clock is {outer}.clock

        def test_inner({outer}, ddb_client, ddb_clock, ddb_fake):
            ddb_fake.create_table("inner")
            assert names() == ddb_client.list_tables()["TableNames"] == ["inner"]
            assert ddb_clock is ddb_fake.clock

        def test_outer_again({outer}, ddb_client, ddb_clock):
            assert names() == ddb_client.list_tables()["TableNames"] == ["outer"]
            assert ddb_clock is {outer}.clock
        """
    )

    result.assert_outcomes(passed=3)


@pytest.mark.parametrize("fixture", ["ddb_clock", "ddb_client", "ddb_resource"])
def test_a_fixture_on_a_fake_brings_the_function_fake_where_none_is_named(run, fixture):
    result = run(
        f"""
        def test_named({fixture}, request):
            assert request.getfixturevalue("ddb_fake").clock.elapsed == 0
        """
    )

    result.assert_outcomes(passed=1)


def test_the_clock_is_the_process_s_time(run):
    result = run(
        """
        import time

        def test_time(ddb_clock):
            before = time.time()
            time.sleep(3600)
            assert time.time() - before == 3600
            assert ddb_clock.elapsed == 3600
        """
    )

    result.assert_outcomes(passed=1)


def test_one_call_of_the_client_is_one_attempt(run, monkeypatch):
    result = run(
        """
        import pytest

        @pytest.mark.ddb_inject(operation="PutItem", reason="TableWriteKeyRangeThroughputExceeded", times=2)
        def test_attempts(ddb_fake, ddb_client, ddb_resource):
            ddb_fake.create_table("orders")
            with pytest.raises(ddb_client.exceptions.ThrottlingException):
                ddb_client.put_item(TableName="orders", Item={"pk": {"S": "1"}})
            with pytest.raises(ddb_resource.meta.client.exceptions.ThrottlingException):
                ddb_resource.Table("orders").put_item(Item={"pk": "1"})
            assert [call.attempt for call in ddb_fake.calls] == [1, 1]
            assert ddb_fake.clock.elapsed == 0
        """
    )

    result.assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("AWS_PROFILE", "nowhere"),
        ("AWS_RETRY_MODE", "adaptive"),
        ("AWS_MAX_ATTEMPTS", "7"),
        ("AWS_REGION", "eu-west-1"),
    ],
)
def test_the_clients_do_not_heed_the_environment(run, monkeypatch, name, value):
    monkeypatch.setenv(name, value)

    result = run(
        """
        def test_clients(ddb_client, ddb_resource):
            for client in (ddb_client, ddb_resource.meta.client):
                assert client.meta.region_name == "us-east-1"
                assert client.meta.config.retries["mode"] == "standard"
                assert client.meta.config.retries["total_max_attempts"] == 1
                assert client.list_tables()["TableNames"] == []
        """
    )

    result.assert_outcomes(passed=1)


def test_a_run_keeps_one_client_and_leaves_the_default_session_alone(run):
    result = run(
        """
        import boto3
        import pytest

        seen = set()
        BEFORE = boto3.DEFAULT_SESSION

        @pytest.mark.parametrize("time", [1, 2])
        def test_clients(ddb_client, ddb_resource, time):
            seen.add((ddb_client, ddb_resource))
            assert len(seen) == 1
            assert boto3.DEFAULT_SESSION is BEFORE
        """
    )

    result.assert_outcomes(passed=2)


def test_the_client_is_of_the_region_in_the_options(run):
    result = run(
        """
        def test_region(ddb_fake, ddb_client):
            ddb_fake.create_table("orders")
            assert ddb_client.list_tables()["TableNames"] == ["orders"]
            assert ddb_client.meta.region_name == "eu-west-1"
        """,
        "-o",
        "ddb_region=eu-west-1",
    )

    result.assert_outcomes(passed=1)


@pytest.mark.parametrize("fixture", ["ddb_client", "ddb_resource"])
def test_without_boto3_a_client_is_an_error_and_not_a_skip(run, pytester, fixture):
    pytester.makeconftest("import sys; sys.modules['boto3.session'] = None")

    result = run(f"def test_client({fixture}): pass")

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "*ERROR at setup of test_client*",
            f"{fixture} needs boto3, which can't be imported (*): pip install boto3",
        ],
        consecutive=True,
    )


def test_throttling_off_is_a_store_that_never_refuses(run, pytester):
    pytester.makeini("[pytest]\nddb_throttling = off\n")

    result = run(
        """
        def test_off(ddb_fake, ddb_client):
            ddb_fake.create_table("orders", write_capacity_units=1)
            for number in range(100):
                ddb_client.put_item(TableName="orders", Item={"pk": {"S": str(number)}})
            ddb_fake.assert_not_throttled()
        """
    )

    result.assert_outcomes(passed=1)


def test_a_project_may_override_the_fixture(run, pytester):
    pytester.makeconftest(
        """
        import pytest

        @pytest.fixture
        def ddb_fake(ddb_fake):
            ddb_fake.create_table("orders")
            return ddb_fake
        """
    )

    result = run(
        """
        import pytest

        @pytest.mark.ddb_throttle(table="orders", write_capacity_units=5)
        def test_marked(ddb_fake):
            assert ddb_fake.table("orders").item_count == 0
            ddb_fake.table("orders").fill("write")
            assert ddb_fake.table("orders").balance("write") == 1500
        """
    )

    result.assert_outcomes(passed=1)


def test_the_fixtures_are_listed_with_what_they_are(run):
    result = run("", "--fixtures", "-q")

    listed = result.stdout.str()

    for name in ("ddb_fake", "module_ddb_fake", "session_ddb_fake", "ddb_clock", "ddb_client", "ddb_resource"):
        assert f"\n{name}" in listed
    assert "_ddb_markers" not in listed
