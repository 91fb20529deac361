"""What workers wait for from each other, besides the account."""

from __future__ import annotations

import queue
import threading
import time

import pytest


def test_a_lock_that_is_held_across_a_sleep_lets_one_in_after_the_other(ddb_fake):
    lock, inside = threading.Lock(), []

    def worker(number):
        with lock:
            inside.append(number)
            time.sleep(2)
            assert inside == [number]
            inside.clear()

    assert ddb_fake.swarm(worker, workers=10).drained_after_seconds == 20


def test_a_semaphore_lets_as_many_in_as_it_says(ddb_fake, put, orders):
    three = threading.Semaphore(3)

    def worker(number):
        with three:
            put(str(number))
            time.sleep(1)

    assert ddb_fake.swarm(worker, workers=9).drained_after_seconds == 3


def test_what_one_worker_puts_into_a_queue_another_gets(ddb_fake):
    jobs: queue.Queue[int] = queue.Queue(maxsize=2)
    got = []

    def worker(number):
        for item in range(10):
            if number:
                got.append(jobs.get(timeout=30))
            else:
                time.sleep(1)
                jobs.put(item)

    report = ddb_fake.swarm(worker, workers=2)

    assert got == list(range(10))
    assert report.drained_after_seconds == 10


@pytest.mark.parametrize("wait", ["event", "queue", "lock", "condition"])
def test_a_timeout_ends_in_virtual_time(ddb_fake, wait):
    lock, condition = threading.Lock(), threading.Condition()
    lock.acquire()

    def wait_on_a_queue():
        with pytest.raises(queue.Empty):
            queue.Queue().get(timeout=7)

    def wait_on_a_condition():
        with condition:
            assert not condition.wait(timeout=7)

    waits = {
        "event": lambda: threading.Event().wait(7),
        "queue": wait_on_a_queue,
        "lock": lambda: lock.acquire(timeout=7),
        "condition": wait_on_a_condition,
    }

    assert ddb_fake.swarm(waits[wait], workers=3).drained_after_seconds == 7


def test_who_waits_for_what_never_comes_is_still_at_work(ddb_fake):
    event = threading.Event()

    report = ddb_fake.swarm(lambda: event.wait(), workers=2, until=5)

    assert [one.worker for one in report.still_at_work] == [0, 1]
    assert report.seconds == 5


def test_a_thread_of_the_tests_own_waits_on_while_a_swarm_runs(ddb_fake):
    woke_at = []

    def sleeper():
        time.sleep(5)
        woke_at.append(ddb_fake.clock.elapsed)
        time.sleep(1)
        woke_at.append(ddb_fake.clock.elapsed)

    thread = threading.Thread(target=sleeper)
    thread.start()
    time.sleep(1)
    ddb_fake.swarm(lambda: time.sleep(20), workers=3)
    thread.join()

    assert woke_at == [21, 22]
