"""What vectors cost: bytes written to an index, and bytes that a search looks at; apart from all units."""

from __future__ import annotations

import pytest

from pytest_ddbthrottle._engine.operations.batch_write_item import batch_write_item
from pytest_ddbthrottle._engine.operations.delete_item import delete_item
from pytest_ddbthrottle._engine.operations.put_item import put_item
from pytest_ddbthrottle._engine.operations.search_vectors import search_vectors
from pytest_ddbthrottle._engine.operations.transact_write_items import transact_write_items
from pytest_ddbthrottle._engine.operations.update_item import update_item

DIMENSIONS = 1000
VECTOR_BYTES = 4 * DIMENSIONS + len("v")
KEY = {"pk": {"S": "a"}}
INDEXES = {"TableName": "orders", "ReturnConsumedCapacity": "INDEXES"}
LEAST = 1024


def vector(first=1):
    return {"L": [{"N": str(first)}, *[{"N": "0"}] * (DIMENSIONS - 1)]}


@pytest.fixture
def table(context, add_vector_index):
    table = context.add_table()
    add_vector_index(table, "all", dimensions=DIMENSIONS)
    add_vector_index(table, "keys", dimensions=DIMENSIONS, projection="KEYS_ONLY", partition="t:S")
    return table


def put(context, **attributes):
    return put_item(context, {**INDEXES, "Item": {**KEY, **attributes}})["ConsumedCapacity"]


def arms(consumed):
    """Give the bytes by index."""
    return {name: arm["VectorWriteRequestBytes"] for name, arm in consumed.get("VectorIndexes", {}).items()}


# pk and its value are 3 bytes, t and its value 3, x and its value 2.
ENTRY_ALL = VECTOR_BYTES + 3 + 3 + 2
ENTRY_KEYS = VECTOR_BYTES + 3 + 3
FULL = {"v": vector(), "t": {"S": "t1"}, "x": {"S": "x"}}

WRITES = [
    ("a new item", None, FULL, {"all": ENTRY_ALL, "keys": ENTRY_KEYS}),
    ("an item without a vector", None, {"t": {"S": "t1"}}, {}),
    ("an item without the partition key", None, {"v": vector()}, {"all": VECTOR_BYTES + 3}),
    ("the same again", FULL, FULL, {}),
    ("the same number in other digits", FULL, {**FULL, "v": vector("1.0")}, {}),
    ("another vector", FULL, {**FULL, "v": vector(2)}, {"all": ENTRY_ALL, "keys": ENTRY_KEYS}),
    ("an attribute that one index projects", FULL, {**FULL, "x": {"S": "y"}}, {"all": ENTRY_ALL}),
    ("a shorter entry", FULL, {"v": vector(), "t": {"S": "t1"}}, {"all": ENTRY_ALL}),
    ("another partition", FULL, {**FULL, "t": {"S": "t2"}}, {"all": ENTRY_ALL, "keys": 2 * ENTRY_KEYS}),
    ("out of a partition", FULL, {"v": vector(), "x": {"S": "x"}}, {"all": ENTRY_ALL, "keys": ENTRY_KEYS}),
    ("the vector is taken away", FULL, {"t": {"S": "t1"}}, {"all": ENTRY_ALL, "keys": ENTRY_KEYS}),
]


@pytest.mark.parametrize(
    ("before", "after", "expected"), [case[1:] for case in WRITES], ids=[case[0] for case in WRITES]
)
def test_a_write_is_charged_for_what_it_changes_in_each_index(context, table, before, after, expected):
    if before is not None:
        put(context, **before)

    assert arms(put(context, **after)) == expected


def test_a_small_entry_costs_a_kilobyte_and_a_move_two(context, add_vector_index):
    add_vector_index(context.add_table(), partition="t:S")
    small = {"v": {"L": [{"N": "1"}, {"N": "2"}]}}

    costs = [arms(put(context, **small, t={"S": tenant})) for tenant in ("t1", "t2")]

    assert costs == [{"near": LEAST}, {"near": 2 * LEAST}]


