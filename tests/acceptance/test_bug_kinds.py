"""The whole kind of each fault of which ``test_bug_log.py`` has one instance; the numbers are the same."""

from __future__ import annotations

from decimal import Decimal

import boto3
import pytest
from botocore.exceptions import ClientError

from pytest_ddbthrottle import item_size_bytes

DUPLICATES = "Provided list of item keys contains duplicates"
TOO_LARGE = "Item size has exceeded the maximum allowed size"
KEY = {"pk": {"S": "a"}, "sk": {"N": "1"}}
ITEM = {**KEY, "g": {"S": "x"}, "n": {"N": "5"}, "d": {"S": "text"}}
OF_A = {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}}
OF_X = {"KeyConditionExpression": "g = :g", "ExpressionAttributeValues": {":g": {"S": "x"}}}
LOCAL_INDEX = {
    "IndexName": "local",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "n", "KeyType": "RANGE"}],
    "Projection": {"ProjectionType": "ALL"},
}


@pytest.fixture
def c(ddb_client):
    return ddb_client


@pytest.fixture
def orders(c, ddb_fake):
    """A table with a sort key, a global index of every projection and a local one."""
    names = {"pk": "S", "sk": "N", "g": "S", "n": "N"}
    projections = {"all": {"ProjectionType": "ALL"}, "keys": {"ProjectionType": "KEYS_ONLY"}}
    projections["some"] = {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["d"]}
    c.create_table(
        TableName="orders",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": kind} for name, kind in names.items()],
        BillingMode="PAY_PER_REQUEST",
        GlobalSecondaryIndexes=[
            {"IndexName": name, "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}], "Projection": projection}
            for name, projection in projections.items()
        ],
        LocalSecondaryIndexes=[LOCAL_INDEX],
    )
    return ddb_fake.table("orders")


def refusal(call):
    """The code and the text of the error, or None."""
    try:
        call()
    except ClientError as error:
        return error.response["Error"]["Code"], error.response["Error"]["Message"]
    return None


def numbered(count, **attributes):
    return [{**ITEM, "sk": {"N": str(number)}, "n": {"N": str(number)}, **attributes} for number in range(count)]


def put_entry(**item):
    return {"PutRequest": {"Item": item}}


# ------------------------------------------------------------------------------------------------- 1, 2: batches


@pytest.mark.ddb_throttle(table="starved", write_capacity_units=2, read_capacity_units=1)
def test_01_leftovers_name_only_the_table_that_refused(c, ddb_fake):
    ddb_fake.create_table("starved")
    ddb_fake.create_table("free")
    entries = [put_entry(pk={"S": str(number)}) for number in range(3)]
    keys = {"Keys": [{"pk": {"S": str(number)}} for number in range(3)], "ConsistentRead": True}

    written = c.batch_write_item(RequestItems={"starved": entries, "free": entries})
    read = c.batch_get_item(RequestItems={"starved": keys, "free": keys})

    assert written["UnprocessedItems"] == {"starved": entries[2:]}
    assert read["UnprocessedKeys"] == {"starved": {**keys, "Keys": keys["Keys"][1:]}}
    assert [len(read["Responses"][name]) for name in ("starved", "free")] == [1, 3]


@pytest.mark.ddb_throttle(table="starved", write_capacity_units=1, read_capacity_units=1)
@pytest.mark.parametrize("companion", [True, False])
def test_01_a_batch_throws_only_where_nothing_at_all_was_processed(c, ddb_fake, companion):
    ddb_fake.create_table("starved").drain("write")
    ddb_fake.table("starved").drain("read")
    ddb_fake.create_table("free")
    tables = ["starved", "free"] if companion else ["starved"]

    answers = [
        refusal(lambda: c.batch_write_item(RequestItems={name: [put_entry(pk={"S": "a"})] for name in tables})),
        refusal(lambda: c.batch_get_item(RequestItems={name: {"Keys": [{"pk": {"S": "a"}}]} for name in tables})),
    ]

    assert [answer and answer[0] for answer in answers] == [
        None if companion else "ProvisionedThroughputExceededException"
    ] * 2


# ------------------------------------------------------------------------------------------------- 5: back-pressure

WRITES_TO_THE_INDEX = {
    "a new item": ("put_item", {"TableName": "orders", "Item": {**ITEM, "sk": {"N": "2"}}}),
    "another value": ("put_item", {"TableName": "orders", "Item": {**ITEM, "d": {"S": "other"}}}),
    "the index key removed": ("update_item", {"TableName": "orders", "Key": KEY, "UpdateExpression": "REMOVE g"}),
    "a delete": ("delete_item", {"TableName": "orders", "Key": KEY}),
    "a batch": ("batch_write_item", {"RequestItems": {"orders": [{"DeleteRequest": {"Key": KEY}}]}}),
}
WRITES_PAST_THE_INDEX = {
    "no index key": ("put_item", {"TableName": "orders", "Item": {**KEY, "sk": {"N": "2"}}}),
    "the same item": ("put_item", {"TableName": "orders", "Item": ITEM}),
    "what it does not project": (
        "update_item",
        {
            "TableName": "orders",
            "Key": KEY,
            "UpdateExpression": "SET z = :z",
            "ExpressionAttributeValues": {":z": {"S": "z"}},
        },
    ),
    "a delete of nothing": ("delete_item", {"TableName": "orders", "Key": {**KEY, "sk": {"N": "9"}}}),
}


def starve(orders, index):
    orders.load([ITEM])
    orders.throttle(index=index, max_write_request_units=1)
    orders.drain("write", index)


@pytest.mark.parametrize("index", ["all", "some"])
@pytest.mark.parametrize(("operation", "request_"), WRITES_TO_THE_INDEX.values(), ids=WRITES_TO_THE_INDEX)
def test_05_any_write_that_changes_a_starved_index_is_refused(c, ddb_fake, orders, index, operation, request_):
    starve(orders, index)
    before = orders.items()

    with pytest.raises(ClientError) as caught:
        getattr(c, operation)(**request_)

    assert caught.value.response["throttlingReasons"] == [
        {"reason": "IndexWriteMaxOnDemandThroughputExceeded", "resource": orders.index_arn(index)}
    ]
    assert orders.items() == before
    ddb_fake.check_invariants()


@pytest.mark.parametrize("index", ["keys", "some"])
@pytest.mark.parametrize(("operation", "request_"), WRITES_PAST_THE_INDEX.values(), ids=WRITES_PAST_THE_INDEX)
def test_05_a_write_that_leaves_the_starved_index_alone_passes(c, ddb_fake, orders, index, operation, request_):
    starve(orders, index)

    getattr(c, operation)(**request_)

    ddb_fake.assert_not_throttled()


# ------------------------------------------------------------------------------------------------- 7: transactions


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ({"write_capacity_units": 1, "read_capacity_units": 1}, "ProvisionedThroughputExceeded"),
        ({"max_write_request_units": 1, "max_read_request_units": 1}, "ThrottlingError"),
        ({"partition_write_units_per_second": 1, "partition_read_units_per_second": 1}, "ThrottlingError"),
    ],
)
def test_07_the_reason_stands_in_the_place_of_the_refused_action(c, ddb_fake, rules, code):
    for name in ("free", "starved"):
        ddb_fake.create_table(name, **(rules if name == "starved" else {}))
    key = {"pk": {"S": "a"}}
    actions = [
        [{verb: {"TableName": name, content: key}} for name in ("free", "starved")]
        for verb, content in (("Put", "Item"), ("Get", "Key"))
    ]

    def codes(call, items):
        call(TransactItems=items)
        with pytest.raises(ClientError) as caught:
            call(TransactItems=items)
        return [reason["Code"] for reason in caught.value.response["CancellationReasons"]]

    assert codes(c.transact_write_items, actions[0]) == ["None", code]
    assert codes(c.transact_get_items, actions[1]) == ["None", code]


