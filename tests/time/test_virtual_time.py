"""The process's time while a clock is bound to it, in each mode."""

from __future__ import annotations

import time
from datetime import datetime, timezone
from typing import Any

import pytest

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._time import virtual_time


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock("2030-05-06T07:08:09Z")


def test_the_processs_time_is_the_clocks_and_moves_with_it(clock: VirtualClock) -> None:
    with virtual_time(clock, "virtual"):
        start, monotonic = datetime.now(timezone.utc), time.monotonic()
        clock.advance(90.5)
        assert (start, time.time()) == (datetime(2030, 5, 6, 7, 8, 9, tzinfo=timezone.utc), clock.time())
        assert time.monotonic() - monotonic == 90.5
        assert datetime.now(timezone.utc) == clock.now()


def test_a_move_back_is_seen_by_the_process(clock: VirtualClock) -> None:
    with virtual_time(clock, "virtual"):
        now_ns = clock.now_ns()
        clock.advance(60)
        clock.restore(now_ns)
        assert (time.time(), clock.elapsed) == (clock.time(), 0.0)


def test_a_move_below_a_microsecond_is_kept_by_the_clock_alone(clock: VirtualClock) -> None:
    with virtual_time(clock, "virtual"):
        before = time.time()
        clock.advance_ns(600)
        assert (time.time(), clock.elapsed_ns) == (before, 600)
        clock.advance_ns(600)
        assert (time.time() > before, clock.elapsed_ns) == (True, 1200)


def test_real_time_is_back_afterwards(clock: VirtualClock) -> None:
    functions = (time.time, time.monotonic, time.sleep, datetime)
    with virtual_time(clock, "virtual"):
        assert time.time is not functions[0]
    assert (time.time, time.monotonic, time.sleep, datetime) == functions
    assert clock.now().year == 2030


def test_it_is_back_after_a_failure_too(clock: VirtualClock) -> None:
    real = (time.time, time.sleep)
    with pytest.raises(KeyError), virtual_time(clock, "virtual"):
        raise KeyError
    assert (time.time, time.sleep) == real


def test_the_clock_no_longer_moves_anything_afterwards(clock: VirtualClock) -> None:
    with virtual_time(clock, "virtual"):
        pass
    clock.advance(1)
    assert (clock.elapsed, clock._movers) == (1.0, [])


def test_in_sdk_mode_the_application_keeps_its_own_time(clock: VirtualClock) -> None:
    functions = (time.time, time.sleep)
    with virtual_time(clock, "sdk"):
        clock.advance(60)
        assert (time.time, time.sleep) == functions
        assert clock.elapsed == 60.0


def test_in_real_mode_the_clock_goes_with_real_time(clock: VirtualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    from pytest_ddbthrottle import _time

    now: dict[str, int] = {"monotonic_ns": 5, "time_ns": 1_900_000_000 * 10**9}
    real_time: Any = _time.RealTime
    monkeypatch.setattr(_time, "RealTime", lambda: real_time(lambda: now["monotonic_ns"], lambda: now["time_ns"]))
    with virtual_time(clock, "real"):
        assert (clock.time(), clock.elapsed) == (1_900_000_000.0, 0.0)
        now["monotonic_ns"] += 2 * 10**9
        assert clock.elapsed == 2.0
        clock.advance(10)
        now["monotonic_ns"] += 10**9
        assert clock.elapsed == 13.0


def test_an_inner_clock_shares_the_time_of_the_outer_one(clock: VirtualClock) -> None:
    inner = VirtualClock("2040-01-01")
    with virtual_time(clock, "virtual"):
        time.sleep(1)
        with virtual_time(inner, "virtual"):
            time.sleep(10)
            assert inner.now() == clock.now()
        time.sleep(100)
    assert (inner.elapsed, clock.elapsed) == (10.0, 111.0)
    assert [sleep.seconds for sleep in clock.sleeps] == [1, 100]
    assert time.sleep.__module__ == "time"
