"""The SDK's back-off in several threads at once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from botocore import __version__ as botocore_version

from pytest_ddbthrottle._botocore.back_off import BackOff
from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._time import virtual_time

STANDARD_SENDS = 4 if [int(part) for part in botocore_version.split(".")[:2]] >= [1, 44] else 3


@pytest.mark.parametrize(("mode", "seconds"), [("legacy", 25.55), ("standard", None), ("adaptive", None)])
def test_back_offs_of_several_threads_overlap(
    clock: VirtualClock, new_client: Any, put: Any, far_end: Any, mode: str, seconds: float | None
) -> None:
    with virtual_time(clock, "sdk"):
        installation = far_end.install()
        clients = [new_client(mode) for _ in range(8)]
        threads = [threading.Thread(target=put, args=[client]) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        installation.uninstall()
    one_after_the_other_seconds = sum(sleep.seconds for sleep in clock.sleeps)
    assert len(far_end.sends) == 8 * (10 if mode == "legacy" else STANDARD_SENDS)
    assert seconds is None or clock.elapsed == seconds
    assert max(sleep.seconds for sleep in clock.sleeps) <= clock.elapsed < one_after_the_other_seconds / 2


def test_no_wait_is_no_failure_in_any_thread(clock: VirtualClock) -> None:
    back_off = BackOff(clock)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(back_off.sleep, 0).result()
    assert clock.sleeps == []
