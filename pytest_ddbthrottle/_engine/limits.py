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
MAX_TRANSACTION_BYTES = 4 * 1024 * 1024
"""Source: Documented — API Reference, BatchGetItem, BatchWriteItem, TransactWriteItems, read 2026-11-30."""

TRANSACTION_TOKEN_SECONDS = 600
"""Source: Documented — API Reference, TransactWriteItems, ClientRequestToken, read 2026-11-30."""

MAX_GLOBAL_SECONDARY_INDEXES = 20
MAX_LOCAL_SECONDARY_INDEXES = 5
MAX_PROJECTED_NON_KEY_ATTRIBUTES = 100
"""Source: Documented — Developer Guide, "Quotas", read 2026-11-30."""

MAX_VECTOR_INDEXES = 5
MAX_VECTOR_DIMENSIONS = 4096
MAX_INLINE_FILTERS = 18
MAX_PROJECTED_BY_VECTOR_INDEX = 20
MAX_TOP_K = 100
MAX_SEARCH_REPLY_BYTES = 16 * 1024 * 1024
"""Of vector indexes. Source: Documented — Developer Guide, "Quotas" and "Requirements and limitations" of vector indexes,
read 2026-12-07; Assumed — the 20 that one index projects."""

FREE_DECREASES_PER_DAY = 4
SECONDS_BETWEEN_FURTHER_DECREASES = 3600
"""Of provisioned capacity, by UTC day; a table and each of its indexes have budgets of their own.
Source: Observed — a public lab's notes of 2026-10-08, us-west-2."""

ON_DEMAND_SWITCHES_PER_DAY = 4
"""In any 24 hours. Source: Documented — Developer Guide, "Considerations when switching capacity modes", read 2026-11-30."""

TABLE_CLASS_CHANGES_PER_PERIOD = 2
TABLE_CLASS_PERIOD_DAYS = 30
"""Source: Documented — Developer Guide, "Quotas", read 2026-11-30; Observed — a public lab's notes of 2026-10-09."""

ENCRYPTION_CHANGES_PER_WINDOW = 4
SECONDS_BETWEEN_FURTHER_ENCRYPTION_CHANGES = 21_600
ENCRYPTION_CHANGE_SECONDS = 22.3
"""In the 24 hours from the first change. Source: Observed — a public lab's notes of 2026-10-08, us-west-2."""

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

CREATE_TABLE_SECONDS = 4.5
CREATE_INDEXED_TABLE_SECONDS = 18.0
DELETE_TABLE_SECONDS = 7.0
"""How long a small table is CREATING (measured: 2 to 7 s; with global indexes 14 to 22 s, all of them ACTIVE together)
and DELETING (4 to 10 s); here as below, each number is about the middle.
Source: Observed — a public lab's notes of 2026-10-08, us-west-2."""

CHANGE_CAPACITY_SECONDS = 1.5
CHANGE_INDEX_CAPACITY_SECONDS = 4.0
CHANGE_INDEX_CAPS_SECONDS = 2.0
"""How long a table is UPDATING for its provisioned capacity (measured: 1 to 2.3 s), and an index for its own (2 to 6 s) or
its caps (about 2 s); a table's caps are in force at once.
Source: Observed — a public lab's notes of 2026-10-08, us-west-2."""

SWITCH_TO_PROVISIONED_SECONDS = 80.0
SWITCH_INDEXED_TO_PROVISIONED_SECONDS = 97.0
FIRST_SWITCH_TO_ON_DEMAND_SECONDS = 150.0
LATER_SWITCH_TO_ON_DEMAND_SECONDS = 4.5
"""How long a table is UPDATING for its billing mode (measured: 60.5 to 98.2 s, with an index 82 to 112 s; 128.6 to 171.6 s,
where it was on-demand before 4 to 5.1 s).
Source: Observed — a public lab's notes of 2026-10-08, us-west-2."""

ALLOCATE_INDEX_SECONDS = 40.0
CREATE_INDEX_SECONDS = 520.0
DELETE_INDEX_SECONDS = 4.0
"""How long a table is UPDATING for a new index (measured: 24 to 56 s), until when that is ACTIVE, having been backfilled
meanwhile (507 to 540 s, even when empty), and how long an index is DELETING (2.6 to 5.1 s).
Source: Observed — a public lab's notes of 2026-10-08, us-west-2."""

CONTROL_PLANE_CHANGES_PER_SECOND = 1
CONTROL_PLANE_CHANGES_AT_ONCE = 6
"""Source: Observed — a public lab's notes of 2026-10-09, us-west-2: about one a second goes on and on, and of ten at once
three to five are refused."""

