"""Statements are refused, scripted, recorded and found lost as the item operations are; boto3 in, boto3 out."""

from __future__ import annotations

import pytest
from botocore.exceptions import ClientError

from pytest_ddbthrottle import assert_throttled

T1 = (
    "The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning "
    "level with the UpdateTable API."
)
UPDATE = "UPDATE orders SET n = 1 WHERE pk = 'a'"


@pytest.fixture
def small(ddb_fake, ddb_client):
    """A table of one unit each way, and an item in it."""
    ddb_fake.create_table(
        "orders", indexes={"by_n": "n:N"}, billing_mode="PROVISIONED", read_capacity_units=1, write_capacity_units=1
    )
    ddb_fake.table("orders").load([{"pk": "a"}, {"pk": "b"}])
    return ddb_client


def refused(call, **request):
    with pytest.raises(ClientError) as caught:
        call(**request)
    return caught.value


STATEMENTS = {
    "SELECT": ("SELECT * FROM orders WHERE pk = 'a'", "read", None),
    "SELECT of all": ("SELECT * FROM orders", "read", None),
    "SELECT of an index": ("SELECT * FROM orders.by_n WHERE n = 1", "read", "by_n"),
    "INSERT": ("INSERT INTO orders VALUE {'pk': 'c'}", "write", None),
    "UPDATE": ("UPDATE orders SET x = 1 WHERE pk = 'a'", "write", None),
    "UPDATE of an index": (UPDATE, "write", "by_n"),
    "DELETE": ("DELETE FROM orders WHERE pk = 'a'", "write", None),
}


@pytest.mark.parametrize(("statement", "direction", "index"), STATEMENTS.values(), ids=list(STATEMENTS))
def test_a_statement_is_refused_for_what_it_consumes(small, ddb_fake, statement, direction, index):
    table = ddb_fake.table("orders")
    table.drain(direction, index)

    error = refused(small.execute_statement, Statement=statement)

    assert_throttled(
        error,
        error="ProvisionedThroughputExceededException",
        reason=f"{'Table' if index is None else 'Index'}{direction.title()}ProvisionedThroughputExceeded",
        resource=table.arn if index is None else f"{table.arn}/index/{index}",
    )
    assert sorted(item["pk"]["S"] for item in table.items()) == ["a", "b"]


def test_a_statement_passes_once_capacity_is_back(small, ddb_fake, ddb_clock):
    ddb_fake.table("orders").drain("write")
    refused(small.execute_statement, Statement="DELETE FROM orders WHERE pk = 'a'")
    ddb_clock.advance(1)

    small.execute_statement(Statement="DELETE FROM orders WHERE pk = 'a'")

    assert ddb_fake.table("orders").item_count == 1
    ddb_fake.assert_nothing_lost()


def test_a_throttled_statement_of_a_batch_answers_in_its_place(small, ddb_fake):
    small.put_item(TableName="orders", Item={"pk": {"S": "z"}})

    reply = small.batch_execute_statement(
        Statements=[{"Statement": UPDATE}, {"Statement": "INSERT INTO absent VALUE {'pk': 'a'}"}]
    )

    assert reply["Responses"][0] == {
        "Error": {"Code": "ProvisionedThroughputExceeded", "Message": T1},
        "TableName": "orders",
    }
    assert reply["Responses"][1]["Error"]["Code"] == "ResourceNotFound"
    assert ddb_fake.calls[-1].throttled


def test_a_statement_of_a_batch_that_is_not_sent_again_is_lost(small, ddb_fake, ddb_clock):
    small.put_item(TableName="orders", Item={"pk": {"S": "z"}})
    members = [{"Statement": "UPDATE orders SET x = ? WHERE pk = 'a'", "Parameters": [{"N": "1"}]}]
    small.batch_execute_statement(Statements=members)

    assert [(leftover.table, leftover.entry) for leftover in ddb_fake.leftovers] == [("orders", members[0])]
    with pytest.raises(AssertionError, match="pk"):
        ddb_fake.assert_nothing_lost()
    ddb_clock.advance(1)
    small.batch_execute_statement(Statements=members)
    ddb_fake.assert_nothing_lost()


def test_a_member_that_cannot_be_read_hides_no_other(small, ddb_fake, ddb_clock):
    small.put_item(TableName="orders", Item={"pk": {"S": "z"}})
    small.batch_execute_statement(Statements=[{"Statement": UPDATE}])
    ddb_clock.advance(2)

    small.batch_execute_statement(
        Statements=[{"Statement": "SLECT"}, {"Statement": "UPDATE orders SET n = 1"}, {"Statement": UPDATE}]
    )

    ddb_fake.assert_nothing_lost()


def test_a_write_that_a_statement_made_again_is_not_lost(small, ddb_fake, ddb_clock):
    ddb_fake.table("orders").drain("write")
    refused(small.delete_item, TableName="orders", Key={"pk": {"S": "a"}})
    ddb_clock.advance(1)

    small.execute_statement(Statement="DELETE FROM orders WHERE ? = pk", Parameters=[{"S": "a"}])

    ddb_fake.assert_nothing_lost()


