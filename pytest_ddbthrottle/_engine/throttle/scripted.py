"""A refusal that the test scripted: byte for byte what the bucket would have said."""

from __future__ import annotations

from pytest_ddbthrottle._engine.capacity import Consumption
from pytest_ddbthrottle._engine.errors import Throttled
from pytest_ddbthrottle._engine.throttle.reasons import Scope, ThrottlingReason
from pytest_ddbthrottle._engine.throttle.refusal import Refusal
from pytest_ddbthrottle._engine.throttle.replies import scope_of, throttled
from pytest_ddbthrottle._engine.throttle.scopes import SCOPES, Terms, capacity_scope


def scripted_throttle(
    reason: ThrottlingReason, part: Consumption, arn: str, terms: Terms, left_nano_units: int, now_ns: int
) -> Throttled:
    """Give the refusal of one part of a request, for a reason that the test chose.

    Args:
        reason: one of the sixteen.
        part: what is refused.
        arn: of the table or index that it falls on.
        terms: those of the table or index, in the reason's direction.
        left_nano_units: what its bucket holds, for the journal.
        now_ns: the instant.

    Raises:
        ValueError: no bucket of a table in that billing mode gives the reason; the message names the mode.
    """
    scope = scope_of(reason, terms.throughput.billing_mode)
    sized = scope if SCOPES[scope].applies(terms) else capacity_scope(terms)
    refusal = Refusal(
        scope=scope,
        billing_mode=terms.throughput.billing_mode,
        direction=part.direction,
        table_name=part.table_name,
        index_name=part.holder_name,
        resource=arn,
        asked_nano_units=part.nano_units,
        left_nano_units=left_nano_units,
        rate_units_per_second=SCOPES[sized].size(terms).rate_units_per_second,
        at_ns=now_ns,
        partition_key=part.key_ranges[0][0] if scope is Scope.KEY_RANGE and part.key_ranges else None,
    )
    return throttled(refusal, part, terms.settings.account_limit_error)
