"""pytest-ddbthrottle: an in-memory DynamoDB that refuses the way DynamoDB refuses, on a clock that the test owns."""

from pytest_ddbthrottle._assertions import assert_throttled
from pytest_ddbthrottle._engine.capacity import BillingMode
from pytest_ddbthrottle._engine.throttle.reasons import LimitType, ThrottlingReason
from pytest_ddbthrottle._explain import explain
from pytest_ddbthrottle._fake_dynamodb import FakeDynamoDB
from pytest_ddbthrottle._item_cost import item_size_bytes, read_units, write_units

__all__ = [
    "BillingMode",
    "FakeDynamoDB",
    "LimitType",
    "ThrottlingReason",
    "assert_throttled",
    "explain",
    "item_size_bytes",
    "read_units",
    "write_units",
]
__version__ = "0.1.0"
