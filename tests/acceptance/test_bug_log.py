"""Public bug reports, rewritten as small inputs with the right answer; the numbers are the log's.

Each is one instance; ``test_bug_kinds.py`` has the rest of its kind, under the same number.
"""

from __future__ import annotations

import boto3
import botocore
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from pytest_ddbthrottle._engine.errors import Livelock

TABLE_ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/Orders"
VERSION = tuple(int(part) for part in botocore.__version__.split(".")[:2])
STANDARD_SENDS = 4 if VERSION >= (1, 44) else 3
STORE_ONLY = pytest.mark.ddb_throttle(
    table="Orders", initial_seconds=300, partition_write_units_per_second=10**6, partition_read_units_per_second=10**6
)


@pytest.fixture
def c(ddb_client):
    return ddb_client


def mk(c, name="Orders", *, sk=False, rw=None, gsi=()):
    attributes = {"pk": "S", **({"sk": "S"} if sk else {}), **{index[1]: "S" for index in gsi}}
    request = {
        "TableName": name,
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]
        + ([{"AttributeName": "sk", "KeyType": "RANGE"}] if sk else []),
        "AttributeDefinitions": [{"AttributeName": a, "AttributeType": t} for a, t in attributes.items()],
    }
    if rw:
        request |= {"BillingMode": "PROVISIONED", "ProvisionedThroughput": throughput(rw)}
    else:
        request["BillingMode"] = "PAY_PER_REQUEST"
    if gsi:
        request["GlobalSecondaryIndexes"] = [
            {
                "IndexName": index_name,
                "KeySchema": [{"AttributeName": key, "KeyType": "HASH"}],
                "Projection": {"ProjectionType": projection},
                **({"ProvisionedThroughput": throughput(units)} if units else {}),
            }
            for index_name, key, projection, units in gsi
        ]
    c.create_table(**request)
    c.get_waiter("table_exists").wait(TableName=name)


def throughput(units):
    return {"ReadCapacityUnits": units[0], "WriteCapacityUnits": units[1]}


def err(call):
    try:
        call()
    except ClientError as error:
        return error.response["Error"]["Code"], error.response["Error"].get("Message"), error.response
    return None


def brief(call):
    return (err(call) or (None, None))[:2]


def drain(put, limit=20_000):
    for number in range(limit):
        if error := err(lambda number=number: put(number)):
            return error
    raise AssertionError("never throttled")


def put_numbered(c, prefix="k"):
    return lambda number: c.put_item(TableName="Orders", Item={"pk": {"S": f"{prefix}{number}"}})


# ------------------------------------------------------------------------------------------------- throttling


@pytest.mark.parametrize(("seconds", "landed"), [(3, 15), (1, 5), (4, 20), (60, 25)])
def test_01_a_batch_that_outruns_the_capacity_gets_its_leftovers_back(c, ddb_fake, ddb_clock, seconds, landed):
    mk(c, rw=(5, 5))
    drain(put_numbered(c, "w"))
    ddb_clock.advance(seconds)
    ask = [{"PutRequest": {"Item": {"pk": {"S": f"b{number}"}}}} for number in range(25)]

    reply = c.batch_write_item(RequestItems={"Orders": ask})

    left = reply["UnprocessedItems"].get("Orders", [])
    stored = [item for item in ddb_fake.table("Orders").items() if item["pk"]["S"].startswith("b")]
    assert len(left) == 25 - landed
    assert left == ask[landed:]
    assert sorted(item["pk"]["S"] for item in stored) == sorted(
        entry["PutRequest"]["Item"]["pk"]["S"] for entry in ask[:landed]
    )


def test_01_a_batch_of_which_nothing_can_be_processed_is_an_error(c):
    mk(c, rw=(5, 5))
    drain(put_numbered(c, "w"))

    code, _, response = err(
        lambda: c.batch_write_item(RequestItems={"Orders": [{"PutRequest": {"Item": {"pk": {"S": "b"}}}}]})
    )

    assert code == "ProvisionedThroughputExceededException"
    assert response["ThrottlingReasons"] == [
        {"reason": "TableWriteProvisionedThroughputExceeded", "resource": TABLE_ARN}
    ]


