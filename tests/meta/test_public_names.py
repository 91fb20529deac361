"""The public names: each is there, and none costs anything before it is asked for."""

from __future__ import annotations

import importlib

import pytest

import pytest_ddbthrottle


@pytest.mark.parametrize("name", pytest_ddbthrottle.__all__)
def test_a_public_name_is_the_one_of_its_home(name):
    home = importlib.import_module(f"pytest_ddbthrottle.{pytest_ddbthrottle._HOMES[name]}")

    assert getattr(pytest_ddbthrottle, name) is getattr(home, name)


def test_every_home_is_of_a_public_name():
    assert sorted(pytest_ddbthrottle._HOMES) == sorted(pytest_ddbthrottle.__all__)


def test_the_names_are_listed():
    assert set(pytest_ddbthrottle.__all__) <= set(dir(pytest_ddbthrottle))


def test_another_name_is_an_error_that_says_so():
    with pytest.raises(ImportError, match="cannot import name 'assert_throtled' from 'pytest_ddbthrottle'"):
        exec("from pytest_ddbthrottle import assert_throtled")
