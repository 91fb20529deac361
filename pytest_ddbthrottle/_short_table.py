"""The short form of CreateTable: ``"status:S"`` instead of a key schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

KEY_TYPES = ("S", "N", "B")


def create_table_request(
    name: str,
    partition_key: str,
    sort_key: str | None,
    indexes: Mapping[str, str | Sequence[str]] | None,
) -> dict[str, Any]:
    """Give the ``CreateTableInput`` of an on-demand table whose indexes project everything.

    Args:
        name: the table's name.
        partition_key: ``"name:TYPE"``; the type is S, N or B, and S where it is left out.
        sort_key: the same, or None.
        indexes: index name to its partition key, or to its partition key and sort key.

    Raises:
        ValueError: a key of another form.
    """
    types: dict[str, str] = {}
    request: dict[str, Any] = {
        "TableName": name,
        "KeySchema": _key_schema([partition_key, *([sort_key] if sort_key else [])], types),
        "BillingMode": "PAY_PER_REQUEST",
    }
    if indexes:
        request["GlobalSecondaryIndexes"] = [
            {
                "IndexName": index_name,
                "KeySchema": _key_schema([keys] if isinstance(keys, str) else keys, types),
                "Projection": {"ProjectionType": "ALL"},
            }
            for index_name, keys in indexes.items()
        ]
    request["AttributeDefinitions"] = [
        {"AttributeName": attribute, "AttributeType": kind} for attribute, kind in types.items()
    ]
    return request


def _key_schema(keys: Sequence[str], types: dict[str, str]) -> list[dict[str, str]]:
    if not 1 <= len(keys) <= 2:
        raise ValueError(f"{keys!r}: a key has a partition key and at most one sort key")
    schema = []
    for key, key_type in zip(keys, ("HASH", "RANGE"), strict=False):
        attribute, _, kind = key.partition(":")
        kind = kind or "S"
        if kind not in KEY_TYPES or not attribute:
            raise ValueError(f"{key!r}: a key reads 'name:TYPE', TYPE being one of {', '.join(KEY_TYPES)}")
        if types.setdefault(attribute, kind) != kind:
            raise ValueError(f"{key!r}: {attribute!r} is of type {types[attribute]} elsewhere in this table")
        schema.append({"AttributeName": attribute, "KeyType": key_type})
    return schema