def test_02_with_nothing_left_over_the_map_is_empty(c):
    mk(c)

    written = c.batch_write_item(RequestItems={"Orders": [{"PutRequest": {"Item": {"pk": {"S": "a"}}}}]})
    read = c.batch_get_item(RequestItems={"Orders": {"Keys": [{"pk": {"S": "a"}}]}})

    assert (written["UnprocessedItems"], read["UnprocessedKeys"]) == ({}, {})


def test_03_a_throttle_is_an_http_400_with_its_own_class(c):
    mk(c, rw=(1, 1))

    code, message, response = drain(put_numbered(c))

    assert (response["ResponseMetadata"]["HTTPStatusCode"], code, message, response.get("ThrottlingReasons")) == (
        400,
        "ProvisionedThroughputExceededException",
        "The level of configured provisioned throughput for the table was exceeded. Consider increasing your "
        "provisioning level with the UpdateTable API.",
        [{"reason": "TableWriteProvisionedThroughputExceeded", "resource": TABLE_ARN}],
    )
    with pytest.raises(c.exceptions.ProvisionedThroughputExceededException):
        put_numbered(c)(0)


def test_05_an_index_with_too_little_capacity_refuses_the_write_to_its_table(c, ddb_fake):
    mk(c, rw=(1, 1000), gsi=[("IDX", "g", "ALL", (1, 1))])

    code, message, response = drain(
        lambda n: c.put_item(TableName="Orders", Item={"pk": {"S": f"k{n}"}, "g": {"S": f"g{n}"}})
    )

    assert (code, message) == (
        "ProvisionedThroughputExceededException",
        "The level of configured provisioned throughput for one or more global secondary indexes of the table was "
        "exceeded. Consider increasing your provisioning level for the under-provisioned global secondary indexes "
        "with the UpdateTable API",
    )
    assert response["ThrottlingReasons"] == [
        {"reason": "IndexWriteProvisionedThroughputExceeded", "resource": f"{TABLE_ARN}/index/IDX"}
    ]
    assert c.scan(TableName="Orders", Select="COUNT")["Count"] == 1
    c.put_item(TableName="Orders", Item={"pk": {"S": "without g"}})
    assert ddb_fake.table("Orders").item_count == 2
    ddb_fake.check_invariants()


@pytest.mark.ddb_throttle(table="Orders", partition_write_units_per_second=1)
def test_06_a_throttled_statement_is_told_inside_a_200(c, ddb_clock):
    mk(c)
    c.put_item(TableName="Orders", Item={"pk": {"S": "cold"}})
    ddb_clock.advance(1)
    drain(lambda number: c.put_item(TableName="Orders", Item={"pk": {"S": "hot"}}))

    reply = c.batch_execute_statement(
        Statements=[{"Statement": f"UPDATE \"Orders\" SET v = 1 WHERE pk = '{pk}'"} for pk in ("hot", "cold")]
    )

    assert reply["Responses"][0]["Error"] == {
        "Code": "ThrottlingError",
        "Message": "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your "
        "table or index so please try again shortly. If exceptions persist, check if you have a hot key: "
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html",
    }
    assert [response["TableName"] for response in reply["Responses"]] == ["Orders", "Orders"]
    assert "Error" not in reply["Responses"][1]


@pytest.mark.parametrize(("rw", "reason"), [((1, 2), "ProvisionedThroughputExceeded"), (None, "ThrottlingError")])
def test_07_a_transaction_stopped_by_capacity_is_cancelled_and_not_retried(c, ddb_fake, rw, reason):
    mk(c, rw=rw)
    if rw is None:
        ddb_fake.throttle(table="Orders", max_write_request_units=1)
    drain(put_numbered(c))
    sends, retrying = [], boto3.client("dynamodb", region_name="us-east-1")
    retrying.meta.events.register("before-send.dynamodb.TransactWriteItems", lambda request, **_: sends.append(1))
    actions = [{"Put": {"TableName": "Orders", "Item": {"pk": {"S": "t1"}}}}]

    code, _, response = err(lambda: retrying.transact_write_items(TransactItems=actions))

    assert (code, [part["Code"] for part in response["CancellationReasons"]], len(sends)) == (
        "TransactionCanceledException",
        [reason],
        1,
    )
    assert "ThrottlingReasons" not in response
    assert "t1" not in {item["pk"]["S"] for item in ddb_fake.table("Orders").items()}


# ------------------------------------------------------------------------------------------------- SDK retries


