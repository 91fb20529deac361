"""ConsumedCapacity and ItemCollectionMetrics of every operation, as one table.

A row gives the items that are there, a request, and what it takes by arm: ``table``, and indexes by name. Each is asked with
``INDEXES``, with ``TOTAL`` and without; the journal's account has to agree with the reply.
"""

from __future__ import annotations

from typing import Any

import pytest

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.dynamodb import DynamoDB

REGION = "us-east-1"
ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/orders"
LOCAL = ("local", "local_keys")
MIRRORED = {"TransactWriteItems": "WriteCapacityUnits", "TransactGetItems": "ReadCapacityUnits"} | {
    "Repeated": "ReadCapacityUnits"
}


def keys(partition, sort=None):
    found = [{"AttributeName": partition, "KeyType": "HASH"}]
    return found + ([{"AttributeName": sort, "KeyType": "RANGE"}] if sort else [])


def index(name, partition, sort=None, kind="ALL", *others):
    projection = {"ProjectionType": kind, **({"NonKeyAttributes": list(others)} if others else {})}
    return {"IndexName": name, "KeySchema": keys(partition, sort), "Projection": projection}


TABLES = [
    {
        "TableName": "orders",
        "KeySchema": keys("pk", "sk"),
        "AttributeDefinitions": [{"AttributeName": n, "AttributeType": "S"} for n in ("pk", "sk", "g", "l")],
        "BillingMode": "PAY_PER_REQUEST",
        "GlobalSecondaryIndexes": [
            index("all", "g"),
            index("keys", "g", None, "KEYS_ONLY"),
            index("some", "g", "l", "INCLUDE", "x"),
        ],
        "LocalSecondaryIndexes": [index("local", "pk", "l"), index("local_keys", "pk", "l", "KEYS_ONLY")],
    },
    {
        "TableName": "users",
        "KeySchema": keys("pk"),
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "BillingMode": "PAY_PER_REQUEST",
    },
]


def item(sk="1", size=0, **attributes):
    """Give an item of the partition ``a``; ``size`` letters make it large."""
    texts = {"pk": "a", "sk": sk, **attributes, **({"d": "x" * size} if size else {})}
    return {name: value if isinstance(value, dict) else {"S": value} for name, value in texts.items()}


def user(pk="u", size=0):
    return {"pk": {"S": pk}, **({"d": {"S": "x" * size}} if size else {})}


KEY = item()
MISSING = item("none")
BARE, GLOBAL, BOTH = item(), item(g="1"), item(g="1", l="1")
LARGE = item(size=3000, g="1", l="1")


def values(**texts):
    return {"ExpressionAttributeValues": {f":{name}": {"S": text} for name, text in texts.items()}}


def on(table="orders", **members):
    return {"TableName": table, **members}


def put(after, **members):
    return ("PutItem", on(Item=after, **members))


def update(expression, key=KEY, **members):
    return ("UpdateItem", on(Key=key, UpdateExpression=expression, **members))


def delete(key=KEY, **members):
    return ("DeleteItem", on(Key=key, **members))


def get(key=KEY, **members):
    return ("GetItem", on(Key=key, **members))


def query(index_name=None, **members):
    name = {} if index_name is None else {"IndexName": index_name}
    by = "g = :v" if index_name in ("all", "keys", "some") else "pk = :v"
    value = "1" if by.startswith("g") else "a"
    return ("Query", on(KeyConditionExpression=by, **values(v=value), **name, **members))


def scan(index_name=None, **members):
    return ("Scan", on(**({} if index_name is None else {"IndexName": index_name}), **members))


def batch_write(**tables):
    kinds = {"put": "PutRequest", "delete": "DeleteRequest"}
    members = {"put": "Item", "delete": "Key"}
    return (
        "BatchWriteItem",
        {
            "RequestItems": {
                name: [{kinds[kind]: {members[kind]: what}} for kind, what in entries]
                for name, entries in tables.items()
            }
        },
    )


def batch_get(consistent=False, **tables):
    wanted = {name: {"Keys": found, "ConsistentRead": consistent} for name, found in tables.items()}
    return ("BatchGetItem", {"RequestItems": wanted})


