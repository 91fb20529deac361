"""What a sweep may be told: the fields are the keywords of ``fake.sweep`` and of the marker ``ddb_throttle_sweep``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_ddbthrottle._engine.throttle.reasons import ThrottlingReason
from pytest_ddbthrottle._options import nearest

LEFTOVERS = "leftovers"
"""The cause that leaves the last entry of a batch unprocessed, where the others refuse."""
EVERY_CAUSE = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepOptions:
    """How a scenario is swept.

    Args:
        pairs: let a second call of the run be refused as well, each in turn.
        reasons: None for the likeliest cause of each call; ``"all"`` for each that its table's billing mode can give; or
            a list of throttling reasons, ``"leftovers"`` among them.
        may_raise: True if the scenario may end in a throttling error; or the class of the errors that it may raise, or
            several.
        check: says with AssertionErrors what has to be true after each run, instead of the comparison with the run in
            which nothing was refused; it takes nothing, or the fake.

    Raises:
        ValueError: a reason that there is not, or a value of another kind.
    """

    pairs: bool = False
    reasons: Sequence[str] | str | None = None
    may_raise: bool | type[BaseException] | tuple[type[BaseException], ...] = False
    check: Callable[..., object] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.pairs, bool):
            raise ValueError(f"pairs={self.pairs!r}: True or False is needed")
        if self.check is not None and not callable(self.check):
            raise ValueError(f"check={self.check!r}: a function is needed")
        if not isinstance(self.may_raise, bool) and not all(map(_is_error, self.may_raise_classes)):
            raise ValueError(f"may_raise={self.may_raise!r}: True, False, an exception's class or several are needed")
        self._check_reasons()

    @property
    def may_raise_classes(self) -> tuple[Any, ...]:
        """The classes that ``may_raise`` names; none where it is True or False."""
        if isinstance(self.may_raise, bool):
            return ()
        return self.may_raise if isinstance(self.may_raise, tuple) else (self.may_raise,)

    def _check_reasons(self) -> None:
        if self.reasons is None or self.reasons == EVERY_CAUSE:
            return
        if isinstance(self.reasons, str) or not self.reasons:
            raise ValueError(f"reasons={self.reasons!r}: None, {EVERY_CAUSE!r} or a list of reasons is needed")
        known = (LEFTOVERS, *(reason.value for reason in ThrottlingReason))
        for reason in self.reasons:
            if reason not in known:
                raise ValueError(
                    f"reasons: {reason!r} is none of the sixteen, nor {LEFTOVERS!r}{nearest(reason, known)}"
                )


def _is_error(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseException)
