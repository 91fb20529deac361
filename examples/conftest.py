"""Tells the story of each example: what was refused and when, and how much virtual time passed. Shown with ``-s``."""

from collections.abc import Iterator

import pytest

from pytest_ddbthrottle import FakeDynamoDB

LINES_SHOWN = 6


@pytest.fixture(autouse=True)
def _story(request: pytest.FixtureRequest, ddb_fake: FakeDynamoDB) -> Iterator[None]:
    yield
    refused = ddb_fake.throttles
    print(f"\n{request.node.name}: {len(ddb_fake.calls)} calls, {len(refused)} refused")
    for call in refused[:LINES_SHOWN]:
        reason = call.refusal.reason or call.refusal.cause if call.refusal else ""
        left_over = f", {len(call.leftovers)} left over" if call.leftovers else ""
        print(f"  at {call.at_seconds:6.2f} s  {call.operation} {call.table}: {reason}{left_over}")
    if len(refused) > LINES_SHOWN:
        print(f"  … and {len(refused) - LINES_SHOWN} more")
    print(f"  {len(ddb_fake.sleeps)} sleeps, {ddb_fake.clock.elapsed:.2f} virtual seconds")