def transact_write(*actions, **members):
    return ("TransactWriteItems", {"TransactItems": [{kind: on(**action)} for kind, action in actions], **members})


def transact_get(*found):
    return ("TransactGetItems", {"TransactItems": [{"Get": on(Key=key)} for key in found]})


FAILS = {"ConditionExpression": "attribute_exists(nothing)"}
ALL_BUT_SOME = {"all": 1, "keys": 1}
ALL_FIVE = {"all": 1, "keys": 1, "some": 1, "local": 1, "local_keys": 1}

WRITES = [
    ("a put of an item that no index takes", [], put(BARE), {"table": 1}),
    ("a put that the global indexes take", [], put(GLOBAL), {"table": 1, **ALL_BUT_SOME}),
    ("a put that every index takes", [], put(BOTH), {"table": 1, **ALL_FIVE}),
    (
        "a put is charged by the projected entry",
        [],
        put(LARGE),
        {"table": 3, "all": 3, "keys": 1, "some": 1, "local": 3, "local_keys": 1},
    ),
    ("the same again", [BOTH], put(BOTH), {"table": 1}),
    (
        "a set in another order is the same",
        [item(g="1", x={"SS": ["a", "b"]})],
        put(item(g="1", x={"SS": ["b", "a"]})),
        {"table": 1},
    ),
    (
        "an attribute that one kind of index projects",
        [BOTH],
        put(item(g="1", l="1", y="y")),
        {"table": 1, "all": 1, "local": 1},
    ),
    (
        "an attribute that is included",
        [BOTH],
        put(item(g="1", l="1", x="x")),
        {"table": 1, "all": 1, "some": 1, "local": 1},
    ),
    ("another index key: a delete and an insert", [GLOBAL], put(item(g="2")), {"table": 1, "all": 2, "keys": 2}),
    (
        "another index sort key moves in every index that has it",
        [BOTH],
        put(item(g="1", l="2")),
        {"table": 1, "all": 1, "some": 2, "local": 2, "local_keys": 2},
    ),
    (
        "each entry of a move is rounded by itself",
        [item(size=1500, g="1")],
        put(item(g="2")),
        {"table": 2, "all": 3, "keys": 2},
    ),
    ("an index key goes", [BOTH], put(item(l="1")), {"table": 1, "all": 1, "keys": 1, "some": 1, "local": 1}),
    ("the larger image counts, the old one", [item(size=5000)], put(BARE), {"table": 5}),
    ("the larger image counts, the new one", [BARE], put(item(size=5000)), {"table": 5}),
    ("the byte that makes another unit", [], put(item(size=1024 - 6)), {"table": 2}),
    ("the byte before it", [], put(item(size=1024 - 7)), {"table": 1}),
    ("an update of nothing", [BOTH], update("REMOVE nothing"), {"table": 1}),
    (
        "an update of an index key: two writes",
        [GLOBAL],
        update("SET g = :g", **values(g="2")),
        {"table": 1, "all": 2, "keys": 2},
    ),
    ("an update that takes an index key away", [GLOBAL], update("REMOVE g"), {"table": 1, **ALL_BUT_SOME}),
    ("an update that brings an index key", [BARE], update("SET g = :g", **values(g="2")), {"table": 1, **ALL_BUT_SOME}),
    ("an update of what one index projects", [GLOBAL], update("SET x = :x", **values(x="x")), {"table": 1, "all": 1}),
    ("an update is charged for the whole item", [item(size=5000)], update("SET x = :x", **values(x="x")), {"table": 5}),
    ("an update that makes an item", [], update("SET g = :g", **values(g="2")), {"table": 1, **ALL_BUT_SOME}),
    ("an update that shortens", [item(size=5000)], update("REMOVE d"), {"table": 5}),
    ("a delete takes the entries along", [BOTH], delete(), {"table": 1, **ALL_FIVE}),
    (
        "a delete is charged for what it deletes",
        [LARGE],
        delete(),
        {"table": 3, "all": 3, "keys": 1, "some": 1, "local": 3, "local_keys": 1},
    ),
    ("a delete of nothing", [BOTH], delete(MISSING), {"table": 1}),
    ("returned values are free", [item(size=3000)], delete(ReturnValues="ALL_OLD"), {"table": 3}),
    (
        "a batch rounds each by itself",
        [],
        batch_write(orders=[("put", item("1", 500)), ("put", item("2", 3500))]),
        {"table": 1 + 4},
    ),
    (
        "a batch has the arms that it touched",
        [GLOBAL],
        batch_write(orders=[("put", item("2", g="1")), ("delete", KEY), ("put", item("3"))]),
        {"table": 3, "all": 2, "keys": 2},
    ),
    ("a batch of a delete of nothing", [], batch_write(orders=[("delete", KEY)]), {"table": 1}),
    ("a transaction doubles the table alone", [], transact_write(("Put", {"Item": BOTH})), {"table": 2, **ALL_FIVE}),
    ("a transacted put of 1.5 KB", [], transact_write(("Put", {"Item": item(size=1500)})), {"table": 4}),
    ("a transacted move", [GLOBAL], transact_write(("Put", {"Item": item(g="2")})), {"table": 2, "all": 2, "keys": 2}),
    (
        "a transacted delete is sized on what is there",
        [item(size=2900)],
        transact_write(("Delete", {"Key": KEY})),
        {"table": 6},
    ),
    (
        "a transacted update",
        [item(size=2900)],
        transact_write(("Update", {"Key": KEY, "UpdateExpression": "REMOVE d"})),
        {"table": 6},
    ),
    (
        "a condition check is sized on what is there",
        [item(size=2900)],
        transact_write(("ConditionCheck", {"Key": KEY, "ConditionExpression": "attribute_exists(pk)"})),
        {"table": 6},
    ),
    (
        "a condition check of nothing",
        [],
        transact_write(("ConditionCheck", {"Key": KEY, "ConditionExpression": "attribute_not_exists(pk)"})),
        {"table": 2},
    ),
    (
        "a transaction adds its items",
        [],
        transact_write(("Put", {"Item": BARE}), ("Delete", {"Key": MISSING})),
        {"table": 4},
    ),
]

