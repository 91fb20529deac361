"""DynamoDB in memory: the one place where an operation, the throttle and the clock meet.

``DynamoDB.handle`` takes one lock and reads the clock once. It asks, in this order: the account's bucket at the door,
the script of the test, the policies (if there are any), the request's constraints, the operation. The operation gives
its consumptions to ``RequestContext.admit`` and changes nothing before that returns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_ddbthrottle._engine.account import Account
from pytest_ddbthrottle._engine.errors import LostReply, ServiceError, Throttled
from pytest_ddbthrottle._engine.journal import leftovers_in
from pytest_ddbthrottle._engine.operations.registry import OPERATIONS
from pytest_ddbthrottle._engine.operations.unmodelled import unknown_operation
from pytest_ddbthrottle._engine.outcome import Outcome
from pytest_ddbthrottle._engine.request_context import RequestContext
from pytest_ddbthrottle._engine.validation import check


class DynamoDB(Account):
    """An account that answers requests."""

    def handle(
        self, operation_name: str, request: Mapping[str, Any], region_name: str, caller: str | None = None
    ) -> Outcome:
        """Carry out one request at the clock's instant.

        Args:
            operation_name: AWS's name, ``PutItem`` say.
            request: the parsed body.
            region_name: the Region that the request was signed for.
            caller: the access key that it was signed with; None for what no policy is asked about.

        Returns:
            The reply's members, or the error that its caller is told; what was charged and what was refused.
        """
        with self.lock:
            context = RequestContext(self, self.region(region_name), operation_name, request)
            reply: Mapping[str, Any] | None = None
            error: ServiceError | LostReply | None = None
            try:
                reply = self._run(context, operation_name, request, caller)
            except (ServiceError, LostReply) as refused:
                error = refused
            except Throttled as throttled:
                error = throttled.error
            applied = (
                context.told is not None and reply is not None and not any(leftovers_in(operation_name, request, reply))
            )
            if context.told is not None:
                reply, error = None, context.told
            return Outcome(
                context.now_ns,
                reply,
                error,
                tuple(context.consumed),
                tuple(context.refusals),
                context.scripted,
                applied,
            )

    def _run(
        self, context: RequestContext, operation_name: str, request: Mapping[str, Any], caller: str | None
    ) -> Mapping[str, Any]:
        operation = OPERATIONS.get(operation_name)
        if operation is None:
            raise unknown_operation(operation_name)
        context.knock(operation.directions_of(request))
        context.settle()
        if caller is not None:
            context.check_access(caller, operation_name)
        return operation.run(context, check(operation_name, request))
