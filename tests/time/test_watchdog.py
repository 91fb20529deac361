"""What gets nowhere in real time is said, with thread, task and line: it fails, or is reported where no error reaches."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.errors import Stalled
from pytest_ddbthrottle._time import virtual_time
from pytest_ddbthrottle._time.participant import Gate
from pytest_ddbthrottle._time.threads import room_in_force

SOON = 0.02
FOREIGN_LOCK = threading.Lock()


def daemon(target: Callable[[], Any]) -> threading.Thread:
    thread = threading.Thread(target=target, name="worker", daemon=True)
    thread.start()
    return thread


def poll_for_ever() -> None:
    while True:
        time.sleep(0.1)


def test_a_poller_beside_one_that_waits_for_ever_is_found_out() -> None:
    clock, event = VirtualClock(), threading.Event()
    with virtual_time(clock, "virtual", stall_seconds=SOON):
        poller = daemon(poll_for_ever)
        with pytest.raises(Stalled) as caught:
            event.wait()
        poller.join()
    lines = str(caught.value).splitlines()
    assert lines[0].endswith("time passes, the same waits end again and again, and nothing comes of it.")
    assert lines[1].startswith(f"- thread 'MainThread' waits for a lock (Event.wait), at {__file__}:")
    assert lines[2].startswith("- thread 'worker' waits for 0.1 s to pass, 0.1 s more, at ")
    assert lines[2].endswith(" in poll_for_ever")


def test_a_lone_poller_is_found_out_too() -> None:
    with virtual_time(VirtualClock(), "virtual", stall_seconds=SOON), pytest.raises(Stalled, match="in poll_for_ever"):
        poll_for_ever()


def test_a_task_that_polls_for_ever_is_found_out_too() -> None:
    async def poll() -> None:
        while True:
            await asyncio.sleep(0.1)

    async def main() -> None:
        await asyncio.gather(asyncio.create_task(poll(), name="poller"), asyncio.Event().wait())

    with virtual_time(VirtualClock(), "virtual", stall_seconds=SOON), pytest.raises(Stalled) as caught:
        asyncio.run(main())
    assert f"  - task 'poller' waits at {__file__}:" in str(caught.value)


@pytest.mark.parametrize(("stall_seconds", "answers"), [(0, False), (SOON, True)], ids=["no watchdog", "calls go on"])
def test_a_long_wait_that_gets_somewhere_is_let_be(stall_seconds: float, answers: bool) -> None:
    clock, calls = VirtualClock(), [0]
    with virtual_time(clock, "virtual", stall_seconds=stall_seconds, answered=lambda: calls[0]):
        for _ in range(5000):
            calls[0] += answers
            time.sleep(1)
    assert clock.elapsed == 5000.0


def test_whoever_waits_in_vain_for_a_thread_from_before_is_told_after_a_while() -> None:
    end, never = threading.Event(), threading.Event()
    stranger = daemon(end.wait)
    with virtual_time(VirtualClock(), "virtual", stall_seconds=SOON), pytest.raises(Stalled, match=r"Event\.wait"):
        never.wait()
    end.set()
    stranger.join()


def test_a_loop_that_waits_in_vain_for_input_is_told_after_a_while() -> None:
    ours, theirs = socket.socketpair()

    async def main() -> None:
        reader, writer = await asyncio.open_connection(sock=ours)
        try:
            await reader.read()
        finally:
            writer.close()

    with virtual_time(VirtualClock(), "virtual", stall_seconds=SOON), pytest.raises(Stalled, match="in main"):
        asyncio.run(main())
    theirs.close()


def test_who_is_stuck_outside_is_reported_where_nobody_captures(tmp_path: Path) -> None:
    told = tmp_path / "notices"
    notice_fd = os.open(told, os.O_WRONLY | os.O_CREAT)
    with virtual_time(VirtualClock(), "virtual", stall_seconds=SOON, notice_fd=notice_fd):
        event = threading.Event()

        def hold() -> None:
            with FOREIGN_LOCK:
                event.wait()

        holder = daemon(hold)
        time.sleep(1)
        room: Any = room_in_force()
        room.minder._notify = lambda text, notify=room.minder._notify: (notify(text), event.set())
        with FOREIGN_LOCK:
            pass
        holder.join()
    os.close(notice_fd)
    lines = told.read_text().splitlines()
    assert lines[2].startswith(f"- thread 'MainThread' waits for something outside of virtual time, at {__file__}:")
    assert lines[3].startswith(f"- thread 'worker' waits for a lock (Event.wait), at {__file__}:")
    assert lines[3].endswith(" in hold")


def test_a_turn_that_never_waits_lets_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_ddbthrottle._time.minder.LONG_TURN_SECONDS", SOON)
    with virtual_time(VirtualClock(), "virtual"):
        done: list[int] = []
        thread = daemon(lambda: done.append(1))
        while not done:
            pass
        thread.join()


def test_the_watchdogs_error_is_the_failure_of_the_test_and_the_next_test_runs(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import threading

        def test_hangs(ddb_fake):
            threading.Thread(target=threading.Event().wait).start()
            threading.Event().wait()

        def test_next(ddb_fake): pass
        """
    )
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=1)
    assert "INTERNALERROR" not in result.stdout.str()
    result.stdout.fnmatch_lines(
        [
            "E *Stalled: Nothing can move at 0 s of virtual time: every thread waits, and none for a time that will come.",
            "E *- thread 'MainThread' waits for a lock (Event.wait), at *test_the_watchdogs_error*.py:5 in test_hangs",
            "E *- thread 'Thread-*' waits for a lock, at *",
        ]
    )


def test_a_turn_that_got_lost_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Gate] = []

    def open_all_but_the_first(gate: Gate) -> None:
        opened.append(gate)
        if len(opened) > 1:
            really_open(gate)

    really_open = Gate.open
    with virtual_time(VirtualClock(), "virtual", stall_seconds=SOON):
        worker = daemon(lambda: time.sleep(1))
        monkeypatch.setattr(Gate, "open", open_all_but_the_first)
        with pytest.raises(Stalled, match="thread 'worker' waits"):
            worker.join()


def test_an_error_of_who_is_told_of_the_time_is_raised_where_the_time_was_waited_for() -> None:
    clock, end = VirtualClock(), threading.Event()

    def fails(now_ns: int) -> None:
        raise RuntimeError("the mover can't follow")

    with virtual_time(clock, "virtual"):
        # Somebody outside might end the wait, so that the one who looks now and then moves the time.
        stranger = daemon(lambda: FOREIGN_LOCK.acquire(timeout=20) and FOREIGN_LOCK.release())
        FOREIGN_LOCK.acquire()
        stop = clock.on_move(fails)
        try:
            with pytest.raises(RuntimeError, match="the mover can't follow"):
                end.wait(1)
        finally:
            stop()
            FOREIGN_LOCK.release()
        stranger.join()
