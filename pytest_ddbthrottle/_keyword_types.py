"""Keywords as a type checker and an editor see them; nothing imports this at run time.

Each class has the names of what it stands for, a rule class or an assertion; ``tests/fake/test_keyword_types.py`` holds
them together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypedDict

from pytest_ddbthrottle._engine.capacity import BillingMode
from pytest_ddbthrottle._engine.throttle.reasons import ThrottlingReason


class TableThrottleNames(TypedDict, total=False):
    """``ThrottleRule`` where the table is known."""

    index: str | None
    billing_mode: BillingMode | str | None
    read_capacity_units: int | None
    write_capacity_units: int | None
    max_read_request_units: int | None
    max_write_request_units: int | None
    warm_read_units_per_second: int | None
    warm_write_units_per_second: int | None
    burst_seconds: int | None
    initial_seconds: int | None
    partition_read_units_per_second: int | None
    partition_write_units_per_second: int | None
    partition_burst_seconds: int | None
    partitioning: str | None
    admission: str | None
    account_limit_error: str | None
    strict: bool | None


class ThrottleNames(TableThrottleNames, total=False):
    """``ThrottleRule``."""

    table: str | None


class InjectNames(TypedDict, total=False):
    """``InjectRule``."""

    reason: ThrottlingReason | str | None
    error: str | None
    operation: str | None
    table: str | None
    index: str | None
    key: Any
    direction: str | None
    times: int
    after: int
    every: int
    rate: float | None
    leftover: int | None
    latency_seconds: float | None
    applied: bool
    optional: bool


class LimitNames(TypedDict, total=False):
    """``AccountLimits``."""

    max_tables_per_account: int
    per_table_max_rcu: int
    per_table_max_wcu: int
    per_account_max_rcu: int
    per_account_max_wcu: int
    max_policy_document_bytes: int
    per_table_scope: str
    lifecycle: str
    max_simultaneous_operations: int
    ttl_sweep_seconds: int
    get_records_per_second: int
    account_read_units_per_second: int | None
    account_write_units_per_second: int | None


class AccessKey(TypedDict):
    """What ``fake.policy.access_key`` gives, and a client takes."""

    aws_access_key_id: str
    aws_secret_access_key: str


class SweepNames(TypedDict, total=False):
    """``SweepOptions``."""

    pairs: bool
    reasons: Sequence[ThrottlingReason | str] | str | None
    may_raise: bool | type[BaseException] | tuple[type[BaseException], ...]
    check: Callable[..., object] | None


class SwarmNames(TypedDict, total=False):
    """``SwarmOptions``."""

    workers: int
    until: float
    seed: int | None
    latency_seconds: float
    may_raise: type[BaseException] | tuple[type[BaseException], ...]


class BackOffBounds(TypedDict, total=False):
    """``assert_backoff``."""

    table: str | None
    at_least: float | None
    at_most: float | None
    total_at_least: float | None
    total_at_most: float | None
    exponential: bool
    delays: Sequence[float] | None


class RefusalParts(TypedDict, total=False):
    """``assert_call_throttled``."""

    table: str | None
    index: str | None
    times: int | None
    error: str | None
    namespace: str | None
    reason: str | None
    reasons: Sequence[str] | None
    resource: str | None
    message: str | None
    cause: str | None


class ConsumedUnits(TypedDict, total=False):
    """``assert_consumed``."""

    table: str | None
    index: str | None
    operation: str | None
    read_units: float | None
    write_units: float | None
    at_most_read_units: float | None
    at_most_write_units: float | None
