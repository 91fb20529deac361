"""Every AWS number, with its unit and its source; and the account limits that a test can set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

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

FREE_DECREASES_PER_DAY = 4
SECONDS_BETWEEN_FURTHER_DECREASES = 3600
"""Of provisioned capacity, by UTC day; a table and each of its indexes have budgets of their own.
Source: Observed — a public lab's notes of 2026-10-08, us-west-2."""

ON_DEMAND_SWITCHES_PER_DAY = 4
"""In any 24 hours. Source: Documented — Developer Guide, "Considerations when switching capacity modes", read 2026-11-30."""

TABLE_CLASS_CHANGES_PER_PERIOD = 2
TABLE_CLASS_PERIOD_DAYS = 30
"""Source: Documented — Developer Guide, "Quotas", read 2026-11-30; Observed — a public lab's notes of 2026-10-09."""

MAX_TAGS_PER_RESOURCE = 50
MAX_TAG_SET_BYTES = 10_240
MAX_TAG_KEY_CHARACTERS = 128
MAX_TAG_VALUE_CHARACTERS = 256
"""Source: Documented — Developer Guide, "Quotas", read 2026-11-30; Observed — a public lab's notes of 2026-10-08."""

NEW_ON_DEMAND_READ_UNITS_PER_SECOND = 12_000
NEW_ON_DEMAND_WRITE_UNITS_PER_SECOND = 4_000
"""What a new on-demand table sustains. Source: Documented — Developer Guide, "On-demand capacity mode", read 2026-11-30."""

GROWTH_PEAK_SECONDS = 1800
"""How long a peak must have passed before it doubles the ceiling. Source: as above."""


CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType({"per_table_scope": ("sum", "each")})
"""The limits that are words, and the words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountLimits:
    """The limits of the account that a test can set; AWS's defaults.

    Args:
        max_tables_per_account: how many tables a Region may hold.
        per_table_max_rcu: the most read units that may be provisioned for a table, or for an index; the rate of an
            on-demand one without a cap.
        per_table_max_wcu: the same of write units.
        per_account_max_rcu: the most read units that may be provisioned in a Region, over tables and indexes.
        per_account_max_wcu: the same of write units.
        max_policy_document_bytes: the size that a policy document of a principal may have.
        per_table_scope: what a table's maximum bounds at CreateTable: ``"sum"``, the table and its indexes together, or
            ``"each"`` of them by itself.
        account_read_units_per_second: the rate at which the whole account may read; None for no such limit.
        account_write_units_per_second: the same of writing.

    Raises:
        ValueError: a limit that is no whole number, a negative one, or a word that is none of the choices.

    Source: Documented — Developer Guide, "Quotas", and IAM User Guide, "IAM and AWS STS quotas" (policy documents);
    Observed — DescribeLimits of a new account, 2026-10. The scope:
    Documented — API Reference, DescribeLimits ("sum"); Observed — a public lab's notes of 2026-10-08 ("each").
    """

    max_tables_per_account: int = 2500
    per_table_max_rcu: int = 40_000
    per_table_max_wcu: int = 40_000
    per_account_max_rcu: int = 80_000
    per_account_max_wcu: int = 80_000
    max_policy_document_bytes: int = 6144
    per_table_scope: str = "sum"
    account_read_units_per_second: int | None = None
    account_write_units_per_second: int | None = None

    def __post_init__(self) -> None:
        for part in fields(self):
            value = getattr(self, part.name)
            if value is not None or part.default is not None:
                _check_limit(part.name, value)


def _check_limit(name: str, value: Any) -> None:
    if name in CHOICES:
        if value not in CHOICES[name]:
            raise ValueError(f"{name}={value!r}: allowed are {', '.join(map(repr, CHOICES[name]))}")
    elif not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{name}={value!r}: a whole number, at least 0, is needed")
