"""ExecuteTransaction."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pytest_ddbthrottle._engine.attribute_value import AttributeValue, Item
from pytest_ddbthrottle._engine.capacity import ReadConsistency
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.keyed_read import KeyedRead, keyed_read
from pytest_ddbthrottle._engine.operations.lookup import find_table
from pytest_ddbthrottle._engine.operations.transaction import (
    NO_REASON,
    admit,
    check_distinct,
    check_reasons,
    check_size,
    consumed_by_table,
    fault_reason,
    or_fault,
)
from pytest_ddbthrottle._engine.operations.understood_statement import (
    Understood,
    key_of_select,
    read_parameters,
    selected,
    understand,
    write_of,
)
from pytest_ddbthrottle._engine.operations.write_transaction import WriteStep, write_all
from pytest_ddbthrottle._engine.partiql.key_reads import key_of_where
from pytest_ddbthrottle._engine.partiql.statements import Delete, Exists, Select, Update
from pytest_ddbthrottle._engine.tables import Table

MIXED = "ExecuteTransaction API does not support both read and write operations in the same request."
NO_RETURNING = "RETURNING clause is not supported in ExecuteTransaction."
NO_INDEX = "Reads on indices are not supported within transactions."
NO_INDEX_CHECK = "Operations on indices are not supported in transactions"
NO_WHOLE_KEY = "Select statements within ExecuteTransaction must specify the primary key in the where clause."
NO_CONDITION = "EXISTS() must contain a single item read with additional condition"
"""Source: Observed — eu-west-2, 2026-08 to 2026-10, public suites run against the service."""


def execute_transaction(context: Context, request: Request) -> Reply:
    """Carry out up to 100 statements, all or none: reads of one item each, or writes and EXISTS checks.

    Args:
        context: the account.
        request: ``ExecuteTransactionInput``.

    Returns:
        ``ExecuteTransactionOutput``: a response for each statement, empty where there is no item to show.

    Raises:
        TransactionCanceledException, IdempotentParameterMismatchException, ResourceNotFoundException,
        ValidationException, Throttled

    Source: Assumed — the responses of writes: empty ones; no body is published.
    """
    members = request["TransactStatements"]
    parameters = [read_parameters(member) for member in members]
    understood = [_understood(place, member, parameters[place]) for place, member in enumerate(members)]
    if len({each.reads for each in understood}) > 1:
        raise ValidationException(MIXED)
    tables = [find_table(context, each.statement.target.table) for each in understood]
    if understood[0].reads:
        return _read_all(context, request, understood, tables)
    for place, (each, table) in enumerate(zip(understood, tables, strict=True)):
        _check_exists(place, each, table)
    steps = [_step(place, member, each) for place, (member, each) in enumerate(zip(members, understood, strict=True))]
    written = write_all(context, request, members, steps)
    reply: Reply = {"Responses": [{} for _ in members]}
    if written.consumed:
        reply["ConsumedCapacity"] = written.consumed
    return reply


def _failed(place: int, text: str) -> ValidationException:
    return ValidationException(f"Validation failed in TransactStatements[{place}]: {text}")


def _understood(place: int, request: Request, parameters: Sequence[AttributeValue]) -> Understood:
    """Understand one statement; what is wrong with it alone fails the transaction before anything is looked at."""
    try:
        understood = understand(request["Statement"], parameters)
    except ValidationException as error:
        raise _failed(place, error.message) from None
    statement = understood.statement
    if isinstance(statement, (Update, Delete)) and statement.returning is not None:
        raise _failed(place, NO_RETURNING)
    if isinstance(statement, (Select, Exists)) and statement.target.index is not None:
        raise _failed(place, NO_INDEX if isinstance(statement, Select) else NO_INDEX_CHECK)
    return understood


def _check_exists(place: int, understood: Understood, table: Table) -> None:
    """Check that an EXISTS names one item, and something of it besides."""
    statement = understood.statement
    if not isinstance(statement, Exists):
        return
    names = [attribute.name for attribute in table.key_schema]
    try:
        _, says_more = key_of_where(statement.where, names, understood.literals)
    except ValidationException:
        says_more = False
    if not says_more:
        raise _failed(place, NO_CONDITION)


def _step(place: int, member: Request, understood: Understood) -> WriteStep:
    request = {
        "TableName": understood.statement.target.table,
        "ReturnValuesOnConditionCheckFailure": member.get("ReturnValuesOnConditionCheckFailure"),
    }
    try:
        return WriteStep(request, write_of(understood))
    except ValidationException as error:
        raise _failed(place, error.message) from None


def _read_all(context: Context, request: Request, understood: Sequence[Understood], tables: Sequence[Table]) -> Reply:
    keys = [_key(place, each, table) for place, (each, table) in enumerate(zip(understood, tables, strict=True))]
    tried = [or_fault(partial(keyed_read, table, key, None)) for table, key in zip(tables, keys, strict=True)]
    check_reasons([fault_reason(read) if isinstance(read, ValidationException) else NO_REASON for read in tried])
    reads = [read for read in tried if isinstance(read, KeyedRead)]
    check_distinct([(read.table, read.key) for read in reads])
    check_size(read.found.size_bytes if read.found else 0 for read in reads)
    consumptions = [[read.consumption(ReadConsistency.TRANSACTIONAL)] for read in reads]
    admit(context, consumptions)
    reply: Reply = {"Responses": [_shown(each, read.item()) for each, read in zip(understood, reads, strict=True)]}
    names = [each.statement.target.table for each in understood]
    detail = request.get("ReturnConsumedCapacity")
    if consumed := consumed_by_table(names, consumptions, detail, "ReadCapacityUnits"):
        reply["ConsumedCapacity"] = consumed
    return reply


def _key(place: int, understood: Understood, table: Table) -> Item:
    try:
        return key_of_select(understood, table, NO_WHOLE_KEY)
    except ValidationException as error:
        raise _failed(place, error.message) from None


def _shown(understood: Understood, item: Item | None) -> Reply:
    statement = understood.statement
    assert isinstance(statement, Select)
    return {} if item is None else {"Item": selected(item, statement.paths)}
