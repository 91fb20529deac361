"""Bills a cart; prices that a batch did not read are read by the next one."""

from __future__ import annotations

import time

from botocore.exceptions import ClientError

THROTTLES = ("ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded")
CART = {"tea": 2, "jam": 1, "rye": 3}
PRICES = {"tea": 250, "jam": 400, "rye": 100}


def with_back_off(call, **request):
    for attempt in range(6):
        try:
            return call(**request)
        except ClientError as error:
            if error.response["Error"]["Code"] not in THROTTLES or attempt == 5:
                raise
            time.sleep(0.1 * 2**attempt)


def prices_of(client, products):
    found, unread = [], {"prices": {"Keys": [{"product": {"S": product}} for product in products]}}
    for attempt in range(8):
        reply = with_back_off(client.batch_get_item, RequestItems=unread)
        found += reply["Responses"].get("prices", [])
        unread = reply["UnprocessedKeys"]
        if not unread:
            return found
        time.sleep(0.1 * 2**attempt)
    raise TimeoutError(f"prices not read: {unread}")


def prepare(fake):
    fake.create_table("prices", "product:S", read_capacity_units=20)
    fake.table("prices").load({"product": product, "cents": cents} for product, cents in PRICES.items())
    fake.create_table("bills", "id:S", write_capacity_units=20)


def run(client):
    found = prices_of(client, list(CART))
    cents = sum(int(item["cents"]["N"]) * CART[item["product"]["S"]] for item in found)
    with_back_off(client.put_item, TableName="bills", Item={"id": {"S": "b1"}, "cents": {"N": str(cents)}})


def check(fake):
    assert fake.table("bills").items(plain=True) == [{"id": "b1", "cents": 1200}]
