"""The public face as a user's type checker sees it. Checked by mypy, never run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import assert_type

from pytest_ddbthrottle import (
    BillingMode,
    FakeDynamoDB,
    LimitType,
    ThrottlingReason,
    assert_throttled,
    explain,
    item_size_bytes,
    read_units,
    write_units,
)
from pytest_ddbthrottle._audit import AuditReport, Finding


def the_fake(ddb_fake: FakeDynamoDB) -> None:
    table = ddb_fake.create_table("orders", partition_key="pk:S", indexes={"by_status": ("status:S", "at:N")})
    assert_type(table.arn, str)
    assert_type(table.item_count, int)
    assert_type(table.balance("write", index="by_status"), float)
    assert_type(table.items(plain=True), list[dict[str, Any]])
    assert_type(table.index_arn("by_status"), str)
    for partition in table.partitions:
        assert_type(partition.partition_key, Mapping[str, Any])
        assert_type(partition.index, str | None)
        assert_type(partition.left_write_units, float)
    table.load([{"pk": "a"}])
    table.spend_burst("read", 5, index="by_status")
    table.throttle(write_capacity_units=5)
    ddb_fake.restore(ddb_fake.snapshot())
    assert_type(ddb_fake.unfired(), list[str])
    assert_type(ddb_fake.clock.elapsed, float)
    ddb_fake.throttle(table="orders", billing_mode=BillingMode.PROVISIONED, write_capacity_units=5)
    ddb_fake.throttle(write_capacity_unit=5)  # type: ignore[call-arg]
    ddb_fake.limits(per_table_max_rcu="many")  # type: ignore[arg-type]
    table.throttle(table="other")  # type: ignore[call-arg]
    ddb_fake.policy.put_user_policy("alice", "read", {"Statement": []})
    ddb_fake.policy.put_permissions_boundary("alice", b"{}")
    assert_type(ddb_fake.policy.get_user_policy("alice", "read"), str)
    assert_type(ddb_fake.policy.access_key("alice")["aws_access_key_id"], str)
    ddb_fake.policy.put_session_policy("alice", 7)  # type: ignore[arg-type]
    ddb_fake.limits(max_policy_document_bytes=400)
    ddb_fake.assert_backoff("PutItem", at_least=0.1, exponential=True)
    ddb_fake.assert_consumed(write_unit=5)  # type: ignore[call-arg]
    ddb_fake.assert_throttled("PutItem", reason=ThrottlingReason.TABLE_WRITE_ACCOUNT_LIMIT_EXCEEDED, times=1)
    assert_type(ddb_fake.audit(), AuditReport)
    assert_type(ddb_fake.audit().findings, tuple[Finding, ...])
    ddb_fake.inject(error="timeout", applied=True)
    ddb_fake.throttle(strict=True)
    ddb_fake.assert_reasons_read("PutItem", table="orders")
    with ddb_fake.inject(reason="TableWriteKeyRangeThroughputExceeded", times=2) as injection:
        assert_type(injection.fired, int)


def a_sweep(ddb_fake: FakeDynamoDB) -> None:
    report = ddb_fake.sweep(lambda: None, pairs=True, reasons="all", may_raise=True, check=lambda fake: None)
    for point in report.findings:
        assert_type(point.number, int)
        assert_type(point.reason, str)
        assert_type(point.outcome, str)
    report.assert_all_recovered()
    ddb_fake.sweep(
        lambda: None, reasons=[ThrottlingReason.TABLE_WRITE_KEY_RANGE_THROUGHPUT_EXCEEDED], may_raise=OSError
    )
    ddb_fake.sweep(lambda: None, pair=True)  # type: ignore[call-arg]


def a_swarm(ddb_fake: FakeDynamoDB) -> None:
    async def coroutine(number: int) -> None:
        """A worker."""

    report = ddb_fake.swarm(coroutine, workers=3, until=60, seed=1, latency_seconds=0.01, may_raise=(OSError, KeyError))
    assert_type(report.drained_after_seconds, float | None)
    assert_type(report.goodput_per_second, float)
    assert_type(report.writes.landed, int)
    assert_type(report.latency_seconds(99), float)
    for cause, count in report.refusals.items():
        assert_type(cause, ThrottlingReason)
        assert_type(count, int)
    for one in report.gave_up:
        assert_type(one.error, Exception)
    ddb_fake.swarm(lambda: None, copies=3)  # type: ignore[call-arg]


def the_journal(ddb_fake: FakeDynamoDB) -> None:
    for call in ddb_fake.throttles:
        assert_type(call.operation, str)
        assert_type(call.table, str | None)
        assert_type(call.consumed_write_units, float)
        if call.refusal is not None:
            assert_type(call.refusal.reason, ThrottlingReason | None)
            assert_type(call.refusal.left_units, float)
    for leftover in ddb_fake.leftovers:
        assert_type(leftover.table, str)


def the_functions(error: Exception) -> None:
    assert_throttled(error, reason=ThrottlingReason.TABLE_WRITE_KEY_RANGE_THROUGHPUT_EXCEEDED)
    assert_type(explain("TableReadAccountLimitExceeded"), str)
    assert_type(item_size_bytes({"pk": "a"}), int)
    assert_type(read_units(4096, consistent=True), float)
    assert_type(write_units(1024), float)
    assert_type(BillingMode("PROVISIONED"), BillingMode)
    assert_type(LimitType("KeyRangeThroughputExceeded"), LimitType)
