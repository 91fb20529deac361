"""From an exhausted bucket to the body that the client receives: a row for each line of the published tables."""

from __future__ import annotations

import pytest

from pytest_ddbthrottle._engine.capacity import BillingMode, Throughput
from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.throttle.reasons import Scope, ThrottlingReason
from pytest_ddbthrottle._engine.throttle.replies import REPLIES, scope_of
from pytest_ddbthrottle._engine.throttle.settings import ThrottleSettings

TABLE = "arn:aws:dynamodb:us-east-1:123456789012:table/orders"
INDEX = f"{TABLE}/index/by_status"
DYNAMODB, CORAL = "com.amazonaws.dynamodb.v20120810#", "com.amazon.coral.availability#"

PTEE = (DYNAMODB + "ProvisionedThroughputExceededException", "ThrottlingReasons")
TE = (CORAL + "ThrottlingException", "throttlingReasons")
RLE = (DYNAMODB + "RequestLimitExceeded", "ThrottlingReasons")

T1 = (
    "The level of configured provisioned throughput for the table was exceeded. "
    "Consider increasing your provisioning level with the UpdateTable API."
)
T2 = (
    "The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. "
    "Consider increasing your provisioning level for the under-provisioned global secondary indexes with the "
    "UpdateTable API"
)
T4 = (
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or "
    "index so please try again shortly. If exceptions persist, check if you have a hot key: "
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html"
)
T5 = (
    "Throughput exceeds the current capacity for one or more global secondary indexes. "
    "DynamoDB is automatically scaling your index so please try again shortly."
)
T6 = "Throughput exceeds the maximum OnDemandThroughput configured on table or index"
T7B = (
    "Throughput exceeds the current throughput limit for your account. "
    "To request a limit increase, contact AWS Support at https://aws.amazon.com/support"
)

PLENTY = Throughput(BillingMode.PROVISIONED, 40_000, 40_000)
SCARCE = Throughput(BillingMode.PROVISIONED, 1, 1)
UNCAPPED = Throughput(BillingMode.PAY_PER_REQUEST)
CAPPED = Throughput(BillingMode.PAY_PER_REQUEST, max_read_request_units=1, max_write_request_units=1)
SMALL_RANGES = {"partition_read_units_per_second": 1, "partition_write_units_per_second": 1}
SMALL_QUOTA = {"per_table_max_rcu": 1, "per_table_max_wcu": 1}

# situation → (throughput of table and index, units that exhaust it, settings, account limits)
SITUATIONS = {
    "provisioned": (SCARCE, 1, {}, {}),
    "provisioned hot key": (PLENTY, 1, SMALL_RANGES, {}),
    "on-demand hot key": (UNCAPPED, 1, SMALL_RANGES, {}),
    "cap": (CAPPED, 1, {}, {}),
    "growth": (UNCAPPED, 12_000, {}, {}),
    "quota": (UNCAPPED, 1, {}, SMALL_QUOTA),
    "quota told as a request limit": (UNCAPPED, 1, {"account_limit_error": "RequestLimitExceeded"}, SMALL_QUOTA),
}

