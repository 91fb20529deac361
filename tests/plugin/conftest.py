"""An inner pytest for the tests of the plugin: nothing of AWS in the environment, an empty home."""

from __future__ import annotations

import importlib
import os
import pkgutil
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from textwrap import dedent

import pytest

import pytest_ddbthrottle

PROJECT = Path(__file__).parents[2]
PLUGIN = "pytest_ddbthrottle.plugin"
OTHERS_MODULES = ("boto3.dynamodb.transform", "botocore.session", "freezegun")
# hypothesis's plugin would be rewritten, module by module, in each inner run: a second for every test.
NOT_NEEDED = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")
# pytest-asyncio, where it is installed, warns of an option that no inner run has.
NOT_ASYNCIO = ("-p", "no:asyncio")
Run = Callable[..., pytest.RunResult]


@pytest.fixture
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No credentials, no Region, no option of an outer run."""
    for name in [name for name in os.environ if name.startswith(("AWS_", "PYTEST_"))]:
        monkeypatch.delenv(name)


def is_installed() -> bool:
    """Tell whether pytest finds the plugin by itself."""
    return any(point.value == PLUGIN for point in entry_points(group="pytest11"))


@pytest.fixture(scope="session")
def shared_modules() -> None:
    """What an inner run in this process imports is forgotten with it, unless it was there before."""
    own_modules = [module.name for module in pkgutil.walk_packages(pytest_ddbthrottle.__path__, "pytest_ddbthrottle.")]
    for module in (*OTHERS_MODULES, *own_modules):
        if not module.endswith("__main__"):
            importlib.import_module(module)


@pytest.fixture
def run(shared_modules: None, pytester: pytest.Pytester, bare_environment: None) -> Run:
    """Run a test file in an inner pytest in this process."""
    plugins = [] if is_installed() else [importlib.import_module(PLUGIN)]

    def run_source(source: str, *arguments: str, off: tuple[str, ...] = NOT_ASYNCIO) -> pytest.RunResult:
        pytester.makepyfile(dedent(source))
        return pytester.runpytest_inprocess(*NOT_NEEDED, *off, *arguments, plugins=plugins)

    return run_source


@pytest.fixture
def run_apart(pytester: pytest.Pytester, bare_environment: None, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a test file in an inner pytest in a process of its own."""
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))

    plugins = [] if is_installed() else ["-p", PLUGIN]

    def run_source(source: str, *arguments: str) -> pytest.RunResult:
        pytester.makepyfile(dedent(source))
        return pytester.runpytest_subprocess(*plugins, *NOT_NEEDED, *arguments)

    return run_source
