"""A policy's document: read once and strictly, so that evaluating it cannot fail."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, Literal, NoReturn

from pytest_ddbthrottle._engine.policy.conditions import Condition, read_operator

Kind = Literal["identity", "resource"]

VERSIONS: Final = ("2012-10-17", "2008-10-17")
_POLICY_MEMBERS: Final = frozenset({"Version", "Id", "Statement"})
_PRINCIPAL_KINDS: Final = ("AWS", "Service", "Federated", "CanonicalUser")
_STATEMENT_MEMBERS: Final = frozenset(
    {"Sid", "Effect", "Action", "NotAction", "Resource", "NotResource", "Principal", "NotPrincipal", "Condition"}
)
_SID = re.compile(r"[A-Za-z0-9]*")
_ACTION = re.compile(r"\*|[A-Za-z0-9-]+:[A-Za-z0-9*?]+")
_RESOURCE = re.compile(r"\*|arn:(?:[^:]*:){4,}.*|arn:(?:[^:]*:)*[^:]*\*", re.DOTALL)
_AWS_PRINCIPAL = re.compile(r"\*|[0-9]{12}|arn:[^:*?]+:(?:iam|sts)::[0-9]{12}:[^*?]+|A[A-Z]{3}[A-Z0-9]{12,124}")


class MalformedPolicy(ValueError):
    """A document is no policy; the text is the one that a client would be told.

    Source: Observed, ExtendDB's served check, for the size's text; Assumed: the other texts begin alike and say what
    is wrong.
    """


@dataclass(frozen=True, slots=True)
class Principal:
    """A kind of principal (``*``, or the member's name) and its identifier."""

    kind: str
    identifier: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement; of each pair such as Action and NotAction, the values and whether they are negated."""

    sid: str
    effect: Literal["Allow", "Deny"]
    actions: tuple[str, ...]
    not_actions: bool
    resources: tuple[str, ...]
    not_resources: bool
    principals: tuple[Principal, ...]
    not_principals: bool
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    """A document that has been read, with its text as it was written."""

    text: str
    kind: Kind
    size_bytes: int
    version: str
    statements: tuple[Statement, ...]

    @property
    def knows_variables(self) -> bool:
        """Whether ``${…}`` means a variable.

        Source: Documented, IAM User Guide, "Variables and tags", read 2026-12-04: in version 2012-10-17 alone.
        """
        return self.version == VERSIONS[0]


def parse(document: str | bytes | Mapping[str, Any], *, kind: Kind, maximum_bytes: int) -> Policy:
    """Return the policy that a document says.

    Args:
        document: JSON text, or what such a text would be read as; the latter is written without spaces first.
        kind: "identity" (also for permissions boundaries and session policies) or "resource".
        maximum_bytes: The largest size in bytes of UTF-8, spaces counted; a document of just that size is taken.

    Raises:
        MalformedPolicy: The document is too large, no JSON, or not in the grammar of policies.

    >>> document = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"dynamodb:*","Resource":"*"}]}'
    >>> parse(document, kind="identity", maximum_bytes=94).size_bytes
    94
    >>> parse(document, kind="identity", maximum_bytes=93)
    Traceback (most recent call last):
    pytest_ddbthrottle...MalformedPolicy: Invalid...: policy document exceeds maximum size (93 bytes)

    Source: Observed, ExtendDB's served check: 622 bytes are refused at a maximum of 400, 94 are taken; the maximum
    itself is allowed. Documented, IAM User Guide, "Grammar of the IAM JSON policy language", read 2026-12-04.
    Assumed: spaces count as written (for resource policies that is documented; IAM itself leaves them out).
    """
    text = _text(document)
    size_bytes = len(text.encode())
    if size_bytes > maximum_bytes:
        _refuse(f"policy document exceeds maximum size ({maximum_bytes} bytes)")
    members = _object(_json(text), "the document", _POLICY_MEMBERS)
    _name_or_nothing(members, "Id")
    version = members.get("Version", VERSIONS[1])
    if version not in VERSIONS:
        _refuse(f"Version must be {VERSIONS[0]} or {VERSIONS[1]}")
    return Policy(text, kind, size_bytes, version, _statements(members, kind))


def _refuse(what: str) -> NoReturn:
    raise MalformedPolicy(f"Invalid policy document: policy parse error: {what}")


def _text(document: object) -> str:
    """Give the text of a document, which can be written as UTF-8."""
    try:
        if isinstance(document, bytes):
            return document.decode()
        if isinstance(document, Mapping):
            return json.dumps(dict(document), separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        if isinstance(document, str):
            document.encode()
            return document
    except (TypeError, ValueError, RecursionError):
        _refuse("the document cannot be written as JSON text in UTF-8")
    _refuse("the document is neither text nor a mapping")


def _json(text: str) -> Any:
    """Read JSON; what is named twice, or is no number of JSON's, is refused."""
    try:
        return json.loads(
            text, object_pairs_hook=_unique_members, parse_float=Decimal, parse_int=Decimal, parse_constant=_no_constant
        )
    except MalformedPolicy:
        raise
    except (ValueError, ArithmeticError, RecursionError):
        _refuse("the document is not valid JSON")


