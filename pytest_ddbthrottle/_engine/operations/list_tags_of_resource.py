"""ListTagsOfResource."""

from __future__ import annotations

from pytest_ddbthrottle._engine.control_plane.tags import tagged_table
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request

NO_SUCH_PAGE = "Invalid NextToken"


def list_tags_of_resource(context: Context, request: Request) -> Reply:
    """List a table's tags, all on one page.

    Args:
        context: the account.
        request: ``ListTagsOfResourceInput``.

    Returns:
        ``ListTagsOfResourceOutput``.

    Raises:
        AccessDeniedException, ResourceNotFoundException, ValidationException

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2: 50 tags come without a NextToken; Assumed — one that
    was never given is refused, in the words that ExecuteStatement has for it. A call with any token would tell.
    """
    tags = tagged_table(context, request["ResourceArn"]).settings.tags
    if "NextToken" in request:
        raise ValidationException(NO_SUCH_PAGE)
    return {"Tags": [{"Key": key, "Value": value} for key, value in tags.items()]}
