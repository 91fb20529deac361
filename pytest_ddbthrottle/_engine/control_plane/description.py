"""``TableDescription``: what DescribeTable shows of a table."""

from __future__ import annotations

from typing import Any

from pytest_ddbthrottle._engine.capacity import BillingMode, Throughput
from pytest_ddbthrottle._engine.keys import KeySchema
from pytest_ddbthrottle._engine.table_settings import Encryption, ThroughputHistory
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table
from pytest_ddbthrottle._engine.vector_index import VectorIndex

NANOSECONDS_PER_MILLISECOND = 10**6


def timestamp(instant_ns: int) -> float:
    """Give an instant as a reply tells it: seconds since the epoch, to the millisecond.

    >>> timestamp(1_767_225_600_123_456_789)
    1767225600.123

    Source: Observed — a public lab's notes of 2026-10-08: every date has milliseconds.
    """
    return instant_ns // NANOSECONDS_PER_MILLISECOND / 1000


def table_description(table: Table, now_ns: int) -> dict[str, Any]:
    """Give DescribeTable's ``Table``; item counts and sizes are those of this instant.

    Source: Documented — API Reference, TableDescription, read 2026-11-30; Observed — a public lab's notes of 2026-10-08
    (which members are there in which billing mode).
    """
    return {
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": kind} for name, kind in table.settings.attribute_types.items()
        ],
        "TableName": table.name,
        "KeySchema": key_schema_description(table.key_schema),
        "TableStatus": table.status_at(now_ns),
        "CreationDateTime": timestamp(table.created_ns),
        "ProvisionedThroughput": _provisioned(table, table.throughput, now_ns),
        "TableSizeBytes": table.items.size_bytes,
        "ItemCount": len(table.items),
        "TableArn": table.arn,
        "TableId": table.table_id,
        **_billing_mode_summary(table),
        **_index_descriptions(table, now_ns),
        **encryption_description(table.settings.encryption, now_ns),
        **_table_class_summary(table),
        **_stream_description(table),
        **caps_description(table.throughput),
        "WarmThroughput": warm_description(table.throughput),
        "DeletionProtectionEnabled": table.settings.deletion_protection,
    }


def mode_alone(description: dict[str, Any]) -> dict[str, Any]:
    """Give a description whose ``BillingModeSummary`` has the mode alone, as the replies of changes do.

    Source: Observed — a public lab's notes of 2026-10-08: the date is shown once the table is ACTIVE.
    """
    if "BillingModeSummary" not in description:
        return description
    return {**description, "BillingModeSummary": {"BillingMode": description["BillingModeSummary"]["BillingMode"]}}


def key_schema_description(schema: KeySchema) -> list[dict[str, str]]:
    """Give a ``KeySchema`` member."""
    return [
        {"AttributeName": attribute.name, "KeyType": kind}
        for kind, attributes in (("HASH", schema.partition), ("RANGE", schema.sort))
        for attribute in attributes
    ]


def provisioned_description(throughput: Throughput, history: ThroughputHistory, now_ns: int) -> dict[str, Any]:
    """Give ``ProvisionedThroughputDescription``; both units are 0 on demand."""
    instants = {"LastIncreaseDateTime": history.last_increase_ns, "LastDecreaseDateTime": history.last_decrease_ns}
    return {
        **{member: timestamp(instant_ns) for member, instant_ns in instants.items() if instant_ns is not None},
        "NumberOfDecreasesToday": history.decreases_today(now_ns),
        "ReadCapacityUnits": throughput.read_capacity_units,
        "WriteCapacityUnits": throughput.write_capacity_units,
    }


def _provisioned(holder: Table | SecondaryIndex, throughput: Throughput, now_ns: int) -> dict[str, Any]:
    """Give the capacity in force; while a change is on its way, the count of decreases is still the one before it."""
    shown = provisioned_description(throughput, holder.history, now_ns)
    before = holder.pending.decreases_before if holder.pending is not None else None
    return shown if before is None else {**shown, "NumberOfDecreasesToday": before}


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
    """Give ``BillingModeSummary``, which a table has from the moment when it is first on-demand."""
    last_on_demand_ns = table.settings.last_on_demand_ns
    if last_on_demand_ns is None:
        return {}
    coming = table.pending.throughput if table.pending is not None else None
    if coming is not None and coming.billing_mode is not table.throughput.billing_mode:
        return {"BillingModeSummary": {"BillingMode": coming.billing_mode.value}}
    return {
        "BillingModeSummary": {
            "BillingMode": table.throughput.billing_mode.value,
            "LastUpdateToPayPerRequestDateTime": timestamp(last_on_demand_ns),
        }
    }


