"""The pytest plugin: fixtures, markers, options. Loads neither botocore nor the engine before a test asks for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import fields
from inspect import iscoroutinefunction
from types import TracebackType
from typing import TYPE_CHECKING, Any

import pytest

from pytest_ddbthrottle._options import OPTIONS, Options, options_from

if TYPE_CHECKING:
    from pytest_ddbthrottle._audit import AuditReport
    from pytest_ddbthrottle._botocore.one_attempt import OneAttemptClients
    from pytest_ddbthrottle._engine.clock import VirtualClock
    from pytest_ddbthrottle._fake_dynamodb import FakeDynamoDB
    from pytest_ddbthrottle._marker_rules import MarkerRules
    from pytest_ddbthrottle._rules_in_force import Scope
    from pytest_ddbthrottle._sweep_report import SweepReport

MARKERS = {
    "ddb_throttle": "ddb_throttle(*, table=None, index=None, billing_mode, read_capacity_units, "
    "write_capacity_units, max_read_request_units, max_write_request_units, ...): "
    "capacity of a table or an index, whatever the application asks for. Stackable; the closest wins, field by field.",
    "ddb_inject": "ddb_inject(*, reason or error or leftover, operation=None, table=None, key=None, times=1, after=0, "
    "optional=False, ...): a scripted refusal or fault. Stackable.",
    "ddb_limits": "ddb_limits(*, max_tables_per_account=2500, per_table_max_rcu=40000, ...): "
    "limits of the account. Stackable; the closest wins, name by name.",
    "ddb_throttle_sweep": "ddb_throttle_sweep(*, pairs=False, reasons=None, may_raise=False, check=None): "
    "run the test, and again for each of its calls with that call refused. The closest wins.",
}
FAKES = ("ddb_fake", "module_ddb_fake", "session_ddb_fake")
"""From the innermost to the outermost: the first that a test uses is the one it means."""
UNTOLD_PACKAGES = ("boto3", "botocore", "pytest_ddbthrottle")
UNFIRED = (
    "The test passed, but not all that it scripted happened:\n{}\n"
    "If that is meant: optional=True on a ddb_inject, no ddb_throttle for a table that is not made; docs/how-to/inject.md"
)
FOUND = (
    "The test passed, but the audit of its calls has\n{}\n"
    "If that is meant: strict=False on a ddb_throttle; docs/how-to/audit.md#strict"
)
SWEPT_COROUTINE = "@pytest.mark.ddb_throttle_sweep on a coroutine function is not modelled yet; docs/unsupported.md"

_OPTIONS = pytest.StashKey[Options]()
_ARMED = pytest.StashKey[bool]()
_CLIENTS = pytest.StashKey["OneAttemptClients"]()
_NOTICES = pytest.StashKey[int]()
_NOT_PASSED = pytest.StashKey[bool]()
_TOLD = pytest.StashKey[list[tuple[str, dict[str, Any]]]]()
_SWEEP = pytest.StashKey[Callable[[Callable[[], None]], "SweepReport"]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer the options of the one table."""
    group = parser.getgroup("ddbthrottle", "DynamoDB throttling")
    for option in OPTIONS:
        parser.addini(option.name, f"{option.help} (default: {option.default_text})", default=None)
        if option.flag is not None:
            group.addoption(option.flag, metavar="|".join(option.choices) or "N", default=None, help=option.help)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Give module-level clients a Region from the first conftest on."""
    _arm(early_config, _checked_options(early_config, flags=False).region)


def pytest_configure(config: pytest.Config) -> None:
    """Check the options and register the markers."""
    options = config.stash[_OPTIONS] = _checked_options(config)
    _arm(config, options.region)
    if options.strict:
        _forbid_calls_without_fake(config)
    for line in MARKERS.values():
        config.addinivalue_line("markers", line)
    # While nothing is captured: what is written here is seen at once, also of a test that never ends.
    notices = config.stash[_NOTICES] = os.dup(2)
    config.add_cleanup(lambda: os.close(notices))


def _checked_options(config: pytest.Config, *, flags: bool = True) -> Options:
    try:
        # Before pytest 8 an option that nobody set is an empty text.
        return options_from(lambda name: config.getini(name) or None, config.getoption if flags else lambda flag: None)
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Let each test that carries a marker use a fake, and its markers hold for it."""
    for item in items:
        if isinstance(item, pytest.Function) and (_is_marked(item) or _is_strict_on_a_wide_fake(item)):
            _use_markers(item)


