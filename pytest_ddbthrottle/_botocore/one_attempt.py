"""Clients for tests: the SDK's retries off, credentials made up, the user's own configuration not read.

Making a client costs 50 ms, so a run keeps what it has made; the process's default session is left alone.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

ONE_ATTEMPT = {"mode": "standard", "total_max_attempts": 1}
_UNREAD = {
    "profile": (None, None, None, None),
    "config_file": (None, None, os.devnull, None),
    "credentials_file": (None, None, os.devnull, None),
}


@dataclass(slots=True)
class OneAttemptClients:
    """The clients and resources made so far, by Region.

    Args:
        session: a boto3 session.
    """

    session: Any
    _clients: dict[str, Any] = field(default_factory=dict)
    _resources: dict[str, Any] = field(default_factory=dict)

    def client(self, region: str) -> Any:
        """Give the client of a Region."""
        if region not in self._clients:
            self._clients[region] = self.session.client("dynamodb", region, config=_config())
        return self._clients[region]

    def resource(self, region: str) -> Any:
        """Give the resource of a Region."""
        if region not in self._resources:
            self._resources[region] = self.session.resource("dynamodb", region, config=_config())
        return self._resources[region]


def one_attempt_clients() -> OneAttemptClients:
    """Give a keeper of clients, with a session of its own.

    Raises:
        ImportError: boto3 is not installed.
    """
    boto3_session = import_module("boto3.session")
    session = import_module("botocore.session").Session(session_vars=_UNREAD)
    session.set_credentials("ddb-fake", "ddb-fake")
    return OneAttemptClients(boto3_session.Session(botocore_session=session))


def _config() -> Any:
    return import_module("botocore.config").Config(retries=ONE_ATTEMPT)
