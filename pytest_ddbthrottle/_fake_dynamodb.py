"""``FakeDynamoDB``: one account, its clock and its journal, as a test holds them; with pytest or without."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields, replace
from datetime import datetime
from difflib import get_close_matches
from typing import Any, Literal, get_args

from pytest_ddbthrottle import _assertions
from pytest_ddbthrottle._engine.clock import DEFAULT_START, Sleep, VirtualClock
from pytest_ddbthrottle._engine.dynamodb import DynamoDB, Snapshot
from pytest_ddbthrottle._engine.faults import InjectRule
from pytest_ddbthrottle._engine.journal import Call, Leftover
from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.throttle.rule import ThrottleRule
from pytest_ddbthrottle._rules_in_force import Injection, Scope
from pytest_ddbthrottle._short_table import create_table_request
from pytest_ddbthrottle._table_handle import TableHandle
from pytest_ddbthrottle._wire import Wire

TimeMode = Literal["virtual", "sdk", "real"]
TIME_MODES: tuple[TimeMode, ...] = get_args(TimeMode)


class FakeDynamoDB:
    """An in-memory DynamoDB account that refuses as DynamoDB refuses, on a clock that the test owns.

    As a context manager it answers every DynamoDB client of the process for the block; the fixture ``ddb_fake`` is one
    that is entered. Without entering it can be filled and looked at, and answers nobody.

    Args:
        account_id: twelve digits.
        region: for clients that have none configured, and for handles.
        start: the clock's first instant, UTC; 2026-01-01T00:00:00Z if absent.
        seed: of ids, back-off jitter and scripted rates: the same seed gives the same bytes.
        clock: ``"virtual"`` (the process's time is the clock's), ``"sdk"`` (only the SDK's sleeps are virtual) or
            ``"real"`` (nothing is patched).
        throttling: False for a store that never refuses for want of capacity.
        livelock_limit: how many refusals or leftovers in a row at one virtual instant end the test.

    Raises:
        ValueError: an argument out of its range; the message names it.

    >>> fake = FakeDynamoDB()
    >>> fake.create_table("orders", partition_key="pk:S", write_capacity_units=5).balance("write")
    5.0
    """

    def __init__(
        self,
        *,
        account_id: str = "123456789012",
        region: str = "us-east-1",
        start: datetime | str | None = None,
        seed: int = 0,
        clock: TimeMode = "virtual",
        throttling: bool = True,
        livelock_limit: int = 1000,
    ) -> None:
        if not (len(account_id) == 12 and account_id.isdigit()):
            raise ValueError(f"account_id={account_id!r}: twelve digits are needed")
        if clock not in TIME_MODES:
            raise ValueError(f"clock={clock!r}: allowed are {', '.join(TIME_MODES)}")
        self.account_id = account_id
        self.default_region = region
        self.clock = VirtualClock(DEFAULT_START if start is None else start)
        self._seed = seed
        self._time_mode: TimeMode = clock
        self._engine = DynamoDB(self.clock, account_id=account_id, seed=seed, throttling=throttling)
        self._wire = Wire(self._engine, region, livelock_limit)
        self._installed: ExitStack | None = None
        self._forget_retries: Callable[[], None] = lambda: None
        self._own = Scope([], [], self._engine)
        _assertions.watch(self._engine.journal)

    def __repr__(self) -> str:
        tables = sum(len(region.tables) for region in self._engine.regions.values())
        return f"<FakeDynamoDB {self.account_id}: {tables} tables, {len(self.calls)} calls, {self.clock.elapsed:g} s>"

    def __enter__(self) -> FakeDynamoDB:
        self.install()
        return self

    def __exit__(self, *error: object) -> None:
        self.uninstall()

    def install(self) -> None:
        """Answer every DynamoDB client of the process from now on, and make the clock the process's time.

        Fakes nest: the one installed last answers.

        Raises:
            RuntimeError: it is installed already.
        """
        from pytest_ddbthrottle import _botocore, _time

        if self._installed is not None:
            raise RuntimeError(f"{self!r} is installed already")
        with ExitStack() as stack:
            stack.enter_context(_time.virtual_time(self.clock, self._time_mode))
            installation = _botocore.install(
                self._wire.answer,
                self.clock,
                region=self.default_region,
                seed=self._seed,
                time_mode=self._time_mode,
            )
            stack.callback(installation.uninstall)
            self._forget_retries = installation.forget_retries
            self._installed = stack.pop_all()

    def uninstall(self) -> None:
        """Undo ``install``; what was patched is as it was."""
        installed, self._installed = self._installed, None
        if installed is not None:
            installed.close()

    def attach(self, client: Any) -> None:
        """Check that a client that was made before anything was installed is answered here.

        Args:
            client: a botocore or boto3 DynamoDB client.

        Raises:
            TypeError: it is no DynamoDB client.
            RuntimeError: the fake is not installed.
        """
        from pytest_ddbthrottle import _botocore

        if self._installed is None:
            raise RuntimeError("attach: the fake is not installed; enter it first")
        _botocore.attach(client)

    def create_table(
        self,
        name: str,
        partition_key: str = "pk:S",
        sort_key: str | None = None,
        indexes: Mapping[str, str | Sequence[str]] | None = None,
        **throttle_names: Any,
    ) -> TableHandle:
        """Create a table without a client; on demand unless a rule says otherwise.

        Args:
            name: the table's name.
            partition_key: ``"name:TYPE"``, TYPE being S, N or B.
            sort_key: the same, or None.
            indexes: global secondary indexes: ``{"by_status": "status:S"}``, or with a sort key
                ``{"by_status": ("status:S", "at:N")}``.
            **throttle_names: those of the marker ``ddb_throttle``.

        Raises:
            ValueError: keys or names of another form, or what CreateTable refuses; the message is the service's.
        """
        request = create_table_request(name, partition_key, sort_key, indexes)
        rules_before = list(self._engine.rules)
        if throttle_names:
            self._engine.set_rules([*rules_before, _throttle_rule(table=name, **throttle_names)])
        outcome = self._engine.handle("CreateTable", request, self.default_region)
        if outcome.error is not None:
            self._engine.set_rules(rules_before)
            raise ValueError(f"create_table({name!r}): {outcome.error.code}: {outcome.error.message}")
        return self.table(name)

    def table(self, name: str, region: str | None = None) -> TableHandle:
        """Give a handle of a table.

        Args:
            name: the table's name.
            region: the Region that holds it; the fake's own if absent.

        Raises:
            LookupError: there is no such table.
        """
        handle = TableHandle(self._engine, name, region or self.default_region)
        _ = handle.arn
        return handle

    def throttle(self, **names: Any) -> None:
        """Put a rule in force, as the marker ``ddb_throttle`` does, for tables that exist as well.

        Raises:
            TypeError: an unknown name.
            ValueError: a value out of range, or names that contradict each other.
        """
        rule = _throttle_rule(**names)
        self._own.throttle = [*self._own.throttle, rule]
        self._engine.set_rules([*self._engine.rules, rule])

    def inject(self, **names: Any) -> Injection:
        """Script a refusal or a fault, as the marker ``ddb_inject`` does.

        Returns:
            The injection: a context manager, if the rule is to hold for a block only.

        Raises:
            TypeError: an unknown name.
            ValueError: a value out of range, or names that contradict each other.
        """
        scripted = self._engine.inject(InjectRule(**_known(InjectRule, "inject", names)))
        self._own.inject = [*self._own.inject, scripted]
        return Injection(self._engine, scripted)

    def limits(self, **names: Any) -> None:
        """Set limits of the account, as the marker ``ddb_limits`` does; those not named stay.

        Raises:
            TypeError: an unknown name.
            ValueError: a limit that is not a whole number, or is negative.
        """
        self._engine.limits = replace(self._engine.limits, **_known(AccountLimits, "limits", names))

    @contextmanager
    def scoped(
        self,
        throttle: Sequence[ThrottleRule] = (),
        inject: Sequence[InjectRule] = (),
        limits: Mapping[str, Any] | None = None,
    ) -> Iterator[Scope]:
        """Let rules hold for a block, and take them back: what the plugin does with markers.

        Args:
            throttle: from the farthest to the closest; with any, a fake made with ``throttling=False`` throttles too.
            inject: in the order in which they are asked.
            limits: names of ``AccountLimits``.
        """
        engine = self._engine
        limits_before, throttling_before = engine.limits, engine.throttling
        engine.throttling = engine.throttling or bool(throttle)
        if limits:
            self.limits(**limits)
        engine.set_rules([*engine.rules, *throttle])
        scope = Scope(throttle, [engine.inject(rule) for rule in inject], engine)
        try:
            yield scope
        finally:
            engine.limits, engine.throttling = limits_before, throttling_before
            engine.set_rules([rule for rule in engine.rules if not any(rule is mine for mine in throttle)])
            mine = {id(scripted) for scripted in scope.inject}
            engine.scripted_rules[:] = [rule for rule in engine.scripted_rules if id(rule) not in mine]

    def unfired(self) -> list[str]:
        """Give a sentence for each rule set through ``throttle`` and ``inject`` that had no effect."""
        return self._own.unfired()

    @property
    def calls(self) -> list[Call]:
        """Every attempt that reached the fake, in order."""
        return self._engine.journal.calls

    @property
    def throttles(self) -> list[Call]:
        """The calls of which something was refused for want of capacity."""
        return self._engine.journal.throttles

    @property
    def leftovers(self) -> list[Leftover]:
        """The entries that batches gave back unprocessed."""
        return self._engine.journal.leftovers

    @property
    def sleeps(self) -> list[Sleep]:
        """The waits that passed in virtual time."""
        return self.clock.sleeps

    def snapshot(self) -> Snapshot:
        """Remember the whole account: tables, buckets, limits, rules and the clock's instant."""
        return self._engine.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Set the account back to a snapshot; the journal is kept, and clients forget that they were throttled."""
        self._engine.restore(snapshot)
        self._forget_retries()

    def assert_attempts(self, operation: str, expected: int, *, table: str | None = None) -> None:
        """Assert how often an operation was sent, the SDK's retries counted.

        Raises:
            AssertionError: it was sent another number of times; the calls follow, a line each.
        """
        __tracebackhide__ = True
        _assertions.assert_attempts(self._engine.journal, operation, expected, table=table)

    def assert_backoff(self, operation: str | None = None, **bounds: Any) -> None:
        """Assert that whoever sends again what was refused waits first; ``_assertions.assert_backoff`` has the bounds.

        Raises:
            AssertionError: something was sent again at once, or outside the bounds, or never.
        """
        __tracebackhide__ = True
        _assertions.assert_backoff(self._engine.journal, operation, **bounds)

    def assert_throttled(self, operation: str | None = None, **parts: Any) -> None:
        """Assert that a call was refused, and how; ``_assertions.assert_call_throttled`` has the parts.

        Raises:
            AssertionError: no call matches, or not ``times`` of them.
        """
        __tracebackhide__ = True
        _assertions.assert_call_throttled(self._engine.journal, operation, **parts)

    def assert_not_throttled(self, table: str | None = None) -> None:
        """Assert that nothing was refused for want of capacity.

        Raises:
            AssertionError: with the calls that were.
        """
        __tracebackhide__ = True
        _assertions.assert_not_throttled(self._engine.journal, table)

    def assert_nothing_lost(self, *, accounted_for: Sequence[Mapping[str, Any]] = ()) -> None:
        """Assert that every leftover and every refused write was sent again until it landed.

        Args:
            accounted_for: keys of items that the application has put aside itself, plain or in wire form.

        Raises:
            AssertionError: with what was lost.
        """
        __tracebackhide__ = True
        _assertions.assert_nothing_lost(self._engine.journal, accounted_for=accounted_for)

    def assert_consumed(self, **expected: Any) -> None:
        """Assert how much capacity was charged; ``_assertions.assert_consumed`` has the names.

        Raises:
            AssertionError: it was another amount.
        """
        __tracebackhide__ = True
        _assertions.assert_consumed(self._engine.journal, **expected)

    def check_invariants(self) -> None:
        """Assert that every table, index and bucket agrees with itself.

        Raises:
            AssertionError: naming what disagrees.
        """
        self._engine.check_invariants()


def _throttle_rule(**names: Any) -> ThrottleRule:
    return ThrottleRule(**_known(ThrottleRule, "throttle", names))


def _known(options: type, function: str, names: Mapping[str, Any]) -> dict[str, Any]:
    """Give the names, all of which the options class has.

    Raises:
        TypeError: an unknown name, with the nearest match and the list of allowed ones.
    """
    allowed = [part.name for part in fields(options)]
    for name in names:
        if name not in allowed:
            near = get_close_matches(name, allowed, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"{function}() has no argument {name!r}.{hint} Allowed are: {', '.join(allowed)}")
    return dict(names)
