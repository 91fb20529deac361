"""Burst capacity is five minutes of what was not used, and no more, however long the table was idle."""

import pytest
from nightly_export import export

pytestmark = pytest.mark.ddb_throttle(table="figures", read_capacity_units=5, write_capacity_units=5)


@pytest.fixture(autouse=True)
def figures_table(ddb_fake):
    """A table of 5 write units; what it starts with is spent."""
    ddb_fake.create_table("figures").drain("write")


def figures(count):
    return [{"pk": {"S": f"figure#{number}"}} for number in range(count)]


@pytest.mark.parametrize(("idle_seconds", "burst"), [(60, 300), (300, 1500), (86_400, 1500)])
def test_burst_is_five_minutes_and_no_more(ddb_fake, idle_seconds, burst):
    ddb_fake.clock.advance(idle_seconds)

    assert export(figures(2000)) == burst
    assert ddb_fake.clock.elapsed == idle_seconds + (2000 - burst) / 5


def test_the_service_may_spend_the_burst_itself(ddb_fake):
    ddb_fake.clock.advance(86_400)
    ddb_fake.table("figures").spend_burst("write", 1400)  # background maintenance, without notice

    assert export(figures(200)) == 100


def test_a_raise_of_the_capacity_beforehand_is_the_cure_for_a_known_peak(ddb_fake, ddb_client):
    ddb_fake.clock.advance(86_400)
    ddb_client.update_table(
        TableName="figures", ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 10}
    )

    assert export(figures(2000)) == 2000
    ddb_fake.assert_not_throttled()
