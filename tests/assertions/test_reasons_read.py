"""assert_reasons_read: whether the application has asked for the list that says why it was refused."""

from __future__ import annotations

import copy
import json
import pickle

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from pytest_ddbthrottle import assert_throttled

CAP = "TableWriteMaxOnDemandThroughputExceeded"


@pytest.fixture
def refused(ddb_fake, ddb_client):
    """Gives what a client is told when its write is refused to an application, which reads of it what it wants."""
    ddb_fake.create_table("orders")

    def run(reads, operation="PutItem"):
        ddb_fake.inject(reason=CAP, operation=operation)
        item = {"TableName": "orders", "Item": {"pk": {"S": "a"}}}
        try:
            if operation == "PutItem":
                ddb_client.put_item(**item)
            else:
                ddb_client.transact_write_items(TransactItems=[{"Put": item}])
        except ClientError as error:
            reads(error)
            return error

    return run


def the_list(error):
    return error.response["throttlingReasons"]


@pytest.mark.parametrize(
    "reads",
    [
        the_list,
        lambda error: error.response.get("throttlingReasons"),
        lambda error: error.response.pop("throttlingReasons", None),
        lambda error: "throttlingReasons" in error.response,
        lambda error: str(error.response),
        lambda error: f"{error.response}",
        lambda error: json.dumps(error.response),
        lambda error: dict(error.response),
        lambda error: {**error.response},
        lambda error: list(error.response.values()),
        lambda error: [name for name in error.response],  # noqa: C416 - the loop is meant
        lambda error: error.response.copy(),
        lambda error: copy.deepcopy(error.response),
        lambda error: pickle.dumps(error.response),
    ],
)
def test_a_list_that_was_read_in_any_way_is_read(ddb_fake, refused, reads):
    refused(reads)

    ddb_fake.assert_reasons_read()


@pytest.mark.parametrize(
    "reads",
    [
        str,
        repr,
        lambda error: error.response["Error"]["Code"],
        lambda error: error.response["ResponseMetadata"]["RequestId"],
        lambda error: error.response.get("ThrottlingReasons"),
        lambda error: assert_throttled(error, reason=CAP),
    ],
)
def test_a_list_that_nobody_read_is_named_with_its_call(ddb_fake, refused, reads):
    refused(reads)

    with pytest.raises(AssertionError) as failed:
        ddb_fake.assert_reasons_read("PutItem", table="orders")

    first, call, last = str(failed.value).splitlines()
    assert first == "expected every reasons list of PutItem on orders to be read; nobody read 1 of 1"
    assert call.startswith("- 0 s  PutItem  orders")
    assert last == "operation= and table= choose what is looked at: docs/how-to/assertions.md#assert_reasons_read"


def test_what_the_test_reads_is_not_the_applications_reading(ddb_fake, refused):
    error = refused(str)

    assert error.response["throttlingReasons"][0]["reason"] == CAP
    with pytest.raises(AssertionError):
        ddb_fake.assert_reasons_read()


@pytest.mark.parametrize(
    ("reads", "is_read"), [(lambda error: error.response["CancellationReasons"], True), (str, False)]
)
def test_a_cancelled_transaction_has_a_list_as_well(ddb_fake, refused, reads, is_read):
    refused(reads, "TransactWriteItems")

    if is_read:
        return ddb_fake.assert_reasons_read("TransactWriteItems")
    with pytest.raises(AssertionError, match="nobody read 1 of 1"):
        ddb_fake.assert_reasons_read("TransactWriteItems")


def test_what_the_sdks_retries_overcame_has_not_reached_the_application(ddb_fake):
    ddb_fake.create_table("orders")
    ddb_fake.inject(reason=CAP, times=2)
    names = {"aws_access_key_id": "any", "aws_secret_access_key": "any"}
    client = boto3.client("dynamodb", "us-east-1", config=Config(retries={"mode": "standard"}), **names)
    client.put_item(TableName="orders", Item={"pk": {"S": "a"}})

    with pytest.raises(AssertionError) as failed:
        ddb_fake.assert_reasons_read()

    assert str(failed.value).splitlines()[0] == (
        "expected a refusal with a reasons list to reach the application; none did"
    )


def test_a_reply_is_a_dict_in_everything(refused):
    response = refused(str).response

    assert isinstance(response, dict)
    assert response == dict(response)
    assert pickle.loads(pickle.dumps(response)) == response
    assert type(copy.deepcopy(response)) is dict
    assert set(response) == {"Error", "ResponseMetadata", "message", "throttlingReasons"}
