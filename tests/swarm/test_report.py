"""What a swarm comes to, against the arithmetic and against an independent count of its journal."""

from __future__ import annotations

import asyncio
import contextlib
import math
import statistics
import time
from collections import Counter
from dataclasses import FrozenInstanceError
from datetime import datetime, timedelta, timezone

import pytest
from botocore.exceptions import ClientError

THROTTLED = "ProvisionedThroughputExceededException"


@pytest.mark.parametrize(
    ("workers", "items", "expected_seconds"),
    [(1, 100, 0), (10, 10, 0), (1, 250, 1.5), (50, 10, 4), (200, 3, 5), (500, 1, 4)],
)
def test_the_backlog_is_gone_when_the_table_has_earned_it(ddb_fake, orders, surely, workers, items, expected_seconds):
    def worker(number):
        for item in range(items):
            surely(f"{number}#{item}")

    report = ddb_fake.swarm(worker, workers=workers)

    # 100 units are there, and 100 are earned each second.
    assert report.drained_after_seconds == report.seconds == ddb_fake.clock.elapsed == expected_seconds
    assert report.done == workers
    assert report.writes.landed == orders.item_count == workers * items
    assert report.goodput_per_second == (workers * items / expected_seconds if expected_seconds else math.inf)


def test_sleeps_overlap(ddb_fake, put, orders):
    def worker(number):
        time.sleep(number)
        put(str(number))

    report = ddb_fake.swarm(worker, workers=30)

    assert report.drained_after_seconds == 29
    assert [call.at_seconds for call in report.calls] == list(range(30))


def test_a_workers_time_is_the_clocks(ddb_fake):
    told = []

    def worker(number):
        time.sleep(number)
        told.append((time.time(), datetime.now(timezone.utc)))

    ddb_fake.swarm(worker, workers=3)

    start = datetime(2026, 1, 1, tzinfo=timezone.utc)
    assert told == [(start.timestamp() + n, start + timedelta(seconds=n)) for n in range(3)]


def test_the_same_is_counted_as_the_journal_has_it(ddb_fake, orders, surely):
    report = ddb_fake.swarm(lambda number: [surely(f"{number}#{item}") for item in range(4)], workers=60)

    keys = [call.request["Item"]["pk"]["S"] for call in ddb_fake.calls]
    first = {key: call.at_seconds for key, call in reversed(list(zip(keys, ddb_fake.calls, strict=True)))}
    landed = {key: call.at_seconds for key, call in zip(keys, ddb_fake.calls, strict=True) if call.error is None}
    latencies = sorted(round(landed[key] - first[key], 9) for key in landed)
    assert report.calls == tuple(ddb_fake.calls)
    assert (report.writes.attempts, report.writes.landed) == (len(ddb_fake.calls), 240)
    assert report.attempts_per_write == len(ddb_fake.calls) / 240
    assert report.refusals == {"TableWriteProvisionedThroughputExceeded": len(ddb_fake.throttles)}
    assert [round(seconds, 9) for seconds in report.writes.latencies_seconds] == latencies
    assert statistics.median_low(latencies) == pytest.approx(report.latency_seconds(50))
    for percentile in (1, 25, 90, 99, 99.9, 100):
        rank = sum(1 for n in range(240) if n * 100 < percentile * 240)
        assert report.writes.latency_seconds(percentile) == pytest.approx(latencies[rank - 1])


def test_a_reply_takes_its_time_and_the_others_go_on(ddb_fake, orders, put):
    report = ddb_fake.swarm(
        lambda number: [put(f"{number}#{item}") for item in range(2)], workers=10, latency_seconds=0.25
    )

    assert report.seconds == 0.5
    assert set(report.writes.latencies_seconds) == {0.25}


def test_an_injected_latency_is_that_of_its_call_alone(ddb_fake, orders, put):
    ddb_fake.inject(operation="PutItem", latency_seconds=3, times=1)

    report = ddb_fake.swarm(lambda number: put(str(number)), workers=10)

    assert report.writes.latencies_seconds == (0,) * 9 + (3,)
    assert [call.at_seconds for call in report.calls] == [0] * 10


def test_reads_and_writes_are_counted_apart(ddb_fake, ddb_client, orders):
    orders.load([{"pk": str(number)} for number in range(3)])

    def worker(number):
        ddb_client.get_item(TableName="orders", Key={"pk": {"S": str(number)}})
        ddb_client.scan(TableName="orders")
        ddb_client.query(
            TableName="orders", KeyConditionExpression="pk = :pk", ExpressionAttributeValues={":pk": {"S": "1"}}
        )
        ddb_client.update_item(TableName="orders", Key={"pk": {"S": str(number)}})
        ddb_client.describe_table(TableName="orders")

    report = ddb_fake.swarm(worker, workers=3)

    assert (report.reads.attempts, report.reads.landed) == (9, 9)
    assert (report.writes.attempts, report.writes.landed) == (3, 3)
    assert len(report.calls) == 15


