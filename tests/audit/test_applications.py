"""The audit on small applications: what it finds in throttled runs of the broken ones, and nothing in the sound."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from pytest_ddbthrottle._engine.errors import Livelock

APPLICATIONS = Path(__file__).parents[1] / "applications"
SOUND = sorted((APPLICATIONS / "sound").glob("*.py"))
INVISIBLE = "half_written_order"
"""Its order is declined in the sound one as well: that the piece stays taken, only the application can know."""

PROVISIONED = "TableWriteProvisionedThroughputExceeded"
CAP = "TableWriteMaxOnDemandThroughputExceeded"
THROTTLED_RUNS: dict[str, dict[str, Any]] = {
    "cancelled_transaction": {"reason": CAP},
    "dead_letters": {"reason": PROVISIONED, "table": "inbox", "times": 7},
    "double_increment": {"reason": PROVISIONED, "table": "sales"},
    "half_written_order": {"reason": PROVISIONED, "table": "orders"},
    "leftovers": {"leftover": 2, "operation": "BatchWriteItem", "times": 2},
    "no_back_off": {"reason": PROVISIONED, "times": 3},
    "one_error_class": {"reason": CAP, "after": 1},
    "swallowed_exception": {"reason": PROVISIONED, "after": 1},
    "unbounded_loop": {"reason": CAP, "times": 5000},
    "unread_keys": {"leftover": 1, "operation": "BatchGetItem"},
    "unread_statements": {"reason": PROVISIONED, "operation": "BatchExecuteStatement"},
}


@pytest.fixture
def audited(ddb_fake, ddb_client) -> Callable[..., Any]:
    """Runs an application in which something is refused; gives the audit."""

    def run(path: Path, client: Any = ddb_client, **rule: Any) -> Any:
        application = SimpleNamespace(**runpy.run_path(str(path)))
        application.prepare(ddb_fake)
        ddb_fake.inject(**rule)
        with suppress(BotoCoreError, ClientError, Livelock, TimeoutError):
            application.run(client)
        return ddb_fake.audit()

    return run


@pytest.mark.parametrize(
    ("name", "rules", "code"),
    [
        ("cancelled_transaction", {"transaction_not_retried"}, "client.transact_write_items("),
        ("dead_letters", {"write_lost"}, 'client.put_item(TableName="inbox"'),
        ("double_increment", {"write_repeated"}, None),
        ("leftovers", {"leftovers_dropped"}, "return call(**request)"),
        ("no_back_off", {"no_back_off"}, 'client.put_item(TableName="profiles"'),
        ("one_error_class", {"class_not_caught"}, "client.update_item("),
        ("swallowed_exception", {"throttle_swallowed"}, 'client.put_item(TableName="trail"'),
        ("unbounded_loop", {"no_back_off", "no_bound"}, 'client.put_item(TableName="readings"'),
        ("unread_keys", {"leftovers_dropped"}, "return call(**request)"),
        ("unread_statements", {"leftovers_dropped"}, "client.batch_execute_statement("),
    ],
)
def test_the_bug_of_a_broken_application_is_found(audited, name, rules, code):
    path = APPLICATIONS / "broken" / f"{name}.py"

    report = audited(path, **THROTTLED_RUNS[name])

    assert {finding.rule for finding in report.findings} == rules
    if code is not None:
        line = int(report.findings[0].line.rpartition(" in ")[0].rpartition(":")[2])
        assert code in path.read_text().splitlines()[line - 1]


def test_each_broken_application_but_one_is_in_the_table():
    broken = {path.stem for path in (APPLICATIONS / "broken").glob("*.py")}

    assert broken == THROTTLED_RUNS.keys()


@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.stem)
def test_nothing_is_found_in_a_sound_application_that_meets_the_same(audited, path):
    report = audited(path, **THROTTLED_RUNS[path.stem])

    assert report.findings == (), str(report)


@pytest.mark.parametrize(
    "rule",
    [
        {"error": "InternalServerError"},
        {"error": "timeout", "after": 1},
        {"error": "reset", "applied": True},
        {"error": "InternalServerError", "times": 10_000},
        {"error": "ThrottlingException", "times": 10_000},
        {"error": "ProvisionedThroughputExceededException", "every": 2, "times": 10_000},
        {"leftover": 1, "every": 2, "times": 10_000, "optional": True},
    ],
    ids=str,
)
@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.stem)
def test_nothing_is_found_in_a_sound_application_whatever_it_meets(audited, path, rule):
    report = audited(path, **rule)

    assert report.findings == (), str(report)


@pytest.mark.parametrize("mode", ["legacy", "standard", "adaptive"])
@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.stem)
def test_nothing_is_found_in_a_sound_application_behind_the_sdks_retries(audited, path, mode):
    names = {"aws_access_key_id": "any", "aws_secret_access_key": "any"}
    client = boto3.client("dynamodb", "us-east-1", config=Config(retries={"mode": mode}), **names)

    report = audited(path, client, **{**THROTTLED_RUNS[path.stem], "times": 60, "optional": True})

    assert report.findings == (), str(report)