# ------------------------------------------------------------------------------------------------- 13, 15: capacity

MISSING = {"pk": {"S": "no"}, "sk": {"N": "0"}}
NOTHING_THERE = [
    ("get_item", {"TableName": "orders", "Key": MISSING}, 0.5),
    ("get_item", {"TableName": "orders", "Key": MISSING, "ConsistentRead": True}, 1.0),
    ("delete_item", {"TableName": "orders", "Key": MISSING}, 1.0),
    ("query", {"TableName": "orders", **OF_A}, 0.5),
    ("query", {"TableName": "orders", **OF_A, "ConsistentRead": True}, 1.0),
    ("query", {"TableName": "orders", "IndexName": "all", **OF_X}, 0.5),
    ("scan", {"TableName": "orders"}, 0.5),
    ("scan", {"TableName": "orders", "ConsistentRead": True}, 1.0),
    ("transact_get_items", {"TransactItems": [{"Get": {"TableName": "orders", "Key": MISSING}}]}, 2.0),
    ("transact_write_items", {"TransactItems": [{"Delete": {"TableName": "orders", "Key": MISSING}}]}, 2.0),
]


@pytest.mark.usefixtures("orders")
@pytest.mark.parametrize(("operation", "request_", "units"), NOTHING_THERE)
def test_13_what_is_not_there_costs_the_minimum(c, operation, request_, units):
    consumed = getattr(c, operation)(**request_, ReturnConsumedCapacity="TOTAL")["ConsumedCapacity"]

    assert (consumed[0] if isinstance(consumed, list) else consumed)["CapacityUnits"] == units


