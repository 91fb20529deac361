"""PutResourcePolicy."""

from __future__ import annotations

from dataclasses import replace

from pytest_ddbthrottle._engine.control_plane.resource_policies import (
    changed_policy,
    check_revision,
    check_settled,
    checked_text,
    policy_table,
)
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request


def put_resource_policy(context: Context, request: Request) -> Reply:
    """Attach a policy to a table; one that says the same as the one there is leaves it, and its revision, as it is.

    It is in force at once; on the service within seconds.

    Args:
        context: the account.
        request: ``PutResourcePolicyInput``.

    Returns:
        ``PutResourcePolicyOutput``.

    Raises:
        PolicyNotFoundException, ResourceInUseException, ResourceNotFoundException, ThrottlingException,
        ValidationException

    Source: Observed — a public lab's notes of 2026-10-09, us-west-2 (the document is checked before the table is looked up,
    and the revision before the cool-down).
    """
    text = checked_text(request["Policy"], context.account_id)
    table = policy_table(context, request["ResourceArn"])
    check_revision(table, request.get("ExpectedRevisionId"))
    policy = table.settings.policy
    if policy is None or policy.text != text:
        check_settled(context, table)
        policy = changed_policy(table, text, context.now_ns)
        context.policy_made()
        table.settings = replace(table.settings, policy=policy)
    return {"RevisionId": str(policy.revision_id)}
