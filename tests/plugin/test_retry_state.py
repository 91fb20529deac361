"""A client that lives in a module starts every test with the retries of a new one."""

from __future__ import annotations

import pytest

TESTS = """
import asyncio

import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

RETRIES = Config(retries={{"mode": "adaptive"}})
KEYS = {{"aws_access_key_id": "any", "aws_secret_access_key": "any", "region_name": "us-east-1"}}
{client}

FRESH = []


@pytest.mark.ddb_inject(operation="PutItem", reason="TableWriteKeyRangeThroughputExceeded", times=20)
@pytest.mark.parametrize("turn", ["first", "second"])
def test_throttled(ddb_fake, turn):
    ddb_fake.create_table("orders")
    before = ddb_fake.retries(client)
    for _ in range(5):
        with pytest.raises(ClientError):
            call(client.put_item, TableName="orders", Item={{"pk": {{"S": "a"}}}})
    after = ddb_fake.retries(client)
    assert after.retry_quota_left < before.retry_quota_left == after.retry_quota == 500
    assert before.requests_per_second is None and after.requests_per_second < 10
    FRESH.append((before, after, [sleep.seconds for sleep in ddb_fake.sleeps]))


def test_both_turns_went_alike():
    assert FRESH[0] == FRESH[1]
"""
SYNCHRONOUS = """
import boto3

client = boto3.client("dynamodb", config=RETRIES, **KEYS)


def call(method, **request):
    return method(**request)
"""
ASYNCHRONOUS = """
import aiobotocore.session


async def enter():
    return await aiobotocore.session.get_session().create_client("dynamodb", config=RETRIES, **KEYS).__aenter__()


def call(method, **request):
    async def main():
        return await method(**request)

    return asyncio.run(main())


client = asyncio.run(enter())
"""


@pytest.mark.parametrize("kind", ["synchronous", "asynchronous"])
def test_a_module_level_client_starts_each_test_with_fresh_retries(run, kind):
    if kind == "asynchronous":
        pytest.importorskip("aiobotocore.session", reason="aiobotocore is not installed")
    source = SYNCHRONOUS if kind == "synchronous" else ASYNCHRONOUS

    result = run(TESTS.format(client=source))

    result.assert_outcomes(passed=3)
