"""Logs events to an on-demand table whose owner capped its cost; the cap is told apart from a hot key."""

import time

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

dynamodb = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))

TABLE = "events"


class CostCapReached(Exception):
    """The table's own maximum refuses: waiting helps, more retries a second do not."""


def log_event(event: str, patience_seconds: float = 0) -> None:
    """Store one event; waits up to ``patience_seconds`` for the cap to let it through."""
    deadline = time.time() + patience_seconds
    while True:
        try:
            dynamodb.put_item(TableName=TABLE, Item={"pk": {"S": event}})
            return
        except ClientError as error:
            if not _is_cost_cap(error):
                raise
            if time.time() >= deadline:
                raise CostCapReached(event) from error
        time.sleep(0.5)


def _is_cost_cap(error: ClientError) -> bool:
    reasons = error.response.get("throttlingReasons", [])
    return any("MaxOnDemandThroughputExceeded" in reason["reason"] for reason in reasons)
