"""Admission: consumptions in; admitted and charged, or refused with one reason and nothing charged."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pytest_ddbthrottle._engine.capacity import Consumption
from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.throttle.ask import Ask, in_order
from pytest_ddbthrottle._engine.throttle.bucket import TokenBucket
from pytest_ddbthrottle._engine.throttle.key_ranges import KeyRanges
from pytest_ddbthrottle._engine.throttle.meter import Meter
from pytest_ddbthrottle._engine.throttle.reasons import OperationType, Scope
from pytest_ddbthrottle._engine.throttle.refusal import Refusal
from pytest_ddbthrottle._engine.throttle.replies import throttled
from pytest_ddbthrottle._engine.throttle.resources import ThrottledTable, arn_of, throughput_of
from pytest_ddbthrottle._engine.throttle.scopes import Terms, account_size
from pytest_ddbthrottle._engine.throttle.settings import ThrottleSettings

_POSSIBLE_NAME = re.compile(r"[a-zA-Z0-9_.-]{3,255}")
"""Source: Documented — API Reference, CreateTable, TableName, read 2026-11-30."""

_BOTH_DIRECTIONS = (OperationType.READ, OperationType.WRITE)


_Meters = dict[str, dict[tuple[str | None, OperationType], Meter]]


@dataclass(frozen=True, slots=True)
class _Snapshot:
    limits: AccountLimits | None
    meters: _Meters
    account: dict[OperationType, TokenBucket]


class Admission:
    """The one door to capacity: all buckets of one account in one Region.

    A request's consumptions are admitted together or refused together. Buckets are asked in a fixed order: reads before
    writes; within a direction the tables as the request names them; of a table its capacity, growth and key ranges, then
    its indexes in name order. The first refusal wins.

    Args:
        account_id: the twelve digits of the account, for ARNs at the door.
        region: the Region.
        settings_for: gives the settings of a table, or of an index of a table; asked when one is created or changed.
        limits: gives the account's limits in force.

    >>> from pytest_ddbthrottle._engine.limits import AccountLimits
    >>> limits = AccountLimits(account_read_units_per_second=1)
    >>> door = Admission("123456789012", "us-east-1", lambda table, index: ThrottleSettings(), lambda: limits)
    >>> door.knock([OperationType.READ], "orders", now_ns=0)

    Source: Assumed — the order, and that a refused write uses no capacity; ``docs/model.md``.
    """

    def __init__(
        self,
        account_id: str,
        region: str,
        settings_for: Callable[[str, str | None], ThrottleSettings],
        limits: Callable[[], AccountLimits],
    ) -> None:
        self._arn_prefix = f"arn:aws:dynamodb:{region}:{account_id}:table/"
        self._settings_for = settings_for
        self._limits = limits
        self._limits_in_force: AccountLimits | None = None
        self._meters: _Meters = {}
        self._account: dict[OperationType, TokenBucket] = {}

    def knock(self, directions: Sequence[OperationType], table_name: str | None, now_ns: int) -> None:
        """Ask the account aggregate, before the request is validated and before its table is looked up.

        Args:
            directions: what the operation does; reads are asked first.
            table_name: the request's ``TableName`` as it came: a name, an ARN of this account, anything at all, or None.
            now_ns: the instant.

        Raises:
            Throttled: the account aggregate is exhausted; with no reasons list for a name that no table can have.

        Source: Documented — API Reference, RequestLimitExceeded; Assumed — at the door, as a public implementation does.
        """
        self._follow_limits(now_ns)
        for direction in _BOTH_DIRECTIONS:
            bucket = self._account.get(direction)
            if bucket is not None and direction in directions and not bucket.admits(0, now_ns):
                raise throttled(self._door_refusal(direction, bucket, table_name, now_ns))

    def _door_refusal(
        self, direction: OperationType, bucket: TokenBucket, table_name: str | None, now_ns: int
    ) -> Refusal:
        name = (table_name or "").removeprefix(self._arn_prefix)
        possible = _POSSIBLE_NAME.fullmatch(name) is not None
        return Refusal(
            scope=Scope.ACCOUNT,
            billing_mode=None,
            direction=direction,
            table_name=name if possible else None,
            index_name=None,
            resource=self._arn_prefix + name if possible else None,
            asked_nano_units=0,
            left_nano_units=bucket.balance_nano_units,
            rate_units_per_second=bucket.rate_units_per_second,
            at_ns=now_ns,
        )

    def admit(self, tables: Mapping[str, ThrottledTable], consumptions: Sequence[Consumption], now_ns: int) -> None:
        """Charge all of the consumptions, or none.

        Consumptions of one table or index in one direction are one ask on its buckets. What costs nothing asks nothing.

        Args:
            tables: the tables of the Region by name.
            consumptions: what the request takes.
            now_ns: the instant.

        Raises:
            Throttled: a bucket refused; nothing was charged.
        """
        asks = self._asks(tables, consumptions, now_ns)
        for ask in asks:
            self._ask(ask, now_ns)
        self._charge(asks, now_ns)

    def charge(self, tables: Mapping[str, ThrottledTable], consumptions: Sequence[Consumption], now_ns: int) -> None:
        """Charge without asking: what was consumed whether or not there was capacity for it."""
        self._charge(self._asks(tables, consumptions, now_ns), now_ns)

    def _asks(
        self, tables: Mapping[str, ThrottledTable], consumptions: Iterable[Consumption], now_ns: int
    ) -> list[Ask]:
        self._follow_limits(now_ns)
        asks: dict[tuple[str, str | None, OperationType], Ask] = {}
        for part in consumptions:
            if not part.nano_units:
                continue
            key = (part.table_name, part.index_name, part.direction)
            ask = asks.get(key)
            if ask is None:
                table = tables[part.table_name]
                meter = self._meter(table, part.index_name, part.direction, now_ns)
                ask = asks[key] = Ask(meter, arn_of(table, part.index_name))
            ask.add(part)
        return in_order(asks.values())

    def _ask(self, ask: Ask, now_ns: int) -> None:
        question = ask.meter.refusing(ask.nano_units, ask.by_key, now_ns)
        if question is not None:
            part = ask.refused_part(question)
            raise throttled(ask.refusal(question, now_ns), part, ask.meter.terms.settings.account_limit_error)

    def _charge(self, asks: Iterable[Ask], now_ns: int) -> None:
        for ask in asks:
            ask.meter.charge(ask.nano_units, ask.by_key, now_ns)
            account = self._account.get(ask.meter.terms.direction) if self._account else None
            if account is not None:
                account.settle(now_ns)
                account.charge(ask.nano_units)

    def refresh(self, table: ThrottledTable, now_ns: int) -> None:
        """Follow a table that was created or changed, or whose settings were.

        What was earned at the old rates is settled first, then each balance is scaled to what its bucket will hold. An
        index that is new starts afresh; one that is gone is forgotten.

        Source: Assumed — the scaling, as a public implementation does; ``docs/model.md``.
        """
        self._follow_limits(now_ns)
        meters = self._meters.setdefault(table.name, {})
        names = (None, *table.global_indexes)
        for gone in [key for key in meters if key[0] not in names]:
            del meters[gone]
        for index_name in names:
            for direction in _BOTH_DIRECTIONS:
                self._agree(table, index_name, direction, now_ns)

    def forget(self, table_name: str) -> None:
        """Drop the buckets of a table that was deleted; one of the same name starts afresh."""
        self._meters.pop(table_name, None)

    def balance_nano_units(
        self, table: ThrottledTable, direction: OperationType, index_name: str | None, now_ns: int
    ) -> int:
        """Give what is left of a table or index: the scarcest of its capacity buckets, key ranges aside.

        Returns:
            Nano-units; negative for a debt.
        """
        return self._capacity_buckets(table, direction, index_name, now_ns)[0].balance_nano_units

    def drain(self, table: ThrottledTable, direction: OperationType, index_name: str | None, now_ns: int) -> None:
        """Set the balance of the bucket that binds, the scarcest one, to 0: the next request is refused by it."""
        self._capacity_buckets(table, direction, index_name, now_ns)[0].balance_nano_units = 0

    def fill(self, table: ThrottledTable, direction: OperationType, index_name: str | None, now_ns: int) -> None:
        """Fill the capacity buckets with all that they can hold."""
        for bucket in self._capacity_buckets(table, direction, index_name, now_ns):
            bucket.balance_nano_units = bucket.holds_nano_units

    def spend_burst(
        self, table: ThrottledTable, direction: OperationType, index_name: str | None, nano_units: int, now_ns: int
    ) -> None:
        """Take an amount from the capacity buckets, but nothing that isn't there, as background work does.

        Source: Documented — Developer Guide, "Burst and adaptive capacity", read 2026-11-30.
        """
        for bucket in self._capacity_buckets(table, direction, index_name, now_ns):
            bucket.charge(min(nano_units, max(0, bucket.balance_nano_units)))

    def key_ranges(
        self, table: ThrottledTable, direction: OperationType, index_name: str | None, now_ns: int
    ) -> KeyRanges:
        """Give the key ranges of a table or index, to be looked at."""
        self._follow_limits(now_ns)
        return self._meter(table, index_name, direction, now_ns).key_ranges

    def _capacity_buckets(
        self, table: ThrottledTable, direction: OperationType, index_name: str | None, now_ns: int
    ) -> list[TokenBucket]:
        self._follow_limits(now_ns)
        return self._meter(table, index_name, direction, now_ns).capacity_buckets(now_ns)

    def _meter(self, table: ThrottledTable, index_name: str | None, direction: OperationType, now_ns: int) -> Meter:
        """Give a meter; makes one for a table that was never announced, and follows a change that was not."""
        meter = self._meters.get(table.name, {}).get((index_name, direction))
        if meter is None or meter.terms.throughput is not throughput_of(table, index_name):
            meter = self._agree(table, index_name, direction, now_ns)
        return meter

    def _agree(self, table: ThrottledTable, index_name: str | None, direction: OperationType, now_ns: int) -> Meter:
        settings = self._settings_for(table.name, index_name)
        terms = Terms(throughput_of(table, index_name), settings, self._limits(), direction)
        meters = self._meters.setdefault(table.name, {})
        meter = meters.get((index_name, direction))
        if meter is None:
            meter = meters[index_name, direction] = Meter.start(terms, now_ns)
        else:
            meter.agree(terms, now_ns)
        return meter

    def _follow_limits(self, now_ns: int) -> None:
        limits = self._limits()
        if limits is self._limits_in_force:
            return
        self._limits_in_force = limits
        for meters in self._meters.values():
            for meter in meters.values():
                terms = meter.terms
                meter.agree(Terms(terms.throughput, terms.settings, limits, terms.direction), now_ns)
        for direction in _BOTH_DIRECTIONS:
            self._follow_account_limit(limits, direction, now_ns)

    def _follow_account_limit(self, limits: AccountLimits, direction: OperationType, now_ns: int) -> None:
        size = account_size(limits, direction)
        if size is None:
            self._account.pop(direction, None)
        elif direction in self._account:
            self._account[direction].resize(size, now_ns)
        else:
            self._account[direction] = TokenBucket.start(size, now_ns)

    def snapshot(self) -> object:
        """Give a copy of every balance, for ``restore``."""
        return _Snapshot(self._limits_in_force, _copied(self._meters), _copied_buckets(self._account))

    def restore(self, snapshot: object) -> None:
        """Put the balances of a snapshot in force; it can be restored again.

        Raises:
            TypeError: ``snapshot`` is not what ``snapshot()`` gave.
        """
        if not isinstance(snapshot, _Snapshot):
            raise TypeError(f"not a snapshot of admission: {snapshot!r}")
        self._limits_in_force = snapshot.limits
        self._meters, self._account = _copied(snapshot.meters), _copied_buckets(snapshot.account)

    def check_invariants(self) -> None:
        """Assert that every bucket is sound.

        Raises:
            AssertionError: with the numbers of the first that is not.
        """
        for meters in self._meters.values():
            for (_, direction), meter in meters.items():
                assert meter.terms.direction is direction, meter.terms
                meter.check_invariants()
        for bucket in self._account.values():
            bucket.check_invariants()


def _copied(meters: _Meters) -> _Meters:
    return {name: {key: meter.copy() for key, meter in of_table.items()} for name, of_table in meters.items()}


def _copied_buckets(buckets: Mapping[OperationType, TokenBucket]) -> dict[OperationType, TokenBucket]:
    return {direction: bucket.copy() for direction, bucket in buckets.items()}