EVERY_OPERATION = {
    "get_item": {"TableName": "orders", "Key": KEY},
    "put_item": {"TableName": "orders", "Item": ITEM},
    "update_item": {"TableName": "orders", "Key": KEY},
    "delete_item": {"TableName": "orders", "Key": KEY},
    "query": {"TableName": "orders", **OF_A},
    "scan": {"TableName": "orders"},
    "batch_get_item": {"RequestItems": {"orders": {"Keys": [KEY]}}},
    "batch_write_item": {"RequestItems": {"orders": [{"PutRequest": {"Item": ITEM}}]}},
    "transact_get_items": {"TransactItems": [{"Get": {"TableName": "orders", "Key": KEY}}]},
    "transact_write_items": {"TransactItems": [{"Put": {"TableName": "orders", "Item": ITEM}}]},
}


@pytest.mark.parametrize("form", [None, "NONE", "TOTAL", "INDEXES"])
@pytest.mark.parametrize("operation", EVERY_OPERATION)
def test_15_capacity_is_told_when_asked_and_as_a_list_where_there_may_be_several_tables(c, orders, operation, form):
    orders.load([ITEM])
    asked = {} if form is None else {"ReturnConsumedCapacity": form}

    reply = getattr(c, operation)(**EVERY_OPERATION[operation], **asked)

    if form in (None, "NONE"):
        assert "ConsumedCapacity" not in reply
        return
    assert isinstance(reply["ConsumedCapacity"], list) == operation.startswith(("batch", "transact"))
    [consumed] = (
        reply["ConsumedCapacity"] if operation.startswith(("batch", "transact")) else [reply["ConsumedCapacity"]]
    )
    assert consumed["TableName"] == "orders"
    assert ("Table" in consumed) == (form == "INDEXES")


def test_15_tables_of_one_batch_are_told_apart(c, ddb_fake):
    for name, letters in (("one", 0), ("two", 5000)):
        ddb_fake.create_table(name).load([{"pk": "k", "d": "x" * letters}])
    keys = {"Keys": [{"pk": {"S": "k"}}]}

    reply = c.batch_get_item(RequestItems={"one": keys, "two": keys}, ReturnConsumedCapacity="TOTAL")

    units = {part["TableName"]: part["CapacityUnits"] for part in reply["ConsumedCapacity"]}
    assert units == {"one": 0.5, "two": 1.0}


# ------------------------------------------------------------------------------------------------- 18, 21, 22: reads


