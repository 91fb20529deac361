"""What a throttling reason means, whether more capacity helps, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType

from pytest_ddbthrottle._engine.throttle.reasons import LimitType, OperationType, ResourceType, ThrottlingReason


@dataclass(frozen=True, slots=True)
class Advice:
    """One row of ``ADVICE``; ``{resource}``, ``{direction}`` and the like are filled in by ``explain``."""

    cause: str
    more_capacity: str
    steps: tuple[str, ...]


_PROVISIONED_CAUSE = (
    "{direction}s of the {resource} stayed above its provisioned {direction} capacity, and the burst "
    "capacity (up to 300 seconds of what was not used) is spent"
)
_PROVISIONED_HELPS = "helps"
_ON_DEMAND = (
    "For spikes that can't be predicted, switch the table to on-demand mode (up to four times in 24 hours, and back at "
    "any time)."
)
_RAISE = "Without auto scaling: raise the {resource}'s {member}CapacityUnits, before a spike that can be predicted."
_AUTO_SCALING = (
    "Turn auto scaling on for {direction}s of the {resource}. It follows traffic that ramps over minutes: it waits for "
    "two minutes above the target, and the change takes minutes more."
)
_TUNE_SCALING = "With auto scaling on: lower its target utilization, and raise its minimum before a known peak."
_PROVISIONED_STEPS = (_ON_DEMAND, _RAISE, _AUTO_SCALING, _TUNE_SCALING)

_KEY_RANGE_CAUSE = (
    "{direction}s of one key range of the {resource} passed what a partition serves, {partition_rate} {direction} "
    "units per second in both capacity modes; or an on-demand {resource} met more than double its previous peak within "
    "30 minutes"
)
_KEY_RANGE_NO_HELP = (
    "does not help one hot key: a partition serves no more, whatever the {resource} as a whole may consume. Splitting "
    "for heat takes minutes, and does nothing for one hot item, for a sort key that only grows, or for a table with "
    "a local secondary index"
)
_PRE_WARM = (
    "Raise the {resource}'s warm throughput before a launch, a migration or a known peak: its partitions are ready "
    "then, not while it lasts."
)
_FIND_KEY = (
    "Find the key: CloudWatch Contributor Insights in THROTTLED_KEYS mode names it, and costs nothing while nothing is "
    "throttled."
)
_READ_LESS = (
    "Read less of it: eventually consistent reads cost half, and a cache such as DAX absorbs repeated reads of the "
    "same items."
)
_SPREAD_READS = (
    "In the long run, spread the key: a suffix (customer#123#0 to customer#123#9), its shards read in parallel."
)
_SPREAD_WRITES = (
    "In the long run, spread the key: a suffix (customer#123#0 to customer#123#9), or add frequent updates such as "
    "counters up before they are written."
)
_BETTER_INDEX_KEY = (
    "Give the index a key of more distinct values: one of a few (status = ACTIVE) is a hot key by itself. Combine it "
    "with another attribute (ACTIVE#customer#123), or use several key attributes."
)
_PROJECT_LESS = (
    "Project fewer attributes into the index: a write that changes none of them, and not its key, costs the index "
    "nothing."
)

_CAP_CAUSE = (
    "{direction}s of the on-demand {resource} passed the maximum throughput that was set on it "
    "(Max{member}RequestUnits)"
)
_CAP_HELPS = "helps once the maximum allows it: the limit is your own setting, not the service's"
_RAISE_CAP = "Raise Max{member}RequestUnits of the {resource} with UpdateTable, if the maximum is not meant to refuse."
_REMOVE_CAP = (
    "Or take it away with Max{member}RequestUnits = -1: the per-table quota is the limit then. Watch what that costs."
)
_CAP_STEPS = (_RAISE_CAP, _REMOVE_CAP)

_QUOTA_CAUSE = (
    "{direction}s passed a throughput quota of the account: that of one on-demand table with its indexes (by default "
    "40,000 {direction} units per second), or the account's own in this Region"
)
_QUOTA_NO_HELP = "does not help: a quota is in the way, which neither provisioned capacity nor a cap can raise"
_RAISE_QUOTA = (
    'Ask for a higher "Table-level {direction} throughput limit" ({quota_code}) in the Service Quotas console.'
)
_FEWER_INDEX_READS = "Look at how the index is queried: reads of it count with those of its table."

_BACK_PRESSURE = ". A write of the table must update the index as well, so the table's write was refused with it"

_TABLE, _INDEX = ResourceType.TABLE, ResourceType.INDEX
_READ, _WRITE = OperationType.READ, OperationType.WRITE
_PROVISIONED = LimitType.PROVISIONED_THROUGHPUT_EXCEEDED
_KEY_RANGE = LimitType.KEY_RANGE_THROUGHPUT_EXCEEDED
_CAP = LimitType.MAX_ON_DEMAND_THROUGHPUT_EXCEEDED
_QUOTA = LimitType.ACCOUNT_LIMIT_EXCEEDED

_PROVISIONED_ADVICE = Advice(_PROVISIONED_CAUSE, _PROVISIONED_HELPS, _PROVISIONED_STEPS)
_CAP_ADVICE = Advice(_CAP_CAUSE, _CAP_HELPS, _CAP_STEPS)
_QUOTA_ADVICE = Advice(_QUOTA_CAUSE, _QUOTA_NO_HELP, (_RAISE_QUOTA,))

ADVICE: Mapping[tuple[LimitType, ResourceType, OperationType], Advice] = MappingProxyType(
    {
        (_PROVISIONED, _TABLE, _READ): _PROVISIONED_ADVICE,
        (_PROVISIONED, _TABLE, _WRITE): _PROVISIONED_ADVICE,
        (_PROVISIONED, _INDEX, _READ): _PROVISIONED_ADVICE,
        (_PROVISIONED, _INDEX, _WRITE): Advice(
            _PROVISIONED_CAUSE + _BACK_PRESSURE, _PROVISIONED_HELPS, _PROVISIONED_STEPS
        ),
        (_KEY_RANGE, _TABLE, _READ): Advice(
            _KEY_RANGE_CAUSE, _KEY_RANGE_NO_HELP, (_PRE_WARM, _FIND_KEY, _READ_LESS, _SPREAD_READS)
        ),
        (_KEY_RANGE, _TABLE, _WRITE): Advice(
            _KEY_RANGE_CAUSE, _KEY_RANGE_NO_HELP, (_PRE_WARM, _FIND_KEY, _SPREAD_WRITES)
        ),
        (_KEY_RANGE, _INDEX, _READ): Advice(
            _KEY_RANGE_CAUSE, _KEY_RANGE_NO_HELP, (_PRE_WARM, _FIND_KEY, _BETTER_INDEX_KEY)
        ),
        (_KEY_RANGE, _INDEX, _WRITE): Advice(
            _KEY_RANGE_CAUSE + _BACK_PRESSURE, _KEY_RANGE_NO_HELP, (_BETTER_INDEX_KEY, _PRE_WARM, _PROJECT_LESS)
        ),
        (_CAP, _TABLE, _READ): _CAP_ADVICE,
        (_CAP, _TABLE, _WRITE): _CAP_ADVICE,
        (_CAP, _INDEX, _READ): _CAP_ADVICE,
        (_CAP, _INDEX, _WRITE): Advice(_CAP_CAUSE + _BACK_PRESSURE, _CAP_HELPS, _CAP_STEPS),
        (_QUOTA, _TABLE, _READ): _QUOTA_ADVICE,
        (_QUOTA, _TABLE, _WRITE): _QUOTA_ADVICE,
        (_QUOTA, _INDEX, _READ): Advice(_QUOTA_CAUSE, _QUOTA_NO_HELP, (_RAISE_QUOTA, _FEWER_INDEX_READS)),
        (_QUOTA, _INDEX, _WRITE): Advice(_QUOTA_CAUSE + _BACK_PRESSURE, _QUOTA_NO_HELP, (_RAISE_QUOTA, _PROJECT_LESS)),
    }
)
"""What is behind each of the sixteen reasons.

