"""How high caps and warm throughput may go: the per-table quota of the account."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_ddbthrottle._engine.capacity import Throughput
from pytest_ddbthrottle._engine.control_plane.throughput import CAPS, WARM, Subject
from pytest_ddbthrottle._engine.errors import LimitExceededException
from pytest_ddbthrottle._engine.operations.context import Context

OVER_QUOTA = (
    "Subscriber limit exceeded: Requested {member} for {structure} for {subject} exceeds {quota} of the account in "
    "region {region}"
)
READ_QUOTA, WRITE_QUOTA = "TableMaxReadCapacityUnits", "TableMaxWriteCapacityUnits"
"""Source: Observed — a public lab's notes of 2026-10-08, us-west-2."""


def check_on_demand_quotas(
    context: Context, request: Mapping[str, Any], subject: Subject, before: Throughput | None
) -> None:
    """Check the caps and the warm throughput that a request names for a table or an index.

    Args:
        context: the account.
        request: what may have ``OnDemandThroughput`` and ``WarmThroughput``.
        subject: the table or index.
        before: what it has; None for a new one. What is not raised is never refused.

    Raises:
        LimitExceededException: a number over the per-table quota of its direction.
    """
    maxima = {READ_QUOTA: context.limits.per_table_max_rcu, WRITE_QUOTA: context.limits.per_table_max_wcu}
    for structure, member, current, words in _numbers(before, subject):
        requested = (request.get(structure) or {}).get(member)
        quota = READ_QUOTA if "Read" in member else WRITE_QUOTA
        if requested is not None and requested > maxima[quota] and (current is None or requested > current):
            raise LimitExceededException(
                OVER_QUOTA.format(member=member, structure=structure, subject=words, quota=quota, region=context.region)
            )


def _numbers(before: Throughput | None, subject: Subject) -> Iterator[tuple[str, str, int | None, str]]:
    """Give each number that a request may name: structure, member, what it is now, and what its text calls the subject."""
    for member, field in CAPS.items():
        yield "OnDemandThroughput", member, getattr(before, field, None), subject.in_caps_text
    for member, rule in WARM.items():
        yield "WarmThroughput", member, getattr(before, rule.field, None), subject.in_text
