"""Literals and parameters of a statement: attribute values.

Source: Documented — Developer Guide, "PartiQL for DynamoDB data types", read 2026-12-07; Observed — eu-west-2, 2026-09 and
2026-10, two public suites (texts, and ``under root``).
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from pytest_ddbthrottle._engine.attribute_value import NESTED_TOO_DEEP, AttributeValue, number_text
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.limits import MAX_NESTING_LEVELS
from pytest_ddbthrottle._engine.partiql.bound import Literals
from pytest_ddbthrottle._engine.partiql.reader import Reader, at, malformed
from pytest_ddbthrottle._engine.partiql.tokens import NOT_WELL_FORMED, Token, TokenKind

ROOT = "root"
EMPTY_BAG = "Empty bags are not supported"
MIXED_BAG = "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"
LONE_MISSING = "MISSING must be compared using IS operator"
SET_TYPES = {"S": "SS", "N": "NS", "B": "BS"}
WORD_VALUES: dict[str, AttributeValue] = {"TRUE": {"BOOL": True}, "FALSE": {"BOOL": False}, "NULL": {"NULL": True}}
OPENING = ("[", "{", "<<")


def begins_value(reader: Reader) -> bool:
    """Tell whether a literal or a parameter begins at the present token."""
    token = reader.token
    if token.kind in (TokenKind.STRING, TokenKind.NUMBER, TokenKind.ION):
        return True
    if token.is_symbol("-", "+"):
        return reader.following.kind is TokenKind.NUMBER
    return token.is_symbol("?", *OPENING) or token.is_word("MISSING", *WORD_VALUES)


def read_value(
    reader: Reader, literals: Literals, path: str = ROOT, levels: int = MAX_NESTING_LEVELS
) -> AttributeValue:
    """Read one literal or parameter.

    Args:
        reader: at its first token.
        literals: where parameters come from.
        path: where it stands in a larger one, for errors.
        levels: how many levels there may still be.

    Raises:
        ValidationException: it is no value, or none that DynamoDB can hold.
    """
    if levels == 0:
        raise ValidationException(NESTED_TOO_DEEP)
    token = reader.token
    if token.kind is TokenKind.STRING:
        return {"S": reader.next().text}
    if token.kind is TokenKind.NUMBER or (token.is_symbol("-", "+") and reader.following.kind is TokenKind.NUMBER):
        return {"N": _number(_number_literal(reader), path)}
    if token.is_symbol("?"):
        reader.next()
        return literals.next_parameter()
    if token.is_symbol(*OPENING):
        return _CONTAINERS[reader.next().text](reader, literals, path, levels - 1)
    return _named_value(reader, path)


def _named_value(reader: Reader, path: str) -> AttributeValue:
    token = reader.token
    if token.is_word("MISSING"):
        raise ValidationException(LONE_MISSING)
    if token.is_word(*WORD_VALUES):
        return WORD_VALUES[reader.next().text.upper()]
    if token.kind is TokenKind.ION:
        raise ValidationException(f"Ion Literals are not supported: {token.text} under key {path}")
    if token.is_name or (token.is_keyword and reader.following.is_symbol("(")):
        raise at(f"Unsupported data type: {token.text} under key {path}", token)
    raise reader.no_term()


def _number_literal(reader: Reader) -> str:
    sign = "-" if reader.token.is_symbol("-") else ""
    if reader.token.is_symbol("-", "+"):
        reader.next()
    return sign + reader.next().text


def _number(text: str, path: str) -> str:
    """Give a number's canonical digits; the service reads it as a decimal whose scale has 32 bits."""
    mantissa, _, exponent = text.lower().partition("e")
    exponent_digits = exponent.lstrip("+-0")
    scale = len(mantissa.partition(".")[2]) - (int(exponent or "0") if len(exponent_digits) < 12 else 2**40)
    if len(exponent_digits) > 11 or abs(int(exponent or "0")) >= 2**31 or not -(2**31) <= scale < 2**31:
        raise ValidationException(NOT_WELL_FORMED)
    try:
        return number_text(Decimal(text))
    except ValidationException as error:
        raise ValidationException(f"{error.message} under {path}") from None


def _list(reader: Reader, literals: Literals, path: str, levels: int) -> AttributeValue:
    elements: list[AttributeValue] = []
    while not reader.accept_symbol("]"):
        if elements:
            _comma(reader, "]")
        elements.append(read_value(reader, literals, f"{path}[{len(elements)}]", levels))
    return {"L": elements}


def _map(reader: Reader, literals: Literals, path: str, levels: int) -> AttributeValue:
    return {"M": read_members(reader, literals, path, lambda name: f"{path}.{name}", levels)}


def read_members(
    reader: Reader, literals: Literals, path: str, path_of: Callable[[str], str], levels: int
) -> dict[str, AttributeValue]:
    """Read the members of a map or an item, whose opening brace is behind.

    Args:
        reader: at the first member.
        literals: where parameters come from.
        path: the map's.
        path_of: gives a member's path.
        levels: how many levels there may still be.
    """
    members: dict[str, AttributeValue] = {}
    while not reader.accept_symbol("}"):
        if members:
            _comma(reader, "}")
        name = _member_name(reader, path)
        if name in members:
            raise ValidationException(f"Duplicate keys in tuple. Key: {name} under {path}")
        reader.expect_symbol(":")
        members[name] = read_value(reader, literals, path_of(name), levels)
    return members


def _member_name(reader: Reader, path: str) -> str:
    token: Token = reader.token
    if token.kind is TokenKind.STRING:
        return reader.next().text
    if token.is_name or token.kind is TokenKind.NUMBER:
        raise ValidationException(f"Tuple keys must be of type String. Actual type: {token.text} under {path}")
    raise reader.no_term()


def _bag(reader: Reader, literals: Literals, path: str, levels: int) -> AttributeValue:
    members: list[AttributeValue] = []
    written: list[str] = []
    while not reader.accept_symbol(">>"):
        if members:
            _comma(reader, ">>")
        written.append(reader.token.text)
        members.append(read_value(reader, literals, path, levels))
    return _set_of(members, written, path)


def _set_of(members: list[AttributeValue], written: list[str], path: str) -> AttributeValue:
    if not members:
        raise ValidationException(EMPTY_BAG)
    kinds = {kind for member in members for kind in member}
    kind = next(iter(kinds))
    if len(kinds) > 1 or kind not in SET_TYPES:
        raise ValidationException(MIXED_BAG)
    contents = [member[kind] for member in members]
    if len(set(contents)) < len(contents):
        shown, end = (written, f"! under {path}") if kind == "N" else (contents, ".")
        raise ValidationException(
            f"One or more parameter values were invalid: Input collection [{', '.join(shown)}] contains duplicates{end}"
        )
    return {SET_TYPES[kind]: contents}


def _comma(reader: Reader, closing: str) -> None:
    if not reader.accept_symbol(","):
        raise malformed(f"Expected COMMA or {closing}")


_CONTAINERS: dict[str, Callable[[Reader, Literals, str, int], AttributeValue]] = {"[": _list, "{": _map, "<<": _bag}
