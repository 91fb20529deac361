"""The shapes of requests about tables and what belongs to them: indexes, tags, policies, time to live, streams.

Source: Documented — botocore service models 2012-08-10 (members, lengths, ranges, enums), read 2026-11-30; Observed —
public conformance suites, 2026 (the order of enum values), and a public lab's notes of 2026-10-09, us-west-2 (lengths and
patterns of names, key schemas of two elements, the name that a list starts after).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pytest_ddbthrottle._engine.member_shapes import (
    Choice,
    Flag,
    ListOf,
    Moment,
    NameOrArn,
    NotModelled,
    Number,
    Shape,
    Structure,
    Text,
    structure,
)

NAME_PATTERN = "[a-zA-Z0-9_.-]+"
_DESCRIBED_TABLE_NAME = NameOrArn(Text(3, 255, NAME_PATTERN))
_NEW_TABLE_NAME = Text(3, 255, NAME_PATTERN)
_START_TABLE_NAME = Text(3, 255, NAME_PATTERN, kind_first=True)
INDEX_NAME = Text(3, 255, NAME_PATTERN)
_UNITS = structure("ReadCapacityUnits", "WriteCapacityUnits", ReadCapacityUnits=Number(1), WriteCapacityUnits=Number(1))
_INDEX_UNITS = structure(ReadCapacityUnits=Number(1), WriteCapacityUnits=Number(1))
_CAPS = structure(MaxReadRequestUnits=Number(), MaxWriteRequestUnits=Number())
_WARM = structure(ReadUnitsPerSecond=Number(), WriteUnitsPerSecond=Number())
_KEY_ELEMENT = structure("AttributeName", "KeyType", AttributeName=Text(1, 255), KeyType=Choice(("HASH", "RANGE")))
_KEY_SCHEMA = ListOf(_KEY_ELEMENT, 1, 2)
_GLOBAL_KEY_SCHEMA = ListOf(_KEY_ELEMENT, 1, 8)
_DEFINITIONS = ListOf(
    structure("AttributeName", "AttributeType", AttributeName=Text(1, 255), AttributeType=Choice(("B", "N", "S")))
)
_PROJECTION = structure(
    ProjectionType=Choice(("ALL", "INCLUDE", "KEYS_ONLY")), NonKeyAttributes=ListOf(Text(1, 255), 1, 20)
)
_INDEX_REQUIRED = ("IndexName", "KeySchema", "Projection")
_LOCAL_INDEX = structure(*_INDEX_REQUIRED, IndexName=INDEX_NAME, KeySchema=_KEY_SCHEMA, Projection=_PROJECTION)
_GLOBAL_INDEX = structure(
    *_INDEX_REQUIRED,
    IndexName=INDEX_NAME,
    KeySchema=_GLOBAL_KEY_SCHEMA,
    Projection=_PROJECTION,
    ProvisionedThroughput=_UNITS,
    OnDemandThroughput=_CAPS,
    WarmThroughput=_WARM,
)
_SEARCH_ELEMENT = structure(
    "AttributeName",
    "SearchSchemaElementType",
    AttributeName=Text(0, 65_535),
    SearchSchemaElementType=Choice(("HASH", "INLINE_FILTER")),
)
_VECTOR_INDEX = structure(
    "IndexName",
    "VectorAttribute",
    "Projection",
    "Dimensions",
    "DistanceFunction",
    IndexName=INDEX_NAME,
    VectorAttribute=structure("AttributeName", AttributeName=Text(1, 255)),
    SearchSchema=ListOf(_SEARCH_ELEMENT, 1),
    Projection=_PROJECTION,
    Dimensions=Number(1),
    DistanceFunction=Choice(("COSINE", "DOT_PRODUCT", "EUCLIDEAN")),
)
_BILLING_MODE = Choice(("PROVISIONED", "PAY_PER_REQUEST"))
_ENCRYPTION = structure(Enabled=Flag(), SSEType=Choice(("AES256", "KMS")), KMSMasterKeyId=Text())
_VIEW_TYPE = Choice(("NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES", "KEYS_ONLY"))
_STREAM = structure("StreamEnabled", StreamEnabled=Flag(), StreamViewType=_VIEW_TYPE)
_STREAM_ARN = Text(37, 1024)
_SHARD_ID = Text(28, 65)
_ITERATOR_TYPE = Choice(("AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER", "TRIM_HORIZON", "LATEST", "AT_TIMESTAMP"))
_TABLE_CLASS = Choice(("STANDARD", "STANDARD_INFREQUENT_ACCESS"))
_ARN = Text(1, 1283)
_REVISED: dict[str, Shape] = {"ResourceArn": _ARN, "ExpectedRevisionId": Text(1, 255)}
_EXPIRY = structure("Enabled", "AttributeName", Enabled=Flag(), AttributeName=Text(1, 255))
_TAGS = ListOf(structure(Key=Text(), Value=Text()))

TABLE_SHAPES: Mapping[str, Structure] = MappingProxyType(
    {
        "CreateTable": structure(
            "TableName",
            "KeySchema",
            "AttributeDefinitions",
            AttributeDefinitions=_DEFINITIONS,
            TableName=_NEW_TABLE_NAME,
            KeySchema=_KEY_SCHEMA,
            LocalSecondaryIndexes=ListOf(_LOCAL_INDEX),
            GlobalSecondaryIndexes=ListOf(_GLOBAL_INDEX),
            BillingMode=_BILLING_MODE,
            ProvisionedThroughput=_UNITS,
            TableClass=_TABLE_CLASS,
            DeletionProtectionEnabled=Flag(),
            OnDemandThroughput=_CAPS,
            WarmThroughput=_WARM,
            Tags=_TAGS,
            StreamSpecification=_STREAM,
            SSESpecification=_ENCRYPTION,
            ResourcePolicy=Text(),
            GlobalTableSourceArn=NotModelled(),
            GlobalTableSettingsReplicationMode=NotModelled(),
            VectorIndexes=ListOf(_VECTOR_INDEX),
        ),
        "UpdateTable": structure(
            "TableName",
            TableName=_DESCRIBED_TABLE_NAME,
            AttributeDefinitions=_DEFINITIONS,
            BillingMode=_BILLING_MODE,
            ProvisionedThroughput=_UNITS,
            GlobalSecondaryIndexUpdates=ListOf(
                structure(
                    Update=structure(
                        "IndexName",
                        IndexName=INDEX_NAME,
                        ProvisionedThroughput=_INDEX_UNITS,
                        OnDemandThroughput=_CAPS,
                        WarmThroughput=_WARM,
                    ),
                    Create=_GLOBAL_INDEX,
                    Delete=structure("IndexName", IndexName=INDEX_NAME),
                )
            ),
            TableClass=_TABLE_CLASS,
            DeletionProtectionEnabled=Flag(),
            OnDemandThroughput=_CAPS,
            WarmThroughput=_WARM,
            StreamSpecification=_STREAM,
            SSESpecification=_ENCRYPTION,
            ReplicaUpdates=NotModelled(),
            MultiRegionConsistency=NotModelled(),
            GlobalTableWitnessUpdates=NotModelled(),
            GlobalTableSettingsReplicationMode=NotModelled(),
            DisassociationProtectionEnabled=NotModelled((False,)),
            VectorIndexUpdates=ListOf(
                structure(Create=_VECTOR_INDEX, Delete=structure("IndexName", IndexName=INDEX_NAME))
            ),
        ),
        "DescribeTable": structure("TableName", TableName=_DESCRIBED_TABLE_NAME),
        "DeleteTable": structure("TableName", TableName=_DESCRIBED_TABLE_NAME),
        "ListTables": structure(ExclusiveStartTableName=_START_TABLE_NAME, Limit=Number(1, 100, "Integer")),
        "TagResource": structure("ResourceArn", "Tags", ResourceArn=_ARN, Tags=_TAGS),
        "UntagResource": structure("ResourceArn", "TagKeys", ResourceArn=_ARN, TagKeys=ListOf(Text())),
        "ListTagsOfResource": structure("ResourceArn", ResourceArn=_ARN, NextToken=Text()),
        "PutResourcePolicy": structure(
            "ResourceArn", "Policy", Policy=Text(), ConfirmRemoveSelfResourceAccess=Flag(), **_REVISED
        ),
        "GetResourcePolicy": structure("ResourceArn", ResourceArn=_ARN),
        "DeleteResourcePolicy": structure("ResourceArn", **_REVISED),
        "DescribeTimeToLive": structure("TableName", TableName=_DESCRIBED_TABLE_NAME),
        "UpdateTimeToLive": structure(
            "TableName", "TimeToLiveSpecification", TableName=_DESCRIBED_TABLE_NAME, TimeToLiveSpecification=_EXPIRY
        ),
        "ListStreams": structure(
            TableName=_NEW_TABLE_NAME, Limit=Number(1, 100, "Integer"), ExclusiveStartStreamArn=_STREAM_ARN
        ),
        "DescribeStream": structure(
            "StreamArn",
            StreamArn=_STREAM_ARN,
            Limit=Number(1, 100, "Integer"),
            ExclusiveStartShardId=_SHARD_ID,
            ShardFilter=structure(Type=Choice(("CHILD_SHARDS",)), ShardId=_SHARD_ID),
        ),
        "GetShardIterator": structure(
            "StreamArn",
            "ShardId",
            "ShardIteratorType",
            StreamArn=_STREAM_ARN,
            ShardId=_SHARD_ID,
            ShardIteratorType=_ITERATOR_TYPE,
            SequenceNumber=Text(21, 40),
            Timestamp=Moment(),
        ),
        "GetRecords": structure("ShardIterator", ShardIterator=Text(1, 2048), Limit=Number(1, 1000, "Integer")),
        "DescribeLimits": structure(),
        "DescribeEndpoints": structure(),
    }
)
"""The modelled operations' requests that are not about items."""
