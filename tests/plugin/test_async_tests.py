"""Asynchronous tests: the fake is the same under each plugin that runs them, and needs none."""

from __future__ import annotations

import pytest

MODULE = """
import asyncio
import boto3
import pytest
import aiobotocore.session
from pytest_ddbthrottle import FakeDynamoDB

KEYS = {"aws_access_key_id": "any", "aws_secret_access_key": "any"}
module_client = boto3.client("dynamodb", **KEYS)


async def both_kinds(fake, **settings):
    fake.create_table("orders", billing_mode="PROVISIONED", write_capacity_units=5, read_capacity_units=5)
    fake.inject(operation="PutItem", reason="TableWriteProvisionedThroughputExceeded", times=2)
    async with aiobotocore.session.get_session().create_client("dynamodb", **KEYS, **settings) as client:
        await client.put_item(TableName="orders", Item={"pk": {"S": "a"}})
        assert module_client.get_item(TableName="orders", Key={"pk": {"S": "a"}})["Item"] == {"pk": {"S": "a"}}
    fake.assert_attempts("PutItem", 3)
    assert fake.clock.elapsed > 0
"""
ANY_MODE = """
@pytest.mark.asyncio
async def test_marked(ddb_fake):
    await both_kinds(ddb_fake)

@pytest.fixture
async def filled(ddb_fake):
    await both_kinds(ddb_fake)
    return ddb_fake

async def test_unmarked(filled):
    assert filled.table("orders").item_count == 1
"""
STRICT = """
import pytest_asyncio

@pytest_asyncio.fixture
async def filled(ddb_fake):
    await both_kinds(ddb_fake)
    return ddb_fake

@pytest.mark.asyncio
async def test_with_a_fixture(filled):
    assert filled.table("orders").item_count == 1

@pytest.mark.asyncio
@pytest.mark.ddb_inject(operation="GetItem", latency_seconds=2)
async def test_with_a_marker(ddb_fake):
    await both_kinds(ddb_fake)
    assert ddb_fake.clock.elapsed > 2
"""
ANYIO = """
pytestmark = pytest.mark.anyio

@pytest.fixture
def anyio_backend():
    return "asyncio"

@pytest.fixture
async def filled(ddb_fake):
    await both_kinds(ddb_fake)
    return ddb_fake

async def test_with_a_fixture(filled):
    assert filled.table("orders").item_count == 1

async def test_without(ddb_fake):
    await both_kinds(ddb_fake)
"""
HTTPX = """
from aiobotocore.config import AioConfig
from aiobotocore.httpxsession import HttpxSession

@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
async def test_on_either_loop(ddb_fake, anyio_backend):
    await both_kinds(ddb_fake, config=AioConfig(http_session_cls=HttpxSession))
"""
NONE = """
def test_in_a_loop_of_its_own(ddb_fake):
    asyncio.run(both_kinds(ddb_fake))

def test_without_a_fixture():
    async def main():
        with FakeDynamoDB() as fake:
            await both_kinds(fake)

    asyncio.run(main())
"""
SCOPE = "asyncio_default_fixture_loop_scope = function"
OFF = {"pytest_asyncio": ("-p", "no:asyncio"), "anyio": ("-p", "no:anyio")}
RUNS = {
    "asyncio-auto": ("pytest_asyncio", ["asyncio_mode = auto", SCOPE], ANY_MODE, 2),
    "asyncio-strict": ("pytest_asyncio", ["asyncio_mode = strict", SCOPE], STRICT, 2),
    "anyio": ("anyio", [], ANYIO, 2),
    "httpx": ("anyio", ["filterwarnings = ignore:aiobotocore's httpx backend"], HTTPX, 2),
    "none": (None, [], NONE, 2),
}
"""The plugin that runs the tests, lines of its ini file, the tests, and how many of them pass."""


@pytest.mark.parametrize("name", RUNS)
def test_an_asynchronous_test_has_the_fake_under(run, pytester, name):
    pytest.importorskip("aiobotocore.session", reason="aiobotocore is not installed")
    plugin, lines, source, passed = RUNS[name]
    for library in plugin, *(["trio", "httpx"] if name == "httpx" else []):
        # Imported here, it outlives the inner run.
        pytest.importorskip(library or "asyncio", reason=f"{library} is not installed")
    pytester.makeini("\n".join(["[pytest]", *lines]))
    off = [part for other, options in OFF.items() if other != plugin for part in options]

    result = run(MODULE + source, off=off)

    result.assert_outcomes(passed=passed)


def test_aiobotocore_may_be_imported_while_the_fake_is_installed(run_apart):
    pytest.importorskip("aiobotocore.session", reason="aiobotocore is not installed")

    result = run_apart(
        """
        import asyncio
        import sys

        def test_late(ddb_fake):
            assert "aiobotocore.session" not in sys.modules
            import aiobotocore.session

            async def main():
                async with aiobotocore.session.get_session().create_client("dynamodb") as client:
                    await client.put_item(TableName="orders", Item={"pk": {"S": "a"}})

            ddb_fake.create_table("orders")
            ddb_fake.inject(operation="PutItem", error="InternalServerError", times=1)
            asyncio.run(main())
            assert ddb_fake.table("orders").item_count == 1

        def test_and_later(ddb_fake):
            assert sys.modules["aiobotocore.endpoint"].AioEndpoint._send.installation.answering

        def test_nothing_is_left_behind():
            assert not hasattr(sys.modules["aiobotocore.endpoint"].AioEndpoint._send, "installation")
            assert type(sys.modules["aiobotocore.endpoint"].asyncio) is type(sys)
        """,
        "-p",
        "no:asyncio",
        "-p",
        "no:anyio",
    )

    result.assert_outcomes(passed=3)


@pytest.mark.parametrize("http_session", ["httpsession.AIOHTTPSession", "httpxsession.HttpxSession"])
def test_under_strict_an_asynchronous_call_without_a_fake_fails_at_once(run_apart, pytester, http_session):
    pytest.importorskip("aiobotocore.session", reason="aiobotocore is not installed")
    if "httpx" in http_session:
        pytest.importorskip("httpx", reason="httpx is not installed")
    pytester.makeini("[pytest]\nddb_strict = true")

    result = run_apart(
        f"""
        import asyncio
        import aiobotocore.session
        from aiobotocore.config import AioConfig
        from aiobotocore.{http_session.partition(".")[0]} import {http_session.partition(".")[2]} as HttpSession

        KEYS = {{"aws_access_key_id": "any", "aws_secret_access_key": "any"}}

        def test_without_a_fake():
            async def main():
                config = AioConfig(http_session_cls=HttpSession)
                async with aiobotocore.session.get_session().create_client("dynamodb", config=config, **KEYS) as client:
                    await client.list_tables()

            asyncio.run(main())

        def test_with_one(ddb_fake):
            test_without_a_fake()
        """,
        "-p",
        "no:asyncio",
        "-p",
        "no:anyio",
    )

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["*NoFake: ListTables was sent to https://dynamodb.us-east-1.amazonaws.com/ with no fake*"]
    )
