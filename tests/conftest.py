"""Lets every test have an inner pytest, an account with something in it, and look at one as a plain value."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any

import pytest
from hypothesis import settings

# The same examples in each run, and no clock: the machines are shared.
settings.register_profile("house", deadline=None, database=None, derandomize=True)
settings.load_profile("house")

pytest_plugins = ["pytester"]

SLEPT: list[str] = []
_real_sleep = time.sleep


@wraps(_real_sleep)
def _counted_sleep(seconds: float) -> None:
    _real_sleep(seconds)
    caller = sys._getframe(1)
    while caller.f_globals.get("__name__", "").startswith("pytest_ddbthrottle._time") and caller.f_back:
        caller = caller.f_back
    # Waiting for a child process is polling, by such steps.
    if seconds and caller.f_globals.get("__name__") != "subprocess":
        test = os.environ.get("PYTEST_CURRENT_TEST")
        SLEPT.append(f"{seconds} s at {caller.f_code.co_filename}:{caller.f_lineno}, in {test}")


# Before anything binds it; what the plugin finds as the real sleep is then this one.
time.sleep = _counted_sleep


@pytest.fixture(scope="session", autouse=True)
def nothing_sleeps() -> Iterator[None]:
    """Holds that no test sleeps really: not this one or that one, but all of a run together."""
    yield
    assert not SLEPT, f"the tests slept really: {SLEPT}"


@pytest.fixture(scope="session")
def account_state() -> Callable[..., dict[str, Any]]:
    """Gives an engine's tables, items, tokens and balances as plain values, which can be compared."""
    return state


def state(engine: Any, *, balances: bool = True) -> dict[str, Any]:
    regions = engine.snapshot().regions
    return {
        "tables": {name: plain(tables) for name, (tables, *_) in regions.items()},
        "tokens": {name: plain(tokens) for name, (_, tokens, *_) in regions.items()},
        "paid": {name: paid for name, (*_, paid) in regions.items()},
        "left streams": {name: plain(streams) for name, (*_, streams, _) in regions.items()},
        "limits": engine.limits,
        **(
            {"balances": {name: plain(admission) for name, (_, _, admission, *_) in regions.items()}}
            if balances
            else {}
        ),
    }


def plain(value: Any) -> Any:
    if hasattr(value, "walk"):
        return [(key, plain(item)) for key, item in value.walk()]
    if is_dataclass(value) and not isinstance(value, type):
        return {part.name: plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, Mapping):
        return {key: plain(part) for key, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value


@pytest.fixture(scope="session")
def furnished_wire() -> Callable[[], Any]:
    """Gives a function that makes an account of three tables with indexes, a stream and items; bytes go in and out."""
    return furnished


def furnished() -> Any:
    from pytest_ddbthrottle._engine.clock import VirtualClock
    from pytest_ddbthrottle._engine.dynamodb import DynamoDB
    from pytest_ddbthrottle._wire import Wire

    wire = Wire(DynamoDB(VirtualClock()), livelock_limit=10**9)
    units = {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}
    stream = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    requests = [
        ("CreateTable", table("orders", BillingMode="PAY_PER_REQUEST", StreamSpecification=stream)),
        ("CreateTable", table("small", ProvisionedThroughput=units)),
        *(("PutItem", {"TableName": "orders", "Item": item(number)}) for number in "123"),
        ("CreateTable", table("docs", BillingMode="PAY_PER_REQUEST", VectorIndexes=[VECTOR_INDEX])),
        *(("PutItem", {"TableName": "docs", "Item": {**item(number), "v": vector(number)}}) for number in "123"),
    ]
    for operation, request in requests:
        headers = {"X-Amz-Target": f"DynamoDB_20120810.{operation}"}
        reply = wire.answer("https://dynamodb.us-east-1.amazonaws.com/", headers, json.dumps(request).encode())
        assert reply.status_code == 200, reply.body
    return wire


def table(name: str, **members: Any) -> dict[str, Any]:
    def keys(partition: str, sort: str) -> list[dict[str, str]]:
        return [{"AttributeName": partition, "KeyType": "HASH"}, {"AttributeName": sort, "KeyType": "RANGE"}]

    types = {"pk": "S", "sk": "N", "status": "S", "n": "N"}
    index = {"IndexName": "by_status", "KeySchema": keys("status", "n"), "Projection": {"ProjectionType": "KEYS_ONLY"}}
    units = {"ProvisionedThroughput": members["ProvisionedThroughput"]} if "ProvisionedThroughput" in members else {}
    return {
        "TableName": name,
        "KeySchema": keys("pk", "sk"),
        "AttributeDefinitions": [{"AttributeName": key, "AttributeType": kind} for key, kind in types.items()],
        "GlobalSecondaryIndexes": [{**index, **units}],
        "LocalSecondaryIndexes": [{**index, "IndexName": "local", "KeySchema": keys("pk", "n")}],
        **members,
    }


VECTOR_INDEX = {
    "IndexName": "by_v",
    "VectorAttribute": {"AttributeName": "v"},
    "SearchSchema": [
        {"AttributeName": "status", "SearchSchemaElementType": "HASH"},
        {"AttributeName": "n", "SearchSchemaElementType": "INLINE_FILTER"},
    ],
    "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["m", "v"]},
    "Dimensions": 2,
    "DistanceFunction": "EUCLIDEAN",
}


def vector(number: str) -> dict[str, Any]:
    return {"L": [{"N": number}, {"N": "0.5"}]}


def item(number: str) -> dict[str, Any]:
    key = {"pk": {"S": "a"}, "sk": {"N": number}}
    return {**key, "status": {"S": "open"}, "n": {"N": number}, "m": {"L": []}}
