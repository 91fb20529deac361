"""CreateTable's definition checks: key schemas, attribute definitions, indexes and their projections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.keys import INVALID_PARAMETER, KeyAttribute, KeySchema
from pytest_ddbthrottle._engine.limits import (
    MAX_GLOBAL_SECONDARY_INDEXES,
    MAX_LOCAL_SECONDARY_INDEXES,
    MAX_PROJECTED_NON_KEY_ATTRIBUTES,
)

MAX_KEY_ATTRIBUTES_PER_TYPE = 4
"""Of a global secondary index. Source: Documented — Developer Guide, "Global secondary indexes", read 2026-11-30."""


@dataclass(frozen=True, slots=True)
class IndexDefinition:
    """A checked index: its keys and what it projects."""

    name: str
    key_schema: KeySchema
    projection_type: str
    non_key_attributes: tuple[str, ...]
    is_global: bool
    request: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TableDefinition:
    """A checked table: its keys, the types of all key attributes, and its indexes."""

    key_schema: KeySchema
    attribute_types: Mapping[str, str]
    indexes: tuple[IndexDefinition, ...]


def table_definition(request: Mapping[str, Any]) -> TableDefinition:
    """Check what CreateTable defines, and give it.

    Args:
        request: ``CreateTableInput``.

    Raises:
        ValidationException: the service's text for the first fault.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2, and public conformance suites, 2026.
    """
    types = attribute_types(request["AttributeDefinitions"])
    schema = key_schema(request["KeySchema"], types, multi_attribute=False)
    local = [index_definition(index, types, is_global=False) for index in request.get("LocalSecondaryIndexes", ())]
    glob = [index_definition(index, types, is_global=True) for index in request.get("GlobalSecondaryIndexes", ())]
    _check_counts(request, local, glob)
    for index in local:
        _check_local(index, schema)
    indexes = [*local, *glob]
    check_names(index.name for index in indexes)
    check_projected(indexes)
    return TableDefinition(schema, types, tuple(indexes))


def attribute_types(definitions: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Give the types of the defined attributes by name.

    Raises:
        ValidationException: a name is defined twice.
    """
    types: dict[str, str] = {}
    for definition in definitions:
        name = definition["AttributeName"]
        if name in types:
            raise ValidationException(
                f"{INVALID_PARAMETER}Duplicate attribute name in AttributeDefinitions. AttributeName: {name}"
            )
        types[name] = definition["AttributeType"]
    return types


def key_schema(elements: Sequence[Mapping[str, str]], types: Mapping[str, str], *, multi_attribute: bool) -> KeySchema:
    """Check a ``KeySchema`` member, and give it.

    Args:
        elements: the member.
        types: the defined attributes.
        multi_attribute: whether it may have several attributes of each key type, as a global index may.

    Raises:
        ValidationException: the service's text for the first fault.
    """
    names = [element["AttributeName"] for element in elements]
    kinds = [element["KeyType"] for element in elements]
    _check_kinds(kinds, multi_attribute=multi_attribute)
    if len(set(names)) != len(names):
        raise ValidationException("Both the Hash Key and the Range Key element in the KeySchema have the same name")
    undefined = [name for name in names if name not in types]
    if undefined:
        raise ValidationException(
            f"{INVALID_PARAMETER}Some index key attributes are not defined in AttributeDefinitions. "
            f"Keys: [{', '.join(names)}], AttributeDefinitions: [{', '.join(types)}]"
        )
    attributes = [KeyAttribute(name, types[name]) for name in names]
    hashes = kinds.count("HASH")
    return KeySchema(tuple(attributes[:hashes]), tuple(attributes[hashes:]))