@pytest.mark.parametrize("operation", ["query", "scan"])
@pytest.mark.parametrize(
    ("index", "condition", "arm"),
    [("all", OF_X, "GlobalSecondaryIndexes"), ("local", OF_A, "LocalSecondaryIndexes")],
)
def test_18_reading_an_index_is_told_on_its_own_arm(c, orders, operation, index, condition, arm):
    orders.load([ITEM])
    request = {"TableName": "orders", "IndexName": index, **(condition if operation == "query" else {})}

    reply = getattr(c, operation)(**request, ReturnConsumedCapacity="INDEXES")

    assert reply["ConsumedCapacity"] == {
        "TableName": "orders",
        "CapacityUnits": 0.5,
        "Table": {"CapacityUnits": 0.0},
        arm: {index: {"CapacityUnits": 0.5}},
    }


@pytest.mark.parametrize("operation", ["query", "scan"])
@pytest.mark.parametrize(
    "saving",
    [
        {},
        {"FilterExpression": "attribute_exists(nope)"},
        {"ProjectionExpression": "pk"},
        {"Select": "COUNT"},
        {"FilterExpression": "attribute_exists(nope)", "Select": "COUNT"},
    ],
    ids=str,
)
def test_21_nothing_that_hides_what_was_read_saves_anything(c, orders, operation, saving):
    orders.load(numbered(10, d={"S": "x" * 3000}))
    request = {"TableName": "orders", **(OF_A if operation == "query" else {}), **saving}

    reply = getattr(c, operation)(**request, ReturnConsumedCapacity="TOTAL")

    assert (reply["ScannedCount"], reply["ConsumedCapacity"]["CapacityUnits"]) == (10, 4.0)


@pytest.mark.parametrize("projection", [{}, {"ProjectionExpression": "pk"}])
def test_21_a_get_is_charged_for_the_whole_item(c, orders, projection):
    orders.load([{**ITEM, "d": {"S": "x" * 9000}}])

    reply = c.get_item(TableName="orders", Key=KEY, ReturnConsumedCapacity="TOTAL", **projection)

    assert reply["ConsumedCapacity"]["CapacityUnits"] == 1.5


def item_of(size_bytes):
    item = {**KEY, "d": {"S": ""}}
    return {**item, "d": {"S": "x" * (size_bytes - item_size_bytes(item))}}


@pytest.mark.parametrize(
    ("size_bytes", "blocks"), [(100, 1), (4096, 1), (4097, 2), (8192, 2), (8193, 3), (409_600, 100)]
)
def test_22_each_block_of_4_kb_that_is_begun_costs(c, orders, size_bytes, blocks):
    orders.load([item_of(size_bytes)])

    def units(operation, request):
        consumed = getattr(c, operation)(**request, ReturnConsumedCapacity="TOTAL")["ConsumedCapacity"]
        return (consumed[0] if isinstance(consumed, list) else consumed)["CapacityUnits"]

    one = {"TableName": "orders", "Key": KEY}
    assert units("get_item", one) == blocks / 2
    assert units("get_item", {**one, "ConsistentRead": True}) == blocks
    assert units("query", {"TableName": "orders", **OF_A, "ConsistentRead": True}) == blocks
    assert units("scan", {"TableName": "orders"}) == blocks / 2
    assert units("batch_get_item", {"RequestItems": {"orders": {"Keys": [KEY]}}}) == blocks / 2
    assert units("transact_get_items", {"TransactItems": [{"Get": one}]}) == 2 * blocks


# ------------------------------------------------------------------------------------------------- 23: item size

SIZED = [
    ({"S": "é"}, 2),
    ({"S": ""}, 0),
    ({"B": b"abc"}, 3),
    ({"BOOL": True}, 1),
    ({"NULL": True}, 1),
    ({"N": "0"}, 1),
    ({"N": "1E125"}, 2),
    ({"N": "-1"}, 3),
    ({"N": "123"}, 3),
    ({"N": "12.5"}, 3),
    ({"N": "0.0012"}, 2),
    ({"N": "1200"}, 2),
    ({"N": "9" * 38}, 20),
    ({"SS": ["a", "éé"]}, 5),
    ({"NS": ["1", "-22"]}, 5),
    ({"BS": [b"a", b"bc"]}, 3),
    ({"L": []}, 3),
    ({"L": [{"S": "ab"}]}, 6),
    ({"M": {}}, 3),
    ({"M": {"k": {"S": "ab"}}}, 7),
]


