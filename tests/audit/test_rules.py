"""Each rule of the audit: what is guilty, and what looks much like it and is not."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import Any

import boto3
import pytest
import shop
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from pytest_ddbthrottle._audit_rules import RULES
from pytest_ddbthrottle._engine.errors import Livelock

CAP = "TableWriteMaxOnDemandThroughputExceeded"
REFUSED = {"reason": CAP, "operation": "PutItem", "table": "orders"}
CANCELLED = {"reason": CAP, "operation": "TransactWriteItems"}
LEFT = {"leftover": 2}
FINDINGS: list[tuple[str, dict[str, Any], str | None]] = [
    ("drops_what_it_did_not_write", LEFT, "leftovers_dropped"),
    ("drops_what_it_did_not_read", LEFT, "leftovers_dropped"),
    ("raises_on_leftovers", LEFT, None),
    ("logs_the_whole_reply", LEFT, None),
    ("hands_leftovers_on", LEFT, None),
    ("writes_each_again_by_itself", LEFT, None),
    ("puts_all_aside", LEFT, None),
    ("sends_three_times_at_once", {**REFUSED, "times": 3}, "no_back_off"),
    ("sends_for_ever", {"error": "InternalServerError", "times": 3}, "no_back_off"),
    ("sends_three_times_at_once", {**REFUSED, "times": 1}, None),
    ("sends_leftovers_at_once", {"leftover": 4, "times": 4}, "no_back_off"),
    ("sends_leftovers_at_once", {"leftover": 1, "times": 1}, None),
    ("sends_for_ever", {**REFUSED, "times": 10_000}, "no_back_off no_bound"),
    ("retries_once_at_once", {**REFUSED, "times": 2}, None),
    ("waits_a_little", {**REFUSED, "times": 5}, None),
    ("counts_for_many_users", {**REFUSED, "times": 20}, None),
    ("sends_other_things_at_once", {**REFUSED, "times": 9, "every": 2}, None),
    ("swallows", REFUSED, "throttle_swallowed"),
    ("swallows", {"error": "InternalServerError"}, "throttle_swallowed"),
    ("swallows", {"error": "timeout"}, "throttle_swallowed"),
    ("swallows", {"error": "timeout", "applied": True}, None),
    ("swallows", {"error": "ConditionalCheckFailedException"}, None),
    ("suppresses", REFUSED, "throttle_swallowed"),
    ("swallows_what_got_no_reply", {"error": "reset"}, "throttle_swallowed"),
    ("swallows_what_got_no_reply", REFUSED, None),
    ("tells_by_its_value", REFUSED, None),
    ("tells_later", REFUSED, None),
    ("keeps_it", REFUSED, None),
    ("writes_it_later", REFUSED, None),
    ("lets_it_through", REFUSED, None),
    ("catches_another_error", REFUSED, None),
    ("reads_the_other_classs_list", REFUSED, "reasons_not_read"),
    ("reads_both_lists", REFUSED, None),
    ("reads_no_list", REFUSED, None),
    ("reads_all_of_it", REFUSED, None),
    ("takes_it_for_a_condition", CANCELLED, "transaction_not_retried"),
    ("reads_why", CANCELLED, None),
    ("sends_the_transaction_again", CANCELLED, None),
    ("looks_at_the_code_alone", CANCELLED, "transaction_not_retried"),
    ("hands_the_error_on", CANCELLED, None),
    ("raises_its_own_error", CANCELLED, None),
    ("lets_the_transaction_through", CANCELLED, None),
    ("puts_some_aside", {**REFUSED, "times": 2}, "write_lost"),
    ("puts_each_aside", {**REFUSED, "times": 2}, None),
    ("puts_none_aside", {**REFUSED, "times": 2}, None),
    ("begins_again_with_the_count", REFUSED, "write_repeated"),
    ("retries_the_step_alone", REFUSED, None),
    ("counts_attempts", REFUSED, None),
    ("expects_one_class", REFUSED, "class_not_caught"),
    ("expects_all_three", REFUSED, None),
    ("expects_one_class_and_any_other_around_it", REFUSED, None),
]


@pytest.fixture
def found(ddb_fake, ddb_client):
    """Runs a piece of the shop in which something is refused; gives the rules that found something."""

    def run(piece: str, rule: dict[str, Any], client: Any = ddb_client) -> set[str]:
        for table in ("orders", "letters", "totals"):
            ddb_fake.create_table(table)
        ddb_fake.inject(**rule)
        with suppress(BotoCoreError, ClientError, Livelock, RuntimeError, TimeoutError):
            getattr(shop, piece)(client)
        return {finding.rule for finding in ddb_fake.audit().findings}

    return run


@pytest.mark.parametrize(("piece", "rule", "expected"), FINDINGS)
def test_a_rule_finds_the_guilty_alone(found, piece, rule, expected):
    assert found(piece, rule) == set(expected.split() if expected else [])


def test_every_rule_has_a_guilty_piece_and_an_innocent_one():
    guilty = {rule for _, _, expected in FINDINGS if expected for rule in expected.split()}

    assert guilty == {rule.name for rule in RULES}


@pytest.mark.parametrize("mode", ["legacy", "standard", "adaptive"])
@pytest.mark.parametrize(
    ("piece", "expected"),
    [("sends_three_times_at_once", set()), ("swallows", {"throttle_swallowed"}), ("waits_a_little", set())],
)
def test_the_sdks_own_attempts_are_no_retries_of_the_application(found, piece, expected, mode):
    names = {"aws_access_key_id": "any", "aws_secret_access_key": "any"}
    client = boto3.client("dynamodb", "us-east-1", config=Config(retries={"mode": mode}), **names)

    assert found(piece, {**REFUSED, "times": 100}, client) == expected


@pytest.mark.parametrize("clock", ["sdk", "real"])
def test_where_sleeps_are_not_seen_no_back_off_is_missed(monkeypatch, clock):
    from pytest_ddbthrottle import FakeDynamoDB

    names = {"aws_access_key_id": "any", "aws_secret_access_key": "any"}
    client = boto3.client("dynamodb", "us-east-1", config=Config(retries={"total_max_attempts": 1}), **names)
    with FakeDynamoDB(clock=clock) as fake:
        fake.create_table("orders")
        fake.inject(**REFUSED, times=3)
        with suppress(TimeoutError):
            shop.sends_three_times_at_once(client)

        assert fake.audit().findings == ()


def test_a_batch_writer_sends_leftovers_at_once_by_itself(ddb_fake, ddb_resource):
    ddb_fake.create_table("orders")
    ddb_fake.inject(leftover=1, times=5)

    def write_all():
        with ddb_resource.Table("orders").batch_writer() as batch:
            for n in range(30):
                batch.put_item(Item={"pk": str(n)})

    write_all()

    assert ddb_fake.audit().findings == ()


def test_workers_that_are_refused_at_one_instant_are_no_retry(ddb_fake, ddb_client):
    ddb_fake.create_table("orders")
    ddb_fake.inject(**REFUSED, times=10)
    workers = [threading.Thread(target=shop.waits_a_little, args=[ddb_client]) for _ in range(5)]

    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert len(ddb_fake.calls) == 15
    assert ddb_fake.audit().findings == ()


def test_tasks_that_are_refused_at_one_instant_are_no_retry(ddb_fake, ddb_client):
    ddb_fake.create_table("orders")
    ddb_fake.inject(**REFUSED, times=10)

    async def main():
        await asyncio.gather(*(shop.waits_a_little_in_a_task(ddb_client) for _ in range(5)))

    asyncio.run(main())

    assert len(ddb_fake.calls) == 15
    assert ddb_fake.audit().findings == ()


def test_what_the_test_itself_swallows_or_drops_is_its_own_affair(ddb_fake, ddb_client):
    ddb_fake.create_table("orders")
    ddb_fake.inject(**REFUSED)
    ddb_fake.inject(leftover=2)
    with suppress(ClientError):
        ddb_client.put_item(TableName="orders", Item={"pk": {"S": "a"}})
    ddb_client.batch_write_item(RequestItems=shop.ALL)

    assert ddb_fake.audit().findings == ()


def test_a_finding_says_what_where_why_and_what_to_do(ddb_fake, ddb_client):
    ddb_fake.create_table("orders")
    ddb_fake.inject(leftover=2)
    shop.drops_what_it_did_not_write(ddb_client)

    report = ddb_fake.audit()

    (finding,) = report.findings
    assert finding.call is ddb_fake.calls[0]
    file, _, line = finding.line.rpartition(" in ")[0].rpartition(":")
    with open(file) as source:
        assert "batch_write_item" in source.read().splitlines()[int(line) - 1]
    assert str(report).splitlines() == [
        "1 finding in 1 call",
        f"leftovers_dropped at {file}:{line} in drops_what_it_did_not_write",
        "  0 s  BatchWriteItem  orders  2 write  scripted  2 left over  attempt 1  not sent again",
        "  2 of 4 entries came back in UnprocessedItems, which nobody read or sent again: pk=order#1002 and pk=order#1003",
        "  send UnprocessedItems or UnprocessedKeys again, after a delay that grows, until nothing comes back",
    ]
    with pytest.raises(AssertionError) as failed:
        report.assert_nothing_found()
    assert str(failed.value).splitlines() == [
        f"expected an audit without findings; {str(report).splitlines()[0]}",
        *str(report).splitlines()[1:],
        "what each rule looks for, and what it lets pass: docs/how-to/audit.md",
    ]


def test_an_audit_of_nothing_finds_nothing(ddb_fake):
    ddb_fake.audit().assert_nothing_found()
