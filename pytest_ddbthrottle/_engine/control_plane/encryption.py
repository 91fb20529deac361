"""Encryption at rest: whose key a table is encrypted with, what a request may ask of it, and how it is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from pytest_ddbthrottle._engine.control_plane.change_budgets import check_encryption_change
from pytest_ddbthrottle._engine.control_plane.lifecycle import in_seconds, is_realistic
from pytest_ddbthrottle._engine.errors import ResourceInUseException, ValidationException
from pytest_ddbthrottle._engine.keys import INVALID_PARAMETER
from pytest_ddbthrottle._engine.limits import ENCRYPTION_CHANGE_SECONDS
from pytest_ddbthrottle._engine.operations.context import Context
from pytest_ddbthrottle._engine.table_settings import Encryption
from pytest_ddbthrottle._engine.tables import Table

Specification = Mapping[str, Any]

NOT_IF_DISABLED = f"{INVALID_PARAMETER}{{member}} can not be specified if Enabled is false"
TYPE_NEEDED = f"{INVALID_PARAMETER}SSEType KMS is required if KMSMasterKeyId is specified"
TYPE_UNKNOWN = f"{INVALID_PARAMETER}SSEType {{type}} is not supported"
ENCRYPTED_BY_DEFAULT = f"{INVALID_PARAMETER}Table is already encrypted by default"
SAME_KEY = (
    f"{INVALID_PARAMETER}Table is already encrypted with given KMSMasterKeyId. "
    "Use KMSMasterKeyId parameter if you want to change Master Key"
)
STILL_UPDATED = "Attempt to change a resource which is still in use: Server-Side Encryption is still being updated"
"""Source: Observed — a public lab's notes of 2026-10-08, us-west-2."""

MANAGED_KEY = "alias/aws/dynamodb"


def asked_key_arn(context: Context, specification: Specification) -> str | None:
    """Give the ARN of the key that an ``SSESpecification`` asks for; None for DynamoDB's own.

    ``SSEType`` alone asks for the account's managed key, as ``Enabled`` does. A key that is named by its id or alias
    gets an ARN made from the name: this account has no KMS to ask.

    Raises:
        ValidationException: members that contradict each other, or a type other than KMS.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2 (rules and texts); Assumed — the keys' ids.
    """
    kind, key = specification.get("SSEType"), specification.get("KMSMasterKeyId")
    if specification.get("Enabled") is False:
        for member in ("SSEType", "KMSMasterKeyId"):
            if specification.get(member) is not None:
                raise ValidationException(NOT_IF_DISABLED.format(member=member))
        return None
    if kind not in (None, "KMS"):
        raise ValidationException(TYPE_UNKNOWN.format(type=kind))
    if key is not None and kind is None:
        raise ValidationException(TYPE_NEEDED)
    if not specification.get("Enabled") and kind is None:
        return None
    return _key_arn(context, key or MANAGED_KEY)


def _key_arn(context: Context, key: str) -> str:
    if key.startswith("arn:") and ":key/" in key:
        return key
    prefix = f"arn:aws:kms:{context.region}:{context.account_id}:"
    alias = key.removeprefix(prefix)
    key_id = uuid5(NAMESPACE_URL, prefix + alias) if alias.startswith("alias/") else alias
    return f"{prefix}key/{key_id}"


def changed_encryption(context: Context, table: Table, specification: Specification) -> Encryption:
    """Give a table's encryption after an UpdateTable, which counts as a change even where the key stays.

    Raises:
        LimitExceededException: four changes in the window, and the last one less than six hours ago.
        ResourceInUseException: another change is on its way.
        ValidationException: nothing would change, or members contradict each other.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2: the present key by its ARN is refused, by its alias
    or its id it is taken and counted; what would change nothing is told before the budget.
    """
    before, asked = table.settings.encryption, asked_key_arn(context, specification)
    if asked is None and before.key_arn is None:
        raise ValidationException(ENCRYPTED_BY_DEFAULT)
    if asked is not None and specification.get("KMSMasterKeyId") == before.key_arn:
        raise ValidationException(SAME_KEY)
    if asked != before.key_arn:
        check_encryption_settled(table, context.now_ns)
    check_encryption_change(before.changes_ns, context.now_ns)
    until_ns = in_seconds(context, ENCRYPTION_CHANGE_SECONDS) if is_realistic(context) else 0
    return Encryption(asked, before.key_arn, (*before.changes_ns, context.now_ns), until_ns)


def check_encryption_settled(table: Table, now_ns: int) -> None:
    """Check that no change of the encryption is on its way.

    Raises:
        ResourceInUseException: one is.
    """
    if now_ns < table.settings.encryption.until_ns:
        raise ResourceInUseException(STILL_UPDATED)
