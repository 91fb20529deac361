"""Rules that a test puts in force: how long they hold, and whether they had any effect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from types import TracebackType
from typing import Any

from pytest_ddbthrottle._engine.account import Snapshot
from pytest_ddbthrottle._engine.dynamodb import DynamoDB
from pytest_ddbthrottle._engine.faults import InjectRule, ScriptedRule
from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.throttle.rule import ThrottleRule, rule_for


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """What a marker or a call says of capacity and limits.

    Attributes:
        throttle: from the farthest to the closest.
        limits: names of ``AccountLimits``.
        scoped: whether it holds for a test or a block, and no snapshot brings it back or takes it away.
    """

    throttle: tuple[ThrottleRule, ...] = ()
    limits: Mapping[str, Any] = field(default_factory=dict)
    scoped: bool = False


@dataclass(frozen=True, slots=True)
class AccountSnapshot:
    """A whole account at one instant, and what had been said of it; opaque to its user."""

    account: Snapshot
    statements: tuple[Statement, ...]
    script: tuple[tuple[ScriptedRule, int, int], ...]


class RulesInForce:
    """All that was said of an account, in order; of two that disagree the later one wins.

    Args:
        engine: the account.
    """

    def __init__(self, engine: DynamoDB) -> None:
        self._engine = engine
        self._statements: list[Statement] = []

    @property
    def called(self) -> list[ThrottleRule]:
        """The rules that were said by a call."""
        return [rule for statement in self._statements if not statement.scoped for rule in statement.throttle]

    def is_strict(self, table: str | None, *, by_default: bool) -> bool:
        """Tell whether a test fails for what an audit finds in its calls to a table."""
        strict = rule_for(self._engine.rules, table or "", None).strict
        return by_default if strict is None else strict

    def say(self, statement: Statement) -> None:
        """Put a statement in force, for tables that exist as well."""
        self._put_in_force([*self._statements, statement])

    def take_back(self, statement: Statement) -> None:
        """Take a statement out of force."""
        self._put_in_force([other for other in self._statements if other is not statement])

    def _put_in_force(self, statements: list[Statement]) -> None:
        limits: dict[str, Any] = {}
        for statement in statements:
            limits.update(statement.limits)
        in_force = replace(AccountLimits(), **limits)
        rules = [rule for statement in statements for rule in statement.throttle]
        if rules != self._engine.rules:
            self._engine.set_rules(rules)
        if in_force != self._engine.limits:
            self._engine.limits = in_force
        self._statements = statements

    def snapshot(self) -> AccountSnapshot:
        """Remember the account, what was said, and how far the script has come."""
        script = tuple((scripted, scripted.matched, scripted.fired) for scripted in self._engine.scripted_rules)
        return AccountSnapshot(self._engine.snapshot(), tuple(self._statements), script)

    def restore(self, snapshot: AccountSnapshot) -> None:
        """Set the account back. What holds for a test or a block holds on; scripted rules count on from then."""
        scoped = [statement for statement in self._statements if statement.scoped]
        then = [statement for statement in snapshot.statements if not statement.scoped or _is_in(statement, scoped)]
        self._engine.restore(snapshot.account)
        self._put_in_force([*then, *(statement for statement in scoped if not _is_in(statement, then))])
        self._engine.journal.count_refusals_anew()
        for scripted, matched, fired in snapshot.script:
            if any(scripted is own for own in self._engine.scripted_rules):
                scripted.matched, scripted.fired = matched, fired


def _is_in(statement: Statement, statements: Iterable[Statement]) -> bool:
    return any(statement is other for other in statements)


@dataclass(frozen=True, slots=True)
class Scope:
    """Rules that a test or a block brought, or that calls did, to be asked whether they had any effect."""

    throttle: Sequence[ThrottleRule]
    inject: Sequence[ScriptedRule]
    engine: DynamoDB = field(repr=False)

    def unfired(self) -> list[str]:
        """Give a sentence for each rule that had no effect: never fired, or about a table never made."""
        names = self.engine.names_made
        return [
            *(
                unfired_text(scripted)
                for scripted in self.inject
                if not scripted.has_fired and not scripted.rule.optional
            ),
            *(
                f"{_said('ddb_throttle', rule)} was never used: no {_missing(rule)} was made"
                for rule in self.throttle
                if rule.table is not None and (rule.table, rule.index) not in names
            ),
        ]


def unfired_text(scripted: ScriptedRule) -> str:
    """Say that a scripted rule never fired, and how often a call matched it."""
    rule = scripted.rule
    calls = "call" if scripted.matched == 1 else "calls"
    met = "no call matched it" if not scripted.matched else f"{scripted.matched} {calls} matched, after={rule.after}"
    return f"{_said('ddb_inject', rule)} never fired: {met}"


def _said(marker: str, rule: ThrottleRule | InjectRule) -> str:
    said = [
        f"{part.name}={getattr(rule, part.name)!r}" for part in fields(rule) if getattr(rule, part.name) != part.default
    ]
    return f"{marker}({', '.join(said)})"


def _missing(rule: ThrottleRule) -> str:
    return f"table {rule.table!r}" if rule.index is None else f"index {rule.index!r} of table {rule.table!r}"


class Injection:
    """A scripted rule in force; as a context manager it holds for the block, and must fire in it.

    Args:
        engine: the account.
        scripted: the rule.
    """

    def __init__(self, engine: DynamoDB, scripted: ScriptedRule) -> None:
        self._engine = engine
        self._scripted = scripted

    def __repr__(self) -> str:
        return f"<{_said('ddb_inject', self._scripted.rule)}: fired {self.fired} times>"

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
        __tracebackhide__ = True
        self.remove()
        if error is None and not self._scripted.has_fired and not self._scripted.rule.optional:
            raise AssertionError(
                f"{unfired_text(self._scripted)}\nIf that is meant: optional=True; docs/how-to/inject.md"
            )
