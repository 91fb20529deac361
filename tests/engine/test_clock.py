"""The clock: integers, forwards, and another calendar where somebody else keeps it."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from pytest_ddbthrottle._engine.clock import DEFAULT_START, Sleep, VirtualClock


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.mark.parametrize(
    "start",
    [
        "2026-01-01T00:00:00Z",
        "2026-01-01",
        datetime(2026, 1, 1),
        datetime(2026, 1, 1, 1, tzinfo=timezone(timedelta(hours=1))),
    ],
)
def test_a_start_is_text_or_a_datetime_of_any_zone(start: datetime | str) -> None:
    assert VirtualClock(start).now() == DEFAULT_START


def test_it_stands_still_until_moved(clock: VirtualClock) -> None:
    assert (clock.now(), clock.time(), clock.now_ns()) == (DEFAULT_START, 1767225600.0, 1767225600 * 10**9)
    assert (clock.elapsed, clock.elapsed_ns) == (0.0, 0)


def test_ten_steps_of_a_tenth_are_one_second(clock: VirtualClock) -> None:
    for _ in range(10):
        clock.advance(0.1)
    assert clock.elapsed == 1.0


@pytest.mark.parametrize(
    ("duration", "elapsed_ns"),
    [(2, 2 * 10**9), (1e-9, 1), (timedelta(days=1, microseconds=3), 86_400_000_003_000), (0, 0)],
)
def test_advance_takes_seconds_or_a_timedelta(
    clock: VirtualClock, duration: float | timedelta, elapsed_ns: int
) -> None:
    clock.advance(duration)
    assert clock.elapsed_ns == elapsed_ns


@pytest.mark.parametrize("instant", ["2026-01-01T00:01:00Z", datetime(2026, 1, 1, 0, 1)])
def test_it_moves_to_an_instant(clock: VirtualClock, instant: datetime | str) -> None:
    clock.move_to(instant)
    assert clock.elapsed == 60.0


def test_it_does_not_go_back(clock: VirtualClock) -> None:
    with pytest.raises(ValueError, match=r"can't go back: advance\(-1.0 s\)"):
        clock.advance(-1)
    with pytest.raises(ValueError, match=r"can't go back: move_to\(2025-12-31\) at 2026-01-01T00:00:00\+00:00"):
        clock.move_to("2025-12-31")
    with pytest.raises(ValueError, match="can't go back"):
        clock.sleep(-1)


def test_a_sleep_is_recorded_with_when_how_long_and_whose(clock: VirtualClock) -> None:
    clock.sleep(1.5, "sdk")
    clock.sleep(2)
    assert clock.sleeps == [Sleep(0.0, 1.5, "sdk"), Sleep(1.5, 2, "application")]
    assert clock.elapsed == 3.5


@pytest.mark.parametrize(
    ("seconds", "elapsed_ns"), [(1e-7, 1000), (2e-10, 1000), (1e-300, 1000), (1.0000001, 1_000_001_000), (0, 0)]
)
def test_a_sleep_is_rounded_up_to_a_microsecond(clock: VirtualClock, seconds: float, elapsed_ns: int) -> None:
    clock.sleep(seconds)
    assert clock.elapsed_ns == elapsed_ns


@pytest.mark.parametrize("seconds", [1e-7, 2.4e-7, 1e-12])
def test_every_sleep_is_seen_on_a_float_clock(clock: VirtualClock, seconds: float) -> None:
    before = clock.time()
    clock.sleep(seconds)
    assert clock.time() > before


def test_who_wants_to_is_told_of_each_move_until_stopped(clock: VirtualClock) -> None:
    told: list[int] = []
    stop = clock.on_move(told.append)
    clock.advance(1)
    clock.sleep(1)
    stop()
    clock.advance(1)
    assert told == [1767225601 * 10**9, 1767225602 * 10**9]


def test_restore_goes_back_and_takes_the_elapsed_time_back(clock: VirtualClock) -> None:
    clock.advance(1)
    now_ns = clock.now_ns()
    clock.advance(5)
    clock.restore(now_ns)
    assert clock.elapsed == 1.0


def test_rebase_changes_the_calendar_and_no_time_passes(clock: VirtualClock) -> None:
    clock.advance(3)
    clock.rebase(0)
    clock.advance(1)
    assert (clock.now(), clock.elapsed) == (datetime(1970, 1, 1, 0, 0, 1, tzinfo=timezone.utc), 4.0)


def test_it_follows_an_outside_time_that_goes_on(clock: VirtualClock) -> None:
    outside = [clock.now_ns()]
    clock.follow(lambda: outside[0])
    outside[0] += 2 * 10**9
    assert clock.elapsed == 2.0


def test_an_outside_time_that_goes_back_is_another_calendar(clock: VirtualClock) -> None:
    outside = [clock.now_ns()]
    clock.follow(lambda: outside[0])
    clock.advance(2)
    outside[0] = 10**9
    assert (clock.now_ns(), clock.elapsed) == (10**9, 2.0)


def test_what_is_below_a_microsecond_outside_does_not_move_it(clock: VirtualClock) -> None:
    clock.advance_ns(700)
    clock.follow(lambda: 1767225600 * 10**9)
    assert clock.elapsed_ns == 700


def test_no_outside_time_leaves_it_where_it_is(clock: VirtualClock) -> None:
    clock.follow(lambda: None)
    clock.advance(1)
    assert clock.elapsed == 1.0


def test_the_last_of_the_outside_time_is_taken_when_it_is_let_go(clock: VirtualClock) -> None:
    outside = [clock.now_ns()]
    clock.follow(lambda: outside[0])
    outside[0] += 10**9
    clock.follow(None)
    assert clock.elapsed == 1.0
