"""TransactWriteItems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.item_collection import item_collection_metrics
from pytest_ddbthrottle._engine.operations.write_action import (
    Bind,
    WriteAction,
    condition_check_action,
    delete_action,
    put_action,
    update_action,
)
from pytest_ddbthrottle._engine.operations.write_transaction import WriteStep, write_all

ACTIONS: Mapping[str, Callable[[Request], Bind]] = {
    "ConditionCheck": condition_check_action,
    "Put": put_action,
    "Delete": delete_action,
    "Update": partial(update_action, flat_gate=True),
}

NO_ACTION = "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"
SEVERAL_ACTIONS = "TransactItems can only contain one of Check, Put, Update or Delete"
"""Source: Observed — public reports of 2022 and 2023."""


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
    written = write_all(context, request, request["TransactItems"], steps)
    reply: Reply = {}
    if written.consumed:
        reply["ConsumedCapacity"] = written.consumed
    names = [step.request["TableName"] for step in steps]
    if metrics := _collections(request, names, written.actions):
        reply["ItemCollectionMetrics"] = metrics
    return reply


def _step(entry: Mapping[str, Any]) -> WriteStep:
    given = [(kind, request) for kind, request in entry.items() if kind in ACTIONS and request is not None]
    if len(given) != 1:
        raise ValidationException(SEVERAL_ACTIONS if given else NO_ACTION)
    ((kind, request),) = given
    return WriteStep(request, ACTIONS[kind](request))


def _collections(request: Request, names: Sequence[str], actions: Sequence[WriteAction]) -> dict[str, list[Any]]:
    metrics: dict[str, list[Any]] = {}
    for name, action in zip(names, actions, strict=False):
        # A condition check affects no collection.
        if action.stores and (collection := item_collection_metrics(request, action)):
            metrics.setdefault(name, []).append(collection)
    return metrics
