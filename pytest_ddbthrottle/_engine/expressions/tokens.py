"""Expression text to tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.limits import MAX_EXPRESSION_BYTES


class TokenKind(Enum):
    """What a token is. Keywords and function names are names: the parser knows them by their place."""

    NAME = "name"
    NAME_PLACEHOLDER = "#name"
    VALUE_PLACEHOLDER = ":value"
    INTEGER = "integer"
    SYMBOL = "symbol"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """One token, and where it stands in the text."""

    kind: TokenKind
    text: str
    start: int

    @property
    def end(self) -> int:
        """The place after its last character."""
        return self.start + (0 if self.kind is TokenKind.END else len(self.text))

    def is_word(self, word: str) -> bool:
        """Tell whether this is a keyword; they are written in any case."""
        return self.kind is TokenKind.NAME and self.text.upper() == word

    def is_symbol(self, *symbols: str) -> bool:
        """Tell whether this is one of these symbols."""
        return self.kind is TokenKind.SYMBOL and self.text in symbols


_PATTERN = re.compile(
    r"\s*(?:"
    r"(?P<NAME>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<NAME_PLACEHOLDER>#[A-Za-z0-9_]+)"
    r"|(?P<VALUE_PLACEHOLDER>:[A-Za-z0-9_]+)"
    r"|(?P<INTEGER>[0-9]+)"
    r"|(?P<SYMBOL><>|<=|>=|[=<>(),.\[\]+-])"
    r"|(?P<END>$)"
    r"|(?P<UNKNOWN>\S))"
)
_SPACES = re.compile(r"\s*")
END_TEXT = "<EOF>"


def tokenize(kind: str, text: str) -> tuple[Token, ...]:
    """Give the tokens of an expression, the last of kind END.

    Args:
        kind: the request's member, ``ConditionExpression`` say; it begins each error.
        text: the expression.

    Raises:
        ValidationException: the text is empty or too long, or has a character that no token begins with.

    >>> [token.text for token in tokenize("ConditionExpression", "a.b <> :v")]
    ['a', '.', 'b', '<>', ':v', '<EOF>']

    Source: Observed — public conformance suites, 2026 (texts).
    """
    _check_size(kind, text)
    tokens: list[Token] = []
    position = 0
    while not tokens or tokens[-1].kind is not TokenKind.END:
        found = _PATTERN.match(text, position)
        assert found is not None
        name = found.lastgroup or ""
        if name == "UNKNOWN":
            raise syntax_error(kind, text, found.group(name), found.start(name), found.end())
        tokens.append(Token(TokenKind[name], found.group(name) or END_TEXT, found.start(name)))
        position = found.end()
    return tuple(tokens)


def _check_size(kind: str, text: str) -> None:
    if not text.strip():
        raise ValidationException(f"Invalid {kind}: The expression can not be empty;")
    size_bytes = len(text.encode("utf-8", "surrogatepass"))
    if size_bytes > MAX_EXPRESSION_BYTES:
        raise ValidationException(
            f"Invalid {kind}: Expression size has exceeded the maximum allowed size; expression size: {size_bytes}"
        )


def syntax_error(kind: str, text: str, token: str, near_start: int, near_end: int) -> ValidationException:
    """Give the error that points at a token and shows the text around it."""
    near = text[near_start:near_end].strip()
    return ValidationException(f'Invalid {kind}: Syntax error; token: "{token}", near: "{near}"')
