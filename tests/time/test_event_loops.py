"""Event loops in virtual time: tasks overlap, timers and timeouts pass at once, and real input still comes."""

from __future__ import annotations

import asyncio
import inspect
import signal
import socket
import threading
import time
from asyncio import sleep as asyncio_sleep_by_name
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import freezegun
import pytest

from pytest_ddbthrottle._engine.clock import Sleep, VirtualClock
from pytest_ddbthrottle._engine.errors import Stalled, UnmodelledWait
from pytest_ddbthrottle._time import virtual_time


def test_sleeps_of_several_tasks_overlap(virtual: VirtualClock) -> None:
    async def main() -> list[str]:
        return await asyncio.gather(*[asyncio.sleep(n, str(n)) for n in (3, 1, 2)], asyncio_sleep_by_name(2.5, "x"))

    assert (asyncio.run(main()), virtual.elapsed) == (["3", "1", "2", "x"], 3.0)
    assert virtual.sleeps == [Sleep(0.0, seconds, "application") for seconds in (3, 1, 2, 2.5)]


@pytest.mark.parametrize("seconds", [0.05, 0.1, 1 / 3, 1e-6, 86400 * 40])
def test_steps_of_time_add_up(virtual: VirtualClock, seconds: float) -> None:
    async def main() -> None:
        for _ in range(30):
            await asyncio.sleep(seconds)

    asyncio.run(main())
    assert virtual.elapsed == pytest.approx(30 * seconds, abs=30e-6)
    assert virtual.elapsed_ns % 1000 == 0


def test_a_sleep_too_small_for_a_float_still_passes(virtual: VirtualClock) -> None:
    async def main() -> None:
        end = time.monotonic() + 2e-6
        while time.monotonic() < end:
            await asyncio.sleep(1e-9)

    asyncio.run(main())
    assert 0 < virtual.elapsed < 1e-5


def test_the_loops_time_is_the_clocks(virtual: VirtualClock) -> None:
    async def main() -> tuple[float, list[float]]:
        loop, seen = asyncio.get_running_loop(), list[float]()
        start = loop.time()
        assert start == time.monotonic() == virtual.time()
        loop.call_later(5, lambda: seen.append(loop.time() - start))
        loop.call_at(start + 3, lambda: seen.append(loop.time() - start))
        await asyncio.sleep(60)
        return loop.time() - start, seen

    assert asyncio.run(main()) == (60.0, [3.0, 5.0])


def test_timeouts_end_in_virtual_time(virtual: VirtualClock) -> None:
    async def main() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), timeout=30)
        done, pending = await asyncio.wait([asyncio.create_task(asyncio.sleep(9))], timeout=4)
        assert (len(done), len(pending)) == (0, 1)
        assert await asyncio.wait_for(asyncio.sleep(2, "in time"), timeout=3) == "in time"

    asyncio.run(main())
    assert virtual.elapsed == 36.0


def test_a_sleep_of_nothing_yields(virtual: VirtualClock) -> None:
    order: list[str] = []

    async def other() -> None:
        order.append("other")

    async def main() -> str:
        task = asyncio.create_task(other())
        result = await asyncio.sleep(0, "result")
        order.append("main")
        await task
        return result

    assert (asyncio.run(main()), order) == ("result", ["other", "main"])
    assert inspect.iscoroutinefunction(asyncio.sleep)
    assert (virtual.elapsed, virtual.sleeps) == (0.0, [])


def test_a_sleep_that_blocks_the_loop_delays_every_task(virtual: VirtualClock) -> None:
    async def block() -> None:
        time.sleep(10)

    async def main() -> float:
        await asyncio.gather(asyncio.sleep(3), block())
        return virtual.elapsed

    assert asyncio.run(main()) == 10.0


def test_threads_of_a_loops_executor_overlap_with_its_tasks(virtual: VirtualClock) -> None:
    async def main() -> list[Any]:
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(4) as pool:
            blocking = [loop.run_in_executor(pool, time.sleep, 5) for _ in range(8)]
            return await asyncio.gather(*blocking, asyncio.sleep(7, "slept"), asyncio.to_thread(time.sleep, 3))

    assert (asyncio.run(main())[8], virtual.elapsed) == ("slept", 10.0)


def test_a_loop_that_never_waits_lets_threads_go_on(virtual: VirtualClock) -> None:
    async def main() -> None:
        future = asyncio.get_running_loop().run_in_executor(None, time.sleep, 0)
        while not future.done():
            await asyncio.sleep(0)

    asyncio.run(main())


def test_two_loops_in_two_threads_share_the_time(virtual: VirtualClock) -> None:
    seen: list[tuple[str, float]] = []

    async def main(name: str, seconds: float) -> None:
        for _ in range(2):
            await asyncio.sleep(seconds)
            seen.append((name, virtual.elapsed))

    thread = threading.Thread(target=lambda: asyncio.run(main("thread", 3)))
    thread.start()
    asyncio.run(main("main", 2))
    thread.join()
    assert seen == [("main", 2.0), ("thread", 3.0), ("main", 4.0), ("thread", 6.0)]


