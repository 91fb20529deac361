"""UpdateTable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_ddbthrottle._engine.capacity import BillingMode
from pytest_ddbthrottle._engine.control_plane.changes import (
    ThroughputChange,
    index_change,
    switched_index,
    table_change,
)
from pytest_ddbthrottle._engine.control_plane.definitions import (
    IndexDefinition,
    attribute_types,
    check_projected,
    index_definition,
)
from pytest_ddbthrottle._engine.control_plane.description import table_description
from pytest_ddbthrottle._engine.control_plane.lookup import find_described_table
from pytest_ddbthrottle._engine.control_plane.throughput import created_index_throughput
from pytest_ddbthrottle._engine.errors import (
    LimitExceededException,
    ResourceNotFoundException,
    ValidationException,
)
from pytest_ddbthrottle._engine.limits import MAX_GLOBAL_SECONDARY_INDEXES
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.create_table import new_index
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table

CHANGING_MEMBERS = (
    "ProvisionedThroughput",
    "BillingMode",
    "GlobalSecondaryIndexUpdates",
    "DeletionProtectionEnabled",
    "OnDemandThroughput",
    "WarmThroughput",
    "TableClass",
)
NOTHING_TO_DO = (
    "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, "
    "SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, "
    "DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required"
)
ONE_ONLINE_INDEX = "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"
TOO_MANY_INDEXES = (
    "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of "
    f"{MAX_GLOBAL_SECONDARY_INDEXES}"
)
"""Source: Observed — a public lab's notes of 2026-10-08, us-west-2."""


@dataclass(slots=True)
class _Plan:
    """All that one UpdateTable will change; nothing has changed yet."""

    changes: list[ThroughputChange] = field(default_factory=list)
    created: list[SecondaryIndex] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    attribute_types: dict[str, str] = field(default_factory=dict)


def update_table(context: Context, request: Request) -> Reply:
    """Change a table's throughput, billing mode, caps, indexes or protection; in force at once.

    Everything is checked before anything changes. The reply says UPDATING, as the service's does.

    Args:
        context: the account.
        request: ``UpdateTableInput``.

    Returns:
        ``UpdateTableOutput``.

    Raises:
        LimitExceededException, ResourceNotFoundException, ValidationException
    """
    members = [member for member in CHANGING_MEMBERS if member in request]
    if not members:
        raise ValidationException(NOTHING_TO_DO)
    if "DeletionProtectionEnabled" in members and len(members) > 1:
        raise ValidationException("DeletionProtection modification must be the only operation in the request")
    table = find_described_table(context, request["TableName"])
    plan = _plan(context, table, request)
    before = table_description(table, context.now_ns)
    _commit(context, table, plan, request)
    return {"TableDescription": _reply(table, before, members, context.now_ns)}


def _reply(table: Table, before: dict[str, Any], members: list[str], now_ns: int) -> dict[str, Any]:
    """Give the description as the service answers it: capacity as it was, and the status UPDATING."""
    description = table_description(table, now_ns)
    if "ProvisionedThroughput" in members or "BillingMode" in members:
        old = before["ProvisionedThroughput"]
        units = {
            member: old[member] for member in ("ReadCapacityUnits", "WriteCapacityUnits", "NumberOfDecreasesToday")
        }
        description["ProvisionedThroughput"] = {**description["ProvisionedThroughput"], **units}
    if members not in (["DeletionProtectionEnabled"], ["OnDemandThroughput"]):
        description["TableStatus"] = "UPDATING"
    return description


def _plan(context: Context, table: Table, request: Request) -> _Plan:
    plan = _Plan(attribute_types=dict(table.details["attribute_types"]))
    updates = request.get("GlobalSecondaryIndexUpdates", ())
    _check_updates(request, updates)
    after = table_change(table, request)
    if after != table.throughput:
        plan.changes.append(ThroughputChange(table, after))
    switches = after.billing_mode is not table.throughput.billing_mode
    touched = set()
    for update in updates:
        action, details = _only_action(update)
        touched.add(details["IndexName"])
        _ACTIONS[action](context, table, plan, request, details, switches)
    for index in table.global_indexes.values() if switches else ():
        if index.name not in touched:
            plan.changes.append(ThroughputChange(index, switched_index(index, after)))
    return plan


