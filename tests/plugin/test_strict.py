"""Strict: a test fails at its end for what the audit finds, and a call that no fake answers fails at once."""

from __future__ import annotations

import pytest

WRITER = """
    import logging
    import boto3
    import pytest

    names = {"aws_access_key_id": "any", "aws_secret_access_key": "any"}
    client = boto3.client("dynamodb", "us-east-1", **names)
    LOG = logging.getLogger(__name__)

    def write(key, table="orders"):
        try:
            client.put_item(TableName=table, Item={"pk": {"S": key}})
        except client.exceptions.ClientError as error:
            LOG.warning("not written: %s", error)

    def refused(fake, *tables):
        for table in tables or ["orders"]:
            fake.create_table(table)
        fake.inject(error="ThrottlingException", times=20, optional=True)
"""
HEAD = "The test passed, but the audit of its calls has"
FOOT = "If that is meant: strict=False on a ddb_throttle; docs/how-to/audit.md#strict"


def guilty(marker: str = "", fixture: str = "ddb_fake", body: str = "write('a')") -> str:
    return f"""{WRITER}
    {marker}
    def test_write({fixture}):
        refused({fixture})
        {body}
"""


def test_what_is_found_is_told_whole(run):
    result = run(guilty("@pytest.mark.ddb_throttle(strict=True)"))

    result.assert_outcomes(passed=1, errors=1)
    said = result.stdout.lines
    start = said.index(HEAD)
    file = "test_what_is_found_is_told_whole.py"
    call = said[start + 3].split()
    assert said[start + 1] == f"1 finding in {call[-4]} calls"
    assert said[start + 2] == f"throttle_swallowed at {file}:11 in write"
    assert call[2:5] == ["PutItem", "orders", "scripted"]
    assert said[start + 4] == (
        f"  ThrottlingException was caught in {file}:11 in write, told to nobody, and not sent again"
    )
    assert said[start + 5] == "  send it again after a while, put it aside, or let the exception through"
    assert said[start + 6] == FOOT


@pytest.mark.parametrize(
    ("marker", "arguments", "errors"),
    [
        ("", [], 0),
        ("", ["-oddb_strict=false"], 0),
        ("", ["-oddb_strict=true"], 1),
        ("@pytest.mark.ddb_throttle(strict=True)", [], 1),
        ("@pytest.mark.ddb_throttle(table='orders', strict=True)", [], 1),
        ("@pytest.mark.ddb_throttle(strict=False)", ["-oddb_strict=true"], 0),
        ("@pytest.mark.ddb_throttle(table='orders', strict=False)", ["-oddb_strict=true"], 0),
        ("@pytest.mark.ddb_throttle(strict=True)\n    @pytest.mark.ddb_throttle(strict=False)", [], 0),
    ],
)
def test_the_closest_word_decides_whether_a_test_is_audited(run, marker, arguments, errors):
    run(guilty(marker), *arguments).assert_outcomes(passed=1, errors=errors)


def test_a_marker_that_names_a_table_speaks_of_no_other(run):
    source = guilty("@pytest.mark.ddb_throttle(table='orders', strict=True)", body="write('a', 'users')")

    run(source.replace("refused(ddb_fake)", "refused(ddb_fake, 'orders', 'users')")).assert_outcomes(passed=1)


def test_an_application_that_does_right_passes(run):
    source = guilty(body="client.put_item(TableName='orders', Item={'pk': {'S': 'a'}})").replace("times=20", "times=1")

    run(source, "-oddb_strict=true").assert_outcomes(passed=1)


def test_a_test_that_failed_is_not_audited(run):
    run(guilty(body="write('a'); assert False"), "-oddb_strict=true").assert_outcomes(failed=1)


def test_an_exception_that_the_test_expects_is_nobodys_fault(run):
    body = """
        with pytest.raises(client.exceptions.ClientError):
            client.put_item(TableName="orders", Item={"pk": {"S": "a"}})
    """

    run(guilty(body=body), "-oddb_strict=true").assert_outcomes(passed=1)


def test_a_test_on_a_wide_fake_is_told_what_it_did_itself(run):
    source = (
        guilty(fixture="module_ddb_fake")
        + """
    def test_again(module_ddb_fake):
        client.describe_table(TableName="orders")
"""
    )

    result = run(source, "-oddb_strict=true")

    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(["*ERROR at teardown of test_write*"])


def test_a_swept_test_has_its_own_report(run):
    source = f"""{WRITER}
    @pytest.mark.ddb_throttle_sweep(check=lambda fake: None)
    def test_write(ddb_fake):
        ddb_fake.create_table("orders")
        write("a")
"""

    run(source, "-oddb_strict=true").assert_outcomes(passed=1)


OUTSIDE = f"""{WRITER}
    def test_outside():
        client.put_item(TableName="orders", Item={{"pk": {{"S": "a"}}}})

    def test_inside(ddb_fake):
        ddb_fake.create_table("orders")
        write("a")
        assert ddb_fake.table("orders").item_count == 1
"""


def test_a_call_without_a_fake_fails_at_once_and_says_where(run):
    result = run(OUTSIDE, "-oddb_strict=true")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*NoFake: PutItem was sent to https://dynamodb.us-east-1.amazonaws.com/ with no fake installed, at "
            "test_a_call_without_a_fake_fails_at_once_and_says_where.py:*",
            "*Let the test use ddb_fake, or set ddb_strict = false; docs/how-to/audit.md#strict",
        ]
    )


def test_a_call_without_a_fake_and_without_credentials_says_so_too(run, monkeypatch):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, "none")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")

    result = run(OUTSIDE.replace("**names", ""), "-oddb_strict=true")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["*NoFake: PutItem was sent to https://dynamodb.us-east-1.amazonaws.com/ with no fake*"]
    )


def test_the_run_after_a_strict_one_is_free_again(run):
    run(OUTSIDE, "-oddb_strict=true").assert_outcomes(passed=1, failed=1)

    from botocore.endpoint import Endpoint

    assert "no_fake" not in Endpoint._send.__code__.co_filename


def test_a_stubbed_client_is_nobodys_business(run):
    source = f"""{WRITER}
    def test_stubbed():
        from botocore.stub import Stubber
        with Stubber(client) as stubber:
            stubber.add_response("put_item", {{}})
            client.put_item(TableName="orders", Item={{"pk": {{"S": "a"}}}})
"""

    run(source, "-oddb_strict=true").assert_outcomes(passed=1)


@pytest.mark.parametrize("text", ["yes", "1"])
def test_a_wrong_word_is_told_what_is_allowed(run, text):
    result = run("", f"-oddb_strict={text}")

    assert f"ddb_strict = '{text}': allowed is true or false" in result.stderr.str()
