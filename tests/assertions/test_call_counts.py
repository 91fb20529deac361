"""What was sent, throttled and charged: ``assert_attempts``, ``assert_call_throttled``, ``assert_consumed`` and the like."""

from __future__ import annotations

import pytest

from pytest_ddbthrottle._assertions import (
    assert_attempts,
    assert_call_throttled,
    assert_consumed,
    assert_not_throttled,
)
from pytest_ddbthrottle._engine.capacity import Consumption, OperationType
from pytest_ddbthrottle._engine.errors import InternalServerError, ThrottlingException
from pytest_ddbthrottle._engine.throttle.reasons import Scope


@pytest.fixture
def retried(sent):
    """A write that is refused twice and then lands; and one of another table."""
    sent.put("a", at=0, refused=sent.refusal())
    sent.put("a", at=0.05, refused=sent.refusal(left=-0.25), attempt=2, after=0.05)
    sent.put("a", at=0.15, attempt=3, after=0.1)
    sent.put("x", at=0.15, table="customers")
    return sent.journal


RETRIED_ORDERS = [
    "-    0 s  PutItem  orders  1 asked, 0 left, 5/s      provisioned capacity  TableWriteProvisionedThroughputExceeded"
    "  attempt 1  next after 0.05 s",
    "- 0.05 s  PutItem  orders  1 asked, -0.25 left, 5/s  provisioned capacity  TableWriteProvisionedThroughputExceeded"
    "  attempt 2  next after 0.1 s",
    "- 0.15 s  PutItem  orders  1 write                                         ok                                     "
    "  attempt 3",
]


def test_every_send_is_an_attempt(retried):
    assert_attempts(retried, "PutItem", 4)
    assert_attempts(retried, "PutItem", 3, table="orders")
    assert_attempts(retried, "DeleteItem", 0)


def test_another_number_of_attempts_lists_those_that_were_sent(retried, failing):
    assert failing(assert_attempts, retried, "PutItem", 2, table="orders") == [
        "expected 2 attempts of PutItem on orders; found 3",
        *RETRIED_ORDERS,
        "every send counts, the SDK's retries too; table= counts those of one table: "
        "docs/how-to/assertions.md#assert_attempts",
    ]


def test_no_attempt_at_all_lists_what_was_sent_instead(sent, failing):
    sent.put("a", at=0)

    assert failing(assert_attempts, sent.journal, "put_item", 1) == [
        "expected 1 attempt of put_item; found none",
        "- 0 s  PutItem  orders  1 write  ok  attempt 1",
        "every send counts, the SDK's retries too; table= counts those of one table: "
        "docs/how-to/assertions.md#assert_attempts",
    ]


def test_a_batch_is_sent_to_each_of_its_tables(sent):
    tables = {name: [{"PutRequest": {"Item": {"pk": {"S": "a"}}}}] for name in ("orders", "customers")}
    sent.record("BatchWriteItem", {"RequestItems": tables}, at=0)

    assert_attempts(sent.journal, "BatchWriteItem", 1, table="customers")


def test_a_long_list_is_cut_after_twenty_lines(sent, failing):
    for number in range(25):
        sent.put(f"k{number}", at=number)

    text = failing(assert_attempts, sent.journal, "PutItem", 1)

    assert text[0] == "expected 1 attempt of PutItem; found 25"
    assert text[20] == "- 19 s  PutItem  orders  1 write  ok  attempt 1"
    assert text[21] == "- and 5 more"
    assert len(text) == 23


def test_nothing_throttled_is_fine(retried):
    assert_not_throttled(retried, table="customers")


def test_what_was_throttled_is_listed(retried, failing):
    assert failing(assert_not_throttled, retried) == [
        "expected no throttling; 2 of 4 calls met it",
        *RETRIED_ORDERS[:2],
        "table= looks at one table only: docs/how-to/assertions.md#assert_not_throttled",
    ]


def test_leftovers_that_the_test_scripted_are_throttling(sent, failing):
    entry = {"PutRequest": {"Item": {"pk": {"S": "a"}}}}
    sent.record(
        "BatchWriteItem", {"RequestItems": {"orders": [entry]}}, at=0, leftovers=[("orders", entry)], scripted=True
    )

    assert failing(assert_not_throttled, sent.journal)[1] == (
        "- 0 s  BatchWriteItem  orders  scripted  1 left over  attempt 1  not sent again"
    )


def test_leftovers_of_a_reply_that_grew_too_large_are_not(sent):
    key = {"pk": {"S": "a"}}
    sent.record("BatchGetItem", {"RequestItems": {"orders": {"Keys": [key]}}}, at=0, leftovers=[("orders", key)])

    assert_not_throttled(sent.journal)


@pytest.mark.parametrize(
    "expected",
    [
        {},
        {"operation": "PutItem", "table": "orders", "times": 2},
        {"reason": "TableWriteProvisionedThroughputExceeded", "times": 2},
        {"operation": "DeleteItem", "times": 0},
        {"error": "ProvisionedThroughputExceededException", "cause": "provisioned capacity"},
        {"table": "customers", "times": 0},
    ],
)
def test_a_throttled_call_is_found(retried, expected):
    assert_call_throttled(retried, **expected)


def test_another_number_of_throttled_calls_lists_those_that_match(retried, failing):
    assert failing(
        assert_call_throttled, retried, "PutItem", times=5, reason="TableWriteProvisionedThroughputExceeded"
    ) == [
        "expected 5 throttled calls of PutItem with reason TableWriteProvisionedThroughputExceeded; found 2",
        *RETRIED_ORDERS[:2],
        "times= counts every send, the SDK's retries too; left out, one is enough: "
        "docs/how-to/assertions.md#assert_throttled",
    ]


