"""Two accounts' tables compared: which items are missing, too many or different, in a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_ddbthrottle._engine.tables import Table
from pytest_ddbthrottle._failures import counted
from pytest_ddbthrottle._sweep_bench import Contents

_SHOWN = 3


def difference(expected: Contents, found: Contents) -> str | None:
    """Say how tables differ from those expected; None where they hold the same.

    Args:
        expected: the tables and items of the run in which nothing was refused.
        found: those of another.
    """
    texts = [f"table {table} is missing" for _, table in sorted(expected.keys() - found.keys())]
    texts += [f"table {table} was not to be" for _, table in sorted(found.keys() - expected.keys())]
    for (region, name), (table, items) in expected.items():
        if (region, name) in found:
            texts += _differing_items(name, table, items, found[region, name][1])
    return "; ".join(texts) or None


def _differing_items(name: str, table: Table, expected: Mapping[Any, Any], found: Mapping[Any, Any]) -> list[str]:
    missing = [item for key, item in expected.items() if key not in found]
    besides = [item for key, item in found.items() if key not in expected]
    changed = [item for key, item in expected.items() if key in found and _differ(item, found[key])]
    said = ((missing, "missing"), (besides, "too many"), (changed, "different"))
    return [f"{name}: {counted(len(items), 'item')} {how} ({_keys_text(table, items)})" for items, how in said if items]


def _differ(item: Any, other: Any) -> bool:
    return item is not other and item.attributes() != other.attributes()


def _keys_text(table: Table, items: Sequence[Any]) -> str:
    keys = [table.key_schema.only_keys(item.attributes()) for item in items[:_SHOWN]]
    texts = [" ".join(f"{name}={next(iter(value.values()))}" for name, value in key.items()) for key in keys]
    return ", ".join([*texts, *(["…"] if len(items) > _SHOWN else [])])
