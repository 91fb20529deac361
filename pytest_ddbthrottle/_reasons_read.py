"""Whether the application has read why it was refused: ``FakeDynamoDB.assert_reasons_read``."""

from __future__ import annotations

from pytest_ddbthrottle._engine.journal import Call, Journal
from pytest_ddbthrottle._engine.request_names import table_names
from pytest_ddbthrottle._failures import call_lines, failure
from pytest_ddbthrottle._resends import CANCELLED, sent_again

_LISTS = ("ThrottlingReasons", "throttlingReasons", "CancellationReasons")


def assert_reasons_read(journal: Journal, operation: str | None = None, *, table: str | None = None) -> None:
    """Assert that each refusal that reached the application was asked for its reasons list, by its right name.

    What the SDK's retries overcame has not reached it. A transaction counts where capacity cancelled it. Whoever looks
    at the whole reply, to log it say, has read it; the test function itself is not the application.

    Args:
        journal: whose calls.
        operation: AWS's name; None for all.
        table: the table's name; None for all.

    Raises:
        AssertionError: a list was not read, or no refusal with one reached the application.
    """
    __tracebackhide__ = True
    reached = [
        (call, member)
        for call in journal.calls
        if operation in (None, call.operation) and (table is None or table in table_names(call.request))
        if call.request_id in journal.read and (member := _list_of(call)) is not None
    ]
    unread = [(call, member) for call, member in reached if member not in journal.read[call.request_id]]
    if reached and not unread:
        return
    what = " ".join(filter(None, [f"of {operation}" if operation else "", f"on {table}" if table else ""]))
    if not reached:
        expected = (
            f"expected a refusal with a reasons list{f' {what}' if what else ''} to reach the application; none did"
        )
    else:
        of = f" {what}" if what else ""
        expected = f"expected every reasons list{of} to be read; nobody read {len(unread)} of {len(reached)}"
    raise failure(
        expected,
        call_lines([call for call, _ in unread], sent_again(journal.calls)),
        "operation= and table= choose what is looked at",
        "assert_reasons_read",
    )


def _list_of(call: Call) -> str | None:
    """Give the name of a refusal's reasons list; None where it has none."""
    if call.error == CANCELLED:
        return "CancellationReasons" if call.throttled else None
    return next((name for name in _LISTS if f'"{name}":'.encode() in call.body), None)
