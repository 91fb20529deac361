"""Installing and uninstalling: nested, in order, and leaving nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import botocore.endpoint
import botocore.handlers
import botocore.waiter
import pytest
from botocore.credentials import RefreshableCredentials
from botocore.endpoint import Endpoint
from botocore.httpsession import URLLib3Session
from botocore.regions import EndpointRulesetResolver
from botocore.retries import adaptive, bucket
from botocore.retries import standard as standard_retries
from botocore.session import Session
from botocore.signers import RequestSigner

PATCHED = (
    botocore.endpoint,
    botocore.waiter,
    botocore.waiter.Waiter,
    Endpoint,
    URLLib3Session,
    RequestSigner,
    EndpointRulesetResolver,
    RefreshableCredentials,
    Session,
    bucket.TokenBucket,
    bucket.Clock,
    adaptive.ClientRateLimiter,
    standard_retries.ExponentialBackoff,
)


def state() -> Any:
    """All that an installation could change: by identity, and the environment."""
    attributes = [{name: id(value) for name, value in vars(owner).items()} for owner in PATCHED]
    return attributes, list(botocore.handlers.BUILTIN_HANDLERS), dict(os.environ)


@pytest.mark.parametrize("time_mode", ["virtual", "sdk", "real"])
def test_nothing_is_left_behind(new_client: Any, put: Any, far_end: Any, time_mode: str) -> None:
    clients, before = [new_client(mode) for mode in ("standard", "adaptive")], state()
    client_state = [dict(vars(client._endpoint)) for client in clients]
    far_end.members = {}
    installation = far_end.install(time_mode)
    for client in clients:
        put(client)
    assert state() != before
    installation.uninstall()
    assert state() == before
    assert [dict(vars(client._endpoint)) for client in clients] == client_state


def test_the_innermost_answers_and_the_outer_one_resumes(new_client: Any, put: Any, far_end: Any) -> None:
    before, client = state(), new_client()
    inner_end = type(far_end)(far_end.clock, members={})
    far_end.members = {}
    outer = far_end.install()
    put(client)
    inner = inner_end.install()
    put(client)
    put(client)
    inner.uninstall()
    put(client)
    outer.uninstall()
    assert (len(far_end.sends), len(inner_end.sends)) == (2, 2)
    assert state() == before


def test_the_outer_ones_quota_resumes_where_it_was(new_client: Any, put: Any, far_end: Any) -> None:
    client, outer = new_client("standard"), far_end.install()
    for _ in range(60):
        put(client)
    inner = far_end.install()
    put(client)
    inner.uninstall()
    far_end.sends.clear()
    put(client)
    outer.uninstall()
    assert len(far_end.sends) == 1


def test_an_outer_one_can_not_end_first(far_end: Any) -> None:
    outer = far_end.install()
    inner = far_end.install()
    with pytest.raises(RuntimeError, match="end in the reverse order"):
        outer.uninstall()
    inner.uninstall()
    outer.uninstall()


def test_an_installation_ends_once(far_end: Any) -> None:
    installation = far_end.install()
    installation.uninstall()
    with pytest.raises(RuntimeError, match="uninstalled already"):
        installation.uninstall()


def test_a_session_made_while_installed_is_dormant_afterwards(far_end: Any, connections: list[Any]) -> None:
    installation = far_end.install()
    client = botocore.session.get_session().create_client(
        "dynamodb",
        aws_access_key_id="x",
        aws_secret_access_key="y",
        endpoint_url="http://127.0.0.1:1",
        config=botocore.config.Config(retries={"total_max_attempts": 1}),
    )
    installation.uninstall()
    with pytest.raises(Exception, match="connect"):
        client.list_tables()
    assert (far_end.sends, len(connections)) == ([], 1)


def test_a_later_installation_answers_a_session_made_during_an_earlier_one(far_end: Any) -> None:
    far_end.members, first = {}, far_end.install()
    client = botocore.session.get_session().create_client("dynamodb")
    first.uninstall()
    second = far_end.install()
    client.list_tables()
    second.uninstall()
    assert len(far_end.sends) == 1


def test_importing_the_package_imports_no_sdk() -> None:
    program = "import sys, pytest_ddbthrottle._botocore as b; b.arm('us-east-1'); print('botocore' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=os.getcwd())
    assert done.stdout.strip() == "False", done.stderr
