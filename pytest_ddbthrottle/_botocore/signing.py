"""A signature that costs nothing: the headers of Signature Version 4 with zeros where the signature would stand.

Nobody checks a signature in process. The Region and the access key id are real, because the engine reads them. Missing
credentials are no error, and no credential is refreshed over the network for a request that never gets there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache, wraps
from typing import Any

from pytest_ddbthrottle._botocore.calls import Calls
from pytest_ddbthrottle._engine.clock import VirtualClock

PLACEHOLDER_ACCESS_KEY = "AKIADDBTHROTTLEFAKE0"
"""Stands where no credentials are configured; of the form that AWS gives access key ids."""
SIGNATURE_OF_ZEROS = "0" * 64
_SIGNED_HEADERS = "content-type;host;x-amz-date;x-amz-target"
_SIGNED_HEADERS_WITH_TOKEN = "content-type;host;x-amz-date;x-amz-security-token;x-amz-target"


@dataclass(frozen=True, slots=True)
class QuickAuth:
    """Writes the headers of a signed request.

    Args:
        access_key: the access key id.
        token: the session token, or None.
        region: the Region that is signed for.
        clock: gives ``X-Amz-Date``.
    """

    access_key: str
    token: str | None
    region: str
    clock: VirtualClock

    @classmethod
    def of(cls, credentials: Any, region: str, clock: VirtualClock) -> QuickAuth:
        """Give the auth of frozen credentials, or of none."""
        access_key = getattr(credentials, "access_key", None) or PLACEHOLDER_ACCESS_KEY
        return cls(access_key, getattr(credentials, "token", None), region, clock)

    def add_auth(self, request: Any) -> None:
        """Write ``X-Amz-Date``, ``X-Amz-Security-Token`` if there is one, and ``Authorization``."""
        stamp = _stamp(self.clock.now())
        request.context["timestamp"] = stamp
        signed = _SIGNED_HEADERS_WITH_TOKEN if self.token else _SIGNED_HEADERS
        _set(request.headers, "X-Amz-Date", stamp)
        if self.token:
            _set(request.headers, "X-Amz-Security-Token", self.token)
        _set(
            request.headers,
            "Authorization",
            f"AWS4-HMAC-SHA256 Credential={self.access_key}/{stamp[:8]}/{self.region}/dynamodb/aws4_request, "
            f"SignedHeaders={signed}, Signature={SIGNATURE_OF_ZEROS}",
        )


@lru_cache(maxsize=16)
def _stamp(now: datetime) -> str:
    return now.strftime("%Y%m%dT%H%M%SZ")


def quick_signer(
    calls: Calls, clock: VirtualClock, is_answering: Callable[[], bool], original: Callable[..., Any]
) -> Callable[..., Any]:
    """Wrap ``RequestSigner.get_auth_instance``; presigned URLs and other services are signed as ever."""

    @wraps(original)
    def get_auth_instance(
        self: Any, signing_name: str, region_name: str, signature_version: str | None = None, **rest: Any
    ) -> Any:
        if not is_answering() or not signs_for_dynamodb(self, signing_name, signature_version):
            return original(self, signing_name, region_name, signature_version, **rest)
        credentials = _frozen(calls, rest.get("request_credentials") or self._credentials)
        return QuickAuth.of(credentials, region_name, clock)

    return get_auth_instance


def signs_for_dynamodb(signer: Any, signing_name: str, signature_version: str | None) -> bool:
    """Tell whether a signer is asked for the headers of a DynamoDB request."""
    return signing_name == "dynamodb" and (signature_version or signer._signature_version) == "v4"


def without_refresh(calls: Calls, original: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap ``RefreshableCredentials._refresh``: nothing is fetched for the sake of a DynamoDB request."""

    @wraps(original)
    def _refresh(self: Any) -> Any:
        return None if calls.reads_credentials else original(self)

    return _refresh


def reading_credentials(
    calls: Calls, is_answering: Callable[[], bool], original: Callable[..., Any]
) -> Callable[..., Any]:
    """Wrap ``EndpointRulesetResolver.construct_endpoint``, which asks the credentials for their account id."""

    @wraps(original)
    def construct_endpoint(self: Any, operation_model: Any, *rest: Any, **named: Any) -> Any:
        if operation_model.service_model.signing_name != "dynamodb" or not is_answering():
            return original(self, operation_model, *rest, **named)
        calls.reads_credentials = True
        try:
            return original(self, operation_model, *rest, **named)
        finally:
            calls.reads_credentials = False

    return construct_endpoint


def _frozen(calls: Calls, credentials: Any) -> Any:
    if credentials is None:
        return None
    calls.reads_credentials = True
    try:
        return credentials.get_frozen_credentials()
    finally:
        calls.reads_credentials = False


def _set(headers: Any, name: str, value: str) -> None:
    # botocore's header mapping appends; a retried request may bear the old value.
    del headers[name]
    headers[name] = value
