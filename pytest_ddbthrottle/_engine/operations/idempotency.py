"""``ClientRequestToken``: what the transactions that write remember of those that completed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from pytest_ddbthrottle._engine.capacity import Consumption
from pytest_ddbthrottle._engine.errors import IdempotentParameterMismatchException
from pytest_ddbthrottle._engine.limits import TRANSACTION_TOKEN_SECONDS
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._engine.operations.context import Context, Request

MISMATCH = (
    "DynamoDB rejected the request because you retried a request with a different payload but with an idempotent token "
    "that was already used."
)
"""Source: Documented — API Reference, IdempotentParameterMismatchException, read 2026-11-30; no body is published."""


@dataclass(frozen=True, slots=True)
class CompletedTransaction:
    """One transaction that succeeded. ``reads`` is what a repetition is charged: for each item, in order."""

    items: Sequence[Any]
    expires_at_ns: int
    reads: tuple[tuple[Consumption, ...], ...]


def completed_transaction(context: Context, request: Request, items: Sequence[Any]) -> CompletedTransaction | None:
    """Give the transaction that a request repeats, or None where it is new or has no token.

    Args:
        context: the account.
        request: with the token.
        items: its actions or statements.

    Raises:
        IdempotentParameterMismatchException: the token was used for other items in the last ten minutes.
    """
    token = request.get("ClientRequestToken")
    if token is None:
        return None
    _forget_expired(context.transaction_tokens, context.now_ns)
    completed: CompletedTransaction | None = context.transaction_tokens.get(token)
    if completed is not None and completed.items != items:
        raise IdempotentParameterMismatchException(MISMATCH)
    return completed


def remember(
    context: Context, request: Request, items: Sequence[Any], reads: Sequence[tuple[Consumption, ...]]
) -> None:
    """Remember a transaction that has just succeeded, if it has a token.

    Source: Documented — API Reference, TransactWriteItems, ClientRequestToken (10 minutes), read 2026-11-30.
    """
    token = request.get("ClientRequestToken")
    if token is not None:
        expires_at_ns = context.now_ns + TRANSACTION_TOKEN_SECONDS * NANOSECONDS_PER_SECOND
        context.transaction_tokens[token] = CompletedTransaction(items, expires_at_ns, tuple(reads))


def _forget_expired(tokens: dict[str, Any], now_ns: int) -> None:
    # They stand in the order in which they expire.
    for token in list(takewhile(lambda name: tokens[name].expires_at_ns <= now_ns, tokens)):
        del tokens[token]
