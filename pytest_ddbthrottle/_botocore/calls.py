"""What a thread is doing inside botocore, for the seams that are not told."""

from __future__ import annotations

import threading
from typing import Any

SERVICE_NAMES = ("dynamodb", "dynamodbstreams")
ENDPOINT_PREFIXES = {"dynamodb": "dynamodb", "streams.dynamodb": "dynamodb-streams"}
"""An endpoint's prefix, and the name of its service in events."""


class Calls(threading.local):
    """The call of the present thread.

    Attributes:
        endpoint: the DynamoDB endpoint that a call is being made through, or None.
        waits_for_dynamodb: whether a DynamoDB waiter is waiting.
        number: the last answered call's place in the journal.
        reads_credentials: whether credentials are read on behalf of a DynamoDB request, and must not be refreshed.
    """

    endpoint: Any = None
    waits_for_dynamodb: bool = False
    reads_credentials: bool = False
    number: int = 0


def is_dynamodb_endpoint(endpoint: Any) -> bool:
    """Tell whether an endpoint is one of DynamoDB or DynamoDB Streams."""
    return endpoint._endpoint_prefix in ENDPOINT_PREFIXES


def is_dynamodb_client(client: Any) -> bool:
    """Tell whether a client is one of DynamoDB or DynamoDB Streams."""
    model = getattr(getattr(client, "meta", None), "service_model", None)
    return getattr(model, "service_name", None) in SERVICE_NAMES
