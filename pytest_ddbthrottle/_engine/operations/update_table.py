"""UpdateTable: everything is checked and computed first; then all of it changes, or nothing does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from pytest_ddbthrottle._engine.capacity import BillingMode, Throughput
from pytest_ddbthrottle._engine.control_plane.account_limits import Change, check_updated_table
from pytest_ddbthrottle._engine.control_plane.change_budgets import check_switch_to_on_demand, check_table_class_change
from pytest_ddbthrottle._engine.control_plane.changes import (
    ThroughputChange,
    index_change,
    switched_index,
    table_change,
)
from pytest_ddbthrottle._engine.control_plane.definitions import IndexDefinition, attribute_types
from pytest_ddbthrottle._engine.control_plane.description import table_description
from pytest_ddbthrottle._engine.control_plane.encryption import changed_encryption
from pytest_ddbthrottle._engine.control_plane.index_updates import (
    IndexUpdate,
    created_index,
    existing_index,
    index_updates,
)
from pytest_ddbthrottle._engine.control_plane.lifecycle import (
    begin_index_creation,
    begin_index_deletion,
    check_operation,
    delays,
    is_realistic,
)
from pytest_ddbthrottle._engine.control_plane.lookup import find_described_table
from pytest_ddbthrottle._engine.control_plane.on_demand_limits import check_on_demand_quotas
from pytest_ddbthrottle._engine.control_plane.state_rules import check_protection_cool_down, check_updatable
from pytest_ddbthrottle._engine.control_plane.stream_specification import change_stream, check_stream_state
from pytest_ddbthrottle._engine.control_plane.throughput import TABLE, Subject, created_index_throughput
from pytest_ddbthrottle._engine.control_plane.update_reply import update_reply
from pytest_ddbthrottle._engine.control_plane.update_rules import changing_members
from pytest_ddbthrottle._engine.control_plane.vector_definitions import ON_DEMAND_ONLY, VectorIndexDefinition
from pytest_ddbthrottle._engine.control_plane.vector_index_updates import (
    created_vector_index,
    existing_vector_index,
    vector_index_updates,
)
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.create_table import new_index
from pytest_ddbthrottle._engine.table_settings import TableSettings
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table
from pytest_ddbthrottle._engine.vector_index import VectorIndex


@dataclass(slots=True)
class _Plan:
    """All that one UpdateTable will change; nothing has changed yet."""

    table: Table
    after: Throughput
    changes: list[ThroughputChange] = field(default_factory=list)
    created: list[tuple[IndexDefinition, Throughput]] = field(default_factory=list)
    deleted: list[SecondaryIndex] = field(default_factory=list)
    created_vectors: list[VectorIndexDefinition] = field(default_factory=list)
    deleted_vectors: list[VectorIndex] = field(default_factory=list)

    @property
    def switches(self) -> bool:
        """Whether the billing mode changes."""
        return self.after.billing_mode is not self.table.throughput.billing_mode

    @property
    def all_deleted(self) -> list[SecondaryIndex | VectorIndex]:
        """The indexes of every kind that go."""
        return [*self.deleted, *self.deleted_vectors]

    @property
    def changes_something(self) -> bool:
        """Whether throughput or indexes change."""
        return bool(self.changes or self.created or self.all_deleted or self.created_vectors)

    def as_asked(self) -> Iterator[Change]:
        """Give every change as the account's limits count it."""
        for change in self.changes:
            yield change.as_asked()
        for definition, asked in self.created:
            yield Change(definition.name, None, asked)
        for index in self.deleted:
            yield Change(index.name, index.history.asked or index.throughput, None)


def update_table(context: Context, request: Request) -> Reply:
    """Change a table's throughput, billing mode, caps, indexes, class, protection, key or stream.

    Everything is checked before anything changes: the request by itself, then against the table, then against the
    account's limits, then against the table's state, then against its budgets. The reply says UPDATING, as the service's
    does; in force is the change at once, or after its time under ``lifecycle="realistic"``.

    Args:
        context: the account.
        request: ``UpdateTableInput``.

    Returns:
        ``UpdateTableOutput``.

    Raises:
        InternalFailure, LimitExceededException, ResourceInUseException, ResourceNotFoundException, ThrottlingException,
        ValidationException
    """
    members = changing_members(request)
    updates = index_updates(request)
    vector_updates = vector_index_updates(request, updates)
    table = find_described_table(context, request["TableName"])
    plan = _plan(context, table, request, updates)
    _plan_vectors(plan, request, vector_updates)
    check_updated_table(context, table, plan.as_asked())
    check_updatable(table, request, [*updates, *vector_updates], context.now_ns)
    if "StreamSpecification" in request:
        check_stream_state(table, request["StreamSpecification"], context.now_ns)
    if "DeletionProtectionEnabled" in request:
        check_protection_cool_down(context, table)
    settings = _settings(context, plan, request)
    for change in plan.changes:
        change.check_budget(context.now_ns)
    if plan.changes_something or {"TableClass", "SSESpecification", "StreamSpecification"} & set(request):
        check_operation(context, table)
    return {"TableDescription": _carried_out(context, plan, settings, request, members)}


def _carried_out(
    context: Context, plan: _Plan, settings: TableSettings, request: Request, members: list[str]
) -> dict[str, Any]:
    """Make the changes, or let them begin, and give the reply: it shows of both what the service shows."""
    table = plan.table
    waits = delays(context, table, plan.changes)
    before = table_description(table, context.now_ns)
    _commit(context, plan, settings)
    if "StreamSpecification" in request:
        change_stream(context, table, request["StreamSpecification"])
    after = table_description(table, context.now_ns)
    for wait in waits:
        wait.begin()
    context.throughput_changed(table)
    return update_reply(before, after, request, members)


