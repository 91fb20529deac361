"""``ddb_throttle_sweep``: a test that is a scenario; and what a marker that can't be is told."""

from __future__ import annotations

from textwrap import dedent

import pytest

SUBTESTS = int(pytest.__version__.partition(".")[0]) >= 9
FIXTURES = """
import time

import pytest
from botocore.exceptions import ClientError


@pytest.fixture
def orders(ddb_fake):
    return ddb_fake.create_table("orders", write_capacity_units=5)


@pytest.fixture
def put(ddb_client):
    return lambda key: ddb_client.put_item(TableName="orders", Item={"pk": {"S": key}})


@pytest.fixture
def surely(put):
    def put_surely(key):
        while True:
            try:
                return put(key)
            except ClientError:
                time.sleep(1)

    return put_surely

"""
NAMES = "Allowed names: pairs, reasons, may_raise, check"


def source(text: str) -> str:
    return FIXTURES + dedent(text)


def test_a_sound_test_passes(run):
    result = run(
        source(
            """
            @pytest.mark.ddb_throttle_sweep(pairs=True, reasons="all")
            def test_it(orders, surely):
                surely("a")
                surely("b")
                assert orders.item_count == 2
            """
        )
    )

    result.stdout.fnmatch_lines(["*1 passed*"])
    assert result.ret == 0


BROKEN = source(
    """
    @pytest.mark.ddb_throttle_sweep
    def test_it(orders, put, surely):
        surely("a")
        try:
            put("b")
        except ClientError:
            pass
        if orders.item_count != 2:
            pytest.fail("half an order")
    """
)


def test_a_refusal_that_does_harm_fails_the_test(run):
    result = run(BROKEN)

    refused = "call 2, PutItem on orders: TableWriteProvisionedThroughputExceeded"
    result.stdout.fnmatch_lines(["*lost: AssertionError at *half an order"] if SUBTESTS else ["*half an order"])
    assert result.ret == 1
    if SUBTESTS:
        result.stdout.fnmatch_lines([f"SUBFAIL*{refused}*"])
        result.stdout.no_fnmatch_line("SUBFAIL*call 1*")


def test_without_subtests_all_findings_are_one_failure(run):
    result = run(BROKEN, *(["-p", "no:subtests"] if SUBTESTS else []))

    result.stdout.fnmatch_lines(
        [
            "expected the scenario to come through every refusal; 1 of 2 refusals had another end",
            "call  operation  table   refused with  *",
            "   2  PutItem    orders  TableWriteProvisionedThroughputExceeded  lost     AssertionError at *",
            "may_raise=True allows *docs/how-to/sweep.md",
        ]
    )
    result.assert_outcomes(failed=1)


def test_a_test_that_fails_where_nothing_is_refused_fails_as_any_other(run):
    result = run(
        source(
            """
            @pytest.mark.ddb_throttle_sweep
            def test_it(orders, surely):
                surely("a")
                assert orders.item_count == 2
            """
        )
    )

    result.stdout.fnmatch_lines(["E *assert 1 == 2*"])
    result.assert_outcomes(failed=1)


def test_a_marker_on_a_class_sweeps_its_tests_and_the_closest_wins(run):
    result = run(
        source(
            """
            @pytest.mark.ddb_throttle_sweep
            class TestOrders:
                @pytest.mark.ddb_throttle_sweep(may_raise=True)
                def test_may(self, orders, put):
                    put("a")

                def test_may_not(self, orders, put):
                    put("a")
            """
        )
    )

    assert result.ret == 1
    result.stdout.fnmatch_lines(["*test_may_not*"])
    result.stdout.no_fnmatch_line("*FAIL*::test_may *")


def test_other_markers_hold_in_each_run(run):
    result = run(
        source(
            """
            @pytest.mark.ddb_throttle(table="orders", billing_mode="PAY_PER_REQUEST", max_write_request_units=9)
            @pytest.mark.ddb_inject(operation="PutItem", error="InternalServerError")
            @pytest.mark.ddb_throttle_sweep(reasons=["TableWriteMaxOnDemandThroughputExceeded"])
            def test_it(ddb_fake, surely):
                ddb_fake.create_table("orders")
                surely("a")
                assert [call.error for call in ddb_fake.calls][0] == "InternalServerError"
            """
        )
    )

    result.stdout.fnmatch_lines(["*1 passed*"])
    assert result.ret == 0


@pytest.mark.parametrize(
    ("marker", "lines"),
    [
        ("(True)", ["@pytest.mark.ddb_throttle_sweep takes keyword arguments only, not True.", NAMES]),
        ("(pair=True)", ["@pytest.mark.ddb_throttle_sweep has no argument 'pair'. Did you mean 'pairs'?", NAMES]),
        (
            "(reasons=['TableWrite'])",
            [
                "@pytest.mark.ddb_throttle_sweep(reasons=[[]'TableWrite']): reasons: 'TableWrite' is none of the sixteen*"
            ],
        ),
    ],
)
def test_a_marker_that_can_not_be_fails_at_set_up(run, marker, lines):
    result = run(source(f"@pytest.mark.ddb_throttle_sweep{marker}\ndef test_it(orders, put):\n    put('a')\n"))

    result.stdout.fnmatch_lines(lines)
    result.assert_outcomes(errors=1)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("def test_it(orders):\n    pass", "*sweep: the scenario made no call that can be refused*"),
        (
            "async def test_it(orders):\n    pass",
            "*ddb_throttle_sweep on a coroutine function is not modelled yet; docs/unsupported.md",
        ),
    ],
)
def test_a_test_that_can_not_be_swept_fails(run, body, text):
    result = run(source(f"@pytest.mark.ddb_throttle_sweep\n{body}\n"))

    result.stdout.fnmatch_lines([text])
    result.assert_outcomes(failed=1)
