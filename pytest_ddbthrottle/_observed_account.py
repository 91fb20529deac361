"""What happened on an account, and assertions about it: the part of ``FakeDynamoDB`` that only looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pytest_ddbthrottle import _assertions
from pytest_ddbthrottle._engine.clock import Sleep, VirtualClock
from pytest_ddbthrottle._engine.journal import Call, Journal, Leftover

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from pytest_ddbthrottle._keyword_types import BackOffBounds, ConsumedUnits, RefusalParts


class ObservedAccount:
    """An account as its journal and its clock tell of it.

    Args:
        clock: its clock.
        journal: its calls.
    """

    def __init__(self, clock: VirtualClock, journal: Journal) -> None:
        self.clock = clock
        self._journal = journal
        _assertions.watch(journal)

    @property
    def calls(self) -> list[Call]:
        """Every attempt that reached the fake, in order."""
        return self._journal.calls

    @property
    def throttles(self) -> list[Call]:
        """The calls of which something was refused for want of capacity."""
        return self._journal.throttles

    @property
    def leftovers(self) -> list[Leftover]:
        """The entries that batches gave back unprocessed."""
        return self._journal.leftovers

    @property
    def sleeps(self) -> list[Sleep]:
        """The waits that passed in virtual time."""
        return self.clock.sleeps

    def assert_attempts(self, operation: str, expected: int, *, table: str | None = None) -> None:
        """Assert how often an operation was sent, the SDK's retries counted.

        Raises:
            AssertionError: it was sent another number of times; the calls follow, a line each.
        """
        __tracebackhide__ = True
        _assertions.assert_attempts(self._journal, operation, expected, table=table)

    def assert_backoff(self, operation: str | None = None, **bounds: Unpack[BackOffBounds]) -> None:
        """Assert that whoever sends again what was refused waits first; ``_assertions.assert_backoff`` has the bounds.

        Raises:
            AssertionError: something was sent again at once, or outside the bounds, or never.
        """
        __tracebackhide__ = True
        _assertions.assert_backoff(self._journal, operation, **bounds)

    def assert_throttled(self, operation: str | None = None, **parts: Unpack[RefusalParts]) -> None:
        """Assert that a call was refused, and how; ``_assertions.assert_call_throttled`` has the parts.

        Raises:
            AssertionError: no call matches, or not ``times`` of them.
        """
        __tracebackhide__ = True
        _assertions.assert_call_throttled(self._journal, operation, **parts)

    def assert_not_throttled(self, table: str | None = None) -> None:
        """Assert that nothing was refused for want of capacity.

        Raises:
            AssertionError: with the calls that were.
        """
        __tracebackhide__ = True
        _assertions.assert_not_throttled(self._journal, table)

    def assert_nothing_lost(self, *, accounted_for: Sequence[Mapping[str, Any]] = ()) -> None:
        """Assert that every leftover and every refused write was sent again until it landed.

        Args:
            accounted_for: keys of items that the application has put aside itself, plain or in wire form.

        Raises:
            AssertionError: with what was lost.
        """
        __tracebackhide__ = True
        _assertions.assert_nothing_lost(self._journal, accounted_for=accounted_for)

    def assert_consumed(self, **expected: Unpack[ConsumedUnits]) -> None:
        """Assert how much capacity was charged; ``_assertions.assert_consumed`` has the names.

        Raises:
            AssertionError: it was another amount.
        """
        __tracebackhide__ = True
        _assertions.assert_consumed(self._journal, **expected)
