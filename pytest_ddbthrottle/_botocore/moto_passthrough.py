"""moto beside the fake: DynamoDB is told to pass through it, as long as the fake is installed."""

from __future__ import annotations

import sys

SERVICE_NAMES = ("dynamodb", "dynamodbstreams")
"""moto's names of the services."""


class MotoPassthrough:
    """Entries in moto's list of services that it leaves alone. moto may be imported at any time, or never."""

    def __init__(self) -> None:
        self._entries: list[tuple[list[str], str]] = []

    def ensure(self) -> None:
        """Put the entries into the list that is in force, if moto is imported and has them not."""
        config = sys.modules.get("moto.core.config")
        if config is None:
            return
        passthrough = config.default_user_config.setdefault("core", {}).setdefault("passthrough", {})
        services: list[str] = passthrough.setdefault("services", [])
        for name in SERVICE_NAMES:
            if name not in services:
                services.append(name)
                self._entries.append((services, name))

    def undo(self) -> None:
        """Take the entries out again."""
        while self._entries:
            services, name = self._entries.pop()
            if name in services:
                services.remove(name)
