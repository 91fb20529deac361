"""A reply that never arrives, as botocore tells of it: the exceptions of its HTTP session."""

from __future__ import annotations

from errno import ECONNRESET
from typing import Any

from botocore.exceptions import ConnectionClosedError, HTTPClientError, ReadTimeoutError
from botocore.httpsession import DEFAULT_TIMEOUT

from pytest_ddbthrottle._engine.errors import LostReply

_READ_TIMEOUT_NAMES = ("read_timeout", "sock_read", "read")
"""What the time-outs of urllib3, aiohttp and httpx call the time for a reply."""


def exception_of(lost: LostReply, request: Any) -> HTTPClientError:
    """Give what ``URLLib3Session.send`` raises: ReadTimeoutError for a timeout, ConnectionClosedError for a reset.

    Source: Observed — botocore 1.44.18, ``URLLib3Session.send``: which exception, and with what.
    """
    if lost.code == "timeout":
        return ReadTimeoutError(endpoint_url=request.url, error=TimeoutError(lost.message))
    reset = ConnectionResetError(ECONNRESET, "Connection reset by peer")
    return ConnectionClosedError(endpoint_url=request.url, request=request, error=reset)


def read_timeout_seconds(endpoint: Any) -> float:
    """Give how long an endpoint's client waits for a reply; botocore's default where it can't be told."""
    timeout = getattr(getattr(endpoint, "http_session", None), "_timeout", None)
    found = [getattr(timeout, name) for name in _READ_TIMEOUT_NAMES if hasattr(timeout, name)]
    read = timeout[1] if isinstance(timeout, tuple) else next(iter(found), timeout)
    return float(read) if isinstance(read, int | float) else float(DEFAULT_TIMEOUT)
