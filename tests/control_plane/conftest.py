"""An account to send control-plane requests to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.dynamodb import DynamoDB
from pytest_ddbthrottle._engine.limits import AccountLimits

REGION = "us-west-2"
Capacity = tuple[int, int] | None


class Account:
    """The engine, asked in one Region; capacity is written ``(read, write)``, on-demand ``None``."""

    def __init__(self, account_state: Callable[..., dict[str, Any]]) -> None:
        self.clock = VirtualClock()
        self.engine = DynamoDB(self.clock)
        self.engine.region(REGION)
        self._state = account_state

    def limits(self, **limits: Any) -> None:
        self.engine.limits = AccountLimits(**limits)

    def call(self, operation: str, /, **request: Any) -> dict[str, Any]:
        """Send a request that is to be answered."""
        outcome = self.engine.handle(operation, request, REGION)
        if outcome.error is not None:
            raise outcome.error
        self.engine.check_invariants()
        return dict(outcome.reply or {})

    def refused(self, operation: str, /, **request: Any) -> str:
        """Send a request that is to be refused and to change nothing: ``Class: text``."""
        before = self._state(self.engine)
        outcome = self.engine.handle(operation, request, REGION)
        assert outcome.error is not None, f"answered: {outcome.reply}"
        assert self._state(self.engine) == before, "a refusal changed something"
        return f"{outcome.error.code}: {outcome.error.message}"

    def describe(self, name: str = "tab1") -> dict[str, Any]:
        table: dict[str, Any] = self.call("DescribeTable", TableName=name)["Table"]
        return table

    def create(self, name: str = "tab1", capacity: Capacity = None, **more: Any) -> dict[str, Any]:
        reply: dict[str, Any] = self.call("CreateTable", **self.new_table(name, capacity, **more))
        return reply["TableDescription"]

    def update(self, name: str = "tab1", **members: Any) -> dict[str, Any]:
        reply: dict[str, Any] = self.call("UpdateTable", TableName=name, **members)
        return reply["TableDescription"]

    def new_table(
        self,
        name: str = "tab1",
        capacity: Capacity = None,
        indexes: Mapping[str, Capacity] | None = None,
        **more: Any,
    ) -> dict[str, Any]:
        """Give ``CreateTableInput``; every index has the key ``g``."""
        mode = {"ProvisionedThroughput": self.units(*capacity)} if capacity else {"BillingMode": "PAY_PER_REQUEST"}
        found = [self.new_index(index, units) for index, units in (indexes or {}).items()]
        return {
            "TableName": name,
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "AttributeDefinitions": self.strings("pk", *(["g"] if found else [])),
            **mode,
            **({"GlobalSecondaryIndexes": found} if found else {}),
            **more,
        }

    def new_index(self, name: str, capacity: Capacity = None, **more: Any) -> dict[str, Any]:
        """Give ``GlobalSecondaryIndex`` with the key ``g``, which is also UpdateTable's ``Create``."""
        return {
            "IndexName": name,
            "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
            **({"ProvisionedThroughput": self.units(*capacity)} if capacity else {}),
            **more,
        }

    def index_creation(self, name: str, capacity: Capacity = None, **more: Any) -> dict[str, Any]:
        """Give the members of an UpdateTable that creates an index."""
        return {
            "AttributeDefinitions": self.strings("g"),
            "GlobalSecondaryIndexUpdates": [{"Create": self.new_index(name, capacity, **more)}],
        }

    @staticmethod
    def units(read: int, write: int) -> dict[str, int]:
        """Give ``ProvisionedThroughput``."""
        return {"ReadCapacityUnits": read, "WriteCapacityUnits": write}

    @staticmethod
    def strings(*names: str) -> list[dict[str, str]]:
        """Give ``AttributeDefinitions`` of strings."""
        return [{"AttributeName": name, "AttributeType": "S"} for name in names]


@pytest.fixture
def account(account_state: Callable[..., dict[str, Any]]) -> Account:
    return Account(account_state)
