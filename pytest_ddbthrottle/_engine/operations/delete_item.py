"""DeleteItem."""

from __future__ import annotations

from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.legacy_parameters import with_expressions
from pytest_ddbthrottle._engine.operations.single_write import check_return_values, write
from pytest_ddbthrottle._engine.operations.write_action import delete_action


def delete_item(context: Context, request: Request) -> Reply:
    """Delete the item with a key, if the condition holds; deleting nothing succeeds.

    Args:
        context: the account.
        request: ``DeleteItemInput``.

    Returns:
        ``DeleteItemOutput``.

    Raises:
        ConditionalCheckFailedException, ResourceNotFoundException, ValidationException, Throttled
    """
    check_return_values(request)
    request = with_expressions(request)
    return write(context, request, delete_action(request))
