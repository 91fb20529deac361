"""The sweep by itself: what is refused, what an outcome is called, what stands afterwards."""

from __future__ import annotations

import random
import re
import time
from contextlib import suppress

import pytest
from botocore.exceptions import ClientError

from pytest_ddbthrottle import FakeDynamoDB


def outcomes(report):
    return [(point.number, point.reason, point.outcome) for point in report.points]


PROVISIONED = "TableWriteProvisionedThroughputExceeded"


def test_each_call_is_refused_once_in_its_turn(ddb_fake, ddb_client, orders, put, surely):
    def scenario():
        put("a")
        ddb_client.describe_table(TableName="orders")
        surely("b")

    report = ddb_fake.sweep(scenario)

    assert outcomes(report) == [(1, PROVISIONED, "raised"), (3, PROVISIONED, "recovered")]
    assert [[call.error for call in point.calls] for point in report.points] == [
        ["ProvisionedThroughputExceededException"],
        [None, None, "ProvisionedThroughputExceededException", None],
    ]
    assert [call.operation for call in report.calls] == ["PutItem", "DescribeTable", "PutItem"]


def test_the_account_stands_as_after_the_run_without_a_refusal(ddb_fake, orders, surely, account_state):
    surely("before")
    snapshot = ddb_fake.snapshot()
    ddb_fake.inject(operation="PutItem", error="ServiceUnavailable", after=1)

    def scenario():
        time.sleep(random.random())
        surely("a")
        surely("b")

    ddb_fake.sweep(scenario)
    swept = account_state(ddb_fake._engine), list(ddb_fake.calls), list(ddb_fake.sleeps), ddb_fake.clock.elapsed
    ids = [call.headers["x-amzn-RequestId"] for call in ddb_fake.calls]

    assert orders.item_count == 3
    assert [call.error for call in swept[1]] == [None, None, "ServiceUnavailable", None]
    assert [sleep.seconds for sleep in swept[2]][1:] == [1]
    assert swept[3] == pytest.approx(sum(sleep.seconds for sleep in swept[2]), abs=1e-5)
    assert len(set(ids)) == len(ids)
    assert not ddb_fake.unfired()
    assert len(ddb_fake._engine.scripted_rules) == 1
    ddb_fake.restore(snapshot)
    assert orders.item_count == 1


def test_each_run_begins_at_the_same_instant_with_the_same_dice(ddb_fake, orders, surely):
    begun = []

    def scenario():
        begun.append((ddb_fake.clock.elapsed, time.time(), random.random(), orders.item_count, len(ddb_fake.calls)))
        surely("a")
        surely("b")

    ddb_fake.clock.advance(5)
    ddb_fake.sweep(scenario)

    assert len(begun) == 3
    assert len(set(begun)) == 1


def test_a_refusal_holds_until_the_clock_moves(ddb_fake, orders, put):
    def scenario():
        for _ in range(3):
            try:
                return put("a")
            except ClientError:
                pass
        raise TimeoutError("gave up")

    report = ddb_fake.sweep(scenario)

    assert outcomes(report) == [(1, PROVISIONED, "raised")]
    assert len(report.points[0].calls) == 3


@pytest.mark.parametrize("clock", ["sdk", "real"])
def test_where_sleeps_do_not_move_the_clock_a_refusal_hits_one_call(clock, monkeypatch):
    boto3 = pytest.importorskip("boto3")
    client = boto3.client("dynamodb", "us-east-1", aws_access_key_id="any", aws_secret_access_key="any")
    waited = []
    with FakeDynamoDB(clock=clock) as fake:
        fake.create_table("orders", max_write_request_units=5)

        def scenario():
            while True:
                try:
                    return client.transact_write_items(
                        TransactItems=[{"Put": {"TableName": "orders", "Item": {"pk": {"S": "a"}}}}]
                    )
                except client.exceptions.TransactionCanceledException:
                    waited.append(1)

        report = fake.sweep(scenario)

    assert [point.outcome for point in report.points] == ["recovered"]
    assert len(waited) == 1


CAP = "MaxOnDemandThroughputExceeded"


