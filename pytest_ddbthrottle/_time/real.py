"""Real time as a clock's source: it runs by itself, and moving the clock by hand adds to it."""

from __future__ import annotations

import time
from collections.abc import Callable


class RealTime:
    """The real instant, plus what the clock was moved by hand.

    Args:
        monotonic_ns: the real monotonic time; bound when this module is loaded, so that a later freeze leaves it.
        time_ns: the real time since the epoch.
    """

    def __init__(
        self, monotonic_ns: Callable[[], int] = time.monotonic_ns, time_ns: Callable[[], int] = time.time_ns
    ) -> None:
        self._monotonic_ns = monotonic_ns
        self._offset_ns = time_ns() - monotonic_ns()

    def now_ns(self) -> int:
        """Give the instant as nanoseconds since the epoch."""
        return self._monotonic_ns() + self._offset_ns

    def move(self, target_ns: int) -> None:
        """Count on from another instant."""
        self._offset_ns = target_ns - self._monotonic_ns()
