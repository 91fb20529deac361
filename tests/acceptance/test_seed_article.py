"""An article's claims about throttling, one by one: why it happens, what the client is told, and what helps."""

from __future__ import annotations

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from pytest_ddbthrottle import assert_throttled, item_size_bytes

THROTTLE_ERRORS = {"ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded"}
ROOMY = {"read_capacity_units": 9_000, "write_capacity_units": 9_000}
MODES = pytest.mark.parametrize("mode", [ROOMY, {}], ids=["provisioned", "on demand"])
ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/orders"


@pytest.fixture
def c(ddb_client):
    return ddb_client


def item(pk="a", write_units=1, **attributes):
    """An item that costs so many write units."""
    small = {"pk": {"S": pk}, "status": {"S": "OPEN"}, "d": {"S": ""}, **attributes}
    return {**small, "d": {"S": "x" * (write_units * 1024 - item_size_bytes(small))}}


def passed(call, most=2000):
    """How many calls pass at one instant, and the error that ended it."""
    for number in range(most):
        try:
            call(number)
        except ClientError as error:
            return number, error
    return most, None


def puts(c, **of_item):
    return lambda number: c.put_item(TableName="orders", Item=item(f"k{number}", **of_item))


def told(error):
    """What the article's reader prints."""
    if error.response["Error"]["Code"] not in THROTTLE_ERRORS:
        return None
    reasons = error.response.get("ThrottlingReasons") or error.response.get("throttlingReasons") or []
    return [(reason["reason"], reason["resource"]) for reason in reasons]


# ------------------------------------------------------------------------------------------------- four causes

CAUSES = [
    (
        {"read_capacity_units": 1, "write_capacity_units": 1},
        {},
        "ProvisionedThroughputExceededException",
        "ProvisionedThroughputExceeded",
    ),
    (
        {"max_read_request_units": 1, "max_write_request_units": 1},
        {},
        "ThrottlingException",
        "MaxOnDemandThroughputExceeded",
    ),
    ({}, {"per_table_max_rcu": 1, "per_table_max_wcu": 1}, "ThrottlingException", "AccountLimitExceeded"),
    (
        {"partition_read_units_per_second": 1, "partition_write_units_per_second": 1},
        {},
        "ThrottlingException",
        "KeyRangeThroughputExceeded",
    ),
]


@pytest.mark.parametrize("direction", ["Read", "Write"])
@pytest.mark.parametrize(("rules", "limits", "code", "limit"), CAUSES)
def test_one_reader_tells_the_four_causes_apart(c, ddb_fake, rules, limits, code, limit, direction):
    ddb_fake.create_table("orders", **rules)
    ddb_fake.limits(**limits)
    call = {
        "Read": lambda number: c.get_item(TableName="orders", Key={"pk": {"S": "a"}}),
        "Write": lambda number: c.put_item(TableName="orders", Item={"pk": {"S": "a"}}),
    }[direction]

    _, error = passed(call)

    unnamed = (direction, limit) == ("Read", "KeyRangeThroughputExceeded")
    assert (error.response["ResponseMetadata"]["HTTPStatusCode"], error.response["Error"]["Code"]) == (400, code)
    assert told(error) == ([] if unnamed else [(f"Table{direction}{limit}", ARN)])
    assert ddb_fake.throttles[-1].refusal.cause == f"Table{direction}{limit}"


@pytest.mark.parametrize(("rules", "limits", "code", "limit"), CAUSES)
def test_the_reader_names_the_index_where_the_index_refuses(c, ddb_fake, rules, limits, code, limit):
    mode = ROOMY if "write_capacity_units" in rules else {}
    table = ddb_fake.create_table("orders", indexes={"by_status": "status:S"}, **mode)
    ddb_fake.throttle(table="orders", index="by_status", **rules)
    ddb_fake.limits(**limits)
    if limits:
        table.drain("write", "by_status")  # the table draws on a quota of its own, and is asked first
        table.fill("write")

    _, error = passed(puts(c))

    assert error.response["Error"]["Code"] == code
    assert told(error) == [(f"IndexWrite{limit}", table.index_arn("by_status"))]


