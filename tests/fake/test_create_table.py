"""The short form of CreateTable: what it makes, and what a wrong one is told."""

from __future__ import annotations

import re

import pytest

ALLOWED = "TYPE being one of S, N, B"


def described(send) -> dict:
    return send("DescribeTable", TableName="orders")["Table"]


def keys(described: dict) -> list[str]:
    return [f"{key['AttributeName']} {key['KeyType']}" for key in described["KeySchema"]]


@pytest.mark.parametrize(
    ("arguments", "schema", "types"),
    [
        ({}, ["pk HASH"], {"pk": "S"}),
        ({"partition_key": "id:N"}, ["id HASH"], {"id": "N"}),
        ({"partition_key": "id"}, ["id HASH"], {"id": "S"}),
        ({"partition_key": "a:b:B"}, ["a:b HASH"], {"a:b": "B"}),
        ({"sort_key": "at:N"}, ["pk HASH", "at RANGE"], {"pk": "S", "at": "N"}),
        ({"partition_key": "id:B", "sort_key": "at"}, ["id HASH", "at RANGE"], {"id": "B", "at": "S"}),
    ],
)
def test_keys_in_the_short_form(fake, send, arguments, schema, types):
    fake.create_table("orders", **arguments)

    table = described(send)
    assert keys(table) == schema
    assert {part["AttributeName"]: part["AttributeType"] for part in table["AttributeDefinitions"]} == types
    assert table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"


@pytest.mark.parametrize(
    ("said", "schema"),
    [
        ("status:S", ["status HASH"]),
        (["status:S"], ["status HASH"]),
        (("status:S", "at:N"), ["status HASH", "at RANGE"]),
        (("status", "pk"), ["status HASH", "pk RANGE"]),
    ],
)
def test_indexes_in_the_short_form_project_everything(fake, send, said, schema):
    fake.create_table("orders", indexes={"by_status": said, "by_day": "day:S"})

    by_name = {index["IndexName"]: index for index in described(send)["GlobalSecondaryIndexes"]}
    assert set(by_name) == {"by_status", "by_day"}
    assert keys(by_name["by_status"]) == schema
    assert by_name["by_status"]["Projection"] == {"ProjectionType": "ALL"}


def test_the_names_of_the_marker_are_in_force_at_once_and_for_the_indexes(fake, send):
    table = fake.create_table("orders", indexes={"by_status": "status:S"}, read_capacity_units=7, burst_seconds=2)

    assert described(send)["ProvisionedThroughput"]["ReadCapacityUnits"] == 7
    assert (table.balance("read"), table.balance("read", "by_status")) == (7, 7)
    table.fill("read")
    assert table.balance("read") == 14


def test_a_name_of_the_marker_may_speak_of_one_index(fake):
    table = fake.create_table("orders", indexes={"by_status": "status:S"}, index="by_status", max_read_request_units=3)

    assert table.balance("read", "by_status") == 3
    assert table.balance("read") > 3


def test_the_table_of_an_application_meets_the_rules_of_its_own_name_alone(fake):
    fake.create_table("orders", write_capacity_units=1)

    assert fake.create_table("customers").balance("write") > 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"partition_key": "pk:X"}, f"'pk:X': a key reads 'name:TYPE', {ALLOWED}"),
        ({"partition_key": "pk:"}, f"'pk:': a key reads 'name:TYPE', {ALLOWED}"),
        ({"partition_key": ":S"}, f"':S': a key reads 'name:TYPE', {ALLOWED}"),
        ({"partition_key": ""}, f"'': a key reads 'name:TYPE', {ALLOWED}"),
        ({"partition_key": ("pk", "S")}, f"('pk', 'S'): a key reads 'name:TYPE', {ALLOWED}"),
        ({"sort_key": "at:n"}, f"'at:n': a key reads 'name:TYPE', {ALLOWED}"),
        ({"sort_key": ""}, f"'': a key reads 'name:TYPE', {ALLOWED}"),
        (
            {"indexes": {"by_status": ("a:S", "b:S", "c:S")}},
            "index 'by_status': ('a:S', 'b:S', 'c:S') is neither a partition key nor a pair of it and a sort key",
        ),
        (
            {"indexes": {"by_status": []}},
            "index 'by_status': [] is neither a partition key nor a pair of it and a sort key",
        ),
        (
            {"indexes": {"by_status": {"status": "S"}}},
            "index 'by_status': {'status': 'S'} is neither a partition key nor a pair of it and a sort key",
        ),
        ({"indexes": {"by_pk": "pk:N"}}, "'pk:N': 'pk' is of type S elsewhere in this table"),
        (
            {"index": "by_status", "read_capacity_units": 1},
            "create_table('orders'): index='by_status' is none of its indexes",
        ),
        ({"write_capacity_units": 0}, "write_capacity_units=0: at least 1 is needed"),
        ({"write_capacity_units": -5}, "write_capacity_units=-5: at least 1 is needed"),
        (
            {"write_capacity_units": 5, "max_read_request_units": 5},
            "write_capacity_units contradicts max_read_request_units: capacity units are for PROVISIONED tables",
        ),
    ],
)
def test_a_wrong_form_is_named_and_nothing_is_made(fake, account_state, arguments, message):
    before = account_state(fake._engine)

    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        fake.create_table("orders", **arguments)

    assert account_state(fake._engine) == before


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("orders", {}, "create_table('orders'): ResourceInUseException: "),
        ("a", {}, "create_table('a'): ValidationException: "),
        ("other", {"sort_key": "pk:S"}, "create_table('other'): ValidationException: "),
    ],
)
def test_what_the_service_refuses_is_an_error_with_its_text_and_leaves_no_rule(
    fake, account_state, name, arguments, message
):
    fake.create_table("orders")
    before = account_state(fake._engine)

    with pytest.raises(ValueError, match=f"^{re.escape(message)}."):
        fake.create_table(name, write_capacity_units=1, **arguments)

    assert account_state(fake._engine) == before
    assert fake._engine.rules == []


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"sort_keys": "at:N"}, "create_table() has no argument 'sort_keys'. Did you mean 'sort_key'?"),
        (
            {"write_capacity_unit": 5},
            "create_table() has no argument 'write_capacity_unit'. Did you mean 'write_capacity_units'?",
        ),
        ({"table": "customers"}, "create_table() has no argument 'table'"),
    ],
)
def test_an_unknown_name_is_told_the_nearest_and_what_is_allowed(fake, names, message):
    with pytest.raises(TypeError) as caught:
        fake.create_table("orders", **names)

    first, last = str(caught.value).splitlines()
    assert first == message
    assert last.startswith("Allowed names: name, partition_key, sort_key, indexes, index, billing_mode, ")
