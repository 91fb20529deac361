"""Stream records: what each write leaves, and what leaves nothing."""

from __future__ import annotations

import pytest

from pytest_ddbthrottle._engine.errors import ConditionalCheckFailedException, TransactionCanceledException

START_SECONDS = 1_767_225_600
KEY = {"pk": {"S": "a"}}
OLD = {**KEY, "n": {"N": "1"}}
NEW = {**KEY, "n": {"N": "2"}, "tags": {"SS": ["x", "y"]}}


def written(streamed):
    """Insert, modify and remove one item."""
    streamed.call("PutItem", TableName="tab1", Item=OLD)
    streamed.call(
        "UpdateItem",
        TableName="tab1",
        Key=KEY,
        UpdateExpression="SET n = :n, tags = :t",
        ExpressionAttributeValues={":n": NEW["n"], ":t": NEW["tags"]},
    )
    streamed.call("DeleteItem", TableName="tab1", Key=KEY)
    return streamed.records()


def events(streamed):
    return [(record["eventName"], record["dynamodb"]["Keys"]["pk"]["S"]) for record in streamed.records()]


def test_a_record_tells_what_was_written_where_and_when(streamed):
    streamed.clock.advance(2.75)
    streamed.call("PutItem", TableName="tab1", Item=OLD)

    (record,) = streamed.records()

    assert record == {
        "eventID": record["eventID"],
        "eventName": "INSERT",
        "eventVersion": "1.1",
        "eventSource": "aws:dynamodb",
        "awsRegion": "us-west-2",
        "dynamodb": {
            "ApproximateCreationDateTime": START_SECONDS + 2,
            "Keys": KEY,
            "NewImage": OLD,
            "SequenceNumber": "1767225600000000000000",
            "SizeBytes": 3 + 6,
            "StreamViewType": "NEW_AND_OLD_IMAGES",
        },
    }


@pytest.mark.parametrize(
    ("view_type", "images"),
    [
        ("KEYS_ONLY", [{}, {}, {}]),
        ("NEW_IMAGE", [{"NewImage": OLD}, {"NewImage": NEW}, {}]),
        ("OLD_IMAGE", [{}, {"OldImage": OLD}, {"OldImage": NEW}]),
        ("NEW_AND_OLD_IMAGES", [{"NewImage": OLD}, {"NewImage": NEW, "OldImage": OLD}, {"OldImage": NEW}]),
    ],
)
def test_a_view_type_says_which_images_a_record_has(streamed_as, view_type, images):
    records = written(streamed_as(view_type))

    assert [record["eventName"] for record in records] == ["INSERT", "MODIFY", "REMOVE"]
    found = [record["dynamodb"] for record in records]
    assert [{name: part for name, part in each.items() if "Image" in name} for each in found] == images
    assert {each["StreamViewType"] for each in found} == {view_type}
    assert [each["Keys"] for each in found] == [KEY] * 3


def test_the_sizes_are_those_of_the_developer_guides_example(streamed):
    guide = {"pk": {"N": "101"}, "Message": {"S": "New item!"}}
    # The guide's key "Id" is the number 101, of 5 bytes; "pk" and "abc" have as many.
    streamed.put("abc", Message=guide["Message"])
    streamed.put("abc", Message={"S": "This item has changed"})
    streamed.call("DeleteItem", TableName="tab1", Key={"pk": {"S": "abc"}})

    assert [record["dynamodb"]["SizeBytes"] for record in streamed.records()] == [26, 59, 38]


def test_sequence_numbers_rise_and_event_ids_are_apart(streamed):
    streamed.put("a", "b")
    streamed.clock.advance(3600)
    streamed.put("c")

    numbers = streamed.numbers()
    assert numbers == sorted(set(numbers), key=int)
    assert all(21 <= len(number) <= 40 and number.isdecimal() for number in numbers)
    assert len({record["eventID"] for record in streamed.records()}) == 3


NOTHING_CHANGES = {
    "the same item": ("PutItem", {"Item": NEW}),
    "the same item in another order": (
        "PutItem",
        {"Item": {"tags": {"SS": ["y", "x"]}, "n": {"N": "2.0"}, "pk": {"S": "a"}}},
    ),
    "an update to what is there": (
        "UpdateItem",
        {"Key": KEY, "UpdateExpression": "SET n = :n", "ExpressionAttributeValues": {":n": {"N": "2"}}},
    ),
    "an update that adds what the set has": (
        "UpdateItem",
        {"Key": KEY, "UpdateExpression": "ADD tags :t", "ExpressionAttributeValues": {":t": {"SS": ["x"]}}},
    ),
    "an update without an action": ("UpdateItem", {"Key": KEY}),
    "a delete of nothing": ("DeleteItem", {"Key": {"pk": {"S": "absent"}}}),
}


@pytest.mark.parametrize(("operation", "members"), NOTHING_CHANGES.values(), ids=list(NOTHING_CHANGES))
def test_a_write_that_changes_nothing_leaves_no_record(streamed, operation, members):
    streamed.call("PutItem", TableName="tab1", Item=NEW)

    streamed.call(operation, TableName="tab1", **members)

    assert events(streamed) == [("INSERT", "a")]


