"""Assertions about one refused reply and over all that was sent; each says what was expected, and what was found.

``assert_throttled`` is public; the others are methods of ``FakeDynamoDB``, which hands its journal in.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from pytest_ddbthrottle._back_off_rules import back_off_rules, found_delays, in_order
from pytest_ddbthrottle._engine.capacity import NANO_UNITS_PER_UNIT, Consumption, OperationType
from pytest_ddbthrottle._engine.journal import Call, Journal
from pytest_ddbthrottle._engine.keys import KeySchema
from pytest_ddbthrottle._engine.request_names import table_names
from pytest_ddbthrottle._failures import (
    call_lines,
    consumption_lines,
    counted,
    entry_lines,
    failure,
    listed,
    number_text,
)
from pytest_ddbthrottle._plain_values import wire_item
from pytest_ddbthrottle._resends import (
    delays_seconds,
    lost_entries,
    sent_again,
    sequences,
    was_throttled,
)
from pytest_ddbthrottle._throttled_reply import Difference, Parts, reply_of, reply_of_call
from pytest_ddbthrottle._throttled_reply import watch as watch  # noqa: PLC0414 - exported again


def assert_throttled(
    subject: Any,
    *,
    error: str | None = None,
    namespace: str | None = None,
    reason: str | None = None,
    reasons: Sequence[str] | None = None,
    resource: str | None = None,
    message: str | None = None,
    cause: str | None = None,
) -> None:
    """Assert that a reply is one of DynamoDB's refusals for want of capacity, and is as expected.

    Only what is given is compared, and exactly. With nothing given it is enough that the reply is one of the three
    throttle errors, or a transaction that throttling cancelled. A reasons list under the other class's spelling fails
    always.

    Args:
        subject: a botocore ``ClientError``, its ``response``, or a recorded call (one of ``FakeDynamoDB.calls``).
        error: the error's code; ``"TransactionCanceledException"`` as well.
        namespace: what stands before ``#`` in ``__type``; found in the record of the fake that sent the reply.
        reason: a reason in the list; for a cancelled transaction, the code of one of its reasons or what the record
            knows of it.
        reasons: all reasons, in order; ``[]`` says that there is no list at all.
        resource: the ARN of the table or index in the list.
        message: the text; for a cancelled transaction that of one of its reasons will do.
        cause: what refused, also where the client is told none: a throttling reason, or a failure text's word for the
            bucket such as ``"on-demand growth"``; found in the record.

    Raises:
        AssertionError: naming each part that differs.
        TypeError: ``subject`` is not a refused reply.

    >>> assert_throttled({"Error": {"Code": "ThrottlingException"}}, error="ThrottlingException", reasons=[])
    """
    __tracebackhide__ = True
    parts = Parts(
        error=error,
        namespace=namespace,
        reason=reason,
        reasons=reasons,
        resource=resource,
        message=message,
        cause=cause,
    )
    reply = reply_of(subject)
    differences = reply.differences(parts)
    if differences:
        raise failure(
            f"expected a throttled reply; {_differing(differences)}",
            [*map(str, differences), *call_lines([reply.call] if reply.call else [], {})],
            "only what is given is compared",
            "assert_throttled",
        )


def _differing(differences: Sequence[Difference]) -> str:
    names = [difference.part for difference in differences]
    return f"{listed(names)} {'differs' if len(names) == 1 else 'differ'}"


def assert_call_throttled(
    journal: Journal,
    operation: str | None = None,
    *,
    table: str | None = None,
    index: str | None = None,
    times: int | None = None,
    **parts: Any,
) -> None:
    """Assert that a recorded call was throttled; a batch that gave entries back for want of capacity was, too.

    Args:
        journal: whose calls.
        operation: AWS's name; None for any.
        table: the table's name; None for any.
        index: the index that was read or that refused; None for any.
        times: how many calls, each send by itself; None for at least one.
        **parts: those of ``assert_throttled``.

    Raises:
        AssertionError: none was, or not as many.
        TypeError: an unknown part.
    """
    __tracebackhide__ = True
    expected = Parts(**parts)
    throttled = [
        call for call in _selected(journal, operation, table) if was_throttled(call) and _has_index(call, index)
    ]
    differences = {call.number: reply_of_call(call).differences(expected) for call in throttled}
    found = [call for call in throttled if not differences[call.number]]
    if (len(found) == times) if times is not None else found:
        return
    wanted = "a throttled call" if times is None else counted(times, "throttled call")
    details = f" with {expected}" if str(expected) else ""
    concerned = found or throttled or _selected(journal, operation, table)
    closest = min((differences[call.number] for call in throttled if not found), key=len, default=[])
    raise failure(
        f"expected {wanted}{_of(operation, table, index)}{details}; found {len(found) or 'none'}",
        [*call_lines(concerned, sent_again(journal.calls)), *map(str, closest)],
        "times= counts every send, the SDK's retries too; left out, one is enough",
        "assert_throttled",
    )


def assert_not_throttled(journal: Journal, table: str | None = None) -> None:
    """Assert that nothing was refused for want of capacity, by a bucket or by the test's script.

    Args:
        journal: whose calls.
        table: the table's name; None for all.

    Raises:
        AssertionError: something was.
    """
    __tracebackhide__ = True
    calls = _selected(journal, None, table)
    throttled = [call for call in calls if was_throttled(call)]
    if throttled:
        raise failure(
            f"expected no throttling{_of(None, table)}; {len(throttled)} of {counted(len(calls), 'call')} met it",
            call_lines(throttled, sent_again(journal.calls)),
            "table= looks at one table only",
            "assert_not_throttled",
        )


def assert_attempts(journal: Journal, operation: str, expected: int, *, table: str | None = None) -> None:
    """Assert how often an operation was sent, the SDK's retries included.

    Args:
        journal: whose calls.
        operation: AWS's name, ``PutItem`` say.
        expected: how often.
        table: count the calls that name this table only.

    Raises:
        AssertionError: it was sent more or less often.
    """
    __tracebackhide__ = True
    sent = _selected(journal, operation, table)
    if len(sent) != expected:
        raise failure(
            f"expected {counted(expected, 'attempt')}{_of(operation, table)}; found {len(sent) or 'none'}",
            call_lines(sent or journal.calls, sent_again(journal.calls)),
            "every send counts, the SDK's retries too; table= counts those of one table",
            "assert_attempts",
        )


def assert_backoff(
    journal: Journal,
    operation: str | None = None,
    *,
    table: str | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    total_at_least: float | None = None,
    total_at_most: float | None = None,
    exponential: bool = False,
    delays: Sequence[float] | None = None,
) -> None:
    """Assert how long refused calls and leftovers waited before they were sent again.

    A sequence of sends is what the SDK and then the application send of one thing, from its first refusal until it
    lands or is given up. Each one must keep the rules. With nothing given, no re-send may follow at the same instant.

    Args:
        journal: whose calls.
        operation: AWS's name; None for all.
        table: the table's name; None for all.
        at_least: the shortest delay, in virtual seconds; 0 allows a retry without one.
        at_most: the longest delay.
        total_at_least: the least that the delays of a sequence may add up to.
        total_at_most: the most.
        exponential: delays never shrink, and the last of n is at least 2 ** (n - 2) times the first, so that jitter up
            to the base delay is allowed; delays of ``at_most`` or more are capped, and grow no further.
        delays: the very delays, to the microsecond.

    Raises:
        AssertionError: a sequence breaks a rule, or nothing was sent again at all.
    """
    __tracebackhide__ = True
    again = sent_again(journal.calls)
    selected = {call.number for call in _selected(journal, operation, table)}
    runs = [run for run in sequences(journal.calls, again) if run[0].number in selected]
    if not runs:
        raise failure(
            f"expected a refused call{_of(operation, table)} to be sent again after a delay; none was sent again",
            call_lines([call for call in _selected(journal, operation, table) if was_throttled(call)], again),
            "operation= and table= choose what is looked at",
            "assert_backoff",
        )
    for rule in back_off_rules(at_least, at_most, total_at_least, total_at_most, exponential, delays):
        broken = [run for run in runs if not rule.holds(delays_seconds(run))]
        if broken:
            raise failure(
                f"expected {rule.expected}{_of(operation, table)}; {found_delays(broken)}",
                call_lines(in_order(broken), again),
                "at_least=0 allows a retry without a delay",
                "assert_backoff",
            )


def assert_consumed(
    journal: Journal,
    *,
    table: str | None = None,
    index: str | None = None,
    operation: str | None = None,
    read_units: float | None = None,
    write_units: float | None = None,
    at_most_read_units: float | None = None,
    at_most_write_units: float | None = None,
) -> None:
    """Assert how many capacity units were charged.

    Args:
        journal: whose calls.
        table: what this table and its indexes were charged; None for all.
        index: what this index alone was charged.
        operation: what this operation was charged for; None for all.
        read_units: exactly so many read units.
        write_units: exactly so many write units.
        at_most_read_units: no more read units than these.
        at_most_write_units: no more write units than these.

    Raises:
        AssertionError: it was another amount, or more.
        ValueError: no amount is given.
    """
    __tracebackhide__ = True
    limits = (
        (OperationType.READ, read_units, True),
        (OperationType.WRITE, write_units, True),
        (OperationType.READ, at_most_read_units, False),
        (OperationType.WRITE, at_most_write_units, False),
    )
    if all(units is None for _, units, _ in limits):
        raise ValueError(
            "assert_consumed needs an amount: read_units=, write_units=, at_most_read_units= or at_most_write_units="
        )
    charged = _charged(_selected(journal, operation, None), table, index)
    for direction, units, exactly in limits:
        parts = [(call, [part for part in of if part.direction is direction]) for call, of in charged]
        nano_units = sum(part.nano_units for _, of in parts for part in of)
        expected_nano_units = None if units is None else round(units * NANO_UNITS_PER_UNIT)
        if expected_nano_units is None or nano_units == expected_nano_units:
            continue
        if exactly or nano_units > expected_nano_units:
            unit = f"{direction.value.lower()} unit{'' if units == 1 else 's'}"
            wanted = f"{'' if exactly else 'at most '}{number_text(units or 0)} {unit}"
            raise failure(
                f"expected {wanted} consumed{_of(operation, table, index, 'by')}; "
                f"found {number_text(nano_units / NANO_UNITS_PER_UNIT)}",
                consumption_lines([(call, of) for call, of in parts if of]),
                "at_most_read_units= and at_most_write_units= allow less",
                "assert_consumed",
            )


def _charged(calls: Iterable[Call], table: str | None, index: str | None) -> list[tuple[Call, list[Consumption]]]:
    def counts(part: Consumption) -> bool:
        return table in (None, part.table_name) and index in (None, part.holder_name, part.local_index_name)

    return [(call, [part for part in call.consumed if counts(part)]) for call in calls]


def assert_nothing_lost(journal: Journal, *, accounted_for: Iterable[Mapping[str, Any]] = ()) -> None:
    """Assert that whatever was refused or came back unprocessed was sent again until it landed.

    Every leftover of a batch, and every write that was refused or met a fault of the service, has to be found in a
    later call of the same table and key that succeeded: in a batch, a single write or a transaction. A condition that
    was false is an answer as well. A read that was refused as a whole told its caller so, and is not looked at.

    Args:
        journal: whose calls.
        accounted_for: keys, or whole items, that the application put aside itself (dead letters); plain Python values
            or the wire form.

    Raises:
        AssertionError: something was lost.
        TypeError: a key in ``accounted_for`` has no DynamoDB type.
    """
    __tracebackhide__ = True
    put_aside = list(accounted_for)
    lost = lost_entries(journal.calls)
    schemas = {call.key_schemas[entry.table] for call, entry in lost}
    keys = {schema: _keys_of(put_aside, schema) for schema in schemas}
    lost = [(call, entry) for call, entry in lost if entry.key not in keys[call.key_schemas[entry.table]]]
    if lost:
        raise failure(
            f"expected every refused or unprocessed entry to be sent again until it landed; {len(lost)} never did",
            entry_lines(lost),
            "accounted_for= takes the keys of what the application put aside itself",
            "assert_nothing_lost",
        )


def _keys_of(items: Iterable[Mapping[str, Any]], schema: KeySchema) -> set[Hashable]:
    return {
        schema.key_of(wire_item({name: item[name] for name in schema.names}))
        for item in items
        if schema.names <= item.keys()
    }


def _selected(journal: Journal, operation: str | None, table: str | None) -> list[Call]:
    return [
        call
        for call in journal.calls
        if operation in (None, call.operation) and (table is None or table in table_names(call.request))
    ]


def _has_index(call: Call, index: str | None) -> bool:
    return index in (None, call.index) or any(refusal.index_name == index for refusal in call.refusals)


def _of(operation: str | None, table: str | None, index: str | None = None, preposition: str = "of") -> str:
    """Give `` of PutItem on orders/by_status``, or as much of it as is said."""
    place = "/".join(filter(None, [table, index]))
    return (f" {preposition} {operation}" if operation else "") + (f" on {place}" if place else "")
