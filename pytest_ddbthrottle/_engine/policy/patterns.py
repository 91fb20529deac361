"""Patterns of policies: ``*``, ``?``, variables, and ARNs in their six parts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

ANY: Final = "any"
ONE: Final = "one"
Tokens = tuple[str, ...]
"""A pattern that is ready: single characters, ``ANY`` and ``ONE``. What came from a variable is characters alone."""

_WILDCARDS = {"*": ANY, "?": ONE}
_AS_WRITTEN = {ANY: "*", ONE: "?"}
_VARIABLE = re.compile(r"\$\{([^{}]*)\}")
_WITH_DEFAULT = re.compile(r"\s*([^,\s]+)\s*(?:,\s*'([^']*)'\s*)?")
_LITERALS = {"*", "?", "$"}
_ARN_PARTS = 6


def matches(pattern: str, value: str) -> bool:
    """Return whether a pattern covers the whole of a value.

    ``*`` stands for any characters or none, ``?`` for one.

    Args:
        pattern: The pattern; ``$`` and all else but the two wildcards mean themselves.
        value: What is compared, upper and lower case apart.

    >>> matches("table/Mus?c*", "table/Music-2026"), matches("table/Mus?c", "table/Musc")
    (True, False)

    Source: Documented, IAM User Guide, "IAM JSON policy elements: Resource", read 2026-12-04.
    """
    return covers(wildcards(pattern), value)


def wildcards(text: str) -> Tokens:
    """Read a pattern without variables."""
    return tuple(_WILDCARDS.get(character, character) for character in text)


def covers(tokens: Sequence[str], value: str) -> bool:
    """Return whether ready tokens cover a value: two pointers, and the last ``*`` alone is tried again."""
    at = place = 0
    star, resume = -1, 0
    while place < len(value):
        token = tokens[at] if at < len(tokens) else ""
        if token == ANY:
            star, resume, at = at, place, at + 1
        elif token in (ONE, value[place]):
            at, place = at + 1, place + 1
        elif star >= 0:
            resume += 1
            at, place = star + 1, resume
        else:
            return False
    return all(token == ANY for token in tokens[at:])


def expand(text: str, values: Mapping[str, tuple[str, ...]], *, variables: bool = True) -> Tokens | None:
    """Return a pattern with its variables filled in, or None where a variable has no value, or several.

    Args:
        text: The pattern as it is written.
        values: Condition keys in lower case, and their values.
        variables: Whether the policy's version knows variables; without, ``${`` means itself.

    >>> covers(expand("home/${aws:username}/*", {"aws:username": ("a*",)}), "home/a*/x")
    True

    Source: Documented, IAM User Guide, "IAM policy elements: Variables and tags", read 2026-12-04: only from version
    2012-10-17 on; ``${*}``, ``${?}`` and ``${$}`` are the characters; ``${key, 'default'}`` gives a default.
    """
    if not variables or "${" not in text:
        return wildcards(text)
    tokens: list[str] = []
    end = 0
    for found in _VARIABLE.finditer(text):
        value = _variable(found[1], values)
        if value is None:
            return None
        tokens += (*wildcards(text[end : found.start()]), *value)
        end = found.end()
    return (*tokens, *wildcards(text[end:]))


def _variable(inside: str, values: Mapping[str, tuple[str, ...]]) -> str | None:
    """Give what a variable stands for, or None."""
    if inside in _LITERALS:
        return inside
    parts = _WITH_DEFAULT.fullmatch(inside)
    if parts is None:
        return None
    found = values.get(parts[1].lower(), ())
    return found[0] if len(found) == 1 else parts[2]


def as_written(tokens: Tokens) -> str:
    """Give the text of tokens whose wildcards mean themselves."""
    return "".join(_AS_WRITTEN.get(token, token) for token in tokens)


def covers_arn(tokens: Tokens, value: str) -> bool:
    """Return whether a pattern covers an ARN part by part: no wildcard reaches over a colon, but in the last part.

    Source: Documented, IAM User Guide, "Condition operators", "Amazon Resource Name (ARN)", read 2026-12-04: each of
    the six parts is compared for itself.
    """
    patterns, parts = _arn_parts(tokens), value.split(":", _ARN_PARTS - 1)
    return len(patterns) == len(parts) and all(map(covers, patterns, parts))


def covers_resource(tokens: Tokens, value: str) -> bool:
    """Return whether a pattern of ``Resource`` covers an ARN.

    Source: Documented, IAM User Guide, "IAM JSON policy elements: Resource", read 2026-12-04: an asterisk that ends a
    part can reach beyond the colon; so a pattern of fewer than six parts is compared as a whole.
    """
    return covers_arn(tokens, value) if tokens.count(":") >= _ARN_PARTS - 1 else covers(tokens, value)


def _arn_parts(tokens: Tokens) -> list[Tokens]:
    """Split tokens as ``split(":", 5)`` splits a text."""
    parts: list[Tokens] = []
    while ":" in tokens and len(parts) < _ARN_PARTS - 1:
        at = tokens.index(":")
        parts.append(tokens[:at])
        tokens = tokens[at + 1 :]
    return [*parts, tokens]
