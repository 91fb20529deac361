"""The sweep on small applications: it finds the planted bug of each broken one, and nothing in a sound one."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

APPLICATIONS = Path(__file__).parents[1] / "applications"
SOUND = sorted((APPLICATIONS / "sound").glob("*.py"))
CHECKED_BY_THEMSELVES_ALONE = ("dead_letters", "half_written_order")
"""What these store depends on what was refused: only they know what is right."""


def application(path: Path, fake) -> SimpleNamespace:
    loaded = SimpleNamespace(**runpy.run_path(str(path)))
    loaded.prepare(fake)
    return loaded


@pytest.mark.parametrize(
    ("name", "outcome", "reason", "points"),
    [
        ("cancelled_transaction", "lost", "TableWriteMaxOnDemandThroughputExceeded", 2),
        ("dead_letters", "lost", "TableWriteProvisionedThroughputExceeded", 8),
        ("double_increment", "lost", "TableWriteProvisionedThroughputExceeded", 3),
        ("half_written_order", "lost", "TableWriteProvisionedThroughputExceeded", 3),
        ("leftovers", "lost", "leftovers", 3),
        ("no_back_off", "lost", "TableWriteProvisionedThroughputExceeded", 4),
        ("one_error_class", "raised", "TableWriteMaxOnDemandThroughputExceeded", 4),
        ("swallowed_exception", "lost", "TableWriteProvisionedThroughputExceeded", 4),
        ("unbounded_loop", "hung", "TableWriteMaxOnDemandThroughputExceeded", 3),
        ("unread_keys", "lost", "leftovers", 1),
        ("unread_statements", "lost", "TableWriteProvisionedThroughputExceeded", 2),
    ],
)
def test_the_bug_of_a_broken_application_is_found(ddb_fake, ddb_client, name, outcome, reason, points):
    broken = application(APPLICATIONS / "broken" / f"{name}.py", ddb_fake)

    report = ddb_fake.sweep(lambda: broken.run(ddb_client), check=broken.check)

    assert {(point.outcome, point.reason) for point in report.findings} == {(outcome, reason)}
    assert len(report.findings) == points


@pytest.mark.parametrize("options", [{"pairs": True}, {"reasons": "all"}], ids=["pairs", "each-cause"])
@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.stem)
def test_nothing_is_found_in_a_sound_application(ddb_fake, ddb_client, path, options):
    sound = application(path, ddb_fake)

    report = ddb_fake.sweep(lambda: sound.run(ddb_client), check=sound.check, **options)

    report.assert_all_recovered()
    assert len(report.points) > len(report.calls)


@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.stem)
def test_what_a_sound_application_stores_is_compared_with_the_run_without_a_refusal(ddb_fake, ddb_client, path):
    sound = application(path, ddb_fake)

    report = ddb_fake.sweep(lambda: sound.run(ddb_client))

    assert bool(report.findings) == (path.stem in CHECKED_BY_THEMSELVES_ALONE)
