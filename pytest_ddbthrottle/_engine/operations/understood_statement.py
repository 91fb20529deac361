"""What the three operations of PartiQL share: a statement that was read, with its condition and update bound.

All that is wrong with a statement alone is said here, before its table is looked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_ddbthrottle._engine.attribute_value import AttributeValue, Item, normalized, normalized_item
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.condition import Condition
from pytest_ddbthrottle._engine.expressions.nodes import Path
from pytest_ddbthrottle._engine.expressions.paths import find
from pytest_ddbthrottle._engine.expressions.update import Update as BoundUpdate
from pytest_ddbthrottle._engine.operations.context import Request
from pytest_ddbthrottle._engine.operations.write_action import Bind, WriteAction, keyed_write, put_of, updating_write
from pytest_ddbthrottle._engine.partiql.bound import Literals, condition_of, update_of
from pytest_ddbthrottle._engine.partiql.key_reads import key_of_where
from pytest_ddbthrottle._engine.partiql.parser import parse
from pytest_ddbthrottle._engine.partiql.statements import (
    Delete,
    Exists,
    Insert,
    Returning,
    Select,
    Statement,
    Update,
    leaf_name,
)
from pytest_ddbthrottle._engine.tables import Table

INDEX_NOT_SUPPORTED = "This operation is not supported on an index"
DELETE_RETURNING = "Invalid returning clause: RETURNING {}. Only RETURNING ALL OLD * is allowed in DELETE statements."
EXISTS_ALONE = "EXISTS can only be used in ExecuteTransaction write requests."
"""Source: Observed — eu-west-2, 2026-08 to 2026-10, public suites run against the service."""


@dataclass(frozen=True, slots=True)
class Understood:
    """One statement.

    Attributes:
        statement: what it asks for.
        literals: the values that it speaks of.
        condition: its WHERE clause, bound.
        update: its SET and REMOVE clauses, bound.
    """

    statement: Statement
    literals: Literals
    condition: Condition | None
    update: BoundUpdate | None

    @property
    def reads(self) -> bool:
        """Whether it only reads; EXISTS is a part of writes."""
        return isinstance(self.statement, Select)


def read_parameters(request: Request) -> list[AttributeValue]:
    """Give a statement's parameters, normalised.

    Raises:
        ValidationException: one is not valid, which is told before the statement is read.

    Source: Observed — eu-west-2, 2026-09, a public implementation's capture.
    """
    return [normalized(value) for value in request.get("Parameters", ())]


def understand(text: str, parameters: Sequence[AttributeValue]) -> Understood:
    """Read a statement, and bind what can be bound without its table.

    Raises:
        ValidationException: the service's text for the first fault.
    """
    parsed = parse(text, parameters)
    statement, literals = parsed.statement, parsed.literals
    condition = None if statement.where is None else condition_of(statement.where, literals)
    update = update_of(statement.actions, literals) if isinstance(statement, Update) else None
    if not isinstance(statement, (Select, Exists)) and statement.target.index is not None:
        raise ValidationException(INDEX_NOT_SUPPORTED)
    if isinstance(statement, Delete) and statement.returning not in (None, Returning(all=True, old=True)):
        raise ValidationException(DELETE_RETURNING.format(statement.returning))
    return Understood(statement, literals, condition, update)


def write_of(understood: Understood) -> Bind:
    """Give the write that a statement is: a Put, Update or Delete under a condition, or a condition check.

    UPDATE needs an item, INSERT needs that there is none, and a DELETE of nothing succeeds whatever its condition.

    Raises:
        ValidationException: the item of an INSERT is too large, or has an attribute without a name.

    Source: Documented — Developer Guide, "PartiQL update statements", "… delete statements", "… insert statements", read
    2026-12-07; Observed — eu-west-2, 2026-10, a public conformance suite.
    """
    statement = understood.statement
    if isinstance(statement, Insert):
        item = normalized_item(statement.item)
        return put_of(item, Condition(lambda found: not found, frozenset()), inserts=True)
    return lambda table: _keyed(understood, table)


def _keyed(understood: Understood, table: Table) -> WriteAction:
    statement, clause = understood.statement, understood.condition
    names = [attribute.name for attribute in table.key_schema]
    key, says_more = key_of_where(statement.where, names, understood.literals)
    assert clause is not None, "a clause that names the key was bound"
    if isinstance(statement, Update):
        exists = Condition(lambda item: bool(item) and clause.matches(item), clause.attribute_names)
        return updating_write(table, key, exists, understood.update, flat_gate=True)
    if isinstance(statement, Exists):
        return keyed_write(table, key, clause, stores=False)
    unless_absent = Condition(lambda item: not item or clause.matches(item), clause.attribute_names)
    return keyed_write(table, key, unless_absent if says_more else None)


def key_of_select(understood: Understood, table: Table, fault: str) -> Item:
    """Give the key of the one item that a SELECT of a batch or a transaction must name, and nothing besides.

    Args:
        understood: a SELECT.
        table: its table.
        fault: the text for one that names something else.

    Raises:
        ValidationException: it does.
    """
    statement = understood.statement
    assert isinstance(statement, Select), statement
    names = [attribute.name for attribute in table.key_schema]
    try:
        key, says_more = key_of_where(statement.where, names, understood.literals)
    except ValidationException:
        raise ValidationException(fault) from None
    if says_more:
        raise ValidationException(fault)
    return key


def selected(item: Item, paths: Sequence[Path] | None) -> Item:
    """Give what a SELECT shows of an item; what is not there is left out."""
    if paths is None:
        return item
    found = ((leaf_name(path.steps), find(item, path.steps)) for path in paths)
    return {name: value for name, value in found if value is not None}
