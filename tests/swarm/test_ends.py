"""How a worker ends: by itself, by an exception, by the time, or not at all; and what can't be a swarm."""

from __future__ import annotations

import asyncio
import math
import re
import threading
import time
from contextlib import suppress

import pytest
from botocore.exceptions import ClientError

from pytest_ddbthrottle import FakeDynamoDB, _swarm_turns
from pytest_ddbthrottle._engine.errors import Livelock, UnmodelledWait

LOCK_FROM_BEFORE = threading.Lock()
"""No fake was installed when it was made: it knows nothing of virtual time."""


def line_of(function, offset: int) -> str:
    return f"test_ends.py:{function.__code__.co_firstlineno + offset}"


class GaveIn(Exception):
    """An application's own error."""


def test_a_worker_that_throttling_ends_has_given_up(ddb_fake, put, orders):
    orders.drain("write")

    def worker(number):
        time.sleep(number * 0.003)
        put(str(number))

    report = ddb_fake.swarm(worker, workers=4)

    # The balance is positive again at the first moment after the start.
    assert [(one.worker, one.at_seconds) for one in report.gave_up] == [(0, 0), (2, 0.006), (3, 0.009)]
    assert isinstance(report.gave_up[0].error, ClientError)
    assert (report.done, report.drained_after_seconds) == (1, None)
    assert str(report.gave_up[0]).startswith(
        "worker 0 gave up after 0 s: ProvisionedThroughputExceededException at conftest.py:"
    )


def test_an_error_that_was_raised_from_throttling_is_one_too(ddb_fake, put, orders):
    orders.drain("write")

    def worker(number):
        try:
            put(str(number))
        except ClientError as error:
            raise GaveIn("enough") from error

    report = ddb_fake.swarm(worker, workers=3)

    assert [type(one.error) for one in report.gave_up] == [GaveIn] * 3
    assert "GaveIn at test_ends.py" in str(report)


def test_what_a_worker_raises_besides_is_raised(ddb_fake):
    went_on = []

    def worker(number):
        time.sleep(number)
        if number == 2:
            raise GaveIn("enough")
        time.sleep(10)
        went_on.append(number)

    with pytest.raises(GaveIn, match="enough") as caught:
        ddb_fake.swarm(worker, workers=5)

    assert "worker" in [entry.name for entry in caught.traceback]
    assert getattr(caught.value, "__notes__", ["swarm: worker 2, after 2 s"]) == ["swarm: worker 2, after 2 s"]
    assert went_on == []


def test_may_raise_lets_a_worker_give_up_by_other_errors(ddb_fake):
    def worker(number):
        raise GaveIn(f"enough of {number}") if number else KeyError("key")

    report = ddb_fake.swarm(worker, workers=3, may_raise=(GaveIn, KeyError))

    assert sorted(str(one.error) for one in report.gave_up) == ["'key'", "enough of 1", "enough of 2"]


def test_an_outcome_of_the_test_is_no_outcome_of_a_worker(ddb_fake):
    def worker():
        pytest.fail("by hand")

    with pytest.raises(pytest.fail.Exception, match="by hand"):
        ddb_fake.swarm(worker, workers=3)


def test_who_is_at_work_when_the_time_is_over_is_stopped_where_it_is(ddb_fake, put, orders):
    cleaned = []

    def worker(number):
        try:
            while True:
                put(str(number))
                time.sleep(7)
        finally:
            cleaned.append(number)
            with suppress(ClientError):
                put("after the end")

    report = ddb_fake.swarm(worker, workers=3, until=10)

    assert (report.seconds, ddb_fake.clock.elapsed) == (10, 10)
    assert [(one.worker, one.place) for one in report.still_at_work] == [(n, line_of(worker, 4)) for n in range(3)]
    assert (report.done, report.drained_after_seconds) == (0, None)
    assert f"- 3 workers still at work at {line_of(worker, 4)}: 0, 1, 2" in str(report)
    assert len(cleaned) == 3
    assert {call.request["Item"]["pk"]["S"] for call in ddb_fake.calls} == {"0", "1", "2"}


def test_until_is_the_last_instant_at_which_a_worker_goes_on(ddb_fake):
    went_on = []

    def worker(number):
        time.sleep(9 + number)
        went_on.append(number)

    report = ddb_fake.swarm(worker, workers=3, until=10)

    assert sorted(went_on) == [0, 1]
    assert [one.worker for one in report.still_at_work] == [2]


