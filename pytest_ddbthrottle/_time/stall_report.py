"""Who waits where, in words: each thread, and each task of its event loop, with the line of the application's."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import FrameType

UNTOLD_MODULES = ("asyncio", "concurrent", "contextlib", "pytest_ddbthrottle", "queue", "selectors", "threading")
"""Below the line that waits there are theirs, which say nothing."""


@dataclass(frozen=True, slots=True)
class Waiter:
    """A thread that waits.

    Attributes:
        thread: the thread.
        what: what for, in words.
        left_seconds: virtual seconds until its wait ends by itself; None if it does not.
    """

    thread: threading.Thread
    what: str
    left_seconds: float | None


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
        yield f"- thread {waiter.thread.name!r} waits for {waiter.what}{left}, at {where(frame)}"


def where(frame: FrameType | None) -> str:
    """Give file, line and function of the innermost frame that is the application's."""
    told = frame
    while told is not None and told.f_back is not None and _module_name(told).partition(".")[0] in UNTOLD_MODULES:
        told = told.f_back
    return "an unknown line" if told is None else place(told)


def place(frame: FrameType) -> str:
    """Give file, line and function of a frame."""
    return f"{frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_name}"


def _module_name(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))
