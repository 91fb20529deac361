"""Options: what the ini file and the command line may say, who wins, and what a wrong value is told."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.throttle.rule import ThrottleRule
from pytest_ddbthrottle._options import OPTIONS, Options, options_from

DOCUMENT = Path(__file__).parents[2] / "docs" / "reference" / "options.md"


def read(ini: dict[str, str] | None = None, command_line: dict[str, str] | None = None) -> Options:
    return options_from((ini or {}).get, (command_line or {}).get)


def test_an_option_that_is_said_nowhere_has_its_default():
    assert read() == Options(
        throttling=True,
        region="us-east-1",
        account_id="123456789012",
        start="2026-01-01T00:00:00Z",
        clock="virtual",
        livelock_limit=1000,
        stall_seconds=5,
        seed=0,
    )


@pytest.mark.parametrize(
    ("name", "text", "field", "value"),
    [
        ("ddb_throttling", "off", "throttling", False),
        ("ddb_throttling", "on", "throttling", True),
        ("ddb_region", "eu-west-1", "region", "eu-west-1"),
        ("ddb_account_id", "000000000001", "account_id", "000000000001"),
        ("ddb_start", "2030-02-03T04:05:06Z", "start", "2030-02-03T04:05:06Z"),
        ("ddb_start", "2030-02-03", "start", "2030-02-03"),
        ("ddb_clock", " sdk ", "clock", "sdk"),
        ("ddb_clock", "real", "clock", "real"),
        ("ddb_livelock_limit", "1", "livelock_limit", 1),
        ("ddb_stall_seconds", "0.5", "stall_seconds", 0.5),
        ("ddb_seed", "7", "seed", 7),
    ],
)
def test_an_ini_option_is_read(name, text, field, value):
    assert getattr(read({name: text}), field) == value


def test_the_command_line_wins_over_the_ini_file():
    assert read({"ddb_seed": "7"}, {"--ddb-seed": "8"}).seed == 8


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("ddb_throttling", "maybe", "ddb_throttling = 'maybe': allowed is on or off"),
        ("ddb_throttling", "of", "ddb_throttling = 'of': allowed is on or off. Did you mean 'off'?"),
        ("ddb_region", "Ireland", "ddb_region = 'Ireland': allowed is a Region such as eu-west-1"),
        ("ddb_region", "", "ddb_region = '': allowed is a Region such as eu-west-1"),
        ("ddb_account_id", "42", "ddb_account_id = '42': allowed is twelve digits"),
        ("ddb_account_id", "12345678901x", "ddb_account_id = '12345678901x': allowed is twelve digits"),
        (
            "ddb_start",
            "soon",
            "ddb_start = 'soon': allowed is an ISO 8601 instant such as 2026-01-01T00:00:00Z",
        ),
        (
            "ddb_clock",
            "virtal",
            "ddb_clock = 'virtal': allowed is virtual, sdk or real. Did you mean 'virtual'?",
        ),
        (
            "ddb_livelock_limit",
            "0",
            "ddb_livelock_limit = '0': allowed is a whole number, at least 1",
        ),
        *[
            (
                "ddb_stall_seconds",
                text,
                f"ddb_stall_seconds = {text!r}: allowed is a number of seconds, not negative; 0 for never",
            )
            for text in ("-1", "nan", "inf", "soon")
        ],
        ("ddb_seed", "x", "ddb_seed = 'x': allowed is a whole number"),
    ],
)
def test_a_wrong_value_is_told_what_is_allowed(name, text, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        read({name: text})


def test_every_wrong_value_gets_a_line():
    both = "ddb_clock = 'x': allowed is virtual, sdk or real\n--ddb-seed = 'y': allowed is a whole number"

    with pytest.raises(ValueError, match=f"^{both}$"):
        read({"ddb_clock": "x", "ddb_seed": "1"}, {"--ddb-seed": "y"})


def test_options_have_the_names_of_the_fake_s_arguments():
    from pytest_ddbthrottle._fake_dynamodb import FakeDynamoDB

    fake = FakeDynamoDB(**read({"ddb_region": "eu-west-1"}).fake_arguments())

    assert fake.default_region == "eu-west-1"


def test_the_document_has_the_table_of_options():
    lines = DOCUMENT.read_text(encoding="utf-8").splitlines()

    rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines if line.startswith("| `ddb_")]

    assert [row for row in rows if len(row) == 5] == [
        [option.name, option.flag or "", option.allowed, option.default_text, option.help] for option in OPTIONS
    ]


@pytest.mark.parametrize(("section", "settings"), [("ddb_throttle", ThrottleRule), ("ddb_limits", AccountLimits)])
def test_the_document_has_each_keyword_of_a_marker(section, settings):
    text = DOCUMENT.read_text(encoding="utf-8").partition(f"### {section}\n")[2].partition("\n#")[0]

    keywords = [
        name for line in text.splitlines() if line[:1] == "|" for name in re.findall(r"`(\w+)`", line.split("|")[1])
    ]

    assert sorted(keywords) == sorted(part.name for part in fields(settings))


def test_a_wrong_ini_value_ends_the_run_before_collection(run, pytester):
    pytester.makeini("[pytest]\nddb_clock = virtal\nddb_livelock_limit = none\n")

    result = run("def test_nothing(): pass")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert result.stderr.lines[:2] == [
        "ERROR: ddb_clock = 'virtal': allowed is virtual, sdk or real. Did you mean 'virtual'?",
        "ddb_livelock_limit = 'none': allowed is a whole number, at least 1",
    ]


def test_a_wrong_flag_ends_the_run_before_collection(run):
    result = run("def test_nothing(): pass", "--ddb-seed=dice")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "ERROR: --ddb-seed = 'dice': allowed is a whole number" in result.stderr.lines


def test_the_options_reach_the_fake(run, pytester):
    pytester.makeini(
        """
        [pytest]
        ddb_region = eu-west-1
        ddb_account_id = 000000000001
        ddb_start = 2030-02-03T04:05:06Z
        ddb_clock = sdk
        """
    )

    result = run(
        """
        import time

        def test_the_fake_has_them(ddb_fake):
            assert ddb_fake.create_table("orders").arn == "arn:aws:dynamodb:eu-west-1:000000000001:table/orders"
            assert ddb_fake.clock.now().isoformat() == "2030-02-03T04:05:06+00:00"
            assert time.gmtime().tm_year != 2030
        """
    )

    result.assert_outcomes(passed=1)


def test_an_override_on_the_command_line_wins_over_the_ini_file(run, pytester):
    pytester.makeini("[pytest]\nddb_account_id = 000000000001\n")

    result = run(
        "def test_the_account(ddb_fake): assert ddb_fake.account_id == '000000000002'",
        "-o",
        "ddb_account_id=000000000002",
    )

    result.assert_outcomes(passed=1)


def test_the_options_pass_strict_config(run, pytester):
    settings = "\n".join(f"{option.name} = {option.default_text}" for option in OPTIONS)
    pytester.makeini(f"[pytest]\n{settings}\n")

    result = run("def test_nothing(): pass", "--strict-config")

    result.assert_outcomes(passed=1)


def test_the_help_shows_the_options(run):
    result = run("", "--help")

    assert all(f"  {option.name} (string):" in result.stdout.str() for option in OPTIONS)
    assert "  --ddb-seed=N" in result.stdout.str()
