"""BatchExecuteStatement: each statement by itself, with its own response or error."""

from __future__ import annotations

import pytest

VALIDATION = "ValidationError"
NO_KEY = "Select statements within BatchExecuteStatement must specify the primary key in the where clause."


@pytest.fixture
def filled(account):
    account.fill({"one": [{"pk": "a", "n": 1}, {"pk": "b", "n": 2}], "two": [{"pk": "p", "sk": 1, "g": "x"}]})
    return account


def run(account, *statements, **request):
    return account.reply(
        "BatchExecuteStatement", {"Statements": [{"Statement": text} for text in statements], **request}
    )


def error(code, message, **members):
    return {"Error": {"Code": code, "Message": message}, **members}


def test_reads_answer_in_their_order(filled):
    reply = run(
        filled,
        "SELECT n FROM one WHERE pk = 'b'",
        "SELECT * FROM one WHERE pk = 'z'",
        "SELECT n FROM one WHERE pk = 'a'",
    )

    assert reply["Responses"] == [
        {"TableName": "one", "Item": {"n": {"N": "2"}}},
        {"TableName": "one"},
        {"TableName": "one", "Item": {"n": {"N": "1"}}},
    ]


def test_writes_are_done_and_return_what_they_are_asked_for(filled):
    reply = run(
        filled,
        "INSERT INTO one VALUE {'pk': 'c'}",
        "UPDATE one SET n = 9 WHERE pk = 'a' RETURNING MODIFIED NEW *",
        "DELETE FROM one WHERE pk = 'b' RETURNING ALL OLD *",
        "UPDATE two REMOVE g WHERE pk = 'p' AND sk = 1 RETURNING MODIFIED NEW *",
    )

    assert reply["Responses"] == [
        {"TableName": "one"},
        {"TableName": "one", "Item": {"n": {"N": "9"}}},
        {"TableName": "one", "Item": {"pk": {"S": "b"}, "n": {"N": "2"}}},
        {"TableName": "two"},
    ]
    assert filled.contents("one") == [{"pk": {"S": "a"}, "n": {"N": "9"}}, {"pk": {"S": "c"}}]


FAULTS = {
    "SLECT": (
        "SLECT *",
        error(VALIDATION, "Statement wasn't well formed, can't be processed: Expected data manipulation"),
    ),
    "no table": ("DELETE FROM absent WHERE pk = 'a'", error("ResourceNotFound", "Requested resource not found")),
    "duplicate": (
        "INSERT INTO one VALUE {'pk': 'a'}",
        error("DuplicateItem", "Duplicate primary key exists in table", TableName="one"),
    ),
    "condition": (
        "UPDATE one SET n = 2 WHERE pk = 'a' AND n = 7",
        error("ConditionalCheckFailed", "The conditional request failed", TableName="one"),
    ),
    "returning": (
        "DELETE FROM one WHERE pk = 'a' RETURNING MODIFIED OLD *",
        error(
            VALIDATION,
            "Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements.",
        ),
    ),
    "exists": (
        "EXISTS(SELECT * FROM one WHERE pk = 'a' AND n = 1)",
        error(VALIDATION, "EXISTS can only be used in ExecuteTransaction write requests."),
    ),
    "an operand of another type": (
        "UPDATE one SET n = pk + 1 WHERE pk = 'a'",
        error(VALIDATION, "An operand in the update expression has an incorrect data type"),
    ),
}


@pytest.mark.parametrize(("statement", "expected"), FAULTS.values(), ids=list(FAULTS))
def test_a_fault_is_told_in_its_statements_place_and_the_others_are_done(filled, statement, expected):
    reply = run(filled, statement, "INSERT INTO one VALUE {'pk': 'c'}")

    assert reply["Responses"] == [expected, {"TableName": "one"}]


KEYLESS = [
    "SELECT * FROM one WHERE n = 1",
    "SELECT * FROM one",
    "SELECT * FROM one WHERE pk = 'a' AND n = 1",
    "SELECT * FROM one WHERE pk IN ['a']",
    "SELECT * FROM one WHERE pk = 'a' AND attribute_exists(n)",
    "SELECT * FROM two WHERE pk = 'p'",
    "SELECT * FROM two.\"gsi-all\" WHERE pk = 'p' AND sk = 1 AND g = 'x'",
]


@pytest.mark.parametrize("statement", KEYLESS)
def test_a_read_names_one_whole_key_and_nothing_besides(filled, statement):
    reply = run(filled, statement, "SELECT n FROM one WHERE pk = 'b'")

    assert reply["Responses"] == [error(VALIDATION, NO_KEY), {"TableName": "one", "Item": {"n": {"N": "2"}}}]


