"""Time to live: which items have expired, and the passes that delete them.

A pass is made every so many seconds from when the time to live was enabled. Nothing happens at that instant: who looks
later finds deleted what the passes until then have taken. What has expired and met no pass is read like any other item.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from operator import itemgetter

from pytest_ddbthrottle._engine.attribute_value import Item
from pytest_ddbthrottle._engine.keys import Key
from pytest_ddbthrottle._engine.limits import TTL_OLDEST_DAYS
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_DAY, NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._engine.tables import Table

OLDEST_NS = TTL_OLDEST_DAYS * NANOSECONDS_PER_DAY


def delete_expired(table: Table, sweep_seconds: int, now_ns: int) -> None:
    """Delete from a table and its indexes what the passes until now have taken; nobody is charged.

    Args:
        table: a table whose items may expire.
        sweep_seconds: from one pass to the next.
        now_ns: the instant.

    Source: Documented — Developer Guide, "Using time to live (TTL)", read 2026-11-30: only a Number counts, in seconds since
    the epoch, lower than the present time and not more than five years before it; a delete consumes no write units and
    leaves the indexes. Assumed — that a fraction of a second counts.
    """
    time_to_live = table.settings.time_to_live
    if time_to_live.attribute_name is None:
        return
    # A calendar that was set back is no time that has passed: the next pass is counted from there.
    swept_ns = min(time_to_live.swept_ns, now_ns)
    period_ns = max(sweep_seconds * NANOSECONDS_PER_SECOND, 1)
    passes = (now_ns - swept_ns) // period_ns
    if passes:
        taken = _taken(table, time_to_live.attribute_name, swept_ns, period_ns, passes)
        # What one pass takes, it takes in the order of the table.
        for at_ns, key, item in sorted(taken, key=itemgetter(0)):
            table.prepare_write(key, item, None).commit(at_ns, expired=True)
    swept_ns += passes * period_ns
    if swept_ns != time_to_live.swept_ns:
        table.settings = replace(table.settings, time_to_live=replace(time_to_live, swept_ns=swept_ns))


def _taken(
    table: Table, attribute_name: str, swept_ns: int, period_ns: int, passes: int
) -> Iterator[tuple[int, Key, Item]]:
    """Give the items that one of the next passes takes, the first that comes after an item has expired, and its instant."""
    for key, stored_item in table.items.walk():
        item = stored_item.attributes()
        text = item.get(attribute_name, {}).get("N")
        if text is None:
            continue
        expires_ns = Fraction(text) * NANOSECONDS_PER_SECOND
        number = max((expires_ns - swept_ns) // period_ns + 1, 1)
        at_ns = swept_ns + number * period_ns
        if number <= passes and at_ns - expires_ns <= OLDEST_NS:
            yield at_ns, key, item
