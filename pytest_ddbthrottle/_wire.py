"""AWS JSON 1.0: a request's target and bytes in; status, headers and bytes out; one journal record for each.

Knows nothing of botocore or HTTP servers: whoever has an HTTP request calls ``answer``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import chain
from typing import Any
from zlib import crc32

from pytest_ddbthrottle._engine.caller import Caller, caller_with_frames, worker_now
from pytest_ddbthrottle._engine.dynamodb import DynamoDB
from pytest_ddbthrottle._engine.errors import (
    Livelock,
    LostReply,
    SerializationException,
    ServiceError,
    UnknownOperationException,
)
from pytest_ddbthrottle._engine.journal import Call, leftovers_in
from pytest_ddbthrottle._engine.keys import KeySchema
from pytest_ddbthrottle._engine.operations.registry import STREAM_OPERATIONS
from pytest_ddbthrottle._engine.outcome import Outcome
from pytest_ddbthrottle._engine.request_names import index_name, table_names
from pytest_ddbthrottle._engine.stored_items import StoredItem, StoredItems

DYNAMODB_PREFIX = "DynamoDB_20120810."
STREAMS_PREFIX = "DynamoDBStreams_20120810."
TARGET_PREFIXES = (DYNAMODB_PREFIX, STREAMS_PREFIX)
REQUEST_ID_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
REQUEST_ID_TAIL = "VV4KQNSO5AEMVJF66Q9ASUAAJG"
"""Request ids have 52 characters; most end so. Source: Observed — public reports, 2016 to 2024."""
_LETTER_OF_BYTE = bytes(REQUEST_ID_ALPHABET[byte % len(REQUEST_ID_ALPHABET)] for byte in range(256))
MAX_JSON_LEVELS = 500
"""Source: Assumed — far above what a valid request needs, and far enough below Python's limit of recursion."""
TOO_DEEP = f"The request body is nested deeper than {MAX_JSON_LEVELS} levels"

_CREDENTIAL_REGION = re.compile(r"Credential=[^/,\s]+/\d+/([a-z0-9-]+)/")
_HOST_REGION = re.compile(r"//(?:[^/]*\.)?(?:dynamodb|ddb|streams\.dynamodb)(?:-fips)?\.([a-z]{2,}(?:-[a-z]+)+-\d)\.")


def _refuse_constant(name: str) -> None:
    # NaN and the infinities, which Python's decoder would take.
    raise ValueError(f"{name} is no JSON number")


_from_json = json.JSONDecoder(parse_constant=_refuse_constant).decode
# Nothing that was read from JSON, or made of such parts, holds itself.
_to_json = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, check_circular=False).encode


@dataclass(frozen=True, slots=True)
class WireReply:
    """An HTTP reply, or in place of one how it got lost."""

    status_code: int
    headers: dict[str, str]
    body: bytes
    lost: LostReply | None = None


@dataclass(slots=True)
class Wire:
    """The account as an HTTP endpoint would show it.

    Args:
        engine: the account.
        default_region: for requests that name none.
        livelock_limit: how many fruitless calls in a row at one instant end the test.
    """

    engine: DynamoDB
    default_region: str = "us-east-1"
    livelock_limit: int = 1000

    def answer(self, url: str, headers: Mapping[str, str], body: bytes) -> WireReply:
        """Answer one HTTP request.

        Args:
            url: where it was sent.
            headers: ``X-Amz-Target`` names the operation, ``Authorization`` the Region.
            body: JSON.

        Returns:
            The reply, as the service would send it.

        Raises:
            Livelock: refusals or leftovers in a row at one virtual instant reached ``livelock_limit``.
        """
        target = _header(headers, "X-Amz-Target")
        operation_name = target.rpartition(".")[2]
        authorization = _header(headers, "Authorization")
        region_name = region_of(url, authorization) or self.default_region
        with self.engine.lock:
            caller = access_key_of(authorization) if self.engine.access.in_force else None
            request, outcome = self._handle(target, operation_name, region_name, body, caller)
            reply = self._render(outcome)
            call = self._record(operation_name, region_name, headers, request, outcome, reply)
            fruitless_calls = self.engine.journal.idle_refusals(call, outcome.at_ns)
        if fruitless_calls >= self.livelock_limit:
            self.engine.journal.livelocks.append(call)
            raise Livelock(livelock_text(call, fruitless_calls))
        return reply

    def _handle(
        self, target: str, operation_name: str, region_name: str, body: bytes, caller: str | None
    ) -> tuple[Mapping[str, Any], Outcome]:
        try:
            check_target(target)
            request = parsed(body)
        except ServiceError as error:
            return {}, Outcome(self.engine.clock.now_ns(), None, error)
        return request, self.engine.handle(operation_name, request, region_name, caller)

    def _render(self, outcome: Outcome) -> WireReply:
        if isinstance(outcome.error, LostReply):
            return WireReply(0, {}, b"", outcome.error)
        members = outcome.error.body() if outcome.error is not None else outcome.reply
        status_code = outcome.error.status_code if outcome.error is not None else 200
        # Half a surrogate pair has no UTF-8; Java writes a question mark in its place.
        body = _json_text(members or {}).encode("utf-8", "replace")
        return WireReply(status_code, self._headers(body), body)

    def _headers(self, body: bytes) -> dict[str, str]:
        draw = self.engine.random.randbytes(52 - len(REQUEST_ID_TAIL)).translate(_LETTER_OF_BYTE)
        return {
            "Server": "Server",
            "Date": _http_date(self.engine.clock.now()),
            "Content-Type": "application/x-amz-json-1.0",
            "Content-Length": str(len(body)),
            "Connection": "keep-alive",
            "x-amzn-RequestId": draw.decode() + REQUEST_ID_TAIL,
            "x-amz-crc32": str(crc32(body)),
        }

    def _record(
        self,
        operation_name: str,
        region_name: str,
        headers: Mapping[str, str],
        request: Mapping[str, Any],
        outcome: Outcome,
        reply: WireReply,
    ) -> Call:
        journal = self.engine.journal
        invocation_id = _header(headers, "amz-sdk-invocation-id") or None
        attempt, delay_seconds = journal.attempt_of(invocation_id, outcome.at_ns)
        names = table_names(request)
        leftovers = tuple(leftovers_in(operation_name, request, outcome.reply or {}))
        is_well = outcome.error is None and not leftovers
        call = Call(
            number=len(journal.calls) + 1,
            operation=operation_name,
            table=next(iter(names), None),
            index=index_name(request),
            region=region_name,
            request=request,
            body=reply.body,
            status_code=reply.status_code,
            headers=reply.headers,
            error=outcome.error.code if outcome.error else None,
            message=outcome.error.message if outcome.error else None,
            attempt=attempt,
            delay_before_seconds=delay_seconds,
            at_seconds=self.engine.elapsed_seconds,
            consumed=outcome.consumed,
            refusals=outcome.refusals,
            leftovers=leftovers,
            key_schemas=self._key_schemas(region_name, names),
            scripted=outcome.scripted,
            applied=outcome.applied,
            caller=Caller(worker_now()) if is_well else caller_with_frames(),
        )
        journal.record(call)
        return call

    def _key_schemas(self, region_name: str, names: list[str]) -> dict[str, KeySchema]:
        tables = self.engine.region(region_name).tables
        return {name: tables[name].key_schema for name in names if name in tables}


