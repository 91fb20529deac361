"""Forty importers meet one table of 100 units: what each way of retrying costs, and what it brings. Shown with ``-s``."""

import pytest
from import_workers import by_the_sdk, exponential, full_jitter, import_events, new_client, without_back_off

WORKERS = 40
EVENTS = 12
WAYS = {
    "no back-off": (without_back_off, "standard", 1),
    "exponential": (exponential, "standard", 1),
    "full jitter": (full_jitter, "standard", 1),
    "standard": (by_the_sdk, "standard", 4),
    "adaptive": (by_the_sdk, "adaptive", 4),
}
HEADINGS = ("", "drained", "writes/s", "attempts/write", "refused", "p50", "p99")


@pytest.fixture
def import_by(ddb_fake):
    """Gives the report of all importers at work, from the same account each time."""
    ddb_fake.create_table("events", write_capacity_units=100, burst_seconds=1)
    start = ddb_fake.snapshot()

    def run(way):
        write, mode, attempts = WAYS[way]
        clients = [new_client(mode, attempts) for _ in range(WORKERS)]
        ddb_fake.restore(start)
        return ddb_fake.swarm(
            lambda number: import_events(clients[number], write, [f"{number}#{event}" for event in range(EVENTS)]),
            workers=WORKERS,
            until=120,
            latency_seconds=0.05,
        )

    return run


def row(way, report):
    return (
        way,
        f"{report.drained_after_seconds:.2f} s",
        f"{report.writes.per_second:.0f}",
        f"{report.attempts_per_write:.2f}",
        str(sum(report.refusals.values())),
        f"{report.latency_seconds(50):.2f} s",
        f"{report.latency_seconds(99):.2f} s",
    )


def test_what_each_way_of_retrying_costs_and_brings(ddb_fake, import_by):
    reports = {way: import_by(way) for way in WAYS}

    rows = [HEADINGS, *(row(way, report) for way, report in reports.items())]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    print()
    for first, *cells in rows:
        print("  ".join([first.ljust(widths[0]), *map(str.rjust, cells, widths[1:])]))

    # 100 units are there, and 100 are earned each second: nobody can be done sooner.
    assert all(report.drained_after_seconds >= 3.8 for report in reports.values())
    assert all(report.writes.landed == WORKERS * EVENTS for report in reports.values())
    attempts = {way: report.attempts_per_write for way, report in reports.items()}
    assert max(attempts, key=attempts.get) == "no back-off"
    assert min(attempts, key=attempts.get) == "adaptive"