def _check_kinds(kinds: Sequence[str], *, multi_attribute: bool) -> None:
    if kinds[0] != "HASH":
        raise ValidationException("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
    if not multi_attribute:
        if len(kinds) > 1 and kinds[1] != "RANGE":
            raise ValidationException("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
        return
    for kind in ("HASH", "RANGE"):
        if kinds.count(kind) > MAX_KEY_ATTRIBUTES_PER_TYPE:
            raise ValidationException(
                f"{INVALID_PARAMETER}The KeySchema exceeds the maximum allowed number of {kind} key attributes"
            )
    if list(kinds) != sorted(kinds):
        raise ValidationException(
            f"{INVALID_PARAMETER}All HASH key attributes must precede RANGE key attributes in the KeySchema"
        )


def index_definition(request: Mapping[str, Any], types: Mapping[str, str], *, is_global: bool) -> IndexDefinition:
    """Check one index, and give it.

    Raises:
        ValidationException: the service's text for the first fault.
    """
    name = request["IndexName"]
    schema = key_schema(request["KeySchema"], types, multi_attribute=is_global)
    projection_type, others = projection_definition(request.get("Projection", {}))
    return IndexDefinition(name, schema, projection_type, others, is_global, request)


def projection_definition(projection: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """Check a ``Projection`` member, and give its type and the attributes that it adds.

    Raises:
        ValidationException: the service's text for the first fault.
    """
    kind = projection.get("ProjectionType")
    others = tuple(projection.get("NonKeyAttributes", ()))
    if kind is None:
        raise ValidationException(f"{INVALID_PARAMETER}Unknown ProjectionType: null")
    if kind == "INCLUDE" and not others:
        raise ValidationException(
            f"{INVALID_PARAMETER}ProjectionType is INCLUDE, but NonKeyAttributes is not specified"
        )
    if kind != "INCLUDE" and "NonKeyAttributes" in projection:
        raise ValidationException(f"{INVALID_PARAMETER}ProjectionType is {kind}, but NonKeyAttributes is specified")
    return kind, others


def _check_counts(
    request: Mapping[str, Any], local: Sequence[IndexDefinition], glob: Sequence[IndexDefinition]
) -> None:
    for member, found in (("LocalSecondaryIndexes", local), ("GlobalSecondaryIndexes", glob)):
        if member in request and not found:
            raise ValidationException(f"{INVALID_PARAMETER}List of {member} is empty")
    if len(glob) > MAX_GLOBAL_SECONDARY_INDEXES:
        raise ValidationException(
            f"{INVALID_PARAMETER}GlobalSecondaryIndex count exceeds the per-table limit of "
            f"{MAX_GLOBAL_SECONDARY_INDEXES}"
        )
    if len(local) > MAX_LOCAL_SECONDARY_INDEXES:
        raise ValidationException(
            f"{INVALID_PARAMETER}Number of LocalSecondaryIndexes exceeds per-table limit of "
            f"{MAX_LOCAL_SECONDARY_INDEXES}"
        )


def _check_local(index: IndexDefinition, table_schema: KeySchema) -> None:
    if not table_schema.sort:
        raise ValidationException(
            f"{INVALID_PARAMETER}Table KeySchema does not have a range key, which is required when specifying a "
            "LocalSecondaryIndex"
        )
    if not index.key_schema.sort:
        raise ValidationException(
            f"{INVALID_PARAMETER}Index KeySchema does not have a range key for index: {index.name}"
        )
    mine, tables = index.key_schema.partition[0].name, table_schema.partition[0].name
    if mine != tables:
        raise ValidationException(
            f"{INVALID_PARAMETER}Index KeySchema does not have the same leading hash key as table KeySchema for index: "
            f"{index.name}. index hash key: {mine}, table hash key: {tables}"
        )


def check_names(names: Iterable[str]) -> None:
    """Check that no two indexes have one name.

    Raises:
        ValidationException: naming it.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValidationException(f"{INVALID_PARAMETER}Duplicate index name: {name}")
        seen.add(name)


def check_projected(indexes: Iterable[IndexDefinition]) -> None:
    """Check how many non-key attributes the indexes of a table project together.

    Raises:
        ValidationException: too many.

    Source: Documented — Developer Guide, "Quotas", read 2026-11-30; Assumed — the text.
    """
    projected = sum(len(index.non_key_attributes) for index in indexes)
    if projected > MAX_PROJECTED_NON_KEY_ATTRIBUTES:
        raise ValidationException(
            f"{INVALID_PARAMETER}Number of projected non-key attributes {projected} exceeds the per-table limit of "
            f"{MAX_PROJECTED_NON_KEY_ATTRIBUTES}"
        )


def check_all_used(definition: TableDefinition, searched_names: Iterable[Iterable[str]]) -> None:
    """Check that each defined attribute is a key somewhere, or something that searches filter by.

    Args:
        definition: the table.
        searched_names: for each of its vector indexes, the attributes that searches filter by.

    Raises:
        ValidationException: one is not.
    """
    types, searched = definition.attribute_types, list(searched_names)
    schemas = (index.key_schema.names for index in definition.indexes)
    used = set(definition.key_schema.names).union(*schemas, *searched)
    if set(types) == used:
        return
    if not definition.indexes and not searched:
        raise ValidationException(
            f"{INVALID_PARAMETER}Number of attributes in KeySchema does not exactly match number of attributes defined "
            "in AttributeDefinitions"
        )
    raise ValidationException(
        f"{INVALID_PARAMETER}Some AttributeDefinitions are not used. AttributeDefinitions: [{', '.join(types)}], "
        f"keys used: [{', '.join(name for name in types if name in used)}]"
    )
