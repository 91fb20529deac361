"""Time inside is whole nanoseconds; how many make up what people say."""

from __future__ import annotations

NANOSECONDS_PER_SECOND = 1_000_000_000
NANOSECONDS_PER_DAY = 86_400 * NANOSECONDS_PER_SECOND
