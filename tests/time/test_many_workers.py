"""Many workers against one table: nothing lost, nothing twice, and the virtual time that the arithmetic says."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from pytest_ddbthrottle import FakeDynamoDB

SCENARIO = Path(__file__).parents[2] / "benchmarks" / "async_workers.py"
THROTTLE = "ProvisionedThroughputExceededException"


@pytest.fixture
def fake() -> Iterator[FakeDynamoDB]:
    with FakeDynamoDB() as fake:
        yield fake


def until_admitted(call: Callable[[], Any], wait: Callable[[], Any]) -> None:
    """Call until it is not refused; wait in between."""
    while True:
        try:
            call()
        except Exception as error:
            if THROTTLE not in str(error):
                raise
            wait()
        else:
            return


def test_eight_threads_count_to_eight_thousand(fake: FakeDynamoDB, client: Any) -> None:
    fake.create_table("counters", read_capacity_units=10, write_capacity_units=50)

    def count() -> Any:
        return client.update_item(
            TableName="counters",
            Key={"pk": {"S": "visits"}},
            UpdateExpression="ADD seen :one",
            ExpressionAttributeValues={":one": {"N": "1"}},
        )

    def work(_: int) -> None:
        for _ in range(1000):
            until_admitted(count, lambda: time.sleep(1))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert fake.table("counters").items() == [{"pk": {"S": "visits"}, "seen": {"N": "8000"}}]
    calls = Counter(call.error for call in fake.calls)
    ids = {call.headers["x-amzn-RequestId"] for call in fake.calls}
    assert (calls[None], len(ids)) == (8000, len(fake.calls))
    # The first 50 units are there; the others come at 50 a second.
    assert fake.clock.elapsed == (8000 - 50) / 50
    # In each of those seconds seven find nothing, and one finds nothing more: fewer, once some have done their thousand.
    assert calls[THROTTLE] < 160 * 8
    assert fake.clock.elapsed == max(sleep.at_seconds + sleep.seconds for sleep in fake.clock.sleeps)


def test_threads_that_use_one_client_give_the_same_bytes_each_time(client: Any) -> None:
    def transcript() -> list[tuple[float, bytes]]:
        with FakeDynamoDB(seed=3) as fake:
            fake.create_table("orders", read_capacity_units=10, write_capacity_units=5)
            done = threading.Semaphore(0)

            def work(n: int) -> None:
                key = {"pk": {"S": str(n)}}
                until_admitted(lambda: client.put_item(TableName="orders", Item=key), lambda: time.sleep(0.3))
                done.release()

            with ThreadPoolExecutor(10) as pool:
                pool.map(work, range(30))
                for _ in range(30):
                    assert done.acquire(timeout=60)
            return [(call.at_seconds, call.body + str(call.headers).encode()) for call in fake.calls]

    first = transcript()
    assert len(first) > 60
    assert [transcript() == first for _ in range(2)] == [True, True]


@pytest.fixture(scope="module")
def async_workers() -> Any:
    """The benchmark of 200 tasks, as a module."""
    spec = spec_from_file_location("async_workers", SCENARIO)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_two_hundred_tasks_finish_when_the_arithmetic_says_with_the_same_bytes(async_workers: Any, client: Any) -> None:
    runs = [async_workers.run(client) for _ in range(3)]
    elapsed, calls, _ = runs[0]
    assert elapsed == async_workers.PREDICTED_SECONDS == 7.0
    assert calls > 400
    assert runs[1:] == runs[:1] * 2


def test_the_bytes_do_not_depend_on_the_seed_of_hashes() -> None:
    def printed(seed: int) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(SCENARIO.parents[1])}
        command = [sys.executable, str(SCENARIO), "--runs", "1"]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    digests = {printed(seed).splitlines()[-1] for seed in (0, 1, 2)}
    assert len(digests) == 1
