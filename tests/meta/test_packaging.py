"""What a user installs: the entry point, the types, the licence; and what loading it costs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import pytest_ddbthrottle

PLUGIN = "pytest_ddbthrottle.plugin"
DISTRIBUTION = "pytest_ddbthrottle-0.1.0"
LOADED_LATER = ("aiobotocore", "boto3", "botocore", "freezegun", "sortedcontainers")
"""What no run of pytest pays for that uses no fake."""


def loaded_after(statement: str, project: Path) -> set[str]:
    """Give the top-level modules that a new interpreter has loaded after a statement."""
    program = f"{statement}\nimport json, sys\nprint(json.dumps(sorted({{n.partition('.')[0] for n in sys.modules}})))"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COV_", "COVERAGE_"))}
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=project, env=environment, capture_output=True, text=True, check=True
    )
    return set(json.loads(run.stdout))


@pytest.fixture(scope="module")
def wheel(project, tmp_path_factory) -> zipfile.ZipFile:
    """The wheel of this tree, built as pip would build it."""
    directory = tmp_path_factory.mktemp("wheel")
    program = f"import hatchling.build; print(hatchling.build.build_wheel({str(directory)!r}))"
    run = subprocess.run([sys.executable, "-c", program], cwd=project, capture_output=True, text=True, check=True)
    return zipfile.ZipFile(directory / run.stdout.split()[-1])


def test_importing_the_package_loads_neither_botocore_nor_pytest(project):
    loaded = loaded_after("import pytest_ddbthrottle", project)

    assert "pytest_ddbthrottle" in loaded
    assert loaded.isdisjoint({"aiobotocore", "boto3", "botocore", "freezegun", "pytest", "_pytest"})


def test_loading_the_plugin_loads_pytest_and_no_sdk(project):
    loaded = loaded_after(f"import {PLUGIN}", project)

    assert "pytest" in loaded
    assert loaded.isdisjoint(LOADED_LATER[:3])


def test_the_plugin_is_found_by_pytest():
    found = {point.name: point.value for point in entry_points(group="pytest11")}

    assert found.get("ddbthrottle") == PLUGIN


def test_every_module_can_be_imported(modules):
    for name in modules:
        if not name.endswith("__main__"):
            assert import_module(name).__name__ == name


def test_the_version_is_said_once(project):
    assert pytest_ddbthrottle.__version__ == "0.1.0"
    assert 'dynamic = ["version"]' in (project / "pyproject.toml").read_text()


def test_the_wheel_carries_the_package_and_nothing_else(wheel, modules):
    shipped = set(wheel.namelist())
    sources = {name for name in shipped if name.endswith(".py")}

    assert len(sources) == len(modules)
    assert "pytest_ddbthrottle/py.typed" in shipped
    assert {name.partition("/")[0] for name in shipped} == {"pytest_ddbthrottle", f"{DISTRIBUTION}.dist-info"}


def test_the_wheel_carries_entry_point_and_licence(wheel):
    metadata = f"{DISTRIBUTION}.dist-info"

    assert f"ddbthrottle = {PLUGIN}" in wheel.read(f"{metadata}/entry_points.txt").decode()
    assert "Apache License" in wheel.read(f"{metadata}/licenses/LICENSE").decode()


@pytest.mark.parametrize(
    "line",
    [
        "Name: pytest-ddbthrottle",
        "Version: 0.1.0",
        "Requires-Python: >=3.10",
        "License-Expression: Apache-2.0",
        "Classifier: Framework :: Pytest",
        "Classifier: Typing :: Typed",
        "Requires-Dist: botocore>=1.40.10",
    ],
)
def test_the_metadata_says(wheel, line):
    metadata = wheel.read(f"{DISTRIBUTION}.dist-info/METADATA").decode()

    assert line in metadata.splitlines()


def test_the_oldest_service_model_allowed_has_the_reasons(project):
    """The floor is the first botocore whose model has ``ThrottlingReasons``; an older one would drop them."""
    floor = re.search(r'"botocore>=([\d.]+)"', (project / "pyproject.toml").read_text())

    assert floor is not None
    assert floor[1] == "1.40.10"
