"""One write alone: attempt, admission, commit, reply."""

from __future__ import annotations

from pytest_ddbthrottle._engine.attribute_value import Item
from pytest_ddbthrottle._engine.capacity import consumed_capacity
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.write_action import WriteAction, WriteAttempt


def write(context: Context, request: Request, action: WriteAction) -> Reply:
    """Carry out one understood write.

    Raises:
        ConditionalCheckFailedException: the condition is false; its write units are consumed all the same.
        Throttled: a bucket refused; nothing has changed.
    """
    attempt = action.attempt()
    consumptions = attempt.consumptions()
    context.admit(consumptions)
    if not attempt.condition_holds:
        raise attempt.condition_failure(request)
    attempt.prepared.commit()
    reply: Reply = {}
    if attributes := _returned(request.get("ReturnValues"), action, attempt):
        reply["Attributes"] = attributes
    if consumed := consumed_capacity(request["TableName"], consumptions, request.get("ReturnConsumedCapacity")):
        reply["ConsumedCapacity"] = consumed
    return reply


def _returned(return_values: str | None, action: WriteAction, attempt: WriteAttempt) -> Item | None:
    old, new = attempt.old or {}, attempt.new or {}
    if return_values == "ALL_OLD":
        return old
    if return_values == "ALL_NEW":
        return new
    if action.update is None:
        return None
    if return_values == "UPDATED_OLD":
        return action.update.updated_values(old)
    return action.update.updated_values(new) if return_values == "UPDATED_NEW" else None
