"""A fake that nobody has installed, and requests sent to it as a client would."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from pytest_ddbthrottle import FakeDynamoDB

Send = Callable[..., Any]


@pytest.fixture
def fake() -> FakeDynamoDB:
    return FakeDynamoDB()


@pytest.fixture
def send(fake: FakeDynamoDB) -> Send:
    """Sends a request; gives the reply's body, parsed."""

    def send_request(operation: str, *, to: FakeDynamoDB = fake, **request: Any) -> Any:
        headers = {"X-Amz-Target": f"DynamoDB_20120810.{operation}"}
        return json.loads(to._wire.answer("https://localhost/", headers, json.dumps(request).encode()).body)

    return send_request


@pytest.fixture
def put(send: Send) -> Send:
    """Puts an item with a partition key of type S; gives the error's reason, or None."""

    def put_item(key: str, table: str = "orders", **more: Any) -> str | None:
        reply = send("PutItem", TableName=table, Item={"pk": {"S": key}, **more})
        reasons = reply.get("throttlingReasons") or reply.get("ThrottlingReasons") or [{}]
        return reasons[0].get("reason", reply.get("__type"))

    return put_item
