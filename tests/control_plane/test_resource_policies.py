"""Resource policies of tables: documents, revisions, cool-downs, and what dies with the table."""

from __future__ import annotations

import json

import pytest

ARN = "arn:aws:dynamodb:us-west-2:123456789012:table/tab1"
INVALID = "ValidationException: One or more parameter values were invalid: "
DOCUMENT = f"{INVALID}Invalid policy document: "
MISSING = "ResourceNotFoundException: Requested resource not found: "
NOT_FOUND = "PolicyNotFoundException: Resource-based policy not found for the provided ResourceArn: "
NOW_MS = 1_767_225_600_000


def policy(action="dynamodb:GetItem", **members):
    statement = {"Effect": "Allow", "Principal": {"AWS": "123456789012"}, "Action": action, "Resource": ARN, **members}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


@pytest.fixture
def table(account):
    account.create("tab1")
    return account


def put(account, document=None, **more):
    return account.call("PutResourcePolicy", ResourceArn=ARN, Policy=document or policy(), **more)["RevisionId"]


def get(account):
    return account.call("GetResourcePolicy", ResourceArn=ARN)


def test_a_policy_is_read_back_in_one_form_whatever_was_written(table):
    written = {
        "Statement": [
            {
                "Resource": [ARN],
                "Action": ["dynamodb:GetItem"],
                "Principal": {"AWS": ["123456789012"]},
                "Effect": "Allow",
                "Sid": "Read",
            }
        ],
        "Version": "2012-10-17",
    }

    revision = put(table, json.dumps(written, indent=4))

    assert get(table) == {
        "RevisionId": revision,
        "Policy": '{"Version":"2012-10-17","Statement":[{"Sid":"Read","Effect":"Allow",'
        '"Principal":{"AWS":"arn:aws:iam::123456789012:root"},"Action":"dynamodb:GetItem",'
        f'"Resource":"{ARN}"}}]}}',
    }


def test_a_revision_is_the_millisecond_of_the_change_and_the_same_policy_is_none(table):
    first = put(table)
    same = put(table, json.dumps(json.loads(policy(["dynamodb:GetItem"])), indent=1))
    table.clock.advance(20)
    other = put(table, policy("dynamodb:PutItem"))

    assert (first, same, other) == (str(NOW_MS), str(NOW_MS), str(NOW_MS + 20_000))


def test_two_changes_at_one_instant_are_two_revisions(table):
    revisions = [put(table, policy(action)) for action in ("dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:GetItem")]

    assert revisions == sorted(set(revisions))


def test_a_policy_is_taken_off_and_what_is_gone_can_be_deleted_again(table):
    assert table.call("DeleteResourcePolicy", ResourceArn=ARN) == {}
    revision = put(table)

    assert table.call("DeleteResourcePolicy", ResourceArn=ARN) == {"RevisionId": revision}
    assert table.call("DeleteResourcePolicy", ResourceArn=ARN) == {"RevisionId": str(NOW_MS + 1)}
    assert table.refused("GetResourcePolicy", ResourceArn=ARN) == NOT_FOUND + ARN


def test_a_revision_that_is_expected_must_be_the_one_there_is(table):
    none = f"{NOT_FOUND}Requested update for policy with revision id 123, but table tab1 has no associated policy."
    assert table.refused("PutResourcePolicy", ResourceArn=ARN, Policy=policy(), ExpectedRevisionId="123") == none
    assert table.refused("DeleteResourcePolicy", ResourceArn=ARN, ExpectedRevisionId="123") == none

    revision = put(table, ExpectedRevisionId="NO_POLICY")

    assert table.refused("PutResourcePolicy", ResourceArn=ARN, Policy=policy(), ExpectedRevisionId="NO_POLICY") == (
        f"{NOT_FOUND}Requested policy update expecting none to be present for table tab1, but a policy exists with "
        f"revision id {revision}."
    )
    assert table.refused("DeleteResourcePolicy", ResourceArn=ARN, ExpectedRevisionId="unknown") == (
        f"{NOT_FOUND}Requested update for policy with revision id unknown, but the policy associated to target table tab1 "
        f"has revision id {revision}."
    )
    assert put(table, policy("dynamodb:PutItem"), ExpectedRevisionId=revision) > revision


BAD_DOCUMENTS = [
    ("{not json", f"{DOCUMENT}This policy contains invalid Json"),
    ("", f"{DOCUMENT}This policy contains invalid Json"),
    ("[" * 10_000, f"{DOCUMENT}This policy contains invalid Json"),
    ('{"Version":"2012-10-17","Statement":[]}', f"{DOCUMENT}Could not parse the policy: Statement is empty!"),
    (
        '{"Statement":[{"Effect":"Allow","Principal":"*","Action":"dynamodb:GetItem"}]}',
        f"{DOCUMENT}Missing required field Resource",
    ),
    (
        policy(["dynamodb:GetItem", "dynamodb:GetRecords", "dynamodb:DescribeStream"]),
        f'{DOCUMENT}The following action names are invalid: "dynamodb:GetRecords", "dynamodb:DescribeStream"',
    ),
    (policy().ljust(20_481), f"{INVALID}Maximum policy size of 20480 bytes exceeded"),
]


@pytest.mark.parametrize(("document", "expected"), BAD_DOCUMENTS, ids=range(len(BAD_DOCUMENTS)))
def test_a_document_that_is_no_policy_is_refused(table, document, expected):
    assert table.refused("PutResourcePolicy", ResourceArn=ARN, Policy=document) == expected


def test_a_document_may_have_20480_bytes_white_space_counted(table):
    put(table, policy().ljust(20_480))

    assert len(get(table)["Policy"]) < 300