READ_ROWS = [
    ("a get", [BARE], get(), {"table": 0.5}),
    ("a consistent get", [BARE], get(ConsistentRead=True), {"table": 1}),
    ("a get of nothing", [], get(), {"table": 0.5}),
    ("a consistent get of nothing", [], get(ConsistentRead=True), {"table": 1}),
    ("a get of 4 KB and a byte", [item(size=4096 - 6)], get(), {"table": 1}),
    ("a get of 4 KB", [item(size=4096 - 7)], get(), {"table": 0.5}),
    ("a projection saves nothing", [item(size=9000)], get(ProjectionExpression="pk"), {"table": 1.5}),
    (
        "a batch rounds each by itself",
        [item("1", 1500), item("2", 6500)],
        batch_get(orders=[item("1"), item("2")]),
        {"table": 0.5 + 1},
    ),
    (
        "a consistent batch",
        [item("1", 1500), item("2", 6500)],
        batch_get(True, orders=[item("1"), item("2")]),
        {"table": 1 + 2},
    ),
    ("a batch of nothing", [], batch_get(orders=[KEY]), {"table": 0.5}),
    ("a query rounds once", [item(n, 1500) for n in "123"], query(), {"table": 1}),
    ("a query that finds nothing", [], query(), {"table": 0.5}),
    ("a consistent query", [item(n, 1500) for n in "123"], query(ConsistentRead=True), {"table": 2}),
    (
        "a filter saves nothing",
        [item(n, 1500) for n in "123"],
        query(FilterExpression="attribute_exists(nothing)"),
        {"table": 1},
    ),
    ("a count saves nothing", [item(n, 1500) for n in "123"], query(Select="COUNT"), {"table": 1}),
    ("a limit reads less", [item(n, 1500) for n in "123"], query(Limit=1), {"table": 0.5}),
    ("a query of a global index", [item(n, 3000, g="1") for n in "123"], query("all"), {"all": 1.5}),
    ("a query of its keys", [item(n, 3000, g="1") for n in "123"], query("keys"), {"keys": 0.5}),
    ("a query of an index that holds nothing", [], query("some"), {"some": 0.5}),
    ("a query of a local index", [item(n, 3000, l="1") for n in "123"], query("local"), {"local": 1.5}),
    ("a consistent one", [item(n, 3000, l="1") for n in "123"], query("local", ConsistentRead=True), {"local": 3}),
    (
        "a fetch rounds each item by itself",
        [item(n, 10, l="1") for n in "123"],
        query("local_keys", Select="ALL_ATTRIBUTES"),
        {"local_keys": 0.5, "table": 1.5},
    ),
    (
        "fetches of 9 KB",
        [item(n, 9000, l="1") for n in "123"],
        query("local_keys", Select="ALL_ATTRIBUTES"),
        {"local_keys": 0.5, "table": 4.5},
    ),
    (
        "consistent fetches of 9 KB",
        [item(n, 9000, l="1") for n in "123"],
        query("local_keys", Select="ALL_ATTRIBUTES", ConsistentRead=True),
        {"local_keys": 1, "table": 9},
    ),
    (
        "what the index holds needs no fetch",
        [item(n, 9000, l="1") for n in "123"],
        query("local_keys", ProjectionExpression="l"),
        {"local_keys": 0.5},
    ),
    ("a scan rounds once", [item(n, 1500) for n in "123"], scan(), {"table": 1}),
    ("a consistent scan", [item(n, 1500) for n in "123"], scan(ConsistentRead=True), {"table": 2}),
    ("a scan of nothing", [], scan(), {"table": 0.5}),
    ("a scan of a global index", [item(n, 3000, g="1") for n in "123"], scan("all"), {"all": 1.5}),
    ("a scan of a local index", [item(n, 3000, l="1") for n in "123"], scan("local"), {"local": 1.5}),
    ("a transacted get", [item(size=5000)], transact_get(KEY), {"table": 4}),
    ("a transacted get of nothing", [], transact_get(KEY), {"table": 2}),
    ("a transaction adds its gets", [BARE], transact_get(KEY, MISSING), {"table": 4}),
]


