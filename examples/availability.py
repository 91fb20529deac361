"""Counts what the service level agreement counts: requests, and answers of HTTP 500 and 503. A throttle is a 400."""

from dataclasses import dataclass
from typing import Any

import boto3
from botocore.config import Config

COUNTED_AS_ERRORS = {500, 503}


@dataclass
class Availability:
    """Every attempt of a client, retries included.

    Attributes:
        requests: how many were sent.
        errors: how many of them the service could not answer.
        throttles: how many it refused, which is no error of the service's.
    """

    requests: int = 0
    errors: int = 0
    throttles: int = 0

    @property
    def percent(self) -> float:
        """The share of requests that were answered."""
        return 100 * (1 - self.errors / self.requests) if self.requests else 100.0

    def count(self, response_dict: dict[str, Any], parsed_response: dict[str, Any], **_: Any) -> None:
        """Count one answer: a handler of botocore's ``response-received``."""
        self.requests += 1
        self.errors += response_dict["status_code"] in COUNTED_AS_ERRORS
        code = parsed_response.get("Error", {}).get("Code", "")
        self.throttles += code in ("ThrottlingException", "ProvisionedThroughputExceededException")


def counted_client(counter: Availability) -> Any:
    """Give a client each answer to which is counted."""
    client = boto3.client("dynamodb", config=Config(retries={"mode": "standard", "total_max_attempts": 10}))
    client.meta.events.register("response-received.dynamodb", counter.count)
    return client
