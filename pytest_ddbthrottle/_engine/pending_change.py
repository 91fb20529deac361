"""A change that is on its way: of a table or of an index, from the request until it is done.

It says what is being done and until when, and nothing happens at that instant: who looks later asks the clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from pytest_ddbthrottle._engine.capacity import Throughput


class Work(Enum):
    """What is being done; the value is the status that is shown meanwhile."""

    CREATION = "CREATING"
    DELETION = "DELETING"
    UPDATE = "UPDATING"


@dataclass(frozen=True, slots=True)
class PendingChange:
    """One change on its way.

    Attributes:
        work: what is being done.
        ends_ns: when it is done.
        throughput: what is in force from then on; None where that does not change.
        backfills_from_ns: when a new index has its resources, and is being filled from then on; None for what is not filled.
        decreases_before: the decreases of the day that are shown until then.
    """

    work: Work
    ends_ns: int
    throughput: Throughput | None = None
    backfills_from_ns: int | None = None
    decreases_before: int | None = None

    def is_backfilling(self, now_ns: int) -> bool:
        """Tell whether a new index is past the allocation of its resources.

        >>> PendingChange(Work.CREATION, 520, backfills_from_ns=40).is_backfilling(39)
        False
        """
        return self.backfills_from_ns is not None and now_ns >= self.backfills_from_ns
