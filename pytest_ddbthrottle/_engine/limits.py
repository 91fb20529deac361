"""Every AWS number, with its unit and its source; and the account limits that a test can set."""

from __future__ import annotations

from dataclasses import dataclass, fields

MAX_ITEM_BYTES = 409_600
"""Source: Documented — Developer Guide, "Quotas", read 2026-11-30; to the byte Observed, eu-west-2, 2026-07."""

MAX_PARTITION_KEY_BYTES = 2048
MAX_SORT_KEY_BYTES = 1024
"""Source: Documented — Developer Guide, "Quotas", read 2026-11-30."""

MAX_NESTING_LEVELS = 32
MAX_EXPRESSION_BYTES = 4096
"""Source: Documented — Developer Guide, "Quotas", read 2026-11-30."""

MAX_PAGE_BYTES = 1024 * 1024
"""Of a Query or Scan, before the filter. Source: Documented — API Reference, Query, read 2026-11-30."""

MAX_BATCH_GET_KEYS = 100
MAX_BATCH_GET_BYTES = 16 * 1024 * 1024
MAX_BATCH_WRITE_ENTRIES = 25
MAX_TRANSACTION_ITEMS = 100
MAX_TRANSACTION_BYTES = 4 * 1024 * 1024
"""Source: Documented — API Reference, BatchGetItem, BatchWriteItem, TransactWriteItems, read 2026-11-30."""

TRANSACTION_TOKEN_SECONDS = 600
"""Source: Documented — API Reference, TransactWriteItems, ClientRequestToken, read 2026-11-30."""

MAX_GLOBAL_SECONDARY_INDEXES = 20
MAX_LOCAL_SECONDARY_INDEXES = 5
MAX_PROJECTED_NON_KEY_ATTRIBUTES = 100
"""Source: Documented — Developer Guide, "Quotas", read 2026-11-30."""

NEW_ON_DEMAND_READ_UNITS_PER_SECOND = 12_000
NEW_ON_DEMAND_WRITE_UNITS_PER_SECOND = 4_000
"""What a new on-demand table sustains. Source: Documented — Developer Guide, "On-demand capacity mode", read 2026-11-30."""

GROWTH_PEAK_SECONDS = 1800
"""How long a peak must have passed before it doubles the ceiling. Source: as above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountLimits:
    """The limits of the account that a test can set; AWS's defaults.

    Source: Documented — Developer Guide, "Quotas"; Observed — DescribeLimits of a new account, 2026-10.
    """

    max_tables_per_account: int = 2500
    per_table_max_rcu: int = 40_000
    per_table_max_wcu: int = 40_000
    per_account_max_rcu: int = 80_000
    per_account_max_wcu: int = 80_000
    account_read_units_per_second: int | None = None
    account_write_units_per_second: int | None = None

    def __post_init__(self) -> None:
        for part in fields(self):
            value = getattr(self, part.name)
            if value is None and part.default is None:
                continue
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise ValueError(f"{part.name}={value!r}: a whole number, at least 0, is needed")