@pytest.fixture
def refused(ddb_fake):
    """A table of which every PutItem is refused."""
    ddb_fake.create_table("Orders")
    ddb_fake.inject(operation="PutItem", reason="TableWriteKeyRangeThroughputExceeded", times=10**6)
    return ddb_fake


def counting_client(**retries):
    config = Config(retries=retries) if retries else None
    client, sends = boto3.client("dynamodb", region_name="us-east-1", config=config), []
    client.meta.events.register("before-send.dynamodb.PutItem", lambda request, **_: sends.append(1))
    return client, sends


def put(client, pk="a"):
    return lambda: client.put_item(TableName="Orders", Item={"pk": {"S": pk}})


def test_09_how_many_sends_an_exhausted_call_makes_depends_on_the_sdk(refused):
    client, sends = counting_client()

    code, _, response = err(put(client))

    expected = STANDARD_SENDS if VERSION >= (1, 44) else 10
    assert (code, len(sends), response["ResponseMetadata"]["RetryAttempts"]) == (
        "ThrottlingException",
        expected,
        expected - 1,
    )


def test_09_legacy_mode_sends_ten_times_in_25_55_seconds(refused):
    client, sends = counting_client(mode="legacy")

    err(put(client))

    assert len(sends) == 10
    assert refused.clock.elapsed == 25.55
    assert [sleep.seconds for sleep in refused.sleeps] == [0.05 * 2**n for n in range(9)]


@pytest.mark.parametrize("mode", ["legacy", "standard", "adaptive"])
def test_09_an_explicit_number_of_attempts_wins(refused, mode):
    client, sends = counting_client(mode=mode, total_max_attempts=2)

    err(put(client))

    assert len(sends) == 2


@pytest.mark.parametrize("mode", ["legacy", "standard"])
def test_09_provisioned_capacity_is_retried_as_a_hot_key_is(ddb_fake, mode):
    ddb_fake.create_table("Orders", write_capacity_units=1)
    ddb_fake.inject(operation="PutItem", reason="TableWriteProvisionedThroughputExceeded", times=10**6)
    client, sends = counting_client(mode=mode)

    assert brief(put(client))[0] == "ProvisionedThroughputExceededException"
    assert len(sends) == (10 if mode == "legacy" else STANDARD_SENDS)


def test_09_standard_mode_draws_its_delays_from_the_seed(refused):
    client, sends = counting_client(mode="standard")

    err(put(client))

    assert len(sends) == STANDARD_SENDS
    assert len(refused.sleeps) == STANDARD_SENDS - 1
    assert all(0 <= sleep.seconds <= 2**n for n, sleep in enumerate(refused.sleeps))


def test_10_a_client_that_keeps_being_throttled_runs_out_of_retry_quota(refused):
    client, sends = counting_client(mode="standard", total_max_attempts=4)
    counts = []
    for number in range(60):
        before = len(sends)
        _, _, response = err(put(client, str(number)))
        counts.append((len(sends) - before, response["ResponseMetadata"].get("RetryQuotaReached")))

    assert (counts[0], counts[33], counts[59]) == ((4, None), (2, True), (1, True))


def test_11_batch_writer_ends_where_whole_batches_are_refused_and_the_sdk_sleeps(ddb_fake):
    ddb_fake.create_table("Orders", read_capacity_units=5, write_capacity_units=5)
    # By default botocore before 1.44 sends three times, which are too few here.
    standard = Config(retries={"mode": "standard", "total_max_attempts": 9})
    table = boto3.resource("dynamodb", region_name="us-east-1", config=standard).Table("Orders")

    with table.batch_writer() as writer:
        for number in range(2000):
            writer.put_item(Item={"pk": f"k{number}"})

    assert ddb_fake.table("Orders").item_count == 2000
    assert ddb_fake.clock.elapsed > (2000 - 5 - 1) / 5  # the last unit may be overdrawn
    assert {sleep.origin for sleep in ddb_fake.sleeps} == {"sdk"}
    with pytest.raises(AssertionError, match="BatchWriteItem"):
        ddb_fake.assert_backoff("BatchWriteItem")  # leftovers go out again at once


def test_11_batch_writer_without_an_end_is_stopped(ddb_fake):
    ddb_fake.create_table("Orders", read_capacity_units=5, write_capacity_units=5)
    ddb_fake.inject(operation="BatchWriteItem", leftover=1, times=10**6)
    table = boto3.resource("dynamodb", region_name="us-east-1").Table("Orders")

    with pytest.raises(Livelock, match=r"BatchWriteItem on Orders.*\n.*batch_writer"), table.batch_writer() as writer:
        writer.put_item(Item={"pk": "a"})

    assert ddb_fake.sleeps == []


