"""A hot item of 20 KB: how many reads a second it stands, and what helps when that is not enough."""

import time

import pytest
from product_pages import ProductCache, read_product

from pytest_ddbthrottle import item_size_bytes, read_units

TWENTY_KB = {"pk": "lamp", "picture": "x" * 20_000}


@pytest.fixture(autouse=True)
def lamp(ddb_fake):
    ddb_fake.create_table("products").load([TWENTY_KB])


def views(count, read):
    """Show the lamp's page so many times in one instant; gives how many of them had the product."""
    return sum(read() is not None for _ in range(count))


def test_a_hot_20_kb_item_tops_out_at_600_strong_reads_a_second(ddb_fake):
    assert read_units(item_size_bytes(TWENTY_KB), consistent=True) == 5  # and a key range serves 3,000 units a second

    for _ in range(3):
        assert views(900, lambda: read_product("lamp", consistent=True)) == 600
        time.sleep(1)

    assert {call.refusal.cause for call in ddb_fake.throttles} == {"TableReadKeyRangeThroughputExceeded"}


def test_eventually_consistent_reads_cost_half(ddb_fake):
    assert views(1500, lambda: read_product("lamp")) == 1200

    ddb_fake.assert_consumed(table="products", read_units=3000)


def test_more_capacity_does_not_help(ddb_fake):
    ddb_fake.throttle(table="products", warm_read_units_per_second=100_000)

    assert views(900, lambda: read_product("lamp", consistent=True)) == 600


def test_a_cache_in_front_absorbs_repeated_reads(ddb_fake):
    cache = ProductCache(keep_seconds=60)

    for _ in range(10):
        assert views(5000, lambda: cache.read("lamp")) == 5000
        time.sleep(12)

    ddb_fake.assert_attempts("GetItem", 2)  # one a minute, for 50,000 views in two minutes
    ddb_fake.assert_not_throttled()
