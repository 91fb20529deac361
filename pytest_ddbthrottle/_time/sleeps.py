"""``time.sleep`` and ``asyncio.sleep`` in virtual time, under whatever name a module bound them.

A fake sleep decides by its caller: the modules that keep real time sleep really. It can outlive the block it was made
for, in a name bound late; it then sleeps really as well.
"""

from __future__ import annotations

import asyncio
import operator
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._time.callers import module_name
from pytest_ddbthrottle._time.event_loops import RESOLUTION_SECONDS
from pytest_ddbthrottle._time.ignored import REAL_BINDINGS, REAL_SLEEPS, VIRTUAL_TIME_IN_CALLEES, IgnoredModules
from pytest_ddbthrottle._time.locks import REALS, STAND_INS
from pytest_ddbthrottle._time.rebound import rebound
from pytest_ddbthrottle._time.threads import room_in_force

Sleep = Callable[..., Any]
SDK_PACKAGES = ("aiobotocore", "botocore", "pytest_ddbthrottle")
"""Whose sleeps are the SDK's: this package sleeps in its stead."""


class Sleeper:
    """The rule of one block: who sleeps in virtual time, and who really.

    Args:
        clock: what a sleep moves.
        ignored: the modules that keep real time.
    """

    def __init__(self, clock: VirtualClock, ignored: IgnoredModules) -> None:
        self._clock = clock
        self._ignored = ignored
        self.is_active = True

    def leaves_real(self, caller: FrameType | None) -> bool:
        """Tell whether this caller sleeps really."""
        return not self.is_active or caller is None or self._ignored.has(module_name(caller))

    def sleep(self, seconds: float, caller: FrameType) -> None:
        """Pass a sleep of this caller in virtual time; one of no length lets others go first, and is not recorded."""
        if seconds:
            return self._clock.sleep(seconds, _origin(caller))
        turns, room = self._clock.turns_here(), room_in_force()
        if turns is not None:
            turns.wait(0, _origin(caller))
        elif room is not None:
            room.yield_turn()

    def record(self, seconds: float, caller: FrameType) -> None:
        """Record a sleep that an event loop lets pass."""
        self._clock.record_sleep(seconds, _origin(caller))


@contextmanager
def virtual_sleeps(clock: VirtualClock, bring_loop_in: Callable[[], None]) -> Iterator[None]:
    """Let sleeps move the clock, wherever a module has bound one; restore each binding afterwards.

    Args:
        clock: what they move.
        bring_loop_in: lets the running event loop take part in virtual time, or raises.
    """
    ignores = [*REAL_SLEEPS, *_freezegun_ignores()]
    sleeper = Sleeper(clock, IgnoredModules(ignores))
    pairs = [
        (time.sleep, _fake_sleep(sleeper, time.sleep)),
        (asyncio.sleep, _fake_asyncio_sleep(sleeper, bring_loop_in, asyncio.sleep)),
        *zip(REALS, STAND_INS, strict=True),
    ]
    with rebound(pairs, IgnoredModules([*ignores, *REAL_BINDINGS])):
        try:
            yield
        finally:
            sleeper.is_active = False


def _fake_sleep(sleeper: Sleeper, found: Sleep) -> Sleep:
    real = getattr(found, "real", found)

    def sleep(seconds: float, /) -> None:
        caller = sys._getframe(1)
        if sleeper.leaves_real(caller):
            return real(seconds)  # type: ignore[no-any-return]
        seconds = seconds if isinstance(seconds, float) else operator.index(seconds)
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        sleeper.sleep(seconds, caller)

    return _bearing(sleep, real)


def _fake_asyncio_sleep(sleeper: Sleeper, bring_loop_in: Callable[[], None], found: Sleep) -> Sleep:
    real = getattr(found, "real", found)

    async def sleep(delay: float, result: Any = None) -> Any:
        caller = sys._getframe(1)
        if delay > 0 and not sleeper.leaves_real(caller):
            if not _is_virtual(asyncio.get_running_loop()):
                bring_loop_in()
            sleeper.record(delay, caller)
            # A smaller step is lost on a float clock.
            delay = max(delay, RESOLUTION_SECONDS)
        return await real(delay, result)

    return _bearing(sleep, real)


def _is_virtual(loop: asyncio.AbstractEventLoop) -> bool:
    return getattr(loop, "is_virtual", False)


def _bearing(fake: Sleep, real: Sleep) -> Sleep:
    fake.real = real  # type: ignore[attr-defined]
    fake.__doc__ = real.__doc__
    return fake


def _freezegun_ignores() -> list[str]:
    config = sys.modules.get("freezegun.config")
    names = config.settings.default_ignore_list if config is not None else []
    return [name for name in names if name not in VIRTUAL_TIME_IN_CALLEES]


def _origin(caller: FrameType) -> str:
    return "sdk" if module_name(caller).partition(".")[0] in SDK_PACKAGES else "application"
