"""aiobotocore's clients on the same route: where they send, sign and wait, as a table of what is replaced there.

aiobotocore inherits from botocore, so that what is patched there reaches its clients too, but for the methods that it has
made coroutine functions. Those are the table. No version is asked for: what a version lacks is left out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial, wraps
from typing import Any

from pytest_ddbthrottle._botocore.answer import AsyncResponse
from pytest_ddbthrottle._botocore.back_off import AsyncioOfModule, BackOff, waits_for_dynamodb
from pytest_ddbthrottle._botocore.route import Answering, is_dynamodb
from pytest_ddbthrottle._botocore.signing import QuickAuth, signs_for_dynamodb
from pytest_ddbthrottle._engine.clock import VirtualClock

SESSION_MODULE = "aiobotocore.session"
"""When it has been imported, so have the others."""

Wrapper = Callable[[Callable[..., Any]], Callable[..., Any]]
Seam = tuple[Any, str, Any]
"""A class or a module, the name of an attribute, and what stands there while a fake answers."""


def routes(installation: Answering) -> Iterator[Seam]:
    """Give the seams at which requests are answered."""
    send = partial(_send, installation)
    yield from _wrapped("aiobotocore.endpoint", "AioEndpoint", "_send", send)
    yield from _wrapped("aiobotocore.httpsession", "AIOHTTPSession", "send", send)
    yield from _wrapped("aiobotocore.httpxsession", "HttpxSession", "send", send)


def signatures(installation: Answering, clock: VirtualClock) -> Iterator[Seam]:
    """Give the seams at which requests are signed and credentials are read."""
    yield from _wrapped(
        "aiobotocore.signers", "AioRequestSigner", "get_auth_instance", partial(_quick_signer, installation, clock)
    )
    yield from _wrapped(
        "aiobotocore.regions", "AioEndpointRulesetResolver", "construct_endpoint", partial(_endpoint, installation)
    )
    yield from _wrapped(
        "aiobotocore.credentials", "AioRefreshableCredentials", "_refresh", partial(_without_refresh, installation)
    )


def pauses(installation: Answering, back_off: BackOff) -> Iterator[Seam]:
    """Give the seams at which the SDK waits."""
    calls = installation.calls

    def backs_off() -> bool:
        return installation.answering and calls.endpoint is not None

    def waits() -> bool:
        return installation.answering and calls.waits_for_dynamodb

    yield from _asyncio_of("aiobotocore.endpoint", back_off, backs_off)
    yield from _asyncio_of("aiobotocore.waiter", back_off, waits)
    yield from _wrapped("aiobotocore.endpoint", "AnyioEndpoint", "_sleep", partial(_sleep, back_off, backs_off))
    yield from _wrapped("aiobotocore.waiter", "AnyioWaiter", "_sleep", partial(_sleep, back_off, waits))
    yield from _wrapped("aiobotocore.waiter", "AIOWaiter", "wait", partial(_wait, installation))


async def within(installation: Answering, endpoint: Any, answer: Any) -> Any:
    """Await a call through an endpoint, which may be None for another service's."""
    calls = installation.calls
    before, calls.endpoint = calls.endpoint, endpoint
    try:
        return await answer
    finally:
        calls.endpoint = before


def _wrapped(module_name: str, class_name: str, name: str, wrapper: Wrapper) -> Iterator[Seam]:
    owner = getattr(sys.modules.get(module_name), class_name, None)
    if owner is not None and name in vars(owner):
        yield owner, name, wrapper(vars(owner)[name])


def _asyncio_of(module_name: str, back_off: BackOff, is_ours: Callable[[], bool]) -> Iterator[Seam]:
    module = sys.modules.get(module_name)
    if module is not None:
        yield module, "asyncio", AsyncioOfModule(vars(module)["asyncio"], back_off, is_ours)


def _send(installation: Answering, original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    async def send(self: Any, request: Any) -> Any:
        if not installation.answering or not is_dynamodb(request):
            return await original(self, request)
        return AsyncResponse.of(request.url, await installation.reply_in_task(request))

    send.installation = installation  # type: ignore[attr-defined]
    return send


def _sleep(back_off: BackOff, is_ours: Callable[[], bool], original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    async def sleep(self: Any, sleep_amount: float) -> None:
        await (back_off.pause(sleep_amount) if is_ours() else original(self, sleep_amount))

    return sleep


def _wait(installation: Answering, original: Callable[..., Any]) -> Callable[..., Any]:
    calls = installation.calls

    @wraps(original)
    async def wait(self: Any, **named: Any) -> Any:
        if not installation.answering:
            return await original(self, **named)
        before, calls.waits_for_dynamodb = calls.waits_for_dynamodb, waits_for_dynamodb(self)
        try:
            return await original(self, **named)
        finally:
            calls.waits_for_dynamodb = before

    return wait


def _quick_signer(installation: Answering, clock: VirtualClock, original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    async def get_auth_instance(
        self: Any, signing_name: str, region_name: str, signature_version: str | None = None, **rest: Any
    ) -> Any:
        if not installation.answering or not signs_for_dynamodb(self, signing_name, signature_version):
            return await original(self, signing_name, region_name, signature_version, **rest)
        credentials = rest.get("request_credentials") or self._credentials
        if credentials is not None:
            credentials = await _reading_credentials(installation, credentials.get_frozen_credentials())
        return QuickAuth.of(credentials, region_name, clock)

    return get_auth_instance


def _endpoint(installation: Answering, original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    async def construct_endpoint(self: Any, operation_model: Any, *rest: Any, **named: Any) -> Any:
        found = original(self, operation_model, *rest, **named)
        if operation_model.service_model.signing_name != "dynamodb" or not installation.answering:
            return await found
        return await _reading_credentials(installation, found)

    return construct_endpoint


async def _reading_credentials(installation: Answering, found: Any) -> Any:
    calls = installation.calls
    calls.reads_credentials = True
    try:
        return await found
    finally:
        calls.reads_credentials = False


def _without_refresh(installation: Answering, original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    async def _refresh(self: Any) -> None:
        if not installation.calls.reads_credentials:
            await original(self)

    return _refresh
