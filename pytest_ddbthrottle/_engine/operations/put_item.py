"""PutItem."""

from __future__ import annotations

from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.legacy_parameters import with_expressions
from pytest_ddbthrottle._engine.operations.single_write import check_return_values, write
from pytest_ddbthrottle._engine.operations.write_action import put_action


def put_item(context: Context, request: Request) -> Reply:
    """Store an item in the place of the one that has its key, if the condition holds.

    Args:
        context: the account.
        request: ``PutItemInput``.

    Returns:
        ``PutItemOutput``.

    Raises:
        ConditionalCheckFailedException, ResourceNotFoundException, ValidationException, Throttled
    """
    check_return_values(request)
    request = with_expressions(request)
    return write(context, request, put_action(request))