MAX_USER_POLICY_BYTES = 6144
"""Of an identity policy, a permissions boundary or a session policy, the default.
Source: Documented — IAM User Guide, "IAM and AWS STS quotas", read 2026-11-30 (a managed policy; there white space does
not count); Assumed — one number for all of them, white space counted, as a public implementation has it."""

MAX_RESOURCE_POLICY_BYTES = 20_480
"""White space counts. Source: Documented — API Reference, PutResourcePolicy, read 2026-11-30; Observed — a public lab's
notes of 2026-10-09, us-west-2."""

POLICY_PENDING_SECONDS = 2.0
POLICY_COOL_DOWN_SECONDS = 15
"""After a change of a table's resource policy: how long it is pending (measured: about 0.6 to 2 s), and until when there can
be no other. Source: Observed — a public lab's notes of 2026-10-09, us-west-2."""

PROTECTION_COOL_DOWN_SECONDS = 15
"""Between two changes of a table's deletion protection. Source: as above."""

TTL_COOL_DOWN_SECONDS = 1840
"""Between two changes of a table's time to live (measured: refused after 1,811 s, done after 1,872 s; the documentation says
an hour). Source: Observed — a public lab's notes of 2026-10-09, us-west-2."""

TTL_OLDEST_DAYS = 5 * 365
"""What expired longer ago is never deleted. Source: Documented — Developer Guide, "Using time to live (TTL)", read
2026-11-30 (five years); Assumed — years of 365 days."""

STREAM_RETENTION_SECONDS = 86_400
SHARD_ITERATOR_SECONDS = 900
MAX_STREAM_RECORDS = 1000
MAX_STREAM_RECORDS_BYTES = 1024 * 1024
"""How long a stream record and a shard iterator are good, and what one GetRecords gives at most. Source: Documented — API
Reference, GetRecords, GetShardIterator and TrimmedDataAccessException, read 2026-11-30."""

ENABLE_STREAM_SECONDS = 4.0
DISABLE_STREAM_SECONDS = 4.6
"""How long a table is UPDATING for its stream (measured: 3 to 5.1 s, and 4 to 5.1 s).
Source: Observed — a public lab's notes of 2026-10-09, us-west-2."""

STREAM_CALLS_PER_SECOND: Mapping[str, int] = MappingProxyType({"ListStreams": 5, "DescribeStream": 10})
"""Source: Documented — API Reference, ListStreams and DescribeStream, read 2026-11-30."""

TAG_LOCK_SECONDS = 2.0
"""After a change of a table's tags (measured: about 1.6 to 3 s). Source: as above."""


CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"per_table_scope": ("sum", "each"), "lifecycle": ("instant", "realistic")}
)
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
        max_policy_document_bytes: the size that an identity policy, a permissions boundary or a session policy may have.
        per_table_scope: what a table's maximum bounds at CreateTable: ``"sum"``, the table and its indexes together, or
            ``"each"`` of them by itself.
        lifecycle: ``"instant"``: tables and indexes are ACTIVE at once; ``"realistic"``: changes take their measured time on
            the clock, and each state refuses what it refuses.
        max_simultaneous_operations: under ``"realistic"``, how many tables of a Region may be on their way at once.
        ttl_sweep_seconds: the time from one pass that deletes expired items of a table to the next; until then they are
            read as if nothing was. 0: an item is deleted as soon as it has expired.
        get_records_per_second: how often a shard of a stream may be read in a second.
        account_read_units_per_second: the rate at which the whole account may read; None for no such limit.
        account_write_units_per_second: the same of writing.

    Raises:
        ValueError: a limit that is no whole number, a negative one, or a word that is none of the choices.

    Source: Documented — Developer Guide, "Quotas"; Observed — DescribeLimits of a new account, 2026-10. The scope:
    Documented — API Reference, DescribeLimits ("sum"); Observed — a public lab's notes of 2026-10-08 ("each"). The time
    between passes: Assumed — the service promises no more than "within a few days"; minutes are enough to see an
    application read what has expired. Reads of a shard: Assumed — what Kinesis documents of its own, and a public report of
    2018 says of DynamoDB Streams.
    """

    max_tables_per_account: int = 2500
    per_table_max_rcu: int = 40_000
    per_table_max_wcu: int = 40_000
    per_account_max_rcu: int = 80_000
    per_account_max_wcu: int = 80_000
    max_policy_document_bytes: int = MAX_USER_POLICY_BYTES
    per_table_scope: str = "sum"
    lifecycle: str = "instant"
    max_simultaneous_operations: int = 500
    ttl_sweep_seconds: int = 300
    get_records_per_second: int = 5
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
