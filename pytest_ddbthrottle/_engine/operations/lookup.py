"""From the names in a request to the table and index they mean."""

from __future__ import annotations

from pytest_ddbthrottle._engine.errors import ResourceNotFoundException, ValidationException
from pytest_ddbthrottle._engine.operations.context import Context
from pytest_ddbthrottle._engine.pending_change import Work
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table
from pytest_ddbthrottle._engine.vector_index import VectorIndex

DATA_PLANE_NOT_FOUND = "Requested resource not found"
"""Source: Observed — a public lab's notes of 2026-10-08, us-west-2."""


def bare_table_name(name_or_arn: str) -> str:
    """Give the name in ``TableName``, which may be an ARN.

    >>> bare_table_name("arn:aws:dynamodb:us-east-1:123456789012:table/orders")
    'orders'
    """
    return name_or_arn.rpartition(":table/")[2]


def find_table(context: Context, name_or_arn: str) -> Table:
    """Give the table that a data-plane request names.

    Raises:
        ResourceNotFoundException: there is none in this account and Region, or it is being created or deleted.

    Source: Documented — API Reference, GetItem, errors ("its status might not be ACTIVE"), read 2026-11-30.
    """
    table = context.tables.get(bare_table_name(name_or_arn))
    if table is None or not table.is_readable or (name_or_arn.startswith("arn:") and name_or_arn != table.arn):
        raise ResourceNotFoundException(DATA_PLANE_NOT_FOUND)
    return table


def find_index(table: Table, name: str) -> SecondaryIndex:
    """Give the index that a Query or Scan names.

    Raises:
        ValidationException: the table has none of that name, or it is still being filled, or being deleted.

    Source: Observed — public conformance suites, 2026 (no such index); Documented — Developer Guide, "Managing
    global secondary indexes" (backfilling), read 2026-11-30; Assumed — one being deleted is no longer there.
    """
    index = table.indexes.get(name)
    work = index.pending.work if index is not None and index.pending is not None else None
    if index is None or work is Work.DELETION:
        raise ValidationException(f"The table does not have the specified index: {name}")
    if work is Work.CREATION:
        raise ValidationException(f"Cannot read from backfilling global secondary index: {name}")
    return index


def find_vector_index(table: Table, name: str, now_ns: int) -> VectorIndex:
    """Give the vector index that a search names.

    Raises:
        ValidationException: the table has none of that name, or it is not yet there, being filled, or being deleted.

    Source: Observed — eu-west-2, 2026-08-11, a public conformance suite: a new index is not there at first, then it is being
    filled; Assumed — the first lasts as long as the allocation, and one being deleted is no longer there.
    """
    index = table.vector_indexes.get(name)
    pending = None if index is None else index.pending
    if index is not None and pending is None:
        return index
    if pending is not None and pending.is_backfilling(now_ns):
        raise ValidationException(f"Cannot search backfilling vector index: {name}")
    raise ValidationException(f"The table does not have the specified index: {name}")