# situation, direction, index, error, reason or None for no list, text
BODIES = [
    ("provisioned", "read", None, PTEE, "TableReadProvisionedThroughputExceeded", T1),
    ("provisioned", "write", None, PTEE, "TableWriteProvisionedThroughputExceeded", T1),
    ("provisioned", "read", "by_status", PTEE, "IndexReadProvisionedThroughputExceeded", T1),
    ("provisioned", "write", "by_status", PTEE, "IndexWriteProvisionedThroughputExceeded", T2),
    ("on-demand hot key", "write", None, TE, "TableWriteKeyRangeThroughputExceeded", T4),
    ("on-demand hot key", "read", None, TE, None, T4),
    ("on-demand hot key", "write", "by_status", TE, "IndexWriteKeyRangeThroughputExceeded", T5),
    ("on-demand hot key", "read", "by_status", TE, None, T4),
    ("cap", "read", None, TE, "TableReadMaxOnDemandThroughputExceeded", T6),
    ("cap", "write", None, TE, "TableWriteMaxOnDemandThroughputExceeded", T6),
    ("cap", "read", "by_status", TE, "IndexReadMaxOnDemandThroughputExceeded", T6),
    ("cap", "write", "by_status", TE, "IndexWriteMaxOnDemandThroughputExceeded", T6),
    ("provisioned hot key", "read", None, PTEE, "TableReadKeyRangeThroughputExceeded", T1),
    ("provisioned hot key", "write", None, PTEE, "TableWriteKeyRangeThroughputExceeded", T1),
    ("provisioned hot key", "read", "by_status", PTEE, "IndexReadKeyRangeThroughputExceeded", T2),
    ("provisioned hot key", "write", "by_status", PTEE, "IndexWriteKeyRangeThroughputExceeded", T2),
    ("growth", "write", None, TE, "TableWriteKeyRangeThroughputExceeded", T4),
    ("growth", "read", None, TE, None, T4),
    ("growth", "write", "by_status", TE, "IndexWriteKeyRangeThroughputExceeded", T5),
    ("growth", "read", "by_status", TE, None, T4),
    ("quota", "read", None, TE, "TableReadAccountLimitExceeded", T7B),
    ("quota", "write", None, TE, "TableWriteAccountLimitExceeded", T7B),
    ("quota", "read", "by_status", TE, "IndexReadAccountLimitExceeded", T7B),
    ("quota", "write", "by_status", TE, "IndexWriteAccountLimitExceeded", T7B),
    ("quota told as a request limit", "read", None, RLE, "TableReadAccountLimitExceeded", T7B),
    ("quota told as a request limit", "write", "by_status", RLE, "IndexWriteAccountLimitExceeded", T7B),
]


def refused(account, situation, direction, index):
    """Exhaust the bucket that the situation is about, and ask for one unit more."""
    throughput, units, settings, limits = SITUATIONS[situation]
    account.settings, account.limits = ThrottleSettings(**settings), AccountLimits(**limits)
    account.create(throughput, {"by_status": throughput})
    key = "hot" if settings.keys() & SMALL_RANGES.keys() else None
    assert account.ask(account.part(direction, units, index, key)) == "admitted"
    return account.refusal_of(account.part(direction, 1, index, key))


def body(error, text, reason, resource):
    type_, member = error
    listed = {member: [{"reason": reason, "resource": resource}]} if reason else {}
    return {"__type": type_, "message": text, **listed}


@pytest.mark.parametrize(("situation", "direction", "index", "error", "reason", "text"), BODIES)
def test_the_body_is_the_one_that_the_service_sends(account, situation, direction, index, error, reason, text):
    throttled = refused(account, situation, direction, index)

    assert throttled.error.body() == body(error, text, reason, INDEX if index else TABLE)
    assert throttled.error.status_code == 400
    assert throttled.refusal.reason == reason


@pytest.mark.parametrize("direction", ["read", "write"])
@pytest.mark.parametrize("throughput", [PLENTY, UNCAPPED])
def test_the_account_aggregate_answers_alike_in_every_mode(account, throughput, direction):
    account.limits = AccountLimits(account_read_units_per_second=1, account_write_units_per_second=1)
    account.create(throughput)
    part = account.part(direction, 1)
    account.ask(part)

    with pytest.raises(Exception) as caught:
        account.admission.knock([part.direction], "orders", 0)

    reason = f"Table{part.direction.value}AccountLimitExceeded"
    assert caught.value.error.body() == body(RLE, T7B, reason, TABLE)


def test_all_sixteen_reasons_can_be_met():
    assert {reason for *_, reason, _ in BODIES if reason} == {reason.value for reason in ThrottlingReason}


