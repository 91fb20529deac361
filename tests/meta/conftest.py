"""The package's modules as text and as syntax trees: what the meta tests read."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
PACKAGE = PROJECT / "pytest_ddbthrottle"


@pytest.fixture(scope="session")
def project() -> Path:
    """The root of the repository."""
    return PROJECT


@pytest.fixture(scope="session")
def modules() -> dict[str, ast.Module]:
    """The package's modules by dotted name; a package goes by its own."""
    return {_name(path): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}


def _name(path: Path) -> str:
    parts = path.relative_to(PROJECT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
