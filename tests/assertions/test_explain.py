"""``explain``: cause, cure and order for each of the sixteen reasons."""

from __future__ import annotations

import pytest

from pytest_ddbthrottle._engine.throttle.reasons import ThrottlingReason
from pytest_ddbthrottle._explain import ADVICE, explain

NO_MORE = (
    "More capacity: does not help one hot key: a partition serves no more, whatever the index as a whole may consume. "
    "Splitting for heat takes minutes, and does nothing for one hot item, for a sort key that only grows, or for a table "
    "with a local secondary index."
)


def test_a_hot_index_key_is_explained():
    assert explain("IndexWriteKeyRangeThroughputExceeded").splitlines() == [
        "IndexWriteKeyRangeThroughputExceeded",
        "Cause: writes of one key range of the index passed what a partition serves, 1,000 write units per second in both "
        "capacity modes; or an on-demand index met more than double its previous peak within 30 minutes. A write of the "
        "table must update the index as well, so the table's write was refused with it.",
        NO_MORE,
        "What to do, in this order:",
        "1. Give the index a key of more distinct values: one of a few (status = ACTIVE) is a hot key by itself. Combine "
        "it with another attribute (ACTIVE#customer#123), or use several key attributes.",
        "2. Raise the index's warm throughput before a launch, a migration or a known peak: its partitions are ready then, "
        "not while it lasts.",
        "3. Project fewer attributes into the index: a write that changes none of them, and not its key, costs the index "
        "nothing.",
    ]


def test_a_provisioned_table_is_explained():
    assert explain(ThrottlingReason.TABLE_READ_PROVISIONED_THROUGHPUT_EXCEEDED).splitlines() == [
        "TableReadProvisionedThroughputExceeded",
        "Cause: reads of the table stayed above its provisioned read capacity, and the burst capacity (up to 300 seconds "
        "of what was not used) is spent.",
        "More capacity: helps.",
        "What to do, in this order:",
        "1. For spikes that can't be predicted, switch the table to on-demand mode (up to four times in 24 hours, and back "
        "at any time).",
        "2. Without auto scaling: raise the table's ReadCapacityUnits, before a spike that can be predicted.",
        "3. Turn auto scaling on for reads of the table. It follows traffic that ramps over minutes: it waits for two "
        "minutes above the target, and the change takes minutes more.",
        "4. With auto scaling on: lower its target utilization, and raise its minimum before a known peak.",
    ]


@pytest.mark.parametrize(
    ("limit", "more_capacity"),
    [
        ("ProvisionedThroughputExceeded", "helps."),
        ("KeyRangeThroughputExceeded", "does not help one hot key"),
        ("MaxOnDemandThroughputExceeded", "helps once the maximum allows it"),
        ("AccountLimitExceeded", "does not help: a quota is in the way"),
    ],
)
@pytest.mark.parametrize("beginning", ["TableRead", "TableWrite", "IndexRead", "IndexWrite"])
def test_each_reason_says_whether_more_capacity_helps(beginning, limit, more_capacity):
    text = explain(beginning + limit)

    assert f"\nMore capacity: {more_capacity}" in text
    assert text.startswith(f"{beginning}{limit}\nCause: {beginning[5:].lower()}s ")
    assert "{" not in text


def test_only_a_refused_index_write_speaks_of_its_table():
    told = [reason.value for reason in ThrottlingReason if "the table's write was refused" in explain(reason)]

    assert sorted(told) == sorted(reason.value for reason in ThrottlingReason if reason.startswith("IndexWrite"))


def test_the_table_has_a_row_for_each_reason():
    rows = {(reason.limit_type, reason.resource_type, reason.operation_type) for reason in ThrottlingReason}

    assert set(ADVICE) == rows


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        (
            "TableWriteProvisionedThroughput",
            "explain('TableWriteProvisionedThroughput'): none of the sixteen throttling reasons; "
            "did you mean 'TableWriteProvisionedThroughputExceeded'?",
        ),
        ("nonsense", "explain('nonsense'): none of the sixteen throttling reasons"),
    ],
)
def test_what_is_no_reason_is_an_error(reason, text):
    with pytest.raises(ValueError) as caught:
        explain(reason)

    assert str(caught.value) == text
