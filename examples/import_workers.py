"""Five ways to write to a table that is too small: what a worker does where DynamoDB refuses."""

import random
import time
from collections.abc import Callable, Iterable
from typing import Any

import boto3
from botocore.config import Config

TABLE = "events"
TRIES = 200

Client = Any
Write = Callable[[Client, str], None]


def new_client(mode: str, attempts: int) -> Client:
    """Make a client with the SDK's retries in a mode; one attempt leaves them off."""
    return boto3.client("dynamodb", config=Config(retries={"mode": mode, "total_max_attempts": attempts}))


def without_back_off(client: Client, key: str) -> None:
    """Send again at once."""
    retry(client, key, lambda tries: 0)


def exponential(client: Client, key: str) -> None:
    """Wait twice as long each time: everybody who was refused together comes back together."""
    retry(client, key, lambda tries: min(5, 0.05 * 2**tries))


def full_jitter(client: Client, key: str) -> None:
    """Wait anything up to that: they come back apart."""
    retry(client, key, lambda tries: random.uniform(0, min(5, 0.05 * 2**tries)))


def by_the_sdk(client: Client, key: str) -> None:
    """Leave it to the client; where it gives up, hand the item to it again."""
    retry(client, key, lambda tries: 0)


def retry(client: Client, key: str, wait_seconds: Callable[[int], float]) -> None:
    """Put an event until it is there."""
    for tries in range(TRIES):
        try:
            client.put_item(TableName=TABLE, Item={"pk": {"S": key}})
        except client.exceptions.ProvisionedThroughputExceededException:
            time.sleep(wait_seconds(tries))
        else:
            return
    raise TimeoutError(f"{key} was refused {TRIES} times")


def import_events(client: Client, write: Write, keys: Iterable[str]) -> None:
    """Write one event after the other."""
    for key in keys:
        write(client, key)
