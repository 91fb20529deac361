"""``TableDescription``: what DescribeTable shows of a table."""

from __future__ import annotations

from typing import Any

from pytest_ddbthrottle._engine.capacity import BillingMode, Throughput
from pytest_ddbthrottle._engine.keys import KeySchema
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table

NANOSECONDS_PER_SECOND = 1_000_000_000


def table_description(table: Table, now_ns: int) -> dict[str, Any]:
    """Give DescribeTable's ``Table``; item counts and sizes are those of this instant.

    Source: Documented — API Reference, TableDescription, read 2026-11-30; Observed — a public lab's notes of 2026-10-08
    (which members are there in which billing mode).
    """
    description: dict[str, Any] = {
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": kind} for name, kind in table.details["attribute_types"].items()
        ],
        "TableName": table.name,
        "KeySchema": key_schema_description(table.key_schema),
        "TableStatus": table.status,
        "CreationDateTime": table.created_ns / NANOSECONDS_PER_SECOND,
        "ProvisionedThroughput": provisioned_description(table.throughput, table.details, now_ns),
        "TableSizeBytes": table.items.size_bytes,
        "ItemCount": len(table.items),
        "TableArn": table.arn,
        "TableId": table.table_id,
        **_billing_mode_summary(table),
        **_index_descriptions(table, now_ns),
        **caps_description(table.throughput),
        "WarmThroughput": warm_description(table.throughput),
        "DeletionProtectionEnabled": table.details.get("deletion_protection", False),
    }
    if "table_class" in table.details:
        description["TableClassSummary"] = {"TableClass": table.details["table_class"]}
    return description


def key_schema_description(schema: KeySchema) -> list[dict[str, str]]:
    """Give a ``KeySchema`` member."""
    return [
        {"AttributeName": attribute.name, "KeyType": kind}
        for kind, attributes in (("HASH", schema.partition), ("RANGE", schema.sort))
        for attribute in attributes
    ]


def provisioned_description(throughput: Throughput, details: dict[str, Any], now_ns: int) -> dict[str, Any]:
    """Give ``ProvisionedThroughputDescription``; both units are 0 on demand."""
    described: dict[str, Any] = {}
    for member, name in (("LastIncreaseDateTime", "last_increase_ns"), ("LastDecreaseDateTime", "last_decrease_ns")):
        if name in details:
            described[member] = details[name] / NANOSECONDS_PER_SECOND
    described["NumberOfDecreasesToday"] = decreases_today(details, now_ns)
    described["ReadCapacityUnits"] = throughput.read_capacity_units
    described["WriteCapacityUnits"] = throughput.write_capacity_units
    return described


def decreases_today(details: dict[str, Any], now_ns: int) -> int:
    """Give how often throughput was decreased in the present UTC day.

    Source: Observed — a public lab's notes of 2026-10-08: the count starts again at 00:00 UTC.
    """
    day, count = details.get("decreases", (-1, 0))
    return int(count) if day == utc_day(now_ns) else 0


def utc_day(now_ns: int) -> int:
    """Give the number of a UTC day."""
    return now_ns // (86_400 * NANOSECONDS_PER_SECOND)


def caps_description(throughput: Throughput) -> dict[str, Any]:
    """Give ``OnDemandThroughput``, with the caps that are set; nothing where none is."""
    caps = {
        member: cap
        for member, cap in (
            ("MaxReadRequestUnits", throughput.max_read_request_units),
            ("MaxWriteRequestUnits", throughput.max_write_request_units),
        )
        if cap is not None and cap > 0
    }
    return {"OnDemandThroughput": caps} if caps else {}


def warm_description(throughput: Throughput) -> dict[str, Any]:
    """Give ``TableWarmThroughputDescription``."""
    return {
        "ReadUnitsPerSecond": throughput.warm_read_units_per_second,
        "WriteUnitsPerSecond": throughput.warm_write_units_per_second,
        "Status": "ACTIVE",
    }


def _billing_mode_summary(table: Table) -> dict[str, Any]:
    switched_ns = table.details.get("last_on_demand_ns")
    if switched_ns is None:
        return {}
    return {
        "BillingModeSummary": {
            "BillingMode": table.throughput.billing_mode.value,
            "LastUpdateToPayPerRequestDateTime": switched_ns / NANOSECONDS_PER_SECOND,
        }
    }


def _index_descriptions(table: Table, now_ns: int) -> dict[str, Any]:
    described: dict[str, Any] = {}
    if table.local_indexes:
        described["LocalSecondaryIndexes"] = [_index_description(index) for index in table.local_indexes.values()]
    if table.global_indexes:
        described["GlobalSecondaryIndexes"] = [
            _global_index_description(index, now_ns) for index in table.global_indexes.values()
        ]
    return described


def _index_description(index: SecondaryIndex) -> dict[str, Any]:
    others = {"NonKeyAttributes": list(index.non_key_attributes)} if index.non_key_attributes else {}
    return {
        "IndexName": index.name,
        "KeySchema": key_schema_description(index.key_schema),
        "Projection": {"ProjectionType": index.projection_type, **others},
        "IndexSizeBytes": index.entries.size_bytes,
        "ItemCount": len(index.entries),
        "IndexArn": index.arn,
    }


def _global_index_description(index: SecondaryIndex, now_ns: int) -> dict[str, Any]:
    throughput = index.throughput or Throughput(BillingMode.PAY_PER_REQUEST)
    return {
        **_index_description(index),
        "IndexStatus": index.status,
        "ProvisionedThroughput": provisioned_description(throughput, index.details, now_ns),
        **caps_description(throughput),
        "WarmThroughput": warm_description(throughput),
    }
