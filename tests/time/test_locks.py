"""What threads wait for from each other: locks, queues, events, futures; with timeouts in virtual time."""

from __future__ import annotations

import concurrent.futures
import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Lock
from typing import Any

import pytest

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.errors import Stalled
from pytest_ddbthrottle._time import virtual_time
from pytest_ddbthrottle._time.locks import WaiterLock

EVENT_FROM_BEFORE = threading.Event()
REALS = (threading.Lock, queue.SimpleQueue)


def started(target: Callable[..., Any], *args: Any) -> threading.Thread:
    thread = threading.Thread(target=target, args=args, name="worker")
    thread.start()
    return thread


def test_the_workers_of_a_pool_overlap(virtual: VirtualClock) -> None:
    with ThreadPoolExecutor(10) as pool:
        results = list(pool.map(lambda n: time.sleep(n) or n, [3] * 20))
    assert (results, virtual.elapsed) == ([3] * 20, 6.0)


def test_a_pool_takes_its_work_in_one_order(virtual: VirtualClock) -> None:
    def order() -> list[tuple[int, float]]:
        seen: list[tuple[int, float]] = []

        def work(n: int) -> None:
            for step in range(3):
                seen.append((n, step))
                time.sleep(n % 3)

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(work, range(12)))
        return seen

    assert order() == order() == order()


def test_a_result_is_waited_for_with_a_timeout(virtual: VirtualClock) -> None:
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(time.sleep, 10)
        with pytest.raises(concurrent.futures.TimeoutError):
            future.result(timeout=4)
        assert virtual.elapsed == 4.0
        future.result(timeout=30)
    assert virtual.elapsed == 10.0


def test_what_is_completed_comes_as_it_completes(virtual: VirtualClock) -> None:
    with ThreadPoolExecutor(3) as pool:
        futures = [pool.submit(lambda n: time.sleep(n) or n, n) for n in (3, 1, 2)]
        done = [(future.result(), virtual.elapsed) for future in concurrent.futures.as_completed(futures)]
        assert done == [(1, 1.0), (2, 2.0), (3, 3.0)]
        more: list[Future[None]] = [pool.submit(time.sleep, 60)]
        with pytest.raises(concurrent.futures.TimeoutError):
            next(concurrent.futures.as_completed(more, timeout=5))
        # It asks whether the deadline has passed, and not whether it has come.
        assert virtual.elapsed == 8.000001


@pytest.mark.parametrize("kind", ["Queue", "LifoQueue", "PriorityQueue", "SimpleQueue"])
def test_the_workers_of_a_queue_wait_for_work_and_for_no_work(virtual: VirtualClock, kind: str) -> None:
    work: Any = getattr(queue, kind)()
    done: list[tuple[int, float]] = []

    def worker() -> None:
        while (item := work.get()) < 9:
            time.sleep(2)
            done.append((item, virtual.elapsed))

    threads = [started(worker) for _ in range(2)]
    for item in (1, 2, 3):
        time.sleep(1)
        work.put(item)
    time.sleep(10)
    for _ in threads:
        work.put(9)
    for thread in threads:
        thread.join()
    with pytest.raises(queue.Empty):
        work.get(timeout=2.5)
    assert (done, virtual.elapsed) == ([(1, 3.0), (2, 4.0), (3, 5.0)], 15.5)


def test_a_full_queue_is_waited_for(virtual: VirtualClock) -> None:
    work: queue.Queue[int] = queue.Queue(maxsize=1)
    work.put(1)
    with pytest.raises(queue.Full):
        work.put(2, timeout=3)
    thread = started(lambda: (time.sleep(4), work.get(), work.task_done()))
    work.put(2, timeout=60)
    assert virtual.elapsed == 7.0
    work.get()
    work.task_done()
    work.join()
    thread.join()


@pytest.mark.parametrize("event", [EVENT_FROM_BEFORE, None], ids=["from before", "new"])
def test_an_event_is_waited_for_with_a_timeout(virtual: VirtualClock, event: threading.Event | None) -> None:
    event = event or threading.Event()
    event.clear()
    assert event.wait(0) is event.wait(-1) is event.wait(2.5) is False
    thread = started(lambda: (time.sleep(3), event.set()))
    assert event.wait(60) is True
    assert virtual.elapsed == 5.5
    thread.join()


def test_a_condition_is_waited_for_until_it_holds(virtual: VirtualClock) -> None:
    condition, stock = threading.Condition(), [0]

    def supply() -> None:
        for _ in range(3):
            time.sleep(2)
            with condition:
                stock[0] += 1
                condition.notify()

    thread = started(supply)
    with condition:
        assert condition.wait_for(lambda: stock[0] >= 2, timeout=60)
        assert virtual.elapsed == 4.0
        assert not condition.wait_for(lambda: stock[0] >= 9, timeout=10)
    assert virtual.elapsed == 14.0
    thread.join()


def test_a_semaphore_a_barrier_and_a_timer_keep_virtual_time(virtual: VirtualClock) -> None:
    semaphore, barrier, fired = threading.Semaphore(0), threading.Barrier(2), list[float]()
    timer = threading.Timer(30, lambda: (fired.append(virtual.elapsed), semaphore.release()))
    timer.start()
    assert semaphore.acquire(timeout=10) is False
    assert semaphore.acquire(timeout=100) is True
    thread = started(lambda: (time.sleep(5), barrier.wait()))
    barrier.wait(timeout=60)
    thread.join()
    assert (fired, virtual.elapsed) == ([30.0], 35.0)
    with pytest.raises(threading.BrokenBarrierError):
        barrier.wait(timeout=1)


