"""What a request costs: bytes to nano-units, and the ``ConsumedCapacity`` reply.

A *nano-unit* is 10⁻⁹ of a capacity unit. Whole units per second times nanoseconds is then exact, and so is the half
unit of an eventually consistent read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from pytest_ddbthrottle._engine.throttle.reasons import OperationType as OperationType  # noqa: PLC0414 - exported again

NANO_UNITS_PER_UNIT = 1_000_000_000
READ_UNIT_BYTES = 4096
WRITE_UNIT_BYTES = 1024
MIN_VECTOR_BYTES = 1024
"""What a search, or an entry that is written, is charged for at least. Source: Observed — eu-west-2, 2026-08, public
suites (writes); Documented — a list of AWS's own advice for its tools, read 2026-12-07 (searches)."""


class BillingMode(str, Enum):
    """How a table pays for throughput; AWS's own spelling.

    Source: Documented — API Reference, CreateTable, read 2026-11-30.
    """

    PROVISIONED = "PROVISIONED"
    PAY_PER_REQUEST = "PAY_PER_REQUEST"


class ReadConsistency(int, Enum):
    """How a read is served; the value is what 4 KiB cost, in nano-units.

    Source: Documented — Developer Guide, "DynamoDB read and write operations", read 2026-11-30.
    """

    EVENTUAL = 500_000_000
    STRONG = 1_000_000_000
    TRANSACTIONAL = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Throughput:
    """What a table or a global secondary index may consume; ``None`` and negative caps mean "no cap".

    Capacity, caps and warm throughput are in capacity units per second.
    """

    billing_mode: BillingMode
    read_capacity_units: int = 0
    write_capacity_units: int = 0
    max_read_request_units: int | None = None
    max_write_request_units: int | None = None
    warm_read_units_per_second: int = 0
    warm_write_units_per_second: int = 0

    def capacity_units(self, direction: OperationType) -> int:
        """Give the provisioned units per second of one direction; 0 on demand."""
        return self.read_capacity_units if direction is OperationType.READ else self.write_capacity_units

    def cap_units(self, direction: OperationType) -> int | None:
        """Give the on-demand cap of one direction, or None where that direction is uncapped."""
        cap = self.max_read_request_units if direction is OperationType.READ else self.max_write_request_units
        return cap if cap is not None and cap > 0 else None

    def warm_units(self, direction: OperationType) -> int:
        """Give the warm throughput of one direction, in units per second."""
        return self.warm_read_units_per_second if direction is OperationType.READ else self.warm_write_units_per_second


@dataclass(frozen=True, slots=True, eq=False)
class Consumption:
    """Capacity that a request takes from one table or index, in one direction.

    ``index_name`` is a global secondary index, or None for the table. A local secondary index draws on the table:
    its part has ``index_name=None`` and ``local_index_name`` set, for the reply's arm alone.
    ``key_ranges`` spreads the units over partition key values: pairs of (canonical partition key, nano-units) whose
    sum is at most ``nano_units``. What a vector index takes is counted in bytes, apart from all units: its part has
    ``vector_index_name`` and ``vector_bytes``, and no nano-units.
    """

    table_name: str
    direction: OperationType
    nano_units: int
    index_name: str | None = None
    local_index_name: str | None = None
    key_ranges: tuple[tuple[Any, int], ...] = ()
    vector_index_name: str | None = None
    vector_bytes: int = 0

    @property
    def holder_name(self) -> str | None:
        """The index that the part falls on, global or of vectors; None for the table."""
        return self.index_name if self.vector_index_name is None else self.vector_index_name


