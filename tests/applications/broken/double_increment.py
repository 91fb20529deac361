"""Counts sales in a total and stores each; a retry begins again with the total."""

from __future__ import annotations

import time

from botocore.exceptions import ClientError

THROTTLES = ("ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded")
SALES = [("s1", "tea", 3), ("s2", "tea", 4), ("s3", "jam", 5)]


def count(client, product, amount):
    client.update_item(
        TableName="totals",
        Key={"product": {"S": product}},
        UpdateExpression="ADD sold :amount",
        ExpressionAttributeValues={":amount": {"N": str(amount)}},
    )


def store(client, sale, product, amount):
    item = {"sale": {"S": sale}, "product": {"S": product}, "amount": {"N": str(amount)}}
    client.put_item(TableName="sales", Item=item)


def record(client, sale, product, amount):
    for attempt in range(6):
        try:
            count(client, product, amount)
            store(client, sale, product, amount)
            return
        except ClientError as error:
            if error.response["Error"]["Code"] not in THROTTLES or attempt == 5:
                raise
            time.sleep(0.1 * 2**attempt)


def prepare(fake):
    fake.create_table("totals", "product:S", write_capacity_units=20)
    fake.create_table("sales", "sale:S", write_capacity_units=20)


def run(client):
    for sale, product, amount in SALES:
        record(client, sale, product, amount)


def check(fake):
    assert {item["sale"] for item in fake.table("sales").items(plain=True)} == {"s1", "s2", "s3"}
    totals = {item["product"]: item["sold"] for item in fake.table("totals").items(plain=True)}
    assert totals == {"tea": 7, "jam": 5}
