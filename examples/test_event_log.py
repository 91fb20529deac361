"""A cost cap on an on-demand table: what is refused, and what is not."""

import pytest
from event_log import CostCapReached, dynamodb, log_event

pytestmark = pytest.mark.ddb_throttle(table="events", billing_mode="PAY_PER_REQUEST", max_write_request_units=2)


def test_the_cap_is_told_apart_from_other_throttles(ddb_fake):
    ddb_fake.create_table("events")
    log_event("a")
    log_event("b")

    with pytest.raises(CostCapReached):
        log_event("c")

    ddb_fake.assert_throttled("PutItem", reason="TableWriteMaxOnDemandThroughputExceeded", times=1)


def test_patience_gets_every_event_through(ddb_fake):
    ddb_fake.create_table("events")

    for number in range(20):
        log_event(f"event#{number}", patience_seconds=5)

    assert ddb_fake.table("events").item_count == 20
    assert ddb_fake.clock.elapsed == 9  # 18 more units at 2 a second


def test_a_cap_on_writes_leaves_reads_alone(ddb_fake):
    ddb_fake.create_table("events")

    for _ in range(500):
        dynamodb.get_item(TableName="events", Key={"pk": {"S": "a"}})

    ddb_fake.assert_not_throttled()
