"""Tokens to nodes, by precedence: one table of binding powers, and one loop that obeys it.

Conditions are read by top-down operator precedence (Pratt, 1973). Parsing knows no placeholders, so that a text is
parsed once for all requests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.nodes import (
    Action,
    Arithmetic,
    Between,
    Call,
    Comparison,
    In,
    Junction,
    Not,
    Operand,
    Path,
    Step,
    Test,
    Value,
)
from pytest_ddbthrottle._engine.expressions.tokens import Token, TokenKind, syntax_error, tokenize
from pytest_ddbthrottle._engine.expressions.well_formed import check_actions, check_paths, check_test

BINDING_POWERS = {
    "OR": 1,
    "AND": 2,
    "NOT": 3,
    "IN": 4,
    "BETWEEN": 4,
    **dict.fromkeys(("=", "<>", "<", "<=", ">", ">="), 4),
}
"""What binds tighter has the higher power. Source: Documented — Developer Guide, "Comparison operator and function
reference", precedence, read 2026-11-30."""

MAX_OPERATORS = 300
"""Source: Documented — Developer Guide, "Quotas", expression parameters, read 2026-11-30; its text is Assumed."""

MAX_DEPTH = 100
"""How deep parentheses, NOT and operands may nest. Source: Assumed — the service's limit is not published; this one keeps
hostile text from exhausting the stack."""

MAX_IN_OPTIONS = 100
"""Source: Documented — Developer Guide, "Comparison operator and function reference", IN, read 2026-11-30."""

MAX_LIST_INDEX = 2**31 - 1
"""Source: Observed — public reports, 2026."""

REDUNDANT = "The expression has redundant parentheses;"
"""Source: Observed — eu-west-2, 2026, a public conformance suite."""

SECTIONS = ("SET", "REMOVE", "ADD", "DELETE")
KEYWORDS = {
    "UpdateExpression": frozenset(SECTIONS),
    "ProjectionExpression": frozenset[str](),
}
"""What can't be a name even by mistake, where that is not one of BINDING_POWERS."""

_TESTS = (Comparison, Between, In, Not, Junction)
_PLAIN_OPERANDS = (Path, Value, Arithmetic)
T = TypeVar("T")