def _is_marked(item: pytest.Function) -> bool:
    return any(item.get_closest_marker(name) for name in MARKERS)


def _is_strict_on_a_wide_fake(item: pytest.Function) -> bool:
    """Tell whether a test uses a fake that outlives it: what it does wrong must not be told of another test."""
    uses_one = "ddb_fake" not in item.fixturenames and any(fake in item.fixturenames for fake in FAKES)
    return uses_one and item.config.stash[_OPTIONS].strict


def _use_markers(item: pytest.Function) -> None:
    names = item.fixturenames
    asked = [] if any(fake in names for fake in FAKES) else ["ddb_fake"]
    place = _first_of_function_scope(item)
    # A list of its own: pytest shares one among the parameters of a test, and a marker may be on one of them only.
    item.fixturenames = [*names[:place], *asked, "_ddb_markers", *names[place:]]


def _first_of_function_scope(item: pytest.Function) -> int:
    definitions = item._fixtureinfo.name2fixturedefs
    for place, name in enumerate(item.fixturenames):
        if name in definitions and definitions[name][-1].scope == "function":
            return place
    return len(item.fixturenames)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember, for the test and all that it stands in, that not everything went its way."""
    if call.excinfo is not None and not isinstance(call.excinfo.value, Exception):
        _shorten_interruption(call.excinfo)
    report = yield
    if call.when == "teardown":
        report.ddb_throttled = [told for node in item.listchain() for told in node.stash.get(_TOLD, ())]  # type: ignore[attr-defined]
        for node in item.listchain():
            node.stash[_TOLD] = []
    if not report.passed:
        for node in item.listchain():
            node.stash[_NOT_PASSED] = True
    return report


def _shorten_interruption(excinfo: pytest.ExceptionInfo[BaseException]) -> None:
    """Let a test that the engine ended show its own lines: the SDK's below them are not what is wrong."""
    from pytest_ddbthrottle._engine.errors import Interruption

    if not isinstance(excinfo.value, Interruption):
        return
    own: TracebackType | None = None
    for entry in reversed(list(_entries(excinfo.tb))):
        if entry.tb_frame.f_globals.get("__name__", "").partition(".")[0] not in UNTOLD_PACKAGES:
            own = TracebackType(own, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    if own is not None:
        excinfo.traceback = type(excinfo.traceback)(own)


def _entries(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


@pytest.fixture
def ddb_fake(request: pytest.FixtureRequest) -> Iterator[FakeDynamoDB]:
    """A new DynamoDB account, which answers every client of the process for one test."""
    yield from _fake(request)


@pytest.fixture(scope="module")
def module_ddb_fake(request: pytest.FixtureRequest) -> Iterator[FakeDynamoDB]:
    """A DynamoDB account for the tests of a module that ask for it."""
    yield from _fake(request)


@pytest.fixture(scope="session")
def session_ddb_fake(request: pytest.FixtureRequest) -> Iterator[FakeDynamoDB]:
    """A DynamoDB account for the tests of a session that ask for it."""
    yield from _fake(request)


def _fake(request: pytest.FixtureRequest) -> Iterator[FakeDynamoDB]:
    from pytest_ddbthrottle._fake_dynamodb import FakeDynamoDB

    fake = FakeDynamoDB(**request.config.stash[_OPTIONS].fake_arguments())
    fake._watch["notice_fd"] = request.config.stash[_NOTICES]
    with fake:
        yield fake
        unfired = fake.unfired()
        report = fake.strict_report(strict=request.config.stash[_OPTIONS].strict)
        _tell_at_the_end(request, fake)
    _fail_if_unfired(request.node, unfired)
    _fail_if_found(request.node, report)


def _tell_at_the_end(request: pytest.FixtureRequest, fake: FakeDynamoDB) -> None:
    from pytest_ddbthrottle._throttled_tests import told_of

    if told := told_of(fake.calls, fake.clock.elapsed):
        name = request.node.nodeid or str(request.fixturename)
        request.node.stash.setdefault(_TOLD, []).append((name, told))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Tell which tests were throttled, if any were: once, in the process that has the terminal."""
    reports = [report for of_outcome in terminalreporter.stats.values() for report in of_outcome]
    told = [one for report in reports for one in getattr(report, "ddb_throttled", ())]
    if not told or not config.stash[_OPTIONS].summary or config.option.verbose < 0:
        return
    from pytest_ddbthrottle._throttled_tests import summary_lines

    terminalreporter.section("DynamoDB throttling")
    for line in summary_lines(sorted(told, key=lambda one: one[0])):
        terminalreporter.line(line)


@pytest.fixture
def _ddb_markers(request: pytest.FixtureRequest) -> Iterator[None]:
    """The markers of a test, in force while it runs."""
    around, own = _rules(request.node)
    with ExitStack() as stack:
        fake = _fake_in_use(request)
        scope = _scope(stack, fake, around, own)
        if sweep := own.sweep or around.sweep:
            names = {part.name: getattr(sweep, part.name) for part in fields(sweep)}
            request.node.stash[_SWEEP] = lambda scenario: fake.sweep(scenario, **names)
        yield
        unfired = scope.unfired()
        report = fake.strict_report(strict=request.config.stash[_OPTIONS].strict)
    _fail_if_unfired(request.node, unfired)
    if _SWEEP not in request.node.stash:
        _fail_if_found(request.node, report)


def _scope(stack: ExitStack, fake: FakeDynamoDB, around: MarkerRules, own: MarkerRules) -> Scope:
    try:
        # A throttle on a class or module speaks for many tests, of which some may never make its table.
        stack.enter_context(fake.scoped(throttle=around.throttle, limits=around.limits))
        return stack.enter_context(fake.scoped(own.throttle, [*around.inject, *own.inject], own.limits))
    except ValueError as error:
        text = f"@pytest.mark.{error}"
    pytest.fail(text, pytrace=False)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Sweep a test that is marked so: it is the scenario."""
    sweep = pyfuncitem.stash.get(_SWEEP, None)
    if sweep is None:
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}

    def scenario() -> None:
        __tracebackhide__ = True
        try:
            pyfuncitem.obj(**arguments)
        except pytest.fail.Exception as failed:
            raise AssertionError(failed.msg).with_traceback(failed.__traceback__) from None

    if iscoroutinefunction(pyfuncitem.obj):
        pytest.fail(SWEPT_COROUTINE, pytrace=False)
    _tell(pyfuncitem, sweep(scenario))
    return True


def _tell(item: pytest.Function, report: SweepReport) -> None:
    """Give a subtest for each refusal, before pytest 9 one failure for all."""
    with suppress(pytest.FixtureLookupError):
        return _tell_each(item._request.getfixturevalue("subtests"), report)
    if report.findings:
        pytest.fail(report.failure_text, pytrace=False)


def _tell_each(subtests: Any, report: SweepReport) -> None:
    for point in report.points:
        with subtests.test(msg=point.title):
            if point.is_finding:
                pytest.fail(f"{point.outcome}: {point.detail}", pytrace=False)


@pytest.fixture
def ddb_clock(request: pytest.FixtureRequest) -> VirtualClock:
    """The clock of the fake that the test uses."""
    return _fake_in_use(request).clock


@pytest.fixture
def ddb_client(request: pytest.FixtureRequest) -> Any:
    """A boto3 client on the fake that the test uses, with the SDK's retries off: one call, one answer."""
    return _one_attempt(request).client(_fake_in_use(request).default_region)


@pytest.fixture
def ddb_resource(request: pytest.FixtureRequest) -> Any:
    """A boto3 resource on the fake that the test uses, with the SDK's retries off."""
    return _one_attempt(request).resource(_fake_in_use(request).default_region)


def _one_attempt(request: pytest.FixtureRequest) -> OneAttemptClients:
    from pytest_ddbthrottle._botocore.one_attempt import one_attempt_clients

    stash = request.config.stash
    if _CLIENTS not in stash:
        try:
            stash[_CLIENTS] = one_attempt_clients()
        except ImportError as error:
            text = f"{request.fixturename} needs boto3, which can't be imported ({error}): pip install boto3"
        else:
            return stash[_CLIENTS]
        pytest.fail(text, pytrace=False)
    return stash[_CLIENTS]


def _fake_in_use(request: pytest.FixtureRequest) -> FakeDynamoDB:
    used = (name for name in FAKES if name in request.fixturenames)
    fake: FakeDynamoDB = request.getfixturevalue(next(used, "ddb_fake"))
    return fake


def _rules(item: pytest.Item) -> tuple[MarkerRules, MarkerRules]:
    """Give what the markers around a test say, and what its own do."""
    from pytest_ddbthrottle._marker_rules import BadMarker, rules_of

    *around, _ = item.listchain()
    try:
        return (
            rules_of(mark for node in around for mark in _around_from_farthest_to_closest(node)),
            rules_of(_own_from_farthest_to_closest(item)),
        )
    except BadMarker as error:
        text = str(error)
    pytest.fail(text, pytrace=False)


def _around_from_farthest_to_closest(node: Any) -> list[pytest.Mark]:
    """Give the markers of a module or class from the top down; a base class's are farther than its own."""
    classes = getattr(getattr(node, "obj", None), "__mro__", ())
    place_of = {id(mark): place for place, one in enumerate(classes) for mark in _marks_of(one)}
    from_the_top_down = node.own_markers[::-1]
    return sorted(from_the_top_down, key=lambda mark: -place_of.get(id(mark), 0))


def _marks_of(one_class: type) -> list[pytest.Mark]:
    said = vars(one_class).get("pytestmark", [])
    marks = said if isinstance(said, list) else [said]
    return [mark.mark if isinstance(mark, pytest.MarkDecorator) else mark for mark in marks]


def _own_from_farthest_to_closest(item: pytest.Item) -> list[pytest.Mark]:
    """Give a test's own markers: its decorators from the top down, then those of its parameters."""
    parameter_marks = getattr(getattr(item, "callspec", None), "marks", ())
    from_the_top_down = item.own_markers[::-1]
    return sorted(from_the_top_down, key=lambda mark: any(mark is closest for closest in parameter_marks))


def _fail_if_unfired(node: pytest.Item, unfired: Sequence[str]) -> None:
    if not unfired or node.stash.get(_NOT_PASSED, False):
        return
    node.stash[_NOT_PASSED] = True
    pytest.fail(UNFIRED.format("\n".join(f"- {sentence}" for sentence in unfired)), pytrace=False)


def _fail_if_found(node: pytest.Item, report: AuditReport) -> None:
    if not report.findings or node.stash.get(_NOT_PASSED, False):
        return
    node.stash[_NOT_PASSED] = True
    pytest.fail(FOUND.format(report), pytrace=False)


def _forbid_calls_without_fake(config: pytest.Config) -> None:
    from pytest_ddbthrottle._botocore import forbid_calls_without_fake

    config.add_cleanup(forbid_calls_without_fake())


def _arm(config: pytest.Config, region: str) -> None:
    from pytest_ddbthrottle._botocore.session_defaults import arm

    if _ARMED not in config.stash:
        config.stash[_ARMED] = True
        config.add_cleanup(arm(region))
