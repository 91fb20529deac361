"""Definitions of vector indexes: what CreateTable and UpdateTable may define, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_ddbthrottle._engine.control_plane.definitions import projection_definition
from pytest_ddbthrottle._engine.control_plane.index_updates import DEFINED_VECTOR
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.keys import INVALID_PARAMETER
from pytest_ddbthrottle._engine.limits import (
    MAX_INLINE_FILTERS,
    MAX_PROJECTED_BY_VECTOR_INDEX,
    MAX_VECTOR_DIMENSIONS,
    MAX_VECTOR_INDEXES,
)
from pytest_ddbthrottle._engine.vector_index import HASH, INLINE_FILTER, SearchElement, VectorIndex

ON_DEMAND_ONLY = f"{INVALID_PARAMETER}Vector indexes are only supported for PAY_PER_REQUEST tables"
TOO_MANY_INDEXES = f"{INVALID_PARAMETER}VectorIndex count exceeds the per-table limit of {MAX_VECTOR_INDEXES}"
TOO_MANY_DIMENSIONS = (
    f"{INVALID_PARAMETER}Number of dimensions must be between 1 and {MAX_VECTOR_DIMENSIONS} inclusive."
)
UNDEFINED_ELEMENT = f"{INVALID_PARAMETER}One element in SearchSchema is not defined in attribute definitions"
OTHER_DIMENSIONS = (
    f"{INVALID_PARAMETER}Conflicting attribute definition for '{{name}}'. All VectorIndexes on the same vector attribute "
    "must use the same dimensions."
)
"""Source: Observed — eu-west-2, 2026-08-11 to 2026-08-21, a public conformance suite and a public implementation's
capture."""

SEVERAL_PARTITION_KEYS = f"{INVALID_PARAMETER}SearchSchema can have at most one HASH element"
TOO_MANY_FILTERS = f"{INVALID_PARAMETER}SearchSchema can have at most {MAX_INLINE_FILTERS} INLINE_FILTER elements"
REPEATED_ELEMENT = f"{INVALID_PARAMETER}SearchSchema has the attribute {{name}} twice"
TOO_MANY_PROJECTED = (
    f"{INVALID_PARAMETER}Number of projected non-key attributes {{count}} exceeds the limit of "
    f"{MAX_PROJECTED_BY_VECTOR_INDEX} for index: {{index}}"
)
"""Source: Assumed — the texts, and that an attribute can't be named twice; the limits are documented. A CreateTable with one
too many of each would tell."""


@dataclass(frozen=True, slots=True)
class VectorIndexDefinition:
    """A checked vector index."""

    name: str
    vector_attribute: str
    dimensions: int
    distance_function: str
    search_schema: tuple[SearchElement, ...]
    projection_type: str
    non_key_attributes: tuple[str, ...]

    @property
    def searched_names(self) -> frozenset[str]:
        """The attributes that searches filter by."""
        return frozenset(element.name for element in self.search_schema)

    def made(self, table_arn: str) -> VectorIndex:
        """Give the index, without entries."""
        return VectorIndex(
            self.name,
            f"{table_arn}/index/{self.name}",
            self.vector_attribute,
            self.dimensions,
            self.distance_function,
            self.search_schema,
            self.projection_type,
            self.non_key_attributes,
        )


def vector_definitions(request: Mapping[str, Any], types: Mapping[str, str]) -> list[VectorIndexDefinition]:
    """Check the ``VectorIndexes`` of a CreateTable, and give them.

    Args:
        request: ``CreateTableInput``.
        types: the defined attributes.

    Raises:
        ValidationException: the service's text for the first fault.

    Source: Assumed — the order of the checks.
    """
    asked = request.get("VectorIndexes", ())
    if not asked:
        return []
    if request.get("BillingMode") != "PAY_PER_REQUEST":
        raise ValidationException(ON_DEMAND_ONLY)
    if len(asked) > MAX_VECTOR_INDEXES:
        raise ValidationException(TOO_MANY_INDEXES)
    definitions: list[VectorIndexDefinition] = []
    for index in asked:
        definitions.append(vector_definition(index, types, definitions))
    return definitions


def vector_definition(
    request: Mapping[str, Any], types: Mapping[str, str], others: Iterable[VectorIndexDefinition | VectorIndex]
) -> VectorIndexDefinition:
    """Check one vector index, and give it.

    Args:
        request: an element of ``VectorIndexes``, or the ``Create`` of a ``VectorIndexUpdate``.
        types: the defined attributes.
        others: the table's other vector indexes.

    Raises:
        ValidationException: the service's text for the first fault.
    """
    attribute, dimensions = request["VectorAttribute"]["AttributeName"], request["Dimensions"]
    if dimensions > MAX_VECTOR_DIMENSIONS:
        raise ValidationException(TOO_MANY_DIMENSIONS)
    schema = _search_schema(request.get("SearchSchema", ()), types)
    if attribute in types:
        raise ValidationException(DEFINED_VECTOR.format(name=attribute))
    if any(other.vector_attribute == attribute and other.dimensions != dimensions for other in others):
        raise ValidationException(OTHER_DIMENSIONS.format(name=attribute))
    kind, projected = projection_definition(request["Projection"])
    _check_projected(request["IndexName"], attribute, schema, projected)
    return VectorIndexDefinition(
        request["IndexName"], attribute, dimensions, request["DistanceFunction"], schema, kind, projected
    )


def _search_schema(elements: Sequence[Mapping[str, str]], types: Mapping[str, str]) -> tuple[SearchElement, ...]:
    names = [element["AttributeName"] for element in elements]
    if any(name not in types for name in names):
        raise ValidationException(UNDEFINED_ELEMENT)
    for name in names:
        if names.count(name) > 1:
            raise ValidationException(REPEATED_ELEMENT.format(name=name))
    roles = [element["SearchSchemaElementType"] for element in elements]
    if roles.count(HASH) > 1:
        raise ValidationException(SEVERAL_PARTITION_KEYS)
    if roles.count(INLINE_FILTER) > MAX_INLINE_FILTERS:
        raise ValidationException(TOO_MANY_FILTERS)
    return tuple(SearchElement(name, types[name], role) for name, role in zip(names, roles, strict=True))


def _check_projected(
    index_name: str, attribute: str, schema: Iterable[SearchElement], projected: Iterable[str]
) -> None:
    """Check how much an index projects: the vector and each inline filter count, the partition key does not.

    Source: Documented — API Reference, CreateTable, read 2026-12-07; Assumed — 20, as ``NonKeyAttributes`` may have.
    """
    filters = {element.name for element in schema if element.role == INLINE_FILTER}
    count = len({attribute, *filters, *projected})
    if count > MAX_PROJECTED_BY_VECTOR_INDEX:
        raise ValidationException(TOO_MANY_PROJECTED.format(count=count, index=index_name))
