"""ExecuteTransaction: all statements or none, and one instant for all of them."""

from __future__ import annotations

import pytest

CANCELLED = "Transaction cancelled, please refer cancellation reasons for specific reasons [{}]"
NO_KEY = "Select statements within ExecuteTransaction must specify the primary key in the where clause."
CONDITION = {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}


@pytest.fixture
def filled(account):
    account.fill({"one": [{"pk": "a", "n": 1}, {"pk": "b", "n": 2}], "two": [{"pk": "p", "sk": 1, "g": "x"}]})
    return account


def statements(*texts):
    return {"TransactStatements": [{"Statement": text} for text in texts]}


def test_writes_are_done_together(filled):
    request = statements(
        "EXISTS(SELECT * FROM two WHERE pk = 'p' AND sk = 1 AND z IS MISSING)",
        "INSERT INTO one VALUE {'pk': 'c'}",
        "UPDATE one SET n = n + 1 WHERE pk = 'a'",
        "DELETE FROM one WHERE pk = 'b'",
    )

    reply = filled.reply("ExecuteTransaction", {**request, "ReturnConsumedCapacity": "INDEXES"})

    assert filled.contents("one") == [{"pk": {"S": "a"}, "n": {"N": "2"}}, {"pk": {"S": "c"}}]
    units = {"CapacityUnits": 6.0, "WriteCapacityUnits": 6.0}
    check = {"CapacityUnits": 2.0, "WriteCapacityUnits": 2.0}
    assert reply == {
        "Responses": [{}, {}, {}, {}],
        "ConsumedCapacity": [
            {"TableName": "two", **check, "Table": check},
            {"TableName": "one", **units, "Table": units},
        ],
    }


def test_reads_are_made_at_one_instant(filled):
    request = statements(
        "SELECT n FROM one WHERE pk = 'a'",
        "SELECT * FROM one WHERE pk = 'z'",
        "SELECT * FROM two WHERE sk = 1 AND pk = 'p'",
    )

    reply = filled.reply("ExecuteTransaction", {**request, "ReturnConsumedCapacity": "TOTAL"})

    assert reply["Responses"] == [
        {"Item": {"n": {"N": "1"}}},
        {},
        {"Item": {"pk": {"S": "p"}, "sk": {"N": "1"}, "g": {"S": "x"}}},
    ]
    assert reply["ConsumedCapacity"] == [
        {"TableName": "one", "CapacityUnits": 4.0, "ReadCapacityUnits": 4.0},
        {"TableName": "two", "CapacityUnits": 2.0, "ReadCapacityUnits": 2.0},
    ]


REASONS = {
    "a duplicate": (
        ["INSERT INTO one VALUE {'pk': 'a'}", "INSERT INTO one VALUE {'pk': 'c'}"],
        [{"Code": "DuplicateItem", "Message": "Duplicate primary key exists in table"}, {"Code": "None"}],
    ),
    "a false condition": (
        ["DELETE FROM one WHERE pk = 'b'", "UPDATE one SET n = 1 WHERE pk = 'a' AND n = 7"],
        [{"Code": "None"}, CONDITION],
    ),
    "a false check": (
        ["EXISTS(SELECT * FROM one WHERE pk = 'a' AND n IS MISSING)", "DELETE FROM one WHERE pk = 'b'"],
        [CONDITION, {"Code": "None"}],
    ),
    "no item to update": (["UPDATE one SET n = 1 WHERE pk = 'z'"], [CONDITION]),
    "a key of another type": (
        ["SELECT * FROM one WHERE pk = 'a'", "SELECT * FROM one WHERE pk = 'a'", "SELECT * FROM one WHERE pk = 1"],
        [
            {"Code": "None"},
            {"Code": "None"},
            {"Code": "ValidationError", "Message": "The provided key element does not match the schema"},
        ],
    ),
    "an operand of another type": (
        ["UPDATE one SET n = pk + 1 WHERE pk = 'a'", "DELETE FROM one WHERE pk = 'b'"],
        [
            {"Code": "ValidationError", "Message": "An operand in the update expression has an incorrect data type"},
            {"Code": "None"},
        ],
    ),
}


@pytest.mark.parametrize(("texts", "reasons"), REASONS.values(), ids=list(REASONS))
def test_one_fault_cancels_all_and_stands_in_its_place(filled, texts, reasons):
    before = filled.contents("one")

    error = filled.do("ExecuteTransaction", statements(*texts)).error

    assert error.code == "TransactionCanceledException"
    assert error.message == CANCELLED.format(", ".join(reason["Code"] for reason in reasons))
    assert error.members["CancellationReasons"] == reasons
    assert filled.contents("one") == before


def member(place, text):
    return f"Validation failed in TransactStatements[{place}]: {text}"


