"""A SELECT of ExecuteStatement: the reads that its WHERE clause amounts to, a page at a time."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pytest_ddbthrottle._engine.attribute_value import Item
from pytest_ddbthrottle._engine.capacity import Consumption, consumed_capacity
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.key_condition import KeyCondition
from pytest_ddbthrottle._engine.keys import INVALID_PARAMETER, Key, KeyBounds, canonical_partition_key, part
from pytest_ddbthrottle._engine.member_shapes import hash_map_order
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.keyed_read import read_consistency
from pytest_ddbthrottle._engine.operations.lookup import find_index, find_table
from pytest_ddbthrottle._engine.operations.page import (
    PagePlan,
    Walked,
    matching_items,
    page_consumptions,
    walked_page,
)
from pytest_ddbthrottle._engine.operations.page_source import SCAN_OF_VECTORS, PageSource, resumed
from pytest_ddbthrottle._engine.operations.query import key_bounds, partition_prefix
from pytest_ddbthrottle._engine.operations.scan import PARTITION_HASHES
from pytest_ddbthrottle._engine.operations.selection import hidden_names
from pytest_ddbthrottle._engine.operations.understood_statement import Understood, selected
from pytest_ddbthrottle._engine.partiql.key_reads import CollectionRead, ReadPlan, attribute_names, read_plan
from pytest_ddbthrottle._engine.partiql.statements import Select
from pytest_ddbthrottle._engine.tables import Table

NO_SUCH_INDEX = "The table does not have the specified index"
CONSISTENT_GLOBAL_READ = "Strongly consistent read is not supported on Global Secondary Indexes"
SEVERAL_KEY_ATTRIBUTES = "PartiQL is not supported on a global secondary index with a multi-attribute key: {}"
"""Source: Observed — eu-west-2, 2026-08 to 2026-10, a public conformance suite; Assumed — the last one's words."""

OVERLAPPING = "Overlapping conditions with range keys are not supported in where clause"
ORDER_WITHOUT_WHERE = "Must have WHERE clause in the statement when using ORDER BY clause."
ORDER_BY_OTHER = "Attribute {} in ORDER BY clause must be part of the primary key"
ORDER_WITHOUT_KEY = "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause."
ORDER_NEEDS_KEY = (
    "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause."
)
"""Source: Observed — eu-west-2, 2026-09 and 2026-10, two public suites run against the service."""

INVALID_TOKEN = "Invalid NextToken"
OTHER_TOKEN = "NextToken does not match request"
"""Source: Observed — eu-west-2, 2026-07-29, a public implementation's capture."""


@dataclass(frozen=True, slots=True)
class _Walk:
    """One of the reads of a SELECT: where it goes, and the partition key that it stays in, if it stays in one."""

    bounds: KeyBounds
    partition_key: Key | None


@dataclass(frozen=True, slots=True)
class _Cursor:
    """Where a next page begins: in which read, and after which key."""

    read: int
    after: Item


def select_page(context: Context, request: Request, understood: Understood) -> Reply:
    """Read one page of a SELECT.

    Args:
        context: the account.
        request: ``ExecuteStatementInput``.
        understood: its statement.

    Raises:
        ResourceNotFoundException, ValidationException, Throttled
    """
    statement = understood.statement
    assert isinstance(statement, Select), statement
    source = _source(find_table(context, statement.target.table), statement, request)
    plan = _read_plan(source, understood)
    forward = _check_order(source, statement, plan)
    walks = _walks(source, statement, plan)
    page = _page_plan(source, request, understood, plan)
    cursor = _cursor(source, request, len(walks))
    walked, consumptions, after = _walked(page, walks, cursor, request.get("Limit"), forward=forward)
    context.admit(consumptions)
    items = matching_items(page, walked)
    paths = statement.paths
    reply: Reply = {"Items": items if paths is None else [selected(item, paths) for item in items]}
    if after is not None:
        reply["NextToken"] = _token(request, after)
        reply["LastEvaluatedKey"] = after.after
    name, detail = statement.target.table, request.get("ReturnConsumedCapacity")
    if consumed := consumed_capacity(name, consumptions, detail):
        reply["ConsumedCapacity"] = consumed
    return reply


def _source(table: Table, statement: Select, request: Request) -> PageSource:
    name = statement.target.index
    if name is None:
        return PageSource(table, None)
    if name in table.vector_indexes:
        raise ValidationException(SCAN_OF_VECTORS)
    if name not in table.indexes:
        raise ValidationException(NO_SUCH_INDEX)
    index = find_index(table, name)
    if len(index.key_schema.partition) > 1 or len(index.key_schema.sort) > 1:
        raise ValidationException(SEVERAL_KEY_ATTRIBUTES.format(name))
    if index.is_global and request.get("ConsistentRead"):
        raise ValidationException(CONSISTENT_GLOBAL_READ)
    return PageSource(table, index)


def _read_plan(source: PageSource, understood: Understood) -> ReadPlan:
    statement, schema = understood.statement, source.key_schema
    assert isinstance(statement, Select)
    sort_name = schema.sort[0].name if schema.sort else None
    return read_plan(statement.where, schema.partition[0].name, sort_name, understood.literals)


def _check_order(source: PageSource, statement: Select, plan: ReadPlan) -> bool:
    """Check ORDER BY, and tell whether collections are read forward.

    A collection is read forward only where ORDER BY names its sort key so, or is not there.

    Source: Observed — eu-west-2, 2026-09, a public implementation's capture.
    """
    if not statement.order:
        return True
    if statement.where is None:
        raise ValidationException(ORDER_WITHOUT_WHERE)
    schema = source.key_schema
    for ordering in statement.order:
        if ordering.name not in schema.names:
            raise ValidationException(ORDER_BY_OTHER.format(ordering.name))
    if plan.reads is None:
        raise ValidationException(ORDER_WITHOUT_KEY)
    named = {ordering.name: ordering.descending for ordering in reversed(statement.order)}
    values = {json.dumps(read.partition_value) for read in plan.reads}
    if len(values) > 1 and schema.partition[0].name not in named:
        raise ValidationException(ORDER_NEEDS_KEY)
    return bool(schema.sort) and not named.get(schema.sort[0].name, True)


