"""What the audit looks for: ``RULES`` is the table, a rule each; a rule gives the calls that are guilty, and why."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from itertools import groupby

from pytest_ddbthrottle._audit_evidence import Evidence, sends
from pytest_ddbthrottle._audit_handlers import catch_of, is_in_retry_loop, passes_by
from pytest_ddbthrottle._engine.capacity import OperationType
from pytest_ddbthrottle._engine.journal import Call
from pytest_ddbthrottle._failures import attributes_text, counted, listed, seconds_text
from pytest_ddbthrottle._resends import (
    CANCELLED,
    Entry,
    entries_of,
    landed_entries,
    leftover_entries,
)

Guilty = Iterator[tuple[Call, str]]
"""A call, and what happened to it in a sentence."""

SENDS_AT_ONE_INSTANT = 3
"""One retry at once may be meant; a second one after it is a loop."""
SENDS_WITHOUT_END = 1000
_BATCH_WRITER = "boto3.dynamodb.table"
_SHOWN_KEYS = 3
_LEFTOVERS_MEMBERS = {
    "BatchWriteItem": "UnprocessedItems",
    "BatchGetItem": "UnprocessedKeys",
    "BatchExecuteStatement": "Responses",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that the audit looks for.

    Attributes:
        name: as a finding bears it.
        find: gives the guilty calls.
        cure: what to do about it.
    """

    name: str
    find: Callable[[Evidence], Guilty]
    cure: str


def leftovers_dropped(evidence: Evidence) -> Guilty:
    """Entries that came back, in a member of the reply that nobody has read, and were never sent again."""
    for call in evidence.calls:
        if not call.leftovers or call.error is not None or call.request_id not in evidence.read:
            continue
        if call.caller is None or not call.caller.application:
            continue
        member = _LEFTOVERS_MEMBERS[call.operation]
        dropped = [
            entry
            for entry in leftover_entries(call)
            if not evidence.is_sent_later(entry, call) and not evidence.is_put_aside(entry, call)
        ]
        if dropped and member not in evidence.read[call.request_id]:
            came_back = f"{len(dropped)} of {counted(len(entries_of(call)), 'entry').replace('entrys', 'entries')}"
            yield call, f"{came_back} came back in {member}, which nobody read or sent again: {_keys(dropped)}"


def no_back_off(evidence: Evidence) -> Guilty:
    """The application sends a refused request again, and again, at the same virtual instant."""
    for run in evidence.chains() if evidence.sleeps_are_seen else ():
        if _is_batch_writers(run[0]):
            continue
        for at_seconds, at_once in groupby(sends(run), key=lambda call: call.at_seconds):
            same = list(at_once)
            if len(same) >= SENDS_AT_ONE_INSTANT and _is_retried(same[0]):
                yield same[0], f"sent {len(same)} times at the same virtual instant, {seconds_text(at_seconds)}"
                break


def _is_retried(call: Call) -> bool:
    """Tell whether a call that is repeated is repeated by a retry, and not by many users of one application."""
    return bool(call.leftovers) or is_in_retry_loop(call)


def _is_batch_writers(call: Call) -> bool:
    # boto3 re-sends leftovers at once, and the application can't change that.
    return call.caller is not None and any(frame.module == _BATCH_WRITER for frame in call.caller.frames)


def no_bound(evidence: Evidence) -> Guilty:
    """A refused request is sent again without an end: until the test was ended, or a thousand times."""
    for call in evidence.livelocks:
        if not _is_retried(call):
            continue
        yield call, "sent again until the test was ended: nothing in the loop moved the clock or gave up"
    for run in evidence.chains():
        made = sends(run)
        if (
            len(made) >= SENDS_WITHOUT_END
            and _is_retried(run[0])
            and not {call.number for call in evidence.livelocks} & {call.number for call in run}
        ):
            lasted = seconds_text(run[-1].at_seconds - run[0].at_seconds)
            yield run[0], f"sent {len(made)} times over {lasted} without giving up"


def throttle_swallowed(evidence: Evidence) -> Guilty:
    """An exception that a handler took, wrote into the log at most, and told to nobody; and nothing was sent again."""
    for call in evidence.given_up():
        catch = None if call.error == CANCELLED else catch_of(call)
        if catch is not None and catch.is_silent and evidence.is_sent_once(call) and not evidence.is_done(call):
            yield call, f"{call.error} was caught in {catch.frame}, told to nobody, and not sent again"


def reasons_not_read(evidence: Evidence) -> Guilty:
    """The reasons list was asked for by the other class's name for it alone, and is not there."""
    for call in evidence.calls:
        asked = evidence.read.get(call.request_id, set()) & {"ThrottlingReasons", "throttlingReasons"}
        present = b'"ThrottlingReasons":' in call.body, b'"throttlingReasons":' in call.body
        if len(asked) != 1 or not any(present):
            continue
        right = "ThrottlingReasons" if present[0] else "throttlingReasons"
        if right not in asked:
            yield call, f"{call.error} spells its list {right}; the application asked for {asked.pop()} alone"


