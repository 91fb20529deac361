"""A batch gives back what it did not process, and throws only where it processed nothing at all."""

from decimal import Decimal

import pytest
from basket import PricesUnknown, dynamodb, total

PRODUCTS = [f"product#{number}" for number in range(40)]

pytestmark = pytest.mark.ddb_throttle(table="prices", read_capacity_units=5, write_capacity_units=5)


@pytest.fixture(autouse=True)
def prices(ddb_fake):
    ddb_fake.create_table("prices").load([{"pk": product, "price": 2} for product in PRODUCTS])


def test_leftovers_are_asked_for_again(ddb_fake):
    assert total(PRODUCTS) == Decimal(80)

    assert [len(call.leftovers) for call in ddb_fake.calls] == [30, 20, 0]
    assert {call.error for call in ddb_fake.calls} == {None}


def test_a_batch_of_which_nothing_was_processed_throws(ddb_fake):
    ddb_fake.table("prices").drain("read")

    assert total(PRODUCTS[:5]) == Decimal(10)

    assert [call.error for call in ddb_fake.calls] == ["ProvisionedThroughputExceededException", None]


def test_whoever_forgets_the_leftovers_gets_a_wrong_sum(ddb_fake):
    keys = [{"pk": {"S": product}} for product in PRODUCTS]

    reply = dynamodb.batch_get_item(RequestItems={"prices": {"Keys": keys}})

    assert sum(int(item["price"]["N"]) for item in reply["Responses"]["prices"]) == 20
    with pytest.raises(AssertionError):
        ddb_fake.assert_nothing_lost()


@pytest.mark.ddb_inject(operation="BatchGetItem", leftover=2, times=100)
def test_a_sum_without_all_prices_is_never_given(ddb_fake):
    ddb_fake.throttle(table="prices", read_capacity_units=1000)

    with pytest.raises(PricesUnknown, match="2 of 40"):
        total(PRODUCTS)
