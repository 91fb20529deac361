"""A client's memory of being throttled, kept from leaking into a test and out of it.

Standard mode's retry quota and adaptive mode's rate belong to the client, and a module-level client outlives a test.
When an installation first sees an endpoint it gives that client's retries the state of a new client's, on its own clock
and dice, and puts the old state back at the end.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from inspect import iscoroutinefunction
from typing import Any
from weakref import WeakKeyDictionary

from botocore.retries.adaptive import RateClocker
from botocore.retries.bucket import Clock
from botocore.retries.quota import RetryQuota
from botocore.retries.standard import RetryHandler
from botocore.retries.throttling import CubicCalculator

from pytest_ddbthrottle._botocore.back_off import BackOff, LimiterClock, LimiterCondition, acquiring
from pytest_ddbthrottle._botocore.calls import ENDPOINT_PREFIXES
from pytest_ddbthrottle._botocore.client_retries import ClientRetries, client_retries
from pytest_ddbthrottle._engine.clock import VirtualClock

Swap = tuple[Any, str, Any]
"""An object, the name of an attribute, and the value that it gets."""


@dataclass(frozen=True, slots=True)
class VirtualRetries:
    """What retries run on in virtual time.

    Args:
        clock: the limiter's time.
        back_off: the limiter's wait.
        draw: the jitter's dice.
    """

    clock: VirtualClock
    back_off: BackOff
    draw: Callable[[], float]


class RetryStates:
    """The retry states of the clients that an installation has seen.

    Args:
        virtual: what they run on; None leaves time and dice real.
    """

    def __init__(self, virtual: VirtualRetries | None) -> None:
        self._virtual = virtual
        self._attempts: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
        self._old: list[Swap] = []
        self._lock = threading.Lock()

    def has_seen(self, endpoint: Any) -> bool:
        """Tell whether the endpoint's client has fresh retries already."""
        return endpoint in self._attempts

    def first_sight(self, endpoint: Any) -> None:
        """Give the endpoint's client fresh retries if it has not been seen yet."""
        with self._lock:
            if endpoint not in self._attempts:
                self._refresh(endpoint)
                self._attempts[endpoint] = 0

    def count_attempt(self, endpoint: Any) -> None:
        """Count a request that is sent through an endpoint."""
        with self._lock:
            self._attempts[endpoint] = self._attempts.get(endpoint, 0) + 1

    def of(self, client: Any) -> ClientRetries:
        """Read what a client's retries stand at, fresh if it has not been seen yet."""
        endpoint = client._endpoint
        self.first_sight(endpoint)
        return client_retries(client, _strategies(endpoint), self._attempts[endpoint])

    def forget(self) -> None:
        """Put back the old states; what is seen from now on is fresh again."""
        with self._lock:
            while self._old:
                owner, name, value = self._old.pop()
                setattr(owner, name, value)
            self._attempts = WeakKeyDictionary()

    def _refresh(self, endpoint: Any) -> None:
        for owner, name, value in list(_fresh(endpoint, self._virtual)):
            self._old.append((owner, name, getattr(owner, name)))
            setattr(owner, name, value)


def _fresh(endpoint: Any, virtual: VirtualRetries | None) -> Iterator[Swap]:
    for strategy in _strategies(endpoint):
        if isinstance(strategy, RetryHandler):
            yield from _fresh_standard(strategy, virtual)
        elif hasattr(strategy, "_token_bucket"):  # aiobotocore's limiter has no ancestor in botocore.
            yield from _fresh_limiter(strategy, virtual)


def _fresh_standard(handler: Any, virtual: VirtualRetries | None) -> Iterator[Swap]:
    checker = handler._retry_quota
    yield checker, "_quota", RetryQuota(checker._quota._max_capacity)
    if virtual is not None:
        yield handler._retry_policy._retry_backoff, "_random", virtual.draw


def _fresh_limiter(limiter: Any, virtual: VirtualRetries | None) -> Iterator[Swap]:
    clock: Any = Clock() if virtual is None else LimiterClock(virtual.clock, virtual.back_off)
    bucket = type(limiter._token_bucket)(max_rate=1, clock=clock)
    is_async = iscoroutinefunction(bucket.acquire)
    if virtual is not None and is_async:
        bucket.acquire = acquiring(bucket, virtual.back_off)
    elif virtual is not None:
        bucket._new_fill_rate_condition = LimiterCondition(bucket._new_fill_rate_condition, virtual.back_off)
    yield limiter, "_clock", clock
    yield limiter, "_token_bucket", bucket
    yield limiter, "_rate_clocker", RateClocker(clock)
    yield limiter, "_rate_adjustor", CubicCalculator(starting_max_rate=0, start_time=clock.current_time())
    yield limiter, "_enabled", False
    if is_async:
        # A lock of asyncio belongs to the loop that it was first waited for in, and each test has a loop of its own.
        yield limiter, "_lock", type(limiter._lock)()


def _strategies(endpoint: Any) -> list[Any]:
    """Find the objects that decide on the client's retries: botocore keeps them only as handlers of an event."""
    emitter = endpoint._event_emitter
    handlers = getattr(getattr(emitter, "_emitter", emitter), "_handlers", None)
    if handlers is None:
        return []
    event_name = f"needs-retry.{ENDPOINT_PREFIXES[endpoint._endpoint_prefix]}.Any"
    found = [getattr(handler, "__self__", handler) for handler in handlers.prefix_search(event_name)]
    return list({id(strategy): strategy for strategy in found}.values())