def test_a_coroutine_is_stopped_where_it_waits(ddb_fake):
    cleaned = []

    async def wait():
        try:
            await asyncio.sleep(100)
        finally:
            await asyncio.sleep(20)
            cleaned.append("wait")

    async def worker():
        await asyncio.gather(wait(), wait())

    async def waits_for_nobody():
        await asyncio.Event().wait()

    report = ddb_fake.swarm(worker, workers=2, until=3)
    stuck = ddb_fake.swarm(waits_for_nobody, workers=1, until=3)

    assert [one.place for one in report.still_at_work] == [line_of(worker, 1)] * 2
    assert cleaned == ["wait"] * 4
    assert [one.place for one in stuck.still_at_work] == [line_of(waits_for_nobody, 1)]
    assert stuck.seconds == 3


@pytest.mark.parametrize("kind", ["function", "coroutine"])
def test_a_worker_that_will_not_be_stopped_is_left_behind(ddb_fake, kind):
    def function():
        while True:
            with suppress(BaseException):
                time.sleep(1)

    async def coroutine():
        while True:
            with suppress(BaseException):
                await asyncio.sleep(1)

    report = ddb_fake.swarm(function if kind == "function" else coroutine, workers=2, until=5)

    assert [one.worker for one in report.still_at_work] == [0, 1]
    assert report.seconds == 5


def test_what_a_stopped_worker_makes_of_it_is_its_own_affair(ddb_fake):
    def worker(number):
        try:
            time.sleep(100)
        finally:
            if number:
                raise GaveIn("in the clean-up")

    report = ddb_fake.swarm(worker, workers=2, until=5)

    assert [one.worker for one in report.still_at_work] == [0, 1]
    assert report.gave_up == ()


def test_all_done_is_asserted_with_the_table(ddb_fake, put, orders):
    report = ddb_fake.swarm(lambda number: time.sleep(number), workers=3, until=1)

    with pytest.raises(AssertionError) as caught:
        report.assert_all_done()

    here = test_all_done_is_asserted_with_the_table
    assert str(caught.value) == (
        "expected all 3 workers to be done\n"
        "3 workers, 1 s: 2 done and 1 still at work\n"
        "nothing was written or read\n"
        f"- 1 worker still at work at {line_of(here, 1)}: 2\n"
        "docs/how-to/swarm.md"
    )
    ddb_fake.swarm(lambda: None, workers=1).assert_all_done()


def test_many_who_gave_up_are_told_in_twenty_lines(ddb_fake, put, orders):
    orders.drain("write")

    report = ddb_fake.swarm(lambda number: put(str(number)), workers=30)

    lines = str(report).splitlines()
    assert lines[0] == "30 workers, 0 s: 0 done and 30 gave up"
    assert lines[-1] == "- and 10 more"


def test_a_worker_that_sends_again_without_a_wait_is_told_with_its_line(ddb_fake, ddb_client, orders):
    orders.drain("write")

    def worker(number):
        while True:
            with suppress(ClientError):
                return ddb_client.put_item(TableName="orders", Item={"pk": {"S": str(number)}})

    with pytest.raises(Livelock) as caught:
        ddb_fake.swarm(worker, workers=3)

    said = re.search(r"swarm: worker \d is at (\S+) after 0 s. docs/how-to/swarm.md", str(caught.value))
    assert said is not None
    assert said[1] == line_of(worker, 3)
    assert str(caught.value).startswith("1000 calls in a row were refused or left entries over")


def test_many_workers_that_are_refused_once_each_are_no_livelock(ddb_client):
    with FakeDynamoDB(livelock_limit=5) as fake:
        fake.create_table("orders", write_capacity_units=1).drain("write")

        report = fake.swarm(lambda n: ddb_client.put_item(TableName="orders", Item={"pk": {"S": str(n)}}), workers=20)

    assert len(report.gave_up) == 20


@pytest.mark.parametrize("kind", ["function", "coroutine"])
def test_turns_without_an_end_at_one_instant_are_told_with_their_line(ddb_fake, monkeypatch, kind):
    monkeypatch.setattr(_swarm_turns, "MOST_TURNS", 500)

    def function():
        while True:
            time.sleep(0)

    async def coroutine():
        while True:
            await asyncio.sleep(0)

    worker = function if kind == "function" else coroutine
    with pytest.raises(Livelock) as caught:
        ddb_fake.swarm(worker, workers=2)

    said = (
        r"swarm: 500 calls, and sleeps of no length, at one virtual instant, 0 s, and no end: worker \d is at (\S+)\."
    )
    found = re.match(said, str(caught.value))
    assert found is not None
    assert found[1] == line_of(worker, 2)


