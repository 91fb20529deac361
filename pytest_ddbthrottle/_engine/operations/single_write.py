"""One write alone: attempt, admission, commit, reply."""

from __future__ import annotations

from pytest_ddbthrottle._engine.attribute_value import Item
from pytest_ddbthrottle._engine.capacity import consumed_capacity
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.item_collection import item_collection_metrics
from pytest_ddbthrottle._engine.operations.lookup import find_table
from pytest_ddbthrottle._engine.operations.write_action import Bind, WriteAction, WriteAttempt
from pytest_ddbthrottle._engine.worded_faults import WordedFault

OLD_RETURN_VALUES = ("NONE", "ALL_OLD")
INVALID_RETURN_VALUES = "ReturnValues can only be ALL_OLD or NONE"
"""What PutItem and DeleteItem say to the other three. Source: Observed — eu-west-2 and us-east-1, 2026-10-09, a public
conformance suite (DeleteItem), and us-east-1, a public implementation's notes (both)."""


def check_return_values(request: Request) -> None:
    """Check that a put or delete asks for the old item at most.

    Raises:
        ValidationException: it asks for what only an update gives.
    """
    if request.get("ReturnValues", "NONE") not in OLD_RETURN_VALUES:
        raise WordedFault(INVALID_RETURN_VALUES)


def write(context: Context, request: Request, bind: Bind) -> Reply:
    """Carry out one write whose request was understood.

    Raises:
        ResourceNotFoundException: there is no such table.
        ValidationException: the write is not valid for the table or the item.
        ConditionalCheckFailedException: the condition is false; its write units are consumed all the same.
        Throttled: a bucket refused; nothing has changed.
    """
    action = bind(find_table(context, request["TableName"]))
    attempt = action.attempt()
    consumptions = attempt.consumptions()
    context.admit(consumptions)
    if not attempt.condition_holds:
        raise attempt.condition_failure(request)
    attempt.commit(context.now_ns)
    reply: Reply = {}
    if attributes := _returned(request.get("ReturnValues"), action, attempt):
        reply["Attributes"] = attributes
    if consumed := consumed_capacity(request["TableName"], consumptions, request.get("ReturnConsumedCapacity")):
        reply["ConsumedCapacity"] = consumed
    if metrics := item_collection_metrics(request, action):
        reply["ItemCollectionMetrics"] = metrics
    return reply


def _returned(return_values: str | None, action: WriteAction, attempt: WriteAttempt) -> Item | None:
    if return_values is None or return_values == "NONE":
        return None
    chosen = (attempt.old if return_values.endswith("_OLD") else attempt.new) or {}
    if return_values.startswith("ALL_"):
        return chosen
    return None if action.update is None else action.update.updated_values(chosen)
