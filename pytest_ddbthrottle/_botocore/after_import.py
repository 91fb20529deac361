"""A call back when a module is there: at once if it is imported already, else as soon as somebody imports it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


def when_imported(name: str, loaded: Callable[[ModuleType], None]) -> Callable[[], None]:
    """Call back with a module, now or when it has been loaded.

    Args:
        name: the module's.
        loaded: what is called, once at most.

    Returns:
        The way to wait no longer.
    """
    module = sys.modules.get(name)
    finder = _AfterImport(name, loaded)
    if module is None:
        sys.meta_path.insert(0, finder)
    else:
        loaded(module)
    return finder.stop


class _AfterImport(MetaPathFinder):
    """Finds one module as the others would, and calls back when it has been loaded."""

    def __init__(self, name: str, loaded: Callable[[ModuleType], None]) -> None:
        self.name = name
        self._loaded: Callable[[ModuleType], None] | None = loaded

    def stop(self) -> None:
        """Call back no more, not even from an import that has begun."""
        self._loaded = None
        self._step_aside()

    def _step_aside(self) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Give the module's spec, its loader wrapped; None for every other module."""
        if fullname != self.name:
            return None
        self._step_aside()
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _CallingLoader(spec.loader, self._call)
        return spec

    def _call(self, module: ModuleType) -> None:
        if self._loaded is not None:
            self._loaded(module)


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
