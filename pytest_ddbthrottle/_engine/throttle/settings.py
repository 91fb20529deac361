"""What a test can set of the throttle model, for a table or an index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_LEAST = {
    "burst_seconds": 1,
    "initial_seconds": 0,
    "partition_read_units_per_second": 1,
    "partition_write_units_per_second": 1,
    "partition_burst_seconds": 1,
}
_CHOICES = {
    "partitioning": ("per_key",),
    "admission": ("positive_balance", "full_cost"),
    "account_limit_error": ("ThrottlingException", "RequestLimitExceeded"),
}
_NOT_MODELLED = {"partitioning": ("ranges",)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrottleSettings:
    """The numbers and choices behind the buckets; the defaults are AWS's where AWS tells them.

    Args:
        burst_seconds: how many seconds of unused capacity a table or index keeps.
            Source: Documented — Developer Guide, "Burst and adaptive capacity", read 2026-11-30 (300 s).
        initial_seconds: how many seconds of its rate a new table or index starts with; at most ``burst_seconds`` count.
            Source: Assumed — undocumented; a public implementation starts with 1 s, so a new table is not a full one.
        partition_read_units_per_second: what one key range serves, in both billing modes.
            Source: Documented — Developer Guide, "Designing partition keys", read 2026-11-30 (3,000).
        partition_write_units_per_second: the same for writes.
            Source: Documented — as above (1,000).
        partition_burst_seconds: how many seconds of its rate a key range keeps.
            Source: Assumed — 1, which makes the documented rate a hard ceiling; a public implementation keeps 300.
        partitioning: ``"per_key"``, each partition key value has a key range of its own.
            Source: Assumed — the table after adaptive capacity has moved its hot keys apart.
        admission: ``"positive_balance"`` admits a request of any size while anything is left; ``"full_cost"`` refuses
            what the balance does not cover.
            Source: Assumed — a fresh table of 5 units is known to admit a write of about 400.
        account_limit_error: the class that the per-table quota answers with: ``"ThrottlingException"`` or
            ``"RequestLimitExceeded"``.
            Source: Documented — both, on different pages of the Developer Guide, read 2026-11-30; unmeasured.

    Raises:
        ValueError: a number out of range or a choice that does not exist; the message names what is allowed.
    """

    burst_seconds: int = 300
    initial_seconds: int = 1
    partition_read_units_per_second: int = 3000
    partition_write_units_per_second: int = 1000
    partition_burst_seconds: int = 1
    partitioning: str = "per_key"
    admission: str = "positive_balance"
    account_limit_error: str = "ThrottlingException"

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            _check_number(name, getattr(self, name), least)
        for name, allowed in _CHOICES.items():
            _check_choice(name, getattr(self, name), allowed)

    @property
    def full_cost(self) -> bool:
        """Whether a balance must cover the whole cost of a request."""
        return self.admission == "full_cost"


def _check_number(name: str, value: Any, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name}={value!r}: a whole number, at least {least}, is needed")


def _check_choice(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    if value in allowed:
        return
    choices = " or ".join(repr(choice) for choice in allowed)
    if value in _NOT_MODELLED.get(name, ()):
        raise ValueError(f"{name}={value!r} is not modelled yet: only {choices} is")
    raise ValueError(f"{name}={value!r}: allowed is {choices}")
