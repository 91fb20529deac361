"""``assert_nothing_lost``: leftovers and refused writes, followed until they land."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_ddbthrottle._assertions import assert_nothing_lost
from pytest_ddbthrottle._engine.errors import (
    ConditionalCheckFailedException,
    InternalServerError,
    TransactionCanceledException,
    ValidationException,
)

LAST_LINE = (
    "accounted_for= takes the keys of what the application put aside itself: "
    "docs/how-to/assertions.md#assert_nothing_lost"
)


def key(text):
    return {"pk": {"S": text}}


def update(sent, text, **how):
    return sent.record("UpdateItem", {"TableName": "orders", "Key": key(text)}, **how)


def delete_by_batch(sent, text, at):
    return sent.record("BatchWriteItem", {"RequestItems": {"orders": [{"DeleteRequest": {"Key": key(text)}}]}}, at=at)


def read_batch(sent, *texts, left=(), at=0):
    request = {"RequestItems": {"orders": {"Keys": [key(text) for text in texts]}}}
    return sent.record("BatchGetItem", request, at=at, leftovers=[("orders", key(text)) for text in left])


def cancelled_by_a_condition(sent, *texts):
    items = [{"Put": {"TableName": "orders", "Item": key(text)}} for text in texts]
    error = TransactionCanceledException("Transaction cancelled [None, ConditionalCheckFailed]")
    return sent.record("TransactWriteItems", {"TransactItems": items}, at=1, error=error)


LANDINGS = {
    "a batch": lambda sent: sent.batch(["b", "c"], at=1),
    "a put": lambda sent: sent.put("b", at=1),
    "an update": lambda sent: update(sent, "b", at=1),
    "a delete": lambda sent: sent.record("DeleteItem", {"TableName": "orders", "Key": key("b")}, at=1),
    "a delete in a batch": lambda sent: delete_by_batch(sent, "b", at=1),
    "a transaction": lambda sent: sent.transaction(["c", "b"], at=1),
    "a false condition": lambda sent: update(sent, "b", at=1, error=ConditionalCheckFailedException("no")),
    "a transaction whose condition was false": lambda sent: cancelled_by_a_condition(sent, "c", "b"),
    "an ARN": lambda sent: sent.record(
        "PutItem", {"TableName": "arn:aws:dynamodb:us-east-1:123456789012:table/orders", "Item": key("b")}, at=1
    ),
}


@pytest.mark.parametrize("landing", LANDINGS.values(), ids=LANDINGS)
def test_a_leftover_may_land_in_any_kind_of_write(sent, landing):
    sent.batch(["a", "b"], left=["b"], at=0)

    landing(sent)

    assert_nothing_lost(sent.journal)


NO_LANDINGS = {
    "a write before": lambda sent: None,
    "another key": lambda sent: sent.put("c", at=1),
    "another table": lambda sent: sent.put("b", at=1, table="customers"),
    "a read": lambda sent: sent.record("GetItem", {"TableName": "orders", "Key": key("b")}, at=1),
    "a condition check": lambda sent: sent.record(
        "TransactWriteItems", {"TransactItems": [{"ConditionCheck": {"TableName": "orders", "Key": key("b")}}]}, at=1
    ),
    "an invalid write": lambda sent: update(sent, "b", at=1, error=ValidationException("no")),
    "a batch that leaves it again": lambda sent: sent.batch(["b", "c"], left=["b"], at=1),
    "a refusal": lambda sent: sent.put("b", at=1, refused=sent.refusal()),
}


@pytest.mark.parametrize("later", NO_LANDINGS.values(), ids=NO_LANDINGS)
def test_a_leftover_that_does_not_land_is_lost(sent, failing, later):
    sent.put("b", at=0)
    sent.batch(["a", "b"], left=["b"], at=0)

    later(sent)

    text = failing(assert_nothing_lost, sent.journal)
    assert text[0] == "expected every refused or unprocessed entry to be sent again until it landed; 1 never did"
    assert text[-1] == LAST_LINE
    assert "pk=b" in text[1]


def test_each_lost_entry_has_a_line_with_the_last_call_that_could_not_do_it(sent, failing):
    sent.batch(["a", "b", "order#3"], left=["b", "order#3"], at=0)
    sent.put("c", at=2, refused=sent.refusal(), attempt=5, after=1.6)
    sent.batch(["b", "d"], left=["b"], at=4)

    assert failing(assert_nothing_lost, sent.journal) == [
        "expected every refused or unprocessed entry to be sent again until it landed; 3 never did",
        "- 0 s  BatchWriteItem  orders  pk=order#3  1 asked, 0 left, 5/s  provisioned capacity  "
        "2 left over, TableWriteProvisionedThroughputExceeded  attempt 1",
        "- 2 s  PutItem         orders  pk=c        1 asked, 0 left, 5/s  provisioned capacity  "
        "TableWriteProvisionedThroughputExceeded               attempt 5",
        "- 4 s  BatchWriteItem  orders  pk=b        1 asked, 0 left, 5/s  provisioned capacity  "
        "1 left over, TableWriteProvisionedThroughputExceeded  attempt 1",
        LAST_LINE,
    ]


def test_many_lost_entries_are_cut_after_twenty_lines(sent, failing):
    sent.batch([f"k{number}" for number in range(25)], left=[f"k{number}" for number in range(24)], at=0)

    text = failing(assert_nothing_lost, sent.journal)

    assert len(text) == 23
    assert text[21] == "- and 4 more"


@pytest.mark.parametrize(
    "lose",
    [
        lambda sent: sent.put("b", at=0, refused=sent.refusal()),
        lambda sent: sent.batch(["b"], left=["b"], at=0),
        lambda sent: sent.transaction(["a", "b"], at=0, refused=sent.refusal()),
        lambda sent: update(sent, "b", at=0, error=InternalServerError("x")),
    ],
    ids=["single", "whole batch", "transaction", "fault of the service"],
)
def test_a_write_that_ended_in_a_refusal_is_lost(sent, failing, lose):
    lose(sent)

    assert any("pk=b" in line for line in failing(assert_nothing_lost, sent.journal))


def test_a_write_that_the_sdk_brought_through_is_not(sent):
    sent.put("a", at=0, refused=sent.refusal())
    sent.put("a", at=0.05, attempt=2, after=0.05)

    assert_nothing_lost(sent.journal)


def test_keys_left_over_by_a_read_have_to_be_read(sent, failing):
    read_batch(sent, "a", "b", left=["b"])

    assert failing(assert_nothing_lost, sent.journal)[1] == (
        "- 0 s  BatchGetItem  orders  pk=b  1 left over  attempt 1"
    )


@pytest.mark.parametrize(
    ("operation", "request_"),
    [
        ("BatchGetItem", {"RequestItems": {"orders": {"Keys": [key("b")]}}}),
        ("GetItem", {"TableName": "orders", "Key": key("b")}),
        ("TransactGetItems", {"TransactItems": [{"Get": {"TableName": "orders", "Key": key("b")}}]}),
    ],
)
def test_keys_left_over_by_a_read_may_be_read_in_any_way(sent, operation, request_):
    read_batch(sent, "a", "b", left=["b"])

    sent.record(operation, request_, at=1)

    assert_nothing_lost(sent.journal)


def test_a_read_that_was_refused_as_a_whole_is_not_looked_at(sent):
    error, _, refusal = sent.refusal()
    sent.record("GetItem", {"TableName": "orders", "Key": key("a")}, at=0, error=error, refusals=[refusal])

    assert_nothing_lost(sent.journal)


@pytest.mark.parametrize(
    "put_aside",
    [
        [{"pk": "b"}],
        [{"pk": {"S": "b"}}],
        ({"pk": "b", "total": 42.5},),
        [{"other": "x"}, {"pk": "x"}, {"pk": "b"}],
    ],
    ids=["plain key", "wire key", "whole item", "among others"],
)
def test_what_the_application_put_aside_is_accounted_for(sent, put_aside):
    sent.batch(["a", "b"], left=["b"], at=0)

    assert_nothing_lost(sent.journal, accounted_for=put_aside)


def test_another_key_put_aside_does_not_account_for_it(sent, failing):
    sent.batch(["a", "b"], left=["b"], at=0)

    assert "1 never did" in failing(assert_nothing_lost, sent.journal, accounted_for=[{"pk": "a"}])[0]


def test_a_malformed_write_that_was_refused_at_the_door_is_not_followed(sent):
    error, _, refusal = sent.refusal()
    for request in (
        {"TableName": "orders"},
        {"TableName": "orders", "Item": {"pk": "b"}},
        {"TableName": "orders", "Item": {}},
    ):
        sent.record("PutItem", request, at=0, error=error, refusals=[refusal])

    assert_nothing_lost(sent.journal)


def test_a_write_to_a_table_that_is_not_there_is_not_followed(sent):
    call = sent.put("a", at=0, refused=sent.refusal())
    sent.journal.calls[:] = [replace(call, key_schemas={})]

    assert_nothing_lost(sent.journal)


def test_a_long_key_is_shortened(sent, failing):
    sent.put("x" * 100, at=0, refused=sent.refusal())

    assert f"pk={'x' * 39}…  " in failing(assert_nothing_lost, sent.journal)[1]
