"""What a sweep has found: a line for each refusal, and what became of the scenario."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from pytest_ddbthrottle._engine.journal import Call
from pytest_ddbthrottle._failures import MAX_LINES, counted, listed
from pytest_ddbthrottle._sweep_faults import Fault

OUTCOMES = ("recovered", "raised", "lost", "hung")
_HEADINGS = ("call", "operation", "table", "refused with", "outcome", "what happened")
_PAGE = "docs/how-to/sweep.md"


@dataclass(frozen=True, slots=True)
class FaultPoint:
    """One run of the scenario in which one call was refused, or a pair of calls.

    Attributes:
        faults: what was refused: one, or with ``pairs=True`` two.
        outcome: ``"recovered"``, ``"raised"`` (an exception escaped), ``"lost"`` (data are missing, wrong or too many)
            or ``"hung"`` (it never ended).
        detail: what happened, in words; empty where it recovered.
        is_finding: whether it is something to mend: all but what recovered, and what ``may_raise`` allows.
        calls: the calls of this run.
    """

    faults: tuple[Fault, ...]
    outcome: str
    detail: str
    is_finding: bool
    calls: tuple[Call, ...] = field(repr=False)

    @property
    def number(self) -> int:
        """Which call of the run was refused, from 1; of a pair the first."""
        return self.faults[0].number

    @property
    def operation(self) -> str:
        """What that call was."""
        return self.faults[0].operation

    @property
    def table(self) -> str:
        """The table that refused it."""
        return self.faults[0].table

    @property
    def reason(self) -> str:
        """The throttling reason, or ``"leftovers"``."""
        return self.faults[0].reason

    @property
    def title(self) -> str:
        """Which refusal this was, in a line."""
        return " and ".join(
            f"call {fault.number}, {fault.operation} on {fault.resource}: {fault.reason}" for fault in self.faults
        )

    def __str__(self) -> str:
        return f"{self.title}: {self.outcome}" + (f"; {self.detail}" if self.detail else "")

    def cells(self) -> tuple[str, ...]:
        """Give the cells of its line in a report."""
        said = [(str(fault.number), fault.operation, fault.resource, fault.reason) for fault in self.faults]
        return (*(" + ".join(texts) for texts in zip(*said, strict=True)), self.outcome, self.detail)


@dataclass(frozen=True, slots=True)
class SweepReport:
    """What became of a scenario when each of its calls was refused once; as text it is a table.

    Attributes:
        points: one for each refusal, in the order of the calls.
        calls: the calls of the run in which nothing was refused.
    """

    points: tuple[FaultPoint, ...]
    calls: tuple[Call, ...] = field(repr=False)

    @property
    def findings(self) -> list[FaultPoint]:
        """The points at which there is something to mend."""
        return [point for point in self.points if point.is_finding]

    def __str__(self) -> str:
        count = Counter(point.outcome for point in self.points)
        outcomes = listed([f"{count[outcome]} {outcome}" for outcome in OUTCOMES if count[outcome]])
        first = f"{counted(len(self.points), 'refusal')} over {counted(len(self.calls), 'call')}: {outcomes}"
        return "\n".join([first, *_table(self.points)])

    def assert_all_recovered(self) -> None:
        """Assert that the scenario came through every refusal.

        Raises:
            AssertionError: there are findings; each has a line.
        """
        __tracebackhide__ = True
        if self.findings:
            raise AssertionError(self.failure_text)

    @property
    def failure_text(self) -> str:
        """What ``assert_all_recovered`` says where there are findings."""
        findings = self.findings
        had = f"{len(findings)} of {counted(len(self.points), 'refusal')} had another end"
        lines = [
            f"expected the scenario to come through every refusal; {had}",
            *_table(findings[:MAX_LINES]),
            *([f"and {len(findings) - MAX_LINES} more"] if len(findings) > MAX_LINES else []),
            f"may_raise=True allows a throttling error to escape, check= says itself what must be true: {_PAGE}",
        ]
        return "\n".join(lines)


def _table(points: Sequence[FaultPoint]) -> list[str]:
    rows = [_HEADINGS, *(point.cells() for point in points)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for number, *cells in rows:
        padded = [cell.ljust(width) for cell, width in zip(cells, widths[1:], strict=True)]
        lines.append("  ".join([number.rjust(widths[0]), *padded]).rstrip())
    return lines
