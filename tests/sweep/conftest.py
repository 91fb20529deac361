"""A table, and a client of one attempt, for small scenarios."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError


@pytest.fixture
def orders(ddb_fake):
    return ddb_fake.create_table("orders", indexes={"by_status": "status:S"}, write_capacity_units=50)


@pytest.fixture
def put(ddb_client) -> Callable[..., Any]:
    """Puts an order, without a retry."""

    def put_order(key: str, table: str = "orders", **attributes: Any) -> None:
        ddb_client.put_item(TableName=table, Item={"pk": {"S": key}, **attributes})

    return put_order


@pytest.fixture
def surely(put) -> Callable[..., Any]:
    """Puts an order, and again each second until it is there."""

    def put_surely(key: str, table: str = "orders", **attributes: Any) -> None:
        while True:
            try:
                return put(key, table, **attributes)
            except ClientError:
                time.sleep(1)

    return put_surely
