"""Snapshots: the whole account comes back, to the byte, as often as one likes."""

from __future__ import annotations

import time

import boto3
import pytest
from botocore.config import Config

from pytest_ddbthrottle import FakeDynamoDB
from pytest_ddbthrottle._engine.faults import InjectRule
from pytest_ddbthrottle._engine.throttle.rule import ThrottleRule


@pytest.fixture
def orders(fake):
    table = fake.create_table(
        "orders", indexes={"by_status": "status:S"}, read_capacity_units=5, write_capacity_units=5
    )
    table.load({"pk": str(number), "status": "OPEN"} for number in range(10))
    return table


def test_tables_items_balances_limits_and_the_instant_come_back(fake, orders, put, send, account_state):
    put("1")
    before, instant, snapshot = account_state(fake._engine), fake.clock.now(), fake.snapshot()
    for key in "23456789":
        put(key, status={"S": "DONE"})
    fake.create_table("customers")
    send("DeleteTable", TableName="orders")
    fake.limits(max_tables_per_account=1)
    fake.clock.advance(100)

    fake.restore(snapshot)

    assert account_state(fake._engine) == before
    assert fake.clock.now() == instant
    fake.check_invariants()


def test_what_happens_after_a_restore_does_not_reach_the_snapshot(fake, orders, put, account_state):
    before, snapshot = account_state(fake._engine), fake.snapshot()

    for _ in range(2):
        fake.restore(snapshot)
        put("1", status={"S": "DONE"})
        put("new")
        fake.clock.advance(7)
    fake.restore(snapshot)

    assert account_state(fake._engine) == before


def test_two_snapshots_are_apart(fake, orders):
    first = fake.snapshot()
    orders.load([{"pk": "new"}])
    second = fake.snapshot()
    orders.load([{"pk": "newer"}])

    counts = []
    for snapshot in (first, second, first, second):
        fake.restore(snapshot)
        counts.append(orders.item_count)

    assert counts == [10, 11, 10, 11]


def test_the_same_calls_get_the_same_bytes_again(fake, orders, send):
    fake.inject(operation="GetItem", error="InternalServerError", rate=0.5, times=1000)
    fake.inject(operation="PutItem", error="ServiceUnavailable", after=2)

    def scenario() -> list[object]:
        start = len(fake.calls)
        for number in range(30):
            send("PutItem", TableName="orders", Item={"pk": {"S": str(number)}}, ReturnConsumedCapacity="INDEXES")
            send("GetItem", TableName="orders", Key={"pk": {"S": str(number)}})
            fake.clock.advance(0.1)
        return [(call.at_seconds, call.headers, call.body, call.refusals) for call in fake.calls[start:]]

    snapshot = fake.snapshot()
    first = scenario()
    fake.restore(snapshot)

    assert scenario() == first


def test_the_journal_is_kept(fake, orders, put):
    snapshot = fake.snapshot()
    put("1")

    fake.restore(snapshot)
    put("2")

    assert [call.number for call in fake.calls] == [1, 2]


def test_a_client_forgets_that_it_was_throttled_and_throws_the_same_dice():
    standard = Config(retries={"mode": "standard", "total_max_attempts": 9})
    client = boto3.client("dynamodb", "us-east-1", aws_access_key_id="x", aws_secret_access_key="x", config=standard)
    with FakeDynamoDB(clock="sdk") as fake:
        fake.create_table("orders", write_capacity_units=1)
        snapshot = fake.snapshot()
        sleeps = []
        for _ in range(2):
            fake.restore(snapshot)
            start = len(fake.sleeps)
            for number in range(30):
                client.put_item(TableName="orders", Item={"pk": {"S": str(number)}})
            sleeps.append(fake.sleeps[start:])

    assert sleeps[0] == sleeps[1]
    assert sleeps[0]


def test_rules_said_by_calls_since_are_taken_back(fake, orders):
    snapshot = fake.snapshot()
    fake.throttle(table="orders", write_capacity_units=50)
    fake.throttle(table="never made", write_capacity_units=50)

    fake.restore(snapshot)

    assert orders.balance("write") == 5
    assert fake.unfired() == []


def test_rules_of_a_scope_hold_on(fake, orders, put):
    snapshot = fake.snapshot()

    with fake.scoped(
        [ThrottleRule(table="orders", write_capacity_units=2)],
        [InjectRule(error="InternalServerError", operation="PutItem")],
        {"max_tables_per_account": 1},
    ):
        fake.restore(snapshot)
        inside = (orders.balance("write"), fake._engine.limits.max_tables_per_account, put("1"))

    assert inside[:2] == (2, 1)
    assert inside[2].endswith("InternalServerError")
    orders.fill("write")
    assert orders.balance("write") == 1500


def test_a_snapshot_taken_in_a_scope_does_not_bring_its_rules_back(fake, orders):
    with fake.scoped([ThrottleRule(table="orders", write_capacity_units=2)], limits={"max_tables_per_account": 1}):
        snapshot = fake.snapshot()

    fake.restore(snapshot)

    assert orders.balance("write") == 5
    assert fake._engine.limits.max_tables_per_account == 2500


def test_a_rule_that_fired_before_a_restore_has_fired(fake, orders, put):
    fake.inject(operation="PutItem", error="InternalServerError")
    snapshot = fake.snapshot()
    put("1")

    fake.restore(snapshot)

    assert fake.unfired() == []


def test_refusals_of_one_instant_do_not_add_up_over_restores():
    fake = FakeDynamoDB(livelock_limit=5)
    fake.create_table("orders", write_capacity_units=1).drain("write")
    snapshot = fake.snapshot()
    body, target = b'{"TableName":"orders","Item":{"pk":{"S":"1"}}}', {"X-Amz-Target": "DynamoDB_20120810.PutItem"}

    for _ in range(20):
        fake.restore(snapshot)
        fake._wire.answer("", target, body)

    assert len(fake.throttles) == 20


def test_a_snapshot_may_start_another_fake(fake, orders, account_state):
    other = FakeDynamoDB()

    other.restore(fake.snapshot())
    other.table("orders").load([{"pk": "more"}])

    assert (other.table("orders").item_count, orders.item_count) == (11, 10)


def test_a_frozen_process_goes_back_with_the_clock():
    with FakeDynamoDB() as fake:
        snapshot, before = fake.snapshot(), time.time()
        time.sleep(60)
        fake.restore(snapshot)
        after = time.time()

    assert after == before
