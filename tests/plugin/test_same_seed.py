"""The same seed gives the same bytes: in another run, another process, another order, another worker."""

from __future__ import annotations

from pathlib import Path

import pytest

SOURCE = """
    from pathlib import Path
    import boto3
    import pytest

    CLIENT = boto3.client(
        "dynamodb", "us-east-1", config=boto3.session.Config(retries={"mode": "standard", "max_attempts": 9})
    )

    def item(number):
        return {"pk": {"S": str(number)}, "status": {"S": f"S{number % 3}"}, "tags": {"SS": ["b", "a", str(number)]}}

    def put_all():
        for number in range(40):
            CLIENT.put_item(TableName="orders", Item=item(number), ReturnConsumedCapacity="INDEXES")

    def put_in_batches():
        left = {"orders": [{"PutRequest": {"Item": item(number)}} for number in range(25)]}
        while left:
            left = CLIENT.batch_write_item(RequestItems=left)["UnprocessedItems"]

    def put_together_and_scan():
        puts = [{"Put": {"TableName": "orders", "Item": item(number)}} for number in range(20)]
        CLIENT.transact_write_items(TransactItems=puts, ReturnConsumedCapacity="TOTAL")
        CLIENT.scan(TableName="orders", IndexName="by_status")

    @pytest.mark.parametrize("scenario", [put_all, put_in_batches, put_together_and_scan])
    @pytest.mark.ddb_throttle(table="orders", read_capacity_units=5, write_capacity_units=3)
    @pytest.mark.ddb_inject(operation="PutItem", error="InternalServerError", rate=0.3, times=100, optional=True)
    def test_journal(ddb_fake, scenario):
        ddb_fake.create_table("orders", indexes={"by_status": "status:S"})
        scenario()
        lines = [f"{call.at_seconds} {call.headers} {call.body}" for call in ddb_fake.calls]
        lines += [repr(sleep) for sleep in ddb_fake.sleeps]
        Path(f"{scenario.__name__}.txt").write_text("\\n".join(lines))
    """
BACKWARDS = """
    def pytest_collection_modifyitems(items):
        items.reverse()
    """


def journals(run, pytester, *arguments: str) -> dict[str, str]:
    run(SOURCE, *arguments).assert_outcomes(passed=3)
    return {path.stem: path.read_text() for path in Path(pytester.path).glob("put_*.txt")}


def test_two_runs_with_one_seed_give_the_same_bytes(run, pytester):
    first = journals(run, pytester, "--ddb-seed=7")

    assert len(first) == 3
    assert "Sleep(" in first["put_all"]
    assert journals(run, pytester, "--ddb-seed=7") == first


def test_another_seed_gives_other_bytes(run, pytester):
    assert journals(run, pytester, "--ddb-seed=7") != journals(run, pytester, "--ddb-seed=8")


def test_another_order_of_the_tests_gives_the_same_bytes(run, pytester):
    forwards = journals(run, pytester)
    pytester.makeconftest(BACKWARDS)

    assert journals(run, pytester) == forwards


def test_another_process_with_another_hash_seed_gives_the_same_bytes(run_apart, pytester, monkeypatch):
    by_hash_seed = []
    for hash_seed in "012":
        monkeypatch.setenv("PYTHONHASHSEED", hash_seed)
        by_hash_seed.append(journals(run_apart, pytester))

    assert by_hash_seed[0] == by_hash_seed[1] == by_hash_seed[2]


def test_workers_of_xdist_give_the_same_bytes(run_apart, pytester):
    pytest.importorskip("xdist")
    alone = journals(run_apart, pytester)

    assert journals(run_apart, pytester, "-n", "2") == alone
