"""UpdateTable's reply: a table on its way, in which much is still as it was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pytest_ddbthrottle._engine.control_plane.description import mode_alone
from pytest_ddbthrottle._engine.control_plane.throughput import CAPS, CLEARED

Description = dict[str, Any]
INDEX_MEMBERS = (
    ("GlobalSecondaryIndexes", "GlobalSecondaryIndexUpdates"),
    ("VectorIndexes", "VectorIndexUpdates"),
)
AS_BEFORE = ("ReadCapacityUnits", "WriteCapacityUnits", "NumberOfDecreasesToday")


def update_reply(
    before: Description, after: Description, request: Mapping[str, Any], members: Sequence[str]
) -> Description:
    """Give ``TableDescription`` as UpdateTable answers it.

    Capacity, warm throughput and class are shown as they were, the instants of their change as they are; a cap that is
    taken away shows as -1; a switch of billing mode is shown at once.

    Args:
        before: what DescribeTable would have shown.
        after: what it will show.
        request: ``UpdateTableInput``.
        members: those that ask for a change.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2.
    """
    reply = mode_alone(after)
    if "ProvisionedThroughput" in members and not _switches(before, after):
        reply["ProvisionedThroughput"] = _with_old_units(before, after)
    if "OnDemandThroughput" in members:
        cleared = {member: CLEARED for member in CAPS if request["OnDemandThroughput"].get(member) == CLEARED}
        reply["OnDemandThroughput"] = {**after.get("OnDemandThroughput", {}), **cleared}
    if "WarmThroughput" in members:
        reply["WarmThroughput"] = {**before["WarmThroughput"], "Status": "UPDATING"}
    if "TableClass" in members:
        reply.pop("TableClassSummary", None)
        reply.update({name: before[name] for name in ("TableClassSummary",) if name in before})
    if "SSESpecification" in members:
        reply["SSEDescription"] = {**before.get("SSEDescription", {}), "Status": "UPDATING"}
    actions = [entry for _, updates in INDEX_MEMBERS for entry in request.get(updates, ()) if "Update" not in entry]
    if {"ProvisionedThroughput", "BillingMode", "TableClass", "StreamSpecification"} & set(members) or actions:
        reply["TableStatus"] = "UPDATING"
    indexes = {member: _indexes(before, after, member, request.get(updates, ())) for member, updates in INDEX_MEMBERS}
    return reply | {member: shown for member, shown in indexes.items() if shown}


def _switches(before: Description, after: Description) -> bool:
    return bool(before.get("BillingModeSummary") != after.get("BillingModeSummary"))


def _with_old_units(before: Description, after: Description) -> Description:
    old = before["ProvisionedThroughput"]
    return {**after["ProvisionedThroughput"], **{member: old[member] for member in AS_BEFORE}}


def _indexes(
    before: Description, after: Description, member: str, updates: Iterable[Mapping[str, Any]]
) -> list[Description]:
    """Give the indexes of one kind: created ones after the others, deleted ones still there."""
    old = {index["IndexName"]: index for index in before.get(member, ())}
    new = {index["IndexName"]: index for index in after.get(member, ())}
    shown = {**old, **new}
    for entry in updates:
        if "Create" in entry:
            name = entry["Create"]["IndexName"]
            shown[name] = {**new[name], "IndexStatus": "CREATING", "Backfilling": False}
        elif "Delete" in entry:
            name = entry["Delete"]["IndexName"]
            shown[name] = {**old[name], "IndexStatus": "DELETING"}
        else:
            name = entry["Update"]["IndexName"]
            throughput = (
                new[name] if _switches(before, after) else {**new[name], **_old_throughput(old[name], new[name])}
            )
            shown[name] = {**throughput, "IndexStatus": "UPDATING"}
    return list(shown.values())


def _old_throughput(old: Description, new: Description) -> Description:
    return {"ProvisionedThroughput": _with_old_units(old, new), "WarmThroughput": old["WarmThroughput"]}
