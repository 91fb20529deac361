"""An account whose tables are three attributes each, and whose time is a number: admission needs nothing more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from pytest_ddbthrottle._engine.capacity import BillingMode, Consumption, Throughput
from pytest_ddbthrottle._engine.errors import Throttled
from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.throttle.admission import Admission
from pytest_ddbthrottle._engine.throttle.reasons import OperationType
from pytest_ddbthrottle._engine.throttle.settings import ThrottleSettings

ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/"
DIRECTIONS = {"read": OperationType.READ, "write": OperationType.WRITE}


@dataclass
class StandInIndex:
    name: str
    arn: str
    throughput: Throughput


@dataclass
class StandInTable:
    name: str
    arn: str
    throughput: Throughput
    global_indexes: dict[str, StandInIndex] = field(default_factory=dict)


@dataclass
class Account:
    """One account's admission. Times are in seconds, amounts in units; an outcome is ``"admitted"`` or the reason."""

    settings: ThrottleSettings = field(default_factory=ThrottleSettings)
    limits: AccountLimits = field(default_factory=AccountLimits)
    tables: dict[str, StandInTable] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.admission = Admission("123456789012", "us-east-1", lambda table, index: self.settings, lambda: self.limits)

    def provisioned(self, rcu: int = 5, wcu: int = 5) -> Throughput:
        return Throughput(BillingMode.PROVISIONED, rcu, wcu)

    def on_demand(self, **caps_and_warmth: int | None) -> Throughput:
        return Throughput(BillingMode.PAY_PER_REQUEST, **caps_and_warmth)

    def create(
        self,
        throughput: Throughput,
        indexes: Mapping[str, Throughput] | None = None,
        name: str = "orders",
        at: float = 0,
    ) -> StandInTable:
        table = self.tables[name] = StandInTable(name, ARN + name, throughput)
        for index, of_index in (indexes or {}).items():
            table.global_indexes[index] = StandInIndex(index, f"{table.arn}/index/{index}", of_index)
        self.admission.refresh(table, ns(at))
        return table

    def change(self, throughput: Throughput, at: float, name: str = "orders") -> None:
        self.tables[name].throughput = throughput
        self.admission.refresh(self.tables[name], ns(at))
        self.admission.check_invariants()

    def part(
        self, direction: str, units: float, index: str | None = None, key: str | None = None, table: str = "orders"
    ) -> Consumption:
        key_ranges = () if key is None else ((key, ns(units)),)
        return Consumption(table, DIRECTIONS[direction], ns(units), index, key_ranges=key_ranges)

    def refusal_of(self, *parts: Consumption, at: float = 0) -> Throttled | None:
        try:
            self.admission.admit(self.tables, parts, ns(at))
        except Throttled as throttled:
            return throttled
        finally:
            self.admission.check_invariants()
        return None

    def ask(self, *parts: Consumption, at: float = 0) -> str:
        throttled = self.refusal_of(*parts, at=at)
        return "admitted" if throttled is None else told(throttled)

    def knock(self, *directions: str, table_name: str | None = "orders", at: float = 0) -> str:
        try:
            self.admission.knock([DIRECTIONS[direction] for direction in directions], table_name, ns(at))
        except Throttled as throttled:
            return told(throttled)
        return "admitted"

    def balance(self, direction: str, index: str | None = None, at: float = 0, name: str = "orders") -> float:
        nano_units = self.admission.balance_nano_units(self.tables[name], DIRECTIONS[direction], index, ns(at))
        return nano_units / 10**9


def ns(seconds: float) -> int:
    return round(seconds * 10**9)


def told(throttled: Throttled) -> str:
    """The reason in the body that a client would receive."""
    members = throttled.error.members
    lists = [members[name] for name in ("ThrottlingReasons", "throttlingReasons") if name in members]
    return lists[0][0]["reason"] if lists else f"{throttled.error.code} without a reason"


@pytest.fixture
def account() -> Account:
    return Account()


@pytest.fixture(scope="session")
def make_account() -> type[Account]:
    return Account
