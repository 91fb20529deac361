"""Takes a piece from stock, then stores the order; a refused order is declined, and its piece stays taken."""

from __future__ import annotations

import time

from botocore.exceptions import ClientError

THROTTLES = ("ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded")
ORDERS = ["o1", "o2", "o3"]


def with_back_off(call, **request):
    for attempt in range(6):
        try:
            return call(**request)
        except ClientError as error:
            if error.response["Error"]["Code"] not in THROTTLES or attempt == 5:
                raise
            time.sleep(0.1 * 2**attempt)


def take(client, amount):
    with_back_off(
        client.update_item,
        TableName="stock",
        Key={"product": {"S": "tea"}},
        UpdateExpression="ADD pieces :amount",
        ExpressionAttributeValues={":amount": {"N": str(-amount)}},
    )


def place(client, order):
    take(client, 1)
    try:
        client.put_item(TableName="orders", Item={"id": {"S": order}})
    except ClientError as error:
        if error.response["Error"]["Code"] not in THROTTLES:
            raise
        return False
    return True


def prepare(fake):
    fake.create_table("stock", "product:S", write_capacity_units=20)
    fake.table("stock").load([{"product": "tea", "pieces": 10}])
    fake.create_table("orders", "id:S", write_capacity_units=20)


def run(client):
    for order in ORDERS:
        place(client, order)


def check(fake):
    (tea,) = fake.table("stock").items(plain=True)
    assert tea["pieces"] + fake.table("orders").item_count == 10
