"""``GlobalSecondaryIndexUpdates``: checked by themselves, then against the table, before anything changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_ddbthrottle._engine.control_plane.changes import check_index_update
from pytest_ddbthrottle._engine.control_plane.definitions import (
    IndexDefinition,
    attribute_types,
    check_projected,
    index_definition,
)
from pytest_ddbthrottle._engine.errors import (
    LimitExceededException,
    ResourceNotFoundException,
    ValidationException,
)
from pytest_ddbthrottle._engine.keys import INVALID_PARAMETER
from pytest_ddbthrottle._engine.limits import MAX_GLOBAL_SECONDARY_INDEXES
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table

Request = Mapping[str, Any]
ACTIONS = ("Update", "Create", "Delete")

NO_UPDATES = f"{INVALID_PARAMETER}List of GlobalSecondaryIndexUpdates is empty"
NO_ACTION = (
    f"{INVALID_PARAMETER}One of "
    f"{', '.join(f'GlobalSecondaryIndexUpdate.{action}' for action in ACTIONS)} must not be null"
)
SEVERAL_ACTIONS = (
    f"{INVALID_PARAMETER}Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object"
)
REPEATED_INDEX = (
    f"{INVALID_PARAMETER}Only one global secondary index update per index is allowed simultaneously. Index: {{index}}"
)
WITH_CAPACITY = f"{INVALID_PARAMETER}You cannot create or delete index while updating table IOPS"
NO_DEFINITIONS = f"{INVALID_PARAMETER}AttributeDefinitions is not specified for index: {{index}}"
ALREADY_EXISTS = "Attempting to create an index which already exists"
NOT_GLOBAL = "Cannot {action} an index that is not a GlobalSecondaryIndex: {index}"
NO_SUCH_INDEX = "Requested resource not found: Index {index} for table {table}"
ONE_ONLINE_INDEX = "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"
TOO_MANY_INDEXES = (
    "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of "
    f"{MAX_GLOBAL_SECONDARY_INDEXES}"
)
"""Source: Observed — a public lab's notes of 2026-10-08 and 2026-10-09, us-west-2."""

REDEFINED = (
    f"{INVALID_PARAMETER}Attributes cannot be redefined. Please check that your attribute has the same type as "
    "previously defined."
)
SCHEMAS = "Existing schema: {existing} New schema: {new}"
"""Source: Observed — eu-west-2, 2026-08, a public suite (the sentence), and another public suite's notes (the schemas, each
of one attribute); Assumed — several attributes are joined by commas, and the first schema that has the attribute is
shown."""


DEFINED_VECTOR = (
    f"{INVALID_PARAMETER}Conflicting attribute definition for '{{name}}'. An attribute cannot be defined in "
    "AttributeDefinitions when used as a VectorAttribute."
)
"""Source: Observed — 2026-08-13, a public implementation's capture (vector indexes); Assumed — of a global index too."""


@dataclass(frozen=True, slots=True)
class IndexUpdate:
    """One entry: what is to be done to which index, and the members of the action."""

    action: str
    request: Request

    @property
    def index_name(self) -> str:
        """The index."""
        return str(self.request["IndexName"])


def index_updates(request: Request) -> list[IndexUpdate]:
    """Give the entries of an UpdateTable, checked as far as the table need not be known.

    Args:
        request: ``UpdateTableInput``.

    Raises:
        LimitExceededException: more than one index is to be created or deleted.
        ValidationException: an entry that does nothing, or several things; an index named twice.
    """
    if request.get("GlobalSecondaryIndexUpdates") == []:
        raise ValidationException(NO_UPDATES)
    updates = [index_update(entry) for entry in request.get("GlobalSecondaryIndexUpdates", ())]
    names = [update.index_name for update in updates]
    for name in names:
        if names.count(name) > 1:
            raise ValidationException(REPEATED_INDEX.format(index=name))
    online = [update for update in updates if update.action != "Update"]
    if online and ("ProvisionedThroughput" in request or "BillingMode" in request):
        raise ValidationException(WITH_CAPACITY)
    if len(online) > 1:
        raise LimitExceededException(ONE_ONLINE_INDEX)
    for update in updates:
        if update.action == "Update":
            check_index_update(update.request)
    return updates


