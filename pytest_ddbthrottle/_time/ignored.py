"""The modules that keep real time: whoever runs, measures or synchronises, rather than acts in the test."""

from __future__ import annotations

REAL_TIME_IN_CALLEES = ("_pytest.timing", "execnet", "subprocess", "trio", "xdist")
"""What freezegun is asked to ignore besides its own list.

It looks five frames up the stack as well, so a module that calls the test, or a coroutine of the application, closely
must not stand here (``_pytest``, ``pluggy``, ``hypothesis``): the test would see real time. trio does, because its
loop would hang otherwise. pytest measures its durations by ``_pytest.timing`` alone; a set-up that freezes would last
for decades.
"""

VIRTUAL_TIME_IN_CALLEES = ("threading", "queue")
"""What freezegun ignores by itself, and must not: their timeouts are virtual, and so is what threads do."""

TOOLS = (
    "_pytest",
    "anyio._backends._trio",
    "coverage",
    "debugpy",
    "execnet",
    "freezegun",
    "pluggy",
    "pydevd",
    "pytest_ddbthrottle._swarm_turns",
    "pytest_timeout",
    "time_machine",
    "trio",
    "xdist",
)
"""Who runs the tests or a swarm, and trio: threads of theirs take no part in virtual time, and their waits are real."""

REAL_SLEEPS = (
    *REAL_TIME_IN_CALLEES,
    "_pytest",
    "freezegun",
    "multiprocessing",
    "pluggy",
    "pytest_timeout",
)
"""Whose own ``sleep`` stays real, besides freezegun's list. ``threading`` calls it only as somebody's target."""


REAL_BINDINGS = (
    "_frozen_importlib",
    "_frozen_importlib_external",
    "_queue",
    "_thread",
    "importlib",
    "pytest_ddbthrottle",
    "queue",
    "threading",
)
"""Where, besides, no binding is replaced by looking for it: the importer's locks and our own are real."""


class IgnoredModules:
    """A set of packages, asked by the name of a module.

    >>> ignored = IgnoredModules(["queue", "_pytest.runner."])
    >>> ignored.has("queue"), ignored.has("_pytest.runner.x"), ignored.has("queue_worker")
    (True, True, False)
    """

    def __init__(self, names: list[str]) -> None:
        self._names = frozenset(name.strip(".") for name in names)
        self._prefixes = tuple(name + "." for name in self._names)

    def has(self, module_name: str) -> bool:
        """Tell whether the module is one of the packages or lies in one."""
        return module_name in self._names or module_name.startswith(self._prefixes)
