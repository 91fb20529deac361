"""``VectorIndexUpdates``: checked by themselves, then against the table, before anything changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_ddbthrottle._engine.control_plane.definitions import attribute_types
from pytest_ddbthrottle._engine.control_plane.index_updates import (
    ALREADY_EXISTS,
    NO_SUCH_INDEX,
    ONE_ONLINE_INDEX,
    REDEFINED,
    IndexUpdate,
    index_update,
)
from pytest_ddbthrottle._engine.control_plane.vector_definitions import VectorIndexDefinition, vector_definition
from pytest_ddbthrottle._engine.errors import (
    LimitExceededException,
    ResourceInUseException,
    ResourceNotFoundException,
    ValidationException,
)
from pytest_ddbthrottle._engine.keys import INVALID_PARAMETER
from pytest_ddbthrottle._engine.limits import MAX_VECTOR_INDEXES
from pytest_ddbthrottle._engine.pending_change import Work
from pytest_ddbthrottle._engine.tables import Table
from pytest_ddbthrottle._engine.vector_index import VectorIndex

Request = Mapping[str, Any]
ACTIONS = ("Create", "Delete")

NO_ACTION = (
    f"{INVALID_PARAMETER}One of {', '.join(f'VectorIndexUpdate.{action}' for action in ACTIONS)} must not be null"
)
SEVERAL_ACTIONS = f"{INVALID_PARAMETER}Only one vector index action is allowed per VectorIndexUpdate object"
NOT_A_VECTOR_INDEX = "Cannot delete an index that is not a VectorIndex: {index}"
"""Source: Assumed — as ``GlobalSecondaryIndexUpdates`` has them. An entry of each kind would tell."""

TOO_MANY_INDEXES = (
    f"Subscriber limit exceeded: Number of vector secondary indexes exceeds per-table limit of {MAX_VECTOR_INDEXES}"
)
NAME_BEING_CREATED = (
    "Attempt to change a resource which is still in use: Index is being created.  Table: {table} Index: {index}"
)
"""Source: Observed — 2026-08-06 and 2026-08-13, a public implementation's capture."""

REDEFINED_KEY = (
    f"{REDEFINED} Existing schema: Schema:[SchemaElement: key{{{{{{name}}:{{kind}}:{{role}}}}}}] New schema: "
    "VectorIndexSchema:[VectorAttribute: key{{{name}:L:{dimensions}}}]"
)
"""Source: Observed — 2026-08-13, as above; Assumed — with the one key attribute of the table that is meant."""


def vector_index_updates(request: Request, updates: Sequence[IndexUpdate]) -> list[IndexUpdate]:
    """Give the entries of an UpdateTable, checked as far as the table need not be known.

    Args:
        request: ``UpdateTableInput``.
        updates: its entries of global secondary indexes: one index of all kinds is created or deleted at once.

    Raises:
        LimitExceededException: more than one index is to be created or deleted.
        ValidationException: an entry that does nothing, or several things.

    Source: Observed — eu-west-2, 2026-08-11, a public conformance suite (one at once); Assumed — an empty list asks for
    nothing.
    """
    vectors = [
        index_update(entry, ACTIONS, NO_ACTION, SEVERAL_ACTIONS) for entry in request.get("VectorIndexUpdates", ())
    ]
    online = [update for update in (*updates, *vectors) if update.action != "Update"]
    if vectors and len(online) > 1:
        raise LimitExceededException(ONE_ONLINE_INDEX)
    return vectors


def existing_vector_index(table: Table, update: IndexUpdate) -> VectorIndex:
    """Give the vector index that an entry deletes.

    Raises:
        ResourceNotFoundException: there is no index of that name.
        ValidationException: it is of another kind.
    """
    name = update.index_name
    if name in table.indexes:
        raise ValidationException(NOT_A_VECTOR_INDEX.format(index=name))
    if name not in table.vector_indexes:
        raise ResourceNotFoundException(NO_SUCH_INDEX.format(index=name, table=table.name))
    return table.vector_indexes[name]


def created_vector_index(table: Table, update: IndexUpdate, request: Request) -> VectorIndexDefinition:
    """Give the definition of the vector index that an entry creates.

    Args:
        table: the table as it is.
        update: the entry.
        request: for its ``AttributeDefinitions``: the table's own do not count.

    Raises:
        LimitExceededException: the table has as many vector indexes as there may be.
        ResourceInUseException: an index of that name is being created.
        ValidationException: the name is taken, or the definition is wrong.

    Source: Assumed — the order of the checks.
    """
    taken = table.every_index.get(update.index_name)
    if taken is not None and taken.pending is not None and taken.pending.work is Work.CREATION:
        raise ResourceInUseException(NAME_BEING_CREATED.format(table=table.name, index=taken.name))
    if taken is not None:
        raise ValidationException(ALREADY_EXISTS)
    types = attribute_types(request.get("AttributeDefinitions", ()))
    present = table.settings.attribute_types
    if any(present.get(name, kind) != kind for name, kind in types.items()):
        raise ValidationException(REDEFINED)
    definition = vector_definition(update.request, types, table.vector_indexes.values())
    _check_no_key(table, definition)
    if len(table.vector_indexes) >= MAX_VECTOR_INDEXES:
        raise LimitExceededException(TOO_MANY_INDEXES)
    return definition


def _check_no_key(table: Table, definition: VectorIndexDefinition) -> None:
    """Check that the vector attribute is no key of the table or of its indexes, nor what a search filters by."""
    name = definition.vector_attribute
    kind = table.settings.attribute_types.get(name)
    if kind is None:
        return
    schemas = [table.key_schema, *(index.key_schema for index in table.indexes.values())]
    role = "RANGE" if any(name == attribute.name for schema in schemas for attribute in schema.sort) else "HASH"
    raise ValidationException(REDEFINED_KEY.format(name=name, kind=kind, role=role, dimensions=definition.dimensions))
