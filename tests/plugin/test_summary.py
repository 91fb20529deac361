"""The section at the end of a run: only where something was throttled, never under -q, and once under xdist."""

from __future__ import annotations

import re

import pytest

SOURCE = """
    import pytest

    @pytest.mark.ddb_throttle(table="orders", write_capacity_units=1)
    @pytest.mark.parametrize("rows", [1, 3])
    def test_import(ddb_fake, ddb_client, rows):
        ddb_fake.create_table("orders")
        for row in range(rows):
            try:
                ddb_client.put_item(TableName="orders", Item={"pk": {"S": str(row)}})
            except ddb_client.exceptions.ClientError:
                ddb_fake.clock.advance(1)

    def test_leftovers(ddb_fake, ddb_client):
        ddb_fake.create_table("orders")
        ddb_fake.inject(leftover=2)
        entries = [{"PutRequest": {"Item": {"pk": {"S": key}}}} for key in "abc"]
        ddb_client.batch_write_item(RequestItems={"orders": entries})
"""
SECTION = [
    "test_file.py::test_import[3]: 1 of 3 calls throttled, 1 s",
    "  1 x TableWriteProvisionedThroughputExceeded on orders",
    "test_file.py::test_leftovers: 1 of 1 call throttled, 2 left over, 0 s",
]


def section(result: pytest.RunResult) -> list[str]:
    """Give the lines of the section, the file's name made a fixed one; nothing where there is none."""
    lines = result.stdout.lines
    heads = [place for place, line in enumerate(lines) if re.fullmatch("=+ DynamoDB throttling =+", line)]
    assert len(heads) <= 1
    if not heads:
        return []
    end = next(place for place, line in enumerate(lines) if place > heads[0] and line.startswith("==="))
    return [re.sub(r"^\w+\.py", "test_file.py", line) for line in lines[heads[0] + 1 : end] if line]


def test_the_tests_that_were_throttled_are_told(run):
    result = run(SOURCE)

    result.assert_outcomes(passed=3)
    assert section(result) == SECTION


@pytest.mark.parametrize("argument", ["-q", "--ddb-summary=off", "-oddb_summary=off"])
def test_the_section_can_be_left_out(run, argument):
    result = run(SOURCE, argument)

    assert result.ret == 0
    assert section(result) == []


def test_there_is_no_section_where_nothing_was_throttled(run):
    result = run(
        """
        def test_put(ddb_fake, ddb_client):
            ddb_fake.create_table("orders")
            ddb_client.put_item(TableName="orders", Item={"pk": {"S": "a"}})
        """
    )

    assert section(result) == []


def test_a_test_that_failed_is_told_as_well(run):
    result = run(SOURCE + "        assert ddb_fake.leftovers == []\n")

    result.assert_outcomes(passed=2, failed=1)
    assert section(result) == SECTION


@pytest.mark.parametrize(("fixture", "name"), [("module_ddb_fake", "test_file.py"), ("session_ddb_fake",) * 2])
def test_a_fake_of_a_module_or_a_session_is_told_once(run, fixture, name):
    result = run(
        """
        import pytest

        @pytest.mark.parametrize("n", [1, 2])
        def test_put(FAKE, ddb_client, n):
            if n == 1:
                FAKE.create_table("orders", write_capacity_units=1)
            for _ in range(2):
                try:
                    ddb_client.put_item(TableName="orders", Item={"pk": {"S": "a"}})
                except ddb_client.exceptions.ClientError:
                    FAKE.clock.advance(1)
        """.replace("FAKE", fixture)
    )

    result.assert_outcomes(passed=2)
    assert section(result) == [
        f"{name}: 2 of 4 calls throttled, 2 s",
        "  2 x TableWriteProvisionedThroughputExceeded on orders",
    ]


def test_under_xdist_the_controller_tells_it_once(run_apart):
    pytest.importorskip("xdist")

    result = run_apart(SOURCE, "-n", "2")

    result.assert_outcomes(passed=3)
    assert section(result) == SECTION
