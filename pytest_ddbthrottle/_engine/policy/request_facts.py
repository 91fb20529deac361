"""What a request asks of policies: actions on resources, and what their conditions may look at.

Asked before the request is validated, so any JSON is taken; the time it needs is linear in the request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from types import MappingProxyType
from typing import Any

from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._engine.partiql.parser import Parsed
from pytest_ddbthrottle._engine.policy.attribute_facts import (
    Json,
    attribute_names,
    mapping,
    partition_key_texts,
    sequence,
)
from pytest_ddbthrottle._engine.policy.statement_facts import read_statement, statement_action, statement_values

Request = Mapping[str, Any]
Values = Mapping[str, tuple[str, ...]]

EVERYTHING = "*"
"""The resource of what concerns no table. Source: Documented — Service Authorization Reference, "Actions, resources, and
condition keys for Amazon DynamoDB", read 2026-11-30; Observed — public reports of ListTables, 2017 and 2018."""

ACCOUNT_WIDE = frozenset({"ListTables", "ListStreams", "DescribeLimits", "DescribeEndpoints"})

ATTACHES = "PutResourcePolicy"
"""What CreateTable asks for as well where it brings a policy. Source: Documented — API Reference, CreateTable, read
2026-11-30."""

ITEM_MEMBERS: Mapping[str, str] = MappingProxyType(
    {"GetItem": "Key", "DeleteItem": "Key", "UpdateItem": "Key", "PutItem": "Item"}
)
TRANSACTION_ACTIONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "Get": ("GetItem", "Key"),
        "Put": ("PutItem", "Item"),
        "Update": ("UpdateItem", "Key"),
        "Delete": ("DeleteItem", "Key"),
        "ConditionCheck": ("ConditionCheckItem", "Key"),
    }
)
"""Member of a transaction's entry: the action that is asked for, and where the key stands.
Source: Documented — Developer Guide, "Using IAM with DynamoDB transactions", read 2026-11-30."""

STATEMENTS: Mapping[str, str | None] = MappingProxyType(
    {"ExecuteStatement": None, "BatchExecuteStatement": "Statements", "ExecuteTransaction": "TransactStatements"}
)
"""Where the statements of PartiQL stand."""

PARTITION_KEY_VALUES = (
    "dynamodb:firstpartitionkeyvalues",
    "dynamodb:secondpartitionkeyvalues",
    "dynamodb:thirdpartitionkeyvalues",
    "dynamodb:fourthpartitionkeyvalues",
)
"""Of the keys with several attributes that an index may have; ``dynamodb:LeadingKeys`` is the first one.
Source: Documented — as ``EVERYTHING``."""

INDEX_READS = frozenset({"Query", "Scan", "SearchVectors"})
"""What may name an index. ``SearchVectors`` knows no condition key of items and attributes: Documented — Developer Guide,
"Security and access control" of vector indexes, read 2026-12-07."""

READS = frozenset({"GetItem", "BatchGetItem", "Query", "Scan"})
WRITES_WITH_RETURN_VALUES = frozenset({"PutItem", "UpdateItem", "DeleteItem"})
DATA_PLANE = frozenset({*READS, *WRITES_WITH_RETURN_VALUES, "BatchWriteItem", "ConditionCheckItem"})


