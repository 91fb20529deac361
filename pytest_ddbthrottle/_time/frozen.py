"""The process's frozen time, whoever froze it: read as nanoseconds, and moved.

freezegun's innermost freeze is the process's time where there is one, because its functions shadow all others; else
time-machine's innermost journey. Neither library is imported to look: a freeze needs its module in ``sys.modules``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from pytest_ddbthrottle._time.ignored import REAL_TIME_IN_CALLEES, VIRTUAL_TIME_IN_CALLEES

_EPOCH = datetime(1970, 1, 1)
_MICROSECOND = timedelta(microseconds=1)
TIME_MACHINE_STACKS = ("traveller_stack", "coordinates_stack")
"""The list of journeys, in time-machine 3 and before."""


class FrozenTime:
    """What a clock follows while somebody has frozen the process's time.

    Args:
        rebase: told the instant when another freeze becomes the innermost one: the calendar jumps, no time passes.
    """

    def __init__(self, rebase: Callable[[int], None]) -> None:
        self._rebase = rebase
        self._freeze: object = None

    def now_ns(self) -> int | None:
        """Give the frozen instant in nanoseconds since the epoch, or None where nothing is frozen."""
        freeze = innermost_freeze()
        if freeze is None:
            return None
        now_ns = _read_ns(freeze)
        if freeze is not self._freeze:
            self._freeze = freeze
            self._rebase(now_ns)
        return now_ns

    def move(self, target_ns: int) -> None:
        """Move the frozen time to an instant, if there is one."""
        freeze = innermost_freeze()
        if freeze is not None:
            _shift(freeze, target_ns - _read_ns(freeze))


def innermost_freeze() -> Any:
    """Give freezegun's factory or time-machine's traveller that the process's time comes from, or None."""
    freezegun = sys.modules.get("freezegun.api")
    if freezegun is not None and freezegun.freeze_factories:
        return freezegun.freeze_factories[-1]
    time_machine = sys.modules.get("time_machine")
    for name in TIME_MACHINE_STACKS:
        stack = getattr(time_machine, name, None)
        if stack:
            return stack[-1]
    return None


@contextmanager
def freeze(instant: datetime) -> Iterator[None]:
    """Freeze the process's time at an instant, unless it is frozen already."""
    if innermost_freeze() is not None:
        with _threads_in_their_freeze():
            yield
        return
    import freezegun

    ours = freezegun.freeze_time(instant, ignore=list(REAL_TIME_IN_CALLEES))
    ours.ignore = _without_threads(ours.ignore)
    with ours:
        yield


@contextmanager
def _threads_in_their_freeze() -> Iterator[None]:
    """Let somebody else's freeze hold in threads as well: it ignores whatever ``threading`` calls."""
    freezegun = sys.modules.get("freezegun.api")
    lists: list[tuple[str, ...]] = getattr(freezegun, "ignore_lists", [])
    place = len(lists) - 1
    theirs = lists[-1] if lists else ()
    ours = _without_threads(theirs)
    if lists:
        lists[-1] = ours
    try:
        yield
    finally:
        if lists[place:] and lists[place] is ours:
            lists[place] = theirs


def _without_threads(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in VIRTUAL_TIME_IN_CALLEES)


def _read_ns(freeze: Any) -> int:
    if hasattr(freeze, "time_ns"):
        return int(freeze.time_ns())
    # Calling a factory of auto_tick_seconds would move it; a ticking one must be called to be read.
    instant = freeze() if hasattr(freeze, "start") else freeze.time_to_freeze
    microseconds: int = (instant.replace(tzinfo=None) - _EPOCH) // _MICROSECOND
    return microseconds * 1000


def _shift(freeze: Any, delta_ns: int) -> None:
    if hasattr(freeze, "shift"):
        freeze.shift(timedelta(microseconds=delta_ns // 1000))
    elif hasattr(freeze, "start"):
        freeze.move_to(freeze() + timedelta(microseconds=delta_ns // 1000))
    elif delta_ns // 1000:
        freeze.tick(timedelta(microseconds=delta_ns // 1000))
