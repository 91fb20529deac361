"""The signature of zeros, and credentials that nobody needs."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from botocore.config import Config
from botocore.credentials import Credentials, DeferredRefreshableCredentials, RefreshableCredentials
from botocore.exceptions import NoCredentialsError

from pytest_ddbthrottle._botocore.signing import PLACEHOLDER_ACCESS_KEY


@pytest.fixture
def accepting(far_end: Any, installed: Any) -> Any:
    far_end.members = {}
    return far_end


def no_refresh() -> Any:
    """What a refresh over the network would call."""
    raise AssertionError("credentials were refreshed")


def test_the_headers_are_those_of_a_signed_request(new_client: Any, put: Any, accepting: Any) -> None:
    put(new_client(aws_session_token="TOKEN"))
    send = accepting.sends[0]
    assert send.header("Authorization") == (
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/eu-west-1/dynamodb/aws4_request, "
        "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, Signature=" + "0" * 64
    )
    assert (send.header("X-Amz-Date"), send.header("X-Amz-Security-Token")) == ("20260101T000000Z", "TOKEN")


def test_the_names_of_the_headers_are_those_that_botocore_sends(
    new_client: Any, put: Any, accepting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(new_client())
    client = new_client(config=Config(signature_version="v4"))
    installed_signer = type(client._request_signer).get_auth_instance
    monkeypatch.setattr(type(client._request_signer), "get_auth_instance", installed_signer.__wrapped__)
    put(client)
    quick, real = accepting.sends
    assert sorted(quick.headers) == sorted(real.headers)
    signed = [send.header("Authorization").split(", ")[1] for send in accepting.sends]
    assert signed[0] == signed[1]


def test_no_credentials_are_no_error(sdk_session: Any, accepting: Any) -> None:
    sdk_session.create_client("dynamodb", region_name="us-east-1").list_tables()
    assert f"Credential={PLACEHOLDER_ACCESS_KEY}/" in accepting.sends[0].header("Authorization")


def test_a_request_may_be_unsigned(sdk_session: Any, accepting: Any) -> None:
    from botocore import UNSIGNED

    sdk_session.create_client("dynamodb", config=Config(signature_version=UNSIGNED)).list_tables()
    assert accepting.sends[0].header("Authorization") == ""


@pytest.mark.parametrize(
    ("credentials", "access_key"),
    [
        (Credentials("AKIDPLAIN", "s"), "AKIDPLAIN"),
        (
            RefreshableCredentials(
                "AKIDOLD", "s", "t", datetime.now(timezone.utc) - timedelta(days=1), no_refresh, "assume-role"
            ),
            "AKIDOLD",
        ),
        (DeferredRefreshableCredentials(no_refresh, "assume-role"), PLACEHOLDER_ACCESS_KEY),
    ],
    ids=["plain", "expired", "never-fetched"],
)
def test_credentials_are_used_as_they_are_and_never_refreshed(
    new_client: Any, put: Any, accepting: Any, credentials: Any, access_key: str
) -> None:
    client = new_client()
    resolver = client._ruleset_resolver
    client._request_signer._credentials = credentials
    resolver._builtins["AWS::Auth::AccountId"] = lambda: credentials.account_id
    put(client)
    assert f"Credential={access_key}/" in accepting.sends[0].header("Authorization")


def test_credentials_are_refreshed_for_others(installed: Any) -> None:
    credentials = DeferredRefreshableCredentials(no_refresh, "assume-role")
    with pytest.raises(AssertionError, match="were refreshed"):
        credentials.get_frozen_credentials()


def test_a_presigned_url_is_really_signed(new_client: Any, installed: Any) -> None:
    url = new_client().generate_presigned_url("list_tables")
    assert "X-Amz-Signature=" in url
    assert "0" * 64 not in url


def test_another_service_still_needs_credentials(sdk_session: Any, installed: Any) -> None:
    sqs = sdk_session.create_client("sqs", region_name="us-east-1")
    with pytest.raises(NoCredentialsError):
        sqs.list_queues()


def test_the_metadata_service_is_not_asked(sdk_session: Any, accepting: Any, connections: list[Any]) -> None:
    sdk_session.create_client("dynamodb").list_tables()
    assert connections == []
