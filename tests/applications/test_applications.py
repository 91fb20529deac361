"""Small applications, as many with a bug as without; where nothing is refused, all of them are right."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*/*.py"))


def name_of(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_an_application_that_is_never_refused_does_its_work(ddb_fake, ddb_client, path):
    application = SimpleNamespace(**runpy.run_path(str(path)))
    application.prepare(ddb_fake)

    application.run(ddb_client)

    application.check(ddb_fake)
    ddb_fake.assert_not_throttled()
    assert ddb_fake.sleeps == []


def test_each_broken_application_has_a_sound_one():
    broken, sound = ({path.name for path in (HERE / kind).glob("*.py")} for kind in ("broken", "sound"))

    assert broken == sound
    assert len(broken) == 11
