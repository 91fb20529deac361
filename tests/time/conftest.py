"""A clock, virtual time on it, and a client whose calls are one attempt each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.config import Config

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._time import virtual_time


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def virtual(clock: VirtualClock) -> Iterator[VirtualClock]:
    with virtual_time(clock, "virtual"):
        yield clock


@pytest.fixture(scope="module")
def client() -> Any:
    return boto3.client(
        "dynamodb",
        "us-east-1",
        aws_access_key_id="any",
        aws_secret_access_key="any",
        config=Config(retries={"total_max_attempts": 1}),
    )