def test_09_an_adaptive_call_is_answered_after_its_limiter_has_waited(ddb_fake):
    """What the answer sees is the table at the end of the wait: its bucket has refilled meanwhile."""
    ddb_fake.create_table("Orders", write_capacity_units=1)
    client, _ = counting_client(mode="adaptive", total_max_attempts=10)
    for number in range(3):
        put(client, str(number))()
    before = ddb_fake.clock.elapsed

    put(client, "last")()

    waits = [sleep for sleep in ddb_fake.sleeps if sleep.at_seconds >= before]
    answered = ddb_fake.calls[-1]
    assert {sleep.origin for sleep in waits} == {"sdk"}
    assert before < answered.at_seconds == ddb_fake.clock.elapsed
    assert answered.error is None


@pytest.mark.parametrize(("mode", "expected"), [("legacy", 1), ("standard", STANDARD_SENDS)])
def test_50_legacy_mode_does_not_retry_the_accounts_refusal(ddb_fake, mode, expected):
    ddb_fake.create_table("Orders")
    ddb_fake.limits(account_write_units_per_second=0)
    client, sends = counting_client(mode=mode)

    assert brief(put(client))[0] == "RequestLimitExceeded"
    assert len(sends) == expected


@pytest.mark.parametrize(("mode", "expected"), [("legacy", 1), ("standard", STANDARD_SENDS)])
def test_51_standard_mode_retries_a_quota_that_no_waiting_helps(ddb_fake, mode, expected):
    ddb_fake.limits(max_tables_per_account=0)
    client = boto3.client("dynamodb", region_name="us-east-1", config=Config(retries={"mode": mode}))

    assert brief(lambda: mk(client))[0] == "LimitExceededException"
    ddb_fake.assert_attempts("CreateTable", expected)
    assert len(ddb_fake.sleeps) == expected - 1
    assert ddb_fake.throttles == []


# ------------------------------------------------------------------------------------------------- capacity


def test_13_reading_or_deleting_nothing_costs_the_minimum(c):
    mk(c)
    key = {"pk": {"S": "no"}}
    delete = {"RequestItems": {"Orders": [{"DeleteRequest": {"Key": key}}]}}
    read = {"RequestItems": {"Orders": {"Keys": [key]}}}
    strong = {"RequestItems": {"Orders": {"Keys": [key], "ConsistentRead": True}}}

    replies = [
        c.batch_write_item(**delete, ReturnConsumedCapacity="TOTAL"),
        c.batch_get_item(**read, ReturnConsumedCapacity="TOTAL"),
        c.batch_get_item(**strong, ReturnConsumedCapacity="TOTAL"),
    ]

    assert [reply["ConsumedCapacity"][0]["CapacityUnits"] for reply in replies] == [1.0, 0.5, 1.0]


def test_14_each_index_that_stores_the_item_adds_its_own_units(c):
    mk(c, gsi=[("G1x", "a", "ALL", None), ("G2x", "b", "ALL", None)])
    items = [{"pk": {"S": "1"}, "a": {"S": "x"}, "b": {"S": "y"}}, {"pk": {"S": "2"}, "a": {"S": "x"}}]

    consumed = [
        c.put_item(TableName="Orders", Item=item, ReturnConsumedCapacity="INDEXES")["ConsumedCapacity"]
        for item in items
    ]

    assert [(part["CapacityUnits"], sorted(part.get("GlobalSecondaryIndexes", {}))) for part in consumed] == [
        (3.0, ["G1x", "G2x"]),
        (2.0, ["G1x"]),
    ]


def test_15_a_batch_reports_capacity_per_table_and_only_when_asked(c):
    mk(c)
    mk(c, "Users")
    entries = [{"PutRequest": {"Item": {"pk": {"S": "a"}, "d": {"S": "x" * 1500}}}}]
    request = {"Orders": entries, "Users": entries}

    asked = c.batch_write_item(RequestItems=request, ReturnConsumedCapacity="TOTAL")["ConsumedCapacity"]

    assert sorted((part["TableName"], part["CapacityUnits"]) for part in asked) == [("Orders", 2.0), ("Users", 2.0)]
    assert "ConsumedCapacity" not in c.batch_write_item(RequestItems=request)


