"""One account: what it holds in each Region, its limits, and what a test has said of it; kept and set back as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from threading import RLock
from typing import Any
from uuid import UUID

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.faults import InjectRule, ScriptedRule
from pytest_ddbthrottle._engine.journal import Journal
from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._engine.policy.access import AccessControl, AccessSnapshot
from pytest_ddbthrottle._engine.region import Region, RegionSnapshot
from pytest_ddbthrottle._engine.ruled_throughput import ruled_holders
from pytest_ddbthrottle._engine.throttle.admission import Admission
from pytest_ddbthrottle._engine.throttle.rule import ThrottleRule, rule_for
from pytest_ddbthrottle._engine.throttle.settings import ThrottleSettings


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A whole account at one instant; opaque to its user."""

    now_ns: int
    regions: Mapping[str, RegionSnapshot]
    limits: AccountLimits
    rules: tuple[ThrottleRule, ...]
    random_state: Any
    access: AccessSnapshot


class Account:
    """One account, in every Region, between two requests.

    Args:
        clock: whose time it is.
        account_id: twelve digits.
        seed: of ids and scripted rates; the same seed gives the same bytes.
        throttling: False for a store that never refuses for want of capacity.
    """

    def __init__(
        self, clock: VirtualClock, *, account_id: str = "123456789012", seed: int = 0, throttling: bool = True
    ) -> None:
        self.clock = clock
        self.account_id = account_id
        self.throttling = throttling
        self.random = Random(seed)
        self.lock = RLock()
        self.journal = Journal()
        self.limits = AccountLimits()
        self.rules: list[ThrottleRule] = []
        self.scripted_rules: list[ScriptedRule] = []
        self.regions: dict[str, Region] = {}
        self.access = AccessControl()
        self.names_made: set[tuple[str, str | None]] = set()
        self._settings: dict[tuple[str, str | None], ThrottleSettings] = {}

    def region(self, name: str) -> Region:
        """Give what the account holds in a Region at this instant, making it on first use."""
        if name not in self.regions:
            admission = Admission(self.account_id, name, self.settings_for, lambda: self.limits)
            self.regions[name] = Region(name, admission)
        region = self.regions[name]
        if region.changing:
            with self.lock:
                region.settle(self.clock.now_ns(), self.limits.ttl_sweep_seconds)
        return region

    def settings_for(self, table_name: str, index_name: str | None) -> ThrottleSettings:
        """Give the throttle model's settings for a table or index."""
        key = (table_name, index_name)
        if key not in self._settings:
            self._settings[key] = rule_for(self.rules, table_name, index_name).settings()
        return self._settings[key]

    def set_rules(self, rules: Sequence[ThrottleRule]) -> None:
        """Put these rules in force, in the order from farthest to closest, for tables that exist as well.

        An UpdateTable is the application's own word: it holds against the rules that were in force before it.

        Raises:
            ValueError: a new rule gives an index another billing mode than its table's; then nothing is changed.
        """
        with self.lock:
            brings_new = not all(any(rule is held for held in self.rules) for rule in rules)
            regions = [self.region(name) for name in self.regions]
            ruled = [
                (region, table, ruled_holders(table, rules, held=self.rules, brings_new=brings_new))
                for region in regions
                for table in region.tables.values()
            ]
            self.rules = list(rules)
            self._settings.clear()
            for region, table, holders in ruled:
                for holder in holders:
                    holder.put_in_force()
                region.admission.refresh(table, self.clock.now_ns())

    def inject(self, rule: InjectRule) -> ScriptedRule:
        """Put a scripted rule in force; gives the record of how often it fired."""
        scripted = ScriptedRule(rule)
        self.scripted_rules.append(scripted)
        return scripted

    def new_id(self) -> str:
        """Give a UUID drawn from the seed."""
        return str(UUID(int=self.random.getrandbits(128), version=4))

    @property
    def elapsed_seconds(self) -> float:
        """Virtual seconds since the clock's start."""
        return self.clock.elapsed_ns / NANOSECONDS_PER_SECOND

    def snapshot(self) -> Snapshot:
        """Give the whole account: tables, buckets, tokens, limits, rules and the clock's instant."""
        with self.lock:
            return Snapshot(
                self.clock.now_ns(),
                {name: region.snapshot() for name, region in self.regions.items()},
                self.limits,
                tuple(self.rules),
                self.random.getstate(),
                self.access.snapshot(),
            )

    def restore(self, snapshot: Snapshot) -> None:
        """Set the account back to a snapshot, which stays good for further uses. The journal is kept."""
        with self.lock:
            self.clock.restore(snapshot.now_ns)
            self.regions.clear()
            self.limits, self.rules = snapshot.limits, list(snapshot.rules)
            self._settings.clear()
            self.random.setstate(snapshot.random_state)
            self.access.restore(snapshot.access)
            for name, region in snapshot.regions.items():
                self.region(name).restore(region)

    def check_invariants(self) -> None:
        """Assert that every table, index and bucket agrees with itself.

        Raises:
            AssertionError: naming what disagrees.
        """
        with self.lock:
            for region in self.regions.values():
                region.admission.check_invariants()
                for table in region.tables.values():
                    table.check_invariants()
