"""The fake as a context manager, where no pytest is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import boto3
import pytest

from pytest_ddbthrottle._fake_dynamodb import FakeDynamoDB

SCRIPT = """
import sys
import boto3
from pytest_ddbthrottle import FakeDynamoDB

client = boto3.client("dynamodb", region_name="eu-west-1")
with FakeDynamoDB(region="eu-west-1") as fake:
    fake.create_table("orders", write_capacity_units=1)
    for number in range(20):
        client.put_item(TableName="orders", Item={"pk": {"S": str(number)}})
    print(fake.table("orders").item_count, len(fake.throttles) > 0, fake.clock.elapsed >= 18)
assert "pytest" not in sys.modules
"""


@pytest.mark.usefixtures("bare_environment")
def test_a_script_uses_it_without_pytest(tmp_path: Path):
    project = str(Path(__file__).parents[2])

    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": project, "HOME": str(tmp_path)},
        check=False,
    )

    assert (done.stdout, done.stderr) == ("20 True True\n", "")


def test_what_it_patched_is_as_it_was_after_the_block():
    import botocore.endpoint

    before = botocore.endpoint.Endpoint._send

    with FakeDynamoDB(clock="sdk"):
        assert botocore.endpoint.Endpoint._send is not before

    assert botocore.endpoint.Endpoint._send is before


def test_an_error_in_the_block_ends_it_as_well():
    import botocore.endpoint

    before = botocore.endpoint.Endpoint._send

    with pytest.raises(RuntimeError, match="mine"), FakeDynamoDB(clock="sdk"):
        raise RuntimeError("mine")

    assert botocore.endpoint.Endpoint._send is before


def test_blocks_nest_and_the_inner_one_answers():
    client = boto3.client("dynamodb", "us-east-1", aws_access_key_id="x", aws_secret_access_key="x")

    with FakeDynamoDB(clock="sdk") as outer, FakeDynamoDB(clock="sdk") as inner:
        client.list_tables()

    assert (len(outer.calls), len(inner.calls)) == (0, 1)