@pytest.mark.parametrize("situation", ["on-demand hot key", "growth"])
@pytest.mark.parametrize(("index", "cause"), [(None, "Table"), ("by_status", "Index")])
def test_the_journal_knows_the_cause_that_a_hot_read_is_not_told(account, situation, index, cause):
    refusal = refused(account, situation, "read", index).refusal

    assert (refusal.reason, refusal.cause) == (None, f"{cause}ReadKeyRangeThroughputExceeded")


PROVISIONED_CODE, THROTTLING_CODE = "ProvisionedThroughputExceeded", "ThrottlingError"


@pytest.mark.parametrize(
    ("situation", "direction", "index", "code", "text"),
    [
        ("provisioned", "read", None, PROVISIONED_CODE, T1),
        ("provisioned", "write", None, PROVISIONED_CODE, T1),
        ("provisioned", "write", "by_status", PROVISIONED_CODE, T2 + "."),
        ("provisioned hot key", "write", None, PROVISIONED_CODE, T1),
        ("provisioned hot key", "write", "by_status", PROVISIONED_CODE, T2 + "."),
        ("on-demand hot key", "read", None, THROTTLING_CODE, T4 + "."),
        ("on-demand hot key", "write", None, THROTTLING_CODE, T4 + "."),
        ("on-demand hot key", "write", "by_status", THROTTLING_CODE, T5),
        ("growth", "write", None, THROTTLING_CODE, T4 + "."),
        ("growth", "write", "by_status", THROTTLING_CODE, T5),
        ("cap", "read", None, THROTTLING_CODE, T6),
        ("cap", "write", "by_status", THROTTLING_CODE, T6),
        ("quota", "write", None, THROTTLING_CODE, T7B),
        ("quota told as a request limit", "write", None, THROTTLING_CODE, T7B),
    ],
)
def test_a_transaction_is_told_a_code_and_the_documented_text(account, situation, direction, index, code, text):
    throttled = refused(account, situation, direction, index)

    assert throttled.cancellation_reason == {"Code": code, "Message": text}


ON_DEMAND, PROVISIONED = BillingMode.PAY_PER_REQUEST, BillingMode.PROVISIONED


@pytest.mark.parametrize(
    ("reason", "billing_mode", "scope"),
    [
        ("TableWriteProvisionedThroughputExceeded", PROVISIONED, Scope.PROVISIONED),
        ("IndexReadKeyRangeThroughputExceeded", PROVISIONED, Scope.KEY_RANGE),
        ("TableReadAccountLimitExceeded", PROVISIONED, Scope.ACCOUNT),
        ("TableReadKeyRangeThroughputExceeded", ON_DEMAND, Scope.KEY_RANGE),
        ("IndexWriteMaxOnDemandThroughputExceeded", ON_DEMAND, Scope.CAP),
        ("IndexWriteAccountLimitExceeded", ON_DEMAND, Scope.QUOTA),
    ],
)
def test_a_scripted_reason_stands_for_a_scope(reason, billing_mode, scope):
    assert scope_of(ThrottlingReason(reason), billing_mode) is scope


@pytest.mark.parametrize(
    ("reason", "billing_mode"),
    [
        ("TableWriteProvisionedThroughputExceeded", ON_DEMAND),
        ("TableWriteMaxOnDemandThroughputExceeded", PROVISIONED),
        ("IndexWriteAccountLimitExceeded", PROVISIONED),
    ],
)
def test_a_reason_that_the_mode_cant_give_is_refused_with_the_mode(reason, billing_mode):
    with pytest.raises(ValueError, match=f"{reason} can't come from .* {billing_mode.value}"):
        scope_of(ThrottlingReason(reason), billing_mode)


def test_every_scripted_reason_has_a_reply():
    for reason in ThrottlingReason:
        for mode in BillingMode:
            try:
                scope = scope_of(reason, mode)
            except ValueError:
                continue
            key = (scope, None if scope is Scope.ACCOUNT else mode, reason.resource_type, reason.operation_type)
            assert key in REPLIES
