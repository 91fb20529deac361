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
        ValueError: a key of another form; the message names it.

    >>> create_table_request("orders", "pk", None, None)["AttributeDefinitions"]
    [{'AttributeName': 'pk', 'AttributeType': 'S'}]
    """
    types: dict[str, str] = {}
    keys = (partition_key,) if sort_key is None else (partition_key, sort_key)
    request: dict[str, Any] = {
        "TableName": name,
        "KeySchema": _key_schema(keys, types),
        "BillingMode": "PAY_PER_REQUEST",
    }
    if indexes:
        request["GlobalSecondaryIndexes"] = [
            {
                "IndexName": index_name,
                "KeySchema": _key_schema(_keys_of(index_name, said), types),
                "Projection": {"ProjectionType": "ALL"},
            }
            for index_name, said in indexes.items()
        ]
    request["AttributeDefinitions"] = [
        {"AttributeName": attribute, "AttributeType": kind} for attribute, kind in types.items()
    ]
    return request


def _keys_of(index_name: str, said: str | Sequence[str]) -> Sequence[str]:
    keys = [said] if isinstance(said, str) else said
    if not isinstance(keys, list | tuple) or len(keys) not in (1, 2):
        raise ValueError(f"index {index_name!r}: {said!r} is neither a partition key nor a pair of it and a sort key")
    return keys


def _key_schema(keys: Sequence[str], types: dict[str, str]) -> list[dict[str, str]]:
    schema = []
    for key, key_type in zip(keys, ("HASH", "RANGE"), strict=False):
        attribute, kind = _attribute_and_type(key)
        if types.setdefault(attribute, kind) != kind:
            raise ValueError(f"{key!r}: {attribute!r} is of type {types[attribute]} elsewhere in this table")
        schema.append({"AttributeName": attribute, "KeyType": key_type})
    return schema


def _attribute_and_type(key: str) -> tuple[str, str]:
    # An attribute's name may have a colon of its own.
    attribute, colon, kind = key.rpartition(":") if isinstance(key, str) else ("", ":", "")
    if not colon:
        attribute, kind = kind, "S"
    if kind not in KEY_TYPES or not attribute:
        raise ValueError(f"{key!r}: a key reads 'name:TYPE', TYPE being one of {', '.join(KEY_TYPES)}")
    return attribute, kind