def index_update(
    entry: Request, actions: Sequence[str] = ACTIONS, none: str = NO_ACTION, several: str = SEVERAL_ACTIONS
) -> IndexUpdate:
    """Give what an entry asks for.

    Args:
        entry: ``GlobalSecondaryIndexUpdate``, or ``VectorIndexUpdate``.
        actions: what it may ask for.
        none: the text of one that asks for nothing.
        several: the text of one that asks for several things.

    Raises:
        ValidationException: it does not ask for one thing.
    """
    given = [action for action in actions if entry.get(action) is not None]
    if not given:
        raise ValidationException(none)
    if len(given) > 1:
        raise ValidationException(several)
    return IndexUpdate(given[0], entry[given[0]])


def existing_index(table: Table, update: IndexUpdate) -> SecondaryIndex:
    """Give the global index that an entry updates or deletes.

    Raises:
        ResourceNotFoundException: there is none of that name.
        ValidationException: it is of another kind.
    """
    if update.index_name in table.vector_indexes:
        raise ValidationException(NOT_GLOBAL.format(action=update.action.lower(), index=update.index_name))
    index = table.indexes.get(update.index_name)
    if index is None:
        raise ResourceNotFoundException(NO_SUCH_INDEX.format(index=update.index_name, table=table.name))
    if not index.is_global:
        raise ValidationException(NOT_GLOBAL.format(action=update.action.lower(), index=index.name))
    return index


def created_index(table: Table, update: IndexUpdate, definitions: Request) -> IndexDefinition:
    """Give the definition of the index that an entry creates.

    Args:
        table: the table as it is.
        update: the entry.
        definitions: the request, for its ``AttributeDefinitions``: the table's own do not count.

    Raises:
        LimitExceededException: the table has 20 global indexes.
        ValidationException: the name is taken, or the definition is wrong.

    Source: Observed — eu-west-2, 2026-08, a public suite: a taken name comes before a wrong definition.
    """
    if update.index_name in table.every_index:
        raise ValidationException(ALREADY_EXISTS)
    if not definitions.get("AttributeDefinitions"):
        raise ValidationException(NO_DEFINITIONS.format(index=update.index_name))
    types = attribute_types(definitions["AttributeDefinitions"])
    present = table.settings.attribute_types
    for name in (name for name, kind in types.items() if present.get(name, kind) != kind):
        raise ValidationException(f"{REDEFINED} {_schemas(table, name, update.request, types)}")
    vectors = {index.vector_attribute for index in table.vector_indexes.values()}
    if vectors & types.keys():
        raise ValidationException(DEFINED_VECTOR.format(name=min(vectors & types.keys())))
    definition = index_definition(update.request, types, is_global=True)
    if len(table.global_indexes) >= MAX_GLOBAL_SECONDARY_INDEXES:
        raise LimitExceededException(TOO_MANY_INDEXES)
    check_projected([definition, *(_as_definition(index) for index in table.indexes.values())])
    return definition


def _schemas(table: Table, name: str, request: Request, types: Mapping[str, str]) -> str:
    """Give the schema of which an attribute is part, and the one in which it would be of another type."""
    every = [table.key_schema, *(index.key_schema for index in table.indexes.values())]
    schema = next((schema for schema in every if name in schema.names), table.key_schema)
    hashes = [(attribute.name, attribute.type, "HASH") for attribute in schema.partition]
    existing = [*hashes, *((attribute.name, attribute.type, "RANGE") for attribute in schema.sort)]
    keys = [(element["AttributeName"], element["KeyType"]) for element in request["KeySchema"]]
    new = [(key, types.get(key, ""), role) for key, role in keys]
    return SCHEMAS.format(existing=_shown(existing), new=_shown(new))


def _shown(elements: Iterable[tuple[str, str, str]]) -> str:
    return f"Schema:[{', '.join(f'SchemaElement: key{{{name}:{kind}:{role}}}' for name, kind, role in elements)}]"


def _as_definition(index: SecondaryIndex) -> IndexDefinition:
    return IndexDefinition(
        index.name, index.key_schema, index.projection_type, index.non_key_attributes, index.is_global, {}
    )
