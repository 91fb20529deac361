"""Tags: what a key and a value may be, how many there may be, and whose they are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_ddbthrottle._engine.errors import (
    AccessDeniedException,
    ResourceNotFoundException,
    ValidationException,
)
from pytest_ddbthrottle._engine.keys import INVALID_PARAMETER
from pytest_ddbthrottle._engine.limits import (
    MAX_TAG_KEY_CHARACTERS,
    MAX_TAG_SET_BYTES,
    MAX_TAG_VALUE_CHARACTERS,
    MAX_TAGS_PER_RESOURCE,
)
from pytest_ddbthrottle._engine.operations.context import Context
from pytest_ddbthrottle._engine.tables import Table

RESERVED_PREFIX = "aws:"
TOO_MANY_TAGS = "Number of Tags exceed the current limit for the provided ResourceArn"
TOO_LARGE = f"Tag set size {{size_bytes}} bytes is above max size limit of {MAX_TAG_SET_BYTES} bytes"
BAD_KEY = "The Tag Key provided is invalid, Key: {key}"
BAD_VALUE = "The Tag Value provided is invalid, Value: {value}"
RESERVED_KEY = "Tag Key cannot be prefixed with aws:, Key: {key}"
REPEATED_KEY = "Duplicate Tag Keys provided as input: Duplicate Tag Key found {key}"
NO_TAGS = "Atleast one Tag needs to be provided as Input."
NO_TAG_KEYS = "Atleast one Tag Key needs to be provided as Input."
NO_ARN = f"{INVALID_PARAMETER}ARNs must start with 'arn:': {{arn}}"
NOT_DYNAMODB = f"{INVALID_PARAMETER}Provided Arn is not a DynamoDB resource arn: {{arn}}"
NO_TABLE_ARN = (
    f"{INVALID_PARAMETER}Invalid resource arn provided, only table or stream is accepted. "
    "Provided resource arn: {arn}"
)
BAD_ARN = "Invalid TableArn: Invalid ResourceArn provided as input {arn}"
NO_SUCH_TABLE = "Requested resource not found: ResourceArn: {arn} not found"
"""Source: Observed — a public lab's notes of 2026-10-08 and 2026-10-09, us-west-2."""

OTHER_ACCOUNT = "Access is denied"
"""Source: Assumed — the text of a public implementation."""

_PUNCTUATION = "+-=._:/@"
_TABLE_ARN = re.compile(r"arn:[^:]*:dynamodb:([^:]*):([^:]*):table/([^/]+)")


def with_tags(present: Mapping[str, str], tags: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Give a table's tags with others put in, or over those of the same key; all or nothing.

    Args:
        present: the tags that there are.
        tags: ``Tags``.

    Raises:
        ValidationException: a key or a value that can't be, a key given twice, or too many or too large tags in the end.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2: the limit counts what there would be afterwards.
    """
    if not tags:
        raise ValidationException(NO_TAGS)
    given: dict[str, str] = {}
    for tag in tags:
        key, value = tag.get("Key"), tag.get("Value")
        _check_key(key)
        if not _is_fit(value, 0, MAX_TAG_VALUE_CHARACTERS):
            raise ValidationException(BAD_VALUE.format(value="null" if value is None else value))
        if key in given:
            raise ValidationException(REPEATED_KEY.format(key=key))
        given[str(key)] = str(value)
    return _small_enough({**present, **given})


def without_tags(present: Mapping[str, str], keys: Sequence[str]) -> dict[str, str]:
    """Give a table's tags without some; a key that is not there is passed over.

    Raises:
        ValidationException: no key, one that can't be, or more than 50 of them.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2: more than 50 keys get the text of too many tags.
    """
    if not keys:
        raise ValidationException(NO_TAG_KEYS)
    for key in keys:
        _check_key(key)
    _few_enough(dict.fromkeys(keys, ""))
    return {key: value for key, value in present.items() if key not in keys}


def _small_enough(tags: dict[str, str]) -> dict[str, str]:
    """Check number and size. Source of how the size is counted: Assumed — UTF-8, keys and values."""
    size_bytes = sum(len(text.encode()) for pair in _few_enough(tags).items() for text in pair)
    if size_bytes > MAX_TAG_SET_BYTES:
        raise ValidationException(TOO_LARGE.format(size_bytes=size_bytes))
    return tags


def _few_enough(tags: dict[str, str]) -> dict[str, str]:
    if len(tags) > MAX_TAGS_PER_RESOURCE:
        raise ValidationException(TOO_MANY_TAGS)
    return tags


def _check_key(key: str | None) -> None:
    if not _is_fit(key, 1, MAX_TAG_KEY_CHARACTERS):
        raise ValidationException(BAD_KEY.format(key="null" if key is None else key))
    if str(key).startswith(RESERVED_PREFIX):
        raise ValidationException(RESERVED_KEY.format(key=key))


def _is_fit(text: str | None, least: int, most: int) -> bool:
    """Tell whether a text has the length and the characters: letters and digits of any script, spaces, and a few signs."""
    if text is None or not least <= len(text) <= most:
        return False
    return all(character.isalnum() or character.isspace() or character in _PUNCTUATION for character in text)


def tagged_table(context: Context, arn: str) -> Table:
    """Give the table of a ``ResourceArn``.

    Raises:
        ValidationException: it is no ARN of a table in this Region.
        AccessDeniedException: it is another account's.
        ResourceNotFoundException: there is no such table.
    """
    if not arn.startswith("arn:"):
        raise ValidationException(NO_ARN.format(arn=arn))
    if arn.split(":")[2:3] != ["dynamodb"]:
        raise ValidationException(NOT_DYNAMODB.format(arn=arn))
    match = _TABLE_ARN.fullmatch(arn)
    if match is None:
        raise ValidationException(NO_TABLE_ARN.format(arn=arn))
    region, account_id, name = match.groups()
    if region != context.region:
        raise ValidationException(BAD_ARN.format(arn=arn))
    if account_id != context.account_id:
        raise AccessDeniedException(OTHER_ACCOUNT)
    table = context.tables.get(name)
    if table is None:
        raise ResourceNotFoundException(NO_SUCH_TABLE.format(arn=arn))
    return table
