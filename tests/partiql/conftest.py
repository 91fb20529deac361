"""An account with two tables, of which one has indexes of each kind; and values written as JSON has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.dynamodb import DynamoDB
from pytest_ddbthrottle._engine.outcome import Outcome

REGION = "us-east-1"
WIRE_TAGS = ({"SS"}, {"NS"}, {"BS"}, {"B"}, {"N"})


def wire(value: Any) -> dict[str, Any]:
    """Give a value's wire form; what JSON has no form for stands in it already."""
    if isinstance(value, bool) or value is None:
        return {"NULL": True} if value is None else {"BOOL": value}
    if isinstance(value, int | str):
        return {"N": str(value)} if isinstance(value, int) else {"S": value}
    if isinstance(value, list):
        return {"L": [wire(element) for element in value]}
    return value if set(value) in WIRE_TAGS else {"M": wire_item(value)}


def wire_item(item: Mapping[str, Any]) -> dict[str, Any]:
    return {name: wire(value) for name, value in item.items()}


class Account:
    """Two tables, ``one`` with a partition key and ``two`` with a sort key and indexes."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.engine = DynamoDB(self.clock)
        self.do("CreateTable", table("one", "pk"))
        self.do("CreateTable", table_with_indexes())

    def do(self, operation: str, request: Mapping[str, Any]) -> Outcome:
        return self.engine.handle(operation, request, REGION)

    def reply(self, operation: str, request: Mapping[str, Any]) -> Mapping[str, Any]:
        outcome = self.do(operation, request)
        assert outcome.error is None, outcome.error
        return outcome.reply or {}

    def fill(self, given: Mapping[str, list[dict[str, Any]]]) -> None:
        for name, items in given.items():
            for item in items:
                self.reply("PutItem", {"TableName": name, "Item": wire_item(item)})

    def contents(self, name: str) -> list[dict[str, Any]]:
        items = self.reply("Scan", {"TableName": name})["Items"]
        return sorted(items, key=lambda item: (item["pk"]["S"], float(item.get("sk", {"N": "0"})["N"])))


def keys(*names: str) -> list[dict[str, str]]:
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"), strict=False)]


def table(name: str, *key_names: str, **members: Any) -> dict[str, Any]:
    types = [{"AttributeName": key, "AttributeType": "N" if key == "sk" else "S"} for key in key_names]
    schema = {"TableName": name, "KeySchema": keys(*key_names), "AttributeDefinitions": types}
    return {**schema, "BillingMode": "PAY_PER_REQUEST", **members}


def index(name: str, schema: list[dict[str, str]], projection: str, *included: str) -> dict[str, Any]:
    attributes = {"NonKeyAttributes": list(included)} if included else {}
    return {"IndexName": name, "KeySchema": schema, "Projection": {"ProjectionType": projection, **attributes}}


def table_with_indexes() -> dict[str, Any]:
    whole = table("two", "pk", "sk")
    extra = [{"AttributeName": name, "AttributeType": "S"} for name in ("g", "g2", "l")]
    pair = [{"AttributeName": name, "KeyType": "HASH"} for name in ("g", "g2")]
    return {
        **whole,
        "AttributeDefinitions": [*whole["AttributeDefinitions"], *extra],
        "GlobalSecondaryIndexes": [
            index("gsi-all", keys("g"), "ALL"),
            index("gsi-keys", keys("g2"), "KEYS_ONLY"),
            index("gsi-inc", keys("g2"), "INCLUDE", "proj"),
            index("gsi-pair", pair, "ALL"),
        ],
        "LocalSecondaryIndexes": [index("lsi-keys", keys("pk", "l"), "KEYS_ONLY")],
    }


@pytest.fixture
def account() -> Account:
    return Account()


@pytest.fixture(scope="session")
def made_account() -> Callable[[], Account]:
    """Gives the function that makes accounts."""
    return Account


@pytest.fixture(scope="session")
def as_wire() -> Callable[[Any], dict[str, Any]]:
    """Gives the function that makes wire values of what JSON can write."""
    return wire
