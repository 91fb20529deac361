"""Document paths, bound: reading what they lead to, showing it alone, and telling paths apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from pytest_ddbthrottle._engine.attribute_value import AttributeValue, Item
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.nodes import Path, Step
from pytest_ddbthrottle._engine.expressions.placeholders import Placeholders

BoundPath = tuple[Step, ...]
"""Names, placeholders resolved, and list indexes; the first is an attribute's name."""


def bind_path(kind: str, path: Path, placeholders: Placeholders) -> BoundPath:
    """Give a path with its placeholders resolved."""
    first, *rest = path.steps
    if not rest:
        return (placeholders.name(kind, str(first)),)
    return tuple(step if isinstance(step, int) else placeholders.name(kind, step) for step in path.steps)


def shown(path: BoundPath) -> str:
    """Give a path as the service's errors write it.

    >>> shown(("a", "b", 1))
    '[a, b, [1]]'
    """
    return "[" + ", ".join(f"[{step}]" if isinstance(step, int) else step for step in path) + "]"


def find(item: Item, path: BoundPath) -> AttributeValue | None:
    """Give the value that a path leads to, or None where it leads nowhere."""
    value: AttributeValue | None = item.get(str(path[0]))
    for step in path[1:]:
        if value is None:
            return None
        value = child(value, step)
    return value


def child(value: AttributeValue, step: Step) -> AttributeValue | None:
    """Give a map's member or a list's element, or None."""
    if isinstance(step, int):
        elements = value.get("L", ())
        return elements[step] if step < len(elements) else None
    found: AttributeValue | None = value.get("M", {}).get(step)
    return found


def check_distinct(kind: str, paths: Sequence[BoundPath]) -> None:
    """Check that no path leads into another, and that no value is taken for a list and a map.

    Raises:
        ValidationException: naming the two paths.

    Source: Observed — public conformance suites, 2026.
    """
    if _are_distinct(paths):
        return
    pairs = list(combinations(paths, 2))
    faults = ((fault, *pair) for fault in ("overlap", "conflict") for pair in pairs if _fault(*pair) == fault)
    fault, first, second = next(faults)
    raise ValidationException(
        f"Invalid {kind}: Two document paths {fault} with each other; must remove or rewrite one of these paths; "
        f"path one: {shown(first)}, path two: {shown(second)}"
    )


def _are_distinct(paths: Sequence[BoundPath]) -> bool:
    """Tell quickly what nearly always holds; which two paths are at fault takes a look at each pair."""
    ends, by_index = set(paths), dict[BoundPath, bool]()
    for path in paths:
        for depth in range(1, len(path)):
            start, is_index = path[:depth], isinstance(path[depth], int)
            if start in ends or by_index.setdefault(start, is_index) != is_index:
                return False
    return len(ends) == len(paths)


def _fault(first: BoundPath, second: BoundPath) -> str | None:
    for one, two in zip(first, second, strict=False):
        if one != two:
            return "conflict" if isinstance(one, int) != isinstance(two, int) else None
    return "overlap"


Tree = dict[Step, "Tree | None"]
"""Paths by their steps; None where a path ends."""


def tree_of(paths: Iterable[BoundPath]) -> Tree:
    """Give several distinct paths as one tree, for ``only``."""
    tree: Tree = {}
    for path in paths:
        node = tree
        for step in path[:-1]:
            below = node.setdefault(step, {})
            assert below is not None, "the paths are distinct"
            node = below
        node[path[-1]] = None
    return tree


def only(item: Item, tree: Tree) -> Item:
    """Give what the paths of a tree lead to in an item, in its place; list elements close up in index order."""
    return _members(item, tree)


def _members(members: Item, tree: Tree) -> Item:
    found = {}
    for step, below in tree.items():
        value = members.get(step) if isinstance(step, str) else None
        if value is not None and (kept := _kept(value, below)) is not None:
            found[str(step)] = kept
    return found


def _kept(value: AttributeValue, tree: Tree | None) -> AttributeValue | None:
    if tree is None:
        return value
    if "M" in value:
        members = _members(value["M"], tree)
        return {"M": members} if members else None
    if "L" not in value:
        return None
    elements: list[Any] = value["L"]
    indexes = sorted(step for step in tree if isinstance(step, int) and step < len(elements))
    kept = [found for index in indexes if (found := _kept(elements[index], tree[index])) is not None]
    return {"L": kept} if kept else None