@pytest.mark.parametrize(
    ("names", "likeliest", "each"),
    [
        (
            {"write_capacity_units": 50},
            "TableWriteProvisionedThroughputExceeded",
            [
                "TableWriteProvisionedThroughputExceeded",
                "TableWriteKeyRangeThroughputExceeded",
                "TableWriteAccountLimitExceeded",
                "IndexWriteProvisionedThroughputExceeded",
                "IndexWriteKeyRangeThroughputExceeded",
            ],
        ),
        (
            {"max_write_request_units": 50},
            "TableWriteMaxOnDemandThroughputExceeded",
            [
                "TableWriteKeyRangeThroughputExceeded",
                "TableWriteMaxOnDemandThroughputExceeded",
                "IndexWriteKeyRangeThroughputExceeded",
                "IndexWriteAccountLimitExceeded",
            ],
        ),
        (
            {},
            "TableWriteKeyRangeThroughputExceeded",
            [
                "TableWriteKeyRangeThroughputExceeded",
                "TableWriteAccountLimitExceeded",
                "IndexWriteKeyRangeThroughputExceeded",
                "IndexWriteAccountLimitExceeded",
            ],
        ),
    ],
    ids=["provisioned", "capped", "on-demand"],
)
def test_a_write_is_refused_for_what_its_table_can_give(ddb_fake, surely, names, likeliest, each):
    ddb_fake.create_table("orders", indexes={"by_status": "status:S"}, **names)

    def scenario():
        surely("a", status={"S": "OPEN"})

    swept = []
    snapshot = ddb_fake.snapshot()
    for reasons in (None, "all", each[:1]):
        ddb_fake.restore(snapshot)
        swept.append([point.reason for point in ddb_fake.sweep(scenario, reasons=reasons).points])

    assert swept == [[likeliest], each, each[:1]]


def batch(client, *entries):
    waiting = {}
    for table, key in entries:
        waiting.setdefault(table, []).append({"PutRequest": {"Item": {"pk": {"S": key}}}})
    while waiting:
        with suppress(ClientError):
            waiting = client.batch_write_item(RequestItems=waiting)["UnprocessedItems"]
        time.sleep(1)


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([("orders", "a")], [("orders", PROVISIONED)]),
        ([("orders", "a"), ("orders", "b")], [("orders", PROVISIONED), ("orders", "leftovers")]),
        (
            [("orders", "a"), ("bills", "b")],
            [("orders", PROVISIONED), ("bills", "TableWriteKeyRangeThroughputExceeded"), ("orders", "leftovers")],
        ),
    ],
    ids=["of-one", "of-two", "of-two-tables"],
)
def test_a_batch_is_refused_and_left_over(ddb_fake, ddb_client, orders, entries, expected):
    ddb_fake.create_table("bills")

    report = ddb_fake.sweep(lambda: batch(ddb_client, *entries))

    assert [(point.table, point.reason) for point in report.points] == expected
    report.assert_all_recovered()


def test_a_pair_is_refused_where_one_alone_did_no_harm(ddb_fake, orders, put, surely):
    ddb_fake.create_table("dead_letters")

    def scenario():
        for key in "ab":
            try:
                put(key)
            except ClientError:
                time.sleep(1)
                put(key, "dead_letters")

    def check():
        assert orders.item_count + ddb_fake.table("dead_letters").item_count == 2

    snapshot = ddb_fake.snapshot()
    alone = ddb_fake.sweep(scenario, check=check)
    ddb_fake.restore(snapshot)
    report = ddb_fake.sweep(scenario, check=check, pairs=True)

    alone.assert_all_recovered()
    assert [[fault.number for fault in point.faults] for point in report.points] == [[1], [1, 2], [1, 3], [2], [2, 3]]
    assert [[fault.number for fault in point.faults] for point in report.findings] == [[1, 2], [2, 3]]
    assert report.findings[0].title == (
        "call 1, PutItem on orders: TableWriteProvisionedThroughputExceeded and "
        "call 2, PutItem on dead_letters: TableWriteKeyRangeThroughputExceeded"
    )


class OrderRefused(Exception):
    """The application's own."""


