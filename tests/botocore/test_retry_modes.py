"""Which refusals each retry mode sends again, and how often: the engine's own refusals, clients of either kind."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from botocore import __version__ as botocore_version
from botocore.config import Config
from botocore.exceptions import ClientError

from pytest_ddbthrottle import FakeDynamoDB

IS_1_44 = [int(part) for part in botocore_version.split(".")[:2]] >= [1, 44]
STANDARD = 4 if IS_1_44 else 3
LEGACY = 10
ITEM = {"TableName": "orders", "Item": {"pk": {"S": "a"}}}
TRANSACTION = {"TransactItems": [{"Put": ITEM}]}
SECOND_TABLE = {
    "TableName": "second",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}
HOT_KEY = {"reason": "TableWriteKeyRangeThroughputExceeded"}


class Case(NamedTuple):
    """A call that is refused however often it is sent, and the sends that it takes in legacy and in standard mode."""

    error: str
    scripted: dict[str, Any]
    operation: str
    request: dict[str, Any]
    legacy_sends: int
    standard_sends: int


CASES = [
    Case("ProvisionedThroughputExceededException", {}, "put_item", {**ITEM, "TableName": "small"}, LEGACY, STANDARD),
    Case("ThrottlingException", HOT_KEY, "put_item", ITEM, LEGACY, STANDARD),
    # Legacy mode knows this code as a 503 alone.
    Case("RequestLimitExceeded", {"error": "RequestLimitExceeded"}, "put_item", ITEM, 1, STANDARD),
    Case("TransactionCanceledException", HOT_KEY, "transact_write_items", TRANSACTION, 1, 1),
    # A quota that no waiting helps; it stands in standard mode's list of throttles.
    Case("LimitExceededException", {}, "create_table", SECOND_TABLE, 1, STANDARD),
    Case("InternalServerError", {"error": "InternalServerError"}, "put_item", ITEM, LEGACY, STANDARD),
    Case("ResourceNotFoundException", {}, "put_item", {**ITEM, "TableName": "none"}, 1, 1),
]


@pytest.fixture
def fake() -> Iterator[FakeDynamoDB]:
    with FakeDynamoDB() as fake:
        fake.create_table("orders")
        one_unit = {"billing_mode": "PROVISIONED", "write_capacity_units": 1, "read_capacity_units": 1}
        small = fake.create_table("small", **one_unit, admission="full_cost")
        small.load([{"pk": "a", "text": "x" * 400_000}])  # It costs 391 units to replace.
        fake.limits(max_tables_per_account=2)
        yield fake


@pytest.fixture(scope="module")
def async_session() -> Any:
    return pytest.importorskip("aiobotocore.session", reason="aiobotocore is not installed").get_session()


def refuse(fake: Any, case: Case) -> None:
    if case.scripted:
        fake.inject(**case.scripted, times=LEGACY)


def sends_in(case: Case, mode: str) -> int:
    return case.legacy_sends if mode == "legacy" else case.standard_sends


@pytest.mark.parametrize("mode", ["legacy", "standard", "adaptive"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.error)
def test_how_often_a_refused_call_is_sent(fake: Any, new_client: Any, case: Case, mode: str) -> None:
    refuse(fake, case)
    client = new_client(mode, region_name="us-east-1")
    with pytest.raises(ClientError) as caught:
        getattr(client, case.operation)(**case.request)
    assert caught.value.response["Error"]["Code"] == case.error
    assert fake.retries(client).attempts_made == len(fake.calls) == sends_in(case, mode)
    assert (fake.clock.elapsed > 0) == (sends_in(case, mode) > 1)


@pytest.mark.parametrize("mode", ["legacy", "standard", "adaptive"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.error)
def test_an_asynchronous_client_sends_it_as_often(fake: Any, async_session: Any, case: Case, mode: str) -> None:
    refuse(fake, case)

    async def scenario() -> tuple[str, int]:
        config = Config(retries={"mode": mode})
        async with async_session.create_client("dynamodb", region_name="us-east-1", config=config) as client:
            with pytest.raises(ClientError) as caught:
                await getattr(client, case.operation)(**case.request)
            return caught.value.response["Error"]["Code"], fake.retries(client).attempts_made

    assert asyncio.run(scenario()) == (case.error, sends_in(case, mode))
    assert (fake.clock.elapsed > 0) == (sends_in(case, mode) > 1)


def test_the_mode_of_a_client_that_configures_none_is_the_sdks(fake: Any, new_client: Any) -> None:
    retries = fake.retries(new_client(region_name="us-east-1"))
    assert (retries.mode, retries.max_attempts) == (("standard", STANDARD) if IS_1_44 else ("legacy", LEGACY))


def test_a_quota_that_is_sent_again_is_no_throttle_of_the_journal(fake: Any, new_client: Any) -> None:
    client = new_client("standard", region_name="us-east-1")
    with pytest.raises(client.exceptions.LimitExceededException):
        client.create_table(**SECOND_TABLE)
    assert fake.throttles == []
    assert [sleep.origin for sleep in fake.sleeps] == ["sdk"] * (STANDARD - 1)