# ------------------------------------------------------------------------------------------------- hot partitions


@MODES
def test_a_partition_serves_1000_write_units_a_second(c, ddb_fake, ddb_clock, mode):
    ddb_fake.create_table("orders", **mode)

    for _ in range(3):
        count, error = passed(lambda number: c.put_item(TableName="orders", Item=item(write_units=100)))
        assert (count, told(error)) == (10, [("TableWriteKeyRangeThroughputExceeded", ARN)])
        ddb_clock.advance(1)


@MODES
@pytest.mark.parametrize(("consistent", "reads"), [(True, 600), (False, 1200)])
def test_a_20_kb_item_tops_out_at_600_strong_reads_and_twice_as_many_others(c, ddb_fake, mode, consistent, reads):
    ddb_fake.create_table("orders", **mode).load([item(write_units=20)])
    key = {"pk": {"S": "a"}}

    count, _ = passed(lambda number: c.get_item(TableName="orders", Key=key, ConsistentRead=consistent))

    assert count == reads


@MODES
def test_a_partition_of_an_index_serves_as_much(c, ddb_fake, mode):
    table = ddb_fake.create_table("orders", indexes={"by_status": "status:S"}, **mode)

    count, error = passed(puts(c, write_units=100))

    assert (count, told(error)) == (10, [("IndexWriteKeyRangeThroughputExceeded", table.index_arn("by_status"))])


def test_ever_increasing_sort_keys_stay_at_1000(c, ddb_fake):
    ddb_fake.create_table("orders", sort_key="at:N")

    count, _ = passed(lambda number: c.put_item(TableName="orders", Item=item(write_units=100, at={"N": str(number)})))

    assert count == 10


def test_more_capacity_does_not_help_one_key(c, ddb_fake):
    ddb_fake.create_table("orders", write_capacity_units=30_000)

    assert passed(lambda number: c.put_item(TableName="orders", Item=item(write_units=100)))[0] == 10


def test_a_suffix_on_the_key_does(c, ddb_fake):
    ddb_fake.create_table("orders", **ROOMY)

    count, error = passed(
        lambda number: c.put_item(TableName="orders", Item=item(f"a#{number % 9}", write_units=100)), 90
    )

    assert (count, error) == (90, None)


def test_a_throttled_index_throttles_writes_to_its_table(c, ddb_fake):
    table = ddb_fake.create_table("orders", indexes={"by_status": "status:S"})
    _, error = passed(puts(c, write_units=100))
    before = table.items()

    assert told(error)[0][0].startswith("IndexWrite")
    assert c.scan(TableName="orders", IndexName="by_status", Select="COUNT")["Count"] == len(before) == 10
    c.put_item(TableName="orders", Item={"pk": {"S": "no status"}})


def test_an_index_key_of_more_values_is_the_cure(c, ddb_fake):
    ddb_fake.create_table("orders", indexes={"by_status": "status:S"})

    count, error = passed(
        lambda number: c.put_item(
            TableName="orders", Item=item(f"k{number}", write_units=100, status={"S": f"OPEN#{number % 4}"})
        ),
        40,
    )

    assert (count, error) == (40, None)


def test_an_index_key_may_join_four_and_four_attributes(c, ddb_fake):
    names = [f"a{number}" for number in range(8)]
    key = [{"AttributeName": name, "KeyType": "HASH" if name < "a4" else "RANGE"} for name in names]
    c.create_table(
        TableName="orders",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ["pk", *names]],
        BillingMode="PAY_PER_REQUEST",
        GlobalSecondaryIndexes=[
            {"IndexName": "by_all", "KeySchema": key, "Projection": {"ProjectionType": "ALL"}},
        ],
    )

    joined = {name: {"S": "x"} for name in names}
    count, _ = passed(
        lambda number: c.put_item(
            TableName="orders", Item=item(f"k{number}", write_units=100, **{**joined, "a0": {"S": str(number % 2)}})
        )
    )

    assert count == 20


# ------------------------------------------------------------------------------------------------- provisioned tables

FIVE = {"read_capacity_units": 5, "write_capacity_units": 5}


