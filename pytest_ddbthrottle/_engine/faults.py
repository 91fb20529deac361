"""Scripted refusals and faults: ``ddb_inject`` as a value, and the script that asks the rules before the buckets.

A rule decides once for each call: at the first part of a call that it matches it counts, and while it fires every part
that it matches is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from random import Random
from typing import Any

from pytest_ddbthrottle._engine import errors
from pytest_ddbthrottle._engine.attribute_value import AttributeValue
from pytest_ddbthrottle._engine.capacity import Consumption, OperationType
from pytest_ddbthrottle._engine.errors import LOST_REPLIES, InternalServerError, LostReply, ServiceError
from pytest_ddbthrottle._engine.keys import KeySchema, part
from pytest_ddbthrottle._engine.request_entries import named_items
from pytest_ddbthrottle._engine.request_names import index_name, table_names
from pytest_ddbthrottle._engine.throttle.reasons import ThrottlingReason

BATCHES = ("BatchGetItem", "BatchWriteItem")
ERROR_TEXTS = {
    "InternalServerError": "Internal server error",
    "ServiceUnavailable": "The service is currently unavailable or busy.",
}
"""Source: Documented — Developer Guide, "Error handling with DynamoDB", read 2026-11-30."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InjectRule:
    """One scripted refusal or fault.

    Args:
        reason: one of the sixteen throttling reasons.
        error: an error class by its name (``InternalServerError``, ``ServiceUnavailable``, any modelled class);
            ``"timeout"`` or ``"reset"`` for a reply that never arrives.
        operation: the operation that it hits, ``PutItem`` say; None for all of the data plane.
        table: the table's name; None for any.
        index: the index's name, for an Index reason, or for an error the one that is read; None for any.
        key: the partition key's value, plain or in wire form; None for any. For what is not a reason it is looked for
            among the items that the request names, and in the key condition of none.
        direction: ``"read"`` or ``"write"``; None for both. A reason knows its own.
        times: how often it fires.
        after: how many matching calls pass first.
        every: fire on each n-th matching call only.
        rate: instead of ``every``: the share of matching calls, drawn from the run's seed.
        leftover: leave so many entries of a batch unprocessed, instead of refusing: the last ones of those of
            ``table`` and ``key``.
        applied: with a lost reply or an error of 500 and above: the request is carried out, though its caller is told
            nothing of it.
        latency_seconds: let so much virtual time pass first.
        optional: whether it may end the test without having fired.

    Raises:
        ValueError: unknown names, or fields that contradict each other.
    """

    reason: str | None = None
    error: str | None = None
    operation: str | None = None
    table: str | None = None
    index: str | None = None
    key: Any = None
    direction: str | None = None
    times: int = 1
    after: int = 0
    every: int = 1
    rate: float | None = None
    leftover: int | None = None
    latency_seconds: float | None = None
    applied: bool = False
    optional: bool = False

    def __post_init__(self) -> None:
        said = [name for name in ("reason", "error", "leftover") if getattr(self, name) is not None]
        if len(said) > 1:
            raise ValueError(f"{said[0]} contradicts {said[1]}: a rule does one thing")
        if not said and self.latency_seconds is None:
            raise ValueError("nothing to inject: give reason=, error=, leftover= or latency_seconds=")
        self._check_names()
        self._check_key()
        self._check_numbers()

    def _check_names(self) -> None:
        if self.reason is not None and self.reason not in {reason.value for reason in ThrottlingReason}:
            raise ValueError(f"reason={self.reason!r} is none of the sixteen throttling reasons")
        if self.error is not None and self.error not in LOST_REPLIES and error_class(self.error) is None:
            raise ValueError(f"error={self.error!r} is no error that this fake models")
        if self.direction not in (None, "read", "write"):
            raise ValueError(f"direction={self.direction!r}: allowed are 'read' and 'write'")
        if self.reason is not None and self.direction is not None and self.direction not in self.reason.lower():
            raise ValueError(f"direction={self.direction!r} contradicts reason={self.reason!r}")
        if self.index is not None and self.reason is not None and not self.reason.startswith("Index"):
            raise ValueError(f"index={self.index!r} contradicts reason={self.reason!r}: that names a table")
        if self.leftover is not None and self.operation not in (None, *BATCHES):
            raise ValueError(f"leftover contradicts operation={self.operation!r}: only batches have leftovers")
        if self.applied and not self._may_be_applied():
            raise ValueError(
                "applied=True needs an error that leaves it open: 'timeout', 'reset', or one of 500 and above"
            )

    def _check_key(self) -> None:
        if isinstance(self.key, Mapping) and not _is_key_value(self.key):
            raise ValueError(
                f"key={self.key!r}: the partition key's value alone is needed, plain ('a') or in wire form ({{'S': 'a'}})"
            )

    def _may_be_applied(self) -> bool:
        if self.error is None or self.error in LOST_REPLIES:
            return self.error is not None
        found = error_class(self.error)
        return found is not None and found.status_code >= 500

    def _check_numbers(self) -> None:
        for name, least in (("times", 1), ("after", 0), ("every", 1), ("leftover", 1)):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or value < least):
                raise ValueError(f"{name}={value!r}: a whole number, at least {least}, is needed")
        if self.latency_seconds is not None and not 0 <= self.latency_seconds < inf:
            raise ValueError(f"latency_seconds={self.latency_seconds!r}: a number of seconds, at least 0, is needed")
        if self.rate is not None and not 0 < self.rate <= 1:
            raise ValueError(f"rate={self.rate!r}: a share above 0 and up to 1 is needed")
        if self.rate is not None and self.every != 1:
            raise ValueError("rate contradicts every: give one of them")

    def matches_request(self, asked: AskedFor) -> bool:
        """Tell whether the rule speaks of this operation, and one of its tables, directions, indexes and keys."""
        if self.operation not in (None, asked.operation) or self.table not in (None, *asked.table_names):
            return False
        if self.index not in (None, asked.index_name) or self._direction() not in (None, *asked.directions):
            return False
        return self.key is None or any(self.matches_item(item) for item in asked.items)

    def matches_item(self, item: tuple[str, Any]) -> bool:
        """Tell whether the rule speaks of an item, given by its table and its partition key."""
        return self.table in (None, item[0]) and (self.key is None or key_part(self.key) == item[1])

    def matches_part(self, part_: Consumption) -> bool:
        """Tell whether the rule speaks of this table or index, direction and key."""
        if self.table not in (None, part_.table_name) or self.index not in (None, part_.holder_name):
            return False
        if self.reason is not None and self.reason.startswith("Index") != (part_.holder_name is not None):
            return False
        if self._direction() not in (None, part_.direction):
            return False
        return self.key is None or any(range_[0][:1] == (key_part(self.key),) for range_ in part_.key_ranges)

    def _direction(self) -> OperationType | None:
        if self.reason is not None:
            return OperationType.READ if "Read" in self.reason else OperationType.WRITE
        return None if self.direction is None else OperationType[self.direction.upper()]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedFor:
    """What a request asks for, as far as it can be told before it is looked at.

    Args:
        operation: AWS's name.
        directions: in which it consumes.
        table_names: the tables that it names.
        index_name: the index that it reads, or None.
        items: the items that it names, in its order: a table's name, and the partition key as a key part.
    """

    operation: str
    directions: Sequence[OperationType] = ()
    table_names: Sequence[str] = ()
    index_name: str | None = None
    items: Sequence[tuple[str, Any]] = ()


