"""What can be read of a client's retries, in each mode."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from typing import Any

import boto3
import pytest
from botocore import __version__ as botocore_version
from botocore.config import Config

from pytest_ddbthrottle import FakeDynamoDB

STANDARD_ATTEMPTS = 4 if [int(part) for part in botocore_version.split(".")[:2]] >= [1, 44] else 3
TOKENS_OF_A_RETRY = 5


@pytest.fixture
def fake() -> Iterator[FakeDynamoDB]:
    with FakeDynamoDB() as fake:
        fake.create_table("orders")
        yield fake


def test_legacy_has_no_quota(fake: Any, new_client: Any) -> None:
    client = new_client("legacy", region_name="us-east-1")
    client.list_tables()
    retries = fake.retries(client)
    assert (retries.mode, retries.max_attempts, retries.attempts_made) == ("legacy", 10, 1)
    assert (retries.retry_quota, retries.retry_quota_left, retries.requests_per_second) == (None, None, None)


def test_a_refused_call_takes_tokens_of_the_quota(fake: Any, new_client: Any, put: Any) -> None:
    fake.inject(operation="PutItem", reason="TableWriteKeyRangeThroughputExceeded", times=20)
    client = new_client("standard", region_name="us-east-1")
    put(client)
    retries = fake.retries(client)
    assert (retries.mode, retries.max_attempts) == ("standard", STANDARD_ATTEMPTS)
    assert retries.attempts_made == STANDARD_ATTEMPTS
    assert retries.retry_quota == 500
    assert retries.retry_quota_left == 500 - TOKENS_OF_A_RETRY * (STANDARD_ATTEMPTS - 1)


def test_the_rate_that_adaptive_mode_settles_at(fake: Any, new_client: Any) -> None:
    fake.throttle(table="orders", billing_mode="PROVISIONED", read_capacity_units=1, write_capacity_units=20)
    client = new_client("adaptive", region_name="us-east-1")
    client.put_item(TableName="orders", Item={"pk": {"S": "0"}})
    before = fake.retries(client)
    for number in range(400):
        client.put_item(TableName="orders", Item={"pk": {"S": str(number)}})
    after = fake.retries(client)
    assert (before.requests_per_second, before.measured_requests_per_second) == (None, None)
    assert 5 < after.requests_per_second < 40
    assert 5 < after.measured_requests_per_second < 40
    assert after.attempts_made == len(fake.calls)


@pytest.mark.parametrize("mode", ["legacy", "standard", "adaptive"])
@pytest.mark.parametrize(("configured", "attempts"), [({"total_max_attempts": 7}, 7), ({"max_attempts": 2}, 3)])
def test_the_attempts_that_are_configured(
    fake: Any, new_client: Any, put: Any, mode: str, configured: dict[str, int], attempts: int
) -> None:
    fake.inject(operation="PutItem", reason="TableWriteKeyRangeThroughputExceeded", times=20)
    client = new_client(config=Config(retries={"mode": mode, **configured}), region_name="us-east-1")
    put(client)
    assert (fake.retries(client).max_attempts, fake.retries(client).attempts_made) == (attempts, attempts)


def test_a_resource_stands_for_its_client(fake: Any, sdk_session: Any) -> None:
    resource = boto3.session.Session(botocore_session=sdk_session).resource("dynamodb", "us-east-1")
    resource.Table("orders").put_item(Item={"pk": "a"})
    assert fake.retries(resource).attempts_made == 1


def test_what_was_read_stays(fake: Any, new_client: Any) -> None:
    client = new_client("standard")
    retries = fake.retries(client)
    client.list_tables()
    assert retries.attempts_made == 0
    with pytest.raises(FrozenInstanceError):
        retries.attempts_made = 1


def test_a_restored_account_has_fresh_retries(fake: Any, new_client: Any, put: Any) -> None:
    client, snapshot = new_client("standard", region_name="us-east-1"), fake.snapshot()
    fresh = fake.retries(client)
    fake.inject(operation="PutItem", reason="TableWriteKeyRangeThroughputExceeded", times=20)
    put(client)
    fake.restore(snapshot)
    assert fake.retries(client) == fresh


def test_what_is_no_dynamodb_client_has_none(fake: Any, new_client: Any) -> None:
    with pytest.raises(TypeError, match=r"^retries: <botocore.client.SQS object at .*> is not a DynamoDB client"):
        fake.retries(new_client(service="sqs"))


def test_only_the_fake_that_answers_can_tell(fake: Any, new_client: Any) -> None:
    client = new_client()
    with FakeDynamoDB(), pytest.raises(RuntimeError, match=r"^retries: this fake does not answer: it was uninst"):
        fake.retries(client)
    with pytest.raises(RuntimeError, match=r"^retries: the fake is not installed; enter it first$"):
        FakeDynamoDB().retries(client)
