"""How a failed assertion reads: what was expected, a line for each call concerned, and what changes the check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from pytest_ddbthrottle._engine.capacity import NANO_UNITS_PER_UNIT, Consumption, OperationType
from pytest_ddbthrottle._engine.journal import Call
from pytest_ddbthrottle._engine.throttle.reasons import Scope
from pytest_ddbthrottle._engine.throttle.refusal import Refusal
from pytest_ddbthrottle._resends import CANCELLED, Entry, refused

MAX_LINES = 20
_PAGE = "docs/how-to/assertions.md"
_MAX_KEY_CHARACTERS = 40


def failure(expected: str, lines: Sequence[str], change: str, section: str) -> AssertionError:
    """Give the exception of a failed assertion.

    Args:
        expected: the first line.
        lines: one for each call, or each part.
        change: what changes the check.
        section: of the page on assertions.
    """
    return AssertionError("\n".join([expected, *lines, f"{change}: {_PAGE}#{section}"]))


def number_text(value: float) -> str:
    """Give a number as one would write it: at most three decimals, more only where it is smaller than that.

    >>> number_text(5.0), number_text(0.5), number_text(-0.0000001), number_text(40_000)
    ('5', '0.5', '0', '40000')
    """
    decimals = 3 if not value or abs(value) >= 0.001 else 6
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def seconds_text(seconds: float) -> str:
    """Give a duration or an instant.

    >>> seconds_text(1.35)
    '1.35 s'
    """
    return f"{number_text(seconds)} s"


def listed(names: Sequence[str], last: str = "and") -> str:
    """Give names as a sentence lists them.

    >>> listed(["error", "reason", "message"])
    'error, reason and message'
    """
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def counted(count: int, noun: str) -> str:
    """Give a count and its noun.

    >>> counted(1, "attempt"), counted(3, "attempt")
    ('1 attempt', '3 attempts')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def call_lines(calls: Sequence[Call], again: Mapping[int, Call]) -> list[str]:
    """Give a line for each call, the columns aligned.

    Args:
        calls: in order.
        again: the call that sends it again, by its number.
    """
    return _aligned([_call_cells(call, again.get(call.number)) for call in calls[:MAX_LINES]], len(calls))


def entry_lines(lost: Sequence[tuple[Call, Entry]]) -> list[str]:
    """Give a line for each entry: its key, and the last call that could not do it."""
    rows = []
    for call, entry in lost[:MAX_LINES]:
        time, operation, _, units, cause, answer, attempt, _ = _call_cells(call, None)
        rows.append((time, operation, entry.table, attributes_text(entry), units, cause, answer, attempt))
    return _aligned(rows, len(lost))


def consumption_lines(charged: Sequence[tuple[Call, Sequence[Consumption]]]) -> list[str]:
    """Give a line for each call with what it was charged."""
    rows = [
        (seconds_text(call.at_seconds), call.operation, _resource(call), _charged_text(parts))
        for call, parts in charged[:MAX_LINES]
    ]
    return _aligned(rows, len(charged))


def attributes_text(entry: Entry) -> str:
    """Give a key as ``pk=order#7``."""
    pairs = ((name, *value.values()) for name, value in sorted(entry.attributes.items()))
    return ", ".join(f"{name}={_shortened(str(content))}" for name, content in pairs)


def _aligned(rows: Sequence[Sequence[str]], total: int) -> list[str]:
    """Give one line for each row, the first column to the right; columns that are empty throughout are left out."""
    columns = [column for column in zip(*rows, strict=True) if any(column)]
    widths = [max(map(len, column)) for column in columns]
    lines = []
    for cells in zip(*columns, strict=True):
        padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=True)]
        lines.append("  ".join(["- " + cells[0].rjust(widths[0]), *padded[1:]]).rstrip())
    if total > len(rows):
        lines.append(f"- and {total - len(rows)} more")
    return lines


def _call_cells(call: Call, following: Call | None) -> tuple[str, ...]:
    refusal = call.refusal
    return (
        seconds_text(call.at_seconds),
        call.operation,
        _resource(call),
        _asked_text(refusal) if refusal else _charged_text(call.consumed),
        _cause_text(call, refusal),
        _answer_text(call, refusal),
        f"attempt {call.attempt}",
        _next_text(call, following),
    )


def _resource(call: Call) -> str:
    refusal = call.refusal
    table = refusal.table_name if refusal else call.table
    index = refusal.index_name if refusal else call.index
    return (table or "no table") + (f"/{index}" if index else "")


def _asked_text(refusal: Refusal) -> str:
    asked = f"{number_text(refusal.asked_units)} asked, " if refusal.asked_nano_units else ""
    return f"{asked}{number_text(refusal.left_units)} left, {refusal.rate_units_per_second}/s"


def _charged_text(parts: Sequence[Consumption]) -> str:
    texts = []
    for direction in OperationType:
        nano_units = sum(part.nano_units for part in parts if part.direction is direction)
        if nano_units:
            texts.append(f"{number_text(nano_units / NANO_UNITS_PER_UNIT)} {direction.value.lower()}")
    return ", ".join(texts)


def _cause_text(call: Call, refusal: Refusal | None) -> str:
    if refusal is None:
        return "scripted" if call.scripted else ""
    key = f" {_partition_key_text(refusal)}" if refusal.scope is Scope.KEY_RANGE and refusal.partition_key else ""
    return f"{refusal.scope}{key}{' (scripted)' if call.scripted else ''}"


def _partition_key_text(refusal: Refusal) -> str:
    key = refusal.partition_key
    parts = key if isinstance(key, tuple) else (key,)
    return _shortened("/".join(format(part, "f") if isinstance(part, Decimal) else str(part) for part in parts))


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_KEY_CHARACTERS else text[: _MAX_KEY_CHARACTERS - 1] + "…"


def _answer_text(call: Call, refusal: Refusal | None) -> str:
    if refusal is None:
        told = call.error or ("" if call.leftovers else "ok")
    else:
        told = refusal.reason.value if refusal.reason else "no reasons list"
    if call.leftovers:
        return ", ".join(filter(None, [f"{len(call.leftovers)} left over", told]))
    return f"cancelled, {told}" if refusal and call.error == CANCELLED else told


def _next_text(call: Call, following: Call | None) -> str:
    if following is not None:
        return f"next after {seconds_text(round(following.at_seconds - call.at_seconds, 9))}"
    return "not sent again" if refused(call) or call.leftovers else ""
