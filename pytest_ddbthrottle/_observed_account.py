"""What happened on an account, and assertions about it: the part of ``FakeDynamoDB`` that only looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pytest_ddbthrottle import _assertions
from pytest_ddbthrottle._engine.clock import Sleep, VirtualClock
from pytest_ddbthrottle._engine.journal import Call, Journal, Leftover
from pytest_ddbthrottle._reasons_read import assert_reasons_read

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from pytest_ddbthrottle._audit import AuditReport
    from pytest_ddbthrottle._botocore.client_retries import ClientRetries
    from pytest_ddbthrottle._keyword_types import BackOffBounds, ConsumedUnits, RefusalParts


class ObservedAccount:
    """An account as its journal and its clock tell of it.

    Args:
        clock: its clock.
        journal: its calls.
        sleeps_are_seen: whether the application's own sleeps move the clock.
    """

    def __init__(self, clock: VirtualClock, journal: Journal, *, sleeps_are_seen: bool = True) -> None:
        self.clock = clock
        self._sleeps_are_seen = sleeps_are_seen
        self._journal = journal
        self._retries_of: Callable[[Any], ClientRetries] | None = None
        _assertions.watch(journal)

    def audit(self) -> AuditReport:
        """Look for what the application does wrong when it is refused: drops leftovers, retries without back-off and so on.

        Returns:
            The report: ``findings``, each with its call, line, explanation and cure, and ``assert_nothing_found()``.

        >>> from pytest_ddbthrottle import FakeDynamoDB
        >>> print(FakeDynamoDB().audit())
        0 findings in 0 calls
        """
        from pytest_ddbthrottle._audit import audit

        return audit(self._journal, sleeps_are_seen=self._sleeps_are_seen)

    def audit_since(self, begin: int, is_strict: Callable[[str | None], bool]) -> AuditReport:
        """Audit the calls after the first ``begin``; whoever expects a Livelock has been told enough.

        Args:
            begin: how many calls are no longer looked at.
            is_strict: tells whether calls to a table are looked at.
        """
        from pytest_ddbthrottle._audit import AuditReport

        tables = {call.table for call in self.calls[begin:] if is_strict(call.table)}
        if not tables or any(call.number > begin for call in self._journal.livelocks):
            return AuditReport((), 0)
        return self.audit().of(lambda call: call.number > begin and call.table in tables)

    def retries(self, client: Any) -> ClientRetries:
        """Read what a client's retries stand at; each fake begins with fresh ones, also for a client that is older.

        Args:
            client: a DynamoDB client of botocore, boto3 or aiobotocore, or a resource.

        Returns:
            ``mode``, ``max_attempts``, ``attempts_made``, ``retry_quota``, ``retry_quota_left``, and of adaptive mode
            ``requests_per_second`` and ``measured_requests_per_second``.

        Raises:
            TypeError: it is no DynamoDB client.
            RuntimeError: the fake is not installed, or another one answers.

        >>> import boto3
        >>> from pytest_ddbthrottle import FakeDynamoDB
        >>> client = boto3.client("dynamodb", "us-east-1", aws_access_key_id="any", aws_secret_access_key="any")
        >>> with FakeDynamoDB() as fake:
        ...     _ = client.list_tables()
        ...     fake.retries(client).attempts_made
        1
        """
        if self._retries_of is None:
            raise RuntimeError("retries: the fake is not installed; enter it first")
        return self._retries_of(client)

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

    def assert_reasons_read(self, operation: str | None = None, *, table: str | None = None) -> None:
        """Assert that the application has asked each refusal that reached it for its reasons list.

        Args:
            operation: AWS's name; None for all.
            table: the table's name; None for all.

        Raises:
            AssertionError: with the refusals whose list nobody read, or that none with a list reached the application.
        """
        __tracebackhide__ = True
        assert_reasons_read(self._journal, operation, table=table)

    def assert_consumed(self, **expected: Unpack[ConsumedUnits]) -> None:
        """Assert how much capacity was charged; ``_assertions.assert_consumed`` has the names.

        Raises:
            AssertionError: it was another amount.
        """
        __tracebackhide__ = True
        _assertions.assert_consumed(self._journal, **expected)