@pytest.mark.usefixtures("orders")
@pytest.mark.parametrize(("value", "value_bytes"), SIZED, ids=str)
def test_23_the_gate_is_exact_to_the_byte_for_every_type(c, value, value_bytes):
    rest = sum(len(name) for name in ("pk", "a", "sk", "v", "d")) + 2
    letters = 409_600 - rest - value_bytes

    def put(length):
        return refusal(lambda: c.put_item(TableName="orders", Item={**KEY, "v": value, "d": {"S": "x" * length}}))

    assert put(letters) is None
    assert put(letters + 1) == ("ValidationException", TOO_LARGE)


def test_23_every_way_to_write_meets_the_gate(c, orders):
    orders.load([KEY])
    large = {**KEY, "d": {"S": "x" * 409_600}}
    update = {
        "TableName": "orders",
        "Key": KEY,
        "UpdateExpression": "SET d = list_append(:a, :b)",
        "ExpressionAttributeValues": {":a": {"L": [{"S": "x" * 300_000}]}, ":b": {"L": [{"S": "x" * 200_000}]}},
    }

    answers = [
        refusal(lambda: c.put_item(TableName="orders", Item=large)),
        refusal(lambda: c.update_item(**update)),
        refusal(lambda: c.batch_write_item(RequestItems={"orders": [put_entry(**large)]})),
        refusal(lambda: c.transact_write_items(TransactItems=[{"Put": {"TableName": "orders", "Item": large}}])),
    ]

    assert [answer[0] for answer in answers[:3]] == ["ValidationException"] * 3
    assert answers[3][0] in ("ValidationException", "TransactionCanceledException")
    assert orders.items() == [KEY]


# ------------------------------------------------------------------------------------------------- 26: size()


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ({"S": "abc"}, 3),
        ({"B": b"abcd"}, 4),
        ({"SS": ["a", "b"]}, 2),
        ({"NS": ["1"]}, 1),
        ({"BS": [b"a", b"b", b"c"]}, 3),
        ({"L": [{"N": "1"}]}, 1),
        ({"M": {"k": {"N": "1"}, "l": {"N": "1"}}}, 2),
        ({"N": "5"}, None),
        ({"BOOL": True}, None),
        ({"NULL": True}, None),
    ],
    ids=str,
)
def test_26_size_has_an_answer_for_what_has_a_size(c, orders, value, size):
    orders.load([{**KEY, "v": {"S": "x"}}])
    c.put_item(TableName="orders", Item={**KEY, "v": value})
    expected = {":n": {"N": str(size or 0)}}

    stored = c.scan(TableName="orders", FilterExpression="size(v) = :n", ExpressionAttributeValues=expected)["Count"]
    given = refusal(
        lambda: c.scan(
            TableName="orders",
            FilterExpression="size(:v) = :n",
            ExpressionAttributeValues={**expected, ":v": value},
        )
    )

    assert stored == (0 if size is None else 1)
    assert (given is None) == (size is not None)
    assert given is None or given[1].endswith(f"operator or function: size, operand type: {next(iter(value))}")


# ------------------------------------------------------------------------------------------------- 27: expressions

LONG = "a" * 4097
VALUE = {"ExpressionAttributeValues": {":v": {"S": "v"}}}
TOO_LONG = [
    ("get_item", {"TableName": "orders", "Key": KEY}, "ProjectionExpression", LONG, {}),
    ("put_item", {"TableName": "orders", "Item": ITEM}, "ConditionExpression", f"attribute_exists({LONG})", {}),
    ("delete_item", {"TableName": "orders", "Key": KEY}, "ConditionExpression", f"{LONG} = :v", VALUE),
    ("update_item", {"TableName": "orders", "Key": KEY}, "UpdateExpression", f"SET {LONG} = :v", VALUE),
    ("scan", {"TableName": "orders"}, "FilterExpression", f"{LONG} = :v", VALUE),
    ("query", {"TableName": "orders"}, "KeyConditionExpression", f"pk = :v{' ' * 4096}", VALUE),
]