@dataclass(frozen=True, slots=True)
class Place:
    """Where a request is sent, and what is known of the keys there.

    Attributes:
        region: the Region.
        account_id: twelve digits.
        partition_keys: gives the partition key's attributes of a table, or of its index; none where there is no such.
    """

    region: str
    account_id: str
    partition_keys: Callable[[str, str | None], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Question:
    """One action on one resource, and what conditions may look at; keys in lower case."""

    action: str
    resource: str
    values: Values


@dataclass(slots=True)
class _Part:
    """One piece of a request: an action on a table or index, with the items and keys that it names."""

    action: str
    table: Json
    members: Mapping[str, Json]
    items: list[Mapping[str, Json]] = field(default_factory=list)
    index: str | None = None
    enclosing: str | None = None
    statement: Parsed | None = None


def questions(operation_name: str, request: Request, place: Place) -> list[Question]:
    """Give what is to be allowed for a request to be: each action on each resource once.

    Args:
        operation_name: AWS's name.
        request: the parsed body, not validated.
        place: where it was sent.

    >>> place = Place("us-east-1", "123456789012", lambda table, index: ["pk"])
    >>> [asked] = questions("GetItem", {"TableName": "orders", "Key": {"pk": {"S": "a"}}}, place)
    >>> asked.action, asked.resource, asked.values["dynamodb:leadingkeys"]
    ('dynamodb:GetItem', 'arn:aws:dynamodb:us-east-1:123456789012:table/orders', ('a',))

    Source: Documented — Developer Guide, "DynamoDB API permissions reference" and "Using IAM policy conditions for
    fine-grained access control", read 2026-11-30. Assumed — values that a request leaves out are there as their defaults.
    """
    gathered: dict[tuple[str, str], dict[str, dict[str, None]]] = {}
    for part in _parts(operation_name, request):
        values = gathered.setdefault((f"dynamodb:{part.action}", _resource(part, place)), {})
        for key, texts in _values(part, request, place):
            values.setdefault(key, {}).update(dict.fromkeys(texts))
    return [
        Question(action, resource, {key: tuple(texts) for key, texts in values.items() if texts})
        for (action, resource), values in gathered.items()
    ]


def _parts(operation_name: str, request: Request) -> Iterator[_Part]:
    if operation_name in ("BatchGetItem", "BatchWriteItem"):
        parts = list(_batch_parts(operation_name, mapping(request.get("RequestItems"))))
    elif operation_name in ("TransactGetItems", "TransactWriteItems"):
        parts = list(_transaction_parts(operation_name, sequence(request.get("TransactItems"))))
    elif operation_name in STATEMENTS:
        parts = list(_statement_parts(operation_name, request))
    else:
        parts = [_single_part(operation_name, request)]
        if operation_name == "CreateTable" and request.get("ResourcePolicy") is not None:
            parts.append(_Part(ATTACHES, parts[0].table, {}))
    # A request that names nothing is still asked for: validation refuses it, if no policy does.
    yield from parts or [_Part(operation_name, None, {})]


def _statement_parts(operation_name: str, request: Request) -> Iterator[_Part]:
    member = STATEMENTS[operation_name]
    enclosing = operation_name if operation_name == "ExecuteTransaction" else None
    for entry in [request] if member is None else sequence(request.get(member)):
        statement = mapping(entry).get("Statement")
        if isinstance(statement, str) and (target := statement_action(statement)) is not None:
            action, table, index = target
            parsed = read_statement(statement, sequence(mapping(entry).get("Parameters")))
            yield _Part(action, table, {}, index=index, enclosing=enclosing, statement=parsed)


def _single_part(operation_name: str, request: Request) -> _Part:
    member = ITEM_MEMBERS.get(operation_name)
    items = [mapping(request.get(member))] if member else []
    index = request.get("IndexName") if operation_name in INDEX_READS else None
    table = None if operation_name in ACCOUNT_WIDE else _named_resource(request)
    return _Part(operation_name, table, request, items, index if isinstance(index, str) else None)


def _named_resource(request: Request) -> Json:
    named = (request.get(member) for member in ("TableName", "ResourceArn", "StreamArn", "ShardIterator"))
    # A shard iterator begins with the ARN of its stream.
    return next((name.partition("|")[0] for name in named if isinstance(name, str)), None)


def _batch_parts(operation_name: str, batch: Mapping[str, Json]) -> Iterator[_Part]:
    for table, entries in batch.items():
        if operation_name == "BatchGetItem":
            spec = mapping(entries)
            yield _Part(operation_name, table, spec, [mapping(key) for key in sequence(spec.get("Keys"))])
        else:
            yield _Part(operation_name, table, {}, [*_written(sequence(entries))])


def _written(entries: Iterable[Json]) -> Iterator[Mapping[str, Json]]:
    for entry in entries:
        for member, key in (("PutRequest", "Item"), ("DeleteRequest", "Key")):
            yield mapping(mapping(mapping(entry).get(member)).get(key))


def _transaction_parts(operation_name: str, entries: Sequence[Json]) -> Iterator[_Part]:
    for entry in entries:
        for member, (action, key) in TRANSACTION_ACTIONS.items():
            spec = mapping(entry).get(member)
            if isinstance(spec, Mapping):
                items = [mapping(spec.get(key))]
                yield _Part(action, spec.get("TableName"), spec, items, enclosing=operation_name)


def _resource(part: _Part, place: Place) -> str:
    if not isinstance(part.table, str):
        return EVERYTHING
    prefix = "" if part.table.startswith("arn:") else f"arn:aws:dynamodb:{place.region}:{place.account_id}:table/"
    return f"{prefix}{part.table}" if part.index is None else f"{prefix}{part.table}/index/{part.index}"


def _values(part: _Part, request: Request, place: Place) -> Iterator[tuple[str, Iterable[str]]]:
    if part.enclosing is not None:
        yield "dynamodb:enclosingoperation", (part.enclosing,)
    table_name = part.table.rpartition(":table/")[2] if isinstance(part.table, str) else ""
    if part.statement is not None:
        yield from statement_values(part.statement, next(iter(place.partition_keys(table_name, part.index)), ""))
    if part.action not in DATA_PLANE:
        return
    for key, attribute in zip(PARTITION_KEY_VALUES, place.partition_keys(table_name, part.index), strict=False):
        texts = list(partition_key_texts(part.members, part.items, attribute))
        yield key, texts
        if key == PARTITION_KEY_VALUES[0]:
            yield "dynamodb:leadingkeys", texts
    yield "dynamodb:attributes", attribute_names(part.members, part.items)
    yield "dynamodb:returnconsumedcapacity", _text(request.get("ReturnConsumedCapacity"), "NONE")
    if part.action in READS:
        yield "dynamodb:select", _text(part.members.get("Select"), _select(part))
    if part.action in WRITES_WITH_RETURN_VALUES and part.enclosing is None:
        yield "dynamodb:returnvalues", _text(request.get("ReturnValues"), "NONE")


def _select(part: _Part) -> str:
    """Give what a read asks for without saying so."""
    if part.members.get("ProjectionExpression") or part.members.get("AttributesToGet"):
        return "SPECIFIC_ATTRIBUTES"
    return "ALL_ATTRIBUTES" if part.index is None else "ALL_PROJECTED_ATTRIBUTES"


def _text(value: Json, default: str) -> tuple[str, ...]:
    return (value if isinstance(value, str) else default,)


def surroundings(principal_arn: str, user_name: str | None, place: Place, now_ns: int) -> dict[str, tuple[str, ...]]:
    """Give the condition keys that are the same for all that a request asks; a root has no user name.

    Source: Documented — IAM User Guide, "AWS global condition context keys", read 2026-11-30. Assumed — every request
    came over TLS; ``aws:SourceIp`` is not there, as nothing comes from an address.
    """
    seconds = now_ns // NANOSECONDS_PER_SECOND
    now = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=seconds)
    values = {
        "aws:principalarn": principal_arn,
        "aws:principalaccount": place.account_id,
        "aws:principaltype": "Account" if user_name is None else "User",
        "aws:resourceaccount": place.account_id,
        "aws:requestedregion": place.region,
        "aws:currenttime": f"{now:%Y-%m-%dT%H:%M:%SZ}",
        "aws:epochtime": str(seconds),
        "aws:securetransport": "true",
        **({} if user_name is None else {"aws:username": user_name}),
    }
    return {key: (text,) for key, text in values.items()}
