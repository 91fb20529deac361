"""Whose code a call comes from, past the modules that only carry it."""

from __future__ import annotations

from types import FrameType

from pytest_ddbthrottle._time.ignored import IgnoredModules

_CARRIERS = IgnoredModules(
    ["_weakrefset", "asyncio", "concurrent", "contextlib", "pytest_ddbthrottle", "queue", "selectors", "threading"]
)
"""Between a wait and the line that asked for it there are theirs, which say nothing."""


def module_name(frame: FrameType) -> str:
    """Give the name of the module that a frame runs in."""
    return str(frame.f_globals.get("__name__", ""))


def asking_frames(frame: FrameType | None) -> tuple[FrameType | None, FrameType | None]:
    """Give the innermost frame that is no carrier's, and the carrier's that it called, if there are such."""
    carrier: FrameType | None = None
    while frame is not None and _CARRIERS.has(module_name(frame)):
        carrier, frame = frame, frame.f_back
    return frame, carrier