Source: Documented — Developer Guide, "Key range throughput exceeded", "Provisioned throughput exceeded", "Account
limits exceeded", "On-demand maximum throughput exceeded" (causes, the order of the steps, quota codes), "Burst and
adaptive capacity" and "On-demand capacity mode" (numbers), read 2026-11-30; Assumed — growth past double the peak is
told as a key range.
"""

_DIRECTION_WORDS: Mapping[OperationType, Mapping[str, str]] = MappingProxyType(
    {
        _READ: {"direction": "read", "member": "Read", "partition_rate": "3,000", "quota_code": "L-CF0CBE56"},
        _WRITE: {"direction": "write", "member": "Write", "partition_rate": "1,000", "quota_code": "L-AB614373"},
    }
)


def explain(reason: ThrottlingReason | str) -> str:
    """Tell what a throttling reason means and what to do about it.

    The cause in words, whether more capacity helps, and the steps in the order in which AWS suggests them.

    Args:
        reason: one of the sixteen, as a client receives it.

    Returns:
        Text of several lines, without a newline at its end.

    Raises:
        ValueError: it is none of the sixteen; the message names the nearest one.

    >>> print(explain("TableWriteMaxOnDemandThroughputExceeded").splitlines()[1])
    Cause: writes of the on-demand table passed the maximum throughput that was set on it (MaxWriteRequestUnits).

    Source: Documented — the pages named at ``ADVICE``.
    """
    known = _known_reason(reason)
    advice = ADVICE[known.limit_type, known.resource_type, known.operation_type]
    words = {"resource": known.resource_type.value.lower(), **_DIRECTION_WORDS[known.operation_type]}
    return "\n".join(
        [
            known.value,
            f"Cause: {advice.cause.format(**words)}.",
            f"More capacity: {advice.more_capacity.format(**words)}.",
            "What to do, in this order:",
            *(f"{number}. {step.format(**words)}" for number, step in enumerate(advice.steps, 1)),
        ]
    )


def _known_reason(reason: ThrottlingReason | str) -> ThrottlingReason:
    reasons = [known.value for known in ThrottlingReason]
    if reason in reasons:
        return ThrottlingReason(reason)
    near = get_close_matches(str(reason), reasons, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise ValueError(f"explain({str(reason)!r}): none of the sixteen throttling reasons{hint}")
