"""The SDK's back-off in threads, and clients that can't be answered yet."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import pytest
from botocore.endpoint import Endpoint

from pytest_ddbthrottle import _botocore
from pytest_ddbthrottle._botocore.back_off import BackOff
from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.errors import UnmodelledWait
from pytest_ddbthrottle._time import virtual_time


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
    assert len(far_end.sends) == 8 * (10 if mode == "legacy" else 4)
    assert seconds is None or clock.elapsed == seconds
    assert max(sleep.seconds for sleep in clock.sleeps) <= clock.elapsed < one_after_the_other_seconds / 2


def test_no_wait_is_no_failure_in_any_thread(clock: VirtualClock) -> None:
    back_off = BackOff(clock)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(back_off.sleep, 0).result()
    assert clock.sleeps == []


class AsyncEndpoint(Endpoint):
    """An endpoint as aiobotocore's: it inherits ``make_request``, and its ``_send`` is asynchronous."""

    async def _send(self, request: Any) -> Any:
        raise AssertionError("the request would leave the process")


def test_an_asynchronous_client_is_refused(new_client: Any, put: Any, far_end: Any, installed: Any) -> None:
    client = new_client()
    client._endpoint.__class__ = AsyncEndpoint
    with pytest.raises(UnmodelledWait, match="does not answer asynchronous clients yet"):
        put(client)
    with pytest.raises(UnmodelledWait, match=r"docs/unsupported\.md"):
        _botocore.attach(client)


def test_an_asynchronous_http_session_is_refused(
    far_end: Any, monkeypatch: pytest.MonkeyPatch, new_client: Any
) -> None:
    class AIOHTTPSession:
        async def send(self, request: Any) -> str:
            return "sent"

    class Request:
        def __init__(self, target: str) -> None:
            self.headers = {"X-Amz-Target": target}

    module = ModuleType("aiobotocore.httpsession")
    module.AIOHTTPSession = AIOHTTPSession  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "aiobotocore.httpsession", module)
    original, installation = AIOHTTPSession.send, far_end.install()
    with pytest.raises(UnmodelledWait):
        AIOHTTPSession().send(Request("DynamoDB_20120810.PutItem")).send(None)
    with pytest.raises(StopIteration, match="sent"):
        AIOHTTPSession().send(Request("AmazonSQS.SendMessage")).send(None)
    installation.uninstall()
    assert AIOHTTPSession.send is original
