"""Random sequences of changes under random limits, against the rules written down once more; and many threads at once."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.dynamodb import DynamoDB
from pytest_ddbthrottle._engine.limits import AccountLimits

REGION = "us-east-1"
THREADS = 16
NAMES = ("tab1", "tab2", "tab3")
INDEXES = ("gsi1", "gsi2")

Pair = tuple[int, int]


def units(pair: Pair) -> dict[str, int]:
    return {"ReadCapacityUnits": pair[0], "WriteCapacityUnits": pair[1]}


def index(name: str, pair: Pair) -> dict[str, Any]:
    return {
        "IndexName": name,
        "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
        "ProvisionedThroughput": units(pair),
    }


def strings(*names: str) -> list[dict[str, str]]:
    return [{"AttributeName": name, "AttributeType": "S"} for name in names]


def new_table(name: str, pair: Pair, indexes: dict[str, Pair]) -> dict[str, Any]:
    return {
        "TableName": name,
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": strings("pk", *(["g"] if indexes else [])),
        "ProvisionedThroughput": units(pair),
        **({"GlobalSecondaryIndexes": [index(n, found) for n, found in indexes.items()]} if indexes else {}),
    }


@dataclass
class Books:
    """Who holds how much: name of the table to its pairs, ``None`` being the table itself."""

    limits: AccountLimits
    held: dict[str, dict[str | None, Pair]] = field(default_factory=dict)

    def total(self, direction: int, name: str | None = None) -> int:
        tables = [self.held[name]] if name else list(self.held.values())
        return sum(pair[direction] for table in tables for pair in table.values())

    def refuses_creation(self, name: str, wanted: dict[str | None, Pair]) -> str | None:
        if name in self.held:
            return "already exists"
        account = (self.limits.per_account_max_rcu, self.limits.per_account_max_wcu)
        table = (self.limits.per_table_max_rcu, self.limits.per_table_max_wcu)
        sums = [sum(pair[direction] for pair in wanted.values()) for direction in (0, 1)]
        if any(self.total(d) + sums[d] > account[d] for d in (0, 1)):
            return "limit to be exceeded for the account"
        if self.limits.per_table_scope == "sum" and any(sums[d] > table[d] for d in (0, 1)):
            return "per table maximum for"
        if self.limits.per_table_scope == "each":
            for who, pair in wanted.items():
                if any(pair[d] > table[d] for d in (0, 1)):
                    return "per index maximum for" if who else "per table maximum for"
        return "soft account quota" if len(self.held) >= self.limits.max_tables_per_account else None

    def refuses_change(self, name: str, after: dict[str | None, Pair]) -> str | None:
        before = self.held[name]
        table = (self.limits.per_table_max_rcu, self.limits.per_table_max_wcu)
        account = (self.limits.per_account_max_rcu, self.limits.per_account_max_wcu)
        for who in sorted(after, key=lambda part: part or ""):
            raised = [d for d in (0, 1) if after[who][d] > before.get(who, (0, 0))[d]]
            if any(after[who][d] > table[d] for d in raised):
                return "per index maximum for" if who else "per table maximum for"
        for d in (0, 1):
            was, will = self.total(d, name), sum(pair[d] for pair in after.values())
            if will > was and self.total(d) - was + will > account[d]:
                return "limit to be exceeded for the account"
        return None


PAIRS = st.tuples(st.integers(1, 12), st.integers(1, 12))
LIMITS = st.builds(
    AccountLimits,
    max_tables_per_account=st.integers(0, 3),
    per_table_max_rcu=st.integers(0, 20),
    per_table_max_wcu=st.integers(0, 20),
    per_account_max_rcu=st.integers(0, 40),
    per_account_max_wcu=st.integers(0, 40),
    per_table_scope=st.sampled_from(["sum", "each"]),
)
STEPS = st.one_of(
    st.tuples(
        st.just("create"), st.sampled_from(NAMES), PAIRS, st.dictionaries(st.sampled_from(INDEXES), PAIRS, max_size=2)
    ),
    st.tuples(st.just("change"), st.sampled_from(NAMES), st.sampled_from([None, *INDEXES]), PAIRS),
    st.tuples(st.just("drop"), st.sampled_from(NAMES), st.sampled_from([None, *INDEXES]), st.none()),
    st.tuples(st.just("relimit"), st.none(), LIMITS, st.none()),
)


class Pairing:
    """The engine and the books, which must say the same of every step."""

    def __init__(self, limits: AccountLimits) -> None:
        self.engine = DynamoDB(VirtualClock())
        self.engine.limits = limits
        self.books = Books(limits)

    def send(self, operation: str, request: dict[str, Any], expected: str | None) -> bool:
        """Send what the books refuse for this reason, or None; tells whether it was done."""
        self.engine.clock.advance(86_400)
        error = self.engine.handle(operation, request, REGION).error
        if expected is None:
            assert error is None, error
            return True
        assert error is not None, f"answered, where the books say: {expected}"
        assert expected in error.message
        return False

    def create(self, name: str, pair: Pair, indexes: dict[str, Pair]) -> None:
        wanted: dict[str | None, Pair] = {None: pair, **indexes}
        if self.send("CreateTable", new_table(name, pair, indexes), self.books.refuses_creation(name, wanted)):
            self.books.held[name] = wanted

    def change(self, name: str, who: str | None, pair: Pair) -> None:
        held = self.books.held.get(name)
        if held is None or held.get(who) == pair:
            return
        after = {**held, who: pair}
        request: dict[str, Any] = {"TableName": name}
        if who is None:
            request["ProvisionedThroughput"] = units(pair)
        elif who in held:
            request["GlobalSecondaryIndexUpdates"] = [
                {"Update": {"IndexName": who, "ProvisionedThroughput": units(pair)}}
            ]
        else:
            request["AttributeDefinitions"] = strings("g")
            request["GlobalSecondaryIndexUpdates"] = [{"Create": index(who, pair)}]
        if self.send("UpdateTable", request, self.books.refuses_change(name, after)):
            self.books.held[name] = after

    def drop(self, name: str, who: str | None, _: None) -> None:
        held = self.books.held.get(name)
        if held is None or who not in held:
            return
        if who is None:
            self.send("DeleteTable", {"TableName": name}, None)
            del self.books.held[name]
        else:
            deletion = [{"Delete": {"IndexName": who}}]
            self.send("UpdateTable", {"TableName": name, "GlobalSecondaryIndexUpdates": deletion}, None)
            del held[who]

    def relimit(self, _: None, limits: AccountLimits, __: None) -> None:
        self.engine.limits = self.books.limits = limits

    def described(self) -> dict[str, dict[str | None, Pair]]:
        """Give what DescribeTable shows."""
        found = {}
        for name in self.engine.region(REGION).tables:
            reply = self.engine.handle("DescribeTable", {"TableName": name}, REGION).reply or {}
            table = reply["Table"]
            holders = [(None, table), *((part["IndexName"], part) for part in table.get("GlobalSecondaryIndexes", ()))]
            found[name] = {who: pair_of(part["ProvisionedThroughput"]) for who, part in holders}
        return found


def pair_of(shown: dict[str, int]) -> Pair:
    return shown["ReadCapacityUnits"], shown["WriteCapacityUnits"]


@given(LIMITS, st.lists(STEPS, max_size=30))
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
def test_a_request_is_refused_exactly_when_the_rules_say_so_and_the_totals_agree(limits, steps):
    pairing = Pairing(limits)

    for kind, *arguments in steps:
        getattr(pairing, kind)(*arguments)
        assert pairing.described() == pairing.books.held


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """Let threads take turns as often as they can."""
    interval_seconds = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval_seconds)


@pytest.mark.usefixtures("hasty_threads")
@pytest.mark.parametrize("rush", range(10))
def test_threads_that_create_and_raise_at_once_never_pass_a_maximum(rush):
    engine = DynamoDB(VirtualClock())
    engine.limits = AccountLimits(max_tables_per_account=10, per_account_max_rcu=60, per_account_max_wcu=60)
    start, outcomes = threading.Barrier(THREADS), []

    def provision(number: int) -> None:
        start.wait()
        for attempt in range(5):
            name = f"tab{number}-{attempt}"
            outcomes.append(engine.handle("CreateTable", new_table(name, (3, 2), {}), REGION))
            raised = {"TableName": name, "ProvisionedThroughput": units((8, 9))}
            outcomes.append(engine.handle("UpdateTable", raised, REGION))
            held = [table.throughput for table in list(engine.region(REGION).tables.values())]
            totals.append((sum(found.read_capacity_units for found in held), len(held)))

    totals: list[tuple[int, int]] = []
    threads = [threading.Thread(target=provision, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    tables = engine.region(REGION).tables.values()
    assert len(outcomes) == THREADS * 10
    assert max(read for read, _ in totals) <= 60
    assert sum(table.throughput.write_capacity_units for table in tables) <= 60
    assert len(tables) <= 10
    codes = {outcome.error.code for outcome in outcomes if outcome.error}
    assert codes == {"LimitExceededException", "ResourceNotFoundException"}
    free = 60 - sum(table.throughput.read_capacity_units for table in tables)
    assert free < 8, "some raise was refused although there was room"
