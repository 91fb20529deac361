"""``assert_limit_exceeded``: the sentence of each limit, made by the engine, is read back part by part."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_ddbthrottle import FakeDynamoDB, assert_limit_exceeded
from pytest_ddbthrottle._limit_exceeded import LIMIT_TEXTS

KEY = {
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
}
LIMITS = {
    "max_tables_per_account": 2,
    **dict.fromkeys(("per_table_max_rcu", "per_table_max_wcu"), 100),
    **dict.fromkeys(("per_account_max_rcu", "per_account_max_wcu"), 115),
}


def provisioned(read_units: int, write_units: int) -> dict[str, int]:
    return {"ReadCapacityUnits": read_units, "WriteCapacityUnits": write_units}


def create(client: Any, name: str, read_units: int = 1, write_units: int = 1, **rest: Any) -> None:
    client.create_table(TableName=name, **KEY, ProvisionedThroughput=provisioned(read_units, write_units), **rest)


def update(client: Any, read_units: int, write_units: int) -> None:
    client.update_table(TableName="first", ProvisionedThroughput=provisioned(read_units, write_units))


def update_index(client: Any, action: str, **rest: Any) -> None:
    client.update_table(
        TableName="first",
        AttributeDefinitions=[*KEY["AttributeDefinitions"], {"AttributeName": "g", "AttributeType": "S"}],
        GlobalSecondaryIndexUpdates=[{action: {"IndexName": "by_g", **rest}}],
    )


def create_index(client: Any, read_units: int) -> None:
    key = [{"AttributeName": "g", "KeyType": "HASH"}]
    shape = {"KeySchema": key, "Projection": {"ProjectionType": "ALL"}}
    update_index(client, "Create", **shape, ProvisionedThroughput=provisioned(read_units, 1))


def too_many_decreases(client: Any) -> None:
    for units in range(13, 1, -1):
        update(client, units, 14)


def capped(client: Any) -> None:
    caps = {"MaxReadRequestUnits": 101}
    client.create_table(TableName="second", **KEY, BillingMode="PAY_PER_REQUEST", OnDemandThroughput=caps)


REFUSALS: dict[str, tuple[Any, dict[str, Any]]] = {
    "per_table_max_rcu": (lambda client: create(client, "second", 101), {"requested": 101, "maximum": 100}),
    "per_table_max_wcu": (lambda client: create(client, "second", 1, 101), {"requested": 101, "maximum": 100}),
    "per_table_max_rcu of an index": (
        lambda client: create_index(client, 101),
        {"requested": 101, "maximum": 100, "index": "by_g"},
    ),
    "per_account_max_rcu": (
        lambda client: create(client, "second", 102),
        {"requested": 102, "maximum": 115, "reserved": 14},
    ),
    "per_account_max_wcu": (
        lambda client: create(client, "second", 1, 102),
        {"requested": 102, "maximum": 115, "reserved": 14},
    ),
    "per_account_max_rcu by UpdateTable": (
        lambda client: [create(client, "second", 50), create_index(client, 91)],
        {"requested": 105, "maximum": 115, "reserved": 64, "provisioned": 14},
    ),
    "max_tables_per_account": (
        lambda client: [create(client, "second"), create(client, "third")],
        {"maximum": 2},
    ),
    "decreases": (too_many_decreases, {}),
    "max_read_request_units": (capped, {}),
}


def refusal(call: Any, clients: Any) -> Any:
    """Give the error that a call meets in an account whose one table has 14 units of each kind."""
    with FakeDynamoDB() as fake:
        fake.limits(**LIMITS)
        create(clients, "first", 14, 14)
        with pytest.raises(clients.exceptions.LimitExceededException) as caught:
            call(clients)
    return caught.value


@pytest.fixture(scope="module")
def client() -> Any:
    import boto3
    from botocore.config import Config

    return boto3.session.Session().client(
        "dynamodb", region_name="eu-west-1", config=Config(retries={"total_max_attempts": 1})
    )


@pytest.mark.parametrize(("call", "parts"), REFUSALS.values(), ids=REFUSALS)
def test_the_sentence_of_a_limit_is_read_back(client, request, call, parts):
    error = refusal(call, client)
    limit = request.node.callspec.id.partition(" ")[0]
    region = {"region": "eu-west-1"} if limit.startswith("per_") else {}

    assert_limit_exceeded(error, limit=limit, **parts, **region)


@pytest.mark.parametrize("limit", LIMIT_TEXTS)
def test_each_limit_is_told_from_all_others(limit):
    fields = {
        "requested": 7,
        "maximum": 5,
        "region": "us-east-1",
        "reserved": 3,
        "provisioned": 2,
        "index": "gsi1",
        "table": "orders",
    }
    for template in LIMIT_TEXTS[limit]:
        message = template.format(**fields, count=4, last="yesterday", next="today", window="tomorrow")
        reply = {"Error": {"Code": "LimitExceededException", "Message": message}}

        assert_limit_exceeded(reply, limit=limit)
        for other in set(LIMIT_TEXTS) - {limit}:
            with pytest.raises(AssertionError, match="limit differs"):
                assert_limit_exceeded(reply, limit=other)


@pytest.mark.parametrize("part", ["requested", "maximum", "reserved", "provisioned"])
def test_a_number_that_is_another_is_a_difference(client, part):
    call, parts = REFUSALS["per_account_max_rcu by UpdateTable"]
    error = refusal(call, client)

    with pytest.raises(AssertionError, match=f"{part} differs"):
        assert_limit_exceeded(error, **{**parts, part: parts[part] + 1})


def test_a_failure_tells_each_part_and_the_text(client):
    error = refusal(REFUSALS["per_table_max_rcu"][0], client)

    with pytest.raises(AssertionError) as caught:
        assert_limit_exceeded(error, limit="per_account_max_rcu", requested=102, reserved=5)

    assert str(caught.value) == (
        "expected a limit to be exceeded; limit, requested and reserved differ\n"
        "- limit\n    expected: per_account_max_rcu\n    actual:   per_table_max_rcu\n"
        "- requested\n    expected: 102\n    actual:   101\n"
        "- reserved\n    expected: 5\n    actual:   not in this sentence\n"
        "- the reply's text: The requested ReadCapacityUnits, 101, is above the per table maximum for the account in "
        "eu-west-1. Per table maximum: 100. Refer to the Amazon DynamoDB Developer Guide for current limits and how to "
        "request higher limits.\n"
        "only what is given is compared: docs/how-to/assertions.md#assert_limit_exceeded"
    )


def test_another_error_is_no_limit():
    reply = {"Error": {"Code": "ValidationException", "Message": "no"}}

    with pytest.raises(AssertionError, match="error differs"):
        assert_limit_exceeded(reply)


def test_a_sentence_that_nobody_knows_is_told():
    reply = {"Error": {"Code": "LimitExceededException", "Message": "Enough."}}

    with pytest.raises(AssertionError, match="a sentence of no limit that is known"):
        assert_limit_exceeded(reply)


def test_a_limit_that_does_not_exist_is_told_with_the_nearest():
    with pytest.raises(ValueError, match="Did you mean 'per_table_max_rcu'") as caught:
        assert_limit_exceeded({"Error": {"Code": "x"}}, limit="per_table_max_rcus")

    assert "max_tables_per_account, per_table_max_rcu" in str(caught.value)


def test_a_success_is_no_subject():
    with pytest.raises(TypeError, match="assert_limit_exceeded needs a ClientError"):
        assert_limit_exceeded({"Table": {}})
