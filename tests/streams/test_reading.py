"""Shard iterators, pages, ages: a stream as a poller reads it."""

from __future__ import annotations

import pytest

START_SECONDS = 1_767_225_600
DAY_SECONDS = 86_400
V = "ValidationException: "
R = "ResourceNotFoundException: Requested resource not found: "
TRIMMED = "TrimmedDataAccessException: The data you are trying to access has been trimmed"
EXPIRED = (
    "ExpiredIteratorException: The shard iterator has expired and can no longer be used to retrieve stream records. "
    "A shard iterator expires 15 minutes after it is retrieved using the GetShardIterator action."
)
ABSENT = "arn:aws:dynamodb:us-west-2:123456789012:table/tab1/stream/2000-01-01T00:00:00.000"


def too_long(limit, most, member="limit"):
    return (
        f"{V}1 validation error detected: Value '{limit}' at '{member}' failed to satisfy constraint: "
        f"Member must have value less than or equal to {most}"
    )


# ------------------------------------------------------------------------------------------------- where reading begins


def test_an_iterator_begins_at_the_oldest_or_after_the_latest(streamed):
    streamed.put("a", "b")
    oldest, latest = streamed.iterator("TRIM_HORIZON"), streamed.iterator("LATEST")
    streamed.put("c")

    assert streamed.keys(oldest) == ["a", "b", "c"]
    assert streamed.keys(latest) == ["c"]


def test_an_iterator_begins_at_or_after_a_sequence_number(streamed):
    streamed.put("a", "b", "c")
    number = streamed.numbers()[1]

    assert streamed.keys(streamed.iterator("AT_SEQUENCE_NUMBER", SequenceNumber=number)) == ["b", "c"]
    assert streamed.keys(streamed.iterator("AFTER_SEQUENCE_NUMBER", SequenceNumber=number)) == ["c"]


@pytest.mark.parametrize("kind", ["AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"])
def test_the_starting_number_of_an_empty_shard_is_its_beginning(streamed, kind):
    number = streamed.describe()["Shards"][0]["SequenceNumberRange"]["StartingSequenceNumber"]

    iterator = streamed.iterator(kind, SequenceNumber=number)
    streamed.put("a")

    assert streamed.keys(iterator) == ["a"]


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(-1, ["a", "b", "c"]), (0, ["a", "b", "c"]), (0.001, ["b", "c"]), (1, ["b", "c"]), (1.5, ["c"]), (2.5, [])],
)
def test_an_iterator_begins_at_a_timestamp_of_whole_seconds(streamed, seconds, expected):
    streamed.put("a")
    streamed.clock.advance(1.5)
    streamed.put("b")
    streamed.clock.advance(1)
    streamed.put("c")

    iterator = streamed.iterator("AT_TIMESTAMP", Timestamp=START_SECONDS + seconds)

    assert streamed.keys(iterator) == expected


BAD_PLACES = [
    ("AT_SEQUENCE_NUMBER", {}, f"{V}SequenceNumber is required for ShardIteratorType AT_SEQUENCE_NUMBER"),
    ("AT_TIMESTAMP", {}, f"{V}Timestamp is required for ShardIteratorType AT_TIMESTAMP"),
    (
        "LATEST",
        {"SequenceNumber": "1" * 21},
        f"{V}SequenceNumber can not be specified for ShardIteratorType LATEST",
    ),
    ("TRIM_HORIZON", {"Timestamp": 1}, f"{V}Timestamp can not be specified for ShardIteratorType TRIM_HORIZON"),
    ("AT_TIMESTAMP", {"Timestamp": START_SECONDS + 1}, f"{V}Timestamp can not be in the future"),
    ("AT_SEQUENCE_NUMBER", {"SequenceNumber": "x" * 21}, f"{V}Invalid SequenceNumber"),
    ("AT_SEQUENCE_NUMBER", {"SequenceNumber": "1" * 21}, f"{V}Invalid SequenceNumber"),
    ("AFTER_SEQUENCE_NUMBER", {"SequenceNumber": "1767225600000000000001"}, f"{V}Invalid SequenceNumber"),
    ("LATEST", {"StreamArn": ABSENT}, f"{R}Stream: {ABSENT} not found"),
    ("LATEST", {"StreamArn": "x" * 40}, f"{V}Invalid StreamArn"),
    ("LATEST", {"ShardId": "shardId-00000000000000000001-00000000"}, f"{R}Shard does not exist"),
    (
        "NEVER",
        {},
        f"{V}1 validation error detected: Value 'NEVER' at 'shardIteratorType' failed to satisfy constraint: Member must "
        "satisfy enum value set: [AT_SEQUENCE_NUMBER, AFTER_SEQUENCE_NUMBER, TRIM_HORIZON, LATEST, AT_TIMESTAMP]",
    ),
]