def asked_for(
    operation: str, request: Mapping[str, Any], directions: Sequence[OperationType], schemas: Mapping[str, KeySchema]
) -> AskedFor:
    """Give what a request asks for; an item of a table that is not there has no partition key."""
    return AskedFor(
        operation=operation,
        directions=directions,
        table_names=table_names(request),
        index_name=index_name(request),
        items=[
            (name.rpartition(":table/")[2], _partition_part(schemas.get(name.rpartition(":table/")[2]), item))
            for name, item in named_items(operation, request)
        ],
    )


def _partition_part(schema: KeySchema | None, item: Mapping[str, Any]) -> Any:
    value = item.get(schema.partition[0].name) if schema is not None and isinstance(item, Mapping) else None
    try:
        return None if value is None else part(value)
    except (AttributeError, TypeError, ValueError, ArithmeticError, ServiceError):  # not validated yet
        return None


def error_class(name: str) -> type[ServiceError] | None:
    """Give the error class of that name, or None."""
    found = getattr(errors, name, None)
    return found if isinstance(found, type) and issubclass(found, ServiceError) and found is not ServiceError else None


def fault_error(name: str, *, waited: bool) -> ServiceError | LostReply:
    """Give what the caller of a scripted error is told.

    Args:
        name: ``error`` of a rule.
        waited: whether a lost reply's time has passed already.
    """
    if name in LOST_REPLIES:
        return LostReply(name, waited=waited)
    return (error_class(name) or InternalServerError)(ERROR_TEXTS.get(name, name))


