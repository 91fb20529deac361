"""pytest-ddbthrottle: an in-memory DynamoDB that refuses the way DynamoDB refuses, on a clock that the test owns."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_ddbthrottle._assertions import assert_throttled
    from pytest_ddbthrottle._engine.capacity import BillingMode
    from pytest_ddbthrottle._engine.throttle.reasons import LimitType, ThrottlingReason
    from pytest_ddbthrottle._explain import explain
    from pytest_ddbthrottle._fake_dynamodb import FakeDynamoDB
    from pytest_ddbthrottle._item_cost import item_size_bytes, read_units, write_units
    from pytest_ddbthrottle._limit_exceeded import assert_limit_exceeded

__all__ = [
    "BillingMode",
    "FakeDynamoDB",
    "LimitType",
    "ThrottlingReason",
    "assert_limit_exceeded",
    "assert_throttled",
    "explain",
    "item_size_bytes",
    "read_units",
    "write_units",
]
__version__ = "0.1.0"

_HOMES = {
    "BillingMode": "_engine.capacity",
    "FakeDynamoDB": "_fake_dynamodb",
    "LimitType": "_engine.throttle.reasons",
    "ThrottlingReason": "_engine.throttle.reasons",
    "assert_limit_exceeded": "_limit_exceeded",
    "assert_throttled": "_assertions",
    "explain": "_explain",
    "item_size_bytes": "_item_cost",
    "read_units": "_item_cost",
    "write_units": "_item_cost",
}

if not TYPE_CHECKING:  # A type checker would take every name for one that exists.

    def __getattr__(name: str) -> Any:
        """Import a public name when it is first asked for: pytest loads this package in runs that use nothing of it."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        return value

    def __dir__() -> list[str]:
        """Give the public names as well as those that are loaded."""
        return sorted({*globals(), *__all__})
