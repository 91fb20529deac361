"""A journal written by hand: each send with its instant, and what became of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest

from pytest_ddbthrottle._engine.capacity import BillingMode, Consumption, OperationType
from pytest_ddbthrottle._engine.errors import ServiceError, TransactionCanceledException
from pytest_ddbthrottle._engine.journal import Call, Journal
from pytest_ddbthrottle._engine.keys import KeyAttribute, KeySchema
from pytest_ddbthrottle._engine.request_names import table_names
from pytest_ddbthrottle._engine.throttle.reasons import Scope
from pytest_ddbthrottle._engine.throttle.refusal import Refusal
from pytest_ddbthrottle._engine.throttle.replies import throttled

ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/"
SCHEMA = KeySchema((KeyAttribute("pk", "S"),))
ON_DEMAND_SCOPES = (Scope.CAP, Scope.QUOTA, Scope.GROWTH)


class Recorder:
    """Writes calls down as ``_wire`` would."""

    def __init__(self) -> None:
        self.journal = Journal()

    def refusal(
        self,
        scope: Scope = Scope.PROVISIONED,
        *,
        table: str = "orders",
        index: str | None = None,
        direction: OperationType = OperationType.WRITE,
        mode: BillingMode | None = None,
        asked: float = 1,
        left: float = 0,
        rate: int = 5,
        partition_key: Any = None,
    ) -> tuple[ServiceError, Mapping[str, str], Refusal]:
        """Give what a bucket says: the error, the cancellation reason, and the refusal."""
        on_demand = scope in ON_DEMAND_SCOPES or mode is BillingMode.PAY_PER_REQUEST
        at_the_door = scope is Scope.ACCOUNT
        said = throttled(
            Refusal(
                scope=scope,
                billing_mode=BillingMode.PAY_PER_REQUEST if on_demand else BillingMode.PROVISIONED,
                direction=direction,
                table_name=table,
                index_name=index,
                resource=ARN + table + (f"/index/{index}" if index else ""),
                asked_nano_units=0 if at_the_door else round(asked * 10**9),
                left_nano_units=round(left * 10**9),
                rate_units_per_second=rate,
                at_ns=0,
                partition_key=partition_key,
            )
        )
        assert isinstance(said.refusal, Refusal)
        return said.error, said.cancellation_reason, said.refusal

    def record(
        self,
        operation: str,
        request: Mapping[str, Any],
        *,
        at: float,
        error: ServiceError | None = None,
        refusals: Sequence[Refusal] = (),
        leftovers: Sequence[tuple[str, Mapping[str, Any]]] = (),
        consumed: Sequence[Consumption] = (),
        attempt: int = 1,
        after: float | None = None,
        scripted: bool = False,
    ) -> Call:
        """Add one call."""
        names = table_names(request)
        call = Call(
            number=len(self.journal.calls) + 1,
            operation=operation,
            table=next(iter(names), None),
            index=request.get("IndexName"),
            region="us-east-1",
            request=request,
            body=json.dumps(error.body() if error else {}).encode(),
            status_code=error.status_code if error else 200,
            headers={"x-amzn-RequestId": f"REQUEST{len(self.journal.calls) + 1}"},
            error=error.code if error else None,
            message=error.message if error else None,
            attempt=attempt,
            delay_before_seconds=after,
            at_seconds=at,
            consumed=tuple(consumed),
            refusals=tuple(refusals),
            leftovers=tuple(leftovers),
            key_schemas=dict.fromkeys(names, SCHEMA),
            scripted=scripted,
        )
        self.journal.record(call)
        return call

    def put(self, key: str, *, at: float, table: str = "orders", refused: Any = None, **how: Any) -> Call:
        """Write one item; ``refused`` is what ``refusal`` gave."""
        request = {"TableName": table, "Item": item(key)}
        if refused is None:
            return self.record("PutItem", request, at=at, consumed=[write(table)], **how)
        error, _, refusal = refused
        return self.record("PutItem", request, at=at, error=error, refusals=[refusal], **how)

    def batch(
        self,
        keys: Iterable[str],
        *,
        at: float,
        left: Sequence[str] = (),
        refused: Any = None,
        table: str = "orders",
        **how: Any,
    ) -> Call:
        """Write a batch of which ``left`` comes back; all of it, as an error, if nothing else is in it."""
        keys = list(keys)
        request = {"RequestItems": {table: [put_request(key) for key in keys]}}
        if not left:
            return self.record("BatchWriteItem", request, at=at, consumed=[write(table, len(keys))], **how)
        error, _, refusal = refused or self.refusal(table=table)
        refusals = [refusal] * len(left)
        if len(left) == len(keys):
            return self.record("BatchWriteItem", request, at=at, error=error, refusals=refusals, **how)
        leftovers = [(table, put_request(key)) for key in left]
        done = [write(table, len(keys) - len(left))]
        return self.record(
            "BatchWriteItem", request, at=at, refusals=refusals, leftovers=leftovers, consumed=done, **how
        )

    def transaction(self, keys: Sequence[str], *, at: float, refused: Any = None, table: str = "orders") -> Call:
        """Put several items together; a refusal falls on the first."""
        request = {"TransactItems": [{"Put": {"TableName": table, "Item": item(key)}} for key in keys]}
        if refused is None:
            return self.record("TransactWriteItems", request, at=at, consumed=[write(table, 2 * len(keys))])
        _, cancellation, refusal = refused
        reasons = [cancellation, *[{"Code": "None"}] * (len(keys) - 1)]
        text = f"Transaction cancelled [{', '.join(reason['Code'] for reason in reasons)}]"
        error = TransactionCanceledException(text, {"CancellationReasons": reasons})
        return self.record("TransactWriteItems", request, at=at, error=error, refusals=[refusal])


def item(key: str) -> dict[str, Any]:
    return {"pk": {"S": key}}


def put_request(key: str) -> dict[str, Any]:
    return {"PutRequest": {"Item": item(key)}}


def write(table: str, units: float = 1, index: str | None = None) -> Consumption:
    return Consumption(table, OperationType.WRITE, round(units * 10**9), index)


def response_of(call: Call) -> dict[str, Any]:
    """Give what botocore makes of a recorded call's reply."""
    members = json.loads(call.body)
    request_id = call.headers["x-amzn-RequestId"]
    metadata = {"RequestId": request_id, "HTTPStatusCode": call.status_code}
    return {"Error": {"Message": call.message, "Code": call.error}, "ResponseMetadata": metadata, **members}


def text_of_failure(assertion: Callable[..., None], *arguments: Any, **keywords: Any) -> list[str]:
    """Give the lines of the AssertionError that a call raises."""
    with pytest.raises(AssertionError) as caught:
        assertion(*arguments, **keywords)
    return str(caught.value).splitlines()


@pytest.fixture
def sent() -> Recorder:
    return Recorder()


@pytest.fixture(scope="session")
def failing() -> Callable[..., list[str]]:
    return text_of_failure


@pytest.fixture(scope="session")
def response() -> Callable[[Call], dict[str, Any]]:
    return response_of


@pytest.fixture(scope="session")
def units() -> Callable[..., Consumption]:
    return write