@pytest.mark.parametrize(
    ("may_raise", "raised", "is_finding"),
    [
        (False, None, True),
        (True, None, False),
        (True, OrderRefused, False),
        (True, KeyError, True),
        (OrderRefused, OrderRefused, False),
        (OrderRefused, None, True),
        ((KeyError, OrderRefused), OrderRefused, False),
    ],
)
def test_an_exception_that_escapes_is_a_finding_unless_it_may(ddb_fake, orders, put, may_raise, raised, is_finding):
    def scenario():
        try:
            put("a")
        except ClientError as error:
            refused = error
        else:
            return
        if raised is None:
            raise refused
        if raised is OrderRefused:
            raise OrderRefused("a") from refused
        raise raised("UnprocessedItems")

    (point,) = ddb_fake.sweep(scenario, may_raise=may_raise).points

    assert (point.outcome, point.is_finding) == ("raised", is_finding)
    assert "test_sweep.py:" in point.detail or "conftest.py:" in point.detail


def test_a_check_is_asked_after_an_allowed_exception_as_well(ddb_fake, orders, put):
    def scenario():
        put("a")
        put("b")

    def check(fake):
        assert fake.table("orders").item_count in (0, 2), "half an order"

    report = ddb_fake.sweep(scenario, may_raise=True, check=check)

    assert [point.outcome for point in report.points] == ["raised", "lost"]
    assert "half an order" in report.findings[0].detail


def test_an_assertion_of_the_scenario_is_a_loss(ddb_fake, orders, put):
    def scenario():
        with suppress(ClientError):
            put("a")
        assert orders.item_count == 1, "no order"

    (point,) = ddb_fake.sweep(scenario).points

    assert point.outcome == "lost"
    assert point.detail.startswith("AssertionError at test_sweep.py:")


def later(key):
    time.sleep(0.1)
    return key


LOSSES = {
    "missing": (lambda put, key: None, "orders: 1 item missing (pk=a)"),
    "too many": (lambda put, key: (put(later(key)), put("z")), "orders: 1 item too many (pk=z)"),
    "different": (lambda put, key: put(later(key), late={"BOOL": True}), "orders: 1 item different (pk=a)"),
}


@pytest.mark.parametrize(("repair", "detail"), LOSSES.values(), ids=LOSSES)
def test_items_are_compared_with_the_run_without_a_refusal(ddb_fake, orders, put, repair, detail):
    def scenario():
        try:
            put("a")
        except ClientError:
            repair(put, "a")

    (point,) = ddb_fake.sweep(scenario).points

    assert (point.outcome, point.detail) == ("lost", detail)


def test_tables_are_compared_as_well(ddb_fake, orders, put):
    def scenario():
        try:
            put("a")
        except ClientError:
            ddb_fake.create_table("besides")
        else:
            ddb_fake.create_table("wanted")
            ddb_fake.create_table("missed")

    (point,) = ddb_fake.sweep(scenario).points

    assert point.detail == (
        "table missed is missing; table wanted is missing; table besides was not to be; orders: 1 item missing (pk=a)"
    )


def test_many_findings_are_counted(ddb_fake, orders, put):
    def scenario():
        for number in range(22):
            with suppress(ClientError):
                put(str(number))

    report = ddb_fake.sweep(scenario)

    with pytest.raises(AssertionError) as failed:
        report.assert_all_recovered()
    lines = str(failed.value).splitlines()
    assert lines[0].endswith("22 of 22 refusals had another end")
    assert [line.rpartition("  ")[2] for line in lines[2:-2]] == [
        f"orders: 1 item missing (pk={number})" for number in range(20)
    ]
    assert lines[-2] == "and 2 more"


def test_four_missing_items_are_not_all_named(ddb_fake, orders, put):
    def scenario():
        with suppress(ClientError):
            put("a")
            for key in "bcd":
                put(key)

    (first, *_) = ddb_fake.sweep(scenario).points

    assert re.fullmatch(r"orders: 4 items missing \(pk=., pk=., pk=., …\)", first.detail)


