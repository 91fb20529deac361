"""Markers as rules: keywords checked and made into the engine's rule classes, whose fields are the allowed names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Protocol, TypeVar

from pytest_ddbthrottle._engine.faults import InjectRule
from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.throttle.rule import ThrottleRule
from pytest_ddbthrottle._options import nearest

Rule = TypeVar("Rule")
NOT_MODELLED = {
    "ddb_throttle": ("strict",),
    "ddb_limits": ("lifecycle", "max_policy_document_bytes", "per_table_scope"),
}


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
    """

    throttle: list[ThrottleRule] = field(default_factory=list)
    inject: list[InjectRule] = field(default_factory=list)
    limits: dict[str, Any] = field(default_factory=dict)

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
    allowed = tuple(part.name for part in fields(rule_class))  # type: ignore[arg-type]
    for complaint in _complaints(marker, allowed):
        raise BadMarker(f"@pytest.mark.{marker.name}{complaint}\nAllowed names: {', '.join(allowed)}")
    try:
        return rule_class(**marker.kwargs)
    except (TypeError, ValueError) as error:
        raise BadMarker(f"@pytest.mark.{said(marker)}: {error}") from None


def _complaints(marker: Marked, allowed: tuple[str, ...]) -> Iterator[str]:
    if marker.args:
        given = ", ".join(repr(argument) for argument in marker.args)
        yield f" takes keyword arguments only, not {given}."
    for name in marker.kwargs:
        if name in NOT_MODELLED.get(marker.name, ()):
            yield f": {name} is not modelled yet; docs/unsupported.md"
        elif name not in allowed:
            yield f" has no argument {name!r}{nearest(name, allowed)}"


def said(marker: Marked) -> str:
    """Give a marker as it was written."""
    return f"{marker.name}({', '.join(f'{name}={value!r}' for name, value in marker.kwargs.items())})"
