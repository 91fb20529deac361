"""What the journal keeps of a refusal: who refused, what was asked, and what was left."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from pytest_ddbthrottle._engine.capacity import NANO_UNITS_PER_UNIT, BillingMode
from pytest_ddbthrottle._engine.throttle.reasons import (
    OperationType,
    ResourceType,
    Scope,
    ThrottlingReason,
    throttling_reason,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One bucket's refusal of one request.

    Args:
        scope: which bucket refused.
        billing_mode: the mode of the table; None at the account's door, where no table has been looked up.
        direction: read or write.
        table_name: the table; None where the request names none, or not one that could exist.
        index_name: the global secondary index that refused; None for the table.
        resource: the ARN that the reasons list names; None where there is nothing to name.
        asked_nano_units: what the bucket was asked for; 0 at the account's door, where the cost is unknown.
        left_nano_units: its balance; negative for a debt.
        rate_units_per_second: its refill.
        at_ns: the instant.
        partition_key: the canonical partition key whose range refused; None for another scope.
        reason: what the client is told, or None for no list. ``replies.throttled`` fills it in.
    """

    scope: Scope
    billing_mode: BillingMode | None
    direction: OperationType
    table_name: str | None
    index_name: str | None
    resource: str | None
    asked_nano_units: int
    left_nano_units: int
    rate_units_per_second: int
    at_ns: int
    partition_key: Hashable | None = None
    reason: ThrottlingReason | None = None

    @property
    def resource_type(self) -> ResourceType:
        """Whether the table or an index refused."""
        return ResourceType.TABLE if self.index_name is None else ResourceType.INDEX

    @property
    def cause(self) -> ThrottlingReason:
        """The reason in AWS's words, also where the client is told none: metrics and the journal go by it."""
        return throttling_reason(self.resource_type, self.direction, self.scope.limit_type)

    @property
    def asked_units(self) -> float:
        """What the bucket was asked for, in capacity units."""
        return self.asked_nano_units / NANO_UNITS_PER_UNIT

    @property
    def left_units(self) -> float:
        """The bucket's balance, in capacity units."""
        return self.left_nano_units / NANO_UNITS_PER_UNIT
