"""Who waits where, in words: each thread with the line of the application's that asked for its wait."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any

from pytest_ddbthrottle._time.callers import asking_frames

A_LOCK = "a lock"
MOST_TASKS = 20


@dataclass(frozen=True, slots=True)
class Waiter:
    """A thread that waits.

    Attributes:
        thread: the thread.
        what: what for, in words.
        left_seconds: virtual seconds until its wait ends by itself; None if it does not.
        loop: the event loop that it runs, or None.
    """

    thread: threading.Thread
    what: str
    left_seconds: float | None
    loop: Any = None


def stall_text(elapsed_seconds: float, waiters: Sequence[Waiter]) -> str:
    """Say that nothing can move, and who waits for what."""
    timed = any(waiter.left_seconds is not None for waiter in waiters)
    how = (
        "time passes, the same waits end again and again, and nothing comes of it."
        if timed
        else "every thread waits, and none for a time that will come."
    )
    lines = "\n".join(_lines(waiters))
    return (
        f"Nothing can move at {elapsed_seconds:g} s of virtual time: {how}\n{lines}\n"
        "Let somebody set, put or release what is waited for, or wait with a timeout; with ddb_clock=real every wait is "
        "real.\ndocs/how-to/time.md#when-nothing-can-move"
    )


def _lines(waiters: Iterable[Waiter]) -> Iterator[str]:
    frames = sys._current_frames()
    for waiter in waiters:
        frame = frames.get(waiter.thread.ident or 0)
        left = "" if waiter.left_seconds is None else f", {waiter.left_seconds:g} s more"
        what = f"{waiter.what}{_by(frame)}" if waiter.what == A_LOCK else waiter.what
        yield f"- thread {waiter.thread.name!r} waits for {what}{left}, at {where(frame)}"
        if waiter.loop is not None:
            yield from _task_lines(waiter.loop)


def _task_lines(loop: Any) -> Iterator[str]:
    tasks = sorted(sys.modules["asyncio"].all_tasks(loop), key=lambda task: (len(task.get_name()), task.get_name()))
    for task in tasks[:MOST_TASKS]:
        yield f"  - task {task.get_name()!r} waits at {_task_place(task)}"
    if len(tasks) > MOST_TASKS:
        yield f"  - and {len(tasks) - MOST_TASKS} tasks more"


def _task_place(task: Any) -> str:
    """Give the innermost line of the application's among the coroutines that a task awaits."""
    told: FrameType | None = None
    coroutine = task.get_coro()
    while coroutine is not None:
        frame = getattr(coroutine, "cr_frame", None) or getattr(coroutine, "gi_frame", None)
        if frame is not None and (told is None or asking_frames(frame)[0] is frame):
            told = frame
        coroutine = getattr(coroutine, "cr_await", None) or getattr(coroutine, "gi_yieldfrom", None)
    return "an unknown line" if told is None else place(told)


def where(frame: FrameType | None) -> str:
    """Give file, line and function of the innermost frame that is the application's."""
    asking, _ = asking_frames(frame)
    told = asking or frame
    return "an unknown line" if told is None else place(told)


def place(frame: FrameType) -> str:
    """Give file, line and function of a frame."""
    return f"{frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_name}"


def _by(frame: FrameType | None) -> str:
    """Give the call by which the application waits, if its name says more than that it is a lock's."""
    _, carrier = asking_frames(frame)
    if carrier is None or carrier.f_code.co_name.startswith("_") or "self" not in carrier.f_locals:
        return ""
    kind = type(carrier.f_locals["self"])
    return "" if kind.__module__.startswith("pytest_ddbthrottle") else f" ({kind.__name__}.{carrier.f_code.co_name})"
