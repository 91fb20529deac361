"""Which attributes and partition keys one part of a request names, as condition keys of policies want to know it.

Asked before the request is validated: whatever is not well formed names nothing. Each text is read once, as tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.tokens import Token, TokenKind, tokenize

EXPRESSIONS = (
    "KeyConditionExpression",
    "FilterExpression",
    "ConditionExpression",
    "UpdateExpression",
    "ProjectionExpression",
)
LEGACY_MAPS = ("KeyConditions", "QueryFilter", "ScanFilter", "Expected", "AttributeUpdates")
WORDS = frozenset({"SET", "REMOVE", "ADD", "DELETE", "AND", "OR", "NOT", "BETWEEN", "IN"})
"""Names in an expression that are no attributes: all of them are reserved, so no attribute is written so."""
KEY_TYPES = ("S", "N", "B")

Json = Any
"""A value as it was read from JSON, of which nothing is known yet."""


def mapping(value: Json) -> Mapping[str, Json]:
    """Give an object; anything else is an empty one."""
    return value if isinstance(value, Mapping) else {}


def sequence(value: Json) -> Sequence[Json]:
    """Give an array; anything else is an empty one."""
    return value if isinstance(value, list | tuple) else ()


def attribute_names(part: Mapping[str, Json], items: Iterable[Mapping[str, Json]]) -> Iterator[str]:
    """Give the top-level attributes that a request names: in items and keys, expressions and legacy parameters.

    Args:
        part: where the expressions stand.
        items: its items and keys.

    >>> list(attribute_names({"ProjectionExpression": "info.rating, #t", "ExpressionAttributeNames": {"#t": "t"}}, []))
    ['info', 't']

    Source: Documented — Developer Guide, "Using IAM policy conditions for fine-grained access control", read 2026-11-30:
    the attributes that are named; a read without a projection names its keys alone.
    """
    for item in items:
        yield from item
    names = mapping(part.get("ExpressionAttributeNames"))
    for member in EXPRESSIONS:
        yield from _named(_tokens(part.get(member)), names)
    for member in LEGACY_MAPS:
        yield from mapping(part.get(member))
    yield from (name for name in sequence(part.get("AttributesToGet")) if isinstance(name, str))


def partition_key_texts(part: Mapping[str, Json], items: Iterable[Mapping[str, Json]], attribute: str) -> Iterator[str]:
    """Give the values of one partition key attribute that a request names: in items and keys, or as the key of a query.

    Numbers and binaries come as they are written.

    >>> list(partition_key_texts({"KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}},
    ...                          [{"pk": {"S": "b"}}], "pk"))
    ['b', 'a']
    """
    found = [item.get(attribute) for item in items]
    found += _equated(_tokens(part.get("KeyConditionExpression")), part, attribute)
    condition = mapping(mapping(part.get("KeyConditions")).get(attribute))
    if condition.get("ComparisonOperator") == "EQ":
        found += sequence(condition.get("AttributeValueList"))
    for value in found:
        yield from (text for kind in KEY_TYPES if isinstance(text := mapping(value).get(kind), str))


def _tokens(text: Json) -> Sequence[Token]:
    if not isinstance(text, str):
        return ()
    try:
        return tokenize("", text)
    except ValidationException:  # Empty or too long: the request is refused for it, if no policy refuses it first.
        return ()


def _named(tokens: Sequence[Token], names: Mapping[str, Json]) -> Iterator[str]:
    """Give the attributes at the beginnings of paths: after a point stands a deeper name, before a bracket a function."""
    for place, token in enumerate(tokens):
        if place and tokens[place - 1].is_symbol("."):
            continue
        name = _name(token, names)
        is_word = token.kind is TokenKind.NAME and (token.text.upper() in WORDS or tokens[place + 1].is_symbol("("))
        if name is not None and not is_word:
            yield name


def _name(token: Token, names: Mapping[str, Json]) -> str | None:
    name = names.get(token.text) if token.kind is TokenKind.NAME_PLACEHOLDER else token.text
    is_name = token.kind in (TokenKind.NAME, TokenKind.NAME_PLACEHOLDER)
    return name if is_name and isinstance(name, str) else None


def _equated(tokens: Sequence[Token], part: Mapping[str, Json], attribute: str) -> Iterator[Json]:
    """Give the values that a key condition sets equal to an attribute, whichever stands first."""
    names, values = mapping(part.get("ExpressionAttributeNames")), mapping(part.get("ExpressionAttributeValues"))
    for place, token in enumerate(tokens):
        if place and token.is_symbol("="):
            before, after = tokens[place - 1], tokens[place + 1]
            for name, value in ((before, after), (after, before)):
                if value.kind is TokenKind.VALUE_PLACEHOLDER and _name(name, names) == attribute:
                    yield values.get(value.text)