@pytest.mark.parametrize(("kind", "more", "expected"), BAD_PLACES)
def test_a_place_that_is_none_is_refused(streamed, kind, more, expected):
    streamed.put("a")

    assert streamed.refused("GetShardIterator", **streamed.place(kind, **more)) == expected


# ------------------------------------------------------------------------------------------------- pages


def test_a_poller_reads_every_record_once_and_goes_on(streamed):
    streamed.put(*"abcde")
    found, iterator = [], streamed.iterator()
    for _ in range(4):
        reply = streamed.call("GetRecords", ShardIterator=iterator, Limit=2)
        found.append([record["dynamodb"]["Keys"]["pk"]["S"] for record in reply["Records"]])
        iterator = reply["NextShardIterator"]
    streamed.put("f")

    assert found == [["a", "b"], ["c", "d"], ["e"], []]
    assert streamed.keys(iterator) == ["f"]


def test_a_page_has_1000_records(streamed):
    batches = [
        [{"PutRequest": {"Item": {"pk": {"S": f"{batch}-{entry}"}}}} for entry in range(25)] for batch in range(41)
    ]
    for batch in batches:
        streamed.call("BatchWriteItem", RequestItems={"tab1": batch})

    reply = streamed.call("GetRecords", ShardIterator=streamed.iterator())

    assert len(reply["Records"]) == 1000
    assert len(streamed.records(reply["NextShardIterator"])) == 25


def test_a_page_has_1_mb(streamed):
    # Key 3, image 3 + 1 + 262,137: four of them are 1 MB to the byte.
    streamed.put(*"abcde", d={"S": "x" * (262_144 - 7)})

    reply = streamed.call("GetRecords", ShardIterator=streamed.iterator())

    assert sum(record["dynamodb"]["SizeBytes"] for record in reply["Records"]) == 1024 * 1024
    assert streamed.keys(reply["NextShardIterator"]) == ["e"]


@pytest.mark.parametrize(("operation", "most"), [("GetRecords", 1000), ("DescribeStream", 100), ("ListStreams", 100)])
def test_a_page_is_bounded(streamed, operation, most):
    named = {"GetRecords": {"ShardIterator": streamed.iterator()}, "DescribeStream": {"StreamArn": streamed.arn}}
    request = named.get(operation, {})

    streamed.call(operation, **request, Limit=most)

    assert streamed.refused(operation, **request, Limit=most + 1) == too_long(most + 1, most)


def test_a_shard_is_read_5_times_a_second(streamed):
    streamed.put("a")
    iterator = streamed.iterator()
    for _ in range(5):
        streamed.records(iterator)

    assert streamed.refused("GetRecords", ShardIterator=iterator) == "ThrottlingException: Rate exceeded"
    streamed.clock.advance(0.2)
    streamed.records(iterator)


def test_how_often_a_shard_is_read_is_a_setting(streamed):
    streamed.limits(get_records_per_second=1)
    iterator = streamed.iterator()
    streamed.records(iterator)
    streamed.clock.advance(0.9)

    assert streamed.refused("GetRecords", ShardIterator=iterator) == "ThrottlingException: Rate exceeded"
    streamed.limits(get_records_per_second=0)
    streamed.clock.advance(10)
    assert streamed.refused("GetRecords", ShardIterator=iterator) == "ThrottlingException: Rate exceeded"


def test_a_store_that_never_throttles_reads_a_shard_at_any_rate(streamed):
    streamed.engine.throttling = False
    iterator = streamed.iterator()

    assert [streamed.records(iterator) for _ in range(20)] == [[]] * 20


# ------------------------------------------------------------------------------------------------- ages