@pytest.mark.usefixtures("orders")
@pytest.mark.parametrize(("operation", "request_", "member", "expression", "values"), TOO_LONG, ids=lambda part: "")
def test_27_every_expression_has_its_maximum(c, operation, request_, member, expression, values):
    code, message = refusal(lambda: getattr(c, operation)(**request_, **{member: expression}, **values))

    assert code == "ValidationException"
    assert "Expression size has exceeded the maximum allowed size" in message
    assert member in message


@pytest.mark.usefixtures("orders")
def test_27_what_placeholders_stand_for_is_not_counted(c):
    c.update_item(
        TableName="orders",
        Key=KEY,
        UpdateExpression="SET #n = :v",
        ExpressionAttributeNames={"#n": "n" * 5000},
        ExpressionAttributeValues={":v": {"S": "v" * 5000}},
    )


# ------------------------------------------------------------------------------------------------- 33, 34, 35: paging

WALKS = {
    "query": ("query", OF_A, ["pk", "sk"]),
    "scan": ("scan", {}, ["pk", "sk"]),
    "query of a global index": ("query", {**OF_X, "IndexName": "all"}, ["g", "pk", "sk"]),
    "scan of a global index": ("scan", {"IndexName": "all"}, ["g", "pk", "sk"]),
    "query of a local index": ("query", {**OF_A, "IndexName": "local"}, ["n", "pk", "sk"]),
    "scan of a local index": ("scan", {"IndexName": "local"}, ["n", "pk", "sk"]),
}


@pytest.fixture(params=WALKS)
def walk(request, c, orders):
    orders.load(numbered(6))
    operation, condition, key = WALKS[request.param]
    return (lambda **members: getattr(c, operation)(TableName="orders", **condition, **members)), key


def test_33_limit_counts_what_is_read(walk):
    page, _ = walk

    reply = page(Limit=2, FilterExpression="attribute_exists(nope)")

    assert (reply["Count"], reply["ScannedCount"], "LastEvaluatedKey" in reply) == (0, 2, True)


def test_34_a_full_page_has_a_cursor_of_all_its_keys_and_the_next_one_is_empty(walk):
    page, key = walk

    full = page(Limit=6)
    rest = page(Limit=6, ExclusiveStartKey=full["LastEvaluatedKey"])

    assert sorted(full["LastEvaluatedKey"]) == key
    assert (rest["Count"], "LastEvaluatedKey" in rest) == (0, False)
    assert "LastEvaluatedKey" not in page(Limit=7)


@pytest.mark.parametrize("limit", [1, 4, 5])
def test_34_pages_join_up(walk, limit):
    page, _ = walk
    found, cursor = [], {}
    while True:
        reply = page(Limit=limit, **cursor)
        found += reply["Items"]
        if "LastEvaluatedKey" not in reply:
            break
        cursor = {"ExclusiveStartKey": reply["LastEvaluatedKey"]}

    assert found == page()["Items"]
    assert len(found) == 6


@pytest.mark.parametrize("operation", ["query", "scan"])
@pytest.mark.parametrize(
    ("index", "names"),
    [("all", "dgnpksk"), ("keys", "gpksk"), ("some", "dgpksk")],
)
def test_35_an_index_gives_what_it_projects(c, orders, operation, index, names):
    orders.load([ITEM, {"pk": {"S": "b"}, "sk": {"N": "1"}, "d": {"S": "not in any global index"}}])
    request = {"TableName": "orders", "IndexName": index, **(OF_X if operation == "query" else {})}

    [item] = getattr(c, operation)(**request)["Items"]

    assert "".join(sorted(item)) == names


# ------------------------------------------------------------------------------------------------- 37: consistency


@pytest.mark.usefixtures("orders")
@pytest.mark.parametrize(("operation", "condition"), [("query", OF_X), ("scan", {})])
@pytest.mark.parametrize("index", ["all", "keys", "some"])
def test_37_no_global_index_is_read_with_strong_consistency(c, operation, condition, index):
    request = {"TableName": "orders", "IndexName": index, "ConsistentRead": True, **condition}

    assert refusal(lambda: getattr(c, operation)(**request)) == (
        "ValidationException",
        "Consistent reads are not supported on global secondary indexes",
    )


