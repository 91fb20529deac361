"""The last section of a run: which tests were throttled, how often and by what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_ddbthrottle._engine.journal import Call
from pytest_ddbthrottle._engine.throttle.refusal import Refusal
from pytest_ddbthrottle._failures import MAX_LINES, counted, seconds_text
from pytest_ddbthrottle._resends import was_throttled


def told_of(calls: Sequence[Call], elapsed_seconds: float) -> dict[str, Any] | None:
    """Give what a run's end tells of one fake, as JSON has it; None where nothing was throttled."""
    throttled = [call for call in calls if was_throttled(call)]
    if not throttled:
        return None
    return {
        "calls": len(calls),
        "throttled": len(throttled),
        "leftovers": sum(len(call.leftovers) for call in calls),
        "seconds": elapsed_seconds,
        "causes": dict(Counter(_cause_text(refusal) for call in throttled for refusal in call.refusals)),
    }


def _cause_text(refusal: Refusal) -> str:
    resource = "/".join(filter(None, [refusal.table_name, refusal.index_name]))
    return f"{refusal.cause.value}{f' on {resource}' if resource else ''}"


def summary_lines(told: Sequence[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """Give the section's lines: the tests in order, and below each what refused, the most frequent first."""
    lines = []
    for test, of in told[:MAX_LINES]:
        left = f", {of['leftovers']} left over" if of["leftovers"] else ""
        calls = counted(of["calls"], "call")
        lines.append(f"{test}: {of['throttled']} of {calls} throttled{left}, {seconds_text(of['seconds'])}")
        causes = sorted(of["causes"].items(), key=lambda cause: (-cause[1], cause[0]))
        lines += [f"  {count} x {cause}" for cause, count in causes]
    if len(told) > MAX_LINES:
        lines.append(f"and {counted(len(told) - MAX_LINES, 'other')}")
    return lines
