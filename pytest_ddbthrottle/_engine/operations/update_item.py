"""UpdateItem."""

from __future__ import annotations

from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.legacy_parameters import with_expressions
from pytest_ddbthrottle._engine.operations.single_write import write
from pytest_ddbthrottle._engine.operations.write_action import update_action


def update_item(context: Context, request: Request) -> Reply:
    """Change attributes of the item with a key, or make it, if the condition holds.

    Args:
        context: the account.
        request: ``UpdateItemInput``.

    Returns:
        ``UpdateItemOutput``.

    Raises:
        ConditionalCheckFailedException, ResourceNotFoundException, ValidationException, Throttled
    """
    request = with_expressions(request)
    return write(context, request, update_action(request))
