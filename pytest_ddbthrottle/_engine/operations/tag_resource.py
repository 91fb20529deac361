"""TagResource."""

from __future__ import annotations

from pytest_ddbthrottle._engine.control_plane.state_rules import change_tags
from pytest_ddbthrottle._engine.control_plane.tags import tagged_table, with_tags
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request


def tag_resource(context: Context, request: Request) -> Reply:
    """Put tags on a table, over those that have the same key.

    Args:
        context: the account.
        request: ``TagResourceInput``.

    Returns:
        Nothing: the service answers with an empty body.

    Raises:
        AccessDeniedException, LimitExceededException, ResourceInUseException, ResourceNotFoundException,
        ThrottlingException, ValidationException
    """
    table = tagged_table(context, request["ResourceArn"])
    change_tags(context, table, with_tags(table.settings.tags, request["Tags"]))
    return {}