def test_a_transaction_is_cancelled_with_a_reason_in_the_statements_place(small, ddb_fake):
    ddb_fake.create_table("roomy")
    ddb_fake.table("orders").drain("write")

    error = refused(
        small.execute_transaction,
        TransactStatements=[{"Statement": "INSERT INTO roomy VALUE {'pk': 'a'}"}, {"Statement": UPDATE}],
    )

    assert error.response["Error"]["Code"] == "TransactionCanceledException"
    assert error.response["CancellationReasons"] == [
        {"Code": "None"},
        {"Code": "ProvisionedThroughputExceeded", "Message": T1},
    ]
    assert ddb_fake.table("roomy").item_count == 0


@pytest.mark.ddb_inject(
    operation="ExecuteStatement", table="orders", reason="TableWriteProvisionedThroughputExceeded", times=1
)
def test_a_rule_of_the_test_refuses_the_statements_of_its_table(small, ddb_fake):
    ddb_fake.create_table("other")
    small.execute_statement(Statement="INSERT INTO other VALUE {'pk': 'a'}")
    small.execute_statement(Statement="SELECT * FROM orders WHERE pk = 'a'")

    error = refused(small.execute_statement, Statement="UPDATE orders SET x = 1 WHERE pk = 'a'")

    assert_throttled(error, reason="TableWriteProvisionedThroughputExceeded")


@pytest.mark.ddb_inject(error="InternalServerError", table="orders", key="b", times=1)
def test_a_fault_hits_the_statement_that_names_its_key(small):
    small.execute_statement(Statement="SELECT * FROM orders WHERE pk = 'a'")

    error = refused(small.execute_statement, Statement="UPDATE orders SET x = 1 WHERE pk = 'b'")

    assert error.response["Error"]["Code"] == "InternalServerError"


def test_the_journal_knows_table_index_and_units(small, ddb_fake):
    small.execute_statement(Statement="SELECT * FROM orders.by_n WHERE n = 1")
    small.batch_execute_statement(
        Statements=[{"Statement": "SELECT * FROM orders WHERE pk = 'a'", "ConsistentRead": True}]
    )

    of_index, batch = ddb_fake.calls[-2:]

    assert (of_index.operation, of_index.table, of_index.index) == ("ExecuteStatement", "orders", "by_n")
    assert (of_index.consumed_read_units, batch.consumed_read_units) == (0.5, 1.0)
    assert (batch.table, batch.index) == ("orders", None)


def test_a_failed_condition_consumes_what_the_write_would(small, ddb_fake):
    before = ddb_fake.table("orders").balance("write")

    refused(small.execute_statement, Statement="UPDATE orders SET x = 1 WHERE pk = 'absent'")

    assert ddb_fake.table("orders").balance("write") == before - 1


def test_the_accounts_bucket_refuses_by_the_direction_of_the_statement(ddb_fake, ddb_client):
    ddb_fake.create_table("orders")
    ddb_fake.limits(account_write_units_per_second=1)
    ddb_client.execute_statement(Statement="INSERT INTO orders VALUE {'pk': 'a'}")

    error = refused(ddb_client.execute_statement, Statement="INSERT INTO orders VALUE {'pk': 'b'}")

    assert error.response["Error"]["Code"] == "RequestLimitExceeded"
    assert ddb_client.execute_statement(Statement="SELECT * FROM orders WHERE pk = 'a'")["Items"]


def test_a_policy_allows_one_verb_on_one_table(ddb_fake):
    boto3 = pytest.importorskip("boto3")
    ddb_fake.create_table("orders")
    statement = {"Effect": "Allow", "Action": ["dynamodb:PartiQLInsert"], "Resource": ddb_fake.table("orders").arn}
    ddb_fake.policy.put_user_policy("alice", "p", {"Version": "2012-10-17", "Statement": [statement]})
    alice = boto3.client("dynamodb", "us-east-1", **ddb_fake.policy.access_key("alice"))

    alice.execute_statement(Statement="INSERT INTO orders VALUE {'pk': 'a'}")

    for text in ("SELECT * FROM orders", "FROM orders WHERE pk = 'a' SET n = 1", "DELETE FROM orders WHERE pk = 'a'"):
        assert refused(alice.execute_statement, Statement=text).response["Error"]["Code"] == "AccessDeniedException"


def test_a_policy_denies_scans_and_lets_queries_through(ddb_fake):
    boto3 = pytest.importorskip("boto3")
    ddb_fake.create_table("orders")
    reads = {"Effect": "Allow", "Action": "dynamodb:PartiQLSelect", "Resource": "*"}
    scans = {**reads, "Effect": "Deny", "Condition": {"Bool": {"dynamodb:FullTableScan": ["true"]}}}
    ddb_fake.policy.put_user_policy("alice", "p", {"Version": "2012-10-17", "Statement": [reads, scans]})
    alice = boto3.client("dynamodb", "us-east-1", **ddb_fake.policy.access_key("alice"))

    assert alice.execute_statement(Statement="SELECT * FROM orders WHERE pk IN ['a', 'b']")["Items"] == []

    error = refused(alice.execute_statement, Statement="SELECT * FROM orders WHERE pk = 'a' OR n = 1")
    assert error.response["Error"]["Code"] == "AccessDeniedException"
