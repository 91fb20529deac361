"""The same seed gives the same bytes, in another run too."""

from __future__ import annotations

from pathlib import Path

SOURCE = """
    from pathlib import Path
    import boto3
    import pytest

    @pytest.mark.ddb_throttle(table="orders", read_capacity_units=5, write_capacity_units=3)
    @pytest.mark.ddb_inject(operation="PutItem", error="InternalServerError", rate=0.3, times=100)
    def test_journal(ddb_fake):
        ddb_fake.create_table("orders")
        client = boto3.client("dynamodb", config=boto3.session.Config(retries={"mode": "standard", "max_attempts": 9}))
        for number in range(60):
            client.put_item(TableName="orders", Item={"pk": {"S": str(number)}}, ReturnConsumedCapacity="TOTAL")
        lines = [f"{call.at_seconds} {call.headers} {call.body}" for call in ddb_fake.calls]
        lines += [repr(sleep) for sleep in ddb_fake.sleeps]
        assert ddb_fake.throttles
        Path("journal.txt").write_text("\\n".join(lines))
    """


def journal(run, pytester, *arguments: str) -> str:
    run(SOURCE, *arguments).assert_outcomes(passed=1)
    return (Path(pytester.path) / "journal.txt").read_text()


def test_two_runs_with_one_seed_give_the_same_bytes(run, pytester):
    assert journal(run, pytester, "--ddb-seed=7") == journal(run, pytester, "--ddb-seed=7")


def test_another_seed_gives_other_bytes(run, pytester):
    assert journal(run, pytester, "--ddb-seed=7") != journal(run, pytester, "--ddb-seed=8")