def key_part(key: Any) -> Any:
    """Give a partition key value, plain or in wire form, as a key part."""
    if not isinstance(key, Mapping):
        return key
    wire: AttributeValue = dict(key)
    # Clients of the SDK write binary values as bytes, where the wire has base64.
    return wire["B"] if isinstance(wire.get("B"), bytes) else part(wire)


def _is_key_value(wire: Mapping[str, Any]) -> bool:
    if len(wire) != 1 or not wire.keys() <= {"S", "N", "B"}:
        return False
    if not all(isinstance(content, str | bytes) for content in wire.values()):
        return False
    try:
        key_part(wire)
    except (TypeError, ValueError, ArithmeticError):
        return False
    return True


@dataclass(slots=True)
class ScriptedRule:
    """A rule in force, and how often it has matched and fired.

    A snapshot sets the two numbers back, ``has_fired`` never.
    """

    rule: InjectRule
    matched: int = 0
    fired: int = 0
    has_fired: bool = False

    def decide(self, random: Random) -> bool:
        """Count one matching call; gives whether the rule fires on it."""
        self.matched += 1
        if self.fired >= self.rule.times or self.matched <= self.rule.after:
            return False
        if self.rule.rate is not None:
            fires = random.random() < self.rule.rate
        else:
            fires = (self.matched - self.rule.after - 1) % self.rule.every == 0
        self.fired += fires
        self.has_fired = self.has_fired or fires
        return fires


@dataclass(slots=True)
class CallScript:
    """What the rules say of one call. Each rule is asked once, at the first part of the call that it matches."""

    operation: str
    rules: Sequence[ScriptedRule]
    random: Random
    _decided: dict[int, bool] = field(default_factory=dict)

    def fires(self, scripted: ScriptedRule) -> bool:
        """Tell whether this rule fires on this call; it is asked once."""
        if id(scripted) not in self._decided:
            self._decided[id(scripted)] = scripted.decide(self.random)
        return self._decided[id(scripted)]

    def refusing(self, parts: Sequence[Consumption]) -> tuple[InjectRule, Consumption] | None:
        """Give the first rule that refuses one of these parts, and that part."""
        for scripted in self.rules:
            rule = scripted.rule
            if rule.reason is None or rule.operation not in (None, self.operation):
                continue
            for part_ in parts:
                if rule.matches_part(part_) and self.fires(scripted):
                    return rule, part_
        return None

    def at_the_door(self, asked: AskedFor) -> list[InjectRule]:
        """Give the rules that fire on this call before it is looked at: errors, lost replies and latency."""
        return [
            scripted.rule
            for scripted in self.rules
            if scripted.rule.reason is None
            and scripted.rule.leftover is None
            and scripted.rule.matches_request(asked)
            and self.fires(scripted)
        ]

    def leftover_places(self, asked: AskedFor) -> set[int]:
        """Give the places of the entries of this batch that the rules leave unprocessed, counted from 0."""
        places: set[int] = set()
        for scripted in self.rules:
            rule = scripted.rule
            if rule.leftover is None or asked.operation not in BATCHES:
                continue
            if rule.matches_request(asked) and self.fires(scripted):
                spoken_of = [place for place, item in enumerate(asked.items) if rule.matches_item(item)]
                places.update(spoken_of[-rule.leftover :])
        return places
