"""DeleteTable."""

from __future__ import annotations

from pytest_ddbthrottle._engine.control_plane.description import table_description
from pytest_ddbthrottle._engine.control_plane.encryption import check_encryption_settled
from pytest_ddbthrottle._engine.control_plane.lifecycle import begin_deletion, check_operation, is_realistic
from pytest_ddbthrottle._engine.control_plane.lookup import find_described_table
from pytest_ddbthrottle._engine.control_plane.resource_policies import check_policy_done
from pytest_ddbthrottle._engine.control_plane.state_rules import check_deletable
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request

DELETE_REPLY_MEMBERS = (
    "TableName",
    "TableStatus",
    "ProvisionedThroughput",
    "TableSizeBytes",
    "ItemCount",
    "TableArn",
    "TableId",
    "DeletionProtectionEnabled",
    "BillingModeSummary",
)
PROTECTED = (
    "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first."
)
"""Source: Observed — eu-west-2, 2026-07, a public conformance suite."""


def delete_table(context: Context, request: Request) -> Reply:
    """Delete a table, its items and its indexes; the reply says DELETING, as the service's does.

    They are gone at once by default, and after their time under ``lifecycle="realistic"``.

    Args:
        context: the account.
        request: ``DeleteTableInput``.

    Returns:
        ``DeleteTableOutput``.

    Raises:
        LimitExceededException, ResourceInUseException, ResourceNotFoundException, ThrottlingException,
        ValidationException
    """
    table = find_described_table(context, request["TableName"])
    if table.settings.deletion_protection:
        raise ValidationException(PROTECTED)
    check_deletable(table, context.now_ns)
    check_encryption_settled(table, context.now_ns)
    check_policy_done(context, table)
    check_operation(context, table)
    description = table_description(table, context.now_ns)
    if is_realistic(context):
        begin_deletion(context, table)
        context.throughput_changed(table)
    else:
        del context.tables[table.name]
        context.table_deleted(table)
    shown = {member: description[member] for member in DELETE_REPLY_MEMBERS if member in description}
    return {"TableDescription": {**shown, "TableStatus": "DELETING"}}
