"""The sizes that the house holds: short functions, short modules, names that say what is inside."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from statistics import median, quantiles

import pytest

LONGEST_FUNCTION_LINES = 50
LONGEST_MODULE_LINES = 400
MEDIAN_FUNCTION_LINES = 7
NINE_IN_TEN_FUNCTION_LINES = 25
MEDIAN_MODULE_LINES = 150
NAMES_THAT_SAY_NOTHING = {"base", "common", "helpers", "misc", "tools", "utils", "util"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(modules: dict[str, ast.Module]) -> Iterator[tuple[str, Function]]:
    for name, tree in modules.items():
        for node in ast.walk(tree):
            if isinstance(node, Function):
                yield f"{name}.{node.name}", node


def lines(node: ast.stmt) -> int:
    """Give the lines of a statement, from its first to its last."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def code_lines(function: Function) -> int:
    """Give the lines of a function without those of its docstring."""
    first = function.body[0]
    has_docstring = ast.get_docstring(function, clean=False) is not None
    return lines(function) - (lines(first) if has_docstring else 0)


def module_lines(tree: ast.Module) -> int:
    return max((node.end_lineno or 0 for node in tree.body), default=0)


def test_no_function_is_too_long(modules):
    long = {name: code_lines(node) for name, node in functions(modules) if code_lines(node) > LONGEST_FUNCTION_LINES}

    assert long == {}


def test_functions_are_short_as_a_rule(modules):
    sizes = [code_lines(node) for _, node in functions(modules)]

    assert median(sizes) <= MEDIAN_FUNCTION_LINES
    assert quantiles(sizes, n=10)[-1] <= NINE_IN_TEN_FUNCTION_LINES


def test_no_module_is_too_long(modules):
    long = {name: module_lines(tree) for name, tree in modules.items() if module_lines(tree) > LONGEST_MODULE_LINES}

    assert long == {}


def test_modules_are_short_as_a_rule(modules):
    assert median(module_lines(tree) for tree in modules.values()) <= MEDIAN_MODULE_LINES


def test_no_module_has_a_name_that_says_nothing(modules):
    assert [name for name in modules if name.rpartition(".")[2].strip("_") in NAMES_THAT_SAY_NOTHING] == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f():\n    return 1\n", 2),
        ('def f():\n    """One.\n\n    More.\n    """\n    return 1\n', 2),
    ],
)
def test_a_docstring_does_not_count_as_code(source, expected):
    function = ast.parse(source).body[0]

    assert isinstance(function, ast.FunctionDef)
    assert code_lines(function) == expected
