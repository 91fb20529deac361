"""Coroutines as workers: each has a loop in virtual time."""

from __future__ import annotations

import asyncio
import time
from functools import partial

import pytest
from botocore.exceptions import ClientError


def test_a_coroutines_sleeps_overlap_and_move_the_clock(ddb_fake):
    async def worker(number):
        await asyncio.sleep(number)

    report = ddb_fake.swarm(worker, workers=40)

    assert report.drained_after_seconds == ddb_fake.clock.elapsed == 39


def test_timers_and_timeouts_are_the_clocks(ddb_fake):
    told = []

    async def worker():
        loop = asyncio.get_running_loop()
        began = loop.time()
        loop.call_later(2, told.append, "timer")
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), timeout=5)
        told.append((loop.time() - began, time.monotonic() == pytest.approx(time.monotonic())))

    report = ddb_fake.swarm(worker, workers=1)

    assert told == ["timer", (pytest.approx(5), True)]
    assert report.seconds == 5


def test_tasks_of_one_worker_overlap(ddb_fake):
    async def worker():
        await asyncio.gather(*(asyncio.sleep(seconds) for seconds in (1, 2, 3)))

    assert ddb_fake.swarm(worker, workers=5).seconds == 3


def test_calls_in_threads_of_asyncio_take_turns(ddb_fake, ddb_client, orders):
    async def put(key):
        while True:
            try:
                return await asyncio.to_thread(
                    ddb_client.put_item, TableName="orders", Item={"pk": {"S": key}, "at": {"N": "1"}}
                )
            except ClientError:
                await asyncio.sleep(0.5)

    async def worker(number):
        await asyncio.gather(*(put(f"{number}#{item}") for item in range(10)))

    report = ddb_fake.swarm(worker, workers=20)

    assert report.drained_after_seconds == 1
    assert report.writes.landed == orders.item_count == 200


def test_what_a_thread_of_asyncio_raises_reaches_the_coroutine(ddb_fake):
    caught = []

    def fail():
        time.sleep(1)
        raise KeyError("no such thing")

    async def worker():
        try:
            await asyncio.to_thread(fail)
        except KeyError as error:
            caught.append(error.args)

    report = ddb_fake.swarm(worker, workers=2)

    assert caught == [("no such thing",)] * 2
    assert report.seconds == 1


def test_a_timeout_may_overtake_a_thread_of_asyncio(ddb_fake):
    async def worker():
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.to_thread(time.sleep, 10), timeout=3)

    report = ddb_fake.swarm(worker, workers=1)

    # The thread has slept on, as it would have.
    assert (report.done, report.seconds) == (1, 10)


def test_a_thread_of_asyncio_tells_its_loop(ddb_fake):
    async def worker():
        loop, event = asyncio.get_running_loop(), asyncio.Event()

        def later():
            time.sleep(4)
            loop.call_soon_threadsafe(event.set)
            time.sleep(1)

        task = loop.run_in_executor(None, later)
        await event.wait()
        assert loop.time() == pytest.approx(4)
        await task

    assert ddb_fake.swarm(worker, workers=1).seconds == 5


def test_what_is_left_to_do_is_cancelled_in_the_order_in_which_it_was_begun(ddb_fake):
    cancelled, kept = [], []

    async def wait_for_ever(name):
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.append(name)

    async def numbers():
        try:
            while True:
                yield 1
        finally:
            cancelled.append("generator")

    async def worker():
        kept.extend(asyncio.create_task(wait_for_ever(name)) for name in "abc")
        kept.append(numbers())
        async for _ in kept[-1]:
            break
        await asyncio.sleep(0)

    report = ddb_fake.swarm(worker, workers=1)

    assert cancelled == ["a", "b", "c", "generator"]
    assert report.done == 1


@pytest.mark.parametrize("how", ["partial", "lambda"])
def test_what_gives_a_coroutine_is_a_worker(ddb_fake, how):
    async def work(seconds, number):
        await asyncio.sleep(seconds + number)

    worker = partial(work, 2) if how == "partial" else lambda number: work(2, number)

    assert ddb_fake.swarm(worker, workers=3).seconds == 4


def test_outside_a_swarm_no_loop_is_one_of_its_loops(ddb_fake):
    async def worker():
        assert type(asyncio.get_running_loop()).__name__ == "VirtualLoop"

    ddb_fake.swarm(worker, workers=1)

    with pytest.raises(RuntimeError, match="no running event loop"):
        asyncio.get_running_loop()


def test_a_function_may_run_a_loop_itself(ddb_fake, ddb_client, orders):
    async def put(key):
        while True:
            try:
                return ddb_client.put_item(TableName="orders", Item={"pk": {"S": key}})
            except ClientError:
                await asyncio.sleep(0.5)

    async def main(number):
        await asyncio.gather(*(put(f"{number}#{item}") for item in range(5)))
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), timeout=2)

    report = ddb_fake.swarm(lambda number: asyncio.run(main(number)), workers=40)

    assert report.drained_after_seconds == 3
    assert orders.item_count == 200


def test_such_a_loop_lets_others_go_on_without_a_sleep(ddb_fake):
    done = []

    async def until_all_are_done():
        while len(done) < 2:
            await asyncio.sleep(0)

    def worker(number):
        if number:
            return done.append(number)
        return asyncio.run(until_all_are_done())

    assert ddb_fake.swarm(worker, workers=3).done == 3


def test_a_swarm_may_be_run_where_a_loop_runs(ddb_fake):
    async def worker(number):
        await asyncio.sleep(number)

    async def test():
        await asyncio.sleep(1)
        report = ddb_fake.swarm(worker, workers=4)
        await asyncio.sleep(1)
        return report

    assert asyncio.run(test()).drained_after_seconds == 3
    assert ddb_fake.clock.elapsed == 5


def test_such_a_loop_is_stopped_when_the_time_is_over(ddb_fake):
    async def main():
        await asyncio.gather(asyncio.sleep(100), asyncio.sleep(200))

    report = ddb_fake.swarm(lambda: asyncio.run(main()), workers=3, until=10)

    assert [one.worker for one in report.still_at_work] == [0, 1, 2]
    assert report.seconds == 10


def test_the_sleeps_of_coroutines_are_told_as_those_of_threads(ddb_fake):
    async def worker(number):
        await asyncio.sleep(number + 1)

    ddb_fake.swarm(worker, workers=3)

    assert sorted((sleep.seconds, sleep.origin) for sleep in ddb_fake.sleeps) == [(n, "application") for n in (1, 2, 3)]
