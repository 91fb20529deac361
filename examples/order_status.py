"""Keeps orders, with an index of them by status: every open order has the same index key."""

import boto3
from botocore.config import Config

dynamodb = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))

TABLE = "orders"


def create_orders_table() -> None:
    dynamodb.create_table(
        TableName=TABLE,
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "status", "AttributeType": "S"},
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by_status",
                "KeySchema": [{"AttributeName": "status", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
        BillingMode="PAY_PER_REQUEST",
    )


def place(order: str, shard: int | None = None) -> None:
    """Store an open order; ``shard`` gives its status a suffix, and the index key more values."""
    status = "OPEN" if shard is None else f"OPEN#{shard}"
    dynamodb.put_item(TableName=TABLE, Item={"pk": {"S": order}, "status": {"S": status}})


def draft(order: str) -> None:
    """Store an order that has no status yet: the index is sparse, and holds no entry for it."""
    dynamodb.put_item(TableName=TABLE, Item={"pk": {"S": order}})