def test_no_match_tells_how_the_closest_differs(retried, failing):
    text = failing(assert_call_throttled, retried, table="orders", reason="TableWriteKeyRangeThroughputExceeded")

    assert text == [
        "expected a throttled call on orders with reason TableWriteKeyRangeThroughputExceeded; found none",
        *RETRIED_ORDERS[:2],
        "- reason",
        "    expected: TableWriteKeyRangeThroughputExceeded",
        "    actual:   TableWriteProvisionedThroughputExceeded",
        "times= counts every send, the SDK's retries too; left out, one is enough: "
        "docs/how-to/assertions.md#assert_throttled",
    ]


def test_no_throttling_at_all_lists_the_calls_that_passed(sent, failing):
    sent.put("a", at=0)

    assert failing(assert_call_throttled, sent.journal, "PutItem")[:2] == [
        "expected a throttled call of PutItem; found none",
        "- 0 s  PutItem  orders  1 write  ok  attempt 1",
    ]


def test_an_index_is_found_where_it_refused_a_write_of_its_table(sent, failing):
    hot = sent.refusal(Scope.KEY_RANGE, index="by_status", partition_key=("OPEN",), rate=1000)
    sent.put("a", at=0, refused=hot)

    assert_call_throttled(sent.journal, "PutItem", index="by_status")
    assert failing(assert_call_throttled, sent.journal, table="orders", index="by_customer")[:2] == [
        "expected a throttled call on orders/by_customer; found none",
        "- 0 s  PutItem  orders/by_status  1 asked, 0 left, 1000/s  key range OPEN  "
        "IndexWriteKeyRangeThroughputExceeded  attempt 1  not sent again",
    ]


def test_a_scripted_throttling_error_without_a_bucket_counts(sent, failing):
    sent.record(
        "PutItem",
        {"TableName": "orders", "Item": {"pk": {"S": "a"}}},
        at=0,
        error=ThrottlingException("x"),
        scripted=True,
    )

    assert_call_throttled(sent.journal, error="ThrottlingException", reasons=[])
    assert failing(assert_not_throttled, sent.journal)[1] == (
        "- 0 s  PutItem  orders  scripted  ThrottlingException  attempt 1  not sent again"
    )


def test_an_account_refusal_has_no_units_asked(sent, failing):
    sent.put("a", at=0, refused=sent.refusal(Scope.ACCOUNT, left=-3, rate=100))

    assert failing(assert_not_throttled, sent.journal)[1] == (
        "- 0 s  PutItem  orders  -3 left, 100/s  account aggregate  TableWriteAccountLimitExceeded  attempt 1"
        "  not sent again"
    )


def test_an_unknown_part_is_a_type_error(sent):
    with pytest.raises(TypeError, match="reson"):
        assert_call_throttled(sent.journal, reson="x")


def read(table, units):
    return Consumption(table, OperationType.READ, round(units * 10**9))


@pytest.fixture
def charged(sent, units):
    item = {"pk": {"S": "a"}}
    sent.record(
        "PutItem",
        {"TableName": "orders", "Item": item},
        at=0,
        consumed=[units("orders", 2), units("orders", 1, "by_status")],
    )
    sent.record("GetItem", {"TableName": "orders", "Key": item}, at=1, consumed=[read("orders", 0.5)])
    sent.record("PutItem", {"TableName": "customers", "Item": item}, at=2, consumed=[units("customers", 7)])
    return sent.journal


@pytest.mark.parametrize(
    "expected",
    [
        {"write_units": 10, "read_units": 0.5},
        {"table": "orders", "write_units": 3},
        {"index": "by_status", "write_units": 1},
        {"operation": "GetItem", "write_units": 0, "read_units": 0.5},
        {"table": "orders", "at_most_write_units": 3, "at_most_read_units": 40},
    ],
)
def test_what_was_charged_is_added_up(charged, expected):
    assert_consumed(charged, **expected)


@pytest.mark.parametrize(
    ("expected", "first_line"),
    [
        ({"read_units": 1}, "expected 1 read unit consumed; found 0.5"),
        ({"table": "orders", "write_units": 2}, "expected 2 write units consumed on orders; found 3"),
        (
            {"table": "orders", "index": "by_status", "operation": "PutItem", "at_most_write_units": 0.5},
            "expected at most 0.5 write units consumed by PutItem on orders/by_status; found 1",
        ),
    ],
)
def test_another_charge_is_told(charged, failing, expected, first_line):
    assert failing(assert_consumed, charged, **expected)[0] == first_line


def test_another_charge_lists_the_calls_that_were_charged(charged, failing):
    assert failing(assert_consumed, charged, write_units=9) == [
        "expected 9 write units consumed; found 10",
        "- 0 s  PutItem  orders     3 write",
        "- 2 s  PutItem  customers  7 write",
        "at_most_read_units= and at_most_write_units= allow less: docs/how-to/assertions.md#assert_consumed",
    ]


def test_a_charge_needs_an_amount_to_compare_with(sent):
    with pytest.raises(ValueError) as caught:
        assert_consumed(sent.journal, table="orders")

    assert str(caught.value) == (
        "assert_consumed needs an amount: read_units=, write_units=, at_most_read_units= or at_most_write_units="
    )


def test_a_fault_of_the_service_is_no_throttling(sent):
    sent.record("PutItem", {"TableName": "orders"}, at=0, error=InternalServerError("x"), scripted=True)

    assert_not_throttled(sent.journal)
