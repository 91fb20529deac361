"""The shapes of requests, as tables: members, each with its constraints.

The tables may stand in any order: ``structure`` brings members into the one in which the service tells their faults.

Source: Documented — botocore service model 2012-08-10 (members, lengths, ranges, enums), read 2026-11-30; Observed —
public conformance suites, 2026 (the order of enum values), and a public lab's notes of 2026-10-09 (lengths and patterns
of names, key schemas of two elements).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from pytest_ddbthrottle._engine.member_shapes import (
    Choice,
    Flag,
    ListOf,
    MapOf,
    Moment,
    NameOrArn,
    NotModelled,
    Number,
    Shape,
    Structure,
    Text,
    Value,
    structure,
)

NAME_PATTERN = "[a-zA-Z0-9_.-]+"
_TABLE_NAME = NameOrArn(Text(1, 255, NAME_PATTERN, one_fault=True))
_DESCRIBED_TABLE_NAME = NameOrArn(Text(3, 255, NAME_PATTERN))
_NEW_TABLE_NAME = Text(3, 255, NAME_PATTERN)
_START_TABLE_NAME = Text(3, 255, NAME_PATTERN, kind_first=True)
"""Source: Observed — us-west-2, 2026-10-09, a public lab's notes."""
_INDEX_NAME = Text(3, 255, NAME_PATTERN)
_ITEM = MapOf(Value())
_EXPRESSION = Text()
_NAMES = MapOf(Text(0, 65_535))
_CAPACITY = Choice(("INDEXES", "TOTAL", "NONE"))
_METRICS = Choice(("SIZE", "NONE"))
_RETURN_VALUES = Choice(("ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"))
_ON_FAILURE = Choice(("ALL_OLD", "NONE"))
_COMPARISON = Choice(
    (
        "IN",
        "NULL",
        "BETWEEN",
        "LT",
        "NOT_CONTAINS",
        "EQ",
        "GT",
        "NOT_NULL",
        "NE",
        "LE",
        "BEGINS_WITH",
        "GE",
        "CONTAINS",
    )
)
_LEGACY_CONDITION = structure("ComparisonOperator", AttributeValueList=ListOf(Value()), ComparisonOperator=_COMPARISON)
_EXPECTED = MapOf(
    structure(Value=Value(), Exists=Flag(), ComparisonOperator=_COMPARISON, AttributeValueList=ListOf(Value()))
)
_LOGICAL = Choice(("OR", "AND"))
_ATTRIBUTES_TO_GET = ListOf(Text(0, 65_535), 1, 255)

