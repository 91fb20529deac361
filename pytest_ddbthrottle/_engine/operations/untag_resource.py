"""UntagResource."""

from __future__ import annotations

from pytest_ddbthrottle._engine.control_plane.state_rules import change_tags
from pytest_ddbthrottle._engine.control_plane.tags import tagged_table, without_tags
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request


def untag_resource(context: Context, request: Request) -> Reply:
    """Take tags off a table; a key that it does not have is no fault.

    Args:
        context: the account.
        request: ``UntagResourceInput``.

    Returns:
        Nothing: the service answers with an empty body.

    Raises:
        AccessDeniedException, LimitExceededException, ResourceInUseException, ResourceNotFoundException,
        ThrottlingException, ValidationException
    """
    table = tagged_table(context, request["ResourceArn"])
    change_tags(context, table, without_tags(table.settings.tags, request["TagKeys"]))
    return {}
