"""``ddb_strict``: a DynamoDB request that no fake answers ends the test before it leaves the process."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import ModuleType
from typing import Any

from pytest_ddbthrottle._botocore.after_import import when_imported
from pytest_ddbthrottle._botocore.patches import Patches
from pytest_ddbthrottle._engine.caller import caller_with_frames
from pytest_ddbthrottle._engine.errors import NoFake

_ASYNC_SESSIONS = {"aiobotocore.httpsession": "AIOHTTPSession", "aiobotocore.httpxsession": "HttpxSession"}
"""Modules, and what sends there."""
_SIGNERS = {"botocore.auth": "SigV4Auth", "botocore.crt.auth": "CrtSigV4Auth"}
"""Modules, and what signs there, which comes first: where there are no credentials nothing is sent at all."""


def forbid_calls_without_fake() -> Callable[[], None]:
    """Forbid them from now on, or from when the SDK is imported.

    A fake that is installed answers before this is asked; so do botocore's ``Stubber`` and moto.

    Returns:
        The way to allow them again.
    """
    patches = Patches()

    def guard(module: ModuleType) -> None:
        patches.replace(module.Endpoint, "_send", _guarded(module.Endpoint._send))
        session = module.URLLib3Session
        patches.replace(session, "send", _guarded(session.send))

    def guard_async(module: ModuleType) -> None:
        session = getattr(module, _ASYNC_SESSIONS[module.__name__])
        patches.replace(session, "send", _guarded(session.send))

    def guard_signer(module: ModuleType) -> None:
        signer = getattr(module, _SIGNERS[module.__name__])
        patches.replace(signer, "add_auth", _guarded_without_credentials(signer.add_auth))

    stops = [
        when_imported("botocore.endpoint", guard),
        *(when_imported(name, guard_async) for name in _ASYNC_SESSIONS),
        *(when_imported(name, guard_signer) for name in _SIGNERS),
    ]

    def allow() -> None:
        for stop in stops:
            stop()
        patches.undo()

    return allow


def _guarded(original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def send(self: Any, request: Any) -> Any:
        from pytest_ddbthrottle._botocore.route import is_dynamodb

        if is_dynamodb(request):
            raise NoFake(_text(request))
        return original(self, request)

    return send


def _guarded_without_credentials(original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def add_auth(self: Any, request: Any) -> Any:
        from pytest_ddbthrottle._botocore.route import is_dynamodb

        if self.credentials is None and is_dynamodb(request):
            raise NoFake(_text(request))
        return original(self, request)

    return add_auth


def _text(request: Any) -> str:
    target = request.headers["X-Amz-Target"]
    operation = (target.decode() if isinstance(target, bytes) else str(target)).rpartition(".")[2]
    line = caller_with_frames().line
    return (
        f"{operation} was sent to {request.url} with no fake installed{f', at {line}' if line else ''}: under ddb_strict "
        "no DynamoDB request leaves the process.\n"
        "Let the test use ddb_fake, or set ddb_strict = false; docs/how-to/audit.md#strict"
    )
