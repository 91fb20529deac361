"""A test that the engine has to end: shown as its failure, with the message, and the next test runs."""

from __future__ import annotations


def failure(result):
    return [line[1:].strip() for line in result.stdout.lines if line.startswith("E  ")]


def test_a_livelock_is_the_failure_of_its_test(run):
    result = run(
        """
        import pytest

        @pytest.mark.ddb_throttle(table="orders", write_capacity_units=1)
        def test_endless(ddb_fake, ddb_client):
            ddb_fake.create_table("orders")
            for _ in range(200):
                try:
                    ddb_client.put_item(TableName="orders", Item={"pk": {"S": "1"}})
                except Exception:
                    pass

        def test_next(ddb_fake): pass
        """,
        "-o",
        "ddb_livelock_limit=20",
    )

    result.assert_outcomes(passed=1, failed=1)
    assert "INTERNALERROR" not in result.stdout.str()
    assert failure(result) == [
        (
            "pytest_ddbthrottle._engine.errors.Livelock: 20 calls in a row were refused or left entries over at the same "
            "virtual instant, 0 s: the last was PutItem on orders (TableWriteProvisionedThroughputExceeded)."
        ),
        (
            "Nothing between them moves the clock, so no capacity comes back: the code under test re-sends without "
            "sleeping, as boto3's batch_writer does with leftovers."
        ),
        "Let it back off, give the table more capacity, or raise ddb_livelock_limit; docs/how-to/livelock.md",
    ]


def test_a_reason_that_the_billing_mode_can_not_give_is_the_failure_of_its_test(run):
    result = run(
        """
        import pytest

        @pytest.mark.ddb_inject(operation="PutItem", reason="TableWriteProvisionedThroughputExceeded")
        def test_contradiction(ddb_fake, ddb_client):
            ddb_fake.create_table("orders")
            ddb_client.put_item(TableName="orders", Item={"pk": {"S": "1"}})

        def test_next(ddb_fake): pass
        """
    )

    result.assert_outcomes(passed=1, failed=1)
    assert "INTERNALERROR" not in result.stdout.str()
    assert failure(result)[0].startswith("pytest_ddbthrottle._engine.errors.Contradiction: ")
    assert "PAY_PER_REQUEST" in failure(result)[0]


def test_an_interruption_shows_the_test_s_own_line_and_no_frame_of_the_sdk(run):
    result = run(
        """
        import pytest

        @pytest.mark.ddb_inject(operation="PutItem", reason="TableWriteProvisionedThroughputExceeded")
        def test_contradiction(ddb_fake, ddb_client):
            ddb_fake.create_table("orders")
            ddb_client.put_item(TableName="orders", Item={"pk": {"S": "1"}})
        """
    )

    said = result.stdout.str()

    assert '>       ddb_client.put_item(TableName="orders"' in said
    assert "site-packages" not in said
