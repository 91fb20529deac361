"""Batch leftovers: sent again until they land, or put aside where someone can find them."""

import pytest
from order_importer import create_orders_table, import_orders


def orders(count):
    return [{"pk": {"S": f"order#{number}"}, "total": {"N": "42"}} for number in range(count)]


@pytest.mark.ddb_throttle(table="orders", billing_mode="PROVISIONED", read_capacity_units=5, write_capacity_units=5)
def test_the_importer_survives_a_throttle(ddb_fake):
    create_orders_table()

    dead_letters = import_orders(orders(200))

    assert dead_letters == []
    assert ddb_fake.table("orders").item_count == 200
    assert ddb_fake.throttles
    ddb_fake.assert_nothing_lost()
    assert ddb_fake.clock.elapsed >= 38  # (200 - 5) units at 5 units/s cannot be faster


@pytest.mark.ddb_throttle(table="orders", write_capacity_units=5)
def test_a_batch_throws_only_where_nothing_was_processed(ddb_fake):
    create_orders_table()
    ddb_fake.table("orders").drain("write")

    assert import_orders(orders(20)) == []

    first, second, *_ = [call for call in ddb_fake.calls if call.operation == "BatchWriteItem"]
    assert (first.error, first.leftovers) == ("ProvisionedThroughputExceededException", ())
    assert (second.error, bool(second.leftovers)) == (None, True)
    ddb_fake.assert_nothing_lost()


@pytest.mark.ddb_inject(operation="BatchWriteItem", leftover=3, times=100)
def test_what_never_lands_is_put_aside(ddb_fake):
    create_orders_table()

    dead_letters = import_orders(orders(25))

    assert len(dead_letters) == 3
    assert ddb_fake.table("orders").item_count == 22
    ddb_fake.assert_nothing_lost(accounted_for=[{"pk": letter["pk"]} for letter in dead_letters])
