"""A table of 100 units without a burst, and ways to put an item into it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

BURST_OFF = {"write_capacity_units": 100, "read_capacity_units": 100, "burst_seconds": 1}


@pytest.fixture
def orders(ddb_fake):
    return ddb_fake.create_table("orders", **BURST_OFF)


@pytest.fixture
def put(ddb_client) -> Callable[..., Any]:
    """Puts an order, without a retry."""

    def put_order(key: str, **attributes: Any) -> None:
        ddb_client.put_item(TableName="orders", Item={"pk": {"S": key}, **attributes})

    return put_order


@pytest.fixture
def surely(put) -> Callable[..., Any]:
    """Puts an order, and again each half second until it is there."""

    def put_surely(key: str) -> None:
        while True:
            try:
                return put(key)
            except ClientError:
                time.sleep(0.5)

    return put_surely