@pytest.mark.parametrize(("operation", "condition"), [("query", OF_A), ("scan", {})])
def test_37_a_local_index_is(c, orders, operation, condition):
    orders.load([ITEM])

    reply = getattr(c, operation)(TableName="orders", IndexName="local", ConsistentRead=True, **condition)

    assert reply["Items"] == [ITEM]


# ------------------------------------------------------------------------------------------------- 38, 39: transactions

FALSE = {"ConditionExpression": "n = :x", "ExpressionAttributeValues": {":x": {"N": "9"}}}
ACTIONS = {
    "Put": {"TableName": "orders", "Item": ITEM, **FALSE},
    "Delete": {"TableName": "orders", "Key": KEY, **FALSE},
    "ConditionCheck": {"TableName": "orders", "Key": KEY, **FALSE},
    "Update": {"TableName": "orders", "Key": KEY, "UpdateExpression": "REMOVE d", **FALSE},
}


@pytest.mark.parametrize("shown", ["NONE", "ALL_OLD"])
@pytest.mark.parametrize("verb", ACTIONS)
def test_38_every_kind_of_action_can_cancel_and_show_the_old_item(c, orders, verb, shown):
    orders.load([ITEM])
    good = {"Put": {"TableName": "orders", "Item": {**KEY, "sk": {"N": "2"}}}}
    bad = {verb: {**ACTIONS[verb], "ReturnValuesOnConditionCheckFailure": shown}}

    with pytest.raises(c.exceptions.TransactionCanceledException) as caught:
        c.transact_write_items(TransactItems=[good, bad, {**good, "Put": {"TableName": "orders", "Item": MISSING}}])

    none, failed, last = caught.value.response["CancellationReasons"]
    assert none == last == {"Code": "None"}
    assert failed == {
        "Code": "ConditionalCheckFailed",
        "Message": "The conditional request failed",
        **({"Item": ITEM} if shown == "ALL_OLD" else {}),
    }
    assert orders.items() == [ITEM]


@pytest.mark.parametrize("seconds", [0, 599, 601])
def test_39_a_token_holds_for_ten_minutes(c, ddb_clock, orders, seconds):
    add = {
        "TableName": "orders",
        "Key": KEY,
        "UpdateExpression": "ADD n :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}},
    }
    c.transact_write_items(ClientRequestToken="token", TransactItems=[{"Update": add}])
    ddb_clock.advance(seconds)

    c.transact_write_items(ClientRequestToken="token", TransactItems=[{"Update": add}])

    assert orders.items()[0]["n"] == {"N": "2" if seconds > 600 else "1"}


# ------------------------------------------------------------------------------------------------- 41: duplicates

SAME_KEYS = [
    ({"N": "1"}, {"N": "1"}),
    ({"N": "1"}, {"N": "1.0"}),
    ({"N": "10"}, {"N": "1E1"}),
    ({"N": "0"}, {"N": "-0"}),
]


@pytest.mark.usefixtures("orders")
@pytest.mark.parametrize(("one", "other"), SAME_KEYS)
def test_41_keys_that_are_the_same_number_are_duplicates(c, one, other):
    first, second = ({"pk": {"S": "a"}, "sk": number} for number in (one, other))
    gets = [{"Get": {"TableName": "orders", "Key": key}} for key in (first, second)]
    pairs = [
        [put_entry(**first), put_entry(**second)],
        [{"DeleteRequest": {"Key": first}}, {"DeleteRequest": {"Key": second}}],
        [put_entry(**first), {"DeleteRequest": {"Key": second}}],
    ]

    answers = [refusal(lambda pair=pair: c.batch_write_item(RequestItems={"orders": pair})) for pair in pairs]
    answers.append(refusal(lambda: c.batch_get_item(RequestItems={"orders": {"Keys": [first, second]}})))

    assert set(answers) == {("ValidationException", DUPLICATES)}
    assert refusal(lambda: c.transact_get_items(TransactItems=gets)) is not None