def test_17_replaying_a_transaction_bills_a_transactional_read(c):
    mk(c)
    actions = [{"Put": {"TableName": "Orders", "Item": {"pk": {"S": "a"}, "d": {"S": "x" * 1500}}}}]

    consumed = [
        c.transact_write_items(ClientRequestToken="tok-1", ReturnConsumedCapacity="TOTAL", TransactItems=actions)
        for _ in range(2)
    ]

    assert [reply["ConsumedCapacity"][0] for reply in consumed] == [
        {"TableName": "Orders", "CapacityUnits": 4.0, "WriteCapacityUnits": 4.0},
        {"TableName": "Orders", "CapacityUnits": 2.0, "ReadCapacityUnits": 2.0},
    ]


def test_18_a_query_on_an_index_is_charged_on_the_index_arm(c):
    mk(c, gsi=[("IDX", "g", "ALL", None)])
    c.put_item(TableName="Orders", Item={"pk": {"S": "a"}, "g": {"S": "x"}})

    reply = c.query(
        TableName="Orders",
        IndexName="IDX",
        KeyConditionExpression="g = :g",
        ExpressionAttributeValues={":g": {"S": "x"}},
        ReturnConsumedCapacity="INDEXES",
    )

    assert reply["ConsumedCapacity"] == {
        "TableName": "Orders",
        "CapacityUnits": 0.5,
        "Table": {"CapacityUnits": 0.0},
        "GlobalSecondaryIndexes": {"IDX": {"CapacityUnits": 0.5}},
    }


def test_19_an_identical_overwrite_charges_no_index(c):
    mk(c, gsi=[("IDX", "g", "ALL", None)])
    item = {"pk": {"S": "a"}, "g": {"S": "x"}, "v": {"N": "1"}}

    first, again = (
        c.put_item(TableName="Orders", Item=item, ReturnConsumedCapacity="INDEXES")["ConsumedCapacity"]
        for _ in range(2)
    )

    assert (first["CapacityUnits"], again["CapacityUnits"], again.get("GlobalSecondaryIndexes")) == (2.0, 1.0, None)


def test_21_a_filter_or_a_projection_saves_nothing(c):
    mk(c)
    for number in range(10):
        c.put_item(TableName="Orders", Item={"pk": {"S": f"k{number}"}, "d": {"S": "x" * 3000}})

    reply = c.scan(
        TableName="Orders",
        FilterExpression="attribute_exists(nope)",
        ProjectionExpression="pk",
        ReturnConsumedCapacity="TOTAL",
    )

    assert (reply["Count"], reply["ScannedCount"], reply["ConsumedCapacity"]["CapacityUnits"]) == (0, 10, 4.0)


def test_22_read_units_follow_size_and_consistency(c):
    mk(c)
    c.put_item(TableName="Orders", Item={"pk": {"S": "a"}, "d": {"S": "x" * 20_000}})

    def units(**options):
        reply = c.get_item(TableName="Orders", Key={"pk": {"S": "a"}}, ReturnConsumedCapacity="TOTAL", **options)
        return reply["ConsumedCapacity"]["CapacityUnits"]

    gets = [{"Get": {"TableName": "Orders", "Key": {"pk": {"S": key}}}} for key in ("a", "none")]
    transaction = c.transact_get_items(TransactItems=gets, ReturnConsumedCapacity="TOTAL")

    assert (units(), units(ConsistentRead=True)) == (2.5, 5.0)
    assert transaction["ConsumedCapacity"] == [
        {"TableName": "Orders", "CapacityUnits": 12.0, "ReadCapacityUnits": 12.0}
    ]


def test_23_the_400_kb_gate_counts_to_the_byte(c):
    mk(c)

    def put_of(length):
        item = {"pk": {"S": "p"}, "n": {"N": "1E125"}, "d": {"S": "x" * length}}
        return brief(lambda: c.put_item(TableName="Orders", Item=item))

    assert put_of(409_593) == (None, None)
    assert put_of(409_594) == ("ValidationException", "Item size has exceeded the maximum allowed size")


# ------------------------------------------------------------------------------------------------- expressions


