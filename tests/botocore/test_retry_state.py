"""Retry quota and adaptive rate: fresh in each installation, and put back afterwards."""

from __future__ import annotations

import time
from typing import Any

import pytest
from botocore import __version__ as botocore_version

from pytest_ddbthrottle._botocore.back_off import BackOff, LimiterClock
from pytest_ddbthrottle._botocore.retry_state import RetryStates, _strategies
from pytest_ddbthrottle._engine.clock import VirtualClock

# 500 tokens, five for each retry: three retries to a call from botocore 1.44 on, two before.
QUOTA_SENDS = (4, 2, 1) if [int(part) for part in botocore_version.split(".")[:2]] >= [1, 44] else (3, 3, 1)


def quota_of(client: Any) -> Any:
    """The quota object behind a standard client's retries."""
    return next(found for found in _strategies(client._endpoint) if hasattr(found, "_retry_quota"))._retry_quota._quota


def limiter_of(client: Any) -> Any:
    """The limiter behind an adaptive client."""
    return next(found for found in _strategies(client._endpoint) if hasattr(found, "_token_bucket"))


def test_the_quota_runs_out_within_an_installation(new_client: Any, put: Any, far_end: Any, installed: Any) -> None:
    client, counts = new_client("standard"), []
    for _ in range(60):
        before = len(far_end.sends)
        reached = put(client)["ResponseMetadata"].get("RetryQuotaReached")
        counts.append((len(far_end.sends) - before, reached))
    assert tuple(count for count, _ in (counts[0], counts[33], counts[59])) == QUOTA_SENDS
    assert (counts[0][1], counts[59][1]) == (None, True)


def test_a_module_level_client_starts_each_installation_with_a_full_quota(
    new_client: Any, put: Any, far_end: Any
) -> None:
    client, first_counts = new_client("standard"), []
    for _ in range(2):
        installation = far_end.install()
        far_end.sends.clear()
        put(client)
        first_counts.append(len(far_end.sends))
        for _ in range(60):
            put(client)
        installation.uninstall()
    assert first_counts == [QUOTA_SENDS[0]] * 2


def test_the_old_quota_is_put_back(new_client: Any, put: Any, far_end: Any) -> None:
    client = new_client("standard")
    old = quota_of(client)
    old.acquire(100)
    installation = far_end.install()
    put(client)
    assert quota_of(client) is not old
    installation.uninstall()
    assert (quota_of(client), old.available_capacity) == (old, 400)


def test_an_adaptive_client_is_not_limited_by_the_test_before(
    new_client: Any, put: Any, far_end: Any, clock: VirtualClock
) -> None:
    client, waits = new_client("adaptive"), []
    state_before = dict(vars(limiter_of(client)))
    for far_end.members in (None, {}):
        installation = far_end.install()
        put(client)
        waits.append(len(clock.sleeps))
        clock.sleeps.clear()
        installation.uninstall()
    assert waits[0] > 0 == waits[1]
    assert vars(limiter_of(client)) == state_before


def test_a_limiter_that_has_waited_in_the_future_does_not_wait_for_it_again(
    new_client: Any, put: Any, far_end: Any, installed: Any, clock: VirtualClock
) -> None:
    client, start_ns = new_client("adaptive"), clock.now_ns()
    clock.advance(1e7)
    put(client)
    clock.restore(start_ns)
    put(client)
    assert clock.elapsed < 100


def test_the_limiters_clock_never_goes_back(clock: VirtualClock) -> None:
    limiter_clock = LimiterClock(clock, BackOff(clock))
    clock.advance(10)
    before, now_ns = limiter_clock.current_time(), clock.now_ns()
    clock.restore(now_ns - 5 * 10**9)
    assert limiter_clock.current_time() == before
    clock.advance(1)
    assert limiter_clock.current_time() == before + 1


@pytest.mark.parametrize("capacity", [1 - 1e-7, 1 - 2e-10, 0.25])
def test_a_wait_below_a_float_clocks_resolution_ends(
    new_client: Any, put: Any, far_end: Any, installed: Any, capacity: float
) -> None:
    far_end.members, client = {}, new_client("adaptive")
    put(client)
    bucket = limiter_of(client)._token_bucket
    bucket._current_capacity = capacity
    assert bucket.acquire(1) is True


def test_forgotten_retries_are_fresh_and_jitter_starts_again(
    new_client: Any, put: Any, installed: Any, clock: VirtualClock
) -> None:
    client = new_client("standard")
    put(client)
    first = [sleep.seconds for sleep in clock.sleeps]
    clock.sleeps.clear()
    installed.forget_retries()
    put(client)
    assert [sleep.seconds for sleep in clock.sleeps] == first
    assert quota_of(client).available_capacity > 480


def test_another_services_retries_are_left_alone(
    new_client: Any, installed: Any, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    sqs = new_client("standard", service="sqs", endpoint_url="http://127.0.0.1:1")
    handlers = sqs._endpoint._event_emitter._emitter._handlers.prefix_search("needs-retry.sqs.Any")
    old = [handler.__self__._retry_quota._quota for handler in handlers if hasattr(handler.__self__, "_retry_quota")]
    with pytest.raises(Exception, match="connect"):
        sqs.list_queues(QueueNamePrefix="x")
    new = [handler.__self__._retry_quota._quota for handler in handlers if hasattr(handler.__self__, "_retry_quota")]
    assert old == new != []
    assert (len(slept), clock.sleeps) == (2, [])


def test_an_emitter_of_another_make_is_left_alone(
    new_client: Any, put: Any, far_end: Any, installed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Emitter:
        """Emits as botocore's does, and keeps its handlers to itself."""

        def __init__(self, emit: Any) -> None:
            self.emit = emit

    client = new_client("standard")
    old = quota_of(client)
    monkeypatch.setattr(client._endpoint, "_event_emitter", Emitter(client._endpoint._event_emitter.emit))
    far_end.members = {}
    assert put(client)["ResponseMetadata"]["RetryAttempts"] == 0
    monkeypatch.undo()
    assert quota_of(client) is old


def test_two_threads_that_meet_a_client_at_once_refresh_it_once(new_client: Any) -> None:
    client, states = new_client("standard"), RetryStates(None)
    states.first_sight(client._endpoint)
    fresh = quota_of(client)
    states.first_sight(client._endpoint)
    assert quota_of(client) is fresh
    states.forget()
    assert quota_of(client) is not fresh
