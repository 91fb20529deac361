"""UntagResource."""

from __future__ import annotations

from dataclasses import replace

from pytest_ddbthrottle._engine.control_plane.lifecycle import check_rate
from pytest_ddbthrottle._engine.control_plane.state_rules import check_tags_free
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
    tags = without_tags(table.settings.tags, request["TagKeys"])
    check_tags_free(context, table)
    check_rate(context)
    table.settings = replace(table.settings, tags=tags, tags_changed_ns=context.now_ns)
    return {}