def test_statements_leave_records_as_other_writes_do(streamed):
    streamed.call("ExecuteStatement", Statement="""INSERT INTO "tab1" VALUE {'pk': 'a', 'n': 1}""")
    streamed.call("ExecuteStatement", Statement="""UPDATE "tab1" SET n = 2 WHERE pk = 'a'""")
    streamed.call("BatchExecuteStatement", Statements=[{"Statement": """DELETE FROM "tab1" WHERE pk = 'a'"""}])
    streamed.call("ExecuteTransaction", TransactStatements=[{"Statement": """INSERT INTO "tab1" VALUE {'pk': 'b'}"""}])

    assert events(streamed) == [("INSERT", "a"), ("MODIFY", "a"), ("REMOVE", "a"), ("INSERT", "b")]


def test_a_refused_write_leaves_no_record(streamed):
    streamed.put("a")

    with pytest.raises(ConditionalCheckFailedException):
        streamed.call("PutItem", TableName="tab1", Item=NEW, ConditionExpression="attribute_not_exists(pk)")

    assert events(streamed) == [("INSERT", "a")]


def test_a_batch_leaves_a_record_for_each_item(streamed):
    streamed.put("a")

    streamed.call(
        "BatchWriteItem",
        RequestItems={
            "tab1": [
                {"PutRequest": {"Item": {"pk": {"S": "b"}}}},
                {"DeleteRequest": {"Key": KEY}},
                {"DeleteRequest": {"Key": {"pk": {"S": "absent"}}}},
            ]
        },
    )

    assert events(streamed) == [("INSERT", "a"), ("INSERT", "b"), ("REMOVE", "a")]


def test_a_transaction_leaves_a_record_for_each_item_and_none_for_a_check_or_a_repetition(streamed):
    streamed.put("a", "c")
    transaction = {
        "TransactItems": [
            {"Put": {"TableName": "tab1", "Item": {"pk": {"S": "b"}}}},
            {
                "ConditionCheck": {
                    "TableName": "tab1",
                    "Key": {"pk": {"S": "c"}},
                    "ConditionExpression": "attribute_exists(pk)",
                }
            },
            {"Delete": {"TableName": "tab1", "Key": KEY}},
        ],
        "ClientRequestToken": "once",
    }
    streamed.call("TransactWriteItems", **transaction)
    streamed.call("TransactWriteItems", **transaction)

    assert events(streamed)[2:] == [("INSERT", "b"), ("REMOVE", "a")]


def test_a_cancelled_transaction_leaves_no_record(streamed):
    cancelled = {
        "TransactItems": [
            {"Put": {"TableName": "tab1", "Item": KEY}},
            {"Delete": {"TableName": "tab1", "Key": {"pk": {"S": "b"}}, "ConditionExpression": "attribute_exists(pk)"}},
        ]
    }

    with pytest.raises(TransactionCanceledException):
        streamed.call("TransactWriteItems", **cancelled)

    assert events(streamed) == []


def test_what_expires_is_removed_by_the_service_at_the_instant_of_the_pass(streamed):
    expiry = {"Enabled": True, "AttributeName": "exp"}
    streamed.call("UpdateTimeToLive", TableName="tab1", TimeToLiveSpecification=expiry)
    streamed.put("late", exp={"N": str(START_SECONDS + 400)})
    streamed.put("b", "a", exp={"N": str(START_SECONDS + 1)})
    streamed.clock.advance(1000)

    *_, first, second, third = streamed.records()

    assert {record["dynamodb"]["Keys"]["pk"]["S"] for record in (first, second)} == {"a", "b"}
    assert third["dynamodb"]["OldImage"] == {"pk": {"S": "late"}, "exp": {"N": str(START_SECONDS + 400)}}
    for record, seconds in ((first, 300), (second, 300), (third, 600)):
        assert record["eventName"] == "REMOVE"
        assert record["userIdentity"] == {"PrincipalId": "dynamodb.amazonaws.com", "Type": "Service"}
        assert record["dynamodb"]["ApproximateCreationDateTime"] == START_SECONDS + seconds


def test_a_delete_of_the_application_has_no_identity(streamed):
    streamed.put("a")
    streamed.call("DeleteItem", TableName="tab1", Key=KEY)

    assert all("userIdentity" not in record for record in streamed.records())


def test_only_what_is_written_while_the_stream_is_enabled_is_recorded(streamed):
    streamed.put("a")
    streamed.disable()
    streamed.put("b")

    assert events(streamed) == [("INSERT", "a")]


def test_a_calendar_that_is_set_back_does_not_set_back_the_stream(streamed):
    streamed.clock.advance(100)
    streamed.put("a")
    streamed.clock.restore(START_SECONDS * 10**9)
    streamed.put("b")

    assert [record["dynamodb"]["ApproximateCreationDateTime"] for record in streamed.records()] == [
        START_SECONDS + 100,
        START_SECONDS + 100,
    ]