def _only_action(update: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    given = [(action, update[action]) for action in _ACTIONS if update.get(action) is not None]
    if len(given) != 1:
        raise ValidationException(
            "One or more parameter values were invalid: One of GlobalSecondaryIndexUpdate's Create, Update or Delete "
            "must be specified, and only one"
        )
    return given[0]


def _check_updates(request: Request, updates: Any) -> None:
    named = [_only_action(update) for update in updates]
    names = [details["IndexName"] for _, details in named]
    for name in names:
        if names.count(name) > 1:
            raise ValidationException(
                f"Only one global secondary index update per index is allowed simultaneously. Index: {name}"
            )
    online = sum(action in ("Create", "Delete") for action, _ in named)
    if online and "ProvisionedThroughput" in request:
        raise ValidationException("You cannot create or delete index while updating table IOPS")
    if online > 1:
        raise LimitExceededException(ONE_ONLINE_INDEX)


def _plan_create(
    context: Context, table: Table, plan: _Plan, request: Request, details: Mapping[str, Any], switches: bool
) -> None:
    plan.attribute_types.update(attribute_types(request.get("AttributeDefinitions", ())))
    definition = index_definition(details, plan.attribute_types, is_global=True)
    if definition.name in table.indexes:
        raise ValidationException(
            "One or more parameter values were invalid: Attempting to create an index which already exists: "
            f"{definition.name}"
        )
    if len(table.global_indexes) >= MAX_GLOBAL_SECONDARY_INDEXES:
        raise LimitExceededException(TOO_MANY_INDEXES)
    check_projected([definition, *(_as_definition(index) for index in table.indexes.values())])
    asked = created_index_throughput(table.throughput.billing_mode, details)
    plan.created.append(new_index(context, table, definition, asked))


def _as_definition(index: SecondaryIndex) -> IndexDefinition:
    return IndexDefinition(
        index.name, index.key_schema, index.projection_type, index.non_key_attributes, index.is_global, {}
    )


def _plan_update(
    context: Context, table: Table, plan: _Plan, request: Request, details: Mapping[str, Any], switches: bool
) -> None:
    index = _existing(table, details["IndexName"])
    table_after = next((part.throughput for part in plan.changes if part.holder is table), table.throughput)
    after = index_change(index, details, table_after, switches=switches)
    plan.changes.append(ThroughputChange(index, after))


def _plan_delete(
    context: Context, table: Table, plan: _Plan, request: Request, details: Mapping[str, Any], switches: bool
) -> None:
    plan.deleted.append(_existing(table, details["IndexName"]).name)


_ACTIONS = {"Create": _plan_create, "Update": _plan_update, "Delete": _plan_delete}


def _existing(table: Table, name: str) -> SecondaryIndex:
    index = table.global_indexes.get(name)
    if index is None:
        raise ResourceNotFoundException(f"Requested resource not found: Index {name} for table {table.name}")
    return index


def _commit(context: Context, table: Table, plan: _Plan, request: Request) -> None:
    was_on_demand = table.throughput.billing_mode is BillingMode.PAY_PER_REQUEST
    for change in plan.changes:
        change.commit(context.now_ns)
    if not was_on_demand and table.throughput.billing_mode is BillingMode.PAY_PER_REQUEST:
        table.details["last_on_demand_ns"] = context.now_ns
    for index in plan.created:
        table.fill_index(index)
        table.indexes[index.name] = index
    for name in plan.deleted:
        del table.indexes[name]
    _keep_used_types(table, plan.attribute_types)
    for member, detail in (("DeletionProtectionEnabled", "deletion_protection"), ("TableClass", "table_class")):
        if member in request:
            table.details[detail] = request[member]
    context.throughput_changed(table)


def _keep_used_types(table: Table, types: Mapping[str, str]) -> None:
    used = set(table.key_schema.names).union(*(index.key_schema.names for index in table.indexes.values()))
    table.details["attribute_types"] = {name: kind for name, kind in types.items() if name in used}
