"""What the two transactions share: every item or none, one admission for all, and a reason for each item.

A fault that the request alone shows is a ValidationException; one that only an item's table or its stored content
shows cancels the transaction, with a reason in that item's place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from pytest_ddbthrottle._engine.capacity import Consumption, consumed_capacity
from pytest_ddbthrottle._engine.errors import (
    ServiceError,
    Throttled,
    TransactionCanceledException,
    ValidationException,
)
from pytest_ddbthrottle._engine.keys import Key
from pytest_ddbthrottle._engine.limits import MAX_TRANSACTION_BYTES
from pytest_ddbthrottle._engine.operations.context import Context
from pytest_ddbthrottle._engine.tables import Table

Reason = Mapping[str, Any]
"""An element of ``CancellationReasons``."""

NO_REASON: Reason = {"Code": "None"}
CANCELLED = "Transaction cancelled, please refer cancellation reasons for specific reasons [{}]"
"""Source: Observed — a raw body in a public report; ``None`` without a message likewise."""

ONE_ITEM_TWICE = "Transaction request cannot include multiple operations on one item"
"""Source: Observed — eu-west-2, 2026-07, a public conformance suite."""

TOO_LARGE = "The aggregate size of the items in the transaction cannot exceed 4 MB"
"""Source: Assumed — the API Reference's sentence; nobody has published the body."""

EMPTY_KEY_VALUE = "One or more parameter values are not valid."
"""Begins the one kind of key fault that fails the request instead of cancelling. Source: Observed — eu-west-2 and three
more Regions, 2026-06, a public conformance suite."""

SHORT_CODES: Mapping[str, str] = {"ValidationException": "ValidationError", "ThrottlingException": "ThrottlingError"}

Result = TypeVar("Result")


def or_fault(step: Callable[[], Result]) -> Result | ValidationException:
    """Give what a step gives, or the fault that cancels the transaction.

    Raises:
        ValidationException: the fault is one that fails the whole request.
    """
    try:
        return step()
    except ValidationException as fault:
        if fault.message.startswith(EMPTY_KEY_VALUE):
            raise
        return fault


def fault_reason(fault: ValidationException) -> Reason:
    """Give the reason of an item that is not valid: the text that the operation on one item would send.

    Source: Observed — eu-west-2, 2026-06 to 2026-08, a public conformance suite.
    """
    return {"Code": "ValidationError", "Message": fault.message}


def failure_reason(failure: ServiceError) -> Reason:
    """Give the reason of an item whose condition is false, or of an INSERT that found an item."""
    return {"Code": short_code(failure), "Message": failure.message, **failure.members}


def short_code(error: ServiceError) -> str:
    """Give an error's code as a part of a larger request has it.

    >>> short_code(ValidationException()), short_code(ServiceError())
    ('ValidationError', 'ServiceError')

    Source: Documented — API Reference, BatchStatementError and CancellationReason, codes, read 2026-12-07.
    """
    return SHORT_CODES.get(error.code, error.code.removesuffix("Exception"))


def check_distinct(keys: Sequence[tuple[Table, Key]]) -> None:
    """Check that no item is named twice.

    Raises:
        ValidationException: one is.
    """
    if len({(table.name, key) for table, key in keys}) < len(keys):
        raise ValidationException(ONE_ITEM_TWICE)


def check_size(sizes_bytes: Iterable[int]) -> None:
    """Check that the items are at most 4 MB together.

    Raises:
        ValidationException: they are more.
    """
    if sum(sizes_bytes) > MAX_TRANSACTION_BYTES:
        raise ValidationException(TOO_LARGE)


def check_reasons(reasons: Sequence[Reason]) -> None:
    """Check that no item has a reason to cancel.

    Raises:
        TransactionCanceledException: one has.
    """
    if any(reason != NO_REASON for reason in reasons):
        codes = ", ".join(reason["Code"] for reason in reasons)
        raise TransactionCanceledException(CANCELLED.format(codes), {"CancellationReasons": list(reasons)})


def admit(context: Context, items: Sequence[Sequence[Consumption]]) -> None:
    """Charge what all items take, or nothing.

    Args:
        context: the account.
        items: for each item, in order, what it takes.

    Raises:
        TransactionCanceledException: a bucket refused; the reason stands in the place of the item that it refused.
        Throttled: the account as a whole is over its limit, which no item is to blame for.

    Source: Documented — API Reference, TransactWriteItems, reasons, read 2026-11-30; Assumed — the account.
    """
    try:
        context.admit([part for parts in items for part in parts])
    except Throttled as throttled:
        if throttled.cancellation_reason:
            check_reasons([_throttling_reason(parts, throttled) for parts in items])
        raise


def _throttling_reason(parts: Sequence[Consumption], throttled: Throttled) -> Reason:
    return throttled.cancellation_reason if any(part is throttled.consumption for part in parts) else NO_REASON


def consumed_by_table(
    table_names: Sequence[str], items: Sequence[Sequence[Consumption]], detail: str | None, mirrored_member: str
) -> list[dict[str, Any]]:
    """Give the elements of ``ConsumedCapacity``, one for each table in the order in which the request names them.

    Args:
        table_names: for each item, its table's name as the request has it.
        items: for each item, what it took.
        detail: ``ReturnConsumedCapacity``.
        mirrored_member: ``ReadCapacityUnits`` or ``WriteCapacityUnits``.
    """
    by_table: dict[str, list[Consumption]] = {}
    for name, parts in zip(table_names, items, strict=True):
        by_table.setdefault(name, []).extend(parts)
    elements = (consumed_capacity(name, parts, detail, mirrored_member) for name, parts in by_table.items())
    return [element for element in elements if element is not None]
