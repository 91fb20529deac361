"""Every entry of the log of public bug reports has a test that bears its number."""

from __future__ import annotations

import re

import pytest

NUMBERS = [
    *(1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18, 19, 21, 22, 23, 25, 26, 27, 29, 30, 31, 33, 34, 35, 37, 38, 39),
    *(41, 42, 43, 45, 46, 47, 49, 50, 51),
]
"""The log's numbers; it has gaps."""


FOLDERS = ("acceptance", "async_clients")
"""Where tests begin with a number of the log; elsewhere a number is a number of something."""


@pytest.fixture(scope="module")
def numbered(project):
    """The numbers in the names of tests."""
    texts = [
        path.read_text(encoding="utf-8")
        for folder in FOLDERS
        for path in sorted((project / "tests" / folder).glob("test_*.py"))
    ]
    return {int(found) for text in texts for found in re.findall(r"^def test_(\d\d)_", text, re.MULTILINE)}


@pytest.mark.parametrize("number", NUMBERS)
def test_an_entry_has_a_test_with_its_number(numbered, number):
    assert number in numbered


def test_no_test_has_a_number_that_the_log_has_not(numbered):
    assert numbered <= set(NUMBERS)
