"""One table: (scope, billing mode, resource type, direction) → what the client receives.

A row is an error class, whether a reasons list goes with it, the text, and the same refusal as a transaction tells it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from pytest_ddbthrottle._engine.capacity import BillingMode
from pytest_ddbthrottle._engine.errors import (
    ProvisionedThroughputExceededException,
    RequestLimitExceeded,
    ServiceError,
    Throttled,
    ThrottlingException,
)
from pytest_ddbthrottle._engine.throttle.reasons import (
    LimitType,
    OperationType,
    ResourceType,
    Scope,
    ThrottlingReason,
)
from pytest_ddbthrottle._engine.throttle.refusal import Refusal

TABLE_CAPACITY_MESSAGE = (
    "The level of configured provisioned throughput for the table was exceeded. "
    "Consider increasing your provisioning level with the UpdateTable API."
)
"""Source: Documented — API Reference, TransactWriteItems, cancellation reasons, read 2026-11-30; Observed — with the final
period, in public reports of 2017 to 2023."""

INDEX_CAPACITY_MESSAGE = (
    "The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. "
    "Consider increasing your provisioning level for the under-provisioned global secondary indexes "
    "with the UpdateTable API"
)
"""Source: Observed — without a final period, in public reports of 2019 to 2021."""

INDEX_CAPACITY_CANCELLATION_MESSAGE = INDEX_CAPACITY_MESSAGE + "."
"""Source: Documented — API Reference, TransactWriteItems, cancellation reasons, read 2026-11-30."""

HOT_KEY_MESSAGE = (
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or "
    "index so please try again shortly. If exceptions persist, check if you have a hot key: "
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html"
)
"""Source: Observed — without a final period, in public reports of 2021 to 2024."""

HOT_KEY_CANCELLATION_MESSAGE = HOT_KEY_MESSAGE + "."
"""Source: Documented — API Reference, TransactWriteItems, cancellation reasons, read 2026-11-30."""

HOT_INDEX_KEY_MESSAGE = (
    "Throughput exceeds the current capacity for one or more global secondary indexes. "
    "DynamoDB is automatically scaling your index so please try again shortly."
)
"""Source: Documented — API Reference, TransactWriteItems, cancellation reasons, read 2026-11-30; Observed — with the final
period, in public reports of 2020 and 2023."""

CAP_MESSAGE = "Throughput exceeds the maximum OnDemandThroughput configured on table or index"
"""Source: Documented — Developer Guide, "Diagnosing throttling", read 2026-11-30; Observed — in a public incident report.
In a transaction: Assumed — the same text."""

ACCOUNT_LIMIT_MESSAGE = (
    "Throughput exceeds the current throughput limit for your account. "
    "To request a limit increase, contact AWS Support at https://aws.amazon.com/support"
)
"""Source: Documented — Developer Guide, "Error handling with DynamoDB", read 2026-11-30; never seen on the wire. For the
per-table quota, and in a transaction: Assumed — the same text."""

REASONS_MEMBERS: Mapping[type[ServiceError], str] = MappingProxyType(
    {
        ProvisionedThroughputExceededException: "ThrottlingReasons",
        RequestLimitExceeded: "ThrottlingReasons",
        ThrottlingException: "throttlingReasons",
    }
)
"""How each class spells its list. Source: Documented — botocore service model 2012-08-10; Observed — a public probe of
9,622 bodies, 2026-10-24."""


@dataclass(frozen=True, slots=True)
class ReplyRule:
    """One row of ``REPLIES``: the error, and the code and text of a cancelled transaction."""

    error: type[ServiceError]
    names_reason: bool
    message: str
    cancellation_code: str
    cancellation_message: str


ReplyKey = tuple[Scope, BillingMode | None, ResourceType, OperationType]

_PROVISIONED_TABLE = ReplyRule(
    ProvisionedThroughputExceededException,
    True,
    TABLE_CAPACITY_MESSAGE,
    "ProvisionedThroughputExceeded",
    TABLE_CAPACITY_MESSAGE,
)
_PROVISIONED_INDEX = ReplyRule(
    ProvisionedThroughputExceededException,
    True,
    INDEX_CAPACITY_MESSAGE,
    "ProvisionedThroughputExceeded",
    INDEX_CAPACITY_CANCELLATION_MESSAGE,
)
_HOT_WRITE = ReplyRule(ThrottlingException, True, HOT_KEY_MESSAGE, "ThrottlingError", HOT_KEY_CANCELLATION_MESSAGE)
_HOT_READ = replace(_HOT_WRITE, names_reason=False)
_HOT_INDEX_WRITE = ReplyRule(ThrottlingException, True, HOT_INDEX_KEY_MESSAGE, "ThrottlingError", HOT_INDEX_KEY_MESSAGE)
_CAP = ReplyRule(ThrottlingException, True, CAP_MESSAGE, "ThrottlingError", CAP_MESSAGE)
_QUOTA = ReplyRule(ThrottlingException, True, ACCOUNT_LIMIT_MESSAGE, "ThrottlingError", ACCOUNT_LIMIT_MESSAGE)
_ACCOUNT = replace(_QUOTA, error=RequestLimitExceeded)

_PAID, _ON_DEMAND, _ANY_MODE = BillingMode.PROVISIONED, BillingMode.PAY_PER_REQUEST, None

# scope, billing mode, then the rules: table read, table write, index read, index write
_ROWS: tuple[tuple[Scope, BillingMode | None, tuple[ReplyRule, ...]], ...] = (
    (
        Scope.PROVISIONED,
        _PAID,
        (_PROVISIONED_TABLE, _PROVISIONED_TABLE, _PROVISIONED_TABLE, _PROVISIONED_INDEX),
    ),
    (
        Scope.KEY_RANGE,
        _PAID,
        (_PROVISIONED_TABLE, _PROVISIONED_TABLE, _PROVISIONED_INDEX, _PROVISIONED_INDEX),
    ),
    (Scope.KEY_RANGE, _ON_DEMAND, (_HOT_READ, _HOT_WRITE, _HOT_READ, _HOT_INDEX_WRITE)),
    (Scope.GROWTH, _ON_DEMAND, (_HOT_READ, _HOT_WRITE, _HOT_READ, _HOT_INDEX_WRITE)),
    (Scope.CAP, _ON_DEMAND, (_CAP, _CAP, _CAP, _CAP)),
    (Scope.QUOTA, _ON_DEMAND, (_QUOTA, _QUOTA, _QUOTA, _QUOTA)),
    (Scope.ACCOUNT, _ANY_MODE, (_ACCOUNT, _ACCOUNT)),
)


def _by_key() -> Iterator[tuple[ReplyKey, ReplyRule]]:
    resources = [(resource, direction) for resource in ResourceType for direction in OperationType]
    for scope, billing_mode, rules in _ROWS:
        for (resource, direction), rule in zip(resources, rules, strict=False):
            yield (scope, billing_mode, resource, direction), rule


REPLIES: Mapping[ReplyKey, ReplyRule] = MappingProxyType(dict(_by_key()))
"""What the client receives from each scope.

