"""Attributes replaced for a block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_ABSENT = object()


@contextmanager
def replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    """Let an attribute of a class, a module or an object be another one until the block ends.

    One that somebody else has replaced since is left alone: ours then lies under theirs, and must pass on.
    """
    found = vars(owner).get(name, _ABSENT)
    setattr(owner, name, value)
    try:
        yield
    finally:
        if vars(owner).get(name) is value:
            delattr(owner, name) if found is _ABSENT else setattr(owner, name, found)
