"""What a swarm may be told: the fields are the keywords of ``fake.swarm``."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class SwarmOptions:
    """How a worker is copied, and for how long.

    Args:
        workers: how many copies.
        until: after so many virtual seconds, who is still at work is stopped.
        seed: of whose turn it is, of the SDK's jitter and of Python's own dice; the fake's if absent.
        latency_seconds: how long each reply takes; the others go on meanwhile.
        may_raise: classes of the errors by which a worker may end, besides those that throttling caused; one or several.

    Raises:
        ValueError: a value out of range, or of another kind; the message names it.
    """

    workers: int = 200
    until: float = 60
    seed: int | None = None
    latency_seconds: float = 0
    may_raise: type[BaseException] | tuple[type[BaseException], ...] = ()

    def __post_init__(self) -> None:
        if not _is_whole(self.workers) or self.workers < 1:
            raise ValueError(f"workers={self.workers!r}: a whole number, at least 1, is needed")
        if not _is_number(self.until) or not self.until > 0:
            raise ValueError(f"until={self.until!r}: a number of seconds, more than 0, is needed")
        if self.seed is not None and not _is_whole(self.seed):
            raise ValueError(f"seed={self.seed!r}: a whole number is needed")
        if not _is_number(self.latency_seconds) or self.latency_seconds < 0:
            raise ValueError(f"latency_seconds={self.latency_seconds!r}: a number of seconds, at least 0, is needed")
        if not all(isinstance(kind, type) and issubclass(kind, Exception) for kind in self.may_raise_classes):
            raise ValueError(f"may_raise={self.may_raise!r}: an exception's class or several are needed")

    @property
    def may_raise_classes(self) -> tuple[Any, ...]:
        """The classes that ``may_raise`` names."""
        return self.may_raise if isinstance(self.may_raise, tuple) else (self.may_raise,)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
