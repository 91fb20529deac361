"""The syntax of expressions as values. Names and values may still be placeholders."""

from __future__ import annotations

from dataclasses import dataclass

Step = str | int
"""A name (``#n`` for a placeholder) or a list index."""


@dataclass(frozen=True, slots=True)
class Path:
    """A document path: ``a.b[0].#c``."""

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """A value placeholder: ``:v``."""

    placeholder: str


@dataclass(frozen=True, slots=True)
class Call:
    """A function with its operands: ``size(a)``."""

    function: str
    operands: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """``left + right`` or ``left - right``, in SET."""

    operator: str
    left: Operand
    right: Operand


Operand = Path | Value | Call | Arithmetic


@dataclass(frozen=True, slots=True)
class Comparison:
    """``left < right`` and its like."""

    operator: str
    left: Operand
    right: Operand


@dataclass(frozen=True, slots=True)
class Between:
    """``operand BETWEEN low AND high``."""

    operand: Operand
    low: Operand
    high: Operand


@dataclass(frozen=True, slots=True)
class In:
    """``operand IN (options)``."""

    operand: Operand
    options: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """``NOT operand``."""

    operand: Test


@dataclass(frozen=True, slots=True)
class Junction:
    """All operands joined by AND, or all by OR: a chain is one node, however long."""

    operator: str
    operands: tuple[Test, ...]


Test = Comparison | Between | In | Not | Junction | Call


@dataclass(frozen=True, slots=True)
class Action:
    """One action of an update: SET with an operand, ADD or DELETE with a value, REMOVE with none."""

    section: str
    path: Path
    operand: Operand | None = None
    opens_section: bool = False
