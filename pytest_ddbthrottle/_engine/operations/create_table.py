"""CreateTable."""

from __future__ import annotations

from pytest_ddbthrottle._engine.capacity import BillingMode, Throughput
from pytest_ddbthrottle._engine.control_plane.definitions import IndexDefinition, TableDefinition, table_definition
from pytest_ddbthrottle._engine.control_plane.description import table_description
from pytest_ddbthrottle._engine.control_plane.throughput import (
    created_index_throughput,
    created_table_throughput,
    warmed,
)
from pytest_ddbthrottle._engine.errors import Contradiction, ResourceInUseException
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.lookup import bare_table_name
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table


def create_table(context: Context, request: Request) -> Reply:
    """Create a table, ACTIVE at once; the reply says CREATING, as the service's does.

    Checked in this order: the definitions, then whether the name is taken.

    Args:
        context: the account.
        request: ``CreateTableInput``.

    Returns:
        ``CreateTableOutput``.

    Raises:
        ResourceInUseException, ValidationException

    Source: Observed — 2026-10-31, a public implementation's notes (the order).
    """
    definition = table_definition(request)
    asked = created_table_throughput(request)
    asked_of_indexes = {
        index.name: created_index_throughput(asked.billing_mode, index.request)
        for index in definition.indexes
        if index.is_global
    }
    name = bare_table_name(request["TableName"])
    if name in context.tables:
        raise ResourceInUseException(f"Table already exists: {name}")
    table = _table(context, name, definition, request, asked)
    for index in definition.indexes:
        table.indexes[index.name] = new_index(context, table, index, asked_of_indexes.get(index.name))
    context.tables[name] = table
    context.throughput_changed(table)
    description = table_description(table, context.now_ns)
    description["TableStatus"] = "CREATING"
    for index_description in description.get("GlobalSecondaryIndexes", ()):
        index_description["IndexStatus"] = "CREATING"
    return {"TableDescription": description}


def _table(context: Context, name: str, definition: TableDefinition, request: Request, asked: Throughput) -> Table:
    given = warmed(context.throughput_for(name, None, asked))
    details = {
        "asked_throughput": asked,
        "attribute_types": dict(definition.attribute_types),
        "deletion_protection": request.get("DeletionProtectionEnabled", False),
        "tags": list(request.get("Tags", ())),
    }
    if "TableClass" in request:
        details["table_class"] = request["TableClass"]
    if given.billing_mode is BillingMode.PAY_PER_REQUEST:
        details["last_on_demand_ns"] = context.now_ns
    arn = f"arn:aws:dynamodb:{context.region}:{context.account_id}:table/{name}"
    return Table(name, arn, context.new_id(), definition.key_schema, given, context.now_ns, details=details)


def new_index(context: Context, table: Table, definition: IndexDefinition, asked: Throughput | None) -> SecondaryIndex:
    """Make an index of a table, without entries; a local one has no throughput of its own.

    Raises:
        Contradiction: a rule of the test gives the index another billing mode than its table has.
    """
    given = None if asked is None else warmed(context.throughput_for(table.name, definition.name, asked))
    if given is not None and given.billing_mode is not table.throughput.billing_mode:
        raise Contradiction(
            f"ddb_throttle(table={table.name!r}, index={definition.name!r}): the rule makes the index "
            f"{given.billing_mode.value} while its table is {table.throughput.billing_mode.value}; "
            "give the table the same billing mode, or the index numbers of the table's mode"
        )
    return SecondaryIndex(
        definition.name,
        f"{table.arn}/index/{definition.name}",
        definition.key_schema,
        definition.projection_type,
        definition.non_key_attributes,
        given,
        details={"asked_throughput": asked},
    )
