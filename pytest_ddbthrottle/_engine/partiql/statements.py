"""What a statement asks for, as values; its conditions and updates are nodes of ``expressions``."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_ddbthrottle._engine.attribute_value import Item
from pytest_ddbthrottle._engine.expressions.nodes import Action, Path, Step, Test


@dataclass(frozen=True, slots=True)
class Target:
    """A table, or one of its indexes: the name as it is written, or an ARN."""

    table: str
    index: str | None = None


@dataclass(frozen=True, slots=True)
class Ordering:
    """One attribute of ORDER BY."""

    name: str
    descending: bool


@dataclass(frozen=True, slots=True)
class Returning:
    """``RETURNING ALL OLD *`` and its like."""

    all: bool
    old: bool

    def __str__(self) -> str:
        return f"{'ALL' if self.all else 'MODIFIED'} {'OLD' if self.old else 'NEW'} *"


@dataclass(frozen=True, slots=True)
class Select:
    """``SELECT``; ``paths`` is None for ``*``."""

    target: Target
    paths: tuple[Path, ...] | None
    where: Test | None
    order: tuple[Ordering, ...] = ()


@dataclass(frozen=True, slots=True)
class Exists:
    """``EXISTS(SELECT …)``: a condition check of a transaction."""

    select: Select

    @property
    def target(self) -> Target:
        """What it looks at."""
        return self.select.target

    @property
    def where(self) -> Test | None:
        """What must hold."""
        return self.select.where


@dataclass(frozen=True, slots=True)
class Insert:
    """``INSERT INTO … VALUE {…}``."""

    target: Target
    item: Item

    @property
    def where(self) -> None:
        """Nothing: it names its item in whole."""


@dataclass(frozen=True, slots=True)
class Update:
    """``UPDATE … SET … REMOVE … WHERE …``."""

    target: Target
    actions: tuple[Action, ...]
    where: Test | None
    returning: Returning | None


@dataclass(frozen=True, slots=True)
class Delete:
    """``DELETE FROM … WHERE …``."""

    target: Target
    where: Test | None
    returning: Returning | None


Statement = Select | Exists | Insert | Update | Delete


def leaf_name(path: tuple[Step, ...]) -> str:
    """Give the name under which a SELECT shows a path: its last name, with the list indexes behind it.

    >>> leaf_name(("a", "b")), leaf_name(("tags", 1))
    ('b', 'tags[1]')

    Source: Observed — eu-west-2, 2026-09, a public implementation's capture.
    """
    last = max(place for place, step in enumerate(path) if isinstance(step, str))
    return str(path[last]) + "".join(f"[{step}]" for step in path[last + 1 :])
