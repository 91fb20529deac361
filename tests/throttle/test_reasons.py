"""AWS's words for a refusal."""

from __future__ import annotations

from itertools import product

import pytest

from pytest_ddbthrottle._engine.throttle.reasons import (
    LimitType,
    OperationType,
    ResourceType,
    Scope,
    ThrottlingReason,
    throttling_reason,
)

PARTS = list(product(ResourceType, OperationType, LimitType))


def test_there_are_sixteen_reasons_and_the_parts_join_into_each():
    joined = {throttling_reason(*parts) for parts in PARTS}

    assert joined == set(ThrottlingReason)
    assert len(joined) == 16


@pytest.mark.parametrize("parts", PARTS)
def test_a_reason_knows_its_parts(parts):
    reason = throttling_reason(*parts)

    assert (reason.resource_type, reason.operation_type, reason.limit_type) == parts


@pytest.mark.parametrize("reason", ThrottlingReason)
def test_a_reason_is_the_text_that_aws_writes(reason):
    assert reason == reason.value == str(reason) == f"{reason}"
    assert reason.name.replace("_", "").lower() == reason.value.lower()


@pytest.mark.parametrize(
    ("scope", "limit_type"),
    [
        (Scope.PROVISIONED, "ProvisionedThroughputExceeded"),
        (Scope.CAP, "MaxOnDemandThroughputExceeded"),
        (Scope.QUOTA, "AccountLimitExceeded"),
        (Scope.GROWTH, "KeyRangeThroughputExceeded"),
        (Scope.KEY_RANGE, "KeyRangeThroughputExceeded"),
        (Scope.ACCOUNT, "AccountLimitExceeded"),
    ],
)
def test_each_scope_has_its_limit_type(scope, limit_type):
    assert scope.limit_type == limit_type == str(scope.limit_type)


def test_a_scope_reads_as_a_failure_text_calls_it():
    assert f"refused by the {Scope.KEY_RANGE}" == "refused by the key range"
