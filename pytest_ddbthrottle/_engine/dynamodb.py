"""DynamoDB in memory: the one place where an operation, the throttle and the clock meet.

``DynamoDB.handle`` takes one lock and reads the clock once. It asks, in this order: the account's bucket at the door,
the script of the test, the policies (if there are any), the request's constraints, the operation. The operation gives
its consumptions to ``RequestContext.admit`` and changes nothing before that returns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from threading import RLock
from typing import Any
from uuid import UUID

from pytest_ddbthrottle._engine.capacity import Consumption, OperationType, Throughput
from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.errors import (
    Contradiction,
    LostReply,
    ServiceError,
    Throttled,
)
from pytest_ddbthrottle._engine.faults import AskedFor, CallScript, InjectRule, ScriptedRule, asked_for, fault_error
from pytest_ddbthrottle._engine.journal import Journal, leftovers_in
from pytest_ddbthrottle._engine.keys import KeySchema
from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._engine.operations.registry import OPERATIONS, STREAM_READS
from pytest_ddbthrottle._engine.operations.unmodelled import unknown_operation
from pytest_ddbthrottle._engine.outcome import Outcome
from pytest_ddbthrottle._engine.policy.access import AccessControl, AccessSnapshot, Scene
from pytest_ddbthrottle._engine.region import Region, RegionSnapshot
from pytest_ddbthrottle._engine.request_names import first_raw_name, table_names
from pytest_ddbthrottle._engine.ruled_throughput import ruled_holders
from pytest_ddbthrottle._engine.streams import Stream
from pytest_ddbthrottle._engine.tables import Table
from pytest_ddbthrottle._engine.throttle.admission import Admission
from pytest_ddbthrottle._engine.throttle.reasons import ThrottlingReason
from pytest_ddbthrottle._engine.throttle.refusal import Refusal
from pytest_ddbthrottle._engine.throttle.rule import ThrottleRule, rule_for
from pytest_ddbthrottle._engine.throttle.scopes import Terms
from pytest_ddbthrottle._engine.throttle.scripted import scripted_throttle
from pytest_ddbthrottle._engine.throttle.settings import ThrottleSettings
from pytest_ddbthrottle._engine.validation import check
from pytest_ddbthrottle._engine.vector_index import VectorIndex


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A whole account at one instant; opaque to its user."""

    now_ns: int
    regions: Mapping[str, RegionSnapshot]
    limits: AccountLimits
    rules: tuple[ThrottleRule, ...]
    random_state: Any
    access: AccessSnapshot