@pytest.mark.parametrize(
    ("idle_seconds", "burst"), [(0, 5), (1, 10), (60, 305), (295, 1480), (299, 1500), (10**6, 1500)]
)
@pytest.mark.parametrize("direction", ["read", "write"])
def test_burst_is_five_minutes_of_unused_capacity_and_no_more(ddb_fake, ddb_clock, direction, idle_seconds, burst):
    table = ddb_fake.create_table("orders", indexes={"by_status": "status:S"}, **FIVE)

    ddb_clock.advance(idle_seconds)

    assert [table.balance(direction), table.balance(direction, "by_status")] == [burst, burst]


def test_background_work_may_spend_the_burst_without_notice(c, ddb_fake, ddb_clock):
    table = ddb_fake.create_table("orders", **FIVE)
    ddb_clock.advance(3600)

    table.spend_burst("write", 1490)

    assert passed(puts(c))[0] == 10


def test_update_table_raises_what_the_next_second_admits(c, ddb_fake, ddb_clock):
    ddb_fake.create_table("orders", **FIVE)
    assert passed(puts(c))[0] == 5

    c.update_table(TableName="orders", ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 20})
    ddb_clock.advance(1)

    assert passed(puts(c))[0] == 20


def test_on_demand_mode_is_the_cure_for_traffic_that_can_not_be_foreseen(c, ddb_fake, ddb_clock):
    ddb_fake.create_table("orders", **FIVE)
    assert passed(puts(c))[0] == 5

    c.update_table(TableName="orders", BillingMode="PAY_PER_REQUEST")
    ddb_clock.advance(1)  # what was spent is spent in the new mode too

    assert passed(puts(c), 500) == (500, None)


# ------------------------------------------------------------------------------------------------- on-demand tables


def test_a_new_table_serves_4000_writes_a_second(c, ddb_fake, ddb_clock):
    ddb_fake.create_table("orders")

    for _ in range(3):
        assert passed(puts(c, write_units=400))[0] == 10
        ddb_clock.advance(1)


def test_a_new_table_serves_12000_reads_a_second(c, ddb_fake):
    ddb_fake.create_table("orders").load([item(f"k{number}", write_units=400) for number in range(200)])

    count, _ = passed(
        lambda number: c.get_item(TableName="orders", Key={"pk": {"S": f"k{number}"}}, ConsistentRead=True), 200
    )

    assert count == 120


@pytest.mark.parametrize(("wait_seconds", "puts_admitted"), [(60, 10), (1740, 10), (1860, 20)])
def test_double_the_previous_peak_is_served_30_minutes_later(c, ddb_fake, ddb_clock, wait_seconds, puts_admitted):
    ddb_fake.create_table("orders")
    assert passed(puts(c, write_units=400))[0] == 10

    ddb_clock.advance(wait_seconds)

    assert passed(puts(c, write_units=400))[0] == puts_admitted


def test_warm_throughput_makes_a_table_ready_for_a_launch(c, ddb_fake):
    ddb_fake.create_table("orders", warm_write_units_per_second=12_000)

    assert passed(puts(c, write_units=400))[0] == 30


def test_warm_throughput_can_be_raised_before_a_launch(c, ddb_fake):
    ddb_fake.create_table("orders")
    warm = {"ReadUnitsPerSecond": 12_000, "WriteUnitsPerSecond": 8_000}

    c.update_table(TableName="orders", WarmThroughput=warm)

    assert passed(puts(c, write_units=400))[0] == 20


@pytest.mark.parametrize("code", ["ThrottlingException", "RequestLimitExceeded"])
def test_each_table_is_bound_by_the_quota(c, ddb_fake, code):
    ddb_fake.create_table("orders", warm_write_units_per_second=100_000, account_limit_error=code)

    count, error = passed(puts(c, write_units=400))

    assert count == 100
    assert_throttled(error, error=code, reason="TableWriteAccountLimitExceeded", resource=ARN)


