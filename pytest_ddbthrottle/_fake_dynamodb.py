"""``FakeDynamoDB``: one account, its clock and its journal, as a test holds them; with pytest or without."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from pytest_ddbthrottle._account_under_load import AccountUnderLoad
from pytest_ddbthrottle._engine.clock import DEFAULT_START, VirtualClock
from pytest_ddbthrottle._engine.dynamodb import DynamoDB
from pytest_ddbthrottle._engine.faults import InjectRule, ScriptedRule
from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.throttle.rule import ThrottleRule
from pytest_ddbthrottle._marker_rules import checked_names
from pytest_ddbthrottle._options import OPTIONS
from pytest_ddbthrottle._policy_handle import PolicyHandle
from pytest_ddbthrottle._rules_in_force import AccountSnapshot, Injection, RulesInForce, Scope, Statement
from pytest_ddbthrottle._short_table import create_table_request
from pytest_ddbthrottle._sweep_options import SweepOptions
from pytest_ddbthrottle._table_handle import TableHandle
from pytest_ddbthrottle._wire import Wire

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from pytest_ddbthrottle._audit import AuditReport
    from pytest_ddbthrottle._keyword_types import (
        InjectNames,
        LimitNames,
        SweepNames,
        TableThrottleNames,
        ThrottleNames,
    )
    from pytest_ddbthrottle._sweep_report import SweepReport

TimeMode = Literal["virtual", "sdk", "real"]


_CREATE_TABLE_NAMES = ("name", "partition_key", "sort_key", "indexes")


class FakeDynamoDB(AccountUnderLoad):
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
        stall_seconds: of real time in which something has to happen; then waits that nothing ends raise. 0 for never.

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
        stall_seconds: float = 5,
    ) -> None:
        _check(account_id=account_id, region=region, start=start, seed=seed, clock=clock)
        _check(livelock_limit=livelock_limit, stall_seconds=stall_seconds)
        self.account_id = account_id
        self.default_region = region
        self._time_mode: TimeMode = clock
        virtual_clock = VirtualClock(DEFAULT_START if start is None else start)
        self._engine = DynamoDB(virtual_clock, account_id=account_id, seed=seed, throttling=throttling)
        self._watch: dict[str, Any] = {"stall_seconds": stall_seconds, "answered": lambda: len(self.calls)}
        super().__init__(Wire(self._engine, region, livelock_limit), seed, sleeps_are_seen=clock == "virtual")
        self._installed: ExitStack | None = None
        self._rules = RulesInForce(self._engine)
        self._called_injections: list[ScriptedRule] = []
        self._audited_calls = 0

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
            stack.enter_context(_time.virtual_time(self.clock, self._time_mode, **self._watch))
            installation = _botocore.install(
                lambda url, headers, body: self._answer(url, headers, body),
                self.clock,
                region=self.default_region,
                seed=self._seed,
                time_mode=self._time_mode,
                read=self._engine.journal.read,
            )
            stack.callback(installation.uninstall)
            self._forget_retries, self._retries_of = installation.forget_retries, installation.retries
            self._installed = stack.pop_all()
            self._is_in_virtual_time = self._time_mode == "virtual"

    def uninstall(self) -> None:
        """Undo ``install``; what was patched is as it was."""
        installed, self._installed = self._installed, None
        self._is_in_virtual_time = False
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
        **throttle_names: Unpack[TableThrottleNames],
    ) -> TableHandle:
        """Create a table without a client; on demand unless a rule says otherwise.

        Args:
            name: the table's name.
            partition_key: ``"name:TYPE"``, TYPE being S, N or B; S where it is left out.
            sort_key: the same, or None.
            indexes: global secondary indexes: ``{"by_status": "status:S"}``, or with a sort key
                ``{"by_status": ("status:S", "at:N")}``. They project everything.
            **throttle_names: those of the marker ``ddb_throttle``. As a call of the test they win over its markers.

        Returns:
            A handle of the table.

        Raises:
            TypeError: an unknown name.
            ValueError: keys or names of another form, or what CreateTable refuses; the message is the service's.

        >>> fake = FakeDynamoDB()
        >>> orders = fake.create_table("orders", indexes={"by_status": ("status:S", "at:N")}, max_write_request_units=2)
        >>> orders.balance("write"), orders.arn
        (2.0, 'arn:aws:dynamodb:us-east-1:123456789012:table/orders')
        """
        names = checked_names(ThrottleRule, "create_table", throttle_names, *_CREATE_TABLE_NAMES, without=["table"])
        request = create_table_request(name, partition_key, sort_key, indexes)
        if (index := names.get("index")) is not None and index not in (indexes or {}):
            raise ValueError(f"create_table({name!r}): index={index!r} is none of its indexes")
        statement = Statement((ThrottleRule(table=name, **names),))
        if names:
            self._rules.say(statement)
        outcome = self._engine.handle("CreateTable", request, self.default_region)
        if outcome.error is not None:
            self._rules.take_back(statement)
            raise ValueError(f"create_table({name!r}): {outcome.error.code}: {outcome.error.message}")
        return self.table(name)

    def table(self, name: str, region: str | None = None) -> TableHandle:
        """Give a handle of a table.

        Args:
            name: the table's name.
            region: the Region that holds it; the fake's own if absent.

        Raises:
            LookupError: there is no such table; the message gives the nearest one.
        """
        handle = TableHandle(self._engine, name, region or self.default_region, self.throttle)
        _ = handle.arn
        return handle

    @property
    def policy(self) -> PolicyHandle:
        """Users of the account, their policies, and the keys with which a client acts as one of them."""
        return PolicyHandle(self._engine)

    def throttle(self, **names: Unpack[ThrottleNames]) -> None:
        """Put a rule in force, as the marker ``ddb_throttle`` does, for tables that exist as well.

        Raises:
            TypeError: an unknown name.
            ValueError: a value out of range, or names that contradict each other.
        """
        rule = ThrottleRule(**checked_names(ThrottleRule, "throttle", names))
        self._rules.say(Statement((rule,)))

    def inject(self, **names: Unpack[InjectNames]) -> Injection:
        """Script a refusal or a fault, as the marker ``ddb_inject`` does.

        Returns:
            The injection: a context manager, if the rule is to hold for a block only.

        Raises:
            TypeError: an unknown name.
            ValueError: a value out of range, or names that contradict each other.
        """
        scripted = self._engine.inject(InjectRule(**checked_names(InjectRule, "inject", names)))
        self._called_injections.append(scripted)
        return Injection(self._engine, scripted)

    def limits(self, **names: Unpack[LimitNames]) -> None:
        """Set limits of the account, as the marker ``ddb_limits`` does; those not named stay.

        Raises:
            TypeError: an unknown name.
            ValueError: a limit that is not a whole number, or is negative.
        """
        AccountLimits(**checked_names(AccountLimits, "limits", names))
        self._rules.say(Statement(limits=names))

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

        Raises:
            ValueError: a rule that a table which exists can't follow; then none of them holds.
        """
        engine, throttling_before = self._engine, self._engine.throttling
        statement = Statement(tuple(throttle), dict(limits or {}), scoped=True)
        self._rules.say(statement)
        scope = Scope(throttle, [engine.inject(rule) for rule in inject], engine)
        engine.throttling = throttling_before or bool(throttle)
        try:
            yield scope
        finally:
            self._rules.take_back(statement)
            engine.throttling = throttling_before
            mine = {id(scripted) for scripted in scope.inject}
            engine.scripted_rules[:] = [rule for rule in engine.scripted_rules if id(rule) not in mine]

    def unfired(self) -> list[str]:
        """Give a sentence for each rule set through ``throttle`` and ``inject`` that had no effect."""
        return Scope(self._rules.called, self._called_injections, self._engine).unfired()

    def strict_report(self, *, strict: bool = False) -> AuditReport:
        """Audit the calls since the last time: what a test fails for.

        Args:
            strict: of tables of which no rule says it.
        """
        begin, self._audited_calls = self._audited_calls, len(self.calls)
        return self.audit_since(begin, lambda table: self._rules.is_strict(table, by_default=strict))

    def snapshot(self) -> AccountSnapshot:
        """Remember the whole account: tables, buckets, limits, rules, ids and the clock's instant.

        Items are never changed in place, so that a snapshot costs a copy of the order they are in, not of them. It is
        good for any number of uses, and for another fake as well.
        """
        return self._rules.snapshot()

    def restore(self, snapshot: AccountSnapshot) -> None:
        """Set the account back to a snapshot: the same calls get the same bytes as they did then.

        What was said since by ``throttle`` and ``limits`` is taken back; markers hold on, and so does the script, whose
        rules count on from where they were. The journal is kept. Clients forget that they were throttled.

        Args:
            snapshot: from ``snapshot()``.
        """
        self._rules.restore(snapshot)
        self._forget_retries(None)

    def sweep(self, scenario: Callable[..., object], **names: Unpack[SweepNames]) -> SweepReport:
        """Run a scenario, and again for each of its calls with that call refused, from the same account and instant.

        A refusal holds as a bucket's does: what asks for the same keys is refused until the clock moves. (Where the
        application's sleeps do not move it, under ``clock="sdk"`` and ``"real"``, it hits one call.) A batch is refused as
        a whole, and once more has its last entry left over. The account stands in the end as after the run without one.

        Args:
            scenario: the code under test, a function or a coroutine function; takes nothing, or the fake. What it raises
                as AssertionError counts as lost.
            **names: ``pairs=True`` for a second refusal in the same run; ``reasons="all"`` for each cause that the billing
                mode can give, or a list of them; ``may_raise=True`` where a throttling error may escape; ``check=`` for
                what has to be true after each run, instead of the items of the run without a refusal.

        Returns:
            The report: ``findings``, ``assert_all_recovered()``, and as text a table.

        Raises:
            TypeError: an unknown name; a scenario that is no function.
            ValueError: a value out of range; the scenario makes no call that can be refused.
            RuntimeError: the scenario makes other calls another time.

        >>> import boto3
        >>> client = boto3.client("dynamodb", "us-east-1", aws_access_key_id="any", aws_secret_access_key="any")
        >>> with FakeDynamoDB() as fake:
        ...     orders = fake.create_table("orders", write_capacity_units=5)
        ...     report = fake.sweep(lambda: client.put_item(TableName="orders", Item={"pk": {"S": "a"}}))
        >>> report.assert_all_recovered()  # The SDK's own retries did it.
        >>> [(point.operation, point.outcome) for point in report.points]
        [('PutItem', 'recovered')]
        """
        from pytest_ddbthrottle._sweep import Sweep
        from pytest_ddbthrottle._sweep_bench import Bench

        __tracebackhide__ = True
        options = SweepOptions(**checked_names(SweepOptions, "sweep", names, "scenario"))
        holds = self._time_mode == "virtual"
        bench = Bench(
            self._engine, self._rules, self._called_injections, lambda: self._forget_retries(None), holds=holds
        )
        return Sweep(bench, scenario, self, options).report()

    def check_invariants(self) -> None:
        """Assert that every table, index and bucket agrees with itself.

        Raises:
            AssertionError: naming what disagrees.
        """
        self._engine.check_invariants()


def _check(**arguments: Any) -> None:
    """Check what the options of a run check; an argument of another kind than a text or number is not theirs."""
    for option in OPTIONS:
        value = arguments.get(option.field)
        if isinstance(value, str | int | float):
            option.value(str(value), option.field)