WHOLE = {
    "malformed": (
        ["DELETE FROM one WHERE pk = 'a'", "SELECT * FROM one WHERE"],
        member(1, "Statement wasn't well formed, can't be processed: Unexpected term"),
    ),
    "returning": (
        ["UPDATE one SET n = 1 WHERE pk = 'a' RETURNING ALL NEW *"],
        member(0, "RETURNING clause is not supported in ExecuteTransaction."),
    ),
    "an index": (
        ["SELECT * FROM two.\"gsi-all\" WHERE g = 'x'"],
        member(0, "Reads on indices are not supported within transactions."),
    ),
    "an index, checked": (
        ["EXISTS(SELECT * FROM two.\"gsi-all\" WHERE g = 'x' AND pk = 'p')"],
        member(0, "Operations on indices are not supported in transactions"),
    ),
    "an index, written": (
        ["UPDATE two.\"gsi-all\" SET z = 1 WHERE pk = 'p' AND sk = 1"],
        member(0, "This operation is not supported on an index"),
    ),
    "no whole key": (["SELECT * FROM two WHERE pk = 'p'"], member(0, NO_KEY)),
    "more than the key": (["SELECT * FROM one WHERE pk = 'a' AND n = 1"], member(0, NO_KEY)),
    "two keys": (["SELECT * FROM one WHERE pk = 'a' AND pk = 'b'"], member(0, NO_KEY)),
    "a check of nothing more": (
        ["DELETE FROM one WHERE pk = 'b'", "EXISTS(SELECT * FROM one WHERE pk = 'a')"],
        member(1, "EXISTS() must contain a single item read with additional condition"),
    ),
    "a set with a member twice": (
        ["INSERT INTO one VALUE {'pk': 'c', 'x': [<<'a', 'a'>>]}"],
        member(0, "One or more parameter values were invalid: Input collection [a, a] contains duplicates."),
    ),
    "reads and writes": (
        ["SELECT * FROM one WHERE pk = 'a'", "DELETE FROM one WHERE pk = 'b'"],
        "ExecuteTransaction API does not support both read and write operations in the same request.",
    ),
    "an item twice": (
        ["UPDATE one SET n = 1 WHERE pk = 'a'", "EXISTS(SELECT * FROM one WHERE pk = 'a' AND n = 1)"],
        "Transaction request cannot include multiple operations on one item",
    ),
    "an item read twice": (
        ["SELECT * FROM one WHERE pk = 'a'", "SELECT n FROM one WHERE pk = 'a'"],
        "Transaction request cannot include multiple operations on one item",
    ),
}


@pytest.mark.parametrize(("texts", "message"), WHOLE.values(), ids=list(WHOLE))
def test_what_is_wrong_with_the_request_is_told_before_anything_is_done(filled, texts, message):
    before = filled.contents("one")

    error = filled.do("ExecuteTransaction", statements(*texts)).error

    assert (error.code, error.message) == ("ValidationException", message)
    assert filled.contents("one") == before


def test_a_key_that_is_named_twice_alike_is_one_key(filled):
    reply = filled.reply("ExecuteTransaction", statements("SELECT n FROM one WHERE (pk = 'a') AND pk = 'a'"))

    assert reply["Responses"] == [{"Item": {"n": {"N": "1"}}}]


def test_a_table_that_is_not_there_fails_the_request(filled):
    error = filled.do("ExecuteTransaction", statements("DELETE FROM absent WHERE pk = 'a'")).error

    assert (error.code, error.message) == ("ResourceNotFoundException", "Requested resource not found")


def test_a_failed_check_shows_the_item_where_it_is_asked_to(filled):
    text = "UPDATE one SET n = 1 WHERE pk = 'a' AND n = 7"
    asked = {"Statement": text, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}

    error = filled.do("ExecuteTransaction", {"TransactStatements": [asked]}).error

    assert error.members["CancellationReasons"] == [{**CONDITION, "Item": {"pk": {"S": "a"}, "n": {"N": "1"}}}]


def test_a_token_that_was_used_repeats_nothing_and_reads_what_was_written(filled):
    request = {
        **statements("UPDATE one SET n = n + 1 WHERE pk = 'a'"),
        "ClientRequestToken": "token",
        "ReturnConsumedCapacity": "INDEXES",
    }

    first = filled.reply("ExecuteTransaction", request)
    again = filled.reply("ExecuteTransaction", request)

    written = {"CapacityUnits": 2.0, "WriteCapacityUnits": 2.0}
    read = {"CapacityUnits": 2.0, "ReadCapacityUnits": 2.0}
    assert filled.contents("one")[0]["n"] == {"N": "2"}
    assert first["ConsumedCapacity"] == [{"TableName": "one", **written, "Table": written}]
    assert again["ConsumedCapacity"] == [{"TableName": "one", **read, "Table": read}]


def test_a_token_is_forgotten_after_ten_minutes(filled):
    request = {**statements("UPDATE one SET n = n + 1 WHERE pk = 'a'"), "ClientRequestToken": "token"}

    for seconds in (0, 599, 1):
        filled.clock.advance(seconds)
        filled.reply("ExecuteTransaction", request)

    assert filled.contents("one")[0]["n"] == {"N": "3"}


def test_a_token_is_not_good_for_other_statements(filled):
    filled.reply("ExecuteTransaction", {**statements("DELETE FROM one WHERE pk = 'a'"), "ClientRequestToken": "token"})

    other = {**statements("DELETE FROM one WHERE pk = 'b'"), "ClientRequestToken": "token"}

    assert filled.do("ExecuteTransaction", other).error.code == "IdempotentParameterMismatchException"


def test_a_token_says_nothing_of_reads(filled):
    request = {**statements("SELECT n FROM one WHERE pk = 'a'"), "ClientRequestToken": "token"}
    filled.reply("ExecuteTransaction", request)
    filled.fill({"one": [{"pk": "a", "n": 8}]})

    reply = filled.reply("ExecuteTransaction", request)

    assert reply["Responses"] == [{"Item": {"n": {"N": "8"}}}]


@pytest.mark.parametrize(("count", "told"), [(100, None), (101, "Member must have length less than or equal to 100")])
def test_a_hundred_statements_are_a_transaction(filled, count, told):
    error = filled.do(
        "ExecuteTransaction", statements(*(f"INSERT INTO one VALUE {{'pk': 'k{n}'}}" for n in range(count)))
    ).error

    assert (error is None) if told is None else told in error.message
