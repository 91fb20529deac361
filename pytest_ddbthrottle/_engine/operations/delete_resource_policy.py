"""DeleteResourcePolicy."""

from __future__ import annotations

from dataclasses import replace

from pytest_ddbthrottle._engine.control_plane.resource_policies import (
    changed_policy,
    check_revision,
    check_settled,
    policy_table,
)
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request


def delete_resource_policy(context: Context, request: Request) -> Reply:
    """Take the policy off a table; where there is none, nothing happens.

    Args:
        context: the account.
        request: ``DeleteResourcePolicyInput``.

    Returns:
        ``DeleteResourcePolicyOutput``: the revision that was removed; the revision of the deletion where it was removed
        before; nothing where the table never had a policy.

    Raises:
        PolicyNotFoundException, ResourceInUseException, ResourceNotFoundException, ThrottlingException,
        ValidationException

    Source: Observed — a public lab's notes of 2026-10-09, us-west-2.
    """
    table = policy_table(context, request["ResourceArn"])
    check_revision(table, request.get("ExpectedRevisionId"))
    policy = table.settings.policy
    if policy is None:
        return {}
    if policy.text is not None:
        check_settled(context, table)
        table.settings = replace(table.settings, policy=changed_policy(table, None, context.now_ns))
    return {"RevisionId": str(policy.revision_id)}
