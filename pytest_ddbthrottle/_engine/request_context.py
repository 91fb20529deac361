"""What one request sees of its account; through it an operation meets the script, the throttle and the policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_ddbthrottle._engine.account import Account
from pytest_ddbthrottle._engine.capacity import Consumption, OperationType, Throughput
from pytest_ddbthrottle._engine.errors import Contradiction, LostReply, ServiceError, Throttled
from pytest_ddbthrottle._engine.faults import AskedFor, CallScript, InjectRule, asked_for, fault_error
from pytest_ddbthrottle._engine.keys import KeySchema
from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.operations.registry import STREAM_READS
from pytest_ddbthrottle._engine.policy.access import Scene
from pytest_ddbthrottle._engine.region import Region
from pytest_ddbthrottle._engine.request_names import first_raw_name, table_names
from pytest_ddbthrottle._engine.streams import Stream
from pytest_ddbthrottle._engine.tables import Table
from pytest_ddbthrottle._engine.throttle.reasons import ThrottlingReason
from pytest_ddbthrottle._engine.throttle.refusal import Refusal
from pytest_ddbthrottle._engine.throttle.rule import rule_for
from pytest_ddbthrottle._engine.throttle.scopes import Terms
from pytest_ddbthrottle._engine.throttle.scripted import scripted_throttle
from pytest_ddbthrottle._engine.vector_index import VectorIndex


class RequestContext:
    """One request's view of its account and Region: the ``operations.context.Context`` that operations are given."""

    def __init__(self, account: Account, region: Region, operation_name: str, request: Mapping[str, Any]) -> None:
        self._account = account
        self._region = region
        self._request = request
        self._script = CallScript(operation_name, account.scripted_rules, account.random)
        self._asked = AskedFor(operation=operation_name)
        self._leftover_places: set[int] | None = None
        self.told: ServiceError | LostReply | None = None
        self.now_ns = account.clock.now_ns()
        self.consumed: list[Consumption] = []
        self.refusals: list[Refusal] = []
        self.scripted = False

    @property
    def account_id(self) -> str:
        """The account."""
        return self._account.account_id

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
        return self._account.limits

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
        if directions and self._account.throttling:
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
            self._account.clock.delay(rule.latency_seconds)
            self.now_ns = self._account.clock.now_ns()
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
            if self._account.throttling:
                self._region.admission.admit(self.tables, consumptions, self.now_ns)
        except Throttled as throttled:
            self._note(throttled)
            raise
        self.consumed += consumptions

    def charge(self, consumptions: Sequence[Consumption]) -> None:
        """Charge without asking."""
        if self._account.throttling:
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
        settings = self._account.settings_for(part.table_name, part.index_name)
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
        self._account.names_made.add((table_name, index_name))
        return rule_for(self._account.rules, table_name, index_name).throughput(asked)

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
        if not self._account.throttling:
            return True
        return self._region.admit_call(what, self.now_ns, per_second=per_second, at_once=per_second)

    def settle(self) -> None:
        """Do what was on its way until the request's instant."""
        self._region.settle(self.now_ns, self.limits.ttl_sweep_seconds)

    def policy_made(self) -> None:
        """Let policies be asked from now on."""
        self._account.access.in_force = True

    def check_access(self, caller: str, operation_name: str) -> None:
        """Check that the policies allow the request to the owner of an access key."""
        maximum_bytes = self.limits.max_policy_document_bytes
        scene = Scene(self.region, self.account_id, self.tables, maximum_bytes, self.now_ns)
        self._account.access.check(caller, operation_name, self._request, scene)

    def new_id(self) -> str:
        """Give a UUID from the run's seed."""
        return self._account.new_id()
