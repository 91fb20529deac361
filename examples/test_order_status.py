"""An index with few distinct keys throttles on its own key range, and with it the writes of its table."""

import pytest
from botocore.exceptions import ClientError
from order_status import create_orders_table, draft, place

from pytest_ddbthrottle import assert_throttled

pytestmark = pytest.mark.ddb_throttle(table="orders", index="by_status", partition_write_units_per_second=50)


def test_the_index_refuses_writes_to_its_table(ddb_fake):
    create_orders_table()

    with pytest.raises(ClientError) as caught:
        for number in range(60):
            place(f"order#{number}")

    table = ddb_fake.table("orders")
    assert_throttled(
        caught.value,
        error="ThrottlingException",
        reason="IndexWriteKeyRangeThroughputExceeded",
        resource=table.index_arn("by_status"),
    )
    assert table.item_count == 50


def test_an_item_without_the_index_key_passes_meanwhile(ddb_fake):
    create_orders_table()
    with pytest.raises(ClientError):
        for number in range(60):
            place(f"order#{number}")

    draft("order#draft")

    assert ddb_fake.table("orders").item_count == 51


def test_a_suffix_on_the_status_cures_it(ddb_fake):
    create_orders_table()

    for number in range(60):
        place(f"order#{number}", shard=number % 4)

    assert ddb_fake.table("orders").item_count == 60
    ddb_fake.assert_not_throttled()
