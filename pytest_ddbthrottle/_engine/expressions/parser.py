"""Tokens to nodes, by precedence: one table of binding powers, and one loop that obeys it.

Conditions are read by top-down operator precedence (Pratt, 1973). Parsing knows no placeholders, so that a text is
parsed once for all requests.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

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
from pytest_ddbthrottle._engine.expressions.reserved_words import RESERVED_WORDS
from pytest_ddbthrottle._engine.expressions.tokens import Token, TokenKind, syntax_error, tokenize

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
"""Source: Documented — Developer Guide, "Quotas", expression parameters, read 2026-11-30."""

MAX_DEPTH = 100
"""How deep parentheses, NOT and operands may nest. Source: Assumed — the service's limit is not published; this one keeps
hostile text from exhausting the stack."""

MAX_IN_OPTIONS = 100
"""Source: Documented — Developer Guide, "Comparison operator and function reference", IN, read 2026-11-30."""

SECTIONS = ("SET", "REMOVE", "ADD", "DELETE")
_TESTS = (Comparison, Between, In, Not, Junction)


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
        self._place = 0
        self._depth = 0
        self._operators = 0

    @property
    def _token(self) -> Token:
        return self._tokens[self._place]

    def _next(self) -> Token:
        token = self._token
        self._place += 1
        return token

    def unexpected(self) -> ValidationException:
        """Give the error that points at the present token, with its neighbours."""
        before = self._tokens[max(0, self._place - 1)]
        after = self._tokens[min(len(self._tokens) - 1, self._place + 1)]
        return syntax_error(self.kind, self._text, self._token.text, before.start, after.end)

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

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self.error(f"The expression is nested too deeply; maximum depth: {MAX_DEPTH}")

    def _count_operator(self) -> None:
        self._operators += 1
        if self._operators > MAX_OPERATORS:
            raise self.error(
                f"The expression contains too many operators; operator count: {self._operators}, "
                f"maximum: {MAX_OPERATORS}"
            )

    def test(self, power: int = 0) -> Test:
        """Read a condition whose operators bind tighter than ``power``."""
        left = self._prefix()
        while True:
            operator = self._infix_operator()
            if operator is None or BINDING_POWERS[operator] <= power:
                break
            self._count_operator()
            left = _INFIX[operator](self, operator, left)
        if not isinstance(left, (*_TESTS, Call)):
            raise self.unexpected()
        return left

    def _infix_operator(self) -> str | None:
        token = self._token
        text = token.text.upper()
        known = token.kind in (TokenKind.NAME, TokenKind.SYMBOL) and text in BINDING_POWERS and text != "NOT"
        return text if known else None

    def _prefix(self) -> Test | Operand:
        self._deeper()
        try:
            if self._accept_word("NOT"):
                self._count_operator()
                return Not(self.test(BINDING_POWERS["NOT"]))
            if self._accept("("):
                return self._parenthesised()
            return self.operand()
        finally:
            self._depth -= 1

    def _parenthesised(self) -> Test | Operand:
        if self._token.is_symbol("("):
            redundant = self._is_redundant()
            if redundant:
                raise self.error("The expression has redundant parentheses;")
        inner: Test | Operand = self._prefix()
        while (operator := self._infix_operator()) is not None:
            self._count_operator()
            inner = _INFIX[operator](self, operator, inner)
        self.expect(")")
        return inner

    def _is_redundant(self) -> bool:
        """Tell whether the parentheses that open here are the whole content of those around them."""
        depth = 0
        for place in range(self._place, len(self._tokens)):
            depth += self._tokens[place].is_symbol("(") - self._tokens[place].is_symbol(")")
            if depth == 0:
                return self._tokens[place + 1].is_symbol(")")
        return False

    def _comparison(self, operator: str, left: Test | Operand) -> Test:
        return Comparison(operator, self._as_operand(left), self.operand())

    def _between(self, operator: str, left: Test | Operand) -> Test:
        low = self.operand()
        if not self._accept_word("AND"):
            raise self.unexpected()
        return Between(self._as_operand(left), low, self.operand())

    def _in(self, operator: str, left: Test | Operand) -> Test:
        operand = self._as_operand(left)
        self.expect("(")
        options = self._operands()
        if len(options) > MAX_IN_OPTIONS:
            raise self.error(f"The IN operator is provided with too many operands; number of operands: {len(options)}")
        return In(operand, options)

    def _junction(self, operator: str, left: Test | Operand) -> Test:
        right = self.test(BINDING_POWERS[operator])
        if not isinstance(left, (*_TESTS, Call)):
            raise self.unexpected()
        chained = left.operands if isinstance(left, Junction) and left.operator == operator else (left,)
        return Junction(operator, (*chained, right))

    def _as_operand(self, left: Test | Operand) -> Operand:
        if isinstance(left, _TESTS):
            raise self.unexpected()
        return left

    def operand(self) -> Operand:
        """Read a path, a value or a function."""
        token = self._token
        if token.kind is TokenKind.VALUE_PLACEHOLDER:
            return Value(self._next().text)
        if token.kind is TokenKind.NAME and self._tokens[self._place + 1].is_symbol("("):
            return self._call()
        return self.path()

    def _call(self) -> Call:
        name = self._next().text
        self._deeper()
        self.expect("(")
        operands = self._operands()
        self._depth -= 1
        return Call(name, operands)

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
                if self._token.kind is not TokenKind.INTEGER:
                    raise self.unexpected()
                steps.append(int(self._next().text))
                self.expect("]")
            else:
                return Path(tuple(steps))

    def _name(self) -> str:
        token = self._token
        if token.kind is TokenKind.NAME_PLACEHOLDER:
            return self._next().text
        if token.kind is not TokenKind.NAME:
            raise self.unexpected()
        if token.text.upper() in RESERVED_WORDS:
            raise self.error(f"Attribute name is a reserved keyword; reserved keyword: {token.text}")
        return self._next().text

    def paths(self) -> tuple[Path, ...]:
        """Read paths with commas between them."""
        paths = [self.path()]
        while self._accept(","):
            paths.append(self.path())
        return tuple(paths)

    def sections(self) -> tuple[Action, ...]:
        """Read the sections of an update, each at most once."""
        actions: list[Action] = []
        seen: set[str] = set()
        while self._token.kind is not TokenKind.END:
            section = self._token.text.upper()
            if self._token.kind is not TokenKind.NAME or section not in SECTIONS:
                raise self.unexpected()
            if section in seen:
                raise self.error(f'The "{section}" section can only be used once in an update expression;')
            seen.add(section)
            self._next()
            actions += self._actions(section)
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
        if self._token.is_symbol("+", "-"):
            self._count_operator()
            return Arithmetic(self._next().text, left, self._set_operand())
        return left

    def _set_operand(self) -> Operand:
        if not self._accept("("):
            return self.operand()
        self._deeper()
        inner = self._set_value()
        self._depth -= 1
        self.expect(")")
        return inner


def _advance(read: Callable[[Parser, str, Test | Operand], Test]) -> Callable[[Parser, str, Test | Operand], Test]:
    def infix(parser: Parser, operator: str, left: Test | Operand) -> Test:
        parser._next()
        return read(parser, operator, left)

    return infix


_INFIX: dict[str, Callable[[Parser, str, Test | Operand], Test]] = {
    **{operator: _advance(Parser._comparison) for operator in ("=", "<>", "<", "<=", ">", ">=")},
    "BETWEEN": _advance(Parser._between),
    "IN": _advance(Parser._in),
    "AND": _advance(Parser._junction),
    "OR": _advance(Parser._junction),
}


@lru_cache(maxsize=1024)
def parse_test(kind: str, text: str) -> Test:
    """Give the nodes of a condition, filter or key condition.

    Raises:
        ValidationException: the text has no such form.
    """
    parser = Parser(kind, text)
    test = parser.test()
    parser.end()
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
    return paths


@lru_cache(maxsize=1024)
def parse_update(kind: str, text: str) -> tuple[Action, ...]:
    """Give the actions of an update, in the order of the text.

    Raises:
        ValidationException: the text has no such form.
    """
    return Parser(kind, text).sections()
