"""One installation: what is patched while a fake answers, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import iscoroutine
from random import Random
from types import ModuleType
from typing import Any

import botocore.endpoint
import botocore.handlers
import botocore.waiter
from botocore.credentials import RefreshableCredentials
from botocore.endpoint import Endpoint
from botocore.httpsession import URLLib3Session
from botocore.parsers import JSONParser
from botocore.regions import EndpointRulesetResolver
from botocore.session import Session
from botocore.signers import RequestSigner

from pytest_ddbthrottle._botocore import async_seams, back_off, lost_replies, parsing, route, signing
from pytest_ddbthrottle._botocore.after_import import when_imported
from pytest_ddbthrottle._botocore.calls import Calls, is_dynamodb_client, is_dynamodb_endpoint
from pytest_ddbthrottle._botocore.client_retries import ClientRetries
from pytest_ddbthrottle._botocore.moto_passthrough import MotoPassthrough
from pytest_ddbthrottle._botocore.patches import EnvironmentDefault, Patches
from pytest_ddbthrottle._botocore.reply_watch import watched
from pytest_ddbthrottle._botocore.retry_state import RetryStates, VirtualRetries
from pytest_ddbthrottle._botocore.session_defaults import default_region
from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.errors import LostReply
from pytest_ddbthrottle._wire import WireReply

Answer = Callable[[str, Mapping[str, str], bytes], WireReply]
_HANDLER = ("before-send", route.answer_when_read, botocore.handlers.REGISTER_LAST)


class Installation:
    """A fake that answers, from its making to ``uninstall``.

    Args:
        answer: called once for each attempt.
        clock: what the SDK's back-off moves.
        region: for clients with no Region configured.
        seed: of the jitter.
        time_mode: ``"virtual"``, ``"sdk"`` or ``"real"``.
        read: where to note, by a reply's request id, what the application reads of its reply.

    Attributes:
        answering: whether this one answers; false while an inner one does, and after the end.
        calls: what the threads are doing inside botocore.
    """

    def __init__(
        self,
        answer: Answer,
        clock: VirtualClock,
        *,
        region: str,
        seed: int,
        time_mode: str,
        read: dict[str, set[str]] | None = None,
    ) -> None:
        self.answering = True
        self.calls = Calls()
        self._answer = answer
        self._read = {} if read is None else read
        self._clock = clock
        self._region = region
        self._seed = seed
        self._dice = Random(seed)
        self._back_off = back_off.BackOff(clock, loops_are_virtual=time_mode == "virtual")
        self._is_virtual = time_mode != "real"
        virtual = VirtualRetries(clock, self._back_off, self._dice.random) if self._is_virtual else None
        self._retry_states = RetryStates(virtual)
        self._moto = MotoPassthrough()
        self._patches = Patches()
        self._outer = route.answering_installation()
        self._metadata_service = EnvironmentDefault("AWS_EC2_METADATA_DISABLED", "true")
        self._added_handler = _HANDLER not in botocore.handlers.BUILTIN_HANDLERS
        self._take_over()

    def reply_to(self, request: Any) -> WireReply:
        """Answer a prepared request.

        Raises:
            HTTPClientError: the script has lost the reply; a timeout's time has passed.
        """
        reply = self._ask(request)
        if reply.lost is None:
            return reply
        self._back_off.sleep(self._seconds_unread(reply.lost))
        raise lost_replies.exception_of(reply.lost, request)

    async def reply_in_task(self, request: Any) -> WireReply:
        """Answer a prepared request of an asynchronous client, as ``reply_to`` does."""
        await back_off.let_others_run()
        reply = self._ask(request)
        if reply.lost is None:
            return reply
        await self._back_off.pause(self._seconds_unread(reply.lost))
        raise lost_replies.exception_of(reply.lost, request)

    def _ask(self, request: Any) -> WireReply:
        if self.calls.endpoint is not None:
            self._retry_states.count_attempt(self.calls.endpoint)
        body = request.body or b""
        reply = self._answer(request.url, request.headers, body if isinstance(body, bytes) else bytes(body, "utf-8"))
        return reply

    def _seconds_unread(self, lost: LostReply) -> float:
        """Give how long the client has yet to wait until it knows that there is no reply."""
        if lost.code != "timeout" or lost.waited or not self._is_virtual:
            return 0
        return lost_replies.read_timeout_seconds(self.calls.endpoint)

    def forget_retries(self, seed: int | None = None) -> None:
        """Give every client the retries of a new one, and throw the jitter's dice from the start again.

        Args:
            seed: of the dice from now on; that of the installation if absent.
        """
        self._retry_states.forget()
        self._dice.seed(self._seed if seed is None else seed)

    def retries(self, client: Any) -> ClientRetries:
        """Read what a DynamoDB client's retries stand at.

        Raises:
            TypeError: it is not a DynamoDB client, nor a resource's.
            RuntimeError: another installation answers it.
        """
        client = dynamodb_client(client, "retries")
        if not self.answering:
            raise RuntimeError("retries: this fake does not answer: it was uninstalled, or a later one answers")
        return self._retry_states.of(client)

    def uninstall(self) -> None:
        """Put back everything that was patched; the installation around this one answers again.

        Raises:
            RuntimeError: it has ended already, or one installed later still answers.
        """
        if not self.answering:
            raise RuntimeError(
                "This fake does not answer: it was uninstalled already, or another one was installed after it and is "
                "installed still. Fakes end in the reverse order."
            )
        self.answering = False
        self._stop_waiting_for_aiobotocore()
        self._retry_states.forget()
        self._moto.undo()
        self._patches.undo()
        self._metadata_service.undo()
        if self._added_handler:
            botocore.handlers.BUILTIN_HANDLERS.remove(_HANDLER)
        if self._outer is not None:
            self._outer.answering = True

    def _take_over(self) -> None:
        if self._outer is not None:
            self._outer.answering = False
        if self._added_handler:
            botocore.handlers.BUILTIN_HANDLERS.append(_HANDLER)
        self._patch_route()
        self._patch_session()
        if self._is_virtual:
            self._patch_waits()
        self._moto.ensure()

    def _patch_route(self) -> None:
        replace = self._patches.replace
        replace(Endpoint, "make_request", self._make_request(Endpoint.make_request))
        replace(Endpoint, "_send", route.send_seam(self, Endpoint._send))
        replace(URLLib3Session, "send", route.send_seam(self, URLLib3Session.send))
        self._stop_waiting_for_aiobotocore = when_imported(async_seams.SESSION_MODULE, self._patch_async)

    def _patch_async(self, session_module: ModuleType) -> None:
        seams = [*async_seams.routes(self), *async_seams.signatures(self, self._clock)]
        if self._is_virtual:
            seams += async_seams.pauses(self, self._back_off)
        for owner, name, value in seams:
            self._patches.replace(owner, name, value)
        default_region(session_module.AioSession, self._region, self._patches, self._is_answering)

    def _patch_session(self) -> None:
        def wrap(owner: Any, name: str, wrapper: Callable[..., Any], *parts: Any) -> None:
            self._patches.replace(owner, name, wrapper(self.calls, *parts, getattr(owner, name)))

        wrap(RequestSigner, "get_auth_instance", signing.quick_signer, self._clock, self._is_answering)
        wrap(EndpointRulesetResolver, "construct_endpoint", signing.reading_credentials, self._is_answering)
        wrap(RefreshableCredentials, "_refresh", signing.without_refresh)
        wrap(JSONParser, "_handle_json_body", parsing.quick_body, self._is_answering)
        default_region(Session, self._region, self._patches, self._is_answering)

    def _patch_waits(self) -> None:
        def stand_in(module: Any, is_ours: Callable[[], bool]) -> None:
            self._patches.replace(module, "time", back_off.TimeOfModule(module.time, self._back_off, is_ours))

        stand_in(botocore.endpoint, lambda: self.answering and self.calls.endpoint is not None)
        stand_in(botocore.waiter, lambda: self.answering and self.calls.waits_for_dynamodb)
        waiter_class = botocore.waiter.Waiter
        wait = back_off.waiting(self.calls, self._is_answering, waiter_class.wait)
        self._patches.replace(waiter_class, "wait", wait)

    def _is_answering(self) -> bool:
        return self.answering

    def _make_request(self, original: Callable[..., Any]) -> Callable[..., Any]:
        calls = self.calls

        @wraps(original)
        def make_request(endpoint: Any, operation_model: Any, request_dict: Any) -> Any:
            if not self.answering:
                return original(endpoint, operation_model, request_dict)
            ours = endpoint if is_dynamodb_endpoint(endpoint) else None
            if ours is not None:
                self._meet(ours)
            before, calls.endpoint = calls.endpoint, ours
            try:
                answer = original(endpoint, operation_model, request_dict)
                if not iscoroutine(answer):
                    return self._watched(ours, answer)
            finally:
                calls.endpoint = before
            return self._watched_later(ours, answer)

        return make_request

    async def _watched_later(self, endpoint: Any, answer: Any) -> Any:
        return self._watched(endpoint, await async_seams.within(self, endpoint, answer))

    def _watched(self, endpoint: Any, answer: tuple[Any, Any]) -> tuple[Any, Any]:
        http, parsed = answer
        return http, parsed if endpoint is None else watched(parsed, self._read)

    def _meet(self, endpoint: Any) -> None:
        self._moto.ensure()
        if not self._retry_states.has_seen(endpoint):
            self._retry_states.first_sight(endpoint)


def dynamodb_client(client: Any, asked_by: str) -> Any:
    """Give a DynamoDB client, or a resource's.

    Raises:
        TypeError: it is neither.
    """
    found = getattr(getattr(client, "meta", None), "client", client)
    if not is_dynamodb_client(found):
        raise TypeError(f"{asked_by}: {client!r} is not a DynamoDB client or resource")
    return found


def check_client(client: Any) -> None:
    """Check that a DynamoDB client's requests are answered; see ``attach``."""
    endpoint = dynamodb_client(client, "attach")._endpoint
    if route.answering_installation() is None:
        raise RuntimeError("attach: no fake is installed, or something has replaced botocore's Endpoint._send since")
    if not route.reaches_send_seam(endpoint):
        raise RuntimeError(
            f"attach: {type(endpoint).__name__} sends by a _send of its own, which the fake can't answer; "
            "use a plain botocore client, or restore what replaced it"
        )
