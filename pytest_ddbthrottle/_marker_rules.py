"""Markers, and calls that do the same: keywords checked by the engine's rule classes, whose fields are what is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Protocol, TypeVar

from pytest_ddbthrottle._engine.faults import InjectRule
from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.throttle.rule import ThrottleRule
from pytest_ddbthrottle._options import nearest
from pytest_ddbthrottle._sweep_options import SweepOptions

Rule = TypeVar("Rule")


class Marked(Protocol):
    """A marker on a test, as pytest gives it."""

    @property
    def name(self) -> str:
        """The marker's name."""

    @property
    def args(self) -> tuple[Any, ...]:
        """Its positional arguments."""

    @property
    def kwargs(self) -> Mapping[str, Any]:
        """Its keyword arguments."""


class BadMarker(Exception):
    """A marker that can't be; the message is for the test's author."""


@dataclass(slots=True)
class MarkerRules:
    """What a test's markers say.

    Attributes:
        throttle: from the farthest (module) to the closest.
        inject: in the same order, which for decorators is from the top down.
        limits: names of ``AccountLimits``; the closest marker's value of each.
        sweep: of the closest marker, if the test is to be swept.
    """

    throttle: list[ThrottleRule] = field(default_factory=list)
    inject: list[InjectRule] = field(default_factory=list)
    limits: dict[str, Any] = field(default_factory=dict)
    sweep: SweepOptions | None = None

    def add(self, marker: Marked) -> None:
        """Add a marker that is closer than those before it; others than the plugin's are passed over.

        Raises:
            BadMarker: a positional argument, an unknown name, a value out of range, names that contradict each other.
        """
        if marker.name == "ddb_throttle":
            self.throttle.append(rule_of(ThrottleRule, marker))
        elif marker.name == "ddb_inject":
            self.inject.append(rule_of(InjectRule, marker))
        elif marker.name == "ddb_limits":
            rule_of(AccountLimits, marker)
            self.limits.update(marker.kwargs)
        elif marker.name == "ddb_throttle_sweep":
            self.sweep = rule_of(SweepOptions, marker)


def rules_of(markers: Iterable[Marked]) -> MarkerRules:
    """Give the rules of a test's markers, which come from the farthest to the closest.

    Raises:
        BadMarker: the first marker that can't be.
    """
    rules = MarkerRules()
    for marker in markers:
        rules.add(marker)
    return rules


def rule_of(rule_class: type[Rule], marker: Marked) -> Rule:
    """Give a marker's rule.

    Raises:
        BadMarker: a positional argument, an unknown name, a value out of range, names that contradict each other.
    """
    if marker.args:
        given = ", ".join(repr(argument) for argument in marker.args)
        allowed = allowed_text(field_names(rule_class))
        raise BadMarker(f"@pytest.mark.{marker.name} takes keyword arguments only, not {given}.\n{allowed}")
    if text := name_fault(rule_class, marker.kwargs):
        raise BadMarker(f"@pytest.mark.{marker.name}{text}")
    try:
        return rule_class(**marker.kwargs)
    except (TypeError, ValueError) as error:
        raise BadMarker(f"@pytest.mark.{said(marker)}: {error}") from None


def checked_names(
    rule_class: type[Any], function: str, names: Mapping[str, Any], *others: str, without: Iterable[str] = ()
) -> dict[str, Any]:
    """Give the keywords of a call that does what a marker does.

    Args:
        rule_class: its fields are the names allowed.
        function: what was called, for the message.
        names: the keywords.
        others: what the function takes besides.
        without: fields that the function does not take.

    Raises:
        TypeError: an unknown name, with the nearest match and the list of allowed ones.
    """
    if text := name_fault(rule_class, names, *others, without=without):
        raise TypeError(f"{function}(){text}")
    return dict(names)


def name_fault(rule_class: type[Any], names: Iterable[str], *others: str, without: Iterable[str] = ()) -> str | None:
    """Say what is wrong with the first name that is not allowed, and which are; None where all of them are."""
    allowed = tuple(name for name in (*others, *field_names(rule_class)) if name not in without)
    for name in names:
        if name not in allowed:
            return f" has no argument {name!r}{nearest(name, allowed)}\n{allowed_text(allowed)}"
    return None


def field_names(rule_class: type[Any]) -> tuple[str, ...]:
    """Give the names that a rule class takes."""
    return tuple(part.name for part in fields(rule_class))


def allowed_text(names: Iterable[str]) -> str:
    """Give the last line of a message about a name."""
    return f"Allowed names: {', '.join(names)}"


def said(marker: Marked) -> str:
    """Give a marker as it was written."""
    return f"{marker.name}({', '.join(f'{name}={value!r}' for name, value in marker.kwargs.items())})"