def _plan(context: Context, table: Table, request: Request, updates: list[IndexUpdate]) -> _Plan:
    plan = _Plan(table, table_change(table, request))
    check_on_demand_quotas(context, request, TABLE, table.throughput)
    if plan.after != table.throughput:
        plan.changes.append(ThroughputChange(table, plan.after))
    for update in updates:
        _ACTIONS[update.action](context, plan, request, update)
    named = {update.index_name for update in updates}
    for index in table.global_indexes.values() if plan.switches else ():
        if index.name not in named:
            plan.changes.append(ThroughputChange(index, switched_index(index, plan.after)))
    return plan


def _plan_update(context: Context, plan: _Plan, request: Request, update: IndexUpdate) -> None:
    index = existing_index(plan.table, update)
    after = index_change(index, update.request, plan.after)
    check_on_demand_quotas(context, update.request, Subject(index.name), index.throughput)
    plan.changes.append(ThroughputChange(index, after))


def _plan_create(context: Context, plan: _Plan, request: Request, update: IndexUpdate) -> None:
    definition = created_index(plan.table, update, request)
    asked = created_index_throughput(plan.table.throughput.billing_mode, update.request, on_new_table=False)
    check_on_demand_quotas(context, update.request, Subject(definition.name), None)
    plan.created.append((definition, asked))


def _plan_delete(context: Context, plan: _Plan, request: Request, update: IndexUpdate) -> None:
    plan.deleted.append(existing_index(plan.table, update))


def _plan_vectors(plan: _Plan, request: Request, updates: list[IndexUpdate]) -> None:
    """Plan what becomes of vector indexes, which an on-demand table alone can have after the request.

    Source: Observed — 2026-08-13 and 2026-08-24, a public implementation's capture.
    """
    for update in updates:
        if update.action == "Create":
            plan.created_vectors.append(created_vector_index(plan.table, update, request))
        else:
            plan.deleted_vectors.append(existing_vector_index(plan.table, update))
    has_vectors = plan.created_vectors or (plan.switches and plan.table.vector_indexes)
    if has_vectors and plan.after.billing_mode is BillingMode.PROVISIONED:
        raise ValidationException(ON_DEMAND_ONLY)


_ACTIONS = {"Update": _plan_update, "Create": _plan_create, "Delete": _plan_delete}


def _settings(context: Context, plan: _Plan, request: Request) -> TableSettings:
    """Give the table's settings after the request.

    Raises:
        LimitExceededException: too many changes of the class or the key, or switches to on-demand, of late.
    """
    before, now_ns = plan.table.settings, context.now_ns
    changed: dict[str, Any] = {"attribute_types": _used_types(plan, request)}
    if "DeletionProtectionEnabled" in request:
        changed["deletion_protection"] = request["DeletionProtectionEnabled"]
        changed["protection_changed_ns"] = now_ns
    if "TableClass" in request:
        check_table_class_change(before.table_class_changes_ns, now_ns)
        if request["TableClass"] != (before.table_class or "STANDARD"):
            changed["table_class_changes_ns"] = (*before.table_class_changes_ns, now_ns)
            changed["table_class"] = request["TableClass"]
    if "SSESpecification" in request:
        changed["encryption"] = changed_encryption(context, plan.table, request["SSESpecification"])
    if plan.switches and plan.after.billing_mode is BillingMode.PAY_PER_REQUEST:
        check_switch_to_on_demand(before.on_demand_switches_ns, now_ns)
        changed["on_demand_switches_ns"] = (*before.on_demand_switches_ns, now_ns)
        changed["last_on_demand_ns"] = now_ns
    return replace(before, **changed)


def _used_types(plan: _Plan, request: Request) -> dict[str, str]:
    """Give the types of the attributes that the table and its indexes will need the types of."""
    table = plan.table
    gone = {index.name for index in plan.all_deleted}
    kept = [index for index in table.indexes.values() if index.name not in gone]
    schemas = [index.key_schema for index in kept] + [definition.key_schema for definition, _ in plan.created]
    searched = [index.searched_names for index in table.vector_indexes.values() if index.name not in gone]
    searched += [definition.searched_names for definition in plan.created_vectors]
    used = set(table.key_schema.names).union(*(schema.names for schema in schemas), *searched)
    types = dict(table.settings.attribute_types)
    if plan.created or plan.created_vectors:
        types.update(attribute_types(request.get("AttributeDefinitions", ())))
    return {name: kind for name, kind in types.items() if name in used}


def _commit(context: Context, plan: _Plan, settings: TableSettings) -> None:
    table = plan.table
    created = [new_index(context, table, definition, asked) for definition, asked in plan.created]
    for change in plan.changes:
        change.commit(context.now_ns)
    for index in created:
        table.fill_index(index)
        table.indexes[index.name] = index
        begin_index_creation(context, index)
    for vector_definition in plan.created_vectors:
        vector_index = vector_definition.made(table.arn)
        vector_index.fill(table.items, table.key_schema)
        table.vector_indexes[vector_index.name] = vector_index
        begin_index_creation(context, vector_index)
    for gone in plan.all_deleted:
        if is_realistic(context):
            begin_index_deletion(context, gone)
        else:
            table.drop_index(gone.name)
    table.settings = settings
