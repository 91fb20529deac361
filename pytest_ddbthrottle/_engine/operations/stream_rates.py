"""How often streams may be looked at and read."""

from __future__ import annotations

from pytest_ddbthrottle._engine.control_plane.lifecycle import is_realistic
from pytest_ddbthrottle._engine.errors import ThrottlingException
from pytest_ddbthrottle._engine.limits import STREAM_CALLS_PER_SECOND
from pytest_ddbthrottle._engine.operations.context import Context

RATE_EXCEEDED = "Rate exceeded"
"""Source: Observed — a public report of 2018."""


def check_look_rate(context: Context, operation_name: str) -> None:
    """Check that streams were not listed or described too often of late, and count this call.

    As the other rates of the control plane it holds under ``lifecycle="realistic"``.

    Raises:
        ThrottlingException
    """
    if is_realistic(context):
        check_call_rate(context, operation_name, STREAM_CALLS_PER_SECOND[operation_name])


def check_call_rate(context: Context, what: str, per_second: int) -> None:
    """Check that there were not too many calls of a kind of late, and count this one.

    Raises:
        ThrottlingException
    """
    if not context.admit_call(what, per_second):
        raise ThrottlingException(RATE_EXCEEDED)
