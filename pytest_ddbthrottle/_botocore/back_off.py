"""Where the SDK waits: its back-off, its waiters and the adaptive limiter, in virtual time.

Only waits for DynamoDB move the clock. Other services' clients in the same process wait as they would without us.
"""

from __future__ import annotations

import asyncio
import importlib
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any

from pytest_ddbthrottle._botocore.calls import Calls, is_dynamodb_client
from pytest_ddbthrottle._engine.clock import VirtualClock


class BackOff:
    """The SDK's wait, as a movement of the clock.

    Args:
        clock: what is moved.
        loops_are_virtual: whether asyncio's own loops go by the clock, so that their tasks' waits overlap.
    """

    def __init__(self, clock: VirtualClock, *, loops_are_virtual: bool = False) -> None:
        self._clock = clock
        self._loops_are_virtual = loops_are_virtual

    def sleep(self, seconds: float) -> None:
        """Pass a wait in virtual time."""
        if seconds > 0:
            self._clock.sleep(seconds, "sdk")

    async def pause(self, seconds: float) -> None:
        """Pass a wait of a task in virtual time: every asynchronous wait of the SDK comes through here."""
        if self._loops_are_virtual and isinstance(running_loop(), asyncio.BaseEventLoop):
            return await asyncio.sleep(seconds)
        self.sleep(seconds)
        await let_others_run()


async def let_others_run() -> None:
    """Give the loop's other tasks their turn, as a wait does however short it is."""
    if running_loop() is not None:
        return await asyncio.sleep(0)
    # Of the two back ends of aiobotocore that on anyio runs on trio's loop as well.
    await importlib.import_module("anyio.lowlevel").checkpoint()


def running_loop() -> asyncio.AbstractEventLoop | None:
    """Give the loop of asyncio's kind that runs, or None."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


class TimeOfModule:
    """Stands for the ``time`` module in one of botocore's modules: ``sleep`` is ours, the other names delegate.

    They are looked up at each use, so that a frozen time is seen.
    """

    def __init__(self, real: Any, back_off: BackOff, is_ours: Callable[[], bool]) -> None:
        self._real = real
        self._back_off = back_off
        self._is_ours = is_ours

    def sleep(self, seconds: float) -> None:
        """Wait in virtual time if the wait is DynamoDB's."""
        if self._is_ours():
            self._back_off.sleep(seconds)
        else:
            self._real.sleep(seconds)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


class AsyncioOfModule:
    """Stands for the ``asyncio`` module in one of aiobotocore's modules: ``sleep`` is ours, the other names delegate."""

    def __init__(self, real: Any, back_off: BackOff, is_ours: Callable[[], bool]) -> None:
        self._real = real
        self._back_off = back_off
        self._is_ours = is_ours

    async def sleep(self, delay: float) -> None:
        """Wait in virtual time if the wait is DynamoDB's."""
        await (self._back_off.pause(delay) if self._is_ours() else self._real.sleep(delay))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


class LimiterClock:
    """The clock of an adaptive client's limiter; it never goes back.

    A limiter that met an earlier instant would wait until the later one has come again.
    """

    def __init__(self, clock: VirtualClock, back_off: BackOff) -> None:
        self._clock = clock
        self._latest_ns = clock.now_ns()
        self._lost_ns = 0
        self.sleep = back_off.sleep

    def current_time(self) -> float:
        """Give seconds since the epoch, and what was lost by going back."""
        now_ns = self._clock.now_ns()
        self._lost_ns += max(0, self._latest_ns - now_ns)
        self._latest_ns = now_ns
        return (now_ns + self._lost_ns) / 1e9


class LimiterCondition:
    """The condition that an adaptive client's token bucket waits on: waiting moves the clock."""

    def __init__(self, condition: threading.Condition, back_off: BackOff) -> None:
        self._condition = condition
        self._back_off = back_off
        self.notify = condition.notify

    def wait(self, seconds: float) -> None:
        """Pass a wait in virtual time; others may have the bucket meanwhile."""
        self._condition.release()
        try:
            self._back_off.sleep(seconds)
        finally:
            self._condition.acquire()

    def __enter__(self) -> bool:
        return self._condition.__enter__()

    def __exit__(self, *raised: object) -> None:
        self._condition.__exit__(*raised)  # type: ignore[arg-type]


def acquiring(bucket: Any, back_off: BackOff) -> Callable[[], Any]:
    """Give an ``acquire`` for an asynchronous limiter's token bucket, in whose waits the clock moves."""

    async def acquire() -> bool:
        bucket._refill()
        while (seconds := bucket._sleep_amount(1)) > 0:
            await back_off.pause(seconds)
            bucket._refill()
        bucket._current_capacity -= 1
        return True

    return acquire


def waiting(calls: Calls, is_answering: Callable[[], bool], original: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap ``Waiter.wait``, to know whose waiter sleeps."""

    @wraps(original)
    def wait(self: Any, **named: Any) -> Any:
        if not is_answering():
            return original(self, **named)
        before, calls.waits_for_dynamodb = calls.waits_for_dynamodb, waits_for_dynamodb(self)
        try:
            return original(self, **named)
        finally:
            calls.waits_for_dynamodb = before

    return wait


def waits_for_dynamodb(waiter: Any) -> bool:
    """Tell whether a waiter asks a DynamoDB client."""
    method = getattr(getattr(waiter, "_operation_method", None), "_client_method", None)
    return is_dynamodb_client(getattr(method, "__self__", None))
