"""A Region for DynamoDB clients where none is configured, also for those made while test modules are imported.

This module must not import botocore: ``arm`` is called when the plugin is loaded, in runs that may never need the SDK.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import ModuleType
from typing import Any

from pytest_ddbthrottle._botocore.after_import import when_imported
from pytest_ddbthrottle._botocore.calls import SERVICE_NAMES
from pytest_ddbthrottle._botocore.patches import Patches

Disarm = Callable[[], None]
SESSION_CLASSES = {"botocore.session": "Session", "aiobotocore.session": "AioSession"}
"""Modules, and what makes clients there."""


def arm(region: str) -> Disarm:
    """Let DynamoDB clients be made with no Region configured, from now on or from when botocore is imported.

    Args:
        region: the Region that such a client gets.

    Returns:
        The way to end that.
    """
    patches = Patches()
    switch = _Switch()

    def patch(module: ModuleType) -> None:
        session_class = getattr(module, SESSION_CLASSES[module.__name__])
        default_region(session_class, region, patches, lambda: switch.is_on)

    stops = [when_imported(name, patch) for name in SESSION_CLASSES]

    def disarm() -> None:
        switch.is_on = False
        for stop in stops:
            stop()
        patches.undo()

    return disarm


def default_region(session_class: Any, region: str, patches: Patches, is_on: Callable[[], bool]) -> None:
    """Wrap ``Session.create_client`` so that a missing Region is this one, for DynamoDB alone."""
    original = session_class.create_client

    @wraps(original)
    def create_client(self: Any, service_name: str, region_name: str | None = None, *rest: Any, **named: Any) -> Any:
        if service_name in SERVICE_NAMES and is_on() and not region_name and not _has_region(self, rest, named):
            region_name = region
        return original(self, service_name, region_name, *rest, **named)

    patches.replace(session_class, "create_client", create_client)


def _has_region(session: Any, rest: tuple[Any, ...], named: dict[str, Any]) -> bool:
    # The client's config is create_client's tenth parameter, the eighth of those after the Region.
    config = named.get("config", rest[7] if len(rest) > 7 else None)
    configs = (config, session.get_default_client_config())
    if any(getattr(found, "region_name", None) for found in configs):
        return True
    return bool(session.get_config_variable("region"))


class _Switch:
    """Whether something still holds."""

    def __init__(self) -> None:
        self.is_on = True
