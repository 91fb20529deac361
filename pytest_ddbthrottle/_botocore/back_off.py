"""Where the SDK waits: its back-off, its waiters and the adaptive limiter, in virtual time.

Only waits for DynamoDB move the clock. Other services' clients in the same process wait as they would without us.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any

from pytest_ddbthrottle._botocore.calls import Calls, is_dynamodb_client
from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.errors import UnmodelledWait

_SDK_PACKAGES = ("botocore", "boto3", "pytest_ddbthrottle")


class BackOff:
    """The SDK's wait, as a movement of the clock.

    Args:
        clock: what is moved.
    """

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self._thread_id = threading.get_ident()

    def sleep(self, seconds: float) -> None:
        """Pass a wait in virtual time.

        Raises:
            UnmodelledWait: it is in another thread than the one that the fake was installed in.
        """
        if seconds <= 0:
            return
        if threading.get_ident() != self._thread_id and self._clock.turns_here() is None:
            raise UnmodelledWait(_thread_text(seconds))
        self._clock.sleep(seconds, "sdk")


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


def waiting(calls: Calls, is_answering: Callable[[], bool], original: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap ``Waiter.wait``, to know whose waiter sleeps."""

    @wraps(original)
    def wait(self: Any, **named: Any) -> Any:
        before, calls.waits_for_dynamodb = calls.waits_for_dynamodb, is_answering() and _waits_for_dynamodb(self)
        try:
            return original(self, **named)
        finally:
            calls.waits_for_dynamodb = before

    return wait


def _waits_for_dynamodb(waiter: Any) -> bool:
    method = getattr(getattr(waiter, "_operation_method", None), "_client_method", None)
    return is_dynamodb_client(getattr(method, "__self__", None))


def _thread_text(seconds: float) -> str:
    return (
        f"The SDK backs off for {seconds:g} s in thread {threading.current_thread().name!r}, called at {_where()}: "
        "in virtual time only the thread that the fake was installed in can wait.\n"
        "With ddb_clock=real every wait is real; a client whose retries are off does not wait.\ndocs/how-to/time.md"
    )


def _where() -> str:
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _SDK_PACKAGES:
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"