@pytest.fixture
def engine():
    engine = DynamoDB(VirtualClock())
    for table in TABLES:
        assert engine.handle("CreateTable", table, REGION).error is None
    return engine


def fill(engine, given):
    for stored in given:
        assert engine.handle("PutItem", on(Item=stored), REGION).error is None


def ask(engine, operation, request, detail=None):
    outcome = engine.handle(operation, {**request, **({"ReturnConsumedCapacity": detail} if detail else {})}, REGION)
    assert outcome.error is None, outcome.error
    consumed = outcome.reply.get("ConsumedCapacity")
    return consumed[0] if isinstance(consumed, list) else consumed, arms(outcome)


def arms(outcome):
    """Give what the journal has of a call, by arm."""
    found: dict[str, float] = {}
    for part in outcome.consumed:
        name = part.index_name or part.local_index_name or "table"
        found[name] = found.get(name, 0) + part.nano_units / 10**9
    return found


def indexes_form(expected, mirrored=None):
    """Give the element of ``ConsumedCapacity`` under INDEXES."""

    def units(count):
        return {"CapacityUnits": float(count), **({mirrored: float(count)} if mirrored else {})}

    by_kind: dict[str, Any] = {"LocalSecondaryIndexes": {}, "GlobalSecondaryIndexes": {}}
    for name, count in expected.items():
        if name != "table":
            by_kind["LocalSecondaryIndexes" if name in LOCAL else "GlobalSecondaryIndexes"][name] = units(count)
    return {
        "TableName": "orders",
        **units(sum(expected.values())),
        "Table": units(expected.get("table", 0)),
        **{kind: found for kind, found in by_kind.items() if found},
    }


ROWS = [*WRITES, *READ_ROWS]


