"""Functions replaced wherever a module has bound them: ``from time import sleep`` and all its like."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pytest_ddbthrottle._time.ignored import IgnoredModules

Pair = tuple[Any, Any]
"""What is replaced, and by what."""
Binding = tuple[dict[str, Any], str, Any, Any]
"""A namespace, a name in it, what it was bound to, and what it is bound to now."""


@contextmanager
def rebound(pairs: Sequence[Pair], ignored: IgnoredModules) -> Iterator[None]:
    """Replace each binding in each module that is not ignored; restore each binding afterwards."""
    names_before = set(sys.modules)
    bound = _rebind(_namespaces(names_before, ignored), pairs)
    try:
        yield
    finally:
        for namespace, name, old, new in bound:
            if namespace.get(name) is new:
                namespace[name] = old
        _rebind(_namespaces(set(sys.modules) - names_before, ignored), [(new, old) for old, new in reversed(pairs)])


def _namespaces(names: Iterable[str], ignored: IgnoredModules) -> list[dict[str, Any]]:
    namespaces = [getattr(sys.modules.get(name), "__dict__", None) for name in names if not ignored.has(name)]
    return [namespace for namespace in namespaces if isinstance(namespace, dict)]


def _rebind(namespaces: Iterable[dict[str, Any]], pairs: Sequence[Pair]) -> list[Binding]:
    """Replace by identity; give what was replaced."""
    replacements = {id(old): (old, new) for old, new in pairs}
    olds = replacements.keys()
    # With sets of C's: tens of thousands of values are looked at for each test.
    touched = [namespace for namespace in namespaces if not olds.isdisjoint(map(id, list(namespace.values())))]
    bindings = [
        (namespace, name, *replacements[id(value)])
        for namespace in touched
        for name, value in list(namespace.items())
        if id(value) in replacements
    ]
    for namespace, name, _, new in bindings:
        namespace[name] = new
    return bindings
