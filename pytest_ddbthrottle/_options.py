"""What a run can be told, by ini file or command line; and what a name that nobody knows is told.

``OPTIONS`` is the one table: name, field, form, help. ``docs/reference/options.md`` shows the same, held by a test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, NamedTuple

DEFAULT_START = "2026-01-01T00:00:00Z"
_REGION_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a run, checked.

    Args:
        throttling: False for a store that never refuses for want of capacity.
        region: for clients that have none configured, and for handles.
        account_id: twelve digits.
        start: the first instant of every fake's clock, ISO 8601.
        clock: ``"virtual"``, ``"sdk"`` or ``"real"``.
        livelock_limit: how many refusals or leftovers in a row at one virtual instant end a test.
        stall_seconds: of real time, after which waits that nothing ends fail; 0 for never.
        seed: of ids, back-off jitter and scripted rates.
        strict: whether a test fails for what an audit of its calls finds, and for a call that no fake answers.
        summary: whether the end of the run tells which tests were throttled.
    """

    throttling: bool = True
    region: str = "us-east-1"
    account_id: str = "123456789012"
    start: str = DEFAULT_START
    clock: str = "virtual"
    livelock_limit: int = 1000
    stall_seconds: float = 5
    seed: int = 0
    strict: bool = False
    summary: bool = True

    def fake_arguments(self) -> dict[str, Any]:
        """Give the arguments of ``FakeDynamoDB``, which has the same names; what is the run's own is left out."""
        return {part.name: getattr(self, part.name) for part in fields(self) if part.name not in ("strict", "summary")}


class Option(NamedTuple):
    """One option: where it is said, what it may be.

    A dataclass would cost each run of pytest a millisecond more.

    Attributes:
        name: of the ini option.
        field: of ``Options``.
        parse: text to value; raises ValueError.
        allowed: what the text may be, in words.
        help: one line.
        flag: the command line's spelling, if there is one.
        choices: the words allowed, where they are few.
    """

    name: str
    field: str
    parse: Callable[[str], Any]
    allowed: str
    help: str
    flag: str | None = None
    choices: tuple[str, ...] = ()

    @property
    def default_text(self) -> str:
        """The value where nothing is said, as it would be written."""
        default = getattr(Options(), self.field)
        return self.choices[not default] if isinstance(default, bool) else str(default)

    def value(self, text: str, said_as: str) -> Any:
        """Give the value of a text.

        Args:
            text: what was written.
            said_as: the spelling of the place where it was written: the ini name or the flag.

        Raises:
            ValueError: with the option, the text and what is allowed.
        """
        try:
            return self.parse(text.strip())
        except ValueError:
            raise ValueError(f"{said_as} = {text!r}: allowed is {self.allowed}{nearest(text, self.choices)}") from None


def nearest(name: str, allowed: Iterable[str]) -> str:
    """Give a question that names the nearest of the allowed names, or nothing if none is near.

    >>> nearest("virtal", ("virtual", "sdk", "real"))
    ". Did you mean 'virtual'?"
    """
    from difflib import get_close_matches

    near = get_close_matches(name, list(allowed), n=1)
    return f". Did you mean {near[0]!r}?" if near else ""


def _word(words: Mapping[str, Any]) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        if text not in words:
            raise ValueError(text)
        return words[text]

    return parse


def _account_id(text: str) -> str:
    if len(text) != 12 or not (text.isascii() and text.isdigit()):
        raise ValueError(text)
    return text


def _region(text: str) -> str:
    if not text or not _REGION_CHARACTERS.issuperset(text) or "-" not in text.strip("-"):
        raise ValueError(text)
    return text


def _instant(text: str) -> str:
    datetime.fromisoformat(text.replace("Z", "+00:00"))
    return text


def _at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def _not_negative(text: str) -> float:
    number = float(text)
    if not 0 <= number < float("inf"):
        raise ValueError(text)
    return number


_CLOCKS = ("virtual", "sdk", "real")

OPTIONS = (
    Option(
        "ddb_throttling",
        "throttling",
        _word({"on": True, "off": False}),
        "on or off",
        "on, or off for a suite that only wants the store: nothing is refused for want of capacity",
        choices=("on", "off"),
    ),
    Option(
        "ddb_region",
        "region",
        _region,
        "a Region such as eu-west-1",
        "the Region of clients that have none configured, and of table handles",
    ),
    Option("ddb_account_id", "account_id", _account_id, "twelve digits", "the account"),
    Option(
        "ddb_start",
        "start",
        _instant,
        "an ISO 8601 instant such as 2026-01-01T00:00:00Z",
        "the first instant of each fake's clock (UTC)",
    ),
    Option(
        "ddb_clock",
        "clock",
        _word({word: word for word in _CLOCKS}),
        "virtual, sdk or real",
        "virtual: the process's time is the clock's; sdk: only the SDK's sleeps are virtual; real: nothing is patched",
        choices=_CLOCKS,
    ),
    Option(
        "ddb_livelock_limit",
        "livelock_limit",
        _at_least_one,
        "a whole number, at least 1",
        "how many refusals or leftovers in a row at one virtual instant end a test",
    ),
    Option(
        "ddb_stall_seconds",
        "stall_seconds",
        _not_negative,
        "a number of seconds, not negative; 0 for never",
        "real time in which something has to happen; then waits that nothing ends fail, naming thread, task and line",
    ),
    Option(
        "ddb_seed",
        "seed",
        int,
        "a whole number",
        "the seed of ids, back-off jitter and scripted rates: the same seed gives the same bytes",
        flag="--ddb-seed",
    ),
    Option(
        "ddb_strict",
        "strict",
        lambda text: _word({"true": True, "false": False})(text.lower()),  # TOML's own words arrive as Python's
        "true or false",
        "true: a test fails for what an audit of its calls finds, and a DynamoDB call that no fake answers fails at once",
        choices=("true", "false"),
    ),
    Option(
        "ddb_summary",
        "summary",
        _word({"on": True, "off": False}),
        "on or off",
        "on: the end of the run tells which tests were throttled, if any were; never under -q",
        flag="--ddb-summary",
        choices=("on", "off"),
    ),
)


def options_from(ini: Callable[[str], str | None], command_line: Callable[[str], str | None]) -> Options:
    """Give the options of a run: command line before ini before default.

    Args:
        ini: gives the text of an ini option, or None where nothing is said.
        command_line: the same for a flag.

    Raises:
        ValueError: one line for each value that is not allowed.
    """
    values, wrong = {}, []
    for option in OPTIONS:
        said_as, text = option.flag or "", command_line(option.flag) if option.flag else None
        if text is None:
            said_as, text = option.name, ini(option.name)
        if text is None:
            continue
        try:
            values[option.field] = option.value(text, said_as)
        except ValueError as error:
            wrong.append(str(error))
    if wrong:
        raise ValueError("\n".join(wrong))
    return Options(**values)
