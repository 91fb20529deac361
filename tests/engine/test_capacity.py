"""Bytes to nano-units, index writes, and the ConsumedCapacity reply."""

from __future__ import annotations

import pytest

from pytest_ddbthrottle._engine.capacity import (
    BillingMode,
    Consumption,
    OperationType,
    ReadConsistency,
    Throughput,
    consumed_capacity,
    index_write_nano_units,
    read_nano_units,
    write_nano_units,
)

UNIT = 10**9


@pytest.mark.parametrize(("item_bytes", "units"), [(0, 1), (1, 1), (1024, 1), (1025, 2), (2048, 2), (409_600, 400)])
def test_a_write_costs_a_unit_for_each_kilobyte_begun(item_bytes, units):
    assert write_nano_units(item_bytes) == units * UNIT


@pytest.mark.parametrize(
    ("read_bytes", "consistency", "units"),
    [
        (0, ReadConsistency.EVENTUAL, 0.5),
        (0, ReadConsistency.STRONG, 1),
        (0, ReadConsistency.TRANSACTIONAL, 2),
        (4096, ReadConsistency.EVENTUAL, 0.5),
        (4097, ReadConsistency.EVENTUAL, 1),
        (20_005, ReadConsistency.EVENTUAL, 2.5),
        (20_005, ReadConsistency.STRONG, 5),
        (40 * 1024 + 819, ReadConsistency.STRONG, 11),
    ],
)
def test_a_read_costs_by_four_kilobytes_and_consistency(read_bytes, consistency, units):
    assert read_nano_units(read_bytes, consistency) == units * UNIT


@pytest.mark.parametrize(
    ("old_bytes", "new_bytes", "same_key", "same_content", "units"),
    [
        (None, None, True, False, (0, 0)),
        (None, 1500, False, False, (0, 2)),
        (1500, None, False, False, (2, 0)),
        (1500, 1500, True, True, (0, 0)),
        (500, 2500, True, False, (0, 3)),
        (2500, 500, True, False, (0, 3)),
        (500, 1500, False, False, (1, 2)),
    ],
)
def test_an_index_write_costs_what_becomes_of_its_entry(old_bytes, new_bytes, same_key, same_content, units):
    cost = index_write_nano_units(old_bytes, new_bytes, same_key=same_key, same_content=same_content)

    assert cost == tuple(part * UNIT for part in units)


WRITES = [
    Consumption("orders", OperationType.WRITE, 2 * UNIT),
    Consumption("orders", OperationType.WRITE, UNIT, index_name="by_status"),
    Consumption("orders", OperationType.WRITE, 3 * UNIT, local_index_name="by_date"),
]


@pytest.mark.parametrize("detail", [None, "NONE"])
def test_capacity_that_was_not_asked_for_is_not_told(detail):
    assert consumed_capacity("orders", WRITES, detail) is None


def test_total_adds_indexes_without_naming_them():
    assert consumed_capacity("orders", WRITES, "TOTAL") == {"TableName": "orders", "CapacityUnits": 6.0}


def test_indexes_names_each_arm_that_was_touched():
    assert consumed_capacity("orders", WRITES, "INDEXES") == {
        "TableName": "orders",
        "CapacityUnits": 6.0,
        "Table": {"CapacityUnits": 2.0},
        "LocalSecondaryIndexes": {"by_date": {"CapacityUnits": 3.0}},
        "GlobalSecondaryIndexes": {"by_status": {"CapacityUnits": 1.0}},
    }


def test_transactions_mirror_the_units_under_a_second_name():
    assert consumed_capacity("orders", WRITES[:1], "INDEXES", "WriteCapacityUnits") == {
        "TableName": "orders",
        "CapacityUnits": 2.0,
        "WriteCapacityUnits": 2.0,
        "Table": {"CapacityUnits": 2.0, "WriteCapacityUnits": 2.0},
    }


@pytest.mark.parametrize(("cap", "effective"), [(None, None), (-1, None), (0, None), (7, 7)])
def test_a_cap_that_is_absent_or_negative_is_no_cap(cap, effective):
    throughput = Throughput(BillingMode.PAY_PER_REQUEST, max_write_request_units=cap)

    assert throughput.cap_units(OperationType.WRITE) == effective
    assert throughput.cap_units(OperationType.READ) is None