def write_nano_units(item_bytes: int) -> int:
    """Give the write capacity that one item consumes, in nano-units.

    One write capacity unit covers 1 KiB of item; sizes round up, and nothing costs less than one unit.

    Args:
        item_bytes: the larger of the old and the new item, in bytes.

    Returns:
        Nano-units, a multiple of 10**9.

    >>> write_nano_units(1025)
    2000000000

    Source: Documented — Developer Guide, "DynamoDB read and write operations", read 2026-11-30.
    """
    return max(1, -(-item_bytes // WRITE_UNIT_BYTES)) * NANO_UNITS_PER_UNIT


def read_nano_units(read_bytes: int, consistency: ReadConsistency) -> int:
    """Give the read capacity that a read of so many bytes consumes, in nano-units.

    One strongly consistent read unit covers 4 KiB; sizes round up; eventually consistent reads cost half,
    transactional ones twice. A read that finds nothing costs as much as one of up to 4 KiB.

    Args:
        read_bytes: one item for GetItem and the batches; the sum of what was evaluated for Query and Scan.
        consistency: how the read is served.

    Returns:
        Nano-units.

    >>> read_nano_units(20_005, ReadConsistency.EVENTUAL)
    2500000000

    Source: Documented — Developer Guide, "DynamoDB read and write operations", read 2026-11-30.
    """
    return max(1, -(-read_bytes // READ_UNIT_BYTES)) * consistency.value


def consumed_capacity(
    table_name: str, consumptions: Iterable[Consumption], detail: str | None, mirrored_member: str | None = None
) -> dict[str, Any] | None:
    """Give one table's ``ConsumedCapacity`` element, or None when the request did not ask for it.

    Args:
        table_name: the name to echo: an ARN where the request used one.
        consumptions: those of this table.
        detail: ``ReturnConsumedCapacity``: NONE, TOTAL, INDEXES, or None where it was absent.
        mirrored_member: ``ReadCapacityUnits`` or ``WriteCapacityUnits`` for transactions, which repeat
            ``CapacityUnits`` under that name on every level.

    Source: Observed — eu-west-2, 2026-06 to 2026-08, a public conformance suite (``docs/model.md``).
    """
    if detail not in ("TOTAL", "INDEXES"):
        return None
    parts = list(consumptions)

    def units(of: Sequence[Consumption]) -> dict[str, float]:
        total = sum(part.nano_units for part in of) / NANO_UNITS_PER_UNIT
        return {"CapacityUnits": total, **({mirrored_member: total} if mirrored_member else {})}

    reply: dict[str, Any] = {"TableName": table_name, **units(parts)}
    if detail == "TOTAL":
        return reply
    reply["Table"] = units([part for part in parts if part.index_name is None and part.local_index_name is None])
    for member, attribute in (
        ("LocalSecondaryIndexes", "local_index_name"),
        ("GlobalSecondaryIndexes", "index_name"),
    ):
        names = sorted({name for part in parts if (name := getattr(part, attribute)) is not None})
        if names:
            reply[member] = {name: units([p for p in parts if getattr(p, attribute) == name]) for name in names}
    vector_names = sorted({part.vector_index_name for part in parts if part.vector_index_name is not None})
    if vector_names:
        written = {name: sum(p.vector_bytes for p in parts if p.vector_index_name == name) for name in vector_names}
        reply["VectorIndexes"] = {name: {"VectorWriteRequestBytes": float(count)} for name, count in written.items()}
    return reply


def index_write_nano_units(
    old_bytes: int | None, new_bytes: int | None, *, same_key: bool, same_content: bool
) -> tuple[int, int]:
    """Give what one write costs one index: for the entry that goes, and for the one that comes.

    An entry whose key changes is deleted and inserted, each rounded by itself; one whose projected attributes change
    costs the larger of the two once; one that stays the same costs nothing.

    Args:
        old_bytes: the size of the projected entry before, or None where there was none.
        new_bytes: the same after the write.
        same_key: whether both have the same index key.
        same_content: whether both hold the same projected attributes.

    Returns:
        Nano-units for the old entry's key range and for the new one's.

    >>> index_write_nano_units(2000, 100, same_key=False, same_content=False)
    (2000000000, 1000000000)
    >>> index_write_nano_units(2000, 100, same_key=True, same_content=False)
    (0, 2000000000)

    Source: Documented — Developer Guide, "Global secondary indexes", read 2026-11-30; Observed — eu-west-2, 2026-07.
    """
    if old_bytes is not None and new_bytes is not None and same_key:
        return 0, 0 if same_content else write_nano_units(max(old_bytes, new_bytes))
    return (
        0 if old_bytes is None else write_nano_units(old_bytes),
        0 if new_bytes is None else write_nano_units(new_bytes),
    )


def vector_write_bytes(old_bytes: int | None, new_bytes: int | None, *, same_key: bool, same_content: bool) -> int:
    """Give what one write costs one vector index, in bytes: as a global index, but by the byte from 1,024 on.

    Args:
        old_bytes: the size of the entry before, or None where there was none.
        new_bytes: the same after the write.
        same_key: whether both are in the same partition of the index.
        same_content: whether both hold the same attributes and the same vector.

    >>> vector_write_bytes(None, 4125, same_key=False, same_content=False)
    4125
    >>> vector_write_bytes(30, 30, same_key=False, same_content=False)
    2048

    Source: Observed — eu-west-2, 2026-08, two public implementations' captures, 3 to 512 dimensions (the least, nothing for
    what stays the same, both entries where the partition changes); Assumed — the larger entry where the partition stays.
    An update to a much shorter entry would tell.
    """
    entries = [max(MIN_VECTOR_BYTES, size_bytes) for size_bytes in (old_bytes, new_bytes) if size_bytes is not None]
    if same_key and len(entries) > 1:
        return 0 if same_content else max(entries)
    return sum(entries)


def vector_search_bytes(examined_bytes: int, returned_bytes: int) -> int:
    """Give what a search of a vector index costs, in bytes.

    Args:
        examined_bytes: the vectors that are compared, four for each number.
        returned_bytes: the items that are given back.

    >>> vector_search_bytes(12, 40)
    1024

    Source: Documented — Developer Guide, "Monitoring vector index capacity", read 2026-12-07 (it grows with the vectors
    examined and the data returned); Assumed — the sum. The service's own figure differs between equal searches.
    """
    return max(MIN_VECTOR_BYTES, examined_bytes + returned_bytes)
