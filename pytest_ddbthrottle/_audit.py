"""What the journal says about the caller: ``FakeDynamoDB.audit``, and its report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pytest_ddbthrottle._audit_evidence import Evidence
from pytest_ddbthrottle._audit_rules import RULES
from pytest_ddbthrottle._engine.journal import Call, Journal
from pytest_ddbthrottle._failures import MAX_LINES, call_lines, counted

_PAGE = "docs/how-to/audit.md"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in the application to mend.

    Attributes:
        rule: the name of what was looked for, ``"leftovers_dropped"`` say.
        call: the call at which it shows.
        explanation: what happened.
        cure: what to do about it.
    """

    rule: str
    call: Call
    explanation: str
    cure: str

    @property
    def line(self) -> str | None:
        """The application's line that made the call."""
        return self.call.line

    def __str__(self) -> str:
        (call_line,) = call_lines([self.call], {})
        where = f" at {self.line}" if self.line else ""
        return "\n".join([f"{self.rule}{where}", f"  {call_line[2:]}", f"  {self.explanation}", f"  {self.cure}"])


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What an audit has found; as text, a paragraph for each finding.

    Attributes:
        findings: in the order of their calls.
        calls: how many calls were looked at.
    """

    findings: tuple[Finding, ...]
    calls: int

    def __str__(self) -> str:
        first = f"{counted(len(self.findings), 'finding')} in {counted(self.calls, 'call')}"
        more = [f"and {len(self.findings) - MAX_LINES} more"] if len(self.findings) > MAX_LINES else []
        return "\n".join([first, *map(str, self.findings[:MAX_LINES]), *more])

    def of(self, is_meant: Callable[[Call], bool]) -> AuditReport:
        """Give the findings about some calls alone."""
        return AuditReport(tuple(one for one in self.findings if is_meant(one.call)), self.calls)

    def assert_nothing_found(self) -> None:
        """Assert that there are no findings.

        Raises:
            AssertionError: there are; each has a paragraph.
        """
        __tracebackhide__ = True
        if self.findings:
            raise AssertionError(self.failure_text)

    @property
    def failure_text(self) -> str:
        """What ``assert_nothing_found`` says where there are findings."""
        return f"expected an audit without findings; {self}\nwhat each rule looks for, and what it lets pass: {_PAGE}"


def audit(journal: Journal, *, sleeps_are_seen: bool) -> AuditReport:
    """Ask every rule.

    Args:
        journal: whose calls.
        sleeps_are_seen: whether the application's own sleeps move the clock.
    """
    evidence = Evidence(journal, sleeps_are_seen=sleeps_are_seen)
    findings = [
        Finding(rule.name, call, explanation, rule.cure) for rule in RULES for call, explanation in rule.find(evidence)
    ]
    return AuditReport(tuple(sorted(findings, key=lambda finding: finding.call.number)), len(evidence.calls))