def test_a_coroutine_is_run_in_a_loop_of_another_thread(virtual: VirtualClock) -> None:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    assert asyncio.run_coroutine_threadsafe(asyncio.sleep(40, "done"), loop).result(timeout=60) == "done"
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()
    assert virtual.elapsed == 40.0


def test_real_input_comes_and_time_does_not_run_away_from_it(virtual: VirtualClock) -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(20)
        writer.write(await reader.read(5))
        writer.close()

    async def main() -> bytes:
        server = await asyncio.start_server(echo, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
        writer.write(b"hello")
        answer = await asyncio.wait_for(reader.read(), timeout=30)
        writer.close()
        server.close()
        return answer

    assert (asyncio.run(main()), virtual.elapsed) == (b"hello", 20.0)


def test_input_that_a_thread_sends_wakes_the_loop(virtual: VirtualClock) -> None:
    ours, theirs = socket.socketpair()

    async def main() -> bytes:
        reader, writer = await asyncio.open_connection(sock=ours)
        answer = await reader.read(4)
        writer.close()
        return answer

    thread = threading.Thread(target=lambda: (time.sleep(3), theirs.sendall(b"ping"), theirs.close()))
    thread.start()
    assert (asyncio.run(main()), virtual.elapsed) == (b"ping", 3.0)
    thread.join()


def test_a_signal_is_heard_by_a_loop_that_waits(virtual: VirtualClock) -> None:
    async def main() -> float:
        heard = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, heard.set)
        signal.raise_signal(signal.SIGUSR1)
        await heard.wait()
        return virtual.elapsed

    assert asyncio.run(main()) == 0.0


def test_a_fake_installed_inside_a_running_loop_takes_it_over(clock: VirtualClock) -> None:
    async def main() -> None:
        loop, fired = asyncio.get_running_loop(), list[float]()
        loop.call_later(3600, lambda: fired.append(clock.elapsed))
        real_time = loop.time()
        with virtual_time(clock, "virtual"):
            await asyncio.sleep(4000)
        assert fired == [pytest.approx(3600, abs=5)]
        assert abs(loop.time() - real_time) < 60

    asyncio.run(main())
    assert clock.elapsed == 4000.0


def test_a_loop_is_as_it_was_afterwards(clock: VirtualClock) -> None:
    loop = asyncio.new_event_loop()
    before = dict(vars(loop))
    handle = loop.call_later(100, print)
    with virtual_time(clock, "virtual"):
        loop.run_until_complete(asyncio.sleep(30))
    assert {name: vars(loop)[name] for name in ("_selector", "_clock_resolution")} == {
        name: before[name] for name in ("_selector", "_clock_resolution")
    }
    assert not {"time", "_write_to_self"} & set(vars(loop))
    assert 60 < handle.when() - loop.time() < 75
    loop.close()


def test_somebody_elses_freeze_does_not_hang_the_loop(clock: VirtualClock) -> None:
    async def main() -> str:
        return await asyncio.sleep(50, time.strftime("%Y"))

    with freezegun.freeze_time("2012-01-14"), virtual_time(clock, "virtual"):
        assert asyncio.run(main()) == "2012"
        with freezegun.freeze_time("1999-01-14"):
            assert asyncio.run(main()) == "1999"
    assert clock.elapsed == 100.0


def test_a_loop_in_which_nothing_can_move_names_its_tasks(virtual: VirtualClock) -> None:
    async def never() -> None:
        await asyncio.Event().wait()

    async def main() -> None:
        await asyncio.gather(asyncio.create_task(never(), name="the other"), never())

    with pytest.raises(Stalled) as caught:
        asyncio.run(main())
    lines = str(caught.value).splitlines()
    assert lines[1].startswith("- thread 'MainThread' waits for its event loop, at ")
    assert lines[2].startswith("  - task 'Task-")
    assert lines[2].endswith("in main")
    assert lines[3].startswith("  - task 'Task-")
    assert lines[3].endswith("in never")
    assert lines[4].startswith(f"  - task 'the other' waits at {__file__}:")
    assert lines[4].endswith("in never")


def test_a_loop_that_is_not_asyncios_is_refused_in_clear_words(virtual: VirtualClock) -> None:
    class Loop(asyncio.AbstractEventLoop):
        pass

    Loop.__module__ = "uvloop"
    Loop.__qualname__ = "Loop"
    asyncio._set_running_loop(Loop())
    try:
        with pytest.raises(UnmodelledWait) as caught:
            asyncio.sleep(5).send(None)
    finally:
        asyncio._set_running_loop(None)
    assert str(caught.value).splitlines() == [
        "asyncio.sleep in an event loop of uvloop.Loop: under virtual time only asyncio's own event loops can wait.",
        "Let the tests run on asyncio's loop (asyncio.DefaultEventLoopPolicy), or with ddb_clock=sdk, where the "
        "application's own sleeps are real.",
        "docs/how-to/time.md#event-loops",
    ]


def test_in_sdk_mode_a_loop_keeps_real_time(clock: VirtualClock) -> None:
    async def main() -> None:
        await asyncio.sleep(0.0001)

    with virtual_time(clock, "sdk"):
        asyncio.run(main())
    assert clock.elapsed == 0.0
