"""A Region for DynamoDB clients where none is configured, also for those made while test modules are imported.

This module must not import botocore: ``arm`` is called when the plugin is loaded, in runs that may never need the SDK.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from functools import wraps
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from pytest_ddbthrottle._botocore.calls import SERVICE_NAMES
from pytest_ddbthrottle._botocore.patches import Patches

Disarm = Callable[[], None]
_SESSION_MODULE = "botocore.session"


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
        if switch.is_on:
            default_region(module.Session, region, patches, lambda: switch.is_on)

    finder = _AfterImport(_SESSION_MODULE, patch)
    module = sys.modules.get(_SESSION_MODULE)
    if module is not None:
        patch(module)
    else:
        sys.meta_path.insert(0, finder)

    def disarm() -> None:
        switch.is_on = False
        finder.remove()
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


class _AfterImport(MetaPathFinder):
    """Finds one module as the others would, and calls back when it has been loaded."""

    def __init__(self, name: str, loaded: Callable[[ModuleType], None]) -> None:
        self._name = name
        self._loaded = loaded

    def remove(self) -> None:
        """Take no more part in imports."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Give the module's spec, its loader wrapped; None for every other module."""
        if fullname != self._name:
            return None
        self.remove()
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _CallingLoader(spec.loader, self._loaded)
        return spec


class _CallingLoader(Loader):
    """Loads as the real loader does, steps aside, and calls back."""

    def __init__(self, real: Loader, loaded: Callable[[ModuleType], None]) -> None:
        self._real = real
        self._loaded = loaded

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Let the real loader make the module."""
        return self._real.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Let the real loader run the module, then call back."""
        module.__spec__.loader = module.__loader__ = self._real  # type: ignore[union-attr]
        self._real.exec_module(module)
        self._loaded(module)
