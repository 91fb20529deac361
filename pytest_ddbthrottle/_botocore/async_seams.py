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
from pytest_ddbthrottle._botocore.back_off import AsyncioOfModule, BackOff, let_others_run, waits_for_dynamodb
from pytest_ddbthrottle._botocore.route import Answering, is_dynamodb

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
        await let_others_run()
        return AsyncResponse.of(request.url, installation.reply_to(request))

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
