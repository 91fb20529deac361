"""Threads that sleep overlap as in life: one waits, the next goes on, and time jumps when all of them wait."""

from __future__ import annotations

import sys
import threading
import time
from _thread import start_new_thread
from collections.abc import Callable
from types import FrameType, SimpleNamespace
from typing import Any

import pytest

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.errors import Stalled
from pytest_ddbthrottle._time import virtual_time
from pytest_ddbthrottle._time.participant import State
from pytest_ddbthrottle._time.threads import room_in_force

# Made before any room is there: nothing in virtual time knows of it.
FOREIGN_LOCK = threading.Lock()


def run(*targets: Callable[[], Any]) -> None:
    """Run each in a thread of its own, and wait for all."""
    threads = [threading.Thread(target=target, name=f"worker-{n}") for n, target in enumerate(targets)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_sleeps_of_several_threads_overlap(virtual: VirtualClock) -> None:
    run(*[lambda: time.sleep(1)] * 50)
    assert virtual.elapsed == 1.0
    assert len(virtual.sleeps) == 50


def test_whoever_is_due_first_goes_first_and_of_the_same_instant_whoever_slept_first(virtual: VirtualClock) -> None:
    order: list[tuple[str, float]] = []

    def worker(name: str, seconds: float) -> Callable[[], None]:
        def work() -> None:
            for _ in range(3):
                time.sleep(seconds)
                order.append((name, virtual.elapsed))

        return work

    run(worker("c", 3), worker("b", 2), worker("a", 1))
    # At 3 s c is due as well as a, and went to sleep before it.
    assert order[:5] == [("a", 1), ("b", 2), ("a", 2), ("c", 3), ("a", 3)]
    assert order[5:] == [("b", 4), ("c", 6), ("b", 6), ("c", 9)]


def test_a_thread_begins_when_its_starter_waits(virtual: VirtualClock) -> None:
    order: list[str] = []
    thread = threading.Thread(target=order.append, args=["thread"])
    thread.start()
    order.append("starter")
    thread.join()
    assert order == ["starter", "thread"]


def test_threads_that_are_ready_take_turns_at_a_sleep_of_nothing(virtual: VirtualClock) -> None:
    order: list[str] = []

    def worker(name: str) -> Callable[[], None]:
        def work() -> None:
            for _ in range(2):
                order.append(name)
                time.sleep(0)

        return work

    run(worker("a"), worker("b"))
    assert (order, virtual.elapsed, virtual.sleeps) == (["a", "b", "a", "b"], 0.0, [])


def test_a_join_with_a_timeout_ends_in_virtual_time(virtual: VirtualClock) -> None:
    thread = threading.Thread(target=lambda: time.sleep(10))
    thread.start()
    thread.join(timeout=4)
    assert (thread.is_alive(), virtual.elapsed) == (True, 4.0)
    thread.join(timeout=60)
    assert (thread.is_alive(), virtual.elapsed) == (False, 10.0)


def test_a_thread_that_starts_a_thread_waits_for_it(virtual: VirtualClock) -> None:
    run(lambda: run(lambda: time.sleep(2), lambda: run(lambda: time.sleep(3))))
    assert virtual.elapsed == 3.0


def test_a_subclass_and_its_error_are_as_ever(virtual: VirtualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[BaseException | None] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: seen.append(args.exc_value))

    class Worker(threading.Thread):
        def run(self) -> None:
            time.sleep(1)
            raise KeyError(self.name)

    worker = Worker(name="mine")
    worker.start()
    worker.join()
    assert [repr(error) for error in seen] == ["KeyError('mine')"]
    assert "run" not in vars(worker)


def test_a_thread_is_started_once_as_ever(virtual: VirtualClock) -> None:
    thread = threading.Thread(target=lambda: None)
    with pytest.raises(RuntimeError, match="before it is started"):
        thread.join()
    thread.start()
    with pytest.raises(RuntimeError, match="can only be started once"):
        thread.start()
    thread.join()
    with pytest.raises(RuntimeError, match="current thread"):
        threading.current_thread().join()


def test_a_lock_that_nobody_here_knows_delays_and_does_not_hang(virtual: VirtualClock) -> None:
    instants: list[float] = []

    def hold() -> None:
        with FOREIGN_LOCK:
            time.sleep(5)

    def want() -> None:
        time.sleep(1)
        with FOREIGN_LOCK:
            instants.append(virtual.elapsed)

    run(hold, want)
    assert instants == [5.0]


def test_a_thread_from_before_that_sleeps_takes_part_from_then_on(clock: VirtualClock) -> None:
    go, slept = threading.Event(), threading.Event()

    def work() -> None:
        go.wait()
        time.sleep(30)
        slept.set()

    thread = threading.Thread(target=work)
    thread.start()
    with virtual_time(clock, "virtual"):
        go.set()
        while not slept.is_set():
            time.sleep(1)
        assert clock.elapsed >= 30
    thread.join()


def test_a_thread_that_outlives_the_block_sleeps_on_really(
    clock: VirtualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    with virtual_time(clock, "virtual"):
        thread = threading.Thread(target=lambda: time.sleep(60))
        thread.start()
        time.sleep(20)
    thread.join()
    assert (slept, clock.elapsed) == ([40.0], 20.0)


def test_threads_are_as_they_were_afterwards(clock: VirtualClock) -> None:
    names = ("start", "join", "_bootstrap_inner")
    before = [vars(threading.Thread)[name] for name in names]
    with virtual_time(clock, "virtual"), virtual_time(VirtualClock(), "sdk"):
        assert vars(threading.Thread)["start"] is not before[0]
    assert [vars(threading.Thread)[name] for name in names] == before


def test_two_that_wait_for_each_others_end_are_told_so(virtual: VirtualClock) -> None:
    threads: list[threading.Thread] = []
    for n in range(2):
        threads.append(threading.Thread(target=lambda n=n: threads[1 - n].join(), name=f"worker-{n}"))
    for thread in threads:
        thread.start()
    time.sleep(0)
    with pytest.raises(Stalled) as caught:
        threads[0].join()
    lines = str(caught.value).splitlines()
    assert lines[0] == (
        "Nothing can move at 0 s of virtual time: every thread waits, and none for a time that will come."
    )
    assert lines[1].startswith(f"- thread 'MainThread' waits for the end of thread 'worker-0', at {__file__}:")
    assert lines[2].startswith(f"- thread 'worker-0' waits for the end of thread 'worker-1', at {__file__}:")
    assert lines[2].endswith(" in <lambda>")
    assert lines[-1] == "docs/how-to/time.md#when-nothing-can-move"


def test_in_sdk_mode_threads_share_the_clock_that_the_sdk_moves(clock: VirtualClock) -> None:
    with virtual_time(clock, "sdk"):
        run(*[lambda: clock.sleep(7, "sdk")] * 8)
    assert clock.elapsed == 7.0


def test_a_thread_that_begins_while_the_minder_looks_has_not_ended(
    virtual: VirtualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    room: Any = room_in_force()
    thread: Any = threading.Thread()

    def frames_just_before_it_begins() -> dict[int, FrameType]:
        frames = sys._current_frames()
        thread._ident = -1
        return frames

    seen = SimpleNamespace(_current_frames=frames_just_before_it_begins)
    with room.mutex:
        room.enter(thread)
        monkeypatch.setattr("pytest_ddbthrottle._time.minder.sys", seen)
        room.minder.tick()
        monkeypatch.undo()
        assert id(thread) in room.participants
        room.leave(thread)


def test_a_thread_that_is_taken_for_ended_while_it_waits_goes_on(virtual: VirtualClock) -> None:
    room: Any = room_in_force()
    order: list[str] = []
    thread = threading.Thread(target=order.append, args=["thread"])
    thread.start()
    while room.participants[id(thread)].state is State.RUNNING:
        pass
    room.leave(thread)
    thread.join()
    assert order == ["thread"]


def test_an_end_between_the_look_at_a_thread_and_the_wait_for_it_is_not_missed(virtual: VirtualClock) -> None:
    room: Any = room_in_force()
    thread = threading.Thread()

    class Joiners(list[Any]):
        def append(self, joiner: Any) -> None:
            start_new_thread(lambda: (room.leave(thread), FOREIGN_LOCK.release()), ())
            FOREIGN_LOCK.acquire(timeout=0.02)
            super().append(joiner)

    room.enter(thread).joiners = Joiners()
    with FOREIGN_LOCK:
        assert room.wait_for_end(thread, None)
        # If it can't leave in between, it is the one that releases.
        FOREIGN_LOCK.acquire(timeout=5)