BAD_ARNS = [
    ("tab1", f"{INVALID}ARNs must start with 'arn:': tab1"),
    (ARN + "x", f"{MISSING}Table: tab1x not found"),
    (
        ARN.replace("123456789012", "210987654321"),
        "ValidationException: This action is only supported by accounts that match the resource owner\u2019s account.",
    ),
    (ARN.replace("us-west-2", "us-east-1"), f"{INVALID}Invalid resource Arn: {ARN.replace('us-west-2', 'us-east-1')}"),
    (ARN.replace("aws", "aws-cn"), f"{INVALID}Invalid resource Arn: {ARN.replace('aws', 'aws-cn')}"),
    (
        f"{ARN}/index/g",
        f"{INVALID}Invalid resource arn provided, only table or stream is accepted. Provided resource arn: {ARN}/index/g",
    ),
    (f"{ARN}/stream/2000-01-01T00:00:00.000", f"{MISSING}Stream: 2000-01-01T00:00:00.000 not found for Table: tab1"),
    (f"{ARN}/backup/0170", f"{INVALID}Provided Arn is not a DynamoDB resource arn: {ARN}/backup/0170"),
    ("arn:aws:s3:::bucket", f"{INVALID}Provided Arn is not a DynamoDB resource arn: arn:aws:s3:::bucket"),
]


@pytest.mark.parametrize(("arn", "expected"), BAD_ARNS)
@pytest.mark.parametrize("operation", ["GetResourcePolicy", "DeleteResourcePolicy", "PutResourcePolicy"])
def test_an_arn_must_be_that_of_a_table_of_the_account_and_region(table, operation, arn, expected):
    document = {"Policy": policy()} if operation == "PutResourcePolicy" else {}

    assert table.refused(operation, ResourceArn=arn, **document) == expected


def test_members_that_are_needed_or_too_long_are_named(table):
    assert table.refused("PutResourcePolicy", ResourceArn=ARN) == (
        "ValidationException: 1 validation error detected: Value null at 'policy' failed to satisfy constraint: "
        "Member must not be null"
    )
    assert "expectedRevisionId" in table.refused("DeleteResourcePolicy", ResourceArn=ARN, ExpectedRevisionId="9" * 256)


def test_a_policy_dies_with_its_table(table):
    put(table)
    table.call("DeleteTable", TableName="tab1")

    assert table.refused("GetResourcePolicy", ResourceArn=ARN) == f"{MISSING}Table: tab1 not found"
    table.create("tab1")
    assert table.refused("GetResourcePolicy", ResourceArn=ARN) == NOT_FOUND + ARN


def test_a_table_may_be_created_with_a_policy(account):
    account.create("tab1", ResourcePolicy=policy())

    assert json.loads(get(account)["Policy"])["Statement"][0]["Action"] == "dynamodb:GetItem"


def test_a_table_is_not_created_with_what_is_no_policy(account):
    request = account.new_table("tab1", ResourcePolicy="{")

    assert account.refused("CreateTable", **request) == f"{DOCUMENT}This policy contains invalid Json"


def test_a_snapshot_brings_a_policy_back(table):
    put(table)
    before, snapshot = get(table), table.engine.snapshot()
    table.call("DeleteResourcePolicy", ResourceArn=ARN)

    table.engine.restore(snapshot)

    assert get(table) == before


COOLS_DOWN = (
    "ThrottlingException: Resource-based policy for table tab1 modified within the previous 15000 milliseconds. "
    "Please try again after 2026-01-01T00:00:35.000Z."
)
PENDING = (
    "ResourceInUseException: Attempt to change a resource which is still in use: "
    "Table is pending previous resource-based policy update: tab1"
)


@pytest.fixture
def slow_table(account):
    account.limits(lifecycle="realistic")
    account.create("tab1")
    account.clock.advance(20)
    put(account)
    return account


@pytest.mark.parametrize(
    ("after_seconds", "expected"), [(0, PENDING), (1.999, PENDING), (2, COOLS_DOWN), (14.999, COOLS_DOWN)]
)
def test_a_policy_that_was_changed_can_not_be_changed_again_for_15_seconds(slow_table, after_seconds, expected):
    slow_table.clock.advance(after_seconds)

    other = policy("dynamodb:PutItem")
    assert slow_table.refused("PutResourcePolicy", ResourceArn=ARN, Policy=other) == expected
    assert slow_table.refused("DeleteResourcePolicy", ResourceArn=ARN) == expected


def test_the_same_policy_is_no_change_and_another_one_is_possible_after_15_seconds(slow_table):
    revision = put(slow_table)
    slow_table.clock.advance(15)

    assert put(slow_table, policy("dynamodb:PutItem")) > revision


def test_a_stale_revision_is_told_before_the_cool_down(slow_table):
    assert slow_table.refused("DeleteResourcePolicy", ResourceArn=ARN, ExpectedRevisionId="1").startswith(NOT_FOUND)


def test_a_deletion_is_a_change_too(slow_table):
    slow_table.clock.advance(15)
    slow_table.call("DeleteResourcePolicy", ResourceArn=ARN)

    assert slow_table.refused("PutResourcePolicy", ResourceArn=ARN, Policy=policy()) == PENDING


def test_a_table_is_not_deleted_while_its_policy_is_being_changed(slow_table):
    assert slow_table.refused("DeleteTable", TableName="tab1") == (
        "ResourceInUseException: Attempt to change a resource which is still in use: "
        "Table: tab1 has a pending resource-based policy update."
    )
    slow_table.clock.advance(2)
    slow_table.call("DeleteTable", TableName="tab1")


def test_a_table_that_is_being_created_has_no_policy_yet(account):
    account.limits(lifecycle="realistic")
    account.create("tab1")

    assert account.refused("GetResourcePolicy", ResourceArn=ARN) == f"{MISSING}Table: tab1 not found"
