"""``assert_backoff``: how long refused calls and leftovers waited before they were sent again."""

from __future__ import annotations

import pytest

from pytest_ddbthrottle._assertions import assert_backoff
from pytest_ddbthrottle._engine.errors import InternalServerError

LAST_LINE = "at_least=0 allows a retry without a delay: docs/how-to/assertions.md#assert_backoff"


def retried(sent, *delays, key="a", start=0.0):
    """Refuse one write and let the SDK send it again after each of the delays; the last one lands."""
    at, after = start, None
    for attempt, delay in enumerate([*delays, None], 1):
        refused = None if delay is None else sent.refusal()
        sent.put(key, at=at, refused=refused, attempt=attempt, after=after)
        at, after = at + (delay or 0), delay
    return sent.journal


@pytest.mark.parametrize(
    ("delays", "rules"),
    [
        ([0.05, 0.1], {}),
        ([0.05, 0.1], {"at_least": 0.05, "at_most": 0.1}),
        ([0.05, 0.1], {"total_at_least": 0.15, "total_at_most": 0.15}),
        ([0.05, 0.1], {"delays": [0.05, 0.1]}),
        ([0.050001], {"delays": [0.05]}),
        ([0, 0.1], {"at_least": 0}),
        ([0.05, 0.1, 0.2], {"exponential": True}),
        ([1.9, 2.0, 4.0, 8.0, 16.0], {"exponential": True}),
        ([1, 2, 4, 4, 4], {"exponential": True, "at_most": 4}),
        ([3], {"exponential": True}),
        ([0.1, 0.1], {"operation": "PutItem", "table": "orders"}),
    ],
)
def test_delays_that_keep_the_rules_pass(sent, delays, rules):
    assert_backoff(retried(sent, *delays), **rules)


@pytest.mark.parametrize(
    ("delays", "rules", "first_line"),
    [
        ([0.05, 0], {}, "expected a delay before each re-send; found 0.05 s, 0 s"),
        (
            [0.05, 0.1],
            {"at_least": 0.06},
            "expected a delay of at least 0.06 s before each re-send; found 0.05 s, 0.1 s",
        ),
        ([0.05, 0.1], {"at_most": 0.09}, "expected a delay of at most 0.09 s before each re-send; found 0.05 s, 0.1 s"),
        (
            [0.05, 0.1],
            {"total_at_least": 1},
            "expected delays of at least 1 s in total before re-sends; found 0.05 s, 0.1 s",
        ),
        (
            [0.05, 0.1],
            {"total_at_most": 0.1},
            "expected delays of at most 0.1 s in total before re-sends; found 0.05 s, 0.1 s",
        ),
        (
            [0.05, 0.1],
            {"delays": [0.05]},
            "expected delays of 0.05 s before re-sends; found 0.05 s, 0.1 s",
        ),
        (
            [0.05, 0.1],
            {"delays": [0.05, 0.11], "operation": "PutItem"},
            "expected delays of 0.05 s and 0.11 s before re-sends of PutItem; found 0.05 s, 0.1 s",
        ),
        (
            [1, 1, 1, 1],
            {"exponential": True},
            "expected delays that grow exponentially before re-sends; found 1 s, 1 s, 1 s, 1 s",
        ),
        (
            [1, 2, 3, 4, 5, 6, 7],
            {"exponential": True},
            "expected delays that grow exponentially before re-sends; found 1 s, 2 s, 3 s, 4 s, 5 s, 6 s, …",
        ),
        (
            [4, 1, 2],
            {"exponential": True, "at_most": 4},
            "expected delays that grow exponentially before re-sends; found 4 s, 1 s, 2 s",
        ),
    ],
)
def test_delays_that_break_a_rule_are_told(sent, failing, delays, rules, first_line):
    assert failing(assert_backoff, retried(sent, *delays), **rules)[0] == first_line


