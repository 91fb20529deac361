"""Retry libraries and loops written by hand wait in virtual time, in threads and in event loops."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from typing import Any

import backoff
import pytest
import stamina
import tenacity
from botocore.exceptions import ClientError

from pytest_ddbthrottle import FakeDynamoDB

WAITS = [1, 2, 4, 8, 16, 32]


@pytest.fixture
def fake() -> Iterator[FakeDynamoDB]:
    with FakeDynamoDB() as fake:
        fake.create_table("orders", read_capacity_units=1, write_capacity_units=1)
        yield fake


@pytest.fixture
def put(client: Any) -> Callable[[], Any]:
    """Puts 30 units into a table of one unit a second: after it, 29 s refuse."""
    item = {"pk": {"S": "a"}, "text": {"S": "x" * 30_000}}
    return lambda: client.put_item(TableName="orders", Item=item)


@tenacity.retry(wait=tenacity.wait_exponential(), retry=tenacity.retry_if_exception_type(ClientError))
def by_tenacity(put: Callable[[], Any]) -> Any:
    return put()


def by_tenacity_and_an_event(put: Callable[[], Any]) -> Any:
    sleep = tenacity.sleep_using_event(threading.Event())
    return tenacity.Retrying(wait=tenacity.wait_exponential(), sleep=sleep)(put)


@backoff.on_exception(backoff.expo, ClientError, jitter=None)
def by_backoff(put: Callable[[], Any]) -> Any:
    return put()


@stamina.retry(on=ClientError, attempts=9, timeout=None, wait_initial=1.0, wait_max=timedelta(minutes=5), wait_jitter=0)
def by_stamina(put: Callable[[], Any]) -> Any:
    return put()


def by_a_loop(sleep: Callable[[float], Any]) -> Callable[[Callable[[], Any]], Any]:
    def loop(put: Callable[[], Any]) -> Any:
        for wait_seconds in WAITS:
            try:
                return put()
            except ClientError:
                sleep(wait_seconds)
        raise AssertionError("it was never admitted")

    return loop


SYNCHRONOUS = {
    "tenacity": by_tenacity,
    "tenacity and an event": by_tenacity_and_an_event,
    "backoff": by_backoff,
    "stamina": by_stamina,
    "time.sleep": by_a_loop(lambda seconds: time.sleep(seconds)),
    "Event.wait": by_a_loop(lambda seconds: threading.Event().wait(seconds)),
    "a timed join": by_a_loop(lambda seconds: threading.Timer(seconds, lambda: None).run()),
}


@tenacity.retry(wait=tenacity.wait_exponential(), retry=tenacity.retry_if_exception_type(ClientError))
async def in_a_loop_by_tenacity(put: Callable[[], Any]) -> Any:
    return put()


@backoff.on_exception(backoff.expo, ClientError, jitter=None)
async def in_a_loop_by_backoff(put: Callable[[], Any]) -> Any:
    return put()


async def in_a_loop_by_stamina(put: Callable[[], Any]) -> Any:
    async for attempt in stamina.retry_context(
        on=ClientError, attempts=9, timeout=None, wait_initial=1.0, wait_max=300, wait_jitter=0
    ):
        with attempt:
            return put()


async def in_a_loop_by_hand(put: Callable[[], Any]) -> Any:
    for wait_seconds in WAITS:
        try:
            return put()
        except ClientError:
            await asyncio.sleep(wait_seconds)


async def in_a_loop_by_a_timeout(put: Callable[[], Any]) -> Any:
    for wait_seconds in WAITS:
        try:
            return put()
        except ClientError:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.Event().wait(), wait_seconds)


ASYNCHRONOUS = [
    in_a_loop_by_tenacity,
    in_a_loop_by_backoff,
    in_a_loop_by_stamina,
    in_a_loop_by_hand,
    in_a_loop_by_a_timeout,
]


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)


def instants(fake: FakeDynamoDB) -> list[float]:
    return [call.at_seconds for call in fake.calls]


@pytest.mark.parametrize("retrying", SYNCHRONOUS.values(), ids=SYNCHRONOUS)
def test_a_retry_waits_in_virtual_time(fake: FakeDynamoDB, put: Callable[[], Any], retrying: Any) -> None:
    put()
    retrying(put)
    # The debt of 29 units is paid, and more than that, after 30 s: at the first retry after it.
    assert instants(fake) == [0, 0, 1, 3, 7, 15, 31]


@pytest.mark.parametrize("retrying", SYNCHRONOUS.values(), ids=SYNCHRONOUS)
def test_retries_of_several_threads_overlap(fake: FakeDynamoDB, put: Callable[[], Any], retrying: Any) -> None:
    put()
    threads = [threading.Thread(target=retrying, args=[put]) for _ in range(3)]
    for thread in threads:
        thread.start()
    time.sleep(14.5)
    fake.table("orders").fill("write")
    for thread in threads:
        thread.join()
    assert instants(fake) == [0, *[0] * 3, *[1] * 3, *[3] * 3, *[7] * 3, *[15] * 3]
    assert [call.error for call in fake.calls[-3:]] == [None] * 3


@pytest.mark.parametrize("retrying", ASYNCHRONOUS)
def test_a_coroutines_retry_waits_in_virtual_time(
    fake: FakeDynamoDB, put: Callable[[], Any], retrying: Callable[..., Awaitable[Any]]
) -> None:
    async def main() -> None:
        put()
        await asyncio.gather(retrying(put), asyncio.sleep(5))

    asyncio.run(main())
    assert instants(fake) == [0, 0, 1, 3, 7, 15, 31]
    assert fake.clock.elapsed == 31.0
