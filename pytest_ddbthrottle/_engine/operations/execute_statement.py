"""ExecuteStatement."""

from __future__ import annotations

from pytest_ddbthrottle._engine.attribute_value import Item
from pytest_ddbthrottle._engine.capacity import consumed_capacity
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.lookup import find_table
from pytest_ddbthrottle._engine.operations.select_statement import select_page
from pytest_ddbthrottle._engine.operations.understood_statement import (
    EXISTS_ALONE,
    Understood,
    read_parameters,
    understand,
    write_of,
)
from pytest_ddbthrottle._engine.operations.write_action import WriteAction, WriteAttempt
from pytest_ddbthrottle._engine.partiql.statements import Delete, Exists, Update


def execute_statement(context: Context, request: Request) -> Reply:
    """Carry out one statement of PartiQL.

    Args:
        context: the account.
        request: ``ExecuteStatementInput``.

    Returns:
        ``ExecuteStatementOutput``.

    Raises:
        ConditionalCheckFailedException, DuplicateItemException, ResourceNotFoundException, ValidationException, Throttled
    """
    understood = understand(request["Statement"], read_parameters(request))
    if isinstance(understood.statement, Exists):
        raise ValidationException(EXISTS_ALONE)
    if understood.reads:
        return select_page(context, request, understood)
    return _write(context, request, understood)


def _write(context: Context, request: Request, understood: Understood) -> Reply:
    bind = write_of(understood)
    table_name = understood.statement.target.table
    action = bind(find_table(context, table_name))
    attempt = action.attempt()
    consumptions = attempt.consumptions()
    context.admit(consumptions)
    if not attempt.condition_holds:
        raise attempt.condition_failure(request)
    attempt.commit(context.now_ns)
    item = returned_item(understood, action, attempt)
    reply: Reply = {"Items": [item] if item else []}
    if consumed := consumed_capacity(table_name, consumptions, request.get("ReturnConsumedCapacity")):
        reply["ConsumedCapacity"] = consumed
    return reply


def returned_item(understood: Understood, action: WriteAction, attempt: WriteAttempt) -> Item | None:
    """Give what a write's RETURNING clause shows, or None where it has none or there is nothing to show."""
    statement = understood.statement
    returning = statement.returning if isinstance(statement, (Update, Delete)) else None
    if returning is None:
        return None
    image = (attempt.old if returning.old else attempt.new) or {}
    if returning.all or action.update is None:
        return image or None
    return action.update.updated_values(image) or None
