"""Credentials and a Region are not needed, and never fetched, by asynchronous clients either."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from pytest_ddbthrottle._botocore.signing import PLACEHOLDER_ACCESS_KEY


async def no_refresh() -> Any:
    """What a refresh over the network would call."""
    raise AssertionError("credentials were refreshed")


async def signature(client: Any) -> str:
    """Send a request; give its Authorization header."""
    seen: list[Any] = []
    client.meta.events.register("before-send.dynamodb", lambda request, **_: seen.append(request.headers))
    await client.list_tables()
    value = seen[0]["Authorization"]
    return value.decode() if isinstance(value, bytes) else str(value)


def test_neither_credentials_nor_a_region_are_needed(fake: Any, async_session: Any) -> None:
    async def scenario() -> tuple[str, str]:
        async with async_session.create_client("dynamodb") as client:
            return client.meta.region_name, await signature(client)

    region, authorization = asyncio.run(scenario())
    assert region == "us-east-1"
    assert f"Credential={PLACEHOLDER_ACCESS_KEY}/20260101/us-east-1/dynamodb/" in authorization


@pytest.mark.parametrize("kind", ["expired", "never-fetched"])
def test_credentials_are_used_as_they_are_and_never_refreshed(fake: Any, new_client: Any, kind: str) -> None:
    module = pytest.importorskip("aiobotocore.credentials", reason="aiobotocore is not installed")
    yesterday = datetime.now(timezone.utc) - timedelta(days=1)

    async def scenario() -> str:
        if kind == "expired":
            found = module.AioRefreshableCredentials("AKIDOLD", "s", "t", yesterday, no_refresh, "assume-role")
        else:
            found = module.AioDeferredRefreshableCredentials(no_refresh, "assume-role")
        async with new_client() as client:
            client._request_signer._credentials = found
            client._ruleset_resolver._builtins["AWS::Auth::AccountId"] = found.get_account_id
            return await signature(client)

    access_key = "AKIDOLD" if kind == "expired" else PLACEHOLDER_ACCESS_KEY
    assert f"Credential={access_key}/" in asyncio.run(scenario())


def test_credentials_are_refreshed_for_others(fake: Any) -> None:
    module = pytest.importorskip("aiobotocore.credentials", reason="aiobotocore is not installed")

    async def scenario() -> None:
        await module.AioDeferredRefreshableCredentials(no_refresh, "assume-role").get_frozen_credentials()

    with pytest.raises(AssertionError, match="were refreshed"):
        asyncio.run(scenario())


def test_a_presigned_url_is_really_signed(fake: Any, new_client: Any) -> None:
    async def scenario() -> str:
        async with new_client() as client:
            return str(await client.generate_presigned_url("list_tables"))

    url = asyncio.run(scenario())
    assert "X-Amz-Signature=" in url
    assert "0" * 64 not in url


def test_another_service_still_needs_credentials(fake: Any, async_session: Any) -> None:
    from botocore.exceptions import NoCredentialsError

    async def scenario() -> None:
        async with async_session.create_client("sqs", region_name="us-east-1") as client:
            await client.list_queues()

    with pytest.raises(NoCredentialsError):
        asyncio.run(scenario())
