"""Who is asked, in which order; all or nothing; the account's door; and what a test does with balances."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_ddbthrottle._engine.capacity import BillingMode, Consumption, Throughput
from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.throttle.reasons import OperationType, Scope
from pytest_ddbthrottle._engine.throttle.settings import ThrottleSettings

ADMITTED = "admitted"
READ, WRITE = OperationType.READ, OperationType.WRITE
FIVE = Throughput(BillingMode.PROVISIONED, 5, 5)
ONE = Throughput(BillingMode.PROVISIONED, 1, 1)
TEN = Throughput(BillingMode.PROVISIONED, 10, 10)
ON_DEMAND = Throughput(BillingMode.PAY_PER_REQUEST)
ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/orders"


@pytest.fixture
def exhausted(account):
    """A table and two indexes, each with capacity for one more write, and how to exhaust some of them."""
    account.settings = ThrottleSettings(partition_write_units_per_second=2, partition_read_units_per_second=2)
    account.create(TEN, {"a": TEN, "b": TEN})

    def exhaust(*what: str):
        for name in what:
            part = account.part
            account.admission.charge(account.tables, [EXHAUSTING[name](part)], 0)
        return account

    return exhaust


EXHAUSTING = {
    "table read": lambda part: part("read", 10),
    "table": lambda part: part("write", 10),
    "key": lambda part: part("write", 2, key="k"),
    "index a": lambda part: part("write", 10, "a"),
    "index a key": lambda part: part("write", 2, "a", key="k"),
    "index b": lambda part: part("write", 10, "b"),
}


@pytest.mark.parametrize(
    ("what", "reason", "resource"),
    [
        ((), ADMITTED, None),
        (("table read", "table", "index a"), "TableReadProvisionedThroughputExceeded", ARN),
        (("table", "key", "index a"), "TableWriteProvisionedThroughputExceeded", ARN),
        (("key", "index a", "index b"), "TableWriteKeyRangeThroughputExceeded", ARN),
        (("index b", "index a"), "IndexWriteProvisionedThroughputExceeded", f"{ARN}/index/a"),
        (("index b", "index a key"), "IndexWriteKeyRangeThroughputExceeded", f"{ARN}/index/a"),
        (("index b",), "IndexWriteProvisionedThroughputExceeded", f"{ARN}/index/b"),
    ],
)
def test_the_first_bucket_in_order_refuses(exhausted, what, reason, resource):
    account = exhausted(*what)
    parts = [
        account.part("write", 1, "b", key="k"),
        account.part("write", 1, "a", key="k"),
        account.part("write", 1, key="k"),
        account.part("read", 1),
    ]

    refused = account.refusal_of(*parts)

    assert (refused.refusal.reason if refused else ADMITTED) == reason
    assert (refused.refusal.resource if refused else None) == resource


@pytest.mark.parametrize("what", ["table read", "table", "key", "index a", "index a key", "index b"])
def test_a_refusal_charges_nothing_anywhere(exhausted, what):
    account = exhausted(what)
    parts = [account.part("read", 1), *(account.part("write", 1, index, key="k") for index in (None, "a", "b"))]
    before = balances(account)

    assert account.ask(*parts) != ADMITTED
    assert balances(account) == before


def balances(account):
    return [(account.balance("read", index), account.balance("write", index)) for index in (None, "a", "b")]


def test_several_consumptions_of_one_bucket_are_one_ask(account):
    account.settings = ThrottleSettings(admission="full_cost")
    account.create(FIVE)

    assert account.ask(account.part("write", 3), account.part("write", 3)) != ADMITTED
    assert account.ask(account.part("write", 3), account.part("write", 2)) == ADMITTED


def test_a_positive_balance_admits_the_whole_sum(account):
    account.create(FIVE)

    assert account.ask(*(account.part("write", 4) for _ in range(3))) == ADMITTED
    assert account.balance("write") == -7


def test_under_full_cost_the_part_that_overdraws_is_to_blame(account):
    account.settings = ThrottleSettings(admission="full_cost")
    account.create(FIVE)
    parts = [account.part("write", 3), account.part("write", 2), account.part("write", 1)]

    assert account.refusal_of(*parts).consumption is parts[2]


def test_the_part_on_the_hot_key_is_to_blame(account):
    account.create(Throughput(BillingMode.PROVISIONED, 40_000, 40_000))
    account.ask(account.part("write", 1_000, key="hot"))
    parts = [account.part("write", 1, key="cold"), account.part("write", 1, key="hot")]

    refused = account.refusal_of(*parts)

    assert refused.consumption is parts[1]
    assert refused.refusal.partition_key == "hot"


def test_what_costs_nothing_asks_nothing(account):
    account.create(FIVE, {"a": ONE})
    account.ask(account.part("write", 1, "a"))

    assert account.ask(account.part("write", 1), account.part("write", 0, "a")) == ADMITTED


def test_a_key_range_that_takes_no_part_is_not_asked(account):
    account.create(Throughput(BillingMode.PROVISIONED, 40_000, 40_000))
    account.ask(account.part("write", 1_000, key="hot"))
    write = Consumption("orders", WRITE, 10**9, key_ranges=(("hot", 0), ("cold", 10**9)))

    assert account.ask(write) == ADMITTED


def test_tables_are_asked_as_the_request_names_them(account):
    for name in ("orders", "audit"):
        account.create(ONE, name=name)
        account.ask(account.part("write", 1, table=name))

    refused = account.refusal_of(account.part("write", 1, table="orders"), account.part("write", 1, table="audit"))

    assert refused.refusal.table_name == "orders"


def test_a_table_and_its_indexes_are_asked_before_the_next_table(account):
    account.create(TEN, {"a": ONE}, name="orders")
    account.create(ONE, name="audit")
    account.ask(account.part("write", 1, "a"), account.part("write", 1, table="audit"))

    refused = account.refusal_of(
        account.part("write", 1), account.part("write", 1, table="audit"), account.part("write", 1, "a")
    )

    assert refused.refusal.index_name == "a"


def test_a_refusal_tells_the_numbers(account):
    account.create(FIVE)
    account.ask(account.part("write", 7))

    refusal = account.refusal_of(account.part("write", 3), at=0.2).refusal

    assert refusal.scope is Scope.PROVISIONED
    assert (refusal.asked_units, refusal.left_units, refusal.rate_units_per_second) == (3, -1, 5)
    assert (refusal.table_name, refusal.index_name, refusal.resource) == ("orders", None, ARN)
    assert (refusal.direction, refusal.billing_mode) == (WRITE, BillingMode.PROVISIONED)
    assert (refusal.at_ns, refusal.partition_key) == (200_000_000, None)


def test_a_charge_does_not_ask(account):
    account.create(FIVE)

    for _ in range(3):
        account.admission.charge(account.tables, [account.part("write", 5)], 0)

    assert account.balance("write") == -10


# The account's door


@pytest.mark.parametrize(
    ("table_name", "resource"),
    [
        ("orders", ARN),
        ("no-such-table", ARN.replace("orders", "no-such-table")),
        (ARN, ARN),
        (ARN.replace("123456789012", "999999999999"), None),
        (ARN.replace("us-east-1", "eu-west-1"), None),
        ("no", None),
        ("a name!", None),
        ("x" * 256, None),
        ("", None),
        (None, None),
    ],
)
def test_the_door_names_a_table_that_could_exist(account, table_name, resource):
    account.limits = AccountLimits(account_write_units_per_second=0)

    refused = door_refusal(account, table_name)

    listed = {"ThrottlingReasons": [{"reason": "TableWriteAccountLimitExceeded", "resource": resource}]}
    assert refused.error.members == (listed if resource else {})
    assert refused.refusal.cause == "TableWriteAccountLimitExceeded"
    assert refused.refusal.reason == ("TableWriteAccountLimitExceeded" if resource else None)


def door_refusal(account, table_name):
    with pytest.raises(Exception) as caught:
        account.admission.knock([WRITE], table_name, 0)
    return caught.value


def test_the_account_is_charged_with_what_was_admitted_and_nothing_else(account):
    account.limits = AccountLimits(account_write_units_per_second=5)
    account.create(ONE)

    assert account.knock("write") == ADMITTED
    account.ask(account.part("write", 4))
    account.ask(account.part("write", 4))  # refused by the table
    assert account.knock("write") == ADMITTED
    account.admission.charge(account.tables, [account.part("write", 1)], 0)
    assert account.knock("write") == "TableWriteAccountLimitExceeded"
    assert account.knock("write", at=0.1) == ADMITTED


def test_the_account_sums_tables_and_indexes(account):
    account.limits = AccountLimits(account_write_units_per_second=30)
    account.create(TEN, {"a": TEN})
    account.create(TEN, name="audit")

    account.ask(account.part("write", 10), account.part("write", 10, "a"), account.part("write", 10, table="audit"))

    assert account.knock("write") == "TableWriteAccountLimitExceeded"


def test_reads_are_refused_before_writes_and_only_where_asked(account):
    account.limits = AccountLimits(account_read_units_per_second=0, account_write_units_per_second=0)

    assert account.knock("write", "read") == "TableReadAccountLimitExceeded"
    assert account.knock("write") == "TableWriteAccountLimitExceeded"
    assert account.knock() == ADMITTED


def test_the_door_is_open_unless_the_test_sets_a_limit(account):
    account.create(Throughput(BillingMode.PROVISIONED, 40_000, 40_000))
    for _ in range(5):
        account.admission.charge(account.tables, [account.part("write", 100_000)], 0)

    assert account.knock("read", "write") == ADMITTED


def test_an_account_saves_up_to_300_seconds(account):
    account.limits = AccountLimits(account_write_units_per_second=5)
    account.create(Throughput(BillingMode.PROVISIONED, 1, 40_000))

    account.ask(account.part("write", 1_500), at=1_000)

    assert account.knock("write", at=1_000) == "TableWriteAccountLimitExceeded"
    assert account.knock("write", at=1_000.1) == ADMITTED


@pytest.mark.parametrize(("raised", "outcome"), [(None, ADMITTED), (10, "TableWriteAccountLimitExceeded")])
def test_an_account_limit_that_changes_holds_at_once(account, raised, outcome):
    account.limits = AccountLimits(account_write_units_per_second=5)
    account.create(TEN)
    account.ask(account.part("write", 10))

    account.limits = AccountLimits(account_write_units_per_second=raised)

    assert account.knock("write") == outcome


# Tables and indexes that come, change and go


def test_a_table_made_again_starts_afresh(account):
    account.create(FIVE)
    account.ask(account.part("write", 400))

    account.admission.forget("orders")
    account.create(FIVE)

    assert account.balance("write") == 5


def test_an_index_made_again_starts_afresh_and_the_others_keep_their_balance(account):
    table = account.create(FIVE, {"a": FIVE, "b": FIVE})
    account.ask(account.part("write", 5, "a"), account.part("write", 5, "b"))
    index = table.global_indexes.pop("a")
    account.admission.refresh(table, 0)
    table.global_indexes["a"] = index
    account.admission.refresh(table, 0)

    assert (account.balance("write", "a"), account.balance("write", "b")) == (5, 0)


def test_a_table_that_was_never_announced_starts_with_its_first_request(account):
    table = account.create(FIVE)
    account.admission.forget("orders")

    assert account.balance("write", at=100) == 5
    table.throughput = TEN  # nor was this change
    assert account.balance("write", at=100) == 10


def test_settings_that_change_reach_the_key_ranges_with_a_refresh(account):
    table = account.create(TEN)
    account.settings = ThrottleSettings(partition_write_units_per_second=1)

    account.admission.refresh(table, 0)

    assert account.ask(account.part("write", 1, key="k")) == ADMITTED
    assert account.ask(account.part("write", 1, key="k")) == "TableWriteKeyRangeThroughputExceeded"


def test_an_index_has_capacity_of_its_own(account):
    account.create(ONE, {"a": FIVE})
    account.ask(account.part("write", 1))

    assert account.ask(account.part("write", 1, "a")) == ADMITTED


# What a test does with balances


def test_drain_leaves_nothing_and_the_binding_bucket_refuses(account):
    table = account.create(FIVE)

    account.admission.drain(table, WRITE, None, 0)

    assert account.balance("write") == 0
    assert account.ask(account.part("write", 1)) == "TableWriteProvisionedThroughputExceeded"
    assert account.ask(account.part("read", 1)) == ADMITTED


def test_an_on_demand_table_that_is_drained_refuses_as_one_that_must_grow(account):
    table = account.create(ON_DEMAND)

    account.admission.drain(table, WRITE, None, 0)

    assert account.ask(account.part("write", 1)) == "TableWriteKeyRangeThroughputExceeded"


def test_an_index_is_drained_by_its_name(account):
    table = account.create(FIVE, {"a": FIVE})

    account.admission.drain(table, WRITE, "a", 0)

    assert (account.balance("write"), account.balance("write", "a")) == (5, 0)


@pytest.mark.parametrize(("throughput", "full"), [(FIVE, 1_500), (ON_DEMAND, 4_000)])
def test_fill_gives_all_that_the_buckets_hold(account, throughput, full):
    table = account.create(throughput)
    account.ask(account.part("write", 100))

    account.admission.fill(table, WRITE, None, 0)

    assert account.balance("write") == full


@pytest.mark.parametrize(("spent_before", "spent", "left"), [(0, 2, 3), (0, 100, 0), (10, 100, -5)])
def test_background_work_spends_what_is_there_and_makes_no_debt(account, spent_before, spent, left):
    table = account.create(FIVE)
    account.admission.charge(account.tables, [account.part("write", spent_before)], 0)

    account.admission.spend_burst(table, WRITE, None, spent * 10**9, 0)

    assert account.balance("write") == left


# Snapshots


def test_a_snapshot_can_be_restored_twice(account):
    account.limits = AccountLimits(account_write_units_per_second=5)
    account.create(Throughput(BillingMode.PAY_PER_REQUEST), {"a": TEN})
    account.ask(account.part("write", 1, key="k"))
    snapshot = account.admission.snapshot()

    for _ in range(2):
        account.ask(account.part("write", 3_999, key="k"), account.part("write", 20, "a"))
        assert account.knock("write") != ADMITTED
        account.admission.restore(snapshot)
        assert (account.balance("write"), account.balance("write", "a")) == (3_999, 10)
        assert account.knock("write") == ADMITTED


def test_only_a_snapshot_can_be_restored(account):
    with pytest.raises(TypeError, match="not a snapshot"):
        account.admission.restore({})


def test_the_invariants_notice_a_meter_of_the_wrong_size(account):
    account.create(FIVE)
    account.admission._meters["orders"][None, WRITE].capacity.holds_nano_units += 1

    with pytest.raises(AssertionError):
        account.admission.check_invariants()


# Properties

amounts = st.integers(1, 30)
steps = st.lists(
    st.tuples(
        st.integers(0, 3 * 10**9),  # pause, in nanoseconds
        st.lists(st.tuples(st.sampled_from(["read", "write"]), st.sampled_from([None, "a"]), amounts), max_size=4),
    ),
    max_size=25,
)


RATES = {(READ, None): 3, (WRITE, None): 4, (READ, "a"): 2, (WRITE, "a"): 1}
MOST_OVERDRAWN_NANO_UNITS = 4 * 30 * 10**9


@given(steps=steps, admission=st.sampled_from(["positive_balance", "full_cost"]))
def test_no_timeline_admits_more_than_start_refill_and_one_overdraw(make_account, steps, admission):
    account = make_account()
    account.settings = ThrottleSettings(admission=admission)
    account.create(Throughput(BillingMode.PROVISIONED, 3, 4), {"a": Throughput(BillingMode.PROVISIONED, 2, 1)})
    overdraw = MOST_OVERDRAWN_NANO_UNITS if admission == "positive_balance" else 0
    now_ns, admitted = 0, dict.fromkeys(RATES, 0)

    for pause_ns, wanted in steps:
        now_ns += pause_ns
        parts = [account.part(direction, units, index) for direction, index, units in wanted]
        before = settled(account, now_ns)
        if account.ask(*parts, at=now_ns / 10**9) == ADMITTED:
            for part in parts:
                admitted[part.direction, part.index_name] += part.nano_units
        else:
            assert settled(account, now_ns) == before
        assert all(admitted[key] <= rate * (10**9 + now_ns) + overdraw for key, rate in RATES.items())


def settled(account, now_ns):
    table = account.tables["orders"]
    return {key: account.admission.balance_nano_units(table, *key, now_ns) for key in RATES}
