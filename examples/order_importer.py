"""Imports orders in batches: sends leftovers again with back-off, and puts aside what never lands."""

import random
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import boto3

dynamodb = boto3.client("dynamodb")

TABLE = "orders"
BATCH = 25
MAX_ROUNDS = 6


def create_orders_table() -> None:
    dynamodb.create_table(
        TableName=TABLE,
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )


def import_orders(orders: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Write all orders; gives the dead letters: orders that found no capacity in MAX_ROUNDS rounds."""
    dead_letters = []
    for batch in _batches(orders):
        requests = [{"PutRequest": {"Item": order}} for order in batch]
        for round_number in range(MAX_ROUNDS):
            requests = _write(requests)
            if not requests:
                break
            time.sleep(2**round_number + random.random())
        dead_letters += [request["PutRequest"]["Item"] for request in requests]
    return dead_letters


def _write(requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    try:
        reply = dynamodb.batch_write_item(RequestItems={TABLE: requests})
    except dynamodb.exceptions.ProvisionedThroughputExceededException:
        return requests  # nothing at all was processed
    return reply["UnprocessedItems"].get(TABLE, [])


def _batches(orders: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    iterator = iter(orders)
    while batch := list(islice(iterator, BATCH)):
        yield batch