def test_each_entry_of_a_batch_counts_and_what_is_left_over_is_sent_again(ddb_fake, ddb_client, orders):
    orders.drain("write")
    time.sleep(0.05)

    def worker(number):
        waiting = {"orders": [{"PutRequest": {"Item": {"pk": {"S": str(n)}}}} for n in range(25)]}
        while waiting:
            waiting = ddb_client.batch_write_item(RequestItems=waiting)["UnprocessedItems"]
            time.sleep(0.1)

    report = ddb_fake.swarm(worker, workers=1)

    # 5 units at once, and 10 in each tenth of a second: 25, 20 and 10 entries are sent.
    assert (report.writes.landed, report.writes.attempts) == (25, 55)
    assert report.refusals["TableWriteProvisionedThroughputExceeded"] == 30
    assert sorted(Counter(round(seconds, 6) for seconds in report.writes.latencies_seconds).items()) == [
        (0, 5),
        (0.1, 10),
        (0.2, 10),
    ]


def test_what_is_never_sent_again_is_given_up(ddb_fake, put, orders):
    orders.drain("write")

    def worker(number):
        with contextlib.suppress(ClientError):
            put(str(number))

    report = ddb_fake.swarm(worker, workers=4)

    assert report.done == 4
    assert (report.writes.attempts, report.writes.landed, report.writes.given_up) == (4, 0, 4)
    assert report.attempts_per_write == math.inf
    assert report.goodput_per_second == 0
    assert math.isnan(report.latency_seconds(50))


def test_a_false_condition_is_an_answer_and_no_write(ddb_fake, ddb_client, orders):
    def worker(number):
        with contextlib.suppress(ddb_client.exceptions.ConditionalCheckFailedException):
            ddb_client.put_item(
                TableName="orders", Item={"pk": {"S": "one"}}, ConditionExpression="attribute_not_exists(pk)"
            )

    report = ddb_fake.swarm(worker, workers=8)

    assert (report.writes.landed, report.writes.declined, report.writes.given_up) == (1, 7, 0)
    assert report.errors == {"ConditionalCheckFailedException": 7}
    assert report.attempts_per_write == 8


def test_causes_are_told_apart_the_most_frequent_first(ddb_fake, ddb_client):
    ddb_fake.create_table("hot", partition_write_units_per_second=5)
    ddb_fake.create_table("capped", max_write_request_units=2)

    def worker(number):
        for table in ("hot", "capped"):
            with contextlib.suppress(ClientError):
                ddb_client.put_item(TableName=table, Item={"pk": {"S": "same"}})

    report = ddb_fake.swarm(worker, workers=10)

    assert list(report.refusals.items()) == [
        ("TableWriteMaxOnDemandThroughputExceeded", 8),
        ("TableWriteKeyRangeThroughputExceeded", 5),
    ]


def test_the_text_is_a_table(ddb_fake, orders, surely):
    report = ddb_fake.swarm(lambda number: [surely(f"{number}#{item}") for item in range(3)], workers=50)

    assert str(report).splitlines() == [
        "50 workers, 0.5 s: 50 done",
        "        landed  per second  sent  per item  declined  given up  p50    p90    p99  longest",
        "writes     150         300   170      1.13         0         0  0 s  0.5 s  0.5 s    0.5 s",
        "refused 20 times: TableWriteProvisionedThroughputExceeded",
    ]


def test_a_worker_that_calls_nothing_has_a_report_too(ddb_fake):
    report = ddb_fake.swarm(lambda: time.sleep(2), workers=3)

    assert str(report) == "3 workers, 2 s: 3 done\nnothing was written or read"
    assert (report.goodput_per_second, report.attempts_per_write) == (0, 0)


def test_the_report_is_frozen(ddb_fake):
    report = ddb_fake.swarm(lambda: None, workers=1)

    with pytest.raises(FrozenInstanceError):
        report.workers = 2
    with pytest.raises(TypeError):
        report.refusals["any"] = 1


@pytest.mark.parametrize("percentile", [0, -1, 100.1, math.nan])
def test_a_percentile_out_of_range_is_named(ddb_fake, percentile):
    report = ddb_fake.swarm(lambda: None, workers=1)

    with pytest.raises(ValueError, match=f"percentile={percentile!r}: a number above 0, and at most 100, is needed"):
        report.latency_seconds(percentile)


def test_coroutines_and_functions_come_to_the_same(ddb_fake, ddb_client, orders, surely):
    async def surely_in_a_coroutine(key):
        while True:
            try:
                return ddb_client.put_item(TableName="orders", Item={"pk": {"S": key}})
            except ClientError:
                await asyncio.sleep(0.5)

    async def coroutine(number):
        for item in range(5):
            await surely_in_a_coroutine(f"{number}#{item}")

    start = ddb_fake.snapshot()
    by_coroutines = ddb_fake.swarm(coroutine, workers=60)
    ddb_fake.restore(start)
    by_functions = ddb_fake.swarm(lambda number: [surely(f"{number}#{item}") for item in range(5)], workers=60)

    assert by_coroutines.drained_after_seconds == by_functions.drained_after_seconds == 2
    assert by_coroutines.writes.landed == by_functions.writes.landed == 300
