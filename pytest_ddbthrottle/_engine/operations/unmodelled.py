"""The operations that DynamoDB has and this fake does not model yet: each answers with an error that says so.

Source: Documented — botocore service models dynamodb 2012-08-10 and dynamodbstreams 2012-08-10, read 2026-11-30.
"""

from __future__ import annotations

UNMODELLED_OPERATIONS = frozenset(
    {
        "BatchExecuteStatement",
        "CancelBulkOperation",
        "CreateBackup",
        "CreateGlobalTable",
        "DeleteBackup",
        "DescribeBackup",
        "DescribeBulkOperation",
        "DescribeContinuousBackups",
        "DescribeContributorInsights",
        "DescribeExport",
        "DescribeGlobalTable",
        "DescribeGlobalTableSettings",
        "DescribeImport",
        "DescribeKinesisStreamingDestination",
        "DescribeStream",
        "DescribeTableReplicaAutoScaling",
        "DisableKinesisStreamingDestination",
        "EnableKinesisStreamingDestination",
        "ExecuteStatement",
        "ExecuteTransaction",
        "ExportTableToPointInTime",
        "GetRecords",
        "GetShardIterator",
        "ImportTable",
        "ListBackups",
        "ListBulkOperations",
        "ListContributorInsights",
        "ListExports",
        "ListGlobalTables",
        "ListImports",
        "ListStreams",
        "RestoreTableFromBackup",
        "RestoreTableToPointInTime",
        "StartBulkPutItems",
        "UpdateContinuousBackups",
        "UpdateContributorInsights",
        "UpdateGlobalTable",
        "UpdateGlobalTableSettings",
        "UpdateKinesisStreamingDestination",
        "UpdateTableReplicaAutoScaling",
    }
)