def test_bytes_are_no_units_and_total_has_none_of_them(context, table):
    total = put_item(context, {**INDEXES, "Item": {**KEY, "x": {"S": "x"}}, "ReturnConsumedCapacity": "TOTAL"})
    before = len(context.admitted)

    consumed = put(context, v={"L": [{"N": "1"}] * DIMENSIONS})

    assert total["ConsumedCapacity"] == {"TableName": "orders", "CapacityUnits": 1.0}
    assert consumed["CapacityUnits"] == consumed["Table"]["CapacityUnits"] == 3.0
    assert [part.nano_units for part in context.admitted[before:]] == [3 * 10**9, 0]


def test_a_delete_is_charged_for_the_entry_that_goes(context, table):
    put(context, **FULL)

    reply = delete_item(context, {**INDEXES, "Key": KEY})

    assert arms(reply["ConsumedCapacity"]) == {"all": ENTRY_ALL, "keys": ENTRY_KEYS}


def test_an_update_is_charged_like_a_put(context, table):
    put(context, **FULL)
    update = {"UpdateExpression": "SET v = :v", "ExpressionAttributeValues": {":v": vector(3)}}

    reply = update_item(context, {**INDEXES, "Key": KEY, **update})

    assert arms(reply["ConsumedCapacity"]) == {"all": ENTRY_ALL, "keys": ENTRY_KEYS}


def test_a_batch_adds_the_bytes_of_its_entries(context, table):
    entries = [{"PutRequest": {"Item": {"pk": {"S": pk}, **FULL}}} for pk in "ab"]

    reply = batch_write_item(context, {"RequestItems": {"orders": entries}, "ReturnConsumedCapacity": "INDEXES"})

    assert arms(reply["ConsumedCapacity"][0]) == {"all": 2 * ENTRY_ALL, "keys": 2 * ENTRY_KEYS}


def test_a_transaction_doubles_units_and_not_bytes(context, table):
    entry = {"Put": {"TableName": "orders", "Item": {**KEY, **FULL}}}

    reply = transact_write_items(context, {"TransactItems": [entry], "ReturnConsumedCapacity": "INDEXES"})

    [consumed] = reply["ConsumedCapacity"]
    assert consumed["Table"]["CapacityUnits"] == 2 * 2.0
    assert arms(consumed) == {"all": ENTRY_ALL, "keys": ENTRY_KEYS}


def search(context, index, top_k, detail, **members):
    request = {"TableName": "orders", "IndexName": index, "SearchVector": vector()["L"], "TopK": top_k, **members}
    return search_vectors(context, {**request, **({"ReturnConsumedCapacity": detail} if detail else {})})


@pytest.mark.parametrize(("detail", "reported"), [(None, False), ("NONE", False), ("TOTAL", True), ("INDEXES", True)])
def test_a_search_reports_its_bytes_alone_when_it_is_asked_to(context, table, detail, reported):
    reply = search(context, "all", 1, detail)

    assert reply.get("ConsumedCapacity") == ({"VectorSearchRequestBytes": float(LEAST)} if reported else None)


def test_a_search_costs_the_vectors_that_it_compares_and_the_items_that_it_gives(context, table):
    for number in range(3):
        put_item(context, {"TableName": "orders", "Item": {"pk": {"S": str(number)}, "v": vector(), "t": {"S": "t1"}}})

    everything = search(context, "all", 2, "TOTAL")["ConsumedCapacity"]
    partition = {"SearchConditionExpression": "t = :t", "ExpressionAttributeValues": {":t": {"S": "t2"}}}
    nothing = search(context, "keys", 2, "TOTAL", **partition)["ConsumedCapacity"]

    assert everything == {"VectorSearchRequestBytes": float(3 * 4 * DIMENSIONS + 2 * 6)}
    assert nothing == {"VectorSearchRequestBytes": float(LEAST)}
    assert context.admitted[-2].vector_bytes == 3 * 4 * DIMENSIONS + 2 * 6
