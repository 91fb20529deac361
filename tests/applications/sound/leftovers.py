"""Imports a price list in batches; what a batch gives back is sent again after a while."""

from __future__ import annotations

import time

from botocore.exceptions import ClientError

THROTTLES = ("ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded")
PRICES = [{"sku": {"S": f"sku#{number}"}, "cents": {"N": str(100 + number)}} for number in range(30)]


def with_back_off(call, **request):
    for attempt in range(6):
        try:
            return call(**request)
        except ClientError as error:
            if error.response["Error"]["Code"] not in THROTTLES or attempt == 5:
                raise
            time.sleep(0.1 * 2**attempt)


def store(client, entries):
    waiting = {"prices": entries}
    for attempt in range(8):
        waiting = with_back_off(client.batch_write_item, RequestItems=waiting)["UnprocessedItems"]
        if not waiting:
            return
        time.sleep(0.1 * 2**attempt)
    raise TimeoutError(f"prices not stored: {waiting}")


def prepare(fake):
    fake.create_table("prices", "sku:S", write_capacity_units=50)


def run(client):
    for start in range(0, len(PRICES), 10):
        store(client, [{"PutRequest": {"Item": item}} for item in PRICES[start : start + 10]])


def check(fake):
    stored = {item["sku"] for item in fake.table("prices").items(plain=True)}
    assert stored == {item["sku"]["S"] for item in PRICES}