class Parser:
    """Reads one expression.

    Args:
        kind: the request's member, which begins each error.
        text: the expression.
    """

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        self._text = text
        self._tokens = tokenize(kind, text)
        self._keywords = KEYWORDS.get(kind, BINDING_POWERS.keys())
        self._place = 0
        self._depth = 0
        self._operators = 0
        self._closed = (0, 0)

    @property
    def _token(self) -> Token:
        return self._tokens[self._place]

    def _next(self) -> Token:
        token = self._token
        self._place += 1
        return token

    def unexpected(self) -> ValidationException:
        """Give the error that points at the present token, with its neighbours."""
        return syntax_error(self.kind, self._text, self._tokens, self._place)

    def error(self, text: str) -> ValidationException:
        """Give an error of this expression."""
        return ValidationException(f"Invalid {self.kind}: {text}")

    def expect(self, symbol: str) -> None:
        """Pass over a symbol that must stand here."""
        if not self._token.is_symbol(symbol):
            raise self.unexpected()
        self._next()

    def end(self) -> None:
        """Check that nothing follows."""
        if self._token.kind is not TokenKind.END:
            raise self.unexpected()

    def _accept(self, symbol: str) -> bool:
        found = self._token.is_symbol(symbol)
        self._place += found
        return found

    def _accept_word(self, word: str) -> bool:
        found = self._token.is_word(word)
        self._place += found
        return found

    def _deeper(self, read: Callable[[], T]) -> T:
        """Read what is nested one level deeper."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self.error(f"The expression is nested too deeply; maximum depth: {MAX_DEPTH}")
        found = read()
        self._depth -= 1
        return found

    def _in_parentheses(self, read: Callable[[], T]) -> T:
        """Read what stands in parentheses, the first of which is behind; a pair right within a pair is redundant."""
        opened = self._place - 1
        inner = self._deeper(read)
        self.expect(")")
        if self._closed == (opened + 1, self._place - 2):
            raise self.error(REDUNDANT)
        self._closed = (opened, self._place - 1)
        return inner

    def _pass_operator(self) -> None:
        self._next()
        self._operators += 1
        if self._operators > MAX_OPERATORS:
            raise self.error(f"The expression contains too many operators; maximum: {MAX_OPERATORS}")

    def test(self, power: int = 0) -> Test:
        """Read a condition whose operators bind tighter than ``power``."""
        found = self._expression(power)
        if isinstance(found, _PLAIN_OPERANDS):
            raise self.unexpected()
        return found

    def _expression(self, power: int = 0) -> Test | Operand:
        left = self._prefix()
        while (operator := self._infix_operator()) is not None and BINDING_POWERS[operator] > power:
            read = self._joined if operator in ("AND", "OR") else self._compared
            left = read(operator, left)
        return left

    def _infix_operator(self) -> str | None:
        token = self._token
        text = token.text.upper()
        known = token.kind in (TokenKind.NAME, TokenKind.SYMBOL) and text in BINDING_POWERS and text != "NOT"
        return text if known else None

    def _prefix(self) -> Test | Operand:
        if self._token.is_word("NOT"):
            self._pass_operator()
            return Not(self._deeper(lambda: self.test(BINDING_POWERS["NOT"])))
        if self._accept("("):
            return self._in_parentheses(self._expression)
        return self.operand()

    def _joined(self, operator: str, left: Test | Operand) -> Test:
        if isinstance(left, _PLAIN_OPERANDS):
            raise self.unexpected()
        self._pass_operator()
        right = self.test(BINDING_POWERS[operator])
        chained = left.operands if isinstance(left, Junction) and left.operator == operator else (left,)
        return Junction(operator, (*chained, right))

    def _compared(self, operator: str, left: Test | Operand) -> Test:
        if isinstance(left, _TESTS):
            raise self.unexpected()
        self._pass_operator()
        if operator in ("BETWEEN", "IN"):
            return self._between(left) if operator == "BETWEEN" else self._in(left)
        return Comparison(operator, left, self.operand())

    def _between(self, left: Operand) -> Test:
        low = self.operand()
        if not self._accept_word("AND"):
            raise self.unexpected()
        return Between(left, low, self.operand())

    def _in(self, left: Operand) -> Test:
        self.expect("(")
        if self._token.is_symbol(")"):
            raise self.unexpected()
        options = self._operands()
        if len(options) > MAX_IN_OPTIONS:
            raise self.error(f"The IN operator is provided with too many operands; number of operands: {len(options)}")
        return In(left, options)

    def operand(self) -> Operand:
        """Read a path, a value or a function, in parentheses or not."""
        token = self._token
        if self._accept("("):
            return self._in_parentheses(self.operand)
        if token.kind is TokenKind.VALUE_PLACEHOLDER:
            return Value(self._next().text)
        if token.kind is TokenKind.NAME and self._tokens[self._place + 1].is_symbol("("):
            return self._call()
        return self.path()

    def _call(self) -> Call:
        if self._token.text.upper() in self._keywords:
            raise self.unexpected()
        name = self._token.text
        self._pass_operator()
        self.expect("(")
        return Call(name, self._deeper(self._operands))

    def _operands(self) -> tuple[Operand, ...]:
        if self._accept(")"):
            return ()
        operands = [self.operand()]
        while self._accept(","):
            operands.append(self.operand())
        self.expect(")")
        return tuple(operands)

    def path(self) -> Path:
        """Read a document path."""
        steps: list[Step] = [self._name()]
        while True:
            if self._accept("."):
                steps.append(self._name())
            elif self._accept("["):
                steps.append(self._index())
                self.expect("]")
            else:
                return Path(tuple(steps))

    def _index(self) -> int:
        if self._token.kind is not TokenKind.INTEGER:
            raise self.unexpected()
        text = self._next().text
        if len(text) > 10 or int(text) > MAX_LIST_INDEX:
            raise self.error(f"List index is not within the allowable range; index: [{text}]")
        return int(text)

    def _name(self) -> str:
        is_name = self._token.kind is TokenKind.NAME and self._token.text.upper() not in self._keywords
        if not is_name and self._token.kind is not TokenKind.NAME_PLACEHOLDER:
            raise self.unexpected()
        return self._next().text

    def paths(self) -> tuple[Path, ...]:
        """Read paths with commas between them."""
        paths = [self.path()]
        while self._accept(","):
            paths.append(self.path())
        return tuple(paths)

    def sections(self) -> tuple[Action, ...]:
        """Read the sections of an update."""
        actions: list[Action] = []
        while self._token.kind is not TokenKind.END:
            section = self._token.text.upper()
            if self._token.kind is not TokenKind.NAME or section not in SECTIONS:
                raise self.unexpected()
            self._next()
            first, *rest = self._actions(section)
            actions += (replace(first, opens_section=True), *rest)
        return tuple(actions)

    def _actions(self, section: str) -> list[Action]:
        actions = [self._action(section)]
        while self._accept(","):
            actions.append(self._action(section))
        return actions

    def _action(self, section: str) -> Action:
        path = self.path()
        if section == "REMOVE":
            return Action(section, path)
        if section == "SET":
            self.expect("=")
            return Action(section, path, self._set_value())
        if self._token.kind is not TokenKind.VALUE_PLACEHOLDER:
            raise self.unexpected()
        return Action(section, path, Value(self._next().text))

    def _set_value(self) -> Operand:
        left = self._set_operand()
        if not self._token.is_symbol("+", "-") or isinstance(left, Arithmetic):
            return left
        operator = self._token.text
        self._pass_operator()
        return Arithmetic(operator, left, self._set_operand())

    def _set_operand(self) -> Operand:
        return self._in_parentheses(self._set_value) if self._accept("(") else self.operand()


@lru_cache(maxsize=1024)
def parse_test(kind: str, text: str) -> Test:
    """Give the nodes of a condition, filter or key condition.

    Raises:
        ValidationException: the text has no such form.
    """
    parser = Parser(kind, text)
    test = parser.test()
    parser.end()
    check_test(kind, test)
    return test


@lru_cache(maxsize=1024)
def parse_paths(kind: str, text: str) -> tuple[Path, ...]:
    """Give the paths of a projection.

    Raises:
        ValidationException: the text has no such form.
    """
    parser = Parser(kind, text)
    paths = parser.paths()
    parser.end()
    check_paths(kind, paths)
    return paths


@lru_cache(maxsize=1024)
def parse_update(kind: str, text: str) -> tuple[Action, ...]:
    """Give the actions of an update, in the order of the text.

    Raises:
        ValidationException: the text has no such form.
    """
    actions = Parser(kind, text).sections()
    check_actions(kind, actions)
    return actions
