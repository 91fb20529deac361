"""aiobotocore's clients on the fake; a test that needs one is skipped where aiobotocore is absent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pytest_ddbthrottle import FakeDynamoDB


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDynamoDB]:
    """An account with a table, and no AWS settings."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent/config")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent/credentials")
    with FakeDynamoDB() as fake:
        fake.create_table("orders", write_capacity_units=5, read_capacity_units=5)
        yield fake


@pytest.fixture(scope="session")
def async_session() -> Any:
    """A session that was made before anything was installed, or by the first test that asks for it."""
    return pytest.importorskip("aiobotocore.session", reason="aiobotocore is not installed").get_session()


@pytest.fixture
def new_client(async_session: Any) -> Callable[..., Any]:
    """Gives what an application would enter with ``async with``."""

    def make(**named: Any) -> Any:
        names = {"region_name": "us-east-1", "aws_access_key_id": "AKIDEXAMPLE", "aws_secret_access_key": "secret"}
        return async_session.create_client("dynamodb", **{**names, **named})

    return make
