"""GetResourcePolicy."""

from __future__ import annotations

from pytest_ddbthrottle._engine.control_plane.resource_policies import NOT_FOUND, policy_table
from pytest_ddbthrottle._engine.errors import PolicyNotFoundException
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request


def get_resource_policy(context: Context, request: Request) -> Reply:
    """Give the policy of a table, as of now; the service may lag behind for a second or two.

    Args:
        context: the account.
        request: ``GetResourcePolicyInput``.

    Returns:
        ``GetResourcePolicyOutput``.

    Raises:
        PolicyNotFoundException, ResourceNotFoundException, ValidationException

    Source: Observed — a public lab's notes of 2026-10-09, us-west-2.
    """
    policy = policy_table(context, request["ResourceArn"]).settings.policy
    if policy is None or policy.text is None:
        raise PolicyNotFoundException(NOT_FOUND + request["ResourceArn"])
    return {"Policy": policy.text, "RevisionId": str(policy.revision_id)}