@pytest.mark.parametrize("detail", ["INDEXES", "TOTAL", "NONE", None])
@pytest.mark.parametrize(
    ("given", "asked", "expected"), [row[1:] for row in ROWS], ids=[f"{row[2][0]}: {row[0]}" for row in ROWS]
)
def test_a_call_takes_what_its_row_says(engine, given, asked, expected, detail):
    fill(engine, given)
    mirrored = MIRRORED.get(asked[0])

    consumed, journal = ask(engine, *asked, detail)

    whole = indexes_form(expected, mirrored)
    total = {name: part for name, part in whole.items() if not isinstance(part, dict)}
    assert consumed == {"INDEXES": whole, "TOTAL": total}.get(detail)
    assert journal == expected


@pytest.mark.parametrize(("size", "reads"), [(1500, 2), (4096 - 9, 2), (4096 - 8, 4), (9000, 6)])
@pytest.mark.parametrize("detail", ["INDEXES", "TOTAL"])
def test_a_repeated_token_is_charged_as_a_transactional_read_of_the_table(engine, size, reads, detail):
    operation, request = transact_write(("Put", {"Item": item(size=size, g="1")}), ClientRequestToken="token")
    ask(engine, operation, request)

    consumed, journal = ask(engine, operation, request, detail)

    whole = indexes_form({"table": reads}, "ReadCapacityUnits")
    assert consumed == {"INDEXES": whole, "TOTAL": {k: v for k, v in whole.items() if k != "Table"}}[detail]
    assert journal == {"table": reads}


def test_a_repetition_reads_the_larger_of_the_two_images_that_there_were(engine):
    fill(engine, [item(size=9000)])
    operation, request = transact_write(("Delete", {"Key": KEY}), ClientRequestToken="token")
    ask(engine, operation, request)
    fill(engine, [BARE])

    assert ask(engine, operation, request)[1] == {"table": 6}


FAILURES = [
    ("a put: the larger image, and no index", [LARGE], put(BARE, **FAILS), {"table": 3}),
    ("a put: the image that is not stored", [BOTH], put(item(size=5000, g="2"), **FAILS), {"table": 5}),
    ("a put of a new item", [], put(BOTH, **FAILS), {"table": 1}),
    ("an update: the image that is not stored", [GLOBAL], update("SET g = :g", **values(g="2"), **FAILS), {"table": 1}),
    ("a delete", [LARGE], delete(**FAILS), {"table": 3}),
    ("a delete of nothing", [], delete(**FAILS), {"table": 1}),
    (
        "the old item is returned for nothing",
        [LARGE],
        delete(ReturnValuesOnConditionCheckFailure="ALL_OLD", **FAILS),
        {"table": 3},
    ),
    (
        "a transaction: every item, and no index",
        [LARGE],
        transact_write(("Put", {"Item": item("2", g="1")}), ("Delete", {"Key": KEY, **FAILS})),
        {"table": 2 + 6},
    ),
]


@pytest.mark.parametrize(
    ("given", "asked", "expected"), [row[1:] for row in FAILURES], ids=[row[0] for row in FAILURES]
)
def test_a_failed_condition_consumes_write_units_and_stores_nothing(engine, given, asked, expected):
    fill(engine, given)

    outcome = engine.handle(asked[0], {**asked[1], "ReturnConsumedCapacity": "INDEXES"}, REGION)

    assert outcome.error.code in ("ConditionalCheckFailedException", "TransactionCanceledException")
    assert arms(outcome) == expected
    assert [found.attributes() for _, found in engine.region(REGION).tables["orders"].items.walk()] == given


INVALID = [
    ("PutItem", on(Item={"pk": {"S": "a"}})),
    ("GetItem", on(Key={"pk": {"N": "1"}})),
    ("Query", on(KeyConditionExpression="nothing = :v", **values(v="a"))),
    ("UpdateItem", on(Key=KEY, UpdateExpression="SET pk = :v", **values(v="a"))),
]


@pytest.mark.parametrize(("operation", "request_"), INVALID)
def test_what_is_not_valid_consumes_nothing(engine, operation, request_):
    outcome = engine.handle(operation, request_, REGION)

    assert outcome.error.code == "ValidationException"
    assert outcome.consumed == ()


