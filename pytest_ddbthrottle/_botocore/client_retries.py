"""What a client's retries stand at, to be read in a test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientRetries:
    """The retries of one client at one instant, since the fake was installed.

    Attributes:
        mode: the retry mode in force: ``"legacy"``, ``"standard"`` or ``"adaptive"``.
        max_attempts: how often a call is sent at most, the first time counted.
        attempts_made: how often requests of this client were sent, over all its calls.
        retry_quota: the tokens that standard and adaptive mode begin with; None in legacy mode, which has no quota.
        retry_quota_left: those that are left. A retry takes some, and a call that succeeds gives them back; with too few
            left, a refused call is not retried.
        requests_per_second: the rate that adaptive mode has settled at; None in the other modes, and as long as nothing
            was throttled.
        measured_requests_per_second: the rate at which adaptive mode saw the client send; None likewise.
    """

    mode: str
    max_attempts: int
    attempts_made: int
    retry_quota: int | None
    retry_quota_left: int | None
    requests_per_second: float | None
    measured_requests_per_second: float | None


def client_retries(client: Any, strategies: list[Any], attempts_made: int) -> ClientRetries:
    """Read what a client's retry strategies stand at.

    Args:
        client: a botocore client, of either kind.
        strategies: the objects that decide on its retries.
        attempts_made: how often its requests were sent.
    """
    quota, limiter, max_attempts = None, None, 1
    for strategy in strategies:
        if hasattr(strategy, "_retry_quota"):
            quota = strategy._retry_quota._quota
            max_attempts = strategy._retry_policy._retry_checker._max_attempts_checker._max_attempts
        elif hasattr(strategy, "_checker"):
            max_attempts = getattr(strategy._checker, "_max_attempts", 1)
        elif getattr(strategy, "_enabled", False):
            limiter = strategy
    return ClientRetries(
        mode=client.meta.config.retries["mode"],
        max_attempts=max_attempts,
        attempts_made=attempts_made,
        retry_quota=None if quota is None else quota._max_capacity,
        retry_quota_left=None if quota is None else quota.available_capacity,
        requests_per_second=None if limiter is None else limiter._token_bucket.max_rate,
        measured_requests_per_second=None if limiter is None else limiter._rate_clocker.measured_rate,
    )
