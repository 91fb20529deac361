"""Statement text to a statement: SELECT, EXISTS, INSERT, UPDATE (also with FROM first) and DELETE.

Source: Documented — Developer Guide, "PartiQL reference for DynamoDB", read 2026-12-07 (the grammar); Observed — eu-west-2,
2026-09 and 2026-10, two public suites run against the service (texts).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pytest_ddbthrottle._engine.attribute_value import AttributeValue
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.nodes import Action, Path, Test
from pytest_ddbthrottle._engine.limits import MAX_NESTING_LEVELS
from pytest_ddbthrottle._engine.partiql.bound import Literals
from pytest_ddbthrottle._engine.partiql.reader import Reader, at, malformed
from pytest_ddbthrottle._engine.partiql.statements import (
    Delete,
    Exists,
    Insert,
    Ordering,
    Returning,
    Select,
    Statement,
    Target,
    Update,
    leaf_name,
)
from pytest_ddbthrottle._engine.partiql.terms import Terms, read_path
from pytest_ddbthrottle._engine.partiql.tokens import TokenKind
from pytest_ddbthrottle._engine.partiql.values import ROOT, begins_value, read_members

NO_DATA_MANIPULATION = "Expected data manipulation"
LEFTOVER = "Unexpected token after expression"
ALIASING = "Aliasing is not supported"
EMPTY_NAME = "Path component cannot be an empty string"
LONG_PATH = "A path may contain at most 2 components in the FROM clause"
ONE_TABLE_TO_WRITE = "FROM clause may only contain a single table name in data manipulation statements"
ONE_TABLE_TO_READ = "Only select from a single table or index is supported."
STAR_AND_OTHERS = "Other attributes should not be present in the projection when '*' is used."
NO_ITEM = (
    "Unsupported format in item expression. Please use struct format {...} to express item values for insert statement."
)
MANY_ITEMS = (
    "Unsupported operation: Inserting multiple items in a single statement is not supported, use "
    '"INSERT INTO tableName VALUE item" instead'
)
NO_VALUE_OR_PIVOT = "Select projection doesn't support value or pivot keywords"
RETURNING_FORM = "Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause"
RETURNING_INSERT = "RETURNING is not supported in INSERT"
CONFLICT_NOT_MODELLED = "ON CONFLICT is not modelled by pytest-ddbthrottle yet; see docs/unsupported.md"
UNSUPPORTED_CLAUSES = ("LIMIT", "OFFSET", "GROUP", "HAVING", "LET", "UNION", "INTERSECT", "EXCEPT", "JOIN")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A statement, and the values that its nodes speak of."""

    statement: Statement
    literals: Literals


def parse(text: str, parameters: Sequence[AttributeValue]) -> Parsed:
    """Read a statement.

    Args:
        text: the statement.
        parameters: what its question marks stand for, normalised.

    Raises:
        ValidationException: the service's text for the first fault.

    >>> parse('SELECT * FROM "orders"."by_status" WHERE status = ?', [{"S": "open"}]).statement.target
    Target(table='orders', index='by_status')
    """
    literals = Literals(parameters)
    statement = _Parser(Reader(text), literals).statement()
    literals.check_parameters()
    return Parsed(statement, literals)


