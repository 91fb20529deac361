"""BatchExecuteStatement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_ddbthrottle._engine.attribute_value import Item
from pytest_ddbthrottle._engine.capacity import NANO_UNITS_PER_UNIT, Consumption, consumed_capacity
from pytest_ddbthrottle._engine.errors import SerializationException, ServiceError, Throttled, ValidationException
from pytest_ddbthrottle._engine.keys import Key
from pytest_ddbthrottle._engine.operations.batch_admission import DUPLICATE_KEYS
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.execute_statement import returned_item
from pytest_ddbthrottle._engine.operations.keyed_read import KeyedRead, keyed_read, read_consistency
from pytest_ddbthrottle._engine.operations.lookup import find_table
from pytest_ddbthrottle._engine.operations.transaction import short_code
from pytest_ddbthrottle._engine.operations.understood_statement import (
    EXISTS_ALONE,
    Understood,
    key_of_select,
    read_parameters,
    selected,
    understand,
    write_of,
)
from pytest_ddbthrottle._engine.operations.write_action import WriteAction
from pytest_ddbthrottle._engine.partiql.statements import Exists, Select

MIXED = "Read and write requests together in the same batch is not supported."
NO_WHOLE_KEY = "Select statements within BatchExecuteStatement must specify the primary key in the where clause."
"""Source: Observed — eu-west-2, 2026-08 to 2026-10, public suites run against the service."""


@dataclass(frozen=True, slots=True)
class _Member:
    """One statement of the batch, bound to its table; or the error that it has by itself."""

    request: Request
    understood: Understood | None = None
    bound: KeyedRead | WriteAction | None = None
    error: ServiceError | None = None

    @property
    def target(self) -> tuple[str, Key] | None:
        """The item that it names."""
        return None if self.bound is None else (self.bound.table.name, self.bound.key)


@dataclass(frozen=True, slots=True)
class _Done:
    """What became of one statement: a response, and what it was charged, if it got so far."""

    response: Mapping[str, Any]
    table_name: str | None = None
    consumptions: Sequence[Consumption] = ()
    failed: bool = False


def batch_execute_statement(context: Context, request: Request) -> Reply:
    """Carry out up to 25 statements, all reads of one item each or all writes; each by itself.

    Args:
        context: the account.
        request: ``BatchExecuteStatementInput``.

    Returns:
        ``BatchExecuteStatementOutput``; what is wrong with one statement, want of capacity too, is told in its place.

    Raises:
        ValidationException: reads and writes are mixed, or an item is named twice.
    """
    members = [_member(context, member) for member in request["Statements"]]
    if len({member.understood.reads for member in members if member.understood is not None}) > 1:
        raise ValidationException(MIXED)
    targets = [member.target for member in members if member.target is not None]
    if len(set(targets)) < len(targets):
        raise ValidationException(DUPLICATE_KEYS)
    done = [_carried_out(context, member) for member in members]
    reply: Reply = {"Responses": [each.response for each in done]}
    if consumed := _consumed(done, request.get("ReturnConsumedCapacity")):
        reply["ConsumedCapacity"] = consumed
    return reply


def _member(context: Context, request: Request) -> _Member:
    """Understand one statement, and bind it."""
    understood = None
    try:
        understood = understand(request["Statement"], read_parameters(request))
        if isinstance(understood.statement, Exists):
            raise ValidationException(EXISTS_ALONE)
        return _Member(request, understood, _bound(context, understood))
    except SerializationException:
        # Not one statement is wrong, but the body.
        raise
    except ServiceError as error:
        return _Member(request, understood, error=error)


def _bound(context: Context, understood: Understood) -> KeyedRead | WriteAction:
    statement = understood.statement
    if not isinstance(statement, Select):
        bind = write_of(understood)
        return bind(find_table(context, statement.target.table))
    table = find_table(context, statement.target.table)
    if statement.target.index is not None:
        raise ValidationException(NO_WHOLE_KEY)
    return keyed_read(table, key_of_select(understood, table, NO_WHOLE_KEY), None)


def _carried_out(context: Context, member: _Member) -> _Done:
    """Carry out one statement; of one that never reached its table, the response names none.

    Source: Observed — eu-west-2, 2026-08, a public conformance suite; of a throttled one, a public report of 2023.
    """
    if member.understood is None or member.bound is None:
        assert member.error is not None
        return _Done({"Error": _error(member.error)})
    table_name = member.understood.statement.target.table
    try:
        if isinstance(member.bound, KeyedRead):
            return _read(context, member.understood, member.request, member.bound)
        return _write(context, member.understood, member.bound)
    except Throttled as throttled:
        # Code and text are those of the operation alone, as a raw body of 2023 has them, and no transaction's.
        return _Done({"Error": _error(throttled.error), "TableName": table_name})
    except ServiceError as error:
        return _Done({"Error": _error(error)})


def _error(error: ServiceError) -> dict[str, Any]:
    return {"Code": short_code(error), "Message": error.message}


def _read(context: Context, understood: Understood, request: Request, read: KeyedRead) -> _Done:
    statement = understood.statement
    assert isinstance(statement, Select)
    consumption = read.consumption(read_consistency(request))
    context.admit([consumption])
    item = read.item()
    shown = None if item is None else selected(item, statement.paths)
    return _Done(_response(statement.target.table, shown), statement.target.table, [consumption])


def _write(context: Context, understood: Understood, action: WriteAction) -> _Done:
    table_name = understood.statement.target.table
    attempt = action.attempt()
    consumptions = attempt.consumptions()
    context.admit(consumptions)
    if not attempt.condition_holds:
        # ReturnValuesOnConditionCheckFailure changes nothing here, as the same suite found.
        error = _error(attempt.condition_failure({}))
        return _Done({"Error": error, "TableName": table_name}, table_name, consumptions, failed=True)
    attempt.commit(context.now_ns)
    return _Done(_response(table_name, returned_item(understood, action, attempt)), table_name, consumptions)


def _response(table_name: str, item: Item | None) -> Mapping[str, Any]:
    return {"TableName": table_name, **({} if item is None else {"Item": item})}


def _consumed(done: Sequence[_Done], detail: str | None) -> list[dict[str, Any]]:
    """Give the elements of ``ConsumedCapacity``: a failed statement adds to its table's total and to no arm.

    A table of which every statement failed has no element.

    Source: Observed — eu-west-2, 2026-08, a public implementation's measurements.
    """
    elements = []
    for name in dict.fromkeys(each.table_name for each in done if each.table_name is not None and not each.failed):
        parts = [part for each in done if each.table_name == name and not each.failed for part in each.consumptions]
        element = consumed_capacity(name, parts, detail)
        if element is not None:
            failed = [part for each in done if each.table_name == name and each.failed for part in each.consumptions]
            element["CapacityUnits"] += sum(part.nano_units for part in failed) / NANO_UNITS_PER_UNIT
            elements.append(element)
    return elements
