"""TransactWriteItems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pytest_ddbthrottle._engine.capacity import (
    Consumption,
    OperationType,
    ReadConsistency,
    read_nano_units,
)
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.idempotency import CompletedTransaction, completed_transaction, remember
from pytest_ddbthrottle._engine.operations.item_collection import item_collection_metrics
from pytest_ddbthrottle._engine.operations.lookup import find_table
from pytest_ddbthrottle._engine.operations.transaction import (
    NO_REASON,
    Reason,
    admit,
    check_distinct,
    check_reasons,
    check_size,
    consumed_by_table,
    fault_reason,
    or_fault,
)
from pytest_ddbthrottle._engine.operations.write_action import (
    Bind,
    WriteAction,
    WriteAttempt,
    condition_check_action,
    delete_action,
    put_action,
    update_action,
)

ACTIONS: Mapping[str, Callable[[Request], Bind]] = {
    "ConditionCheck": condition_check_action,
    "Put": put_action,
    "Delete": delete_action,
    "Update": partial(update_action, flat_gate=True),
}

NO_ACTION = "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"
SEVERAL_ACTIONS = "TransactItems can only contain one of Check, Put, Update or Delete"
"""Source: Observed — public reports of 2022 and 2023."""

UNITS_FACTOR = 2
"""A transaction prepares and commits each item. Source: Documented — Developer Guide, "DynamoDB transactions", read
2026-11-30."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One action: its request and how it is bound to its table."""

    request: Request
    bind: Bind


def transact_write_items(context: Context, request: Request) -> Reply:
    """Carry out up to 100 writes and condition checks, all or none.

    Args:
        context: the account.
        request: ``TransactWriteItemsInput``.

    Returns:
        ``TransactWriteItemsOutput``.

    Raises:
        TransactionCanceledException, IdempotentParameterMismatchException, ResourceNotFoundException,
        ValidationException, Throttled
    """
    steps = [_step(entry) for entry in request["TransactItems"]]
    names = [step.request["TableName"] for step in steps]
    completed = completed_transaction(context, request)
    if completed is not None:
        return _repeated(context, request, names, completed)
    actions, attempts = _attempts(context, steps)
    consumptions = [attempt.consumptions(UNITS_FACTOR) for attempt in attempts]
    admit(context, consumptions)
    for attempt in attempts:
        attempt.commit(context.now_ns)
    reads = [(_repeated_read(attempt, parts[0]),) for attempt, parts in zip(attempts, consumptions, strict=True)]
    remember(context, request, reads)
    reply: Reply = {}
    detail = request.get("ReturnConsumedCapacity")
    if consumed := consumed_by_table(names, consumptions, detail, "WriteCapacityUnits"):
        reply["ConsumedCapacity"] = consumed
    if metrics := _collections(request, names, actions):
        reply["ItemCollectionMetrics"] = metrics
    return reply


def _step(entry: Mapping[str, Any]) -> _Step:
    given = [(kind, request) for kind, request in entry.items() if kind in ACTIONS and request is not None]
    if len(given) != 1:
        raise ValidationException(SEVERAL_ACTIONS if given else NO_ACTION)
    ((kind, request),) = given
    return _Step(request, ACTIONS[kind](request))


def _attempts(context: Context, steps: Sequence[_Step]) -> tuple[list[WriteAction], list[WriteAttempt]]:
    """Look at every item; a transaction with a false condition or a fault is cancelled, and charged all the same.

    Source: Documented — Developer Guide, "DynamoDB transactions", capacity of failed transactions, read 2026-11-30.
    """
    tables = [find_table(context, step.request["TableName"]) for step in steps]
    bound = [or_fault(partial(step.bind, table)) for step, table in zip(steps, tables, strict=True)]
    actions = [action for action in bound if isinstance(action, WriteAction)]
    check_distinct([(action.table, action.key) for action in actions])
    tried = [action if isinstance(action, ValidationException) else or_fault(action.attempt) for action in bound]
    attempts = [attempt for attempt in tried if isinstance(attempt, WriteAttempt)]
    check_size(attempt.prepared.larger_bytes for attempt in attempts)
    reasons = [_reason(step.request, attempt) for step, attempt in zip(steps, tried, strict=True)]
    if any(reason != NO_REASON for reason in reasons):
        admit(context, [_table_part(attempt) for attempt in tried])
        check_reasons(reasons)
    return actions, attempts


def _reason(request: Request, tried: WriteAttempt | ValidationException) -> Reason:
    if isinstance(tried, ValidationException):
        return fault_reason(tried)
    if tried.condition_holds:
        return NO_REASON
    failure = tried.condition_failure(request)
    return {"Code": "ConditionalCheckFailed", "Message": failure.message, **failure.members}


def _table_part(tried: WriteAttempt | ValidationException) -> list[Consumption]:
    """Give what one item of a cancelled transaction takes: no index was written."""
    return [] if isinstance(tried, ValidationException) else tried.consumptions(UNITS_FACTOR)[:1]


def _repeated_read(attempt: WriteAttempt, written: Consumption) -> Consumption:
    """Give what a repetition of one write takes: a transactional read of the larger of its two images.

    Source: Observed — two public measurements, 2026.
    """
    nano_units = read_nano_units(attempt.prepared.larger_bytes, ReadConsistency.TRANSACTIONAL)
    key_ranges = tuple((partition_key, nano_units) for partition_key, _ in written.key_ranges)
    return Consumption(written.table_name, OperationType.READ, nano_units, key_ranges=key_ranges)


def _repeated(context: Context, request: Request, names: Sequence[str], completed: CompletedTransaction) -> Reply:
    admit(context, completed.reads)
    detail = request.get("ReturnConsumedCapacity")
    consumed = consumed_by_table(names, completed.reads, detail, "ReadCapacityUnits")
    return {"ConsumedCapacity": consumed} if consumed else {}


def _collections(request: Request, names: Sequence[str], actions: Sequence[WriteAction]) -> dict[str, list[Any]]:
    metrics: dict[str, list[Any]] = {}
    for name, action in zip(names, actions, strict=True):
        # A condition check affects no collection.
        if action.stores and (collection := item_collection_metrics(request, action)):
            metrics.setdefault(name, []).append(collection)
    return metrics
