"""The words: each block of code compiles, each link leads somewhere, each public name says what it is."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from textwrap import dedent

import pytest

import pytest_ddbthrottle
from pytest_ddbthrottle._engine.clock import Sleep
from pytest_ddbthrottle._engine.journal import Call, Leftover
from pytest_ddbthrottle._engine.operations.unmodelled import UNMODELLED_OPERATIONS

PROJECT = Path(__file__).parents[2]
PAGES = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md")])
SOURCES = sorted((PROJECT / "pytest_ddbthrottle").rglob("*.py"))
MODULES = [
    ".".join(path.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__")
    for path in SOURCES
    if path.stem != "__main__"
]
FENCE = re.compile(r"^( *)```(\w+)[^\n]*\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)")
NAMED_PAGE = re.compile(r"\bdocs/[\w/-]+\.md\b")


def page_name(path: Path) -> str:
    return str(path.relative_to(PROJECT))


def blocks(language: str) -> list[object]:
    """Give the fenced blocks of a language, each with the name of its page."""
    return [
        pytest.param(dedent(match[3]), id=f"{page_name(page)}-{number}")
        for page in PAGES
        for number, match in enumerate(FENCE.finditer(page.read_text(encoding="utf-8")))
        if match[2] == language
    ]


def anchors(page: Path) -> set[str]:
    """Give the fragments that a page's headings answer to."""
    headings = re.findall(r"^#+ +(.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("source", blocks("python"))
def test_a_block_of_python_compiles(source):
    assert isinstance(ast.parse(source), ast.Module)


@pytest.mark.parametrize("source", blocks("pycon"))
def test_a_session_in_the_docs_runs(source):
    test = doctest.DocTestParser().get_doctest(source, {}, "docs", None, None)

    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)

    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_each_link_leads_somewhere(page):
    broken = []
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        path, _, fragment = target.partition("#")
        if "://" in target:
            continue
        there = (page.parent / path).resolve() if path else page
        if not there.exists() or (fragment and fragment not in anchors(there)):
            broken.append(target)

    assert broken == []


@pytest.mark.parametrize("page", sorted(page_name(page) for page in PAGES if page.parent != PROJECT))
def test_each_page_is_linked_from_another(page):
    linked = {
        page_name((other.parent / target.partition("#")[0]).resolve())
        for other in PAGES
        for target in LINK.findall(other.read_text(encoding="utf-8"))
        if "://" not in target and (other.parent / target.partition("#")[0]).resolve().is_relative_to(PROJECT)
    }

    assert page in linked or page == "docs/index.md"


@pytest.mark.parametrize("path", SOURCES, ids=page_name)
def test_each_page_that_a_module_names_exists(path):
    source = path.read_text(encoding="utf-8")

    assert [name for name in NAMED_PAGE.findall(source) if not (PROJECT / name).exists()] == []


@pytest.mark.parametrize("path", SOURCES, ids=page_name)
def test_each_module_says_what_it_is(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_in_docstrings_run(module):
    results = doctest.testmod(import_module(module), optionflags=doctest.ELLIPSIS)

    assert results.failed == 0


@pytest.mark.parametrize("name", sorted(getattr(pytest_ddbthrottle, "__all__", ())))
def test_each_public_name_says_what_it_gives(name):
    public = getattr(pytest_ddbthrottle, name)

    assert inspect.getdoc(public)


@pytest.mark.parametrize("name", sorted(getattr(pytest_ddbthrottle, "__all__", ())))
def test_each_public_name_is_in_the_reference(name):
    reference = (PROJECT / "README.md").read_text(encoding="utf-8")

    assert f"`{name}`" in reference


@pytest.mark.parametrize("record", [Call, Leftover, Sleep])
def test_the_reference_of_the_fake_names_each_field_of_its_records(record):
    page = (PROJECT / "docs" / "reference" / "fake.md").read_text(encoding="utf-8")

    assert [field.name for field in fields(record) if f"`{field.name}`" not in page] == []


def test_the_page_of_what_is_unsupported_names_each_operation_that_is():
    page = (PROJECT / "docs" / "unsupported.md").read_text(encoding="utf-8")

    assert [name for name in sorted(UNMODELLED_OPERATIONS) if f"`{name}`" not in page] == []


def test_there_are_public_names():
    assert pytest_ddbthrottle.__all__ == sorted(pytest_ddbthrottle.__all__)