def test_a_lock_passes_from_holder_to_waiter(virtual: VirtualClock) -> None:
    lock, instants = threading.Lock(), list[float]()

    def work() -> None:
        with lock:
            time.sleep(3)
            instants.append(virtual.elapsed)

    threads = [started(work) for _ in range(4)]
    time.sleep(1)
    assert (lock.acquire(timeout=1), lock.acquire(blocking=False), lock.locked()) == (False, False, True)
    for thread in threads:
        thread.join()
    assert instants == [3.0, 6.0, 9.0, 12.0]


def test_whoever_looks_again_and_again_lets_others_go_on(virtual: VirtualClock) -> None:
    event = threading.Event()
    thread = started(lambda: (time.sleep(0.00005), event.set()))
    while not event.wait(0):
        pass
    thread.join()
    assert virtual.elapsed == 0.00005


def test_a_reentrant_lock_passes_too(virtual: VirtualClock) -> None:
    lock = threading.RLock()
    with lock, lock:
        thread = started(lambda: lock.acquire() and lock.release())
        time.sleep(2)
    thread.join(timeout=60)
    assert (thread.is_alive(), virtual.elapsed) == (False, 2.0)


def test_a_lock_answers_to_misuse_as_ever(virtual: VirtualClock) -> None:
    lock = threading.Lock()
    with pytest.raises(RuntimeError, match="release unlocked lock"):
        lock.release()
    lock.acquire()
    for arguments in ((False, 1), (True, -2)):
        with pytest.raises(ValueError, match="timeout"):
            lock.acquire(*arguments)
    assert repr(lock).startswith("<locked lock")
    lock._at_fork_reinit()  # type: ignore[attr-defined]
    assert lock.acquire(timeout=1)


def test_a_lock_outlives_the_block_it_was_made_in(clock: VirtualClock) -> None:
    with virtual_time(clock, "virtual"):
        lock, work = threading.Lock(), queue.SimpleQueue[int]()
    assert isinstance(lock, WaiterLock)
    lock.acquire()
    assert lock.acquire(timeout=0.0001) is False
    thread = started(lambda: work.put(int(lock.acquire(timeout=60))))
    lock.release()
    assert work.get(timeout=60) == 1
    thread.join()


def test_who_waits_when_the_block_ends_waits_on_really(clock: VirtualClock) -> None:
    woken: list[bool] = []
    with virtual_time(clock, "virtual"):
        event = threading.Event()
        threads = [started(lambda: woken.append(event.wait(100))), started(lambda: woken.append(event.wait()))]
        time.sleep(1)
    assert threads[0].is_alive()
    event.set()
    for thread in threads:
        thread.join()
    assert woken == [True, True]


def test_every_name_is_as_it_was_afterwards(clock: VirtualClock) -> None:
    names = [(threading, "_allocate_lock"), (threading, "_CRLock"), (threading, "_time"), (queue, "time")]
    before = [getattr(owner, name) for owner, name in names]
    with virtual_time(clock, "virtual"):
        assert Lock is threading.Lock is WaiterLock
        assert SimpleQueue is queue.SimpleQueue is not REALS[1]
        assert all(getattr(owner, name) is not found for (owner, name), found in zip(names, before, strict=True))
    assert [getattr(owner, name) for owner, name in names] == before
    assert (Lock, SimpleQueue, threading.Lock, queue.SimpleQueue) == REALS * 2
    assert "lock of virtual time" not in repr(threading.RLock())


def test_a_thread_from_before_can_wake_who_waits(clock: VirtualClock) -> None:
    go, done = threading.Event(), threading.Event()
    thread = started(lambda: (go.wait(), done.set()))
    with virtual_time(clock, "virtual"):
        go.set()
        assert done.wait()
        assert done.wait(3600)
    thread.join()
    assert clock.elapsed == 0.0


def test_the_time_that_a_worker_sees_is_virtual(virtual: VirtualClock) -> None:
    def poll() -> float:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            time.sleep(1)
        return time.time()

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(poll).result() == virtual.time()
    assert virtual.elapsed == 20.0


def test_in_sdk_mode_the_applications_timeouts_are_real(clock: VirtualClock) -> None:
    with virtual_time(clock, "sdk"):
        assert threading.Event().wait(0.0001) is False
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: clock.sleep(3, "sdk"), range(4)))
    assert clock.elapsed == 3.0


def test_logging_from_many_threads_holds_nobody_up(virtual: VirtualClock, caplog: pytest.LogCaptureFixture) -> None:
    def work(n: int) -> None:
        time.sleep(1)
        logging.getLogger("worker").warning("%s", n)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert [record.message for record in caplog.records] == [str(n) for n in range(8)]


def test_who_waits_for_ever_is_told_where(virtual: VirtualClock) -> None:
    event = threading.Event()
    with pytest.raises(Stalled) as caught, ThreadPoolExecutor(1, thread_name_prefix="pool") as pool:
        pool.submit(lambda: event.wait()).result()
    lines = str(caught.value).splitlines()
    assert lines[1].startswith(f"- thread 'MainThread' waits for a lock (Future.result), at {__file__}:")
    assert lines[1].endswith("in test_who_waits_for_ever_is_told_where")
    assert lines[2].startswith("- thread 'pool_0' waits for a lock (Event.wait), at ")
