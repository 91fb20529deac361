"""Sleeps in virtual time: whose move the clock, whose stay real, and which can't be had yet."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from asyncio import sleep as asyncio_sleep_by_name
from concurrent.futures import ThreadPoolExecutor
from time import sleep as sleep_by_name
from types import ModuleType
from typing import Any

import pytest
from _pytest import timing

from pytest_ddbthrottle._engine.clock import Sleep, VirtualClock
from pytest_ddbthrottle._time import virtual_time
from pytest_ddbthrottle._time.ignored import IgnoredModules

# In a tuple, where no binding of this module is: those are replaced as everybody's are.
REALS = (time.sleep, asyncio.sleep)


def module(name: str, monkeypatch: pytest.MonkeyPatch, source: str) -> Any:
    """A module of this name, imported."""
    made = ModuleType(name)
    exec(source, made.__dict__)
    monkeypatch.setitem(sys.modules, name, made)
    return made


def test_a_sleep_moves_the_clock_by_whatever_name(virtual: VirtualClock) -> None:
    time.sleep(1000)
    sleep_by_name(500.5)
    assert virtual.elapsed == 1500.5
    assert virtual.sleeps == [Sleep(0.0, 1000, "application"), Sleep(1000.0, 500.5, "application")]


def test_a_sleep_of_botocores_is_the_sdks(virtual: VirtualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    sdk = module("botocore.imagined", monkeypatch, "import time\ndef wait(): time.sleep(3)")
    sdk.wait()
    assert virtual.sleeps == [Sleep(0.0, 3, "sdk")]


def test_no_sleep_is_recorded_for_none(virtual: VirtualClock) -> None:
    time.sleep(0)
    assert virtual.sleeps == []


@pytest.mark.parametrize(
    ("seconds", "error"),
    [(-1, ValueError), (-0.5, ValueError), ("1", TypeError), (float("nan"), ValueError), (float("inf"), OverflowError)],
)
def test_what_is_no_length_of_sleep_is_refused_as_ever(
    virtual: VirtualClock, seconds: Any, error: type[Exception]
) -> None:
    with pytest.raises(error):
        REALS[0](seconds)
    with pytest.raises(error):
        time.sleep(seconds)
    assert virtual.elapsed == 0.0


@pytest.mark.parametrize("name", ["multiprocessing", "_pytest.imagined", "xdist.imagined", "subprocess", "gi.imagined"])
def test_a_module_that_keeps_real_time_sleeps_really(
    clock: VirtualClock, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    ignored = module(name, monkeypatch, "import time\nfrom time import sleep\ndef wait(): time.sleep(3); sleep(4)")
    with virtual_time(clock, "virtual"):
        assert ignored.sleep is ignored.__dict__["sleep"] == slept.append
        ignored.wait()
    assert (slept, clock.sleeps) == ([3, 4], [])


def test_a_package_of_a_similar_name_does_not_keep_real_time() -> None:
    assert not IgnoredModules(["queue"]).has("queue_worker")


def test_every_binding_is_as_it_was(clock: VirtualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    before = module("before", monkeypatch, "from time import sleep as nap\nfrom asyncio import sleep")
    with virtual_time(clock, "virtual"):
        during = module("during", monkeypatch, "from time import sleep\nimport asyncio; pause = asyncio.sleep")
        fakes = (before.nap, during.sleep, before.sleep, during.pause)
        assert not set(REALS) & set(fakes)
    assert (before.nap, during.sleep, sleep_by_name, time.sleep) == (REALS[0],) * 4
    assert (before.sleep, during.pause, asyncio_sleep_by_name, asyncio.tasks.sleep) == (REALS[1],) * 4


def test_a_fake_that_outlives_its_block_sleeps_really(clock: VirtualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    with virtual_time(clock, "virtual"):
        kept = [time.sleep]
    kept[0](2)
    assert (slept, clock.sleeps) == ([2], [])


def test_threads_that_wait_for_each_other_wait_really(virtual: VirtualClock) -> None:
    done = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(done.wait, 10)
        done.set()
        assert waiting.result(timeout=10) is True
    assert virtual.elapsed == 0.0


def test_the_test_itself_sees_frozen_time_under_pytest(virtual: VirtualClock) -> None:
    assert time.time() == time.monotonic() == virtual.time()


def test_pytest_measures_in_real_time(virtual: VirtualClock) -> None:
    start = timing.Instant() if hasattr(timing, "Instant") else None
    assert timing.perf_counter() != virtual.time()
    # pytest bound it before the tests' own count of what is slept really.
    assert timing.sleep in (REALS[0], REALS[0].__wrapped__)
    assert start is None or start.elapsed().seconds < 60


def test_a_subprocess_that_is_waited_for_is_waited_for_really(virtual: VirtualClock) -> None:
    import subprocess

    assert subprocess.Popen([sys.executable, "-c", "pass"]).wait(timeout=60) == 0
    assert virtual.elapsed == 0.0
