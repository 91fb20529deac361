"""Shows products of 20 KB each: read from the table on every view, or through a cache that remembers them for a while."""

import time
from typing import Any

import boto3
from botocore.config import Config

# One attempt: a page that finds no capacity shows its placeholder at once.
dynamodb = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))

TABLE = "products"


def read_product(product: str, *, consistent: bool = False) -> dict[str, Any] | None:
    """Read a product; gives None where the read was refused."""
    try:
        found = dynamodb.get_item(TableName=TABLE, Key={"pk": {"S": product}}, ConsistentRead=consistent)
    except dynamodb.exceptions.ThrottlingException:
        return None
    return found["Item"]


class ProductCache:
    """Products that were read a short while ago; what was refused is not remembered.

    Args:
        keep_seconds: for how long a product is good.
    """

    def __init__(self, keep_seconds: float) -> None:
        self.keep_seconds = keep_seconds
        self._products: dict[str, tuple[float, dict[str, Any]]] = {}

    def read(self, product: str) -> dict[str, Any] | None:
        """Give a product from the cache, or through it."""
        good_until, found = self._products.get(product, (0.0, {}))
        if time.time() < good_until:
            return found
        read = read_product(product)
        if read is not None:
            self._products[product] = (time.time() + self.keep_seconds, read)
        return read
