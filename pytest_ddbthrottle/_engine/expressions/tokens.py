"""Expression text to tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.limits import MAX_EXPRESSION_BYTES
from pytest_ddbthrottle._engine.worded_faults import WordedFault


class TokenKind(Enum):
    """What a token is. Keywords and function names are names: the parser knows them by their place."""

    NAME = "name"
    NAME_PLACEHOLDER = "#name"
    VALUE_PLACEHOLDER = ":value"
    INTEGER = "integer"
    SYMBOL = "symbol"
    UNKNOWN = "unknown"
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
    r"(?P<NAME>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<NAME_PLACEHOLDER>#[A-Za-z0-9_]+)"
    r"|(?P<VALUE_PLACEHOLDER>:[A-Za-z0-9_]+)"
    r"|(?P<INTEGER>[0-9]+)"
    r"|(?P<SYMBOL><>|<=|>=|[=<>(),.\[\]+-])"
    r"|(?P<UNKNOWN>\S)"
)
END_TEXT = "<EOF>"


def tokenize(kind: str, text: str) -> tuple[Token, ...]:
    """Give the tokens of an expression, the last of kind END.

    Args:
        kind: the request's member, ``ConditionExpression`` say; it begins each error.
        text: the expression.

    Raises:
        ValidationException: the text is empty or too long.

    >>> [token.text for token in tokenize("ConditionExpression", "a.b <> :v")]
    ['a', '.', 'b', '<>', ':v', '<EOF>']
    """
    check_size(kind, text)
    tokens = []
    for found in _PATTERN.finditer(text):
        name = found.lastgroup or ""
        tokens.append(Token(TokenKind[name], found.group(name), found.start(name)))
    return (*tokens, Token(TokenKind.END, END_TEXT, len(text)))


def check_size(kind: str, text: str) -> None:
    """Check that a text is neither empty nor longer than 4,096 bytes, placeholders not expanded.

    Raises:
        ValidationException: it is.

    Source: Observed — ten Regions, 2026-10, a public conformance suite; UpdateExpression's text names no size.
    """
    if not text.strip():
        raise WordedFault(f"Invalid {kind}: The expression can not be empty;")
    size_bytes = len(text.encode("utf-8", "surrogatepass"))
    if size_bytes > MAX_EXPRESSION_BYTES:
        size = "" if kind == "UpdateExpression" else f" expression size: {size_bytes}"
        raise ValidationException(f"Invalid {kind}: Expression size has exceeded the maximum allowed size;{size}")


def syntax_error(kind: str, text: str, tokens: Sequence[Token], place: int) -> ValidationException:
    """Give the error that points at a token and shows the text from the one before to the one after.

    Source: Observed — public reports and conformance suites, 2018 to 2026.
    """
    before, after = tokens[max(0, place - 1)], tokens[min(len(tokens) - 1, place + 1)]
    near = text[before.start : after.end].strip()
    return ValidationException(f'Invalid {kind}: Syntax error; token: "{tokens[place].text}", near: "{near}"')
