"""The SDK's back-off where virtual time can't go yet."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from pytest_ddbthrottle._botocore.back_off import BackOff
from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.errors import UnmodelledWait


@pytest.mark.parametrize("mode", ["legacy", "standard", "adaptive"])
def test_back_off_in_another_thread_fails_at_once(
    new_client: Any, put: Any, far_end: Any, installed: Any, mode: str
) -> None:
    client = new_client(mode)
    with ThreadPoolExecutor(1, thread_name_prefix="worker") as pool:
        error = pool.submit(put, client).exception()
    assert isinstance(error, UnmodelledWait)
    assert "in thread 'worker_0'" in str(error)
    assert "conftest.py:" in str(error)
    assert "ddb_clock=real" in str(error)
    assert len(far_end.sends) == 1


def test_no_wait_is_no_failure_in_any_thread(clock: VirtualClock) -> None:
    back_off = BackOff(clock)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(back_off.sleep, 0).result()
    assert clock.sleeps == []
