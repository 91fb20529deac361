"""Attributes replaced for a while and put back as they were."""

from __future__ import annotations

import os
from typing import Any


class Patches:
    """A list of replacements, undone in the reverse order.

    An attribute that somebody has replaced again since is left alone: ours then lies under theirs and must pass on.
    """

    def __init__(self) -> None:
        self._undo: list[tuple[Any, str, Any, Any]] = []

    def replace(self, owner: Any, name: str, value: Any) -> None:
        """Set an attribute that a class or a module has of its own."""
        self._undo.append((owner, name, vars(owner)[name], value))
        setattr(owner, name, value)

    def undo(self) -> None:
        """Put back what was there."""
        while self._undo:
            owner, name, found, value = self._undo.pop()
            if vars(owner).get(name) is value:
                setattr(owner, name, found)


class EnvironmentDefault:
    """An environment variable that is set while it is needed, unless it was set already."""

    def __init__(self, name: str, value: str) -> None:
        self._name = name
        self._is_ours = name not in os.environ
        os.environ.setdefault(name, value)

    def undo(self) -> None:
        """Remove it again if it was not set before."""
        if self._is_ours:
            os.environ.pop(self._name, None)