def test_25_set_and_add_of_a_set_on_an_item_that_is_not_there_yet(c):
    mk(c)
    for tag in ("a", "b"):
        c.update_item(
            TableName="Orders",
            Key={"pk": {"S": "1"}},
            UpdateExpression="SET price = if_not_exists(price, :p) ADD tags :t",
            ExpressionAttributeValues={":p": {"N": "100"}, ":t": {"SS": [tag]}},
        )

    item = c.get_item(TableName="Orders", Key={"pk": {"S": "1"}})["Item"]

    assert (item["price"], sorted(item["tags"]["SS"])) == ({"N": "100"}, ["a", "b"])


@pytest.mark.parametrize(
    ("condition", "values", "expected"),
    [
        ("size(n) > :z", {}, ("ConditionalCheckFailedException", "The conditional request failed")),
        (
            "size(:x) > :z",
            {":x": {"N": "3"}},
            (
                "ValidationException",
                "Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: "
                "size, operand type: N",
            ),
        ),
    ],
)
def test_26_size_of_a_wrong_type_is_the_requests_fault_or_just_false(c, condition, values, expected):
    mk(c)
    c.put_item(TableName="Orders", Item={"pk": {"S": "1"}, "n": {"N": "5"}})

    answer = brief(
        lambda: c.update_item(
            TableName="Orders",
            Key={"pk": {"S": "1"}},
            UpdateExpression="SET q = :q",
            ConditionExpression=condition,
            ExpressionAttributeValues={":q": {"N": "1"}, ":z": {"N": "0"}, **values},
        )
    )

    assert answer == expected


def test_27_a_projection_of_4213_bytes_is_refused(c):
    mk(c)
    names = ",".join("a" * 45 + str(number).zfill(3) for number in range(86))

    code, message = brief(lambda: c.get_item(TableName="Orders", Key={"pk": {"S": "1"}}, ProjectionExpression=names))

    assert code == "ValidationException"
    assert "Expression size has exceeded the maximum allowed size" in message


@pytest.mark.parametrize("excess_bytes", [0, 1, 117])
def test_27_an_expression_over_4096_bytes_is_refused(c, excess_bytes):
    mk(c)
    names = ["a" * 45 + f"{number:03}" for number in range(83)]
    text = ",".join(names)
    text += "," + "b" * (4096 - len(text) - 1 + excess_bytes)

    code, message = brief(lambda: c.get_item(TableName="Orders", Key={"pk": {"S": "1"}}, ProjectionExpression=text))

    if excess_bytes:
        assert code == "ValidationException"
        assert "Expression size has exceeded the maximum allowed size" in message
    else:
        assert code is None


def test_29_list_append_refuses_a_map(c):
    mk(c)
    c.put_item(TableName="Orders", Item={"pk": {"S": "1"}, "xs": {"L": []}})

    answer = brief(
        lambda: c.update_item(
            TableName="Orders",
            Key={"pk": {"S": "1"}},
            UpdateExpression="SET xs = list_append(xs, :m)",
            ExpressionAttributeValues={":m": {"M": {}}},
        )
    )

    assert answer == (
        "ValidationException",
        "Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: "
        "list_append, operand type: M",
    )


def test_30_an_update_with_only_a_key_creates_the_bare_item(c):
    mk(c)

    reply = c.update_item(TableName="Orders", Key={"pk": {"S": "1"}})

    assert "Attributes" not in reply
    assert c.get_item(TableName="Orders", Key={"pk": {"S": "1"}})["Item"] == {"pk": {"S": "1"}}


def test_30_an_update_with_only_a_key_leaves_an_item_as_it_is(c):
    mk(c)
    c.put_item(TableName="Orders", Item={"pk": {"S": "1"}, "v": {"N": "1"}})

    c.update_item(TableName="Orders", Key={"pk": {"S": "1"}})

    assert c.get_item(TableName="Orders", Key={"pk": {"S": "1"}})["Item"] == {"pk": {"S": "1"}, "v": {"N": "1"}}


def test_31_set_past_the_end_of_a_list_appends(c):
    mk(c)
    c.put_item(TableName="Orders", Item={"pk": {"S": "1"}, "xs": {"L": [{"S": "a"}]}})

    reply = c.update_item(
        TableName="Orders",
        Key={"pk": {"S": "1"}},
        UpdateExpression="SET xs[9] = :v",
        ExpressionAttributeValues={":v": {"S": "z"}},
        ReturnValues="ALL_NEW",
    )

    assert reply["Attributes"]["xs"] == {"L": [{"S": "a"}, {"S": "z"}]}


# ------------------------------------------------------------------------------------------------- paging, indexes