@pytest.mark.parametrize("operation", ["scan", "query"])
def test_a_refused_page_is_refused_again_at_the_same_instant(ddb_fake, ddb_client, orders, operation):
    orders.load([{"pk": "a"}, {"pk": "b"}])
    orders.throttle(read_capacity_units=50)
    condition = {"KeyConditionExpression": "pk = :pk", "ExpressionAttributeValues": {":pk": {"S": "a"}}}

    def scenario():
        for _ in range(2):
            with suppress(ClientError):
                getattr(ddb_client, operation)(TableName="orders", **(condition if operation == "query" else {}))

    point, *_ = ddb_fake.sweep(scenario).points

    assert [call.error for call in point.calls] == ["ProvisionedThroughputExceededException"] * 2


def test_a_refused_batch_holds_for_all_its_keys_and_no_others(ddb_fake, ddb_client, orders, put):
    def scenario():
        entries = [{"PutRequest": {"Item": {"pk": {"S": key}}}} for key in "ab"]
        with suppress(ClientError):
            ddb_client.batch_write_item(RequestItems={"orders": entries})
        for key in "abc":
            with suppress(ClientError):
                put(key)

    point, *_ = ddb_fake.sweep(scenario).points

    assert [call.error for call in point.calls] == ["ProvisionedThroughputExceededException"] * 3 + [None]


def test_a_loop_that_sleeps_for_ever_is_hung(ddb_fake, orders, put):
    def scenario():
        try:
            put("a")
        except ClientError:
            while True:
                time.sleep(60)

    (point,) = ddb_fake.sweep(scenario).points

    assert point.outcome == "hung"
    assert point.detail == "PutItem on orders after 1 call: 3600 virtual seconds have passed, and no end"


def test_a_loop_that_calls_for_ever_is_hung(ddb_fake, put):
    ddb_fake.create_table("orders", write_capacity_units=500)

    def scenario():
        try:
            put("a")
        except ClientError:
            time.sleep(1)
            while True:
                put("b")

    (point,) = ddb_fake.sweep(scenario).points

    assert point.outcome == "hung"
    assert point.detail == "PutItem on orders after 110 calls: 110 calls were made, and no end"
    assert ddb_fake.clock.elapsed == 0


def test_a_report_reads_as_a_table(ddb_fake, orders, surely, put):
    def scenario():
        surely("a")
        with suppress(ClientError):
            put("b")

    report = ddb_fake.sweep(scenario)

    assert str(report).splitlines() == [
        "2 refusals over 2 calls: 1 recovered and 1 lost",
        "call  operation  table   refused with                             outcome    what happened",
        "   1  PutItem    orders  TableWriteProvisionedThroughputExceeded  recovered",
        "   2  PutItem    orders  TableWriteProvisionedThroughputExceeded  lost       orders: 1 item missing (pk=b)",
    ]
    with pytest.raises(AssertionError) as failed:
        report.assert_all_recovered()
    assert str(failed.value).splitlines() == [
        "expected the scenario to come through every refusal; 1 of 2 refusals had another end",
        "call  operation  table   refused with                             outcome  what happened",
        "   2  PutItem    orders  TableWriteProvisionedThroughputExceeded  lost     orders: 1 item missing (pk=b)",
        "may_raise=True allows a throttling error to escape, check= says itself what must be true: docs/how-to/sweep.md",
    ]


def test_a_scenario_that_differs_from_run_to_run_ends_the_sweep(ddb_fake, orders, surely):
    runs = []

    def scenario():
        runs.append(1)
        if len(runs) == 1:
            surely("a")
        orders.load([{"pk": "b"}])

    with pytest.raises(RuntimeError, match="call 1 was PutItem on orders, and another time is not"):
        ddb_fake.sweep(scenario)
    assert orders.item_count == 2


