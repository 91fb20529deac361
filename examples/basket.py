"""Adds up a basket: asks for all prices in one batch, and for those left over again."""

import time
from collections.abc import Sequence
from decimal import Decimal

import boto3
from botocore.config import Config

dynamodb = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))

TABLE = "prices"
MAX_ROUNDS = 5


class PricesUnknown(Exception):
    """Some prices could not be read: a sum without them would be wrong."""


def total(products: Sequence[str]) -> Decimal:
    """Give the basket's sum."""
    wanted = {TABLE: {"Keys": [{"pk": {"S": product}} for product in products]}}
    found: list[Decimal] = []
    for round_number in range(MAX_ROUNDS):
        try:
            reply = dynamodb.batch_get_item(RequestItems=wanted)
        except dynamodb.exceptions.ProvisionedThroughputExceededException:
            pass  # not one of them was read
        else:
            found += [Decimal(item["price"]["N"]) for item in reply["Responses"][TABLE]]
            wanted = reply["UnprocessedKeys"]
        if not wanted:
            return sum(found, Decimal())
        time.sleep(2**round_number)
    raise PricesUnknown(f"{len(wanted[TABLE]['Keys'])} of {len(products)}")
