"""Rules that a test puts in force: how long they hold, and whether they had any effect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from types import TracebackType

from pytest_ddbthrottle._engine.dynamodb import DynamoDB
from pytest_ddbthrottle._engine.faults import InjectRule, ScriptedRule
from pytest_ddbthrottle._engine.throttle.rule import ThrottleRule


@dataclass(slots=True)
class Scope:
    """Rules that hold for a while: one test, or one ``with`` block."""

    throttle: Sequence[ThrottleRule]
    inject: Sequence[ScriptedRule]
    engine: DynamoDB = field(repr=False)

    def unfired(self) -> list[str]:
        """Give a sentence for each rule that had no effect: never fired, or about a table never made."""
        names = self.engine.names_made
        return [
            *(unfired_text(scripted) for scripted in self.inject if not scripted.fired and not scripted.rule.optional),
            *(
                f"{_said('ddb_throttle', rule)} was never used: no {_missing(rule)} was made"
                for rule in self.throttle
                if rule.table is not None and (rule.table, rule.index) not in names
            ),
        ]


def unfired_text(scripted: ScriptedRule) -> str:
    """Say that a scripted rule never fired, and how often a call matched it."""
    rule = scripted.rule
    met = "no call matched it" if not scripted.matched else f"{scripted.matched} calls matched, after={rule.after}"
    return f"{_said('ddb_inject', rule)} never fired: {met}"


def _said(marker: str, rule: ThrottleRule | InjectRule) -> str:
    said = [
        f"{part.name}={getattr(rule, part.name)!r}" for part in fields(rule) if getattr(rule, part.name) != part.default
    ]
    return f"{marker}({', '.join(said)})"


def _missing(rule: ThrottleRule) -> str:
    return f"table {rule.table!r}" if rule.index is None else f"index {rule.index!r} of table {rule.table!r}"


class Injection:
    """A scripted rule in force; as a context manager it holds for the block, and must fire in it."""

    def __init__(self, engine: DynamoDB, scripted: ScriptedRule) -> None:
        self._engine = engine
        self._scripted = scripted

    @property
    def fired(self) -> int:
        """How often the rule has fired."""
        return self._scripted.fired

    def remove(self) -> None:
        """Take the rule out of force."""
        self._engine.scripted_rules[:] = [rule for rule in self._engine.scripted_rules if rule is not self._scripted]

    def __enter__(self) -> Injection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.remove()
        if error is None and not self.fired and not self._scripted.rule.optional:
            raise AssertionError(
                f"{unfired_text(self._scripted)}\nIf that is meant: optional=True; docs/how-to/inject.md"
            )
