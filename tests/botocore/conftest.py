"""A far end that records and answers with canned replies; no AWS settings, and no way out of the process."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import botocore.session
import pytest
from botocore.config import Config

from pytest_ddbthrottle import _botocore
from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._wire import WireReply

REFUSED = {
    "__type": "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
    "message": "The level of configured provisioned throughput for the table was exceeded.",
    "ThrottlingReasons": [{"reason": "TableWriteProvisionedThroughputExceeded", "resource": "arn"}],
}


def reply(members: Mapping[str, Any], status_code: int = 200) -> WireReply:
    """Give a reply as the wire would."""
    body = json.dumps(members).encode()
    headers = {"x-amz-crc32": str(crc32(body)), "x-amzn-RequestId": "ID", "Date": "Thu, 01 Jan 2026 00:00:00 GMT"}
    return WireReply(status_code, headers, body)


@dataclass
class Send:
    """One request as it reached the far end."""

    url: str
    headers: Mapping[str, Any]
    body: bytes
    at_seconds: float

    def header(self, name: str) -> str:
        """Give a header as text, or nothing."""
        value = self.headers.get(name, "")
        return value.decode() if isinstance(value, bytes) else value


@dataclass
class FarEnd:
    """Records each request; refuses all, or gives ``members``, or raises."""

    clock: VirtualClock
    members: Mapping[str, Any] | None = None
    error: BaseException | None = None
    sends: list[Send] = field(default_factory=list)

    def answer(self, url: str, headers: Mapping[str, Any], body: bytes) -> WireReply:
        """Answer one request."""
        self.sends.append(Send(url, headers, body, self.clock.elapsed))
        if self.error is not None:
            raise self.error
        return reply(REFUSED, 400) if self.members is None else reply(self.members)

    def install(self, time_mode: str = "sdk", seed: int = 7, region: str = "us-east-1") -> Any:
        """Install this far end."""
        return _botocore.install(self.answer, self.clock, region=region, seed=seed, time_mode=time_mode)


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("AWS_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent/config")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent/credentials")


@pytest.fixture(autouse=True)
def connections(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The addresses that somebody tried to connect to; every try fails."""
    tried: list[Any] = []

    def connect(self: socket.socket, address: Any) -> None:
        tried.append(address)
        raise OSError(f"no network in tests: {address}")

    monkeypatch.setattr(socket.socket, "connect", connect)
    return tried


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def far_end(clock: VirtualClock) -> FarEnd:
    return FarEnd(clock)


@pytest.fixture
def installed(far_end: FarEnd) -> Iterator[Any]:
    installation = far_end.install()
    yield installation
    if installation.answering:
        installation.uninstall()


@pytest.fixture(scope="session")
def sdk_session() -> Any:
    """A session that was made before anything was installed."""
    return botocore.session.get_session()


@pytest.fixture
def new_client(sdk_session: Any) -> Callable[..., Any]:
    """Makes a DynamoDB client with a Region and keys; ``mode`` is its retry mode."""

    def make(mode: str | None = None, service: str = "dynamodb", **named: Any) -> Any:
        config = Config(retries={"mode": mode}) if mode else Config()
        names = {"region_name": "eu-west-1", "aws_access_key_id": "AKIDEXAMPLE", "aws_secret_access_key": "secret"}
        return sdk_session.create_client(service, **{**names, "config": config, **named})

    return make


@pytest.fixture
def put() -> Callable[[Any], Any]:
    """Puts an item through a client; gives the reply, or the error's response."""

    def call(client: Any) -> Any:
        try:
            return client.put_item(TableName="orders", Item={"pk": {"S": "a"}})
        except client.exceptions.ClientError as error:
            return error.response

    return call