def _table_class_summary(table: Table) -> dict[str, Any]:
    if table.settings.table_class is None:
        return {}
    changes_ns = table.settings.table_class_changes_ns
    changed = {"LastUpdateDateTime": timestamp(changes_ns[-1])} if changes_ns else {}
    return {"TableClassSummary": {"TableClass": table.settings.table_class, **changed}}


def _stream_description(table: Table) -> dict[str, Any]:
    """Give the members of a table's description that tell its stream; of one that was disabled ARN and label stay.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2. Assumed — they stay when that stream is gone.
    """
    described: dict[str, Any] = {}
    if table.stream is not None:
        described["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": table.stream.view_type}
    if table.streams:
        latest = table.streams[-1]
        described["LatestStreamArn"], described["LatestStreamLabel"] = latest.arn, latest.label
    return described


def _index_descriptions(table: Table, now_ns: int) -> dict[str, Any]:
    described: dict[str, Any] = {}
    if table.local_indexes:
        described["LocalSecondaryIndexes"] = [_index_description(index) for index in table.local_indexes.values()]
    if table.global_indexes:
        described["GlobalSecondaryIndexes"] = [
            _global_index_description(index, now_ns) for index in table.global_indexes.values()
        ]
    if table.vector_indexes:
        described["VectorIndexes"] = [
            _vector_index_description(index, now_ns) for index in table.vector_indexes.values()
        ]
    return described


def _vector_index_description(index: VectorIndex, now_ns: int) -> dict[str, Any]:
    elements = [
        {"AttributeName": element.name, "SearchSchemaElementType": element.role} for element in index.search_schema
    ]
    return {
        "IndexName": index.name,
        **({"SearchSchema": elements} if elements else {}),
        "Projection": _projection_description(index),
        "VectorAttribute": {"AttributeName": index.vector_attribute},
        "Dimensions": index.dimensions,
        "DistanceFunction": index.distance_function,
        **_index_status(index, now_ns),
        "IndexSizeBytes": index.entries.size_bytes,
        "ItemCount": len(index.entries),
        "IndexArn": index.arn,
    }


def _projection_description(index: SecondaryIndex | VectorIndex) -> dict[str, Any]:
    others = {"NonKeyAttributes": list(index.non_key_attributes)} if index.non_key_attributes else {}
    return {"ProjectionType": index.projection_type, **others}


def _index_description(index: SecondaryIndex) -> dict[str, Any]:
    return {
        "IndexName": index.name,
        "KeySchema": key_schema_description(index.key_schema),
        "Projection": _projection_description(index),
        "IndexSizeBytes": index.entries.size_bytes,
        "ItemCount": len(index.entries),
        "IndexArn": index.arn,
    }


def _index_status(index: SecondaryIndex | VectorIndex, now_ns: int) -> dict[str, Any]:
    """Give the members that tell an index's state; one that is added to a table tells whether it is being filled."""
    pending = index.pending
    if pending is None:
        return {"IndexStatus": "ACTIVE"}
    filling = {} if pending.backfills_from_ns is None else {"Backfilling": pending.is_backfilling(now_ns)}
    return {"IndexStatus": pending.work.value, **filling}


def _global_index_description(index: SecondaryIndex, now_ns: int) -> dict[str, Any]:
    throughput = index.throughput or Throughput(BillingMode.PAY_PER_REQUEST)
    return {
        **_index_description(index),
        **_index_status(index, now_ns),
        "ProvisionedThroughput": _provisioned(index, throughput, now_ns),
        **caps_description(throughput),
        "WarmThroughput": warm_description(throughput),
    }


def encryption_description(encryption: Encryption, now_ns: int) -> dict[str, Any]:
    """Give ``SSEDescription``, or nothing for a table that DynamoDB encrypts with its own key.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2: UPDATING for 22 s, the table ACTIVE all along.
    """
    if now_ns < encryption.until_ns:
        return {"SSEDescription": {"Status": "UPDATING", **_key(encryption.key_arn_before)}}
    if encryption.key_arn is None:
        return {}
    return {"SSEDescription": {"Status": "ENABLED", **_key(encryption.key_arn)}}


def _key(arn: str | None) -> dict[str, str]:
    return {"SSEType": "KMS", "KMSMasterKeyArn": arn} if arn is not None else {}