def _walks(source: PageSource, statement: Select, plan: ReadPlan) -> list[_Walk]:
    """Give the reads of a plan in the order of the statement, or of the partition key where ORDER BY names it."""
    if plan.reads is None:
        return [_Walk(KeyBounds((), (PARTITION_HASHES,)), None)]
    bounded = [(read, *_bounds(source, read)) for read in plan.reads]
    name = source.key_schema.partition[0].name
    ordering = next((ordering for ordering in statement.order if ordering.name == name), None)
    if ordering is not None:
        bounded.sort(key=lambda entry: part(entry[0].partition_value), reverse=ordering.descending)
    _check_apart([bounds for _, _, bounds in bounded])
    return [_Walk(bounds, canonical_partition_key(prefix)) for _, prefix, bounds in bounded]


def _bounds(source: PageSource, read: CollectionRead) -> tuple[Key, KeyBounds]:
    condition = KeyCondition((read.partition_value,), () if read.sort is None else (read.sort,))
    prefix = partition_prefix(source.key_schema, condition)
    return prefix, key_bounds(prefix, source.key_schema, condition)


def _check_apart(reads: Sequence[KeyBounds]) -> None:
    """Check that no two reads meet the same entries, as two branches of an OR may."""
    for place, one in enumerate(reads):
        for other in reads[place + 1 :]:
            if not (_ends_before(one, other) or _ends_before(other, one)):
                raise ValidationException(OVERLAPPING)


def _ends_before(one: KeyBounds, other: KeyBounds) -> bool:
    meets = one.last == other.first and one.last_inclusive and other.first_inclusive
    return one.last < other.first or (one.last == other.first and not meets)


def _page_plan(source: PageSource, request: Request, understood: Understood, plan: ReadPlan) -> PagePlan:
    """Give how to read; an index that lacks what is filtered by refuses a read that its key confines.

    Source: Observed — eu-west-2, 2026-08 and 2026-09, two public suites run against the service.
    """
    statement, index = understood.statement, source.index
    assert isinstance(statement, Select)
    fetches = False
    if index is not None:
        hidden = hidden_names(source.table, index, [str(path.steps[0]) for path in statement.paths or ()])
        if hidden and index.is_global:
            raise ValidationException(
                f"{INVALID_PARAMETER}Global secondary index {index.name} does not project [{', '.join(hidden)}]"
            )
        fetches = bool(hidden)
        named = attribute_names(plan.residue)
        lacking = [name for name in hash_map_order(named) if hidden_names(source.table, index, [name])]
        if lacking:
            raise ValidationException(
                f"{INVALID_PARAMETER}Secondary index {index.name} does not project one or more filter attributes: "
                f"[{', '.join(lacking)}]"
            )
    kept = None if plan.is_exact else understood.condition
    return PagePlan(source, read_consistency(request), kept, None, fetches)


def _walked(
    plan: PagePlan, walks: Sequence[_Walk], cursor: _Cursor | None, limit: int | None, *, forward: bool
) -> tuple[Walked, list[Consumption], _Cursor | None]:
    """Walk through the reads until the page is full.

    Source: Assumed — each of several reads is charged by itself, as a Query would be.
    """
    first = 0 if cursor is None else cursor.read
    items: list[tuple[Key, Any]] = []
    consumptions: list[Consumption] = []
    page_bytes = 0
    for number, walk in enumerate(walks[first:], first):
        start = plan.source.position(cursor.after, INVALID_TOKEN) if cursor is not None and number == first else None
        entries = plan.source.entries.walk(resumed(walk.bounds, start, forward=forward), forward=forward)
        walked = walked_page(plan, entries, None if limit is None else limit - len(items), page_bytes)
        consumptions += page_consumptions(plan, walked, walk.partition_key)
        items += walked.items
        page_bytes += sum(item.size_bytes for _, item in walked.items)
        if walked.was_cut:
            after = _Cursor(number, plan.source.cursor(items[-1][1].attributes()))
            return Walked(items, was_cut=True), consumptions, after
    return Walked(items, was_cut=False), consumptions, None


def _digest(request: Request) -> str:
    text = json.dumps([request["Statement"], request.get("Parameters", [])], sort_keys=True)
    return b64encode(sha256(text.encode("utf-8", "surrogatepass")).digest()[:12]).decode()


def _token(request: Request, cursor: _Cursor) -> str:
    text = json.dumps([_digest(request), cursor.read, cursor.after], separators=(",", ":"))
    return urlsafe_b64encode(text.encode()).decode()


def _cursor(source: PageSource, request: Request, reads: int) -> _Cursor | None:
    """Give where a page begins; a token is good for the statement and the parameters that it was given for."""
    token = request.get("NextToken")
    if token is None:
        return None
    try:
        digest, read, after = json.loads(urlsafe_b64decode(token.encode()))
    except (ValueError, TypeError):
        raise ValidationException(INVALID_TOKEN) from None
    if digest != _digest(request):
        raise ValidationException(OTHER_TOKEN)
    if not isinstance(read, int) or not 0 <= read < reads or not isinstance(after, dict):
        raise ValidationException(INVALID_TOKEN)
    source.position(after, INVALID_TOKEN)
    return _Cursor(read, after)