@pytest.mark.parametrize(
    ("scenario", "names", "error", "text"),
    [
        (lambda: None, {}, ValueError, "the scenario made no call that can be refused. Does it run the code"),
        (
            lambda: None,
            {"reasons": ["leftovers"]},
            ValueError,
            r"no call that can be refused for reasons=\['leftovers'",
        ),
        (None, {}, TypeError, "the scenario is None; a function is needed"),
        (print, {"pair": True}, TypeError, r"sweep\(\) has no argument 'pair'. Did you mean 'pairs'\?"),
        (print, {"pairs": 2}, ValueError, "pairs=2: True or False is needed"),
        (print, {"check": 2}, ValueError, "check=2: a function is needed"),
        (print, {"may_raise": "all"}, ValueError, "may_raise='all': True, False, an exception's class or several"),
        (print, {"reasons": []}, ValueError, r"reasons=\[\]: None, 'all' or a list of reasons is needed"),
        (print, {"reasons": "leftovers"}, ValueError, "reasons='leftovers': None, 'all' or a list"),
        (print, {"reasons": ["leftover"]}, ValueError, "'leftover' is none of the sixteen, nor 'leftovers'. Did you"),
    ],
)
def test_what_a_sweep_can_not_do_is_said(ddb_fake, scenario, names, error, text):
    with pytest.raises(error, match=text):
        ddb_fake.sweep(scenario, **names)


def test_what_the_run_without_a_refusal_raises_is_raised(ddb_fake, ddb_client, orders, put):
    def scenario():
        put("a")
        raise KeyError("my own")

    with pytest.raises(KeyError, match="my own"):
        ddb_fake.sweep(scenario)


def test_a_scenario_may_take_the_fake_and_script_for_itself(ddb_fake, orders, surely):
    def scenario(fake):
        with fake.inject(operation="PutItem", error="InternalServerError"):
            surely("a")
        fake.inject(operation="PutItem", latency_seconds=1, optional=True)

    report = ddb_fake.sweep(scenario)

    assert outcomes(report) == [(2, PROVISIONED, "recovered")]
    assert len(ddb_fake._engine.scripted_rules) == 1


def test_a_table_that_the_scenario_makes_and_deletes_is_swept_as_well(ddb_fake, ddb_client, orders, surely):
    def scenario():
        ddb_fake.create_table("scratch")
        surely("a", "scratch")
        surely("b")
        ddb_client.delete_table(TableName="scratch")

    report = ddb_fake.sweep(scenario)

    assert [(point.number, point.table) for point in report.points] == [(1, "scratch"), (2, "orders")]


def test_a_call_is_refused_in_the_billing_mode_of_its_instant(ddb_fake, ddb_client, surely):
    ddb_fake.create_table("orders")

    def scenario():
        surely("a")
        ddb_client.update_table(
            TableName="orders",
            BillingMode="PROVISIONED",
            ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
        )
        surely("b")

    report = ddb_fake.sweep(scenario)

    assert outcomes(report) == [
        (1, "TableWriteKeyRangeThroughputExceeded", "recovered"),
        (3, "TableWriteProvisionedThroughputExceeded", "recovered"),
    ]


def test_a_batch_writer_comes_through_leftovers(ddb_fake, ddb_resource, orders):
    def scenario():
        with ddb_resource.Table("orders").batch_writer() as batch:
            for key in "abc":
                batch.put_item(Item={"pk": key})

    report = ddb_fake.sweep(scenario, reasons=["leftovers"])

    assert outcomes(report) == [(1, "leftovers", "recovered")]
    assert [call.operation for call in report.points[0].calls] == ["BatchWriteItem", "BatchWriteItem"]


def test_reads_and_indexes_are_refused_by_their_own(ddb_fake, ddb_client):
    ddb_fake.create_table("orders", indexes={"by_status": "status:S"}, read_capacity_units=5)
    query = {
        "KeyConditionExpression": "#status = :open",
        "ExpressionAttributeNames": {"#status": "status"},
        "ExpressionAttributeValues": {":open": {"S": "OPEN"}},
    }

    def scenario():
        ddb_client.get_item(TableName="orders", Key={"pk": {"S": "a"}})
        ddb_client.query(TableName="orders", IndexName="by_status", **query)
        ddb_client.transact_get_items(TransactItems=[{"Get": {"TableName": "orders", "Key": {"pk": {"S": "a"}}}}])

    report = ddb_fake.sweep(scenario, may_raise=True)

    assert outcomes(report) == [
        (1, "TableReadProvisionedThroughputExceeded", "raised"),
        (2, "IndexReadProvisionedThroughputExceeded", "raised"),
        (3, "TableReadProvisionedThroughputExceeded", "raised"),
    ]
    assert report.findings == []
    assert report.points[2].calls[-1].error == "TransactionCanceledException"