class _Parser:
    """Reads one statement."""

    def __init__(self, reader: Reader, literals: Literals) -> None:
        self.reader = reader
        self.literals = literals
        self.terms = Terms(reader, literals)

    def statement(self) -> Statement:
        """Read all of it."""
        read = next((read for word, read in _STATEMENTS.items() if self.reader.accept_word(word)), None)
        if read is None:
            raise malformed(NO_DATA_MANIPULATION)
        found = read(self)
        self.reader.accept_symbol(";")
        if self.reader.token.kind is not TokenKind.END:
            raise malformed(LEFTOVER)
        return found

    def select(self) -> Select:
        """Read what follows SELECT."""
        paths = self._projection()
        self.reader.expect_word("FROM")
        if self.reader.at_end or not self.reader.token.is_name:
            raise self.reader.no_term()
        target = self._source()
        where = self._where()
        order = self._order()
        if token := self.reader.accept_word(*UNSUPPORTED_CLAUSES):
            raise at(f"Unsupported clause: {token.text.upper()}", self.reader.token)
        return Select(target, paths, where, order)

    def _projection(self) -> tuple[Path, ...] | None:
        reader = self.reader
        if reader.token.is_word("VALUE", "PIVOT"):
            raise ValidationException(NO_VALUE_OR_PIVOT)
        if token := reader.accept_word("DISTINCT"):
            raise at("Unsupported clause: DISTINCT", token)
        if reader.accept_symbol("*"):
            if reader.token.is_symbol(","):
                raise ValidationException(STAR_AND_OTHERS)
            return None
        paths = [self._projected()]
        while reader.accept_symbol(","):
            if reader.token.is_symbol("*"):
                raise ValidationException(STAR_AND_OTHERS)
            paths.append(self._projected())
        names = [leaf_name(path.steps) for path in paths]
        for name in names:
            if names.count(name) > 1:
                raise ValidationException(f"Duplicate identifiers in select clause: {name}")
        return tuple(paths)

    def _projected(self) -> Path:
        reader = self.reader
        is_call = reader.token.kind is TokenKind.WORD and reader.following.is_symbol("(")
        if is_call or begins_value(reader):
            raise at("Unexpected path component", reader.token)
        path = read_path(reader)
        if reader.token.is_word("AS") or reader.token.is_name:
            raise ValidationException(ALIASING)
        return path

    def _source(self) -> Target:
        """Read what a SELECT reads, which nothing may rename."""
        target = self._target()
        if self.reader.token.is_symbol(","):
            raise ValidationException(ONE_TABLE_TO_READ)
        self._check_no_alias()
        return target

    def _target(self) -> Target:
        if not self.reader.token.is_name:
            raise malformed("Expected identifier for simple path")
        names = [self.reader.next().text]
        while self.reader.accept_symbol("."):
            if not self.reader.token.is_name:
                raise malformed("Invalid path dot component")
            names.append(self.reader.next().text)
        if "" in names:
            raise ValidationException(EMPTY_NAME)
        if len(names) > 2:
            raise ValidationException(LONG_PATH)
        return Target(*names)

    def _check_no_alias(self) -> None:
        if self.reader.token.is_word("AS", "AT", "BY") or self.reader.token.is_name:
            raise ValidationException(ALIASING)

    def _where(self) -> Test | None:
        return self.terms.condition() if self.reader.accept_word("WHERE") else None

    def _order(self) -> tuple[Ordering, ...]:
        if not self.reader.accept_word("ORDER"):
            return ()
        self.reader.expect_word("BY")
        order = [self._ordering()]
        while self.reader.accept_symbol(","):
            order.append(self._ordering())
        return tuple(order)

    def _ordering(self) -> Ordering:
        path = read_path(self.reader)
        if len(path.steps) > 1:
            raise ValidationException("Argument to ORDER BY must be of type VariableReference. Type: Path")
        direction = self.reader.accept_word("ASC", "DESC")
        return Ordering(str(path.steps[0]), direction is not None and direction.is_word("DESC"))

    def exists(self) -> Exists:
        """Read what follows EXISTS."""
        self.reader.expect_symbol("(")
        self.reader.expect_word("SELECT")
        select = self.select()
        self.reader.expect_symbol(")")
        return Exists(select)

    def insert(self) -> Insert:
        """Read what follows INSERT."""
        reader = self.reader
        reader.expect_word("INTO")
        target = self._target()
        if target.index is not None:
            raise ValidationException(ONE_TABLE_TO_WRITE)
        if reader.token.is_name:
            raise malformed(LEFTOVER)
        if reader.token.is_symbol("<<", "(") or reader.token.is_word("VALUES"):
            raise ValidationException(MANY_ITEMS)
        reader.expect_word("VALUE")
        if not reader.accept_symbol("{"):
            raise ValidationException(NO_ITEM)
        # The item itself is no value of a larger one: each of its attributes is a root.
        item = read_members(reader, self.literals, ROOT, lambda name: ROOT, MAX_NESTING_LEVELS)
        if reader.token.is_word("ON"):
            raise ValidationException(CONFLICT_NOT_MODELLED)
        if reader.token.is_word("RETURNING"):
            raise ValidationException(RETURNING_INSERT)
        return Insert(target, item)

    def update(self) -> Update:
        """Read what follows UPDATE."""
        target = self._target()
        self._check_no_alias()
        actions = self._actions()
        return Update(target, actions, self._where(), self._returning())

    def from_first(self) -> Update:
        """Read what follows a FROM that stands first: an update whose WHERE precedes its actions."""
        target = self._target()
        self._check_no_alias()
        where = self._where()
        return Update(target, self._actions(), where, self._returning())

    def _actions(self) -> tuple[Action, ...]:
        actions: list[Action] = []
        while token := self.reader.accept_word("SET", "REMOVE"):
            read = self._set_action if token.is_word("SET") else self._remove_action
            actions.append(read())
            while self.reader.accept_symbol(","):
                actions.append(read())
        if not actions:
            raise malformed(NO_DATA_MANIPULATION)
        return tuple(actions)

    def _set_action(self) -> Action:
        path = read_path(self.reader)
        self.reader.expect_symbol("=")
        self.terms.check_right_side()
        section, operand = self.terms.assigned(path)
        return Action(section, path, operand)

    def _remove_action(self) -> Action:
        return Action("REMOVE", read_path(self.reader))

    def delete(self) -> Delete:
        """Read what follows DELETE."""
        self.reader.expect_word("FROM")
        target = self._target()
        self._check_no_alias()
        return Delete(target, self._where(), self._returning())

    def _returning(self) -> Returning | None:
        reader = self.reader
        if not reader.accept_word("RETURNING"):
            return None
        extent, image = reader.accept_word("ALL", "MODIFIED"), reader.accept_word("OLD", "NEW")
        if extent is None or image is None or not reader.accept_symbol("*"):
            raise ValidationException(RETURNING_FORM)
        if reader.token.is_symbol(","):
            raise ValidationException("Invalid syntax with multiple returning elements in RETURNING clause")
        return Returning(all=extent.is_word("ALL"), old=image.is_word("OLD"))


_STATEMENTS: dict[str, Callable[[_Parser], Statement]] = {
    "SELECT": _Parser.select,
    "EXISTS": _Parser.exists,
    "INSERT": _Parser.insert,
    "UPDATE": _Parser.update,
    "FROM": _Parser.from_first,
    "DELETE": _Parser.delete,
}
