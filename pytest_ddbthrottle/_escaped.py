"""What escaped from the code under test, and where that code was: an exception, or a thread that does not come back."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from pytest_ddbthrottle._resends import CANCELLED, THROTTLE_ERRORS

NOT_THE_APPLICATION = ("_pytest", "boto3", "botocore", "s3transfer", "pytest_ddbthrottle")
_MAX_CHARACTERS = 160


def is_by_throttling(error: BaseException) -> bool:
    """Tell whether an error, or one that it was raised from, is a client's for want of capacity."""
    return any(map(_is_throttle, _chain(error)))


def told(error: BaseException) -> str:
    """Give an error's class, its first line, and the application's line that it came from."""
    lines = str(error).strip().splitlines()
    place = place_of(error)
    text = f"{type(error).__name__}{f' at {place}' if place else ''}"
    return shortened(f"{text}: {lines[0]}" if lines else text)


def place_of(error: BaseException) -> str | None:
    """Give the last line of the application in an error's traceback, as ``file.py:12``."""
    place = None
    traceback: TracebackType | None = error.__traceback__
    while traceback is not None:
        if _is_application(traceback.tb_frame):
            place = _place(traceback.tb_frame, traceback.tb_lineno)
        traceback = traceback.tb_next
    return place


def place_in_stack(frame: FrameType | None) -> str | None:
    """Give the application's line that a frame is at, or was called from."""
    while frame is not None:
        if _is_application(frame) and _top(frame) not in sys.stdlib_module_names:
            return _place(frame, frame.f_lineno)
        frame = frame.f_back
    return None


def shortened(text: str) -> str:
    """Give a text that fits a report."""
    return text if len(text) <= _MAX_CHARACTERS else text[: _MAX_CHARACTERS - 1] + "…"


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__


def _is_throttle(error: BaseException) -> bool:
    response: Any = getattr(error, "response", None)
    code = response.get("Error", {}).get("Code") if isinstance(response, dict) else None
    return code in THROTTLE_ERRORS or code == CANCELLED


def _is_application(frame: FrameType) -> bool:
    return _top(frame) not in NOT_THE_APPLICATION


def _top(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def _place(frame: FrameType, line: int) -> str:
    return f"{Path(frame.f_code.co_filename).name}:{line}"
