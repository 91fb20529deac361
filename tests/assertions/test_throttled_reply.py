"""``assert_throttled`` on one reply: exceptions, parsed replies and recorded calls."""

from __future__ import annotations

import gc
import json
from dataclasses import replace

import pytest

from pytest_ddbthrottle._assertions import assert_throttled, watch
from pytest_ddbthrottle._engine.capacity import BillingMode, OperationType
from pytest_ddbthrottle._engine.errors import ConditionalCheckFailedException, ResourceNotFoundException
from pytest_ddbthrottle._engine.throttle.reasons import Scope
from pytest_ddbthrottle._engine.throttle.replies import (
    CAP_MESSAGE,
    HOT_KEY_CANCELLATION_MESSAGE,
    TABLE_CAPACITY_MESSAGE,
)

ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/orders"
LAST_LINE = "only what is given is compared: docs/how-to/assertions.md#assert_throttled"


class ClientError(Exception):
    """As much of botocore's as is looked at."""

    def __init__(self, response):
        super().__init__("An error occurred")
        self.response = response


def hot_read(sent):
    refusal = sent.refusal(Scope.KEY_RANGE, direction=OperationType.READ, mode=BillingMode.PAY_PER_REQUEST, rate=3000)
    error, _, refused = refusal
    return sent.record(
        "GetItem", {"TableName": "orders", "Key": {"pk": {"S": "a"}}}, at=0, error=error, refusals=[refused]
    )


@pytest.mark.parametrize("form", ["call", "response", "exception"])
def test_all_parts_are_compared_in_every_form_of_a_reply(sent, response, form):
    watch(type(sent)().journal)
    watch(sent.journal)
    call = sent.put("a", at=0, refused=sent.refusal(Scope.CAP))
    sent.put("b", at=0)
    subject = {"call": call, "response": response(call), "exception": ClientError(response(call))}[form]

    assert_throttled(
        subject,
        error="ThrottlingException",
        namespace="com.amazon.coral.availability",
        reason="TableWriteMaxOnDemandThroughputExceeded",
        reasons=["TableWriteMaxOnDemandThroughputExceeded"],
        resource=ARN,
        message=CAP_MESSAGE,
        cause="TableWriteMaxOnDemandThroughputExceeded",
    )


@pytest.mark.parametrize(
    "error", ["ProvisionedThroughputExceededException", "RequestLimitExceeded", "ThrottlingException"]
)
def test_with_nothing_given_any_throttle_error_will_do(error):
    assert_throttled({"Error": {"Code": error, "Message": ""}})


def test_a_namespace_may_end_in_its_hash(sent):
    call = sent.put("a", at=0, refused=sent.refusal())

    assert_throttled(call, namespace="com.amazonaws.dynamodb.v20120810#")


def test_an_empty_list_of_reasons_says_that_there_is_none(sent):
    assert_throttled(hot_read(sent), reasons=[])


@pytest.mark.parametrize("cause", ["TableReadKeyRangeThroughputExceeded", "key range"])
def test_the_record_knows_the_cause_that_the_client_is_not_told(sent, cause):
    assert_throttled(hot_read(sent), cause=cause, error="ThrottlingException")


def test_a_reason_that_is_not_told_is_no_reason(sent, failing):
    call = hot_read(sent)

    assert failing(assert_throttled, call, reason="TableReadKeyRangeThroughputExceeded") == [
        "expected a throttled reply; reason differs",
        "- reason",
        "    expected: TableReadKeyRangeThroughputExceeded",
        "    actual:   no list",
        "- 0 s  GetItem  orders  1 asked, 0 left, 3000/s  key range  no reasons list  attempt 1  not sent again",
        LAST_LINE,
    ]