class RequestContext:
    """One request's view of its account and Region: the ``operations.context.Context`` that operations are given."""

    def __init__(self, engine: DynamoDB, region: Region, operation_name: str, request: Mapping[str, Any]) -> None:
        self._engine = engine
        self._region = region
        self._request = request
        self._script = CallScript(operation_name, engine.scripted_rules, engine.random)
        self._asked = AskedFor(operation=operation_name)
        self._leftover_places: set[int] | None = None
        self.told: ServiceError | LostReply | None = None
        self.now_ns = engine.clock.now_ns()
        self.consumed: list[Consumption] = []
        self.refusals: list[Refusal] = []
        self.scripted = False

    @property
    def account_id(self) -> str:
        """The account."""
        return self._engine.account_id

    @property
    def region(self) -> str:
        """The Region."""
        return self._region.name

    @property
    def tables(self) -> dict[str, Table]:
        """The Region's tables."""
        return self._region.tables

    @property
    def limits(self) -> AccountLimits:
        """The account's limits."""
        return self._engine.limits

    @property
    def transaction_tokens(self) -> dict[str, Any]:
        """The Region's transaction tokens."""
        return self._region.transaction_tokens

    @property
    def streams(self) -> dict[str, Stream]:
        """The Region's streams, by ARN."""
        return self._region.streams(self.now_ns)

    def knock(self, directions: Sequence[OperationType]) -> None:
        """Ask the account's buckets and the rules that need not look at the request."""
        if not directions and self._asked.operation not in STREAM_READS:
            return
        if directions and self._engine.throttling:
            try:
                self._region.admission.knock(directions, first_raw_name(self._request), self.now_ns)
            except Throttled as throttled:
                self._note(throttled)
                raise
        if self._script.rules:
            self._asked = asked_for(self._asked.operation, self._request, directions, self._key_schemas())
            for rule in self._script.at_the_door(self._asked):
                self._fault(rule)

    def _key_schemas(self) -> dict[str, KeySchema]:
        return {name: self.tables[name].key_schema for name in table_names(self._request) if name in self.tables}

    def _fault(self, rule: InjectRule) -> None:
        if rule.latency_seconds is not None:
            self._engine.clock.delay(rule.latency_seconds)
            self.now_ns = self._engine.clock.now_ns()
        if rule.error is None:
            return
        self.scripted = True
        error = fault_error(rule.error, waited=rule.latency_seconds is not None)
        if not rule.applied:
            raise error
        self.told = self.told or error

    def admit(self, consumptions: Sequence[Consumption]) -> None:
        """Ask the script, then the buckets; charge all or nothing."""
        try:
            self._ask_script(consumptions)
            if self._engine.throttling:
                self._region.admission.admit(self.tables, consumptions, self.now_ns)
        except Throttled as throttled:
            self._note(throttled)
            raise
        self.consumed += consumptions

    def charge(self, consumptions: Sequence[Consumption]) -> None:
        """Charge without asking."""
        if self._engine.throttling:
            self._region.admission.charge(self.tables, consumptions, self.now_ns)
        self.consumed += consumptions

    def _ask_script(self, consumptions: Sequence[Consumption]) -> None:
        hit = self._script.refusing(consumptions)
        if hit is None:
            return
        rule, part = hit
        self.scripted = True
        table = self.tables[part.table_name]
        holder = table if part.holder_name is None else table.every_index[part.holder_name]
        throughput = table.throughput if isinstance(holder, VectorIndex) else holder.throughput
        settings = self._engine.settings_for(part.table_name, part.index_name)
        terms = Terms(throughput or table.throughput, settings, self.limits, part.direction)
        left = self._region.admission.balance_nano_units(table, part.direction, part.index_name, self.now_ns)
        try:
            reason = ThrottlingReason(rule.reason)
            throttled = scripted_throttle(reason, part, holder.arn, terms, left, self.now_ns)
        except ValueError as error:
            raise Contradiction(f"ddb_inject(reason={rule.reason!r}): {error}") from None
        raise throttled

    def _note(self, throttled: Throttled) -> None:
        if isinstance(throttled.refusal, Refusal):
            self.refusals.append(throttled.refusal)

    def leftover(self, operation: str, table_name: str, position: int) -> bool:
        """Tell whether the script leaves the entry at this position of the batch unprocessed."""
        if self._leftover_places is None:
            self._leftover_places = self._script.leftover_places(self._asked) if self._script.rules else set()
            self.scripted = self.scripted or bool(self._leftover_places)
        return position in self._leftover_places

    def throughput_for(self, table_name: str, index_name: str | None, asked: Throughput) -> Throughput:
        """Give what is in force for a new table or index."""
        self._engine.names_made.add((table_name, index_name))
        return rule_for(self._engine.rules, table_name, index_name).throughput(asked)

    def throughput_changed(self, table: Table) -> None:
        """Settle and scale the table's buckets; look after what is on its way."""
        self._region.follow(table, self.now_ns)

    def time_to_live_changed(self, table: Table) -> None:
        """Look after what expires."""
        self._region.follow(table, self.now_ns)

    def table_deleted(self, table: Table) -> None:
        """Forget the table."""
        self._region.forget(table, self.now_ns)

    def admit_change(self) -> bool:
        """Count a change of the control plane, unless there are too many."""
        return self._region.admit_change(self.now_ns)

    def admit_call(self, what: str, per_second: int) -> bool:
        """Count a call of a kind that has a rate, unless there are too many."""
        if not self._engine.throttling:
            return True
        return self._region.admit_call(what, self.now_ns, per_second=per_second, at_once=per_second)

    def settle(self) -> None:
        """Do what was on its way until the request's instant."""
        self._region.settle(self.now_ns, self.limits.ttl_sweep_seconds)

    def policy_made(self) -> None:
        """Let policies be asked from now on."""
        self._engine.access.in_force = True

    def check_access(self, caller: str, operation_name: str) -> None:
        """Check that the policies allow the request to the owner of an access key."""
        maximum_bytes = self.limits.max_policy_document_bytes
        scene = Scene(self.region, self.account_id, self.tables, maximum_bytes, self.now_ns)
        self._engine.access.check(caller, operation_name, self._request, scene)

    def new_id(self) -> str:
        """Give a UUID from the run's seed."""
        return self._engine.new_id()


class DynamoDB:
    """One account, in every Region.

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

    def handle(
        self, operation_name: str, request: Mapping[str, Any], region_name: str, caller: str | None = None
    ) -> Outcome:
        """Carry out one request at the clock's instant.

        Args:
            operation_name: AWS's name, ``PutItem`` say.
            request: the parsed body.
            region_name: the Region that the request was signed for.
            caller: the access key that it was signed with; None for what no policy is asked about.

        Returns:
            The reply's members, or the error that its caller is told; what was charged and what was refused.
        """
        with self.lock:
            context = RequestContext(self, self.region(region_name), operation_name, request)
            reply: Mapping[str, Any] | None = None
            error: ServiceError | LostReply | None = None
            try:
                reply = self._run(context, operation_name, request, caller)
            except (ServiceError, LostReply) as refused:
                error = refused
            except Throttled as throttled:
                error = throttled.error
            applied = (
                context.told is not None and reply is not None and not any(leftovers_in(operation_name, request, reply))
            )
            if context.told is not None:
                reply, error = None, context.told
            return Outcome(
                context.now_ns,
                reply,
                error,
                tuple(context.consumed),
                tuple(context.refusals),
                context.scripted,
                applied,
            )

    def _run(
        self, context: RequestContext, operation_name: str, request: Mapping[str, Any], caller: str | None
    ) -> Mapping[str, Any]:
        operation = OPERATIONS.get(operation_name)
        if operation is None:
            raise unknown_operation(operation_name)
        context.knock(operation.directions_of(request))
        context.settle()
        if caller is not None:
            context.check_access(caller, operation_name)
        return operation.run(context, check(operation_name, request))

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
