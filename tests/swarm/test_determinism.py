"""The same seed gives the same run, byte for byte: again, on another fake, and whatever Python hashes by."""

from __future__ import annotations

import os
import random
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_ddbthrottle import FakeDynamoDB

SCRIPT = Path(__file__).with_name("transcript.py")


@pytest.fixture(scope="module")
def transcript():
    return runpy.run_path(str(SCRIPT))["transcript"]


def digest(transcript, seed: int = 7) -> str:
    with FakeDynamoDB() as fake:
        return transcript(fake, seed)


def test_the_same_seed_gives_the_same_bytes_run_after_run(transcript):
    first = digest(transcript)

    assert {digest(transcript) for _ in range(5)} == {first}


def test_the_same_bytes_under_any_hash_seed(transcript):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    told = {
        subprocess.run(
            [sys.executable, SCRIPT],
            env={**environment, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for hash_seed in ("0", "1", "2")
    }

    assert told == {digest(transcript)}


def test_another_seed_gives_another_run(transcript):
    assert len({digest(transcript, seed) for seed in range(3)}) == 3


def test_the_account_and_the_seed_say_all_of_a_second_run_too(ddb_fake, ddb_client, orders, put, surely):
    def worker(number):
        surely(f"{number}#{random.random()}")

    start = ddb_fake.snapshot()
    reports = []
    for seed in (1, 1, 2):
        ddb_fake.restore(start)
        reports.append(ddb_fake.swarm(worker, workers=120, seed=seed))

    keys = [[call.request["Item"]["pk"]["S"] for call in report.calls] for report in reports]
    assert keys[0] == keys[1] != keys[2]
    assert str(reports[0]) == str(reports[1])


def test_the_fakes_seed_is_that_of_a_swarm_that_is_given_none(transcript):
    def order(seed: int | None, fake_seed: int) -> list[int]:
        turns: list[int] = []
        with FakeDynamoDB(seed=fake_seed) as fake:
            fake.swarm(turns.append, workers=20, seed=seed)
        return turns

    assert order(None, 5) == order(5, 0) != order(None, 0)


def test_pythons_own_dice_are_put_back(ddb_fake):
    before = random.getstate()

    ddb_fake.swarm(lambda: random.random(), workers=3)

    assert random.getstate() == before