@lru_cache(maxsize=16)
def _http_date(now: datetime) -> str:
    return now.strftime("%a, %d %b %Y %H:%M:%S GMT")


def _json_text(members: Mapping[str, Any]) -> str:
    # Items as they are at rest are JSON already.
    at_rest = members.get("Items", members.get("Item"))
    if not isinstance(at_rest, StoredItem | StoredItems):
        return _to_json(members)
    texts = [
        f'"{name}":{at_rest.json_text if value is at_rest else _to_json(value)}' for name, value in members.items()
    ]
    return f"{{{','.join(texts)}}}"


def check_target(target: str) -> None:
    """Check that an ``X-Amz-Target`` is of DynamoDB and names an operation.

    Raises:
        UnknownOperationException: it is not, or there is no such header.
    """
    if not target:
        raise UnknownOperationException("The request has no X-Amz-Target header: it names no operation")
    prefix, dot, name = target.rpartition(".")
    expected = STREAMS_PREFIX if name in STREAM_OPERATIONS else DYNAMODB_PREFIX
    if not name or prefix + dot != expected:
        raise UnknownOperationException(f"X-Amz-Target: {target!r} names no operation of DynamoDB")


def parsed(body: bytes) -> Mapping[str, Any]:
    """Give the members of a request's body.

    Raises:
        SerializationException: it is not a JSON object in UTF-8; the text says where it stops being one.
    """
    try:
        request = _from_json(body.decode())
    except RecursionError:
        raise SerializationException(TOO_DEEP) from None
    except ValueError as error:
        raise SerializationException(f"The request body is not JSON: {error}") from None
    if not isinstance(request, dict):
        raise SerializationException("Start of structure or map found where not expected")
    if body.count(b"{") + body.count(b"[") > MAX_JSON_LEVELS:
        _check_levels(request)
    return request


def _check_levels(request: Mapping[str, Any]) -> None:
    level: list[Any] = [request]
    for _ in range(MAX_JSON_LEVELS):
        parts = chain.from_iterable(part.values() if isinstance(part, dict) else part for part in level)
        level = [part for part in parts if isinstance(part, dict | list)]
        if not level:
            return
    raise SerializationException(TOO_DEEP)


def region_of(url: str, authorization: str) -> str | None:
    """Give the Region that a request was signed for, else the one its host names, else None.

    >>> region_of("https://dynamodb.eu-west-1.amazonaws.com/", "")
    'eu-west-1'
    """
    found = _CREDENTIAL_REGION.search(authorization) or _HOST_REGION.search(url)
    return found.group(1) if found else None


def access_key_of(authorization: str) -> str:
    """Give the id of the access key that a request was signed with; nothing where it names none.

    >>> access_key_of("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, Signature=0")
    'AKIDEXAMPLE'
    """
    return authorization.partition("Credential=")[2].partition("/")[0]


def livelock_text(call: Call, fruitless_calls: int) -> str:
    """Say what keeps being refused, and how to go on."""
    target = call.table or "?"
    refusal = call.refusal
    cause = f" ({refusal.cause})" if refusal is not None else ""
    return (
        f"{fruitless_calls} calls in a row were refused or left entries over at the same virtual instant, "
        f"{call.at_seconds:g} s: the last was {call.operation} on {target}{cause}.\n"
        "Nothing between them moves the clock, so no capacity comes back: the code under test re-sends without "
        "sleeping, as boto3's batch_writer does with leftovers.\n"
        "Let it back off, give the table more capacity, or raise ddb_livelock_limit; docs/how-to/livelock.md"
    )


def _header(headers: Mapping[str, Any], name: str) -> str:
    value = headers.get(name, "")
    return value.decode("ascii", "replace") if isinstance(value, bytes) else str(value)
