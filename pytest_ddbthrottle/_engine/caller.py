"""Who made a call: the thread and task, and for what did not succeed the lines of code that led to it.

A frame is kept as its code object and its line: neither holds on to anybody's variables.
"""

from __future__ import annotations

import sys
import sysconfig
import threading
from dataclasses import dataclass
from functools import lru_cache
from os.path import basename, relpath
from types import CodeType, FrameType
from typing import NamedTuple

SDK_PACKAGES = frozenset(("aioboto3", "aiobotocore", "boto3", "botocore", "pytest_ddbthrottle"))
RUNNERS = frozenset(("_pytest", "pluggy", "pytest", "pytest_ddbthrottle", "unittest"))
"""What calls a test: the function below it is the test's own, and no part of the application."""
MAX_FRAMES = 100

_LIBRARIES = tuple({sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")})


class Frame(NamedTuple):
    """One line on the way to a call."""

    code: CodeType
    line: int
    module: str

    @property
    def is_library(self) -> bool:
        """Whether it belongs to Python or to an installed package, and not to the code under test."""
        return in_library(self.code.co_filename)

    @property
    def is_lambda(self) -> bool:
        """Whether it is a lambda's."""
        return self.code.co_name == "<lambda>"

    @property
    def is_of_tests(self) -> bool:
        """Whether its file is one that pytest takes for tests."""
        name = basename(self.code.co_filename)
        return name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py"

    def __str__(self) -> str:
        return f"{shown_path(self.code.co_filename)}:{self.line} in {self.code.co_name}"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who made a call.

    Attributes:
        worker: the thread, and the task in it or 0.
        frames: from the innermost outwards, without the SDK's own; empty for a call that succeeded.
        of_test: whether the last frame is the test function's.
    """

    worker: tuple[int, int]
    frames: tuple[Frame, ...] = ()
    of_test: bool = False

    @property
    def application(self) -> tuple[Frame, ...]:
        """The frames of the code under test next to the SDK, before any library that calls it, or the test itself.

        A file of tests that calls another file is no part of it, nor is a lambda in one.
        """
        own: list[Frame] = []
        for frame in self.frames[: len(self.frames) - self.of_test]:
            leaves_application = bool(own) and not own[-1].is_of_tests
            if frame.is_library or (frame.is_of_tests and (leaves_application or frame.is_lambda)):
                break
            own.append(frame)
        return tuple(own)

    @property
    def line(self) -> Frame | None:
        """The innermost line that is no library's; the test's own where there is no other."""
        return next((frame for frame in self.frames if not frame.is_library), None)


def worker_now() -> tuple[int, int]:
    """Give the present thread, and the task that runs in it or 0."""
    asyncio = sys.modules.get("asyncio")
    loop = asyncio._get_running_loop() if asyncio is not None else None
    return threading.get_ident(), id(asyncio.current_task(loop)) if asyncio is not None and loop is not None else 0


def caller_with_frames() -> Caller:
    """Give the present caller with the lines that led here."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _package(frame) in SDK_PACKAGES - {"boto3"}:
        frame = frame.f_back
    frames: list[Frame] = []
    while frame is not None and _package(frame) not in RUNNERS and len(frames) < MAX_FRAMES:
        frames.append(Frame(frame.f_code, frame.f_lineno, frame.f_globals.get("__name__", "")))
        frame = frame.f_back
    return Caller(worker_now(), tuple(frames), bool(frames) and frame is not None and _package(frame) in RUNNERS)


def is_sdks(frame: FrameType) -> bool:
    """Tell whether a frame is the SDK's, or ours."""
    return _package(frame) in SDK_PACKAGES


def is_tests(frame: FrameType) -> bool:
    """Tell whether a frame is the test function's own."""
    return frame.f_back is not None and _package(frame.f_back) in RUNNERS


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


@lru_cache(maxsize=1024)
def in_library(filename: str) -> bool:
    """Tell whether a file is Python's or an installed package's, or no file at all."""
    return filename.startswith(("<", *_LIBRARIES)) or "site-packages" in filename


@lru_cache(maxsize=1024)
def shown_path(filename: str) -> str:
    """Give a path as one would write it from here, where it is below."""
    try:
        path = relpath(filename)
    except ValueError:  # another drive
        return filename
    return filename if path.startswith("..") else path