Source: Observed — a public probe of 9,622 bodies, us-east-1 and eu-west-1, 2026-10-24 (provisioned tables and indexes,
on-demand hot keys, caps); Documented — Developer Guide, "Diagnosing throttling", read 2026-11-30 (index forms, account
limits); Assumed — the text of an index read, of a key range of a provisioned table, and of growth; that an on-demand hot
index read has no list, as a table read has none; the transaction code of caps and quotas.
"""

_QUOTA_ERRORS: Mapping[str, type[ServiceError]] = MappingProxyType(
    {"ThrottlingException": ThrottlingException, "RequestLimitExceeded": RequestLimitExceeded}
)


def throttled(
    refusal: Refusal, consumption: object = None, account_limit_error: str = "ThrottlingException"
) -> Throttled:
    """Give a refusal as the client meets it: the error, the cancellation reason, and the refusal with its reason.

    The list has exactly one entry, and is left out where there is nothing to say.

    Args:
        refusal: who refused; its ``reason`` is filled in here.
        consumption: the ``Consumption`` that was refused, None at the account's door.
        account_limit_error: the class that the per-table quota answers with.

    Returns:
        The exception, to be raised.

    Source: Observed — a public probe of 9,622 bodies, 2026-10-24: one entry, or no list.
    """
    billing_mode = _ANY_MODE if refusal.scope is Scope.ACCOUNT else refusal.billing_mode
    rule = REPLIES[refusal.scope, billing_mode, refusal.resource_type, refusal.direction]
    error = _QUOTA_ERRORS[account_limit_error] if refusal.scope is Scope.QUOTA else rule.error
    members: dict[str, Any] = {}
    if rule.names_reason and refusal.resource is not None:
        refusal = replace(refusal, reason=refusal.cause)
        members = {REASONS_MEMBERS[error]: [{"reason": refusal.cause.value, "resource": refusal.resource}]}
    cancellation = {"Code": rule.cancellation_code, "Message": rule.cancellation_message}
    return Throttled(error(rule.message, members), cancellation, consumption, refusal)


_SCOPE_OF: Mapping[tuple[LimitType, BillingMode], Scope] = MappingProxyType(
    {
        (LimitType.PROVISIONED_THROUGHPUT_EXCEEDED, _PAID): Scope.PROVISIONED,
        (LimitType.KEY_RANGE_THROUGHPUT_EXCEEDED, _PAID): Scope.KEY_RANGE,
        (LimitType.KEY_RANGE_THROUGHPUT_EXCEEDED, _ON_DEMAND): Scope.KEY_RANGE,
        (LimitType.MAX_ON_DEMAND_THROUGHPUT_EXCEEDED, _ON_DEMAND): Scope.CAP,
        (LimitType.ACCOUNT_LIMIT_EXCEEDED, _ON_DEMAND): Scope.QUOTA,
        (LimitType.ACCOUNT_LIMIT_EXCEEDED, _PAID): Scope.ACCOUNT,
    }
)


def scope_of(reason: ThrottlingReason, billing_mode: BillingMode) -> Scope:
    """Give the scope that a scripted reason stands for, on a table or index of that billing mode.

    A provisioned table has no per-table quota; there ``Table…AccountLimitExceeded`` is the account aggregate.

    Raises:
        ValueError: no bucket in that mode gives the reason; the message names the mode.

    >>> scope_of(ThrottlingReason.INDEX_READ_ACCOUNT_LIMIT_EXCEEDED, BillingMode.PAY_PER_REQUEST)
    <Scope.QUOTA: 'per-table quota'>
    """
    scope = _SCOPE_OF.get((reason.limit_type, billing_mode))
    if scope is None or (scope is Scope.ACCOUNT and reason.resource_type is ResourceType.INDEX):
        raise ValueError(f"{reason} can't come from a table whose billing mode is {billing_mode.value}")
    return scope
