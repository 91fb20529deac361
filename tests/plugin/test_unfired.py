"""What was scripted and did not happen: said at tear-down, of a test that passed, and never over another error."""

from __future__ import annotations

import pytest

HEAD = "The test passed, but not all that it scripted happened:"
FOOT = (
    "If that is meant: optional=True on a ddb_inject, no ddb_throttle for a table that is not made; "
    "docs/how-to/inject.md"
)


def teardown_text(result: pytest.RunResult, test: str) -> list[str]:
    said = result.stdout.lines
    start = next(place for place, line in enumerate(said) if f"ERROR at teardown of {test}" in line) + 1
    end = next(place for place, line in enumerate(said) if place > start and line.startswith(("___", "===", "---")))
    return said[start:end]


def test_each_rule_that_never_fired_is_named(run):
    result = run(
        """
        import pytest

        @pytest.mark.ddb_inject(operation="PutItem", table="orders", error="InternalServerError", times=2)
        @pytest.mark.ddb_inject(operation="GetItem", error="ServiceUnavailable", after=3)
        @pytest.mark.ddb_throttle(table="order", write_capacity_units=5)
        @pytest.mark.ddb_throttle(table="orders", index="by_status", write_capacity_units=5)
        def test_marked(ddb_fake, ddb_client):
            ddb_fake.create_table("orders")
            ddb_client.get_item(TableName="orders", Key={"pk": {"S": "1"}})
        """
    )

    result.assert_outcomes(passed=1, errors=1)
    assert teardown_text(result, "test_marked") == [
        HEAD,
        (
            "- ddb_inject(error='InternalServerError', operation='PutItem', table='orders', times=2) never fired: "
            "no call matched it"
        ),
        "- ddb_inject(error='ServiceUnavailable', operation='GetItem', after=3) never fired: 1 call matched, after=3",
        "- ddb_throttle(table='order', write_capacity_units=5) was never used: no table 'order' was made",
        (
            "- ddb_throttle(table='orders', index='by_status', write_capacity_units=5) was never used: "
            "no index 'by_status' of table 'orders' was made"
        ),
        FOOT,
    ]


def test_a_rule_set_by_a_call_is_named_as_well(run):
    result = run(
        """
        def test_called(ddb_fake):
            ddb_fake.inject(operation="PutItem", error="InternalServerError")
        """
    )

    result.assert_outcomes(passed=1, errors=1)
    assert teardown_text(result, "test_called") == [
        HEAD,
        "- ddb_inject(error='InternalServerError', operation='PutItem') never fired: no call matched it",
        FOOT,
    ]


@pytest.mark.parametrize("fixture", ["module_ddb_fake", "session_ddb_fake"])
def test_a_marker_of_a_test_on_a_shared_fake_is_named_in_that_test(run, fixture):
    result = run(
        f"""
        import pytest

        @pytest.mark.ddb_inject(operation="PutItem", error="InternalServerError")
        def test_marked({fixture}): pass

        def test_other({fixture}): pass
        """
    )

    result.assert_outcomes(passed=2, errors=1)
    assert teardown_text(result, "test_marked")[1:2] == [
        "- ddb_inject(error='InternalServerError', operation='PutItem') never fired: no call matched it"
    ]


def test_rules_of_marker_and_call_make_one_error(run):
    result = run(
        """
        import pytest

        @pytest.mark.ddb_inject(operation="PutItem", error="InternalServerError")
        def test_both(ddb_fake):
            ddb_fake.inject(operation="GetItem", error="InternalServerError")
        """
    )

    result.assert_outcomes(passed=1, errors=1)
    assert "ExceptionGroup" not in result.stdout.str()


def test_optional_loosens_it(run):
    result = run(
        """
        import pytest

        @pytest.mark.ddb_inject(operation="PutItem", error="InternalServerError", optional=True)
        def test_optional(ddb_fake): pass
        """
    )

    result.assert_outcomes(passed=1)


def test_a_throttle_of_a_class_or_module_may_find_no_table(run):
    result = run(
        """
        import pytest

        pytestmark = pytest.mark.ddb_throttle(table="orders", write_capacity_units=5)

        @pytest.mark.ddb_throttle(table="customers", write_capacity_units=5)
        class TestNothing:
            def test_without_tables(self): pass
        """
    )

    result.assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("body", "outcomes"),
    [
        ("raise RuntimeError('the first error')", {"failed": 1}),
        ("pytest.skip('not today')", {"skipped": 1}),
        ("pytest.xfail('known')", {"xfailed": 1}),
    ],
)
def test_a_test_that_did_not_pass_is_not_told_of_it(run, body, outcomes):
    result = run(
        f"""
        import pytest

        @pytest.mark.ddb_inject(operation="PutItem", error="InternalServerError")
        def test_marked(ddb_fake):
            ddb_fake.inject(operation="GetItem", error="InternalServerError")
            {body}
        """
    )

    result.assert_outcomes(**outcomes)
    assert HEAD not in result.stdout.str()


def test_an_error_at_set_up_is_not_masked(run):
    result = run(
        """
        import pytest

        @pytest.fixture
        def broken(ddb_fake):
            raise RuntimeError("the first error")

        @pytest.mark.ddb_inject(operation="PutItem", error="InternalServerError")
        def test_marked(broken): pass
        """
    )

    result.assert_outcomes(errors=1)
    assert HEAD not in result.stdout.str()


def test_a_shared_fake_is_not_checked_when_one_of_its_tests_failed(run):
    result = run(
        """
        def test_one(module_ddb_fake):
            module_ddb_fake.inject(operation="GetItem", error="InternalServerError")
            assert False

        def test_two(module_ddb_fake): pass
        """
    )

    result.assert_outcomes(passed=1, failed=1)


def test_a_rule_called_on_a_shared_fake_has_until_its_end(run):
    result = run(
        """
        import pytest

        def test_one(module_ddb_fake):
            module_ddb_fake.create_table("orders")
            module_ddb_fake.inject(operation="GetItem", error="InternalServerError")

        def test_two(module_ddb_fake, ddb_client):
            with pytest.raises(ddb_client.exceptions.InternalServerError):
                ddb_client.get_item(TableName="orders", Key={"pk": {"S": "1"}})
        """
    )

    result.assert_outcomes(passed=2)


def test_nothing_leaks_from_a_test_that_failed_at_tear_down(run, pytester):
    pytester.makeini("[pytest]\nddb_start = 1999-01-01\n")

    result = run(
        """
        import time
        import pytest

        @pytest.mark.ddb_inject(operation="PutItem", error="InternalServerError")
        def test_marked(ddb_fake): pass

        def test_other(ddb_fake, ddb_client):
            ddb_fake.create_table("orders")
            ddb_client.put_item(TableName="orders", Item={"pk": {"S": "1"}})

        def test_without():
            assert time.gmtime().tm_year > 1999
        """
    )

    result.assert_outcomes(passed=3, errors=1)