def test_33_limit_counts_items_read_not_items_matched(c):
    mk(c)
    for number in range(6):
        put_numbered(c)(number)

    reply = c.scan(TableName="Orders", Limit=2, FilterExpression="attribute_exists(nope)")

    assert (reply["Count"], reply["ScannedCount"], "LastEvaluatedKey" in reply) == (0, 2, True)


def test_34_a_page_that_ends_on_the_last_item_still_has_a_cursor(c):
    mk(c, gsi=[("IDX", "g", "ALL", None)])
    for number in range(3):
        c.put_item(TableName="Orders", Item={"pk": {"S": f"k{number}"}, "g": {"S": "same"}})

    def page(**options):
        return c.query(
            TableName="Orders",
            IndexName="IDX",
            KeyConditionExpression="g = :g",
            ExpressionAttributeValues={":g": {"S": "same"}},
            **options,
        )

    full = page(Limit=3)
    rest = page(Limit=3, ExclusiveStartKey=full["LastEvaluatedKey"])

    assert sorted(full["LastEvaluatedKey"]) == ["g", "pk"]
    assert (rest["Count"], "LastEvaluatedKey" in rest) == (0, False)
    assert "LastEvaluatedKey" not in page(Limit=4)


def test_35_reading_an_index_returns_only_what_it_projects(c):
    mk(c, gsi=[("IDX", "g", "KEYS_ONLY", None)])
    c.put_item(TableName="Orders", Item={"pk": {"S": "a"}, "g": {"S": "x"}, "secret": {"S": "s"}})
    c.put_item(TableName="Orders", Item={"pk": {"S": "b"}, "secret": {"S": "s"}})

    assert c.scan(TableName="Orders", IndexName="IDX")["Items"] == [{"pk": {"S": "a"}, "g": {"S": "x"}}]


def test_37_strongly_consistent_reads_of_a_global_index_are_refused(c):
    mk(c, gsi=[("IDX", "g", "ALL", None)])

    answer = brief(
        lambda: c.query(
            TableName="Orders",
            IndexName="IDX",
            ConsistentRead=True,
            KeyConditionExpression="g = :g",
            ExpressionAttributeValues={":g": {"S": "x"}},
        )
    )

    assert answer == ("ValidationException", "Consistent reads are not supported on global secondary indexes")


def test_47_update_table_applies_a_new_throughput_to_an_index(c, ddb_fake):
    mk(c, rw=(5, 5), gsi=[("IDX", "g", "ALL", (5, 5))])
    update = {"IndexName": "IDX", "ProvisionedThroughput": throughput((7, 9))}

    c.update_table(TableName="Orders", GlobalSecondaryIndexUpdates=[{"Update": update}])

    c.get_waiter("table_exists").wait(TableName="Orders")
    described = c.describe_table(TableName="Orders")["Table"]["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"]
    assert (described["ReadCapacityUnits"], described["WriteCapacityUnits"]) == (7, 9)
    ddb_fake.table("Orders").drain("write", "IDX")
    ddb_fake.clock.advance(1)
    assert ddb_fake.table("Orders").balance("write", "IDX") == 9


# ------------------------------------------------------------------------------------------------- transactions


