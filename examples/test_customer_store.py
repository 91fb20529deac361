"""Scripted refusals: exactly two, exactly here, then success."""

import pytest
from customer_store import save_customer


@pytest.mark.ddb_inject(operation="PutItem", table="customers", reason="TableWriteKeyRangeThroughputExceeded", times=2)
def test_two_hot_key_refusals_then_success(ddb_fake):
    ddb_fake.create_table("customers")

    save_customer("customer#1")

    ddb_fake.assert_attempts("PutItem", 3)
    assert ddb_fake.table("customers").item_count == 1
    assert len(ddb_fake.sleeps) == 2


@pytest.mark.ddb_inject(operation="PutItem", table="customers", error="InternalServerError", times=1)
def test_one_server_error_then_success(ddb_fake):
    ddb_fake.create_table("customers")

    save_customer("customer#1")

    ddb_fake.assert_attempts("PutItem", 2)
