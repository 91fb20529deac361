"""The operations that DynamoDB has and this fake does not model yet: each answers with an error that says so.

Source: Documented — botocore service models dynamodb 2012-08-10 and dynamodbstreams 2012-08-10, read 2026-11-30.
"""

from __future__ import annotations

from pytest_ddbthrottle._engine.errors import UnknownOperationException

UNMODELLED_OPERATIONS = frozenset(
    {
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
        "DescribeTableReplicaAutoScaling",
        "DisableKinesisStreamingDestination",
        "EnableKinesisStreamingDestination",
        "ExportTableToPointInTime",
        "ImportTable",
        "ListBackups",
        "ListBulkOperations",
        "ListContributorInsights",
        "ListExports",
        "ListGlobalTables",
        "ListImports",
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


def unknown_operation(operation_name: str) -> UnknownOperationException:
    """Give the answer to an operation that does not exist, or that this fake does not model."""
    if operation_name in UNMODELLED_OPERATIONS:
        return UnknownOperationException(
            f"{operation_name} is not modelled by pytest-ddbthrottle yet; see docs/unsupported.md"
        )
    return UnknownOperationException(f"{operation_name}: DynamoDB has no such operation")