def test_a_worker_that_waits_for_another_ones_lock_is_told_with_its_line(ddb_fake, monkeypatch):
    monkeypatch.setattr(_swarm_turns, "STALL_SECONDS", 0.3)

    def worker():
        with LOCK_FROM_BEFORE:
            time.sleep(5)

    with pytest.raises(Livelock) as caught:
        ddb_fake.swarm(worker, workers=2)

    assert f"has come to no call and no sleep for 0.3 real seconds: it is at {line_of(worker, 1)}." in str(caught.value)
    assert not LOCK_FROM_BEFORE.locked()


def test_a_worker_that_ends_by_no_error_of_its_own_ends_the_swarm(ddb_fake):
    def worker(number):
        if number == 1:
            raise KeyboardInterrupt
        time.sleep(1)

    with pytest.raises(KeyboardInterrupt):
        ddb_fake.swarm(worker, workers=3)


def test_a_request_from_a_thread_of_a_workers_own_is_told(ddb_fake, put, orders):
    errors = []

    def in_a_thread():
        try:
            put("any")
        except UnmodelledWait as error:
            errors.append(str(error))

    def worker():
        thread = threading.Thread(target=in_a_thread)
        thread.start()
        thread.join()

    ddb_fake.swarm(worker, workers=1)

    assert len(errors) == 1
    assert errors[0].startswith("swarm: a DynamoDB request at conftest.py:")
    assert ddb_fake.calls == []


@pytest.mark.parametrize(
    ("worker", "said"),
    [
        (3, "swarm: the worker is 3; a function or a coroutine function is needed, swarm(worker)"),
        (lambda a, b: None, "swarm: the worker needs a and b; it is given its number, from 0, or nothing"),
    ],
)
def test_what_is_no_worker_is_named(ddb_fake, worker, said):
    with pytest.raises(TypeError, match=re.escape(said)):
        ddb_fake.swarm(worker)


def test_a_coroutine_that_was_called_is_no_worker(ddb_fake):
    async def worker():
        """Never begun."""

    with pytest.raises(TypeError, match="swarm: the worker is <coroutine object"):
        ddb_fake.swarm(worker())


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ({"workers": 0}, "workers=0: a whole number, at least 1, is needed"),
        ({"workers": 2.0}, "workers=2.0: a whole number, at least 1, is needed"),
        ({"workers": True}, "workers=True: a whole number, at least 1, is needed"),
        ({"until": 0}, "until=0: a number of seconds, more than 0, is needed"),
        ({"until": math.inf}, "until=inf: a number of seconds, more than 0, is needed"),
        ({"until": "60"}, "until='60': a number of seconds, more than 0, is needed"),
        ({"seed": "7"}, "seed='7': a whole number is needed"),
        ({"latency_seconds": -1}, "latency_seconds=-1: a number of seconds, at least 0, is needed"),
        ({"latency_seconds": math.nan}, "latency_seconds=nan: a number of seconds, at least 0, is needed"),
        ({"may_raise": "KeyError"}, "may_raise='KeyError': an exception's class or several are needed"),
        ({"may_raise": (KeyError, 1)}, "may_raise=(<class 'KeyError'>, 1): an exception's class or several are needed"),
    ],
)
def test_a_value_out_of_range_is_named_and_nothing_is_run(ddb_fake, names, said):
    ran = []

    with pytest.raises(ValueError, match=re.escape(said)):
        ddb_fake.swarm(ran.append, **names)

    assert ran == []


def test_an_unknown_name_is_named_with_the_nearest(ddb_fake):
    with pytest.raises(TypeError, match=r"swarm\(\) has no argument 'worker_count'|swarm\(\) has no argument"):
        ddb_fake.swarm(lambda: None, wokers=3)


@pytest.mark.parametrize("mode", ["sdk", "real"])
def test_a_swarm_needs_virtual_time(mode):
    with (
        FakeDynamoDB(clock=mode) as fake,
        pytest.raises(RuntimeError, match="has to be installed, with clock='virtual'"),
    ):
        fake.swarm(lambda: None)


def test_a_swarm_needs_a_fake_that_is_installed():
    with pytest.raises(RuntimeError, match="has to be installed"):
        FakeDynamoDB().swarm(lambda: None)


def test_a_worker_can_not_start_a_swarm(ddb_fake):
    with pytest.raises(RuntimeError, match="another swarm is running on this account; a worker can't start one"):
        ddb_fake.swarm(lambda: ddb_fake.swarm(lambda: None), workers=2)


def test_after_a_swarm_that_failed_all_is_as_before(ddb_fake, put, orders):
    with pytest.raises(GaveIn):
        ddb_fake.swarm(lambda: (_ for _ in ()).throw(GaveIn), workers=3)

    time.sleep(2)
    put("after")

    assert ddb_fake.clock.elapsed == 2
    assert ddb_fake.swarm(lambda: put("again"), workers=1).done == 1
