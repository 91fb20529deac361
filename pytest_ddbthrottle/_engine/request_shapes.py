"""The shapes of requests, as tables: members, each with its constraints; here those about items, with them all the others.

The tables may stand in any order: ``structure`` brings members into the one in which the service tells their faults.

Source: Documented — botocore service model 2012-08-10 (members, lengths, ranges, enums), read 2026-11-30; Observed —
public conformance suites, 2026 (the order of enum values), and a public lab's notes of 2026-10-09 (lengths and patterns
of names).
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
    NameOrArn,
    Number,
    Shape,
    Structure,
    Text,
    Value,
    structure,
)
from pytest_ddbthrottle._engine.table_shapes import INDEX_NAME, NAME_PATTERN, TABLE_SHAPES

_TABLE_NAME = NameOrArn(Text(1, 255, NAME_PATTERN, one_fault=True))
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
    "IndexName": INDEX_NAME,
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
                IndexName=INDEX_NAME,
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
        **TABLE_SHAPES,
    }
)
"""The modelled operations' requests."""
