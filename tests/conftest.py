"""Lets every test have an inner pytest, and look at an account as a plain value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

pytest_plugins = ["pytester"]


@pytest.fixture(scope="session")
def account_state() -> Callable[..., dict[str, Any]]:
    """Gives an engine's tables, items, tokens and balances as plain values, which can be compared."""
    return state


def state(engine: Any, *, balances: bool = True) -> dict[str, Any]:
    regions = engine.snapshot().regions
    return {
        "tables": {name: plain(tables) for name, (tables, *_) in regions.items()},
        "tokens": {name: plain(tokens) for name, (_, tokens, *_) in regions.items()},
        "changes": {name: changes for name, (*_, changes) in regions.items()},
        "limits": engine.limits,
        **(
            {"balances": {name: plain(admission) for name, (_, _, admission, *_) in regions.items()}}
            if balances
            else {}
        ),
    }


def plain(value: Any) -> Any:
    if hasattr(value, "walk"):
        return [(key, plain(item)) for key, item in value.walk()]
    if is_dataclass(value) and not isinstance(value, type):
        return {part.name: plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, Mapping):
        return {key: plain(part) for key, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value
