"""Tables: writes are prepared, then committed; indexes follow; a copy is apart."""

from __future__ import annotations

import pytest

from pytest_ddbthrottle._engine.capacity import BillingMode, Throughput
from pytest_ddbthrottle._engine.keys import KeyAttribute, KeySchema
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table

ON_DEMAND = Throughput(BillingMode.PAY_PER_REQUEST)
ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/orders"


@pytest.fixture
def table():
    made = Table("orders", ARN, "id", KeySchema((KeyAttribute("pk", "S"),)), ON_DEMAND, 0)
    for name, projection, others in (("all", "ALL", ()), ("keys", "KEYS_ONLY", ()), ("some", "INCLUDE", ("v",))):
        schema = KeySchema((KeyAttribute("g", "S"),))
        made.indexes[name] = SecondaryIndex(name, f"{ARN}/index/{name}", schema, projection, others, ON_DEMAND)
    return made


def item(pk="a", **attributes):
    return {"pk": {"S": pk}, **{name: {"S": value} for name, value in attributes.items()}}


def prepare(table, new, pk="a"):
    key = table.key_schema.key_of(item(pk))
    old = table.items.get(key)
    return table.prepare_write(key, old.attributes() if old else None, new)


def entries(table, name):
    return [entry.attributes() for _, entry in table.indexes[name].entries.walk()]


def test_a_prepared_write_has_changed_nothing(table):
    prepare(table, item(g="x"))

    assert len(table.items) == 0
    assert all(len(index.entries) == 0 for index in table.indexes.values())


def test_a_committed_write_is_in_the_table_and_in_each_index_as_projected(table):
    prepare(table, item(g="x", v="1", w="2")).commit(0)

    assert entries(table, "all") == [item(g="x", v="1", w="2")]
    assert entries(table, "keys") == [item(g="x")]
    assert entries(table, "some") == [item(g="x", v="1")]
    table.check_invariants()


def test_an_item_without_the_index_key_is_in_no_index(table):
    prepare(table, item(v="1")).commit(0)

    assert len(table.items) == 1
    assert entries(table, "all") == []
    table.check_invariants()


@pytest.mark.parametrize("new", [item(g="y", v="1"), item(v="1"), item(g="x", v="2"), item(g="x", v="1"), None])
def test_whatever_replaces_an_item_leaves_the_indexes_in_step(table, new):
    prepare(table, item(g="x", v="1")).commit(0)
    prepare(table, item("b", g="x"), "b").commit(0)

    prepare(table, new).commit(0)

    table.check_invariants()
    assert len(table.items) == (2 if new else 1)


def test_a_write_is_charged_for_the_larger_item(table):
    prepare(table, item(v="x" * 1000)).commit(0)

    assert prepare(table, item(v="x")).larger_bytes == 3 + 1001
    assert prepare(table, None).larger_bytes == 3 + 1001


def test_a_new_index_is_filled_from_the_items(table):
    prepare(table, item(h="z")).commit(0)
    prepare(table, item("b"), "b").commit(0)
    late = SecondaryIndex("late", f"{ARN}/index/late", KeySchema((KeyAttribute("h", "S"),)), "ALL", (), ON_DEMAND)

    table.fill_index(late)

    assert [entry.attributes() for _, entry in late.entries.walk()] == [item(h="z")]


def test_a_copy_is_apart_from_its_table(table):
    prepare(table, item(g="x")).commit(0)
    twin = table.copy()

    prepare(table, None).commit(0)

    assert (len(table.items), len(twin.items)) == (0, 1)
    assert (len(table.indexes["all"].entries), len(twin.indexes["all"].entries)) == (0, 1)
    twin.check_invariants()


def test_an_index_that_disagrees_with_its_table_is_found(table):
    prepare(table, item(g="x")).commit(0)
    key, _ = next(table.indexes["keys"].entries.walk())
    table.indexes["keys"].entries.remove(key)

    with pytest.raises(AssertionError, match="index/keys disagrees"):
        table.check_invariants()
