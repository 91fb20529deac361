"""A table's handle: its items, its buckets, its rules; and what a wrong name is told."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from boto3.dynamodb.types import Binary

from pytest_ddbthrottle._table_handle import Partition

WIRE = {
    "pk": {"S": "a"},
    "n": {"N": "1.5"},
    "b": {"B": "AAE="},
    "t": {"BOOL": True},
    "z": {"NULL": True},
    "l": {"L": [{"S": "x"}, {"N": "2"}]},
    "m": {"M": {"k": {"S": "v"}}},
    "ss": {"SS": ["x", "y"]},
    "ns": {"NS": ["1", "2"]},
    "bs": {"BS": ["AA==", "AQ=="]},
}
PLAIN = {
    "pk": "a",
    "n": Decimal("1.5"),
    "b": b"\0\1",
    "t": True,
    "z": None,
    "l": ["x", 2],
    "m": {"k": "v"},
    "ss": {"x", "y"},
    "ns": {1, 2},
    "bs": {b"\0", b"\1"},
}


@pytest.fixture
def orders(fake):
    return fake.create_table(
        "orders", indexes={"by_status": "status:S"}, read_capacity_units=10, write_capacity_units=5
    )


def test_a_handle_names_its_table_and_its_arns(orders):
    assert (orders.name, orders.region) == ("orders", "us-east-1")
    assert orders.arn == "arn:aws:dynamodb:us-east-1:123456789012:table/orders"
    assert orders.index_arn("by_status") == f"{orders.arn}/index/by_status"
    assert repr(orders) == "<TableHandle orders in us-east-1>"


def test_a_handle_speaks_of_the_table_that_has_the_name_now(fake, send, orders):
    orders.load([{"pk": "1"}])
    send("DeleteTable", TableName="orders")

    with pytest.raises(LookupError, match=r"^no table 'orders' in us-east-1; there are: none$"):
        _ = orders.item_count
    fake.create_table("orders")

    assert orders.item_count == 0


@pytest.mark.parametrize("items", [[WIRE], [PLAIN], iter([PLAIN])])
def test_items_are_loaded_plain_or_in_wire_form_and_read_back_in_both(orders, items):
    orders.load(items)

    assert orders.items() == [WIRE]
    assert orders.items(plain=True) == [PLAIN]


def test_what_boto3_s_resource_reads_can_be_loaded(orders):
    orders.load([{"pk": "a", "b": Binary(b"\0\1"), "bs": {Binary(b"\0")}}])

    assert orders.items(plain=True) == [{"pk": "a", "b": b"\0\1", "bs": {b"\0"}}]


def test_loading_is_neither_charged_nor_throttled_nor_in_the_journal(fake, orders):
    orders.drain("write")

    orders.load({"pk": str(number), "status": "OPEN", "text": "x" * 2000} for number in range(100))

    assert orders.item_count == 100
    assert orders.balance("write") == 0
    assert (fake.calls, orders.partitions) == ([], [])


def test_loading_replaces_and_the_indexes_follow(send, orders):
    orders.load([{"pk": "a", "status": "OPEN"}, {"pk": "a", "status": "NEW"}])

    orders.load([{"pk": "a", "status": "DONE"}])

    assert [item["status"] for item in send("Scan", TableName="orders", IndexName="by_status")["Items"]] == [
        {"S": "DONE"}
    ]


@pytest.mark.parametrize(
    ("bad", "error", "message"),
    [
        (
            {"id": "x"},
            ValueError,
            "load: item 1, {'id': 'x'}: One or more parameter values were invalid: Missing the key pk in the item",
        ),
        (
            {"pk": 5},
            ValueError,
            "load: item 1, {'pk': 5}: One or more parameter values were invalid: "
            "Type mismatch for key pk expected: S actual: N",
        ),
        (
            {"pk": "x", "status": 5},
            ValueError,
            "load: item 1, {'pk': 'x', 'status': 5}: One or more parameter values were invalid: "
            "Type mismatch for Index Key status Expected: S Actual: N IndexName: by_status",
        ),
        (
            {"pk": "x", "text": "x" * 500_000},
            ValueError,
            "load: item 1, {'pk': 'x', 'text': 'xxxxxxxxxxxx...xxxxxxxxxxxxx'}: "
            "Item size has exceeded the maximum allowed size",
        ),
        ({"pk": "x", "n": 0.5}, TypeError, "load: item 1, {'n': 0.5, 'pk': 'x'}: 0.5 (float) has no DynamoDB type"),
        (
            {"pk": "x", "s": {1, "a"}},
            TypeError,
            "load: item 1, {'pk': 'x', 's': {1, 'a'}}: {1, 'a'}: "
            "a set needs members of one type, str, int, Decimal or bytes",
        ),
    ],
)
def test_an_item_that_can_not_be_loaded_is_named_and_none_is_stored(orders, bad, error, message):
    with pytest.raises(error) as caught:
        orders.load([{"pk": "good"}, bad, {"pk": "good too"}])

    assert str(caught.value).replace("{'a', 1}", "{1, 'a'}") == message
    assert orders.item_count == 0


@pytest.mark.parametrize("index", [None, "by_status"])
@pytest.mark.parametrize(("direction", "rate"), [("read", 10), ("write", 5)])
def test_a_bucket_is_read_filled_drained_and_spent(orders, direction, rate, index):
    said = [orders.balance(direction, index)]

    for act in (orders.fill, orders.drain, lambda *where: orders.spend_burst(where[0], 1, where[1])):
        act(direction, index)
        said.append(orders.balance(direction, index))

    assert said == [rate, 300 * rate, 0, 0]


def test_the_buckets_of_directions_and_indexes_are_apart(orders):
    orders.drain("write", "by_status")

    assert [orders.balance(*which) for which in (("read",), ("write",), ("read", "by_status"))] == [10, 5, 10]


def test_background_work_spends_what_is_there_and_no_more(orders):
    orders.fill("write")

    orders.spend_burst("write", 1400)
    after_first = orders.balance("write")
    orders.spend_burst("write", 1400)

    assert (after_first, orders.balance("write")) == (100, 0)


def test_an_overdraw_is_a_negative_balance(orders, put):
    put("1", text={"S": "x" * 20_000})

    assert orders.balance("write") == -15


def test_a_drained_bucket_refuses_the_next_request(orders, put):
    orders.drain("write")

    assert put("1") == "TableWriteProvisionedThroughputExceeded"


def test_a_drained_index_refuses_a_write_that_it_must_follow(orders, put):
    orders.drain("write", "by_status")

    assert put("1", status={"S": "OPEN"}) == "IndexWriteProvisionedThroughputExceeded"
    assert put("1") is None


def test_an_on_demand_balance_is_the_scarcer_of_growth_and_quota(fake, send):
    table = fake.create_table("orders")

    before = table.balance("write")
    send("PutItem", TableName="orders", Item={"pk": {"S": "a"}})

    assert (before, table.balance("write")) == (4000, 3999)


@pytest.mark.parametrize("act", ["balance", "drain", "fill"])
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("writes",), ValueError, "direction='writes': allowed are 'read' and 'write'. Did you mean 'write'?"),
        (("both",), ValueError, "direction='both': allowed are 'read' and 'write'"),
        (
            ("read", "by_statu"),
            LookupError,
            "no index 'by_statu' on table 'orders'; there are: by_status. Did you mean 'by_status'?",
        ),
        (("read", "zzz"), LookupError, "no index 'zzz' on table 'orders'; there are: by_status"),
    ],
)
def test_a_wrong_bucket_is_told_what_there_is(orders, act, arguments, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        getattr(orders, act)(*arguments)


def test_a_local_index_has_no_bucket(fake, send):
    key = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "at", "KeyType": "RANGE"}]
    send(
        "CreateTable",
        TableName="events",
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "at")],
        KeySchema=key,
        LocalSecondaryIndexes=[{"IndexName": "local", "KeySchema": key, "Projection": {"ProjectionType": "ALL"}}],
        BillingMode="PAY_PER_REQUEST",
    )
    table = fake.table("events")

    assert table.index_arn("local") == f"{table.arn}/index/local"
    with pytest.raises(
        LookupError, match=r"^index 'local' of table 'events' is a local one: it draws on the table's cap"
    ):
        table.balance("read", "local")


@pytest.mark.parametrize("units", [-1, 1.5, "2"])
def test_a_spent_amount_is_a_whole_number(orders, units):
    with pytest.raises(ValueError, match=f"^units={units!r}: a whole number, at least 0, is needed$"):
        orders.spend_burst("write", units)

    assert orders.balance("write") == 5


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("order", "no table 'order' in us-east-1; there are: customers, orders. Did you mean 'orders'?"),
        ("zzz", "no table 'zzz' in us-east-1; there are: customers, orders"),
    ],
)
def test_an_unknown_table_is_told_the_nearest(fake, orders, name, message):
    fake.create_table("customers")

    with pytest.raises(LookupError, match=f"^{re.escape(message)}$"):
        fake.table(name)


def test_an_unknown_index_has_no_arn(orders):
    with pytest.raises(LookupError, match=r"^no index 'by_day' on table 'orders'; there are: by_status$"):
        orders.index_arn("by_day")


def test_a_rule_through_the_handle_holds_for_the_table_and_scales_what_it_has(orders):
    orders.throttle(write_capacity_units=50)
    orders.throttle(index="by_status", write_capacity_units=2)

    assert (orders.balance("write"), orders.balance("write", "by_status")) == (50, 2)


@pytest.mark.parametrize(
    ("names", "error", "message"),
    [
        (
            {"write_units": 5},
            TypeError,
            "throttle() has no argument 'write_units'. Did you mean 'write_capacity_units'?",
        ),
        ({"table": "other"}, TypeError, "throttle() of a table handle has no argument 'table': the handle is of one"),
        ({"index": "by_day"}, LookupError, "no index 'by_day' on table 'orders'; there are: by_status"),
        ({"read_capacity_units": -1}, ValueError, "read_capacity_units=-1: at least 1 is needed"),
    ],
)
def test_a_wrong_rule_through_the_handle_is_told(orders, account_state, fake, names, error, message):
    before = account_state(fake._engine)

    with pytest.raises(error) as caught:
        orders.throttle(**names)

    assert str(caught.value).splitlines()[0] == message
    assert account_state(fake._engine) == before


def test_partitions_are_the_key_ranges_that_are_not_full_the_scarcest_first(fake, put, send):
    orders = fake.create_table(
        "orders",
        indexes={"by_status": "status:S"},
        partition_read_units_per_second=10,
        partition_write_units_per_second=4,
    )
    for key in ("cool", "hot", "hot", "hot", "hot"):
        put(key)
    put("cool", status={"S": "OPEN"})
    send("GetItem", TableName="orders", Key={"pk": {"S": "read"}}, ConsistentRead=True)

    assert orders.partitions == [
        Partition({"pk": "hot"}, None, 10, 0),
        Partition({"pk": "cool"}, None, 10, 2),
        Partition({"status": "OPEN"}, "by_status", 10, 3),
        Partition({"pk": "read"}, None, 9, 4),
    ]


def test_a_partition_that_refused_is_the_first_and_one_that_refilled_is_gone(fake, put):
    orders = fake.create_table("orders", partition_write_units_per_second=2)

    refusals = [put("hot") for _ in range(3)] + [put("cool")]
    first = orders.partitions[0]
    fake.clock.advance(1)

    assert refusals == [None, None, "TableWriteKeyRangeThroughputExceeded", None]
    assert first.partition_key == {"pk": "hot"}
    assert orders.partitions == []


def test_a_partition_key_is_a_plain_value(fake, send):
    table = fake.create_table("numbers", partition_key="id:N")
    send("PutItem", TableName="numbers", Item={"id": {"N": "7.0"}})
    send("GetItem", TableName="numbers", Key={"id": {"N": "0.5"}})

    assert [partition.partition_key for partition in table.partitions] == [{"id": 7}, {"id": Decimal("0.5")}]
