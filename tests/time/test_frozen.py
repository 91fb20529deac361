"""Somebody else's frozen time: followed and moved, never a second one."""

from __future__ import annotations

import sys
import time
from datetime import datetime, timedelta, timezone
from types import ModuleType
from typing import Any

import freezegun
import freezegun.api
import pytest

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._time import virtual_time

MODES = pytest.mark.parametrize("mode", ["virtual", "sdk"])


@MODES
def test_a_freeze_that_is_there_first_is_taken_over(clock: VirtualClock, mode: Any) -> None:
    with freezegun.freeze_time("2012-01-14") as theirs, virtual_time(clock, mode):
        assert len(freezegun.api.freeze_factories) == 1
        clock.sleep(30, "sdk")
        assert time.time() == clock.time()
        assert clock.now() == datetime(2012, 1, 14, 0, 0, 30, tzinfo=timezone.utc)
        theirs.tick(10)
        assert clock.elapsed == 40.0


@MODES
def test_a_freeze_entered_later_is_followed_and_left_again(clock: VirtualClock, mode: Any) -> None:
    with virtual_time(clock, mode):
        clock.advance(1)
        with freezegun.freeze_time("2012-01-14") as theirs:
            assert (clock.now().year, clock.elapsed) == (2012, 1.0)
            theirs.move_to("2012-01-15")
            clock.sleep(5)
            assert time.time() == clock.time()
        assert clock.elapsed == 86406.0


def test_the_calendar_is_the_clocks_again_after_an_inner_freeze(clock: VirtualClock) -> None:
    with virtual_time(clock, "virtual"):
        with freezegun.freeze_time("2012-01-14"):
            clock.sleep(5)
        assert (clock.now(), clock.elapsed) == (datetime(2026, 1, 1, tzinfo=timezone.utc), 5.0)


def test_a_freeze_moved_back_is_another_calendar(clock: VirtualClock) -> None:
    with freezegun.freeze_time("2012-01-14") as theirs, virtual_time(clock, "virtual"):
        clock.advance(7)
        theirs.move_to("1999-12-31")
        assert (clock.now().year, clock.elapsed) == (1999, 7.0)


def test_a_ticking_freeze_is_moved_too(clock: VirtualClock) -> None:
    with freezegun.freeze_time("2012-01-14", tick=True), virtual_time(clock, "sdk"):
        clock.advance(3600)
        assert 3600 <= clock.elapsed < 3660
        assert time.time() == pytest.approx(clock.time(), abs=60)


def test_reading_the_clock_does_not_step_a_stepping_freeze(clock: VirtualClock) -> None:
    with freezegun.freeze_time("2012-01-14", auto_tick_seconds=15), virtual_time(clock, "sdk"):
        assert (clock.elapsed, clock.elapsed) == (0.0, 0.0)
        clock.advance(1)
        time.time()
        assert clock.elapsed == 16.0


@MODES
@pytest.mark.parametrize("tick", [False, True])
def test_a_journey_of_time_machine_is_followed_and_moved(clock: VirtualClock, mode: Any, tick: bool) -> None:
    time_machine = pytest.importorskip("time_machine")
    with time_machine.travel(datetime(2012, 1, 14, tzinfo=timezone.utc), tick=tick), virtual_time(clock, mode):
        clock.sleep(30)
        assert freezegun.api.freeze_factories == []
        assert time.time() == pytest.approx(clock.time(), abs=60)
        assert (clock.now().year, clock.now().day) == (2012, 14)
        assert 30 <= clock.elapsed < 90


class Traveller:
    """What time-machine keeps of a journey, as far as it is used here."""

    def __init__(self) -> None:
        self.instant_ns = 10**18

    def time_ns(self) -> int:
        return self.instant_ns

    def shift(self, delta: timedelta) -> None:
        self.instant_ns += delta // timedelta(microseconds=1) * 1000


@MODES
@pytest.mark.parametrize("stack", ["traveller_stack", "coordinates_stack"])
def test_a_journeys_end_leaves_the_clock_where_it_was(
    clock: VirtualClock, mode: Any, stack: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    journey = Traveller()
    time_machine = ModuleType("time_machine")
    setattr(time_machine, stack, [journey])
    monkeypatch.setitem(sys.modules, "time_machine", time_machine)
    with virtual_time(clock, mode):
        clock.advance(2.5)
        journey.shift(timedelta(seconds=1))
        assert (journey.instant_ns, clock.elapsed) == (10**18 + 3_500_000_000, 3.5)
        getattr(time_machine, stack).clear()
        clock.advance(1)
    assert (clock.elapsed, clock.now().year) == (4.5, 2001)
