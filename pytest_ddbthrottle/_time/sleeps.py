"""``time.sleep`` and ``asyncio.sleep`` in virtual time, under whatever name a module bound them.

A fake sleep decides by its caller: the modules that keep real time sleep really. It can outlive the block it was made
for, in a name bound late; it then sleeps really as well.
"""

from __future__ import annotations

import asyncio
import operator
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.errors import UnmodelledWait
from pytest_ddbthrottle._time.ignored import REAL_SLEEPS, IgnoredModules
from pytest_ddbthrottle._time.threads import room_in_force

Sleep = Callable[..., Any]
Sleeps = tuple[Sleep, Sleep]
"""``time.sleep`` and ``asyncio.sleep``, or what stands for them."""


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
        return not self.is_active or caller is None or self._ignored.has(_module_name(caller))

    def sleep(self, seconds: float, caller: FrameType) -> None:
        """Pass a sleep of this caller in virtual time; one of no length lets others go first."""
        room = room_in_force()
        if not seconds and room is not None:
            return room.yield_turn()
        origin = "sdk" if _module_name(caller).partition(".")[0] == "botocore" else "application"
        self._clock.sleep(seconds, origin)


@contextmanager
def virtual_sleeps(clock: VirtualClock) -> Iterator[None]:
    """Let sleeps move the clock, wherever a module has bound one; restore each binding afterwards."""
    ignored = IgnoredModules([*REAL_SLEEPS, *_freezegun_ignores()])
    sleeper = Sleeper(clock, ignored)
    reals = (time.sleep, asyncio.sleep)
    fakes = (_fake_sleep(sleeper, time.sleep), _fake_asyncio_sleep(sleeper, asyncio.sleep))
    names_before = set(sys.modules)
    bound = _rebind(_namespaces(names_before, ignored), reals, fakes)
    try:
        yield
    finally:
        sleeper.is_active = False
        _rebind(bound, fakes, reals)
        _rebind(_namespaces(set(sys.modules) - names_before, ignored), fakes, reals)


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


def _fake_asyncio_sleep(sleeper: Sleeper, found: Sleep) -> Sleep:
    real = getattr(found, "real", found)

    async def sleep(delay: float, result: Any = None) -> Any:
        caller = sys._getframe(1)
        if delay > 0 and not sleeper.leaves_real(caller):
            raise UnmodelledWait(_asyncio_text(delay, caller))
        return await real(delay, result)

    return _bearing(sleep, real)


def _bearing(fake: Sleep, real: Sleep) -> Sleep:
    fake.real = real  # type: ignore[attr-defined]
    fake.__doc__ = real.__doc__
    return fake


def _namespaces(names: Iterable[str], ignored: IgnoredModules) -> list[dict[str, Any]]:
    namespaces = [getattr(sys.modules.get(name), "__dict__", None) for name in names if not ignored.has(name)]
    return [namespace for namespace in namespaces if isinstance(namespace, dict)]


def _rebind(namespaces: Iterable[dict[str, Any]], old: Sleeps, new: Sleeps) -> list[dict[str, Any]]:
    """Replace the two sleeps wherever they are bound; give the namespaces that had one."""
    # By identity, and in one comprehension: tens of thousands of values are looked at for each test.
    old_sleep, old_asyncio_sleep = old
    touched = [
        namespace
        for namespace in namespaces
        for value in list(namespace.values())
        if value is old_sleep or value is old_asyncio_sleep
    ]
    for namespace in touched:
        for name, value in list(namespace.items()):
            if value is old_sleep or value is old_asyncio_sleep:
                namespace[name] = new[0 if value is old_sleep else 1]
    return touched


def _freezegun_ignores() -> list[str]:
    config = sys.modules.get("freezegun.config")
    return list(config.settings.default_ignore_list) if config is not None else []


def _module_name(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def _where(frame: FrameType) -> str:
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def _asyncio_text(delay: float, caller: FrameType) -> str:
    return (
        f"asyncio.sleep({delay:g}) at {_where(caller)}: under virtual time an event loop can't sleep; it would wait "
        "really, and the clock would not move.\n"
        "With ddb_clock=sdk the application's own sleeps are real and the SDK's back-off stays virtual; with "
        "ddb_clock=real every wait is real.\ndocs/how-to/time.md"
    )
