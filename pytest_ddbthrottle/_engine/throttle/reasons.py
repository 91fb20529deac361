"""AWS's words for a refusal: the sixteen throttling reasons, the three parts of each, and the scopes that give them."""

from __future__ import annotations

from enum import Enum


class ResourceType(str, Enum):
    """What refused, spelled as in a throttling reason. A local secondary index counts as its table.

    Source: Documented — Developer Guide, "Diagnosing throttling", read 2026-11-30.
    """

    TABLE = "Table"
    INDEX = "Index"


class OperationType(str, Enum):
    """The direction of a consumption, spelled as in a throttling reason.

    Source: Documented — Developer Guide, "Diagnosing throttling", read 2026-11-30.
    """

    READ = "Read"
    WRITE = "Write"


class LimitType(str, Enum):
    """Which limit was passed, spelled as in a throttling reason.

    Source: Documented — Developer Guide, "Diagnosing throttling", read 2026-11-30.
    """

    PROVISIONED_THROUGHPUT_EXCEEDED = "ProvisionedThroughputExceeded"
    KEY_RANGE_THROUGHPUT_EXCEEDED = "KeyRangeThroughputExceeded"
    MAX_ON_DEMAND_THROUGHPUT_EXCEEDED = "MaxOnDemandThroughputExceeded"
    ACCOUNT_LIMIT_EXCEEDED = "AccountLimitExceeded"

    def __str__(self) -> str:
        return self.value


class ThrottlingReason(str, Enum):
    """The ``reason`` of an entry in ``ThrottlingReasons``: resource type, direction, limit type.

    A member is a string, equal to AWS's spelling.

    >>> ThrottlingReason.TABLE_WRITE_KEY_RANGE_THROUGHPUT_EXCEEDED == "TableWriteKeyRangeThroughputExceeded"
    True

    Source: Documented — Developer Guide, "Diagnosing throttling", read 2026-11-30.
    """

    TABLE_READ_PROVISIONED_THROUGHPUT_EXCEEDED = "TableReadProvisionedThroughputExceeded"
    TABLE_WRITE_PROVISIONED_THROUGHPUT_EXCEEDED = "TableWriteProvisionedThroughputExceeded"
    INDEX_READ_PROVISIONED_THROUGHPUT_EXCEEDED = "IndexReadProvisionedThroughputExceeded"
    INDEX_WRITE_PROVISIONED_THROUGHPUT_EXCEEDED = "IndexWriteProvisionedThroughputExceeded"
    TABLE_READ_KEY_RANGE_THROUGHPUT_EXCEEDED = "TableReadKeyRangeThroughputExceeded"
    TABLE_WRITE_KEY_RANGE_THROUGHPUT_EXCEEDED = "TableWriteKeyRangeThroughputExceeded"
    INDEX_READ_KEY_RANGE_THROUGHPUT_EXCEEDED = "IndexReadKeyRangeThroughputExceeded"
    INDEX_WRITE_KEY_RANGE_THROUGHPUT_EXCEEDED = "IndexWriteKeyRangeThroughputExceeded"
    TABLE_READ_MAX_ON_DEMAND_THROUGHPUT_EXCEEDED = "TableReadMaxOnDemandThroughputExceeded"
    TABLE_WRITE_MAX_ON_DEMAND_THROUGHPUT_EXCEEDED = "TableWriteMaxOnDemandThroughputExceeded"
    INDEX_READ_MAX_ON_DEMAND_THROUGHPUT_EXCEEDED = "IndexReadMaxOnDemandThroughputExceeded"
    INDEX_WRITE_MAX_ON_DEMAND_THROUGHPUT_EXCEEDED = "IndexWriteMaxOnDemandThroughputExceeded"
    TABLE_READ_ACCOUNT_LIMIT_EXCEEDED = "TableReadAccountLimitExceeded"
    TABLE_WRITE_ACCOUNT_LIMIT_EXCEEDED = "TableWriteAccountLimitExceeded"
    INDEX_READ_ACCOUNT_LIMIT_EXCEEDED = "IndexReadAccountLimitExceeded"
    INDEX_WRITE_ACCOUNT_LIMIT_EXCEEDED = "IndexWriteAccountLimitExceeded"

    def __str__(self) -> str:
        return self.value

    @property
    def resource_type(self) -> ResourceType:
        """Whether a table or an index refused."""
        return ResourceType(self.value[:5])

    @property
    def operation_type(self) -> OperationType:
        """Whether a read or a write was refused."""
        return OperationType.READ if self.value[5:].startswith("Read") else OperationType.WRITE

    @property
    def limit_type(self) -> LimitType:
        """Which limit was passed."""
        return LimitType(self.value[5 + len(self.operation_type.value) :])


def throttling_reason(
    resource_type: ResourceType, operation_type: OperationType, limit_type: LimitType
) -> ThrottlingReason:
    """Join the three parts into the reason.

    >>> throttling_reason(ResourceType.INDEX, OperationType.READ, LimitType.ACCOUNT_LIMIT_EXCEEDED).value
    'IndexReadAccountLimitExceeded'
    """
    return ThrottlingReason(resource_type.value + operation_type.value + limit_type.value)


class Scope(str, Enum):
    """Which bucket refused; the value is how failure texts call it. Finer than AWS's four limit types."""

    PROVISIONED = "provisioned capacity"
    CAP = "on-demand cap"
    QUOTA = "per-table quota"
    GROWTH = "on-demand growth"
    KEY_RANGE = "key range"
    ACCOUNT = "account aggregate"

    def __str__(self) -> str:
        return self.value

    @property
    def limit_type(self) -> LimitType:
        """AWS's name for the limit.

        Growth is told as a key range: the table has too few partitions yet.

        Source: Documented — Developer Guide, "Diagnosing throttling", read 2026-11-30; Assumed — growth.
        """
        return _LIMIT_TYPES[self]


_LIMIT_TYPES = {
    Scope.PROVISIONED: LimitType.PROVISIONED_THROUGHPUT_EXCEEDED,
    Scope.CAP: LimitType.MAX_ON_DEMAND_THROUGHPUT_EXCEEDED,
    Scope.QUOTA: LimitType.ACCOUNT_LIMIT_EXCEEDED,
    Scope.GROWTH: LimitType.KEY_RANGE_THROUGHPUT_EXCEEDED,
    Scope.KEY_RANGE: LimitType.KEY_RANGE_THROUGHPUT_EXCEEDED,
    Scope.ACCOUNT: LimitType.ACCOUNT_LIMIT_EXCEEDED,
}
