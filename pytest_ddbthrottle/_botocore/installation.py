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
from pytest_ddbthrottle._botocore.moto_passthrough import MotoPassthrough
from pytest_ddbthrottle._botocore.patches import EnvironmentDefault, Patches
from pytest_ddbthrottle._botocore.retry_state import RetryStates, VirtualRetries
from pytest_ddbthrottle._botocore.session_defaults import default_region
from pytest_ddbthrottle._engine.clock import VirtualClock
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

    Attributes:
        answering: whether this one answers; false while an inner one does, and after the end.
        calls: what the threads are doing inside botocore.
    """

    def __init__(self, answer: Answer, clock: VirtualClock, *, region: str, seed: int, time_mode: str) -> None:
        self.answering = True
        self.calls = Calls()
        self._answer = answer
        self._clock = clock
        self._seed = seed
        self._dice = Random(seed)
        self._back_off = back_off.BackOff(clock)
        self._is_virtual = time_mode != "real"
        virtual = VirtualRetries(clock, self._back_off, self._dice.random) if self._is_virtual else None
        self._retry_states = RetryStates(virtual)
        self._moto = MotoPassthrough()
        self._patches = Patches()
        self._outer = route.answering_installation()
        self._metadata_service = EnvironmentDefault("AWS_EC2_METADATA_DISABLED", "true")
        self._added_handler = _HANDLER not in botocore.handlers.BUILTIN_HANDLERS
        self._take_over(region)

    def reply_to(self, request: Any) -> WireReply:
        """Answer a prepared request.

        Raises:
            HTTPClientError: the script has lost the reply; a timeout's time has passed.
        """
        body = request.body or b""
        reply = self._answer(request.url, request.headers, body if isinstance(body, bytes) else bytes(body, "utf-8"))
        if reply.lost is None:
            return reply
        if reply.lost.code == "timeout" and not reply.lost.waited and self._is_virtual:
            self._back_off.sleep(lost_replies.read_timeout_seconds(self.calls.endpoint))
        raise lost_replies.exception_of(reply.lost, request)

    def forget_retries(self) -> None:
        """Give every client the retries of a new one, and throw the jitter's dice from the start again."""
        self._retry_states.forget()
        self._dice.seed(self._seed)

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

    def _take_over(self, region: str) -> None:
        if self._outer is not None:
            self._outer.answering = False
        if self._added_handler:
            botocore.handlers.BUILTIN_HANDLERS.append(_HANDLER)
        self._patch_route()
        self._patch_session(region)
        if self._is_virtual:
            self._patch_waits()
        self._moto.ensure()

    def _patch_route(self) -> None:
        replace = self._patches.replace
        replace(Endpoint, "make_request", self._make_request(Endpoint.make_request))
        replace(Endpoint, "_send", route.send_seam(self, Endpoint._send))
        replace(URLLib3Session, "send", route.send_seam(self, URLLib3Session.send))
        self._stop_waiting_for_aiobotocore = when_imported(async_seams.SESSION_MODULE, self._patch_async)

    def _patch_async(self, _: ModuleType) -> None:
        seams = [*async_seams.routes(self), *(async_seams.pauses(self, self._back_off) if self._is_virtual else ())]
        for owner, name, value in seams:
            self._patches.replace(owner, name, value)

    def _patch_session(self, region: str) -> None:
        def wrap(owner: Any, name: str, wrapper: Callable[..., Any], *parts: Any) -> None:
            self._patches.replace(owner, name, wrapper(self.calls, *parts, getattr(owner, name)))

        wrap(RequestSigner, "get_auth_instance", signing.quick_signer, self._clock, self._is_answering)
        wrap(EndpointRulesetResolver, "construct_endpoint", signing.reading_credentials, self._is_answering)
        wrap(RefreshableCredentials, "_refresh", signing.without_refresh)
        wrap(JSONParser, "_handle_json_body", parsing.quick_body, self._is_answering)
        default_region(Session, region, self._patches, self._is_answering)

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
            finally:
                calls.endpoint = before
            return async_seams.within(self, ours, answer) if iscoroutine(answer) else answer

        return make_request

    def _meet(self, endpoint: Any) -> None:
        self._moto.ensure()
        if not self._retry_states.has_seen(endpoint):
            self._retry_states.first_sight(endpoint)


def check_client(client: Any) -> None:
    """Check that a DynamoDB client's requests are answered; see ``attach``."""
    client = getattr(getattr(client, "meta", None), "client", client)
    if not is_dynamodb_client(client):
        raise TypeError(f"attach: {client!r} is not a DynamoDB client or resource")
    if route.answering_installation() is None:
        raise RuntimeError("attach: no fake is installed, or something has replaced botocore's Endpoint._send since")
    endpoint = client._endpoint
    if not route.reaches_send_seam(endpoint):
        raise RuntimeError(
            f"attach: {type(endpoint).__name__} sends by a _send of its own, which the fake can't answer; "
            "use a plain botocore client, or restore what replaced it"
        )
