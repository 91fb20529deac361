"""FakeDynamoDB by itself: its arguments, installing and ending it, clients that were there before."""

from __future__ import annotations

import re

import boto3
import botocore.endpoint
import pytest

from pytest_ddbthrottle import FakeDynamoDB


@pytest.fixture
def client():
    return boto3.client("dynamodb", "us-east-1", aws_access_key_id="x", aws_secret_access_key="x")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"account_id": "42"}, "account_id = '42': allowed is twelve digits"),
        ({"account_id": "١٢٣٤٥٦٧٨٩٠١٢"}, "account_id = '١٢٣٤٥٦٧٨٩٠١٢': allowed is twelve digits"),
        ({"region": "Ireland"}, "region = 'Ireland': allowed is a Region such as eu-west-1"),
        ({"start": "soon"}, "start = 'soon': allowed is an ISO 8601 instant such as 2026-01-01T00:00:00Z"),
        ({"seed": "x"}, "seed = 'x': allowed is a whole number"),
        ({"clock": "virtal"}, "clock = 'virtal': allowed is virtual, sdk or real. Did you mean 'virtual'?"),
        ({"livelock_limit": 0}, "livelock_limit = '0': allowed is a whole number, at least 1"),
        ({"stall_seconds": -0.5}, "stall_seconds = '-0.5': allowed is a number of seconds, not negative; 0 for never"),
    ],
)
def test_an_argument_out_of_its_range_is_named(arguments, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        FakeDynamoDB(**arguments)


def test_it_answers_for_the_block_and_is_entered_once(client):
    with FakeDynamoDB(clock="sdk") as fake:
        fake.create_table("orders")
        names = client.list_tables()["TableNames"]
        with pytest.raises(RuntimeError, match=r"is installed already$"):
            fake.install()

    assert names == ["orders"]


def test_uninstalling_twice_does_nothing_more():
    before = botocore.endpoint.Endpoint._send
    fake = FakeDynamoDB(clock="sdk")
    fake.install()

    fake.uninstall()
    fake.uninstall()

    assert botocore.endpoint.Endpoint._send is before


def test_it_can_be_entered_again_with_what_it_held(client):
    fake = FakeDynamoDB(clock="sdk")
    with fake:
        fake.create_table("orders")

    with fake:
        names = client.list_tables()["TableNames"]

    assert names == ["orders"]


def test_a_fake_that_is_not_installed_can_be_filled_and_answers_nobody(fake):
    fake.create_table("orders").load([{"pk": "1"}])

    assert fake.table("orders").item_count == 1
    assert fake.calls == []


def test_it_says_what_it_holds(fake, put):
    fake.create_table("orders")
    put("1")
    fake.clock.advance(2.5)

    assert repr(fake) == "<FakeDynamoDB 123456789012: 1 tables, 1 calls, 2.5 s>"


def test_attach_takes_a_client_that_was_made_before_and_a_resource(client):
    table = boto3.resource("dynamodb", "us-east-1", aws_access_key_id="x", aws_secret_access_key="x").Table("orders")

    with FakeDynamoDB(clock="sdk") as fake:
        fake.attach(client)
        fake.attach(table)
        client.list_tables()

    assert [call.operation for call in fake.calls] == ["ListTables"]


def test_attach_says_that_the_fake_is_not_installed(fake, client):
    with pytest.raises(RuntimeError, match=r"^attach: the fake is not installed; enter it first$"):
        fake.attach(client)


def test_attach_refuses_what_is_no_client_of_dynamodb():
    with FakeDynamoDB(clock="sdk") as fake, pytest.raises(TypeError, match=r"is not a DynamoDB client or resource$"):
        fake.attach(object())


def test_regions_are_apart_and_a_handle_has_the_fakes_own_if_none_is_named(send):
    fake = FakeDynamoDB(region="eu-west-1")

    fake.create_table("orders")

    assert fake.table("orders").arn == "arn:aws:dynamodb:eu-west-1:123456789012:table/orders"
    assert fake.table("orders", region="eu-west-1").region == "eu-west-1"
    with pytest.raises(
        LookupError, match=re.escape("no table 'orders' in us-east-1; there are: none. eu-west-1 has one")
    ):
        fake.table("orders", region="us-east-1")


def test_without_throttling_nothing_is_refused(put):
    fake = FakeDynamoDB(throttling=False)
    fake.create_table("orders", write_capacity_units=1)
    wire = fake._wire

    body = b'{"TableName":"orders","Item":{"pk":{"S":"1"}}}'
    replies = [wire.answer("", {"X-Amz-Target": "DynamoDB_20120810.PutItem"}, body) for _ in range(50)]

    assert {reply.status_code for reply in replies} == {200}