def test_each_part_that_differs_is_told(sent, failing):
    call = sent.put("a", at=1.35, refused=sent.refusal(asked=2, left=-0.5), attempt=3, after=0.1)

    assert failing(
        assert_throttled,
        call,
        error="ThrottlingException",
        namespace="com.amazon.coral.availability",
        reason="TableWriteKeyRangeThroughputExceeded",
        reasons=[],
        resource=f"{ARN}/index/by_status",
        message=CAP_MESSAGE,
        cause="on-demand growth",
    ) == [
        "expected a throttled reply; error, namespace, reason, reasons, resource, message and cause differ",
        "- error",
        "    expected: ThrottlingException",
        "    actual:   ProvisionedThroughputExceededException",
        "- namespace",
        "    expected: com.amazon.coral.availability",
        "    actual:   com.amazonaws.dynamodb.v20120810",
        "- reason",
        "    expected: TableWriteKeyRangeThroughputExceeded",
        "    actual:   TableWriteProvisionedThroughputExceeded",
        "- reasons",
        "    expected: no list",
        "    actual:   TableWriteProvisionedThroughputExceeded",
        "- resource",
        f"    expected: {ARN}/index/by_status",
        f"    actual:   {ARN}",
        "- message",
        f"    expected: {CAP_MESSAGE}",
        f"    actual:   {TABLE_CAPACITY_MESSAGE}",
        "- cause",
        "    expected: on-demand growth",
        "    actual:   TableWriteProvisionedThroughputExceeded, provisioned capacity",
        "- 1.35 s  PutItem  orders  2 asked, -0.5 left, 5/s  provisioned capacity  "
        "TableWriteProvisionedThroughputExceeded  attempt 3  not sent again",
        LAST_LINE,
    ]


def test_a_message_is_compared_to_the_last_character(sent, failing):
    call = sent.put("a", at=0, refused=sent.refusal())

    text = failing(assert_throttled, call, message=TABLE_CAPACITY_MESSAGE.rstrip("."))

    assert text[0] == "expected a throttled reply; message differs"


def test_another_error_is_not_a_throttle(sent, failing):
    call = sent.record("PutItem", {"TableName": "nowhere"}, at=0, error=ResourceNotFoundException("not found"))

    assert failing(assert_throttled, call) == [
        "expected a throttled reply; error differs",
        "- error",
        "    expected: ProvisionedThroughputExceededException, RequestLimitExceeded or ThrottlingException",
        "    actual:   ResourceNotFoundException",
        "- 0 s  PutItem  nowhere  ResourceNotFoundException  attempt 1",
        LAST_LINE,
    ]


def test_an_error_that_is_as_expected_has_to_be_a_throttle_all_the_same(sent, failing):
    error = ConditionalCheckFailedException("The conditional request failed")
    call = sent.record("PutItem", {"TableName": "orders"}, at=0, error=error)

    text = failing(assert_throttled, call, error="ConditionalCheckFailedException")

    assert text[0] == "expected a throttled reply; error differs"


def test_a_list_under_the_other_spelling_fails(failing):
    entry = {"reason": "TableWriteProvisionedThroughputExceeded", "resource": ARN}
    reply = {"Error": {"Code": "ProvisionedThroughputExceededException", "Message": ""}, "throttlingReasons": [entry]}

    assert failing(assert_throttled, reply) == [
        "expected a throttled reply; list's name differs",
        "- list's name",
        "    expected: ThrottlingReasons",
        "    actual:   throttlingReasons",
        LAST_LINE,
    ]


def test_without_its_fake_the_namespace_of_a_reply_is_unknown(failing):
    reply = {"Error": {"Code": "ThrottlingException", "Message": ""}, "ResponseMetadata": {"RequestId": "ELSEWHERE"}}

    assert failing(assert_throttled, reply, namespace="com.amazon.coral.availability") == [
        "expected a throttled reply; namespace differs",
        "- namespace",
        "    expected: com.amazon.coral.availability",
        "    actual:   unknown: no fake that is still alive has recorded this reply, and only its record shows it",
        LAST_LINE,
    ]


def test_watching_a_journal_does_not_keep_it_alive(sent, response, failing):
    watch(sent.journal)
    reply = response(sent.put("a", at=0, refused=sent.refusal()))
    assert_throttled(reply, cause="provisioned capacity")

    del sent.journal
    gc.collect()

    assert (
        failing(assert_throttled, reply, cause="provisioned capacity")[0] == "expected a throttled reply; cause differs"
    )