def transaction_not_retried(evidence: Evidence) -> Guilty:
    """A transaction that capacity cancelled, taken by a handler that read no reasons and did not send it again."""
    for call in evidence.calls:
        if call.error != CANCELLED or not call.throttled or evidence.repeats_an_action_of(call):
            continue
        catch = catch_of(call)
        unread = "CancellationReasons" not in evidence.read.get(call.request_id, {"CancellationReasons"})
        if catch is not None and unread and not catch.raises and not catch.hands_on:
            yield call, f"cancelled for want of capacity; the handler in {catch.frame} read no reasons and sent nothing"


def write_lost(evidence: Evidence) -> Guilty:
    """A refused write that is nowhere, where others of the same line were put aside into another table."""
    refusals = [
        (call, entry)
        for call in evidence.given_up()
        for entry in entries_of(call)
        if call.error != CANCELLED and entry.direction is OperationType.WRITE and not evidence.has_landed(entry, call)
    ]
    aside: dict[Hashable, bool] = {}
    judged = [(call, entry, evidence.is_put_aside(entry, call)) for call, entry in refusals]
    for call, entry, is_aside in judged:
        aside[call.line, entry.table] = aside.get((call.line, entry.table), False) or is_aside
    for call, entry, is_aside in judged:
        if not is_aside and call.line is not None and aside[call.line, entry.table]:
            yield call, f"{_keys([entry])} was refused and is nowhere; others of this line were put aside"


def write_repeated(evidence: Evidence) -> Guilty:
    """A retry that begins too early: an update that had landed is carried out again before what was refused."""
    calls = evidence.calls
    for refusal in calls:
        following = evidence.again.get(refusal.number)
        if following is None or following.attempt > 1 or following.number != refusal.number + 2:
            continue
        start = _first_attempt(refusal, evidence)
        update, repeated = calls[start.number - 2] if start.number > 1 else None, calls[refusal.number]
        if update is not None and _is_carried_out_twice(update, repeated, refusal):
            yield repeated, f"carried out twice: the retry of {refusal.operation} on {refusal.table} begins with it"


def _first_attempt(call: Call, evidence: Evidence) -> Call:
    while call.attempt > 1:
        call = evidence.calls[call.number - 2]
    return call


def _is_carried_out_twice(update: Call, repeated: Call, refusal: Call) -> bool:
    workers = {call.caller and call.caller.worker for call in (update, repeated, refusal)}
    if len(workers) > 1 or update.request != repeated.request or not _accumulates(update):
        return False
    # A count of attempts is kept with what is attempted.
    own = {tuple(entry.attributes.items()).__repr__() for entry in entries_of(refusal)}
    same_key = any(repr(tuple(entry.attributes.items())) in own for entry in entries_of(update))
    return bool(landed_entries(update) and landed_entries(repeated)) and not same_key


def _accumulates(call: Call) -> bool:
    if call.operation != "UpdateItem" or "ConditionExpression" in call.request or call.error is not None:
        return False
    words = f" {call.request.get('UpdateExpression', '')} ".upper()
    return " ADD " in words or " + " in words or " - " in words


def class_not_caught(evidence: Evidence) -> Guilty:
    """A throttle of one class, where a handler waits for another of the three alone."""
    for call in evidence.given_up():
        passed = passes_by(call) if call.throttled and call.error != CANCELLED else None
        if passed is not None and not evidence.is_done(call):
            frame, named = passed
            yield call, f"{call.error} passes the handler of {named} by in {frame}"


def _keys(entries: list[Entry]) -> str:
    shown = [attributes_text(entry) for entry in entries[:_SHOWN_KEYS]]
    return listed(shown) if len(entries) <= _SHOWN_KEYS else f"{', '.join(shown)}, …"


RULES = (
    Rule(
        "leftovers_dropped",
        leftovers_dropped,
        "send UnprocessedItems or UnprocessedKeys again, after a delay that grows, until nothing comes back",
    ),
    Rule("no_back_off", no_back_off, "wait before each retry, longer each time, with jitter"),
    Rule("no_bound", no_bound, "give up after some attempts or seconds, and say so with an exception"),
    Rule(
        "throttle_swallowed",
        throttle_swallowed,
        "send it again after a while, put it aside, or let the exception through",
    ),
    Rule(
        "reasons_not_read",
        reasons_not_read,
        "read both: response.get('ThrottlingReasons') or response.get('throttlingReasons')",
    ),
    Rule(
        "transaction_not_retried",
        transaction_not_retried,
        "read CancellationReasons: ThrottlingError and ProvisionedThroughputExceeded mean send it again; the SDK does not",
    ),
    Rule("write_lost", write_lost, "put aside whatever is left when the work ends, as well"),
    Rule(
        "write_repeated",
        write_repeated,
        "retry the refused step alone, or make the update conditional, or write both in one transaction",
    ),
    Rule(
        "class_not_caught",
        class_not_caught,
        "expect all three: ProvisionedThroughputExceededException, ThrottlingException, RequestLimitExceeded",
    ),
)
