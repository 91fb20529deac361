"""A hot item takes 1,000 writes a second and no more; sharding its key is the cure, more capacity is not."""

import pytest
from hot_counter import Views

pytestmark = pytest.mark.ddb_throttle(table="counters", partition_write_units_per_second=100)


def test_one_hot_item_drops_views(ddb_fake):
    ddb_fake.create_table("counters")
    views = Views("home")

    counted = sum(views.count() for _ in range(300))

    assert counted == 100 == views.total()
    ddb_fake.assert_throttled("UpdateItem", reason="TableWriteKeyRangeThroughputExceeded", times=200)


def test_more_capacity_does_not_help_a_hot_item(ddb_fake):
    ddb_fake.create_table("counters", warm_write_units_per_second=20_000)
    views = Views("home")

    assert sum(views.count() for _ in range(300)) == 100


def test_ten_shards_take_them_all(ddb_fake):
    ddb_fake.create_table("counters")
    views = Views("home", shards=10)

    counted = sum(views.count() for _ in range(300))

    assert counted == 300 == views.total()
    ddb_fake.assert_not_throttled()
