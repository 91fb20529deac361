"""What a thread or a task is doing inside botocore, for the seams that are not told."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Generic, TypeVar

T = TypeVar("T")
SERVICE_NAMES = ("dynamodb", "dynamodbstreams")
ENDPOINT_PREFIXES = {"dynamodb": "dynamodb", "streams.dynamodb": "dynamodb-streams"}
"""An endpoint's prefix, and the name of its service in events."""


_ENDPOINT: ContextVar[Any] = ContextVar("ddb_endpoint", default=None)
_WAITS_FOR_DYNAMODB: ContextVar[bool] = ContextVar("ddb_waits_for_dynamodb", default=False)
_READS_CREDENTIALS: ContextVar[bool] = ContextVar("ddb_reads_credentials", default=False)


class _OfContext(Generic[T]):
    """An attribute whose value belongs to the present context: a thread's, or a task's of an event loop."""

    def __init__(self, variable: ContextVar[T]) -> None:
        self._variable = variable

    def __get__(self, owner: object, owner_type: type | None = None) -> T:
        return self._variable.get()

    def __set__(self, owner: object, value: T) -> None:
        self._variable.set(value)


class Calls:
    """The call of the present context. It is in one call at a time, so that every ``Calls`` tells the same.

    Attributes:
        endpoint: the DynamoDB endpoint that a call is being made through, or None.
        waits_for_dynamodb: whether a DynamoDB waiter is waiting.
        reads_credentials: whether credentials are read on behalf of a DynamoDB request, and must not be refreshed.
    """

    endpoint = _OfContext(_ENDPOINT)
    waits_for_dynamodb = _OfContext(_WAITS_FOR_DYNAMODB)
    reads_credentials = _OfContext(_READS_CREDENTIALS)


def is_dynamodb_endpoint(endpoint: Any) -> bool:
    """Tell whether an endpoint is one of DynamoDB or DynamoDB Streams."""
    return endpoint._endpoint_prefix in ENDPOINT_PREFIXES


def is_dynamodb_client(client: Any) -> bool:
    """Tell whether a client is one of DynamoDB or DynamoDB Streams."""
    model = getattr(getattr(client, "meta", None), "service_model", None)
    return getattr(model, "service_name", None) in SERVICE_NAMES
