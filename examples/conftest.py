"""Tells the story of each example: what was refused and when, and how much virtual time passed. Shown with ``-s``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import pytest

from pytest_ddbthrottle import FakeDynamoDB

LINES_SHOWN = 6


@pytest.fixture(autouse=True)
def _story(request: pytest.FixtureRequest, ddb_fake: FakeDynamoDB) -> Iterator[None]:
    yield
    print(f"\n{_sentence(request.node.name)}  ({request.node.path.name})")
    lines = [_line(list(run)) for _, run in groupby(ddb_fake.calls, key=_answer)]
    for line in lines[:LINES_SHOWN]:
        print(f"  {line}")
    if len(lines) > LINES_SHOWN:
        print(f"  {'':>10}    … and so on, until {ddb_fake.calls[-1].at_seconds:.2f} s")
    counts = (_counted(len(ddb_fake.calls), "call"), f"{len(ddb_fake.throttles)} refused")
    print(
        f"  {', '.join(counts)}, {_counted(len(ddb_fake.sleeps), 'sleep')}, {ddb_fake.clock.elapsed:.2f} virtual seconds"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: pytest.TestReport, config: pytest.Config) -> tuple[str, str, str] | None:
    """Leave the dot of a passed test out where its story is shown."""
    told = report.passed and report.when == "call" and config.getoption("capture") == "no"
    return ("passed", "", "PASSED") if told else None


def _sentence(name: str) -> str:
    return name.removeprefix("test_").replace("_", " ").capitalize()


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _answer(call: Any) -> tuple[str, str]:
    """What a call came to: calls in a row that came to the same are told in one line."""
    what = f"{call.operation} {call.table or ''}"
    if call.refusal is not None:
        reason = call.refusal.reason
        because = reason.value if reason else f"no reason given ({call.refusal.cause.value})"
    else:
        because = call.error or "ok"
    return what, f"{len(call.leftovers)} left over: {because}" if call.leftovers else because


def _line(run: list[Any]) -> str:
    what, because = _answer(run[0])
    times = f"{len(run)} × " if len(run) > 1 else ""
    until = f", until {run[-1].at_seconds:.2f} s" if run[-1].at_seconds > run[0].at_seconds else ""
    return f"{run[0].at_seconds:8.2f} s  {times:>7}{what}: {because}{until}"