def test_an_iterator_is_good_for_15_minutes(streamed):
    streamed.put("a")
    iterator = streamed.iterator()

    streamed.clock.advance(900)
    assert streamed.keys(iterator) == ["a"]
    streamed.clock.advance(0.001)
    assert streamed.refused("GetRecords", ShardIterator=iterator) == EXPIRED


def test_each_page_gives_a_fresh_iterator(streamed):
    iterator = streamed.iterator()
    for _ in range(3):
        streamed.clock.advance(900)
        iterator = streamed.call("GetRecords", ShardIterator=iterator)["NextShardIterator"]

    streamed.put("a")
    assert streamed.keys(iterator) == ["a"]


def test_a_record_is_trimmed_after_24_hours(streamed):
    streamed.put("a")
    streamed.clock.advance(10)
    streamed.put("b")

    streamed.clock.advance(DAY_SECONDS - 10 - 0.001)
    assert streamed.keys() == ["a", "b"]
    streamed.clock.advance(0.001)
    assert streamed.keys() == ["b"]
    streamed.clock.advance(10)
    assert streamed.keys() == []


@pytest.mark.parametrize("kind", ["AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"])
def test_the_sequence_number_of_a_trimmed_record_is_refused(streamed, kind):
    streamed.put("a")
    number = streamed.numbers()[0]
    streamed.clock.advance(DAY_SECONDS)
    streamed.put("b")

    assert streamed.refused("GetShardIterator", **streamed.place(kind, SequenceNumber=number)) == TRIMMED


def test_an_iterator_whose_record_is_trimmed_meanwhile_is_refused(streamed):
    streamed.put("a")
    streamed.clock.advance(DAY_SECONDS - 1)
    iterator = streamed.iterator()

    streamed.clock.advance(1)

    assert streamed.refused("GetRecords", ShardIterator=iterator) == TRIMMED


def test_a_timestamp_before_the_oldest_record_begins_at_the_oldest(streamed):
    streamed.put("a")
    streamed.clock.advance(DAY_SECONDS)
    streamed.put("b")

    assert streamed.keys(streamed.iterator("AT_TIMESTAMP", Timestamp=START_SECONDS)) == ["b"]


BAD_ITERATORS = [
    ("x", f"{V}Invalid ShardIterator"),
    (f"{ABSENT}|1|", f"{V}Invalid ShardIterator"),
    (f"{ABSENT}|1|MSAy!", f"{V}Invalid ShardIterator"),
    (f"{ABSENT}|1|LTEgMA==", f"{V}Invalid ShardIterator"),
    (f"{ABSENT}|1|MCAwIDA=", f"{V}Invalid ShardIterator"),
    ("shards|1|MCAw", f"{V}Invalid ShardIterator"),
    (f"{ABSENT}|1|MCAxNzY3MjI1NjAwMDAwMDAwMDAw", f"{R}Stream: {ABSENT} not found"),
    (
        "",
        f"{V}1 validation error detected: Value '' at 'shardIterator' failed to satisfy constraint: "
        "Member must have length greater than or equal to 1",
    ),
]


@pytest.mark.parametrize(("iterator", "expected"), BAD_ITERATORS)
def test_an_iterator_that_is_none_is_refused(streamed, iterator, expected):
    assert streamed.refused("GetRecords", ShardIterator=iterator) == expected


# ------------------------------------------------------------------------------------------------- streams that ended


def test_a_disabled_stream_is_read_to_its_end(streamed):
    streamed.put("a", "b")
    numbers = streamed.numbers()
    streamed.disable()

    first = streamed.call("GetRecords", ShardIterator=streamed.iterator(), Limit=1)
    last = streamed.call("GetRecords", ShardIterator=first["NextShardIterator"])

    assert [record["dynamodb"]["SequenceNumber"] for record in first["Records"] + last["Records"]] == numbers
    assert "NextShardIterator" not in last
    assert streamed.describe()["Shards"][0]["SequenceNumberRange"] == {
        "StartingSequenceNumber": numbers[0],
        "EndingSequenceNumber": numbers[-1],
    }


