"""What the delays between sends have to be: the rules of ``assert_backoff``, and how a broken one is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isclose

from pytest_ddbthrottle._engine.journal import Call
from pytest_ddbthrottle._failures import counted, listed, seconds_text
from pytest_ddbthrottle._resends import delays_seconds

_CLOCK_STEP_SECONDS = 0.000_001
"""Sleeps round up to a microsecond."""

_SHOWN_DELAYS = 6


@dataclass(frozen=True, slots=True)
class BackOffRule:
    """What the delays of one sequence of sends have to be."""

    expected: str
    holds: Callable[[Sequence[float]], bool]


def back_off_rules(
    at_least: float | None,
    at_most: float | None,
    total_at_least: float | None,
    total_at_most: float | None,
    exponential: bool,
    delays: Sequence[float] | None,
) -> list[BackOffRule]:
    """Give the rules that are asked for, from the table of all."""
    least, most = at_least or 0, float("inf") if at_most is None else at_most
    table: list[tuple[bool, str, Callable[[Sequence[float]], bool]]] = [
        (at_least is None, "a delay before each re-send", lambda waited: min(waited) > 0),
        (
            at_least is not None,
            f"a delay of at least {seconds_text(least)} before each re-send",
            lambda waited: min(waited) >= least,
        ),
        (
            at_most is not None,
            f"a delay of at most {seconds_text(most)} before each re-send",
            lambda waited: max(waited) <= most,
        ),
        (
            total_at_least is not None,
            f"delays of at least {seconds_text(total_at_least or 0)} in total before re-sends",
            lambda waited: round(sum(waited), 9) >= (total_at_least or 0),
        ),
        (
            total_at_most is not None,
            f"delays of at most {seconds_text(total_at_most or 0)} in total before re-sends",
            lambda waited: round(sum(waited), 9) <= (total_at_most or 0),
        ),
        (exponential, "delays that grow exponentially before re-sends", lambda waited: _grows(waited, most)),
        (
            delays is not None,
            f"delays of {listed([seconds_text(delay) for delay in delays or ()])} before re-sends",
            lambda waited: _same_delays(waited, delays or ()),
        ),
    ]
    return [BackOffRule(expected, holds) for asked, expected, holds in table if asked]


def _grows(waited: Sequence[float], most: float) -> bool:
    free = [delay for delay in waited if delay < most]
    if free != sorted(free) or list(waited[: len(free)]) != free:
        return False
    return not free or free[-1] >= free[0] * 2 ** (len(free) - 2)


def _same_delays(waited: Sequence[float], expected: Sequence[float]) -> bool:
    return len(waited) == len(expected) and all(
        isclose(delay, wanted, rel_tol=0, abs_tol=_CLOCK_STEP_SECONDS)
        for delay, wanted in zip(waited, expected, strict=True)
    )


def found_delays(broken: Sequence[Sequence[Call]]) -> str:
    """Tell the delays of the first sequence that breaks a rule, and how many others do."""
    waited = delays_seconds(broken[0])
    first = ", ".join(seconds_text(delay) for delay in waited[:_SHOWN_DELAYS])
    more = ", …" if len(waited) > _SHOWN_DELAYS else ""
    others = f", and {counted(len(broken) - 1, 'other sequence')} like it" if len(broken) > 1 else ""
    return f"found {first}{more}{others}"


def in_order(runs: Iterable[Sequence[Call]]) -> list[Call]:
    """Give the calls of several sequences as they were sent, each once."""
    calls = {call.number: call for run in runs for call in run}
    return [calls[number] for number in sorted(calls)]