def test_of_two_fakes_with_the_same_request_id_the_one_made_last_is_meant(sent, response):
    older, newer, idle = sent, type(sent)(), type(sent)()
    for fake in (older, newer, idle):
        watch(fake.journal)
    older.put("a", at=0, refused=older.refusal(Scope.GROWTH))
    call = newer.put("a", at=0, refused=newer.refusal(Scope.KEY_RANGE, mode=BillingMode.PAY_PER_REQUEST))

    assert_throttled(response(call), cause="key range")


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"error": "TransactionCanceledException"},
        {"reason": "ThrottlingError"},
        {"reason": "TableWriteKeyRangeThroughputExceeded"},
        {"resource": ARN},
        {"reasons": []},
        {"message": HOT_KEY_CANCELLATION_MESSAGE},
        {"message": "Transaction cancelled [ThrottlingError, None]"},
        {"cause": "key range"},
    ],
)
def test_a_transaction_cancelled_by_throttling_counts(sent, parts):
    refused = sent.refusal(Scope.KEY_RANGE, mode=BillingMode.PAY_PER_REQUEST)

    assert_throttled(sent.transaction(["a", "b"], at=0, refused=refused), **parts)


def test_a_transaction_of_another_code_differs(sent, failing):
    call = sent.transaction(["a", "b"], at=0, refused=sent.refusal())

    text = failing(assert_throttled, call, reason="ThrottlingError")

    assert text[1:4] == [
        "- reason",
        "    expected: ThrottlingError",
        "    actual:   ProvisionedThroughputExceeded, TableWriteProvisionedThroughputExceeded",
    ]
    assert text[4] == (
        "- 0 s  TransactWriteItems  orders  1 asked, 0 left, 5/s  provisioned capacity  "
        "cancelled, TableWriteProvisionedThroughputExceeded  attempt 1  not sent again"
    )


def test_a_transaction_cancelled_by_a_condition_is_no_throttle(failing):
    reasons = [{"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}]
    reply = {"Error": {"Code": "TransactionCanceledException", "Message": ""}, "CancellationReasons": reasons}

    assert failing(assert_throttled, reply)[0] == "expected a throttled reply; error differs"


def test_a_recorded_batch_with_leftovers_was_throttled_without_an_error(sent, failing):
    call = sent.batch(["a", "b", "c"], left=["c"], at=0)

    assert_throttled(call, reason="TableWriteProvisionedThroughputExceeded", resource=ARN, cause="provisioned capacity")
    assert failing(assert_throttled, call, error="ThrottlingException")[2:5] == [
        "    expected: ThrottlingException",
        "    actual:   none: it was a success",
        "- 0 s  BatchWriteItem  orders  1 asked, 0 left, 5/s  provisioned capacity  "
        "1 left over, TableWriteProvisionedThroughputExceeded  attempt 1  not sent again",
    ]


class Caught:
    value = ClientError({"Error": {"Code": "ThrottlingException"}})


@pytest.mark.parametrize(
    ("subject", "hint"),
    [
        (
            {"UnprocessedItems": {"orders": []}},
            "this reply is a success: for entries that came back unprocessed see leftovers of the fake",
        ),
        (Caught(), "this is what pytest.raises gives: take its .value"),
        (ValueError("no"), "this is a ValueError"),
        (None, "this is a NoneType"),
    ],
)
def test_what_is_no_refused_reply_is_a_type_error(subject, hint):
    with pytest.raises(TypeError) as caught:
        assert_throttled(subject)

    assert str(caught.value) == f"assert_throttled needs a ClientError, its response or a recorded call; {hint}"


def test_an_unknown_namespace_is_shown_as_it_was_sent(sent, failing):
    call = sent.put("a", at=0, refused=sent.refusal())
    bare = replace(call, body=json.dumps({"__type": "ThrottlingException"}).encode())

    assert "    actual:   ThrottlingException" in failing(
        assert_throttled, bare, namespace="com.amazon.coral.availability"
    )
