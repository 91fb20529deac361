"""How often a table may be changed: decreases of capacity, switches to on-demand, changes of its class."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta, timezone

from pytest_ddbthrottle._engine.errors import LimitExceededException
from pytest_ddbthrottle._engine.limits import (
    ENCRYPTION_CHANGES_PER_WINDOW,
    FREE_DECREASES_PER_DAY,
    ON_DEMAND_SWITCHES_PER_DAY,
    SECONDS_BETWEEN_FURTHER_DECREASES,
    SECONDS_BETWEEN_FURTHER_ENCRYPTION_CHANGES,
    TABLE_CLASS_CHANGES_PER_PERIOD,
    TABLE_CLASS_PERIOD_DAYS,
)
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_DAY, NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._engine.table_settings import ThroughputHistory

TOO_MANY_DECREASES = (
    "Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. "
    f"After the first {FREE_DECREASES_PER_DAY} decreases, each subsequent decrease in the same UTC day can be performed "
    f"at most once every {SECONDS_BETWEEN_FURTHER_DECREASES} seconds. Number of decreases today: {{count}}. "
    "Last decrease at {last}. Next decrease can be made at {next}"
)
"""Source: Observed — a public lab's notes of 2026-10-09, us-west-2, and a public report of 2023-02-13."""

TOO_MANY_SWITCHES = (
    "Subscriber limit exceeded: Update to PayPerRequest mode are limited to "
    f"{ON_DEMAND_SWITCHES_PER_DAY} times in 1 day(s)."
)
"""Source: Assumed — the text of the older rule (once in 1 day), with the number in the form of the table class's."""

TOO_MANY_CLASS_CHANGES = (
    f"Subscriber limit exceeded: Updates to TableClass are limited to {TABLE_CLASS_CHANGES_PER_PERIOD} times in "
    f"{TABLE_CLASS_PERIOD_DAYS} day(s)."
)
"""Source: Observed — a public lab's notes of 2026-10-09, us-west-2 and us-east-1."""

TOO_MANY_ENCRYPTION_CHANGES = (
    "Subscriber limit exceeded: Encryption mode changes are limited in the 24h window ending at {window}. "
    f"After the first {ENCRYPTION_CHANGES_PER_WINDOW} change, each subsequent change in the same window can be performed "
    f"at most once every {SECONDS_BETWEEN_FURTHER_ENCRYPTION_CHANGES} seconds. Number of updates today: {{count}}. "
    "Last change at {last}. Next changes can be made at {next}."
)
"""Source: Observed — a public lab's notes of 2026-10-08, us-west-2, and public reports of 2022-08-19 and 2025-11-23."""

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def check_decrease(history: ThroughputHistory, now_ns: int) -> None:
    """Check that one more decrease is allowed: four in a UTC day, then one in an hour.

    Raises:
        LimitExceededException: it is not; the text says when it will be.

    Source: Observed — a public lab's notes of 2026-10-09, us-west-2: refused 3,540 s after the last one, allowed after
    3,600 s; at 00:00 UTC the count starts again.
    """
    count = history.decreases_today(now_ns)
    if count < FREE_DECREASES_PER_DAY or history.last_decrease_ns is None:
        return
    midnight_ns = (now_ns // NANOSECONDS_PER_DAY + 1) * NANOSECONDS_PER_DAY
    next_ns = history.last_decrease_ns + SECONDS_BETWEEN_FURTHER_DECREASES * NANOSECONDS_PER_SECOND
    if now_ns < next_ns:
        last, following = in_words(history.last_decrease_ns), in_words(min(next_ns, midnight_ns))
        raise LimitExceededException(TOO_MANY_DECREASES.format(count=count, last=last, next=following))


def check_switch_to_on_demand(switches_ns: Iterable[int], now_ns: int) -> None:
    """Check that one more switch from provisioned to on-demand is allowed: four in any 24 hours.

    Raises:
        LimitExceededException: it is not.
    """
    if _within(switches_ns, now_ns, days=1) >= ON_DEMAND_SWITCHES_PER_DAY:
        raise LimitExceededException(TOO_MANY_SWITCHES)


def check_table_class_change(changes_ns: Iterable[int], now_ns: int) -> None:
    """Check that one more change of the table class is allowed: two in any 30 days.

    Raises:
        LimitExceededException: it is not; what would change nothing is refused as well.
    """
    if _within(changes_ns, now_ns, days=TABLE_CLASS_PERIOD_DAYS) >= TABLE_CLASS_CHANGES_PER_PERIOD:
        raise LimitExceededException(TOO_MANY_CLASS_CHANGES)


def check_encryption_change(changes_ns: Iterable[int], now_ns: int) -> None:
    """Check that one more change of the encryption is allowed: four in a window of 24 hours, then one in six hours.

    Raises:
        LimitExceededException: it is not; the text says when it will be.

    Source: Observed — a public lab's notes of 2026-10-08, us-west-2: the window begins with its first change, not at
    midnight.
    """
    start_ns, count, last_ns = 0, 0, 0
    for change_ns in changes_ns:
        is_new = not count or change_ns >= start_ns + NANOSECONDS_PER_DAY
        start_ns, count, last_ns = (change_ns, 1, change_ns) if is_new else (start_ns, count + 1, change_ns)
    window_ns = start_ns + NANOSECONDS_PER_DAY
    next_ns = min(window_ns, last_ns + SECONDS_BETWEEN_FURTHER_ENCRYPTION_CHANGES * NANOSECONDS_PER_SECOND)
    if count >= ENCRYPTION_CHANGES_PER_WINDOW and now_ns < next_ns:
        window, last, following = in_figures(window_ns), in_figures(last_ns), in_figures(next_ns)
        text = TOO_MANY_ENCRYPTION_CHANGES.format(window=window, count=count, last=last, next=following)
        raise LimitExceededException(text)


def in_figures(instant_ns: int) -> str:
    """Give an instant as the service writes it in figures, to the millisecond.

    >>> in_figures(1_791_505_294_125 * 10**6)
    '2026-10-09T00:21:34.125Z'
    """
    return f"{_instant(instant_ns):%Y-%m-%dT%H:%M:%S}.{instant_ns // 10**6 % 1000:03d}Z"


def _within(instants_ns: Iterable[int], now_ns: int, *, days: int) -> int:
    return sum(now_ns - instant_ns < days * NANOSECONDS_PER_DAY for instant_ns in instants_ns)


def in_words(instant_ns: int) -> str:
    """Give an instant as the service writes it out, to the second.

    >>> in_words(1_791_505_294 * 10**9)
    'Friday, October 9, 2026 at 12:21:34 AM Coordinated Universal Time'
    """
    instant = _instant(instant_ns)
    half = "AM" if instant.hour < 12 else "PM"
    return (
        f"{WEEKDAYS[instant.weekday()]}, {MONTHS[instant.month - 1]} {instant.day}, {instant.year} at "
        f"{instant.hour % 12 or 12}:{instant:%M:%S} {half} Coordinated Universal Time"
    )


def _instant(instant_ns: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=instant_ns // NANOSECONDS_PER_SECOND)