def _unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            _refuse(f"{name} is there twice")
        members[name] = value
    return members


def _no_constant(name: str) -> NoReturn:
    _refuse("the document is not valid JSON")


def _object(value: Any, where: str, known: frozenset[str]) -> dict[str, Any]:
    """Give an object whose members are all known."""
    if not isinstance(value, dict):
        _refuse(f"{where} must be an object")
    for name in value:
        if name not in known:
            _refuse(f"{where} has an unknown member {name}")
    return value


def _name_or_nothing(members: dict[str, Any], name: str) -> str:
    value = members.get(name, "")
    if not isinstance(value, str):
        _refuse(f"{name} must be a string")
    return value


def _statements(members: dict[str, Any], kind: Kind) -> tuple[Statement, ...]:
    """Read one statement, or a list of them."""
    if "Statement" not in members:
        _refuse("the document has no Statement")
    found = members["Statement"]
    statements = tuple(_statement(each, kind) for each in (found if isinstance(found, list) else [found]))
    if not statements:
        _refuse("Statement is empty")
    sids = [statement.sid for statement in statements if statement.sid]
    if (sid := _first_twice(sids)) is not None:
        _refuse(f"two statements have the Sid {sid}")
    return statements


def _first_twice(values: list[str]) -> str | None:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            return value
        seen.add(value)
    return None


def _statement(value: Any, kind: Kind) -> Statement:
    members = _object(value, "a statement", _STATEMENT_MEMBERS)
    effect = members.get("Effect")
    if effect not in ("Allow", "Deny"):
        _refuse("Effect must be Allow or Deny")
    actions, not_actions = _one_of(members, "Action", _strings, required=True)
    resources, not_resources = _one_of(members, "Resource", _strings, required=True)
    principals, not_principals = _principals_of(members, kind)
    _each(actions, _ACTION, "an action must be * or begin with its service, as dynamodb:GetItem does; it is")
    _each(resources, _RESOURCE, "a resource must be an ARN or *; it is")
    return Statement(
        sid=_sid(members, kind),
        effect=effect,
        actions=actions,
        not_actions=not_actions,
        resources=resources,
        not_resources=not_resources,
        principals=principals,
        not_principals=not_principals,
        conditions=_conditions(members.get("Condition", {})),
    )


def _sid(members: dict[str, Any], kind: Kind) -> str:
    """Read a Sid.

    Source: Documented, IAM User Guide, "Sid", read 2026-12-04: letters and digits in identity policies, unique within
    a policy.
    """
    sid = _name_or_nothing(members, "Sid")
    if kind == "identity" and not _SID.fullmatch(sid):
        _refuse(f"a Sid has letters and digits alone; it is {sid}")
    return sid