@pytest.mark.ddb_limits(per_table_max_wcu=80_000)
def test_a_higher_quota_can_be_asked_for(c, ddb_fake):
    ddb_fake.create_table("orders", warm_write_units_per_second=100_000)

    assert passed(puts(c, write_units=400))[0] == 200


def test_a_table_and_its_index_have_maxima_of_their_own(c, ddb_fake):
    table = ddb_fake.create_table("orders", indexes={"by_status": "status:S"}, max_write_request_units=9)
    ddb_fake.throttle(table="orders", index="by_status", max_write_request_units=4)

    table.drain("write", "by_status")
    table.fill("write")
    ddb_fake.clock.advance(1)
    count, error = passed(puts(c))

    assert count == 4
    assert error.response["Error"]["Code"] == "ThrottlingException"
    assert told(error) == [("IndexWriteMaxOnDemandThroughputExceeded", table.index_arn("by_status"))]


# ------------------------------------------------------------------------------------------------- what happens to them


@pytest.mark.parametrize("mode", ["legacy", "standard", "adaptive"])
def test_the_sdk_retries_and_a_throttle_shows_as_latency_first(ddb_fake, mode):
    ddb_fake.create_table("orders", **FIVE)
    retrying = boto3.client("dynamodb", config=Config(retries={"mode": mode, "total_max_attempts": 10}))

    assert passed(puts(retrying), 30) == (30, None)

    assert ddb_fake.throttles
    assert ddb_fake.clock.elapsed >= (30 - 5 - 1) / 5
    ddb_fake.assert_nothing_lost()


def test_a_write_whose_retries_run_out_never_happens(c, ddb_fake):
    table = ddb_fake.create_table("orders", **FIVE)

    passed(puts(c))

    assert table.item_count == 5
    with pytest.raises(AssertionError, match="k5"):
        ddb_fake.assert_nothing_lost()
    ddb_fake.assert_nothing_lost(accounted_for=[{"pk": "k5"}])


def test_a_batch_gives_leftovers_and_throws_only_where_nothing_was_processed(c, ddb_fake):
    ddb_fake.create_table("orders", **FIVE)
    entries = [{"PutRequest": {"Item": item(f"k{number}")}} for number in range(20)]

    first = c.batch_write_item(RequestItems={"orders": entries})
    with pytest.raises(c.exceptions.ProvisionedThroughputExceededException):
        c.batch_write_item(RequestItems=first["UnprocessedItems"])

    assert first["UnprocessedItems"] == {"orders": entries[5:]}


def test_leftovers_that_are_not_sent_again_are_dropped(c, ddb_fake):
    table = ddb_fake.create_table("orders", **FIVE)

    c.batch_write_item(RequestItems={"orders": [{"PutRequest": {"Item": item(f"k{number}")}} for number in range(6)]})

    assert table.item_count == 5
    with pytest.raises(AssertionError, match="k5"):
        ddb_fake.assert_nothing_lost()


@pytest.mark.parametrize(
    ("names", "status_code"),
    [
        ({"error": "InternalServerError"}, 500),
        ({"error": "ServiceUnavailable"}, 503),
        ({"reason": "TableWriteKeyRangeThroughputExceeded"}, 400),
        ({"error": "RequestLimitExceeded"}, 400),
    ],
)
def test_only_500_and_503_count_against_the_agreement(c, ddb_fake, names, status_code):
    ddb_fake.create_table("orders")
    ddb_fake.inject(operation="PutItem", **names)

    _, error = passed(puts(c), 1)

    assert error.response["ResponseMetadata"]["HTTPStatusCode"] == status_code
    assert ddb_fake.calls[-1].status_code == status_code


def test_a_cache_in_front_absorbs_repeated_reads(c, ddb_fake):
    ddb_fake.create_table("orders").load([item(write_units=20)])
    cache = {}

    def read(key):
        if key not in cache:
            cache[key] = c.get_item(TableName="orders", Key={"pk": {"S": key}}, ConsistentRead=True)["Item"]
        return cache[key]

    assert {read("a")["pk"]["S"] for _ in range(5000)} == {"a"}
    ddb_fake.assert_attempts("GetItem", 1)
    ddb_fake.assert_consumed(read_units=5)
