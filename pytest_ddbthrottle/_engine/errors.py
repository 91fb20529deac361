"""What a client can be told: one class for each AWS error, and ``Throttled`` for an admission that was refused.

The engine raises these; only ``_wire`` turns them into bytes. A class knows its own ``__type`` prefix, its HTTP status
and the spelling of its message member, so that no caller keeps a mapping.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

DYNAMODB = "com.amazonaws.dynamodb.v20120810#"
CORAL_AVAILABILITY = "com.amazon.coral.availability#"
CORAL_SERVICE = "com.amazon.coral.service#"
CORAL_VALIDATE = "com.amazon.coral.validate#"


class ServiceError(Exception):
    """An answer other than success; its class name is the error code.

    Args:
        message: the text as the service sends it.
        members: further members of the body, by their wire names.

    Source: Documented — botocore service model 2012-08-10 (members, casing); prefixes Observed, ``docs/model.md``.
    """

    type_prefix: ClassVar[str] = DYNAMODB
    message_member: ClassVar[str] = "message"
    status_code: ClassVar[int] = 400

    def __init__(self, message: str = "", members: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.members: Mapping[str, Any] = members or {}

    @property
    def code(self) -> str:
        """The error code, as ``ClientError.response["Error"]["Code"]`` shows it."""
        return type(self).__name__

    def body(self) -> dict[str, Any]:
        """Give the members of the reply's body: ``__type``, the message if there is one, and the rest."""
        text = {self.message_member: self.message} if self.message else {}
        return {"__type": self.type_prefix + self.code, **text, **self.members}


class ValidationException(ServiceError):
    """The request, or what it would make of an item, is not valid."""

    type_prefix = CORAL_VALIDATE


class SerializationException(ServiceError):
    """The body is not JSON, or a member has the wrong JSON type."""

    type_prefix = CORAL_SERVICE
    message_member = "Message"


class UnknownOperationException(ServiceError):
    """There is no such operation, or this fake does not model it (the message says which)."""

    type_prefix = CORAL_SERVICE


class AccessDeniedException(ServiceError):
    """A policy does not allow the request.

    Source: Observed — public reports of whole bodies, 2017 and 2023 (the prefix, and the casing of the member).
    """

    type_prefix = CORAL_SERVICE
    message_member = "Message"


class ResourceNotFoundException(ServiceError):
    """The table or index does not exist."""


class PolicyNotFoundException(ServiceError):
    """There is no resource policy, or it has another revision than the request expects."""


class ResourceInUseException(ServiceError):
    """The table exists already, or is in a state that forbids the change."""


class LimitExceededException(ServiceError):
    """A quota of the account or the table forbids the change."""


class ConditionalCheckFailedException(ServiceError):
    """The condition of a write was false."""


class ItemCollectionSizeLimitExceededException(ServiceError):
    """An item collection of a table with local secondary indexes would grow past 10 GB."""


class TransactionCanceledException(ServiceError):
    """A transaction was cancelled; ``CancellationReasons`` has one entry for each of its items."""

    message_member = "Message"


class TransactionConflictException(ServiceError):
    """Another transaction holds the item."""


class DuplicateItemException(ServiceError):
    """An INSERT found an item with its key."""


class TransactionInProgressException(ServiceError):
    """The transaction with this token is still running."""

    message_member = "Message"


class IdempotentParameterMismatchException(ServiceError):
    """The token was used before, with another request."""

    message_member = "Message"


class ProvisionedThroughputExceededException(ServiceError):
    """Refused: provisioned capacity, or a key range of a provisioned table."""


class RequestLimitExceeded(ServiceError):
    """Refused: a throughput quota of the account."""


class ThrottlingException(ServiceError):
    """Refused: an on-demand table or index, or the control plane."""

    type_prefix = CORAL_AVAILABILITY


class ExpiredIteratorException(ServiceError):
    """The shard iterator is too old."""


class TrimmedDataAccessException(ServiceError):
    """The stream records asked for are too old."""


class InternalServerError(ServiceError):
    """The service failed."""

    status_code = 500


class InternalFailure(ServiceError):
    """The service failed before it could say how."""

    type_prefix = CORAL_SERVICE
    status_code = 500


class ServiceUnavailable(ServiceError):
    """The service is overloaded."""

    type_prefix = CORAL_SERVICE
    status_code = 503


class Throttled(Exception):
    """Admission was refused; nothing has been charged and nothing may be stored.

    Operations catch it where DynamoDB has an answer other than an error: batches keep the entry for
    ``UnprocessedItems``, transactions put ``cancellation_reason`` in the entry's place.

    Args:
        error: what a client receives when the whole request is refused.
        cancellation_reason: ``{"Code": …, "Message": …}`` of the item in a cancelled transaction.
        consumption: the ``capacity.Consumption`` that was refused; its identity tells whose it was.
        refusal: the ``throttle.refusal.Refusal``, for the journal.
    """

    def __init__(
        self, error: ServiceError, cancellation_reason: Mapping[str, str], consumption: object, refusal: object
    ) -> None:
        super().__init__(error.message)
        self.error = error
        self.cancellation_reason = cancellation_reason
        self.consumption = consumption
        self.refusal = refusal


class LostReply(Exception):
    """The caller gets no reply, whatever became of the request: the network's fault, and no answer of DynamoDB.

    Args:
        code: ``"timeout"`` or ``"reset"``.
        waited: whether the time that the caller waited has passed already.
    """

    def __init__(self, code: str, *, waited: bool = False) -> None:
        super().__init__(LOST_REPLIES[code])
        self.code = code
        self.message = LOST_REPLIES[code]
        self.waited = waited


LOST_REPLIES = MappingProxyType(
    {"timeout": "no reply until the client's read timeout", "reset": "the connection was reset before a reply"}
)
"""How a reply gets lost, and what the record says of it: our words, since nothing is sent."""


class Interruption(BaseException):
    """Ends the test; not an answer of DynamoDB, so neither botocore nor the application may swallow it."""


class Livelock(Interruption):
    """The code under test keeps sending what is refused, and nothing moves the clock."""


class Contradiction(Interruption):
    """A rule of the test can't hold for the call that it hit."""


class NoFake(Interruption):
    """A DynamoDB call that no fake answers, where none may leave the process."""


class UnmodelledWait(Interruption):
    """A wait, or a client, that can't take part in virtual time; the message says which, where, and what to do."""


class Stalled(Interruption):
    """Nothing can move: every thread waits, and none for a time that will come; the message says for what, and where."""
