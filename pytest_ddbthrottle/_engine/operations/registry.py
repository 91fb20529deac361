"""``OPERATIONS`` is what makes an operation exist: API name to function.

``directions`` says what an operation consumes: an exhausted account bucket of that direction refuses it at the door.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pytest_ddbthrottle._engine.capacity import OperationType
from pytest_ddbthrottle._engine.operations.batch_execute_statement import batch_execute_statement
from pytest_ddbthrottle._engine.operations.batch_get_item import batch_get_item
from pytest_ddbthrottle._engine.operations.batch_write_item import batch_write_item
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.create_table import create_table
from pytest_ddbthrottle._engine.operations.delete_item import delete_item
from pytest_ddbthrottle._engine.operations.delete_resource_policy import delete_resource_policy
from pytest_ddbthrottle._engine.operations.delete_table import delete_table
from pytest_ddbthrottle._engine.operations.describe_endpoints import describe_endpoints
from pytest_ddbthrottle._engine.operations.describe_limits import describe_limits
from pytest_ddbthrottle._engine.operations.describe_stream import describe_stream
from pytest_ddbthrottle._engine.operations.describe_table import describe_table
from pytest_ddbthrottle._engine.operations.describe_time_to_live import describe_time_to_live
from pytest_ddbthrottle._engine.operations.execute_statement import execute_statement
from pytest_ddbthrottle._engine.operations.execute_transaction import execute_transaction
from pytest_ddbthrottle._engine.operations.get_item import get_item
from pytest_ddbthrottle._engine.operations.get_records import get_records
from pytest_ddbthrottle._engine.operations.get_resource_policy import get_resource_policy
from pytest_ddbthrottle._engine.operations.get_shard_iterator import get_shard_iterator
from pytest_ddbthrottle._engine.operations.list_streams import list_streams
from pytest_ddbthrottle._engine.operations.list_tables import list_tables
from pytest_ddbthrottle._engine.operations.list_tags_of_resource import list_tags_of_resource
from pytest_ddbthrottle._engine.operations.put_item import put_item
from pytest_ddbthrottle._engine.operations.put_resource_policy import put_resource_policy
from pytest_ddbthrottle._engine.operations.query import query
from pytest_ddbthrottle._engine.operations.scan import scan
from pytest_ddbthrottle._engine.operations.search_vectors import search_vectors
from pytest_ddbthrottle._engine.operations.tag_resource import tag_resource
from pytest_ddbthrottle._engine.operations.transact_get_items import transact_get_items
from pytest_ddbthrottle._engine.operations.transact_write_items import transact_write_items
from pytest_ddbthrottle._engine.operations.untag_resource import untag_resource
from pytest_ddbthrottle._engine.operations.update_item import update_item
from pytest_ddbthrottle._engine.operations.update_table import update_table
from pytest_ddbthrottle._engine.operations.update_time_to_live import update_time_to_live
from pytest_ddbthrottle._engine.request_names import statement_targets
from pytest_ddbthrottle._engine.worded_faults import ONE_ERROR, in_current_wording

READ, WRITE = (OperationType.READ,), (OperationType.WRITE,)


@dataclass(frozen=True, slots=True)
class Operation:
    """One modelled operation: its function, and the directions in which it consumes (none: the control plane).

    ``by_statement`` says that the request's statements tell the direction.
    """

    run: Callable[[Context, Request], Reply]
    directions: tuple[OperationType, ...] = ()
    by_statement: bool = False

    def directions_of(self, request: Request) -> tuple[OperationType, ...]:
        """Give the directions in which a request would consume; it need not be valid."""
        if not self.by_statement:
            return self.directions
        reads = {target.reads for target in statement_targets(request)}
        return tuple(direction for direction, reading in ((*READ, True), (*WRITE, False)) if reading in reads)


STREAM_OPERATIONS = frozenset({"DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"})
"""Those of DynamoDB Streams, which have a target of their own."""

STREAM_READS = frozenset({"GetRecords", "GetShardIterator"})
"""Those of them that scripted faults hit, as they hit the data plane."""

OPERATIONS: Mapping[str, Operation] = {
    "BatchExecuteStatement": Operation(batch_execute_statement, by_statement=True),
    "BatchGetItem": Operation(in_current_wording(batch_get_item), READ),
    "BatchWriteItem": Operation(batch_write_item, WRITE),
    "CreateTable": Operation(create_table),
    "DeleteItem": Operation(in_current_wording(delete_item, ONE_ERROR), WRITE),
    "DeleteResourcePolicy": Operation(delete_resource_policy),
    "DeleteTable": Operation(delete_table),
    "DescribeEndpoints": Operation(describe_endpoints),
    "DescribeLimits": Operation(describe_limits),
    "DescribeStream": Operation(describe_stream),
    "DescribeTable": Operation(describe_table),
    "ExecuteStatement": Operation(execute_statement, by_statement=True),
    "ExecuteTransaction": Operation(execute_transaction, by_statement=True),
    "DescribeTimeToLive": Operation(describe_time_to_live),
    "GetItem": Operation(in_current_wording(get_item), READ),
    "GetRecords": Operation(get_records),
    "GetResourcePolicy": Operation(get_resource_policy),
    "GetShardIterator": Operation(get_shard_iterator),
    "ListStreams": Operation(list_streams),
    "ListTables": Operation(list_tables),
    "ListTagsOfResource": Operation(list_tags_of_resource),
    "PutItem": Operation(in_current_wording(put_item, ONE_ERROR), WRITE),
    "PutResourcePolicy": Operation(put_resource_policy),
    "Query": Operation(in_current_wording(query), READ),
    "Scan": Operation(scan, READ),
    "SearchVectors": Operation(search_vectors, READ),
    "TagResource": Operation(tag_resource),
    "TransactGetItems": Operation(transact_get_items, READ),
    "TransactWriteItems": Operation(transact_write_items, WRITE),
    "UntagResource": Operation(untag_resource),
    "UpdateItem": Operation(in_current_wording(update_item, ONE_ERROR), WRITE),
    "UpdateTable": Operation(update_table),
    "UpdateTimeToLive": Operation(update_time_to_live),
}
