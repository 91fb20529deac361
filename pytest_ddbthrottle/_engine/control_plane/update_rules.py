"""Which members an UpdateTable may have together: the service makes one change at a time."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pytest_ddbthrottle._engine.control_plane.stream_specification import check_changed_stream
from pytest_ddbthrottle._engine.errors import InternalFailure, ValidationException
from pytest_ddbthrottle._engine.keys import INVALID_PARAMETER

CHANGING_MEMBERS = (
    "ProvisionedThroughput",
    "BillingMode",
    "GlobalSecondaryIndexUpdates",
    "VectorIndexUpdates",
    "DeletionProtectionEnabled",
    "OnDemandThroughput",
    "WarmThroughput",
    "TableClass",
    "SSESpecification",
    "StreamSpecification",
)
NOTHING_TO_DO = (
    "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, "
    "SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, "
    "DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required"
)
ALONE: Mapping[str, str] = MappingProxyType(
    {
        "TableClass": "TableClass modification",
        "DeletionProtectionEnabled": "DeletionProtection modification",
        "WarmThroughput": "WarmThroughput",
    }
)
"""Members that come alone, the one that is named first where several are there, and what their text calls them."""

MUST_BE_ALONE = f"{INVALID_PARAMETER}{{what}} must be the only operation in the request"
CAPS_WITH_MODE_ONLY = (
    f"{INVALID_PARAMETER}OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"
)
STREAM_BESIDE_CAPACITY = f"{INVALID_PARAMETER}You cannot modify stream status while updating table IOPS"
INDEX_BESIDE_STREAM = f"{INVALID_PARAMETER}You cannot create or delete index while changing stream status"
"""Source: Observed — a public lab's notes of 2026-10-09, us-west-2 and us-east-1 (33 combinations, and their order)."""


def changing_members(request: Mapping[str, Any]) -> list[str]:
    """Give the members of an UpdateTable that ask for a change.

    Args:
        request: ``UpdateTableInput``.

    Raises:
        InternalFailure: nothing but an empty structure, which the service answers so.
        ValidationException: there is none, or there are some that don't go together.

    Source: Observed — a public lab's notes of 2026-10-09: an empty structure beside another member is passed over,
    and an empty ``SSESpecification`` asks for DynamoDB's own key.
    """
    given = [member for member in CHANGING_MEMBERS if member in request and not _asks_for_nothing(request, member)]
    members = [member for member in given if request[member] != {} or member == "SSESpecification"]
    if not members:
        raise InternalFailure() if given else ValidationException(NOTHING_TO_DO)
    for member, what in ALONE.items():
        if member in members and len(members) > 1:
            raise ValidationException(MUST_BE_ALONE.format(what=what))
    if "OnDemandThroughput" in members and set(members) - {"OnDemandThroughput", "BillingMode"}:
        raise ValidationException(CAPS_WITH_MODE_ONLY)
    if "StreamSpecification" in members:
        _check_beside_stream(request)
    return members


def _check_beside_stream(request: Mapping[str, Any]) -> None:
    check_changed_stream(request["StreamSpecification"])
    if "ProvisionedThroughput" in request or request.get("BillingMode") == "PROVISIONED":
        raise ValidationException(STREAM_BESIDE_CAPACITY)
    online = [entry for entry in request.get("GlobalSecondaryIndexUpdates", ()) if "Update" not in entry]
    if online or request.get("VectorIndexUpdates"):
        raise ValidationException(INDEX_BESIDE_STREAM)


def _asks_for_nothing(request: Mapping[str, Any], member: str) -> bool:
    return member == "VectorIndexUpdates" and not request[member]
