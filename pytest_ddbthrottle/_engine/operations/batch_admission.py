"""The entries of a batch, admitted one by one in request order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_ddbthrottle._engine.capacity import Consumption, consumed_capacity
from pytest_ddbthrottle._engine.errors import Throttled
from pytest_ddbthrottle._engine.operations.context import Context
from pytest_ddbthrottle._engine.operations.lookup import bare_table_name

DUPLICATE_KEYS = "Provided list of item keys contains duplicates"
"""Source: Observed — eu-west-2, 2026-07, a public conformance suite."""


class BatchAdmission:
    """Asks for each entry of one batch, and remembers what was admitted.

    An entry that is refused does not end the batch: the next may belong to another table or key range. The batch as a
    whole fails only if nothing was admitted and something was refused.

    Args:
        context: the account.
        operation_name: AWS's name of the batch operation.

    Source: Documented — API Reference, BatchGetItem and BatchWriteItem, read 2026-11-30.
    """

    def __init__(self, context: Context, operation_name: str) -> None:
        self._context = context
        self._operation_name = operation_name
        self._position = 0
        self._consumed: dict[str, list[Consumption]] = {}
        self._first_refusal: Throttled | None = None

    def admits(self, table_name: str, consumptions: Sequence[Consumption]) -> bool:
        """Charge the next entry and tell whether it may be processed.

        Args:
            table_name: as the request has it, a name or an ARN.
            consumptions: what the entry takes.
        """
        if self.leaves_over(table_name):
            return False
        try:
            self._context.admit(consumptions)
        except Throttled as throttled:
            self._first_refusal = self._first_refusal or throttled
            return False
        self._consumed.setdefault(table_name, []).extend(consumptions)
        return True

    def leaves_over(self, table_name: str) -> bool:
        """Pass to the next entry and tell whether a scripted rule leaves it unprocessed."""
        position, self._position = self._position, self._position + 1
        return self._context.leftover(self._operation_name, bare_table_name(table_name), position)

    def check_progress(self) -> None:
        """Check that the batch was not refused as a whole.

        Raises:
            Throttled: the first refusal, if no entry was admitted.
        """
        if self._first_refusal is not None and not self._consumed:
            raise self._first_refusal

    def consumed_capacity(self, detail: str | None) -> list[Mapping[str, Any]]:
        """Give the elements of ``ConsumedCapacity``, one for each table of which an entry was processed."""
        elements = (consumed_capacity(name, parts, detail) for name, parts in self._consumed.items())
        return [element for element in elements if element is not None]