@pytest.mark.parametrize("ends", ["disabled", "deleted"])
def test_a_stream_that_ended_is_there_for_24_hours(streamed, ends):
    streamed.clock.advance(60)
    streamed.put("a")
    if ends == "disabled":
        streamed.disable()
    else:
        streamed.call("DeleteTable", TableName="tab1")

    streamed.clock.advance(DAY_SECONDS - 0.001)
    assert streamed.describe()["StreamStatus"] == "DISABLED"
    assert streamed.keys() == ["a"]

    streamed.clock.advance(0.001)
    gone = f"{R}Stream: {streamed.arn} not found"
    assert streamed.refused("DescribeStream", StreamArn=streamed.arn) == gone
    assert streamed.refused("GetShardIterator", **streamed.place()) == gone
    assert streamed.call("ListStreams") == {"Streams": []}


# ------------------------------------------------------------------------------------------------- looking at streams


def test_a_stream_is_described_with_its_one_shard(streamed):
    assert streamed.describe() == {
        "StreamArn": streamed.arn,
        "StreamLabel": "2026-01-01T00:00:00.000",
        "StreamStatus": "ENABLED",
        "StreamViewType": "NEW_AND_OLD_IMAGES",
        "CreationRequestDateTime": START_SECONDS,
        "TableName": "tab1",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "Shards": [
            {
                "ShardId": "shardId-00000001767225600000-" + streamed.shard[-8:],
                "SequenceNumberRange": {"StartingSequenceNumber": "1767225600000000000000"},
            }
        ],
    }


def test_nothing_comes_after_the_one_shard_and_it_has_no_children(streamed):
    child = {"Type": "CHILD_SHARDS", "ShardId": streamed.shard}

    assert streamed.describe(ExclusiveStartShardId=streamed.shard)["Shards"] == []
    assert streamed.describe(ExclusiveStartShardId="z" * 28)["Shards"] == []
    assert streamed.describe(ShardFilter=child)["Shards"] == []


def test_streams_are_listed_in_pages_and_by_table(streamed):
    for name in ("tab2", "tab3"):
        streamed.call(
            "CreateTable",
            TableName=name,
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            BillingMode="PAY_PER_REQUEST",
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
        )

    first = streamed.call("ListStreams", Limit=2)
    second = streamed.call("ListStreams", Limit=2, ExclusiveStartStreamArn=first["LastEvaluatedStreamArn"])

    assert [stream["TableName"] for stream in first["Streams"]] == ["tab1", "tab2"]
    assert [stream["TableName"] for stream in second["Streams"]] == ["tab3"]
    assert "LastEvaluatedStreamArn" not in second
    assert streamed.call("ListStreams", TableName="tab1")["Streams"] == [
        {"StreamArn": streamed.arn, "TableName": "tab1", "StreamLabel": "2026-01-01T00:00:00.000"}
    ]
    assert streamed.call("ListStreams", TableName="absent") == {"Streams": []}


@pytest.mark.parametrize(
    ("operation", "request_", "expected"),
    [
        ("DescribeStream", {"StreamArn": ABSENT}, f"{R}Stream: {ABSENT} not found"),
        ("DescribeStream", {"StreamArn": "x" * 40}, f"{V}Invalid StreamArn"),
        ("ListStreams", {"ExclusiveStartStreamArn": "x" * 40}, f"{V}Invalid StreamArn"),
        (
            "GetResourcePolicy",
            {"ResourceArn": "arn:aws:dynamodb:us-west-2:123456789012:table/tab1/stream/2026-01-01T00:00:00.000"},
            f"{V}Policies of streams are not modelled by pytest-ddbthrottle yet; see docs/unsupported.md",
        ),
    ],
)
def test_what_is_no_stream_is_refused(streamed, operation, request_, expected):
    assert streamed.refused(operation, **request_) == expected


def test_a_snapshot_has_the_streams(streamed):
    streamed.put("a")
    streamed.call("DeleteTable", TableName="tab1")
    before = streamed.engine.snapshot()
    iterator = streamed.iterator()
    streamed.clock.advance(2 * DAY_SECONDS)
    assert streamed.call("ListStreams") == {"Streams": []}

    streamed.engine.restore(before)

    assert streamed.keys(iterator) == ["a"]


def test_what_is_written_after_a_snapshot_is_not_in_it(streamed):
    streamed.put("a")
    before = streamed.engine.snapshot()
    streamed.put("b")

    streamed.engine.restore(before)
    assert streamed.keys() == ["a"]
    streamed.put("c")
    streamed.engine.restore(before)

    assert streamed.keys() == ["a"]