def test_41_the_same_key_in_two_tables_is_no_duplicate(c, ddb_fake):
    for name in ("one", "two"):
        ddb_fake.create_table(name)

    c.batch_write_item(RequestItems={name: [put_entry(pk={"S": "k"})] for name in ("one", "two")})

    assert [ddb_fake.table(name).item_count for name in ("one", "two")] == [1, 1]


# ------------------------------------------------------------------------------------------------- 45: numbers

NUMBERS = [
    ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
    ("1" * 39, None),
    ("0." + "1" * 38, "0." + "1" * 38),
    ("00042", "42"),
    ("3.140", "3.14"),
    ("1.5E2", "150"),
    ("1.5e+2", "150"),
    ("-0", "0"),
    ("+7", "7"),
    (".5", "0.5"),
    ("1E126", None),
    ("1E-131", None),
    ("1E-130", "0." + "0" * 129 + "1"),
    ("-1E126", None),
    ("", None),
    ("NaN", None),
    ("Infinity", None),
    ("1_000", None),
    ("0x1", None),
]
PLACES = {
    "attribute": (lambda number: {"v": number}, lambda item: item["v"]["N"]),
    "list": (lambda number: {"v": {"L": [number]}}, lambda item: item["v"]["L"][0]["N"]),
    "map": (lambda number: {"v": {"M": {"k": number}}}, lambda item: item["v"]["M"]["k"]["N"]),
    "set": (lambda number: {"v": {"NS": [number["N"]]}}, lambda item: item["v"]["NS"][0]),
    "key": (lambda number: {"sk": number}, lambda item: item["sk"]["N"]),
    "index key": (lambda number: {"n": number}, lambda item: item["n"]["N"]),
}


@pytest.mark.parametrize(("sent", "stored"), NUMBERS, ids=lambda text: text[:12] if text else "refused")
@pytest.mark.parametrize("place", PLACES)
def test_45_a_number_has_one_form_wherever_it_stands(c, orders, place, sent, stored):
    make, read = PLACES[place]

    refused = refusal(lambda: c.put_item(TableName="orders", Item={**KEY, **make({"N": sent})}))

    assert (refused and refused[0]) == (None if stored else "ValidationException")
    assert [read(item) for item in orders.items()] == ([stored] if stored else [])


@pytest.mark.parametrize(("sent", "stored"), NUMBERS, ids=lambda text: text[:12] if text else "refused")
def test_45_numbers_in_requests_are_the_same_numbers(c, orders, sent, stored):
    values = {":n": {"N": sent}}
    if stored:
        orders.load([{**KEY, "v": {"N": stored}}])

    def scan():
        return c.scan(TableName="orders", FilterExpression="v = :n", ExpressionAttributeValues=values)["Count"]

    if stored is None:
        assert refusal(scan)[0] == "ValidationException"
    else:
        assert scan() == 1


@pytest.mark.parametrize(
    ("start", "added", "total"),
    [
        ("1", "-1", "0"),
        ("0.1", "0.2", "0.3"),
        ("9" * 37, "1", "1" + "0" * 37),
        ("9" * 38, "1", "1" + "0" * 38),
        ("1" + "0" * 38, "1", None),
        ("9E125", "9E125", None),
    ],
)
def test_45_sums_are_exact_or_refused(c, orders, start, added, total):
    orders.load([{**KEY, "v": {"N": start}}])

    refused = refusal(
        lambda: c.update_item(
            TableName="orders",
            Key=KEY,
            UpdateExpression="ADD v :n",
            ExpressionAttributeValues={":n": {"N": added}},
        )
    )

    assert (refused and refused[0]) == (None if total else "ValidationException")
    assert total is None or orders.items()[0]["v"] == {"N": total}


@pytest.mark.usefixtures("orders")
def test_45_a_resource_gives_decimals_back():
    table = boto3.resource("dynamodb", region_name="us-east-1").Table("orders")
    table.put_item(Item={"pk": "a", "sk": Decimal("1.50")})

    assert table.get_item(Key={"pk": "a", "sk": Decimal("1.5")})["Item"] == {"pk": "a", "sk": Decimal("1.5")}