def _one_of(
    members: dict[str, Any], name: str, read: Callable[[Any, str], tuple[Any, ...]], *, required: bool
) -> tuple[tuple[Any, ...], bool]:
    """Read a member or its negation, of which just one may be there."""
    there = [each for each in (name, f"Not{name}") if each in members]
    if len(there) > 1:
        _refuse(f"a statement has {name} and Not{name}")
    if not there:
        if required:
            _refuse(f"a statement needs {name} or Not{name}")
        return (), False
    return read(members[there[0]], there[0]), there[0] != name


def _principals_of(members: dict[str, Any], kind: Kind) -> tuple[tuple[Principal, ...], bool]:
    """Read whom a statement is about: needed in a resource's policy, and forbidden in an identity's."""
    for name in ("Principal", "NotPrincipal"):
        if kind == "identity" and name in members:
            _refuse(f"an identity-based policy must not have {name}")
    principals, negated = _one_of(members, "Principal", _principals, required=kind == "resource")
    if negated and members.get("Effect") == "Allow":
        # Source: Documented, IAM User Guide, "NotPrincipal", read 2026-12-04: with Deny alone.
        _refuse("NotPrincipal needs the Effect Deny")
    return principals, negated


def _principals(value: Any, name: str) -> tuple[Principal, ...]:
    if value == "*":
        return (Principal("*", "*"),)
    if not isinstance(value, dict):
        _refuse(f"{name} must be * or an object")
    members = _object(value, name, frozenset(_PRINCIPAL_KINDS))
    if not members:
        _refuse(f"{name} names nobody")
    found = tuple(Principal(kind, each) for kind in members for each in _strings(members[kind], f"{name}.{kind}"))
    _each((one.identifier for one in found if one.kind == "AWS"), _AWS_PRINCIPAL, "no such principal can be:")
    return found


def _strings(value: Any, name: str) -> tuple[str, ...]:
    """Read a string, or a list of at least one."""
    values = tuple(value) if isinstance(value, list) else (value,)
    if not values:
        _refuse(f"{name} is empty")
    if not all(isinstance(each, str) for each in values):
        _refuse(f"{name} must be a string or a list of strings")
    return values


def _each(values: Any, pattern: re.Pattern[str], text: str) -> None:
    for value in values:
        if not pattern.fullmatch(value):
            _refuse(f"{text} {value}")


def _conditions(value: Any) -> tuple[Condition, ...]:
    if not isinstance(value, dict):
        _refuse("Condition must be an object")
    return tuple(condition for name in value for condition in _conditions_of(name, value[name]))


def _conditions_of(name: str, keys: Any) -> tuple[Condition, ...]:
    """Read the keys under one operator."""
    found = read_operator(name)
    if found is None:
        _refuse(f"Condition has an unknown operator {name}")
    if not isinstance(keys, dict):
        _refuse(f"Condition.{name} must be an object")
    operator, quantifier, if_exists, is_null = found
    lowered = [key.lower() for key in keys]
    for key in lowered:
        if ":" not in key:
            _refuse(f"a condition key must begin with its service, as aws:username does; it is {key}")
    if (twice := _first_twice(lowered)) is not None:
        _refuse(f"Condition.{name} has the key {twice} twice")
    return tuple(
        Condition(operator, key.lower(), _wanted(value, f"{name}.{key}", operator), quantifier, if_exists, is_null)
        for key, value in keys.items()
    )


def _wanted(value: Any, where: str, operator: Any) -> tuple[str, ...]:
    """Read the values of a condition: strings, numbers and booleans, alone or in a list."""
    values = value if isinstance(value, list) else [value]
    if not values:
        _refuse(f"Condition.{where} is empty")
    texts = tuple(_scalar(each, where) for each in values)
    for text in texts:
        if not operator.takes(text):
            _refuse(f"Condition.{where} must be {operator.wants}; it is {text}")
    return texts


def _scalar(value: Any, where: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | Decimal):
        return str(value)
    _refuse(f"Condition.{where} must be a string, a number or a boolean")