_CONDITIONAL: dict[str, Shape] = {
    "ConditionExpression": _EXPRESSION,
    "ExpressionAttributeNames": _NAMES,
    "ExpressionAttributeValues": _ITEM,
    "ReturnValuesOnConditionCheckFailure": _ON_FAILURE,
}
_SINGLE_WRITE: dict[str, Shape] = {
    "ReturnConsumedCapacity": _CAPACITY,
    "ReturnItemCollectionMetrics": _METRICS,
    "ReturnValues": _RETURN_VALUES,
    "Expected": _EXPECTED,
    "ConditionalOperator": _LOGICAL,
    **_CONDITIONAL,
}
_PAGE: dict[str, Shape] = {
    "TableName": _TABLE_NAME,
    "IndexName": _INDEX_NAME,
    "Select": Choice(("SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES")),
    "AttributesToGet": _ATTRIBUTES_TO_GET,
    "Limit": Number(1, type_name="Integer"),
    "ConsistentRead": Flag(),
    "ConditionalOperator": _LOGICAL,
    "ExclusiveStartKey": _ITEM,
    "ReturnConsumedCapacity": _CAPACITY,
    "ProjectionExpression": _EXPRESSION,
    "FilterExpression": _EXPRESSION,
    "ExpressionAttributeNames": _NAMES,
    "ExpressionAttributeValues": _ITEM,
}

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
_LOCAL_INDEX = structure(*_INDEX_REQUIRED, IndexName=_INDEX_NAME, KeySchema=_KEY_SCHEMA, Projection=_PROJECTION)
_GLOBAL_INDEX = structure(
    *_INDEX_REQUIRED,
    IndexName=_INDEX_NAME,
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
    IndexName=_INDEX_NAME,
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

_GET: dict[str, Shape] = {
    "TableName": _TABLE_NAME,
    "Key": _ITEM,
    "ProjectionExpression": _EXPRESSION,
    "ExpressionAttributeNames": _NAMES,
}
_STATEMENT: dict[str, Shape] = {
    "Statement": Text(1, 8192),
    "Parameters": ListOf(Value(), 1),
    "ReturnValuesOnConditionCheckFailure": _ON_FAILURE,
}
_TRANSACT_WRITE = structure(
    ConditionCheck=structure(
        "TableName", "Key", "ConditionExpression", TableName=_TABLE_NAME, Key=_ITEM, **_CONDITIONAL
    ),
    Put=structure("TableName", "Item", TableName=_TABLE_NAME, Item=_ITEM, **_CONDITIONAL),
    Delete=structure("TableName", "Key", TableName=_TABLE_NAME, Key=_ITEM, **_CONDITIONAL),
    Update=structure(
        "TableName",
        "Key",
        "UpdateExpression",
        TableName=_TABLE_NAME,
        Key=_ITEM,
        UpdateExpression=_EXPRESSION,
        **_CONDITIONAL,
    ),
)

SHAPES: Mapping[str, Structure] = MappingProxyType(
    {
        "PutItem": structure("TableName", "Item", TableName=_TABLE_NAME, Item=_ITEM, **_SINGLE_WRITE),
        "DeleteItem": structure("TableName", "Key", TableName=_TABLE_NAME, Key=_ITEM, **_SINGLE_WRITE),
        "UpdateItem": structure(
            "TableName",
            "Key",
            TableName=_TABLE_NAME,
            Key=_ITEM,
            UpdateExpression=_EXPRESSION,
            AttributeUpdates=MapOf(structure(Value=Value(), Action=Choice(("ADD", "DELETE", "PUT")))),
            **_SINGLE_WRITE,
        ),
        "GetItem": structure(
            "TableName",
            "Key",
            **_GET,
            AttributesToGet=_ATTRIBUTES_TO_GET,
            ConsistentRead=Flag(),
            ReturnConsumedCapacity=_CAPACITY,
        ),
        "Query": structure(
            "TableName",
            **_PAGE,
            ScanIndexForward=Flag(),
            KeyConditionExpression=_EXPRESSION,
            KeyConditions=MapOf(_LEGACY_CONDITION),
            QueryFilter=MapOf(_LEGACY_CONDITION),
        ),
        "Scan": structure(
            "TableName",
            **_PAGE,
            Segment=Number(0, 999_999, "Integer"),
            TotalSegments=Number(1, 1_000_000, "Integer"),
            ScanFilter=MapOf(_LEGACY_CONDITION),
        ),
        "SearchVectors": replace(
            structure(
                "TableName",
                "IndexName",
                "SearchVector",
                "TopK",
                TableName=_TABLE_NAME,
                IndexName=_INDEX_NAME,
                SearchVector=ListOf(Value(), 1, 4096),
                TopK=Number(1, type_name="Integer"),
                SearchConditionExpression=_EXPRESSION,
                ProjectionExpression=_EXPRESSION,
                ExpressionAttributeNames=_NAMES,
                ExpressionAttributeValues=_ITEM,
                ReturnConsumedCapacity=_CAPACITY,
            ),
            shows_values=False,
        ),
        "BatchGetItem": structure(
            "RequestItems",
            RequestItems=MapOf(
                structure(
                    "Keys",
                    Keys=ListOf(_ITEM, 1),
                    AttributesToGet=_ATTRIBUTES_TO_GET,
                    ConsistentRead=Flag(),
                    ProjectionExpression=_EXPRESSION,
                    ExpressionAttributeNames=_NAMES,
                ),
                1,
                100,
                _TABLE_NAME,
            ),
            ReturnConsumedCapacity=_CAPACITY,
        ),
        "BatchWriteItem": structure(
            "RequestItems",
            RequestItems=MapOf(
                ListOf(
                    structure(PutRequest=structure("Item", Item=_ITEM), DeleteRequest=structure("Key", Key=_ITEM)),
                    1,
                ),
                1,
                25,
                _TABLE_NAME,
            ),
            ReturnConsumedCapacity=_CAPACITY,
            ReturnItemCollectionMetrics=_METRICS,
        ),
        "TransactGetItems": structure(
            "TransactItems",
            TransactItems=ListOf(structure("Get", Get=structure("TableName", "Key", **_GET)), 1, 100),
            ReturnConsumedCapacity=_CAPACITY,
        ),
        "TransactWriteItems": structure(
            "TransactItems",
            TransactItems=ListOf(_TRANSACT_WRITE, 1, 100),
            ReturnConsumedCapacity=_CAPACITY,
            ReturnItemCollectionMetrics=_METRICS,
            ClientRequestToken=Text(1, 36),
        ),
        "ExecuteStatement": structure(
            "Statement",
            **_STATEMENT,
            ConsistentRead=Flag(),
            NextToken=Text(1, 32_768),
            ReturnConsumedCapacity=_CAPACITY,
            Limit=Number(1, type_name="Integer"),
        ),
        "BatchExecuteStatement": structure(
            "Statements",
            Statements=ListOf(structure("Statement", **_STATEMENT, ConsistentRead=Flag()), 1, 25),
            ReturnConsumedCapacity=_CAPACITY,
        ),
        "ExecuteTransaction": structure(
            "TransactStatements",
            TransactStatements=ListOf(structure("Statement", **_STATEMENT), 1, 100),
            ClientRequestToken=Text(1, 36),
            ReturnConsumedCapacity=_CAPACITY,
        ),
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
                        IndexName=_INDEX_NAME,
                        ProvisionedThroughput=_INDEX_UNITS,
                        OnDemandThroughput=_CAPS,
                        WarmThroughput=_WARM,
                    ),
                    Create=_GLOBAL_INDEX,
                    Delete=structure("IndexName", IndexName=_INDEX_NAME),
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
                structure(Create=_VECTOR_INDEX, Delete=structure("IndexName", IndexName=_INDEX_NAME))
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
"""The modelled operations' requests."""
