"""Counts page views: on one item, or spread over shards that a read adds up again."""

import random

import boto3
from botocore.config import Config

# One attempt: a view that finds no capacity is dropped, and the page is not held up.
dynamodb = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))

TABLE = "counters"


class Views:
    """The views of one page.

    Args:
        page: the page's name.
        shards: over how many items the count is spread.
    """

    def __init__(self, page: str, shards: int = 1) -> None:
        self.page = page
        self.shards = shards
        self._random = random.Random(0)

    def count(self) -> bool:
        """Count one view; gives False where it was refused."""
        try:
            dynamodb.update_item(
                TableName=TABLE,
                Key={"pk": {"S": f"{self.page}#{self._random.randrange(self.shards)}"}},
                UpdateExpression="ADD seen :one",
                ExpressionAttributeValues={":one": {"N": "1"}},
            )
        except dynamodb.exceptions.ThrottlingException:
            return False
        return True

    def total(self) -> int:
        """Add the shards up."""
        keys = [{"pk": {"S": f"{self.page}#{shard}"}} for shard in range(self.shards)]
        found = dynamodb.batch_get_item(RequestItems={TABLE: {"Keys": keys, "ConsistentRead": True}})
        return sum(int(item["seen"]["N"]) for item in found["Responses"][TABLE])
