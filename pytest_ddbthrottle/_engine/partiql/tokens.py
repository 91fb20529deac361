"""Statement text to tokens, each with its place; comments and white space are passed over."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.partiql.keywords import KEYWORDS

NOT_WELL_FORMED = "Statement wasn't well formed, can't be processed: "
"""What begins a fault of the grammar; nothing follows where not even the tokens can be told apart.
Source: Observed — eu-west-2, 2026-10, a public conformance suite."""


class TokenKind(Enum):
    """What a token is."""

    WORD = "word"
    QUOTED_NAME = '"name"'
    STRING = "'string'"
    NUMBER = "number"
    ION = "`ion`"
    SYMBOL = "symbol"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """One token. ``text`` is without quotes; ``place`` is line, column and length, as errors of the service write it."""

    kind: TokenKind
    text: str
    place: str

    def is_word(self, *words: str) -> bool:
        """Tell whether this is one of these keywords, which are written in any case."""
        return self.kind is TokenKind.WORD and self.text.upper() in words

    def is_symbol(self, *symbols: str) -> bool:
        """Tell whether this is one of these symbols."""
        return self.kind is TokenKind.SYMBOL and self.text in symbols

    @property
    def is_keyword(self) -> bool:
        """Whether it can't be a name, as it stands."""
        return self.kind is TokenKind.WORD and self.text.upper() in KEYWORDS

    @property
    def is_name(self) -> bool:
        """Whether it can be the name of a table, an index or an attribute."""
        return self.kind is TokenKind.QUOTED_NAME or (self.kind is TokenKind.WORD and not self.is_keyword)


_match = re.compile(
    r"(?P<SKIPPED>\s+|--[^\n]*|/\*.*?\*/)"
    r"|(?P<WORD>[A-Za-z_$][A-Za-z0-9_$]*)"
    r'|(?P<QUOTED_NAME>"(?:[^"]|"")*")'
    r"|(?P<STRING>'(?:[^']|'')*')"
    r"|(?P<NUMBER>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![A-Za-z0-9_$.]))"
    r"|(?P<ION>`[^`]*`)"
    r"|(?P<SYMBOL><<|>>|<>|<=|>=|!=|/(?!\*)|[=<>()\[\]{},.:;+*?-])",
    re.DOTALL,
).match


def tokenize(statement: str) -> tuple[Token, ...]:
    r"""Give the tokens of a statement, the last of kind END.

    Raises:
        ValidationException: a character, a quote or a comment that begins no token.

    >>> [token.text for token in tokenize("SELECT a -- all\n FROM \"t\"")]
    ['SELECT', 'a', 'FROM', 't', '']
    >>> tokenize("DELETE\nFROM t")[1].place
    '2:1:4'
    """
    tokens, position, line, line_start = [], 0, 1, 0
    while position < len(statement):
        found = _match(statement, position)
        if found is None:
            raise ValidationException(NOT_WELL_FORMED)
        text, name = found.group(), found.lastgroup or ""
        if name != "SKIPPED":
            place = f"{line}:{position - line_start + 1}:{len(text)}"
            tokens.append(Token(TokenKind[name], _content(text), place))
        if newlines := text.count("\n"):
            line += newlines
            line_start = position + text.rindex("\n") + 1
        position = found.end()
    return (*tokens, Token(TokenKind.END, "", f"{line}:{position - line_start + 1}:0"))


def _content(text: str) -> str:
    quote = text[0]
    return text[1:-1].replace(2 * quote, quote) if quote in "\"'`" else text
