"""The keywords that a type checker sees are those that a call takes."""

from __future__ import annotations

from dataclasses import fields
from inspect import Parameter, signature

import pytest

from pytest_ddbthrottle import _assertions, _keyword_types
from pytest_ddbthrottle._engine.faults import InjectRule
from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.throttle.rule import ThrottleRule
from pytest_ddbthrottle._swarm_options import SwarmOptions
from pytest_ddbthrottle._sweep_options import SweepOptions


def keywords(function) -> list[str]:
    return [name for name, part in signature(function).parameters.items() if part.kind is Parameter.KEYWORD_ONLY]


def names(rule_class) -> list[str]:
    return [part.name for part in fields(rule_class)]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (_keyword_types.ThrottleNames, names(ThrottleRule)),
        (_keyword_types.TableThrottleNames, [name for name in names(ThrottleRule) if name != "table"]),
        (_keyword_types.InjectNames, names(InjectRule)),
        (_keyword_types.LimitNames, names(AccountLimits)),
        (_keyword_types.SweepNames, names(SweepOptions)),
        (_keyword_types.SwarmNames, names(SwarmOptions)),
        (_keyword_types.BackOffBounds, keywords(_assertions.assert_backoff)),
        (_keyword_types.ConsumedUnits, keywords(_assertions.assert_consumed)),
        (
            _keyword_types.RefusalParts,
            [*keywords(_assertions.assert_call_throttled), *keywords(_assertions.assert_throttled)],
        ),
    ],
)
def test_a_keyword_type_has_the_names_of_what_it_stands_for(typed, expected):
    assert sorted(typed.__optional_keys__) == sorted(expected)


def test_a_call_imports_none_of_it():
    from pytest_ddbthrottle import _fake_dynamodb, _table_handle

    assert not hasattr(_fake_dynamodb, "ThrottleNames")
    assert not hasattr(_table_handle, "TableThrottleNames")
