"""A table with a stream, read as an application reads one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.dynamodb import DynamoDB
from pytest_ddbthrottle._engine.limits import AccountLimits

REGION = "us-west-2"


class Streamed:
    """An account with one table, ``tab1``, of the key ``pk``, and its stream."""

    def __init__(self, account_state: Callable[..., dict[str, Any]], view_type: str = "NEW_AND_OLD_IMAGES") -> None:
        self.clock = VirtualClock()
        self.engine = DynamoDB(self.clock)
        self._state = account_state
        description = self.call(
            "CreateTable",
            TableName="tab1",
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            BillingMode="PAY_PER_REQUEST",
            StreamSpecification={"StreamEnabled": True, "StreamViewType": view_type},
        )["TableDescription"]
        self.arn = description["LatestStreamArn"]
        self.shard = self.describe()["Shards"][0]["ShardId"]

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

    def put(self, *pks: str, **attributes: Any) -> None:
        for pk in pks:
            self.call("PutItem", TableName="tab1", Item={"pk": {"S": pk}, **attributes})

    def disable(self) -> None:
        self.call("UpdateTable", TableName="tab1", StreamSpecification={"StreamEnabled": False})

    def describe(self, **more: Any) -> dict[str, Any]:
        description: dict[str, Any] = self.call("DescribeStream", StreamArn=self.arn, **more)["StreamDescription"]
        return description

    def place(self, kind: str = "TRIM_HORIZON", **more: Any) -> dict[str, Any]:
        """Give ``GetShardIteratorInput``."""
        return {"StreamArn": self.arn, "ShardId": self.shard, "ShardIteratorType": kind, **more}

    def iterator(self, kind: str = "TRIM_HORIZON", **more: Any) -> str:
        return str(self.call("GetShardIterator", **self.place(kind, **more))["ShardIterator"])

    def records(self, iterator: str | None = None, **more: Any) -> list[dict[str, Any]]:
        reply = self.call("GetRecords", ShardIterator=iterator or self.iterator(), **more)
        return list(reply["Records"])

    def keys(self, iterator: str | None = None, **more: Any) -> list[str]:
        return [record["dynamodb"]["Keys"]["pk"]["S"] for record in self.records(iterator, **more)]

    def numbers(self) -> list[str]:
        return [record["dynamodb"]["SequenceNumber"] for record in self.records()]


@pytest.fixture
def streamed(account_state: Callable[..., dict[str, Any]]) -> Streamed:
    return Streamed(account_state)


@pytest.fixture
def streamed_as(account_state: Callable[..., dict[str, Any]]) -> Callable[[str], Streamed]:
    """Gives a function that makes such an account with a stream of another view type."""
    return lambda view_type: Streamed(account_state, view_type)
