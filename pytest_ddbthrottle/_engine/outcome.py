"""What became of one request: between the engine, which decides it, and the wire, which writes it down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pytest_ddbthrottle._engine.capacity import Consumption
from pytest_ddbthrottle._engine.errors import LostReply, ServiceError
from pytest_ddbthrottle._engine.throttle.refusal import Refusal


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one request.

    Attributes:
        at_ns: when, in nanoseconds since the epoch.
        reply: the reply's members, or None.
        error: what its caller is told in place of one.
        consumed: what was charged.
        refusals: what was refused.
        scripted: whether a rule of the test had a hand in it.
        applied: whether it was carried out in whole although its caller is told of a fault.
    """

    at_ns: int
    reply: Mapping[str, Any] | None
    error: ServiceError | LostReply | None
    consumed: tuple[Consumption, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    scripted: bool = False
    applied: bool = False
