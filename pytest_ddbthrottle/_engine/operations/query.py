"""Query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytest_ddbthrottle._engine.attribute_value import AttributeValue
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.condition import Condition, condition
from pytest_ddbthrottle._engine.expressions.key_condition import (
    KeyCondition,
    SortCondition,
    conditions_by_name,
    for_key_schema,
)
from pytest_ddbthrottle._engine.expressions.placeholders import Placeholders
from pytest_ddbthrottle._engine.expressions.projection import Projection, projection
from pytest_ddbthrottle._engine.keys import (
    INVALID_PARAMETER,
    Key,
    KeyBounds,
    KeySchema,
    bounds,
    canonical_partition_key,
    key_range_hash,
    part,
)
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.keyed_read import read_consistency
from pytest_ddbthrottle._engine.operations.legacy_parameters import with_expressions
from pytest_ddbthrottle._engine.operations.lookup import find_table
from pytest_ddbthrottle._engine.operations.page import PagePlan, read_page
from pytest_ddbthrottle._engine.operations.page_source import (
    STARTING_KEY_INVALID,
    PageSource,
    holds,
    page_source,
    refuse_vector_index,
    resumed,
)
from pytest_ddbthrottle._engine.operations.selection import check_select, hidden_names, needs_fetch

NO_KEY_CONDITION = "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."
TYPE_MISMATCH = f"{INVALID_PARAMETER}Condition parameter type does not match schema type"
OUTSIDE_BOUNDARIES = "The provided starting key is outside query boundaries based on provided conditions"
OUTSIDE_RANGE = "The provided starting key does not match the range key predicate"
NOT_RESTARTABLE = "The query can return at most one row and cannot be restarted"
"""Source: Observed — a public suite recorded against the service until 2022; the wording since then is not known."""


@dataclass(frozen=True, slots=True)
class _Expressions:
    """The expressions of one Query, bound to its placeholders."""

    key_conditions: Mapping[str, SortCondition]
    kept: Condition | None
    shown: Projection | None


def query(context: Context, request: Request) -> Reply:
    """Read the items of one partition key value in the order of the sort key, a page at a time.

    Args:
        context: the account.
        request: ``QueryInput``.

    Returns:
        ``QueryOutput``.

    Raises:
        ResourceNotFoundException, ValidationException, Throttled
    """
    check_select(request, envelope="1 validation error detected: ")
    request = with_expressions(request)
    expressions = _expressions(request)
    table = find_table(context, request["TableName"])
    refuse_vector_index(table, request, by_query=True)
    source = page_source(table, request)
    forward = request.get("ScanIndexForward", True)
    key = _key_condition(source.key_schema, expressions)
    prefix = partition_prefix(source.key_schema, key)
    within = key_bounds(prefix, source.key_schema, key)
    start = _start(source, request, key, within)
    plan = _plan(source, request, expressions)
    walk = source.entries.walk(resumed(within, start, forward=forward), forward=forward)
    return read_page(context, request, plan, walk, canonical_partition_key(prefix))


def _expressions(request: Request) -> _Expressions:
    placeholders = Placeholders(request.get("ExpressionAttributeNames"), request.get("ExpressionAttributeValues"))
    key_text, filter_text = request.get("KeyConditionExpression"), request.get("FilterExpression")
    shown_text = request.get("ProjectionExpression")
    if key_text is None:
        raise ValidationException(NO_KEY_CONDITION)
    shown = None if shown_text is None else projection(shown_text, placeholders)
    kept = None if filter_text is None else condition(filter_text, placeholders, "FilterExpression")
    key_conditions = conditions_by_name(key_text, placeholders)
    placeholders.check_all_used()
    return _Expressions(key_conditions, kept, shown)


def _key_condition(schema: KeySchema, expressions: _Expressions) -> KeyCondition:
    partition_names = tuple(attribute.name for attribute in schema.partition)
    sort_names = tuple(attribute.name for attribute in schema.sort)
    return for_key_schema(expressions.key_conditions, partition_names, sort_names)


def partition_prefix(schema: KeySchema, key: KeyCondition) -> Key:
    """Give the part of a key that a key condition fixes for the whole collection.

    Raises:
        ValidationException: a value has another type than its attribute.
    """
    for attribute, value in zip(schema.partition, key.partition_values, strict=True):
        _check_type(value, attribute.type)
    parts = [part(value) for value in key.partition_values]
    return (key_range_hash(parts), *parts)


def key_bounds(prefix: Key, schema: KeySchema, key: KeyCondition) -> KeyBounds:
    """Give the bounds of the entries that start with a prefix and meet the sort key conditions.

    Raises:
        ValidationException: a value has another type than its attribute.
    """
    types = {attribute.name: attribute.type for attribute in schema.sort}
    for name, _, operands in key.sort:
        for value in operands:
            _check_type(value, types[name])
    if not key.sort:
        return bounds(prefix, None, ())
    *fixed, (_, operator, operands) = key.sort
    fixed_parts = [part(values[0]) for _, _, values in fixed]
    return bounds((*prefix, *fixed_parts), operator, [part(value) for value in operands])


def _check_type(value: AttributeValue, expected: str) -> None:
    if expected not in value:
        raise ValidationException(TYPE_MISMATCH)


def _start(source: PageSource, request: Request, key: KeyCondition, within: KeyBounds) -> Key | None:
    """Give the place of the cursor, which the key condition must allow."""
    cursor = request.get("ExclusiveStartKey")
    if cursor is None:
        return None
    start = source.position(cursor, STARTING_KEY_INVALID)
    if holds(within, start):
        return start
    own_prefix = source.key_schema.collection_prefix(start)
    if not key.sort:
        raise ValidationException(OUTSIDE_BOUNDARIES)
    in_range = holds(key_bounds(own_prefix, source.key_schema, key), start)
    raise ValidationException(NOT_RESTARTABLE if in_range else OUTSIDE_RANGE)


def _plan(source: PageSource, request: Request, expressions: _Expressions) -> PagePlan:
    used: Sequence[str] = () if expressions.kept is None else tuple(expressions.kept.attribute_names)
    for attribute in source.key_schema:
        if attribute.name in used:
            raise ValidationException(
                "Filter Expression can only contain non-primary key attributes: Primary key attribute: "
                f"{attribute.name}"
            )
    fetches = needs_fetch(source.table, source.index, request, expressions.shown)
    if source.index is not None and not fetches:
        hidden = hidden_names(source.table, source.index, used)
        if hidden:
            raise ValidationException(
                f"{INVALID_PARAMETER}Secondary index {source.index.name} does not project one or more filter "
                f"attributes: [{', '.join(hidden)}]"
            )
    return PagePlan(source, read_consistency(request), expressions.kept, expressions.shown, fetches)
