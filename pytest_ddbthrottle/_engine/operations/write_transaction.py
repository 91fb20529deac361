"""What TransactWriteItems and ExecuteTransaction share: writes and condition checks, all or none, and their repetition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pytest_ddbthrottle._engine.capacity import Consumption, OperationType, ReadConsistency, read_nano_units
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.operations.context import Context, Request
from pytest_ddbthrottle._engine.operations.idempotency import CompletedTransaction, completed_transaction, remember
from pytest_ddbthrottle._engine.operations.lookup import find_table
from pytest_ddbthrottle._engine.operations.transaction import (
    NO_REASON,
    Reason,
    admit,
    check_distinct,
    check_reasons,
    check_size,
    consumed_by_table,
    failure_reason,
    fault_reason,
    or_fault,
)
from pytest_ddbthrottle._engine.operations.write_action import Bind, WriteAction, WriteAttempt

UNITS_FACTOR = 2
"""A transaction prepares and commits each item. Source: Documented — Developer Guide, "DynamoDB transactions", read
2026-11-30."""


@dataclass(frozen=True, slots=True)
class WriteStep:
    """One action: its request, which names the table, and how it is bound to it."""

    request: Request
    bind: Bind


@dataclass(frozen=True, slots=True)
class Written:
    """What a transaction did: its actions (none of a repetition), and the elements of ``ConsumedCapacity``."""

    actions: Sequence[WriteAction]
    consumed: list[dict[str, Any]]


def write_all(context: Context, request: Request, items: Sequence[Any], steps: Sequence[WriteStep]) -> Written:
    """Carry out a transaction, or repeat one that its token was used for.

    Args:
        context: the account.
        request: with ``ClientRequestToken`` and ``ReturnConsumedCapacity``.
        items: what the token is good for.
        steps: the actions.

    Raises:
        TransactionCanceledException, IdempotentParameterMismatchException, ResourceNotFoundException,
        ValidationException, Throttled
    """
    names = [step.request["TableName"] for step in steps]
    completed = completed_transaction(context, request, items)
    if completed is not None:
        return Written((), _repeated(context, request, names, completed))
    actions, attempts = _attempts(context, steps)
    consumptions = [attempt.consumptions(UNITS_FACTOR) for attempt in attempts]
    admit(context, consumptions)
    for attempt in attempts:
        attempt.commit(context.now_ns)
    reads = [(_repeated_read(attempt, parts[0]),) for attempt, parts in zip(attempts, consumptions, strict=True)]
    remember(context, request, items, reads)
    detail = request.get("ReturnConsumedCapacity")
    return Written(actions, consumed_by_table(names, consumptions, detail, "WriteCapacityUnits"))


def _attempts(context: Context, steps: Sequence[WriteStep]) -> tuple[list[WriteAction], list[WriteAttempt]]:
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
    return failure_reason(tried.condition_failure(request))


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


def _repeated(
    context: Context, request: Request, names: Sequence[str], completed: CompletedTransaction
) -> list[dict[str, Any]]:
    admit(context, completed.reads)
    detail = request.get("ReturnConsumedCapacity")
    return consumed_by_table(names, completed.reads, detail, "ReadCapacityUnits")