WHOLE = {
    "reads and writes": (
        ["SELECT * FROM one WHERE pk = 'a'", "DELETE FROM one WHERE pk = 'b'"],
        "Read and write requests together in the same batch is not supported.",
    ),
    "an item twice": (
        ["DELETE FROM one WHERE pk = 'a'", "UPDATE one SET n = 1 WHERE pk = 'a'"],
        "Provided list of item keys contains duplicates",
    ),
    "an item read twice": (
        ["SELECT * FROM one WHERE pk = 'a'", "SELECT n FROM one WHERE pk = 'a'"],
        "Provided list of item keys contains duplicates",
    ),
    "26": (
        [f"DELETE FROM one WHERE pk = '{number}'" for number in range(26)],
        "1 validation error detected: Value at 'Statements' failed to satisfy constraint: Member must have length less "
        "than or equal to 25",
    ),
    "none": (
        [],
        "1 validation error detected: Value '[]' at 'statements' failed to satisfy constraint: Member must have length "
        "greater than or equal to 1",
    ),
}


@pytest.mark.parametrize(("statements", "text"), WHOLE.values(), ids=list(WHOLE))
def test_what_is_wrong_with_the_whole_is_told_before_anything_is_done(filled, statements, text):
    before = filled.contents("one")

    outcome = filled.do("BatchExecuteStatement", {"Statements": [{"Statement": each} for each in statements]})

    assert (outcome.error.code, outcome.error.message) == ("ValidationException", text)
    assert filled.contents("one") == before


def test_twenty_five_statements_are_a_batch(filled):
    reply = run(filled, *(f"INSERT INTO one VALUE {{'pk': 'k{number}'}}" for number in range(25)))

    assert reply["Responses"] == [{"TableName": "one"}] * 25


def test_each_member_is_read_as_consistently_as_it_asks(filled):
    statements = [
        {"Statement": "SELECT * FROM one WHERE pk = 'a'", "ConsistentRead": True},
        {"Statement": "SELECT * FROM one WHERE pk = 'b'"},
        {"Statement": "SELECT * FROM two WHERE pk = 'p' AND sk = 1", "ConsistentRead": False},
    ]

    reply = filled.reply("BatchExecuteStatement", {"Statements": statements, "ReturnConsumedCapacity": "TOTAL"})

    assert reply["ConsumedCapacity"] == [
        {"TableName": "one", "CapacityUnits": 1.5},
        {"TableName": "two", "CapacityUnits": 0.5},
    ]


def test_a_failed_statement_adds_to_its_tables_total_and_to_no_arm(filled):
    filled.fill({"one": [{"pk": "big", "t": "x" * 2500}]})

    reply = run(
        filled,
        "INSERT INTO one VALUE {'pk': 'a'}",
        "INSERT INTO one VALUE {'pk': 'big'}",
        "INSERT INTO one VALUE {'pk': 'new'}",
        ReturnConsumedCapacity="INDEXES",
    )

    assert reply["ConsumedCapacity"] == [{"TableName": "one", "CapacityUnits": 5.0, "Table": {"CapacityUnits": 1.0}}]


def test_a_table_whose_statements_all_failed_reports_no_capacity(filled):
    failing = "INSERT INTO one VALUE {'pk': 'a'}"

    alone = run(filled, failing, ReturnConsumedCapacity="TOTAL")
    beside = run(
        filled, failing, "INSERT INTO two VALUE {'pk': 'p', 'sk': 2, 'g': 'y'}", ReturnConsumedCapacity="INDEXES"
    )

    assert "ConsumedCapacity" not in alone
    arms = {"gsi-all": {"CapacityUnits": 1.0}}
    assert beside["ConsumedCapacity"] == [
        {"TableName": "two", "CapacityUnits": 2.0, "Table": {"CapacityUnits": 1.0}, "GlobalSecondaryIndexes": arms}
    ]


@pytest.mark.parametrize("setting", ["ALL_OLD", "NONE"])
def test_a_failed_condition_shows_no_item_whatever_the_member_asks(filled, setting):
    member = {"Statement": "DELETE FROM one WHERE pk = 'a' AND n = 7", "ReturnValuesOnConditionCheckFailure": setting}

    reply = filled.reply("BatchExecuteStatement", {"Statements": [member]})

    assert reply["Responses"] == [error("ConditionalCheckFailed", "The conditional request failed", TableName="one")]


def test_a_parameter_that_is_no_value_is_told_in_its_place(filled):
    member = {"Statement": "UPDATE one SET n = ? WHERE pk = 'a'", "Parameters": [{"SS": []}]}

    reply = filled.reply("BatchExecuteStatement", {"Statements": [member]})

    text = "One or more parameter values were invalid: An string set  may not be empty"
    assert reply["Responses"] == [error(VALIDATION, text)]
