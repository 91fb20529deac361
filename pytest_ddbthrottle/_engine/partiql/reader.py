"""The present token of a statement, and the faults that point at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.partiql.tokens import NOT_WELL_FORMED, Token, TokenKind, tokenize

MAX_DEPTH = 60
"""Of parentheses, NOTs and function calls within each other. Source: Assumed — the service's bound is not published."""

TOO_DEEP = f"Statement is nested too deeply; maximum depth: {MAX_DEPTH}"
OPERATOR_WORDS = ("AND", "OR", "IS", "IN", "BETWEEN", "LIKE", "ESCAPE")
OPERATORS = ("=", "<>", "!=", "<", "<=", ">", ">=", "+", "*", "/")
T = TypeVar("T")


class Reader:
    """Walks over the tokens of one statement."""

    def __init__(self, statement: str) -> None:
        self._tokens = tokenize(statement)
        self._place = 0
        self._depth = 0

    @property
    def token(self) -> Token:
        """The present token."""
        return self._tokens[self._place]

    @property
    def following(self) -> Token:
        """The token after the present one."""
        return self._tokens[min(self._place + 1, len(self._tokens) - 1)]

    def next(self) -> Token:
        """Pass over the present token, and give it."""
        token = self.token
        self._place = min(self._place + 1, len(self._tokens) - 1)
        return token

    def accept_word(self, *words: str) -> Token | None:
        """Pass over one of these keywords, if it stands here, and give it."""
        return self.next() if self.token.is_word(*words) else None

    def accept_symbol(self, *symbols: str) -> Token | None:
        """Pass over one of these symbols, if it stands here, and give it."""
        return self.next() if self.token.is_symbol(*symbols) else None

    def expect_word(self, word: str) -> Token:
        """Pass over a keyword that must stand here."""
        if not self.token.is_word(word):
            raise malformed(f"Expected {word}")
        return self.next()

    def expect_symbol(self, symbol: str) -> Token:
        """Pass over a symbol that must stand here."""
        if not self.token.is_symbol(symbol):
            raise malformed(f"Expected {SYMBOL_NAMES[symbol]}")
        return self.next()

    def deeper(self, read: Callable[[], T]) -> T:
        """Read what is nested one level deeper."""
        if self._depth == MAX_DEPTH:
            raise ValidationException(TOO_DEEP)
        self._depth += 1
        found = read()
        self._depth -= 1
        return found

    def no_term(self) -> ValidationException:
        """Give the fault of a place where a term should begin."""
        if self.token.is_word(*OPERATOR_WORDS) or self.token.is_symbol(*OPERATORS):
            return malformed("Unexpected operator")
        return malformed("Unexpected keyword" if self.token.is_keyword else "Unexpected term")

    @property
    def at_end(self) -> bool:
        """Whether the statement ends here."""
        return self.token.kind is TokenKind.END or self.token.is_symbol(";")


SYMBOL_NAMES = {
    "(": "LEFT_PAREN",
    ")": "RIGHT_PAREN",
    "[": "LEFT_BRACKET",
    "]": "RIGHT_BRACKET",
    "}": "RIGHT_CURLY",
    ">>": "RIGHT_DOUBLE_ANGLE_BRACKET",
    ":": "COLON",
    "=": "=",
}
"""Source: Observed — RIGHT_PAREN in public reports; Assumed — the others, after the names in PartiQL's grammar."""


def malformed(detail: str) -> ValidationException:
    """Give a fault of the grammar."""
    return ValidationException(f"{NOT_WELL_FORMED}{detail}")


def at(text: str, token: Token) -> ValidationException:
    """Give a fault that says where it is: line, column and length of a token."""
    return ValidationException(f"{text} at {token.place}")