OVER_TABLES = [
    (batch_write(orders=[("put", GLOBAL)], users=[("put", user(size=1500)), ("delete", user("none"))]), [3, 3], {}),
    (batch_get(orders=[KEY], users=[user(), user("v")]), [0.5, 1], {}),
    (
        ("TransactGetItems", {"TransactItems": [{"Get": on(Key=KEY)}, {"Get": on("users", Key=user())}]}),
        [2, 2],
        {"mirrored": "ReadCapacityUnits"},
    ),
    (
        (
            "TransactWriteItems",
            {"TransactItems": [{"Put": on("users", Item=user())}, {"Put": on(Item=GLOBAL)}]},
        ),
        [2, 4],
        {"mirrored": "WriteCapacityUnits", "names": ["users", "orders"]},
    ),
]


@pytest.mark.parametrize(("asked", "totals", "more"), OVER_TABLES, ids=[row[0][0] for row in OVER_TABLES])
def test_there_is_an_element_for_each_table_in_the_order_of_the_request(engine, asked, totals, more):
    operation, request = asked

    outcome = engine.handle(operation, {**request, "ReturnConsumedCapacity": "TOTAL"}, REGION)

    names, mirrored = more.get("names", ["orders", "users"]), more.get("mirrored")
    assert outcome.reply["ConsumedCapacity"] == [
        {"TableName": name, "CapacityUnits": total, **({mirrored: total} if mirrored else {})}
        for name, total in zip(names, totals, strict=True)
    ]


BY_ARN = [
    ("GetItem", {"TableName": ARN, "Key": KEY}),
    ("PutItem", {"TableName": ARN, "Item": KEY}),
    ("Scan", {"TableName": ARN}),
    ("BatchGetItem", {"RequestItems": {ARN: {"Keys": [KEY]}}}),
    ("BatchWriteItem", {"RequestItems": {ARN: [{"DeleteRequest": {"Key": KEY}}]}}),
    ("TransactGetItems", {"TransactItems": [{"Get": {"TableName": ARN, "Key": KEY}}]}),
    ("TransactWriteItems", {"TransactItems": [{"Delete": {"TableName": ARN, "Key": KEY}}]}),
]


@pytest.mark.parametrize(("operation", "request_"), BY_ARN)
def test_a_table_that_was_named_by_its_arn_is_named_so_in_the_reply(engine, operation, request_):
    consumed, _ = ask(engine, operation, request_, "TOTAL")

    assert consumed["TableName"] == ARN


COLLECTION = {"ItemCollectionKey": {"pk": {"S": "a"}}, "SizeEstimateRangeGB": [0.0, 1.0]}
METRICS = [
    (put(BARE), COLLECTION),
    (put(item(l="1")), COLLECTION),
    (update("SET x = :x", **values(x="x")), COLLECTION),
    (delete(), COLLECTION),
    (("PutItem", on("users", Item=user())), None),
    (("DeleteItem", on("users", Key=user())), None),
    (batch_write(orders=[("put", BARE), ("delete", item("2"))]), {"orders": [COLLECTION, COLLECTION]}),
    (batch_write(users=[("put", user())]), None),
    (batch_write(orders=[("put", BARE)], users=[("put", user())]), {"orders": [COLLECTION]}),
    (transact_write(("Put", {"Item": BARE}), ("Delete", {"Key": MISSING})), {"orders": [COLLECTION, COLLECTION]}),
    (
        transact_write(("ConditionCheck", {"Key": KEY, "ConditionExpression": "attribute_not_exists(pk)"})),
        None,
    ),
]


@pytest.mark.parametrize("detail", ["SIZE", "NONE", None])
@pytest.mark.parametrize(("asked", "expected"), METRICS, ids=[f"{n} {row[0][0]}" for n, row in enumerate(METRICS)])
def test_the_item_collections_that_were_written_are_told_where_a_local_index_makes_them(
    engine, asked, expected, detail
):
    operation, request = asked

    outcome = engine.handle(
        operation, {**request, **({"ReturnItemCollectionMetrics": detail} if detail else {})}, REGION
    )

    assert outcome.error is None
    assert outcome.reply.get("ItemCollectionMetrics") == (expected if detail == "SIZE" else None)