def test_38_a_cancelled_transaction_lists_one_reason_per_action(c, ddb_fake):
    mk(c)
    c.put_item(TableName="Orders", Item={"pk": {"S": "a"}, "v": {"N": "1"}})
    check = {
        "TableName": "Orders",
        "Key": {"pk": {"S": "a"}},
        "ConditionExpression": "v = :x",
        "ExpressionAttributeValues": {":x": {"N": "9"}},
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    actions = [{"Put": {"TableName": "Orders", "Item": {"pk": {"S": "new"}}}}, {"ConditionCheck": check}]

    code, message, response = err(lambda: c.transact_write_items(TransactItems=actions))

    assert (code, message, response["CancellationReasons"]) == (
        "TransactionCanceledException",
        "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]",
        [
            {"Code": "None"},
            {
                "Code": "ConditionalCheckFailed",
                "Message": "The conditional request failed",
                "Item": {"pk": {"S": "a"}, "v": {"N": "1"}},
            },
        ],
    )
    assert b'"Message":"Transaction cancelled' in ddb_fake.calls[-1].body
    assert "Item" not in c.get_item(TableName="Orders", Key={"pk": {"S": "new"}})


def test_39_a_request_token_makes_a_repeat_a_no_op_and_a_changed_body_an_error(c, ddb_clock):
    mk(c)
    c.put_item(TableName="Orders", Item={"pk": {"S": "x"}, "n": {"N": "0"}})

    def add(by):
        update = {
            "TableName": "Orders",
            "Key": {"pk": {"S": "x"}},
            "UpdateExpression": "ADD n :by",
            "ExpressionAttributeValues": {":by": {"N": by}},
        }
        return c.transact_write_items(ClientRequestToken="tok", TransactItems=[{"Update": update}])

    def total():
        return c.get_item(TableName="Orders", Key={"pk": {"S": "x"}})["Item"]["n"]

    add("1")
    add("1")
    assert total() == {"N": "1"}
    assert brief(lambda: add("2"))[0] == "IdempotentParameterMismatchException"
    ddb_clock.advance(600)
    add("2")
    assert total() == {"N": "3"}


# ------------------------------------------------------------------------------------------------- batches, numbers


def test_41_duplicate_keys_in_one_batch_are_refused(c):
    mk(c)
    key = {"pk": {"S": "a"}}
    writes = [{"PutRequest": {"Item": key}}, {"DeleteRequest": {"Key": key}}]
    duplicates = ("ValidationException", "Provided list of item keys contains duplicates")

    assert brief(lambda: c.batch_get_item(RequestItems={"Orders": {"Keys": [key, key]}})) == duplicates
    assert brief(lambda: c.batch_write_item(RequestItems={"Orders": writes})) == duplicates


def test_42_more_than_100_keys_are_refused(c):
    mk(c)
    mk(c, "Users")

    def keys(count):
        return {"Keys": [{"pk": {"S": str(number)}} for number in range(count)]}

    code, message = brief(lambda: c.batch_get_item(RequestItems={"Orders": keys(101)}))
    assert code == "ValidationException"
    assert "less than or equal to 100" in message
    assert brief(lambda: c.batch_get_item(RequestItems={"Orders": keys(51), "Users": keys(50)})) == (
        "ValidationException",
        "Too many items requested for the BatchGetItem call",
    )


@STORE_ONLY
def test_43_a_batch_read_stops_near_16_mb_and_hands_back_the_rest(c, ddb_fake):
    mk(c)
    ddb_fake.table("Orders").load({"pk": f"k{number}", "d": "x" * 300_000} for number in range(60))

    reply = c.batch_get_item(
        RequestItems={
            "Orders": {
                "Keys": [{"pk": {"S": f"k{number}"}} for number in range(60)],
                "ConsistentRead": True,
                "ProjectionExpression": "#d",
                "ExpressionAttributeNames": {"#d": "d"},
            }
        }
    )

    left = reply["UnprocessedKeys"]["Orders"]
    assert len(reply["Responses"]["Orders"]) + len(left["Keys"]) == 60
    assert 0 < len(left["Keys"]) < 20
    assert (left["ConsistentRead"], left["ProjectionExpression"], left["ExpressionAttributeNames"]) == (
        True,
        "#d",
        {"#d": "d"},
    )
    assert "UnprocessedKeys" in c.batch_get_item(RequestItems=reply["UnprocessedKeys"])


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
        ("1" * 39, "ValidationException"),
        ("00042", "42"),
        ("3.140", "3.14"),
        ("1.5E2", "150"),
        ("-0", "0"),
        ("1E126", "ValidationException"),
        ("1E-131", "ValidationException"),
    ],
)
def test_45_numbers_round_trip_exactly_or_are_refused(c, sent, answer):
    mk(c)

    error = err(lambda: c.put_item(TableName="Orders", Item={"pk": {"S": "a"}, "n": {"N": sent}}))

    got = error[0] if error else c.get_item(TableName="Orders", Key={"pk": {"S": "a"}})["Item"]["n"]["N"]
    assert got == answer


def test_46_an_expired_item_is_read_until_it_is_deleted(c):
    mk(c)
    c.update_time_to_live(TableName="Orders", TimeToLiveSpecification={"Enabled": True, "AttributeName": "exp"})

    c.put_item(TableName="Orders", Item={"pk": {"S": "a"}, "exp": {"N": "1"}})

    assert "Item" in c.get_item(TableName="Orders", Key={"pk": {"S": "a"}})
    assert c.scan(TableName="Orders")["Count"] == 1