def test_leftovers_that_are_sent_again_at_once_fail(sent, failing):
    sent.batch(["a", "b", "c"], left=["b", "c"], at=0)
    sent.batch(["b", "c", "d"], left=["d"], at=0)
    sent.batch(["d"], at=0)

    assert failing(assert_backoff, sent.journal, "BatchWriteItem", table="orders") == [
        "expected a delay before each re-send of BatchWriteItem on orders; found 0 s, 0 s",
        "- 0 s  BatchWriteItem  orders  1 asked, 0 left, 5/s  provisioned capacity  "
        "2 left over, TableWriteProvisionedThroughputExceeded  attempt 1  next after 0 s",
        "- 0 s  BatchWriteItem  orders  1 asked, 0 left, 5/s  provisioned capacity  "
        "1 left over, TableWriteProvisionedThroughputExceeded  attempt 1  next after 0 s",
        "- 0 s  BatchWriteItem  orders  1 write                                     "
        "ok                                                    attempt 1",
        LAST_LINE,
    ]


def test_another_batch_in_between_is_no_re_send(sent):
    sent.batch(["a", "b"], left=["b"], at=0)
    sent.batch(["c", "d"], at=0)
    sent.batch(["b"], at=1)

    assert_backoff(sent.journal, delays=[1])


def test_the_application_goes_on_where_the_sdk_gave_up(sent):
    sent.put("a", at=0, refused=sent.refusal())
    sent.put("a", at=0.05, refused=sent.refusal(), attempt=2, after=0.05)
    sent.put("a", at=2.05)

    assert_backoff(sent.journal, delays=[0.05, 2])


def test_another_client_of_the_same_key_does_not_hide_the_sdks_own_retry(sent):
    sent.put("a", at=0, refused=sent.refusal())
    sent.put("a", at=0)
    sent.put("a", at=0.05, attempt=2, after=0.05)

    assert_backoff(sent.journal, delays=[0.05])


def test_a_refused_query_is_sent_again_by_the_next_one_of_its_index(sent):
    request = {"TableName": "orders", "IndexName": "by_status"}
    error, _, refusal = sent.refusal(index="by_status")
    sent.record("Query", request, at=0, error=error, refusals=[refusal])
    sent.record("Query", {"TableName": "orders"}, at=0)
    sent.record("Query", request, at=0.5)

    assert_backoff(sent.journal, "Query", delays=[0.5])


def test_a_fault_of_the_service_is_retried_like_a_refusal(sent):
    request = {"TableName": "orders", "Item": {"pk": {"S": "a"}}}
    sent.record("PutItem", request, at=0, error=InternalServerError("x"))
    sent.put("a", at=0.025, attempt=2, after=0.025)

    assert_backoff(sent.journal, delays=[0.025])


def test_every_sequence_has_to_keep_the_rules(sent, failing):
    retried(sent, 0.5, key="a", start=0)
    retried(sent, 0.1, key="b", start=1)
    retried(sent, 0.2, key="c", start=2)

    text = failing(assert_backoff, sent.journal, at_least=0.3)

    assert text == [
        "expected a delay of at least 0.3 s before each re-send; found 0.1 s, and 1 other sequence like it",
        "-   1 s  PutItem  orders  1 asked, 0 left, 5/s  provisioned capacity  TableWriteProvisionedThroughputExceeded"
        "  attempt 1  next after 0.1 s",
        "- 1.1 s  PutItem  orders  1 write                                     ok                                     "
        "  attempt 2",
        "-   2 s  PutItem  orders  1 asked, 0 left, 5/s  provisioned capacity  TableWriteProvisionedThroughputExceeded"
        "  attempt 1  next after 0.2 s",
        "- 2.2 s  PutItem  orders  1 write                                     ok                                     "
        "  attempt 2",
        LAST_LINE,
    ]


def test_what_was_never_sent_again_proves_no_back_off(sent, failing):
    sent.put("a", at=0, refused=sent.refusal())
    sent.put("b", at=0)

    assert failing(assert_backoff, sent.journal, "PutItem") == [
        "expected a refused call of PutItem to be sent again after a delay; none was sent again",
        "- 0 s  PutItem  orders  1 asked, 0 left, 5/s  provisioned capacity  TableWriteProvisionedThroughputExceeded"
        "  attempt 1  not sent again",
        "operation= and table= choose what is looked at: docs/how-to/assertions.md#assert_backoff",
    ]
