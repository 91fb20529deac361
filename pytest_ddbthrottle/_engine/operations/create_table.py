"""CreateTable."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pytest_ddbthrottle._engine.capacity import BillingMode, Throughput
from pytest_ddbthrottle._engine.control_plane.account_limits import check_created_table
from pytest_ddbthrottle._engine.control_plane.definitions import (
    IndexDefinition,
    TableDefinition,
    check_all_used,
    check_names,
    table_definition,
)
from pytest_ddbthrottle._engine.control_plane.description import mode_alone, table_description
from pytest_ddbthrottle._engine.control_plane.encryption import asked_key_arn
from pytest_ddbthrottle._engine.control_plane.lifecycle import begin_creation, check_operation
from pytest_ddbthrottle._engine.control_plane.on_demand_limits import check_on_demand_quotas
from pytest_ddbthrottle._engine.control_plane.resource_policies import changed_policy, checked_text
from pytest_ddbthrottle._engine.control_plane.stream_specification import change_stream, check_new_stream
from pytest_ddbthrottle._engine.control_plane.tags import with_tags
from pytest_ddbthrottle._engine.control_plane.throughput import (
    TABLE,
    Subject,
    created_index_throughput,
    created_table_throughput,
    warmed,
)
from pytest_ddbthrottle._engine.control_plane.vector_definitions import vector_definitions
from pytest_ddbthrottle._engine.errors import Contradiction, ResourceInUseException
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.lookup import bare_table_name
from pytest_ddbthrottle._engine.table_settings import Encryption, TableSettings, ThroughputHistory
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table


def create_table(context: Context, request: Request) -> Reply:
    """Create a table; the reply says CREATING, as the service's does, though it is ACTIVE at once by default.

    Checked in this order: the definitions, then whether the name is taken, then the account's limits.

    Args:
        context: the account.
        request: ``CreateTableInput``.

    Returns:
        ``CreateTableOutput``.

    Raises:
        LimitExceededException, ResourceInUseException, ThrottlingException, ValidationException

    Source: Observed — 2026-10-31, us-west-2, as a public implementation tells (the order); Assumed — tags, a policy,
    caps and warm throughput.
    """
    definition = table_definition(request)
    vectors = vector_definitions(request, definition.attribute_types)
    check_names([*(index.name for index in definition.indexes), *(vector.name for vector in vectors)])
    check_all_used(definition, [vector.searched_names for vector in vectors])
    asked = created_table_throughput(request)
    asked_of_indexes = {
        index.name: created_index_throughput(asked.billing_mode, index.request, on_new_table=True)
        for index in definition.indexes
        if index.is_global
    }
    if "StreamSpecification" in request:
        check_new_stream(request["StreamSpecification"])
    tags = with_tags({}, request["Tags"]) if request.get("Tags") else {}
    policy = checked_text(request["ResourcePolicy"], context.account_id) if "ResourcePolicy" in request else None
    name = bare_table_name(request["TableName"])
    if name in context.tables:
        raise ResourceInUseException(f"Table already exists: {name}")
    check_on_demand_quotas(context, request, TABLE, None)
    for index in definition.indexes:
        check_on_demand_quotas(context, index.request, Subject(index.name), None)
    check_created_table(context, asked, asked_of_indexes)
    check_operation(context, None)
    table = _table(context, name, definition, request, asked)
    table.settings = replace(table.settings, tags=tags)
    if policy is not None:
        context.policy_made()
        table.settings = replace(table.settings, policy=changed_policy(table, policy, context.now_ns))
    for index in definition.indexes:
        table.indexes[index.name] = new_index(context, table, index, asked_of_indexes.get(index.name))
    table.vector_indexes.update((vector.name, vector.made(table.arn)) for vector in vectors)
    context.tables[name] = table
    if "StreamSpecification" in request:
        change_stream(context, table, request["StreamSpecification"])
    begin_creation(context, table)
    context.throughput_changed(table)
    return {"TableDescription": _reply(table, request, context.now_ns)}


def _reply(table: Table, request: Request, now_ns: int) -> dict[str, Any]:
    """Give the description as the service answers it: CREATING, warm throughput only where it was asked for.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2.
    """
    description = {**mode_alone(table_description(table, now_ns)), "TableStatus": "CREATING"}
    asked_indexes = {index["IndexName"]: index for index in request.get("GlobalSecondaryIndexes", ())}
    for index in description.get("GlobalSecondaryIndexes", ()):
        index["IndexStatus"] = "CREATING"
        if not asked_indexes[index["IndexName"]].get("WarmThroughput"):
            del index["WarmThroughput"]
    for vector_index in description.get("VectorIndexes", ()):
        vector_index["IndexStatus"] = "CREATING"
    if not request.get("WarmThroughput"):
        del description["WarmThroughput"]
    return description


def _table(context: Context, name: str, definition: TableDefinition, request: Request, asked: Throughput) -> Table:
    given = warmed(context.throughput_for(name, None, asked))
    on_demand = given.billing_mode is BillingMode.PAY_PER_REQUEST
    settings = TableSettings(
        attribute_types=dict(definition.attribute_types),
        deletion_protection=request.get("DeletionProtectionEnabled", False),
        table_class=request.get("TableClass"),
        encryption=Encryption(asked_key_arn(context, request.get("SSESpecification", {}))),
        last_on_demand_ns=context.now_ns if on_demand else None,
    )
    arn = f"arn:aws:dynamodb:{context.region}:{context.account_id}:table/{name}"
    return Table(
        name,
        arn,
        context.new_id(),
        definition.key_schema,
        given,
        context.now_ns,
        settings=settings,
        history=ThroughputHistory(asked),
    )


def new_index(context: Context, table: Table, definition: IndexDefinition, asked: Throughput | None) -> SecondaryIndex:
    """Make an index of a table, without entries; a local one has no throughput of its own.

    Raises:
        Contradiction: a rule of the test gives the index another billing mode than its table has.
    """
    given = None if asked is None else warmed(context.throughput_for(table.name, definition.name, asked))
    if given is not None and given.billing_mode is not table.throughput.billing_mode:
        raise Contradiction(mixed_modes(table.name, definition.name, given, table.throughput))
    return SecondaryIndex(
        definition.name,
        f"{table.arn}/index/{definition.name}",
        definition.key_schema,
        definition.projection_type,
        definition.non_key_attributes,
        given,
        history=ThroughputHistory(asked),
    )


def mixed_modes(table_name: str, index_name: str, of_index: Throughput, of_table: Throughput) -> str:
    """Say that a rule of the test would give an index another billing mode than its table has."""
    return (
        f"ddb_throttle(table={table_name!r}, index={index_name!r}): the rule makes the index "
        f"{of_index.billing_mode.value} while its table is {of_table.billing_mode.value}; "
        "give the table the same billing mode, or the index numbers of the table's mode"
    )
