"""Where requests are caught: the two send seams, and the handler for those that avoid both.

Each wrapper finds its installation in its closure and passes on while that one does not answer, because an inner one
does or because it has ended.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol

from botocore.endpoint import Endpoint

from pytest_ddbthrottle._botocore.answer import ResponseWhenRead, response
from pytest_ddbthrottle._botocore.calls import Calls
from pytest_ddbthrottle._wire import TARGET_PREFIXES, WireReply

_TARGETS = tuple(prefix.encode() for prefix in TARGET_PREFIXES)


class Answering(Protocol):
    """What the route needs of an installation."""

    answering: bool
    calls: Calls

    def reply_to(self, request: Any) -> WireReply:
        """Answer a prepared request."""

    async def reply_in_task(self, request: Any) -> WireReply:
        """Answer a prepared request of an asynchronous client."""


def is_dynamodb(request: Any) -> bool:
    """Tell whether a request is one of DynamoDB or DynamoDB Streams, by its target."""
    target = request.headers.get("X-Amz-Target")
    if target is None:
        return False
    return (target if isinstance(target, bytes) else str(target).encode()).startswith(_TARGETS)


def send_seam(installation: Answering, original: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap ``Endpoint._send`` or an HTTP session's ``send``; the wrapper bears its ``installation``."""

    @wraps(original)
    def send(self: Any, request: Any) -> Any:
        if installation.answering and is_dynamodb(request):
            return response(request.url, installation.reply_to(request))
        return original(self, request)

    send.installation = installation  # type: ignore[attr-defined]
    return send


def answering_installation(owner: Any = Endpoint) -> Answering | None:
    """Give the installation whose wrapper is a class's ``_send``, or None: a module-level handler has no closure."""
    installation: Answering | None = getattr(owner._send, "installation", None)
    return installation if installation is not None and installation.answering else None


def answer_when_read(request: Any, **_: Any) -> Any:
    """Handle ``before-send``, registered last: the answer for whoever emits the event and never reaches a send seam.

    Dormant while nothing is installed. A call through an endpoint whose ``_send`` is ours is left to that.
    """
    installation = answering_installation()
    if installation is None or reaches_send_seam(installation.calls.endpoint) or not is_dynamodb(request):
        return None
    return ResponseWhenRead(request.url, lambda: installation.reply_to(request))


def reaches_send_seam(endpoint: Any) -> bool:
    """Tell whether an endpoint, or None, sends by the ``_send`` that is patched."""
    if endpoint is None or "_send" in vars(endpoint):
        return False
    return answering_installation(type(endpoint)) is not None
