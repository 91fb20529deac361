"""Whatever is written, the stream of new and old images tells it: replayed, it gives the table."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.dynamodb import DynamoDB

REGION = "us-east-1"
START_SECONDS = 1_767_225_600
TABLE = {
    "TableName": "tab1",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "sk", "AttributeType": "N"},
    ],
    "BillingMode": "PAY_PER_REQUEST",
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
}
KEYS = st.builds(lambda pk, sk: {"pk": {"S": pk}, "sk": {"N": sk}}, st.sampled_from("ab"), st.sampled_from("12"))
ITEMS = st.builds(
    lambda key, n, tags, exp: {**key, **n, **tags, **exp},
    KEYS,
    st.sampled_from([{}, {"n": {"N": "1"}}, {"n": {"N": "2"}}]),
    st.sampled_from([{}, {"tags": {"SS": ["x", "y"]}}, {"tags": {"SS": ["y", "x"]}}]),
    st.sampled_from([{}, {"exp": {"N": str(START_SECONDS + 200)}}, {"exp": {"N": str(START_SECONDS + 900)}}]),
)
SET = {
    "TableName": "tab1",
    "UpdateExpression": "SET n = :n REMOVE tags",
    "ExpressionAttributeValues": {":n": {"N": "2"}},
}


def at(member: str, *parts: Any) -> Any:
    """Give requests of one member each, of a table."""
    return st.one_of(parts).map(lambda value: {"TableName": "tab1", member: value})


PUTS, DELETES = at("Item", ITEMS), at("Key", KEYS)
UPDATES = KEYS.map(lambda key: {**SET, "Key": key})
CONDITIONED = PUTS.map(lambda put: {**put, "ConditionExpression": "attribute_not_exists(pk)"})
ENTRIES = st.one_of(
    ITEMS.map(lambda item: {"PutRequest": {"Item": item}}), KEYS.map(lambda key: {"DeleteRequest": {"Key": key}})
)
ACTIONS = st.one_of(
    st.one_of(PUTS, CONDITIONED).map(lambda put: {"Put": put}),
    DELETES.map(lambda delete: {"Delete": delete}),
    UPDATES.map(lambda update: {"Update": update}),
)
STEPS = st.one_of(
    st.tuples(st.just("PutItem"), st.one_of(PUTS, CONDITIONED)),
    st.tuples(st.just("DeleteItem"), DELETES),
    st.tuples(st.just("UpdateItem"), UPDATES),
    st.tuples(
        st.just("BatchWriteItem"),
        st.lists(ENTRIES, min_size=1, max_size=4).map(lambda entries: {"RequestItems": {"tab1": entries}}),
    ),
    st.tuples(
        st.just("TransactWriteItems"),
        st.lists(ACTIONS, min_size=1, max_size=4).map(lambda actions: {"TransactItems": actions}),
    ),
    st.tuples(st.just("wait"), st.sampled_from([100, 250, 700])),
    st.tuples(st.just("snapshot"), st.booleans()),
)


def send(engine: DynamoDB, operation: str, request: Any) -> dict[str, Any]:
    outcome = engine.handle(operation, request, REGION)
    return dict(outcome.reply or {})


def polled(engine: DynamoDB, arn: str) -> list[dict[str, Any]]:
    """Read a stream as AWS documents it: shards, an iterator each, page after page until nothing comes."""
    found = []
    for shard in send(engine, "DescribeStream", {"StreamArn": arn})["StreamDescription"]["Shards"]:
        place = {"StreamArn": arn, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
        iterator = send(engine, "GetShardIterator", place).get("ShardIterator")
        while iterator is not None:
            reply = send(engine, "GetRecords", {"ShardIterator": iterator, "Limit": 3})
            found += reply["Records"]
            iterator = reply["NextShardIterator"] if reply["Records"] else None
    return found


def key_of(keys: dict[str, Any]) -> tuple[str, str]:
    return keys["pk"]["S"], keys["sk"]["N"]


def replayed(records: list[dict[str, Any]]) -> dict[tuple[str, str], Any]:
    """Build a table from records; each old image must be what was there."""
    items: dict[tuple[str, str], Any] = {}
    for record in records:
        written, key = record["dynamodb"], key_of(record["dynamodb"]["Keys"])
        kind = {(False, True): "INSERT", (True, True): "MODIFY", (True, False): "REMOVE"}
        assert record["eventName"] == kind["OldImage" in written, "NewImage" in written]
        assert written.get("OldImage") == items.get(key)
        assert canonical(written.get("NewImage")) != canonical(items.get(key)), "a record of no change"
        items[key] = written.get("NewImage")
    return {key: item for key, item in items.items() if item is not None}


def canonical(item: dict[str, Any] | None) -> Any:
    return item and {name: {kind: sorted(part) for kind, part in value.items()} for name, value in item.items()}


@settings(max_examples=150)
@given(steps=st.lists(STEPS, max_size=25))
def test_the_replayed_stream_gives_the_table(steps: list[Any]) -> None:
    engine = DynamoDB(VirtualClock(), throttling=False)
    arn = send(engine, "CreateTable", TABLE)["TableDescription"]["LatestStreamArn"]
    expiry = {"Enabled": True, "AttributeName": "exp"}
    send(engine, "UpdateTimeToLive", {"TableName": "tab1", "TimeToLiveSpecification": expiry})
    kept = engine.snapshot()

    for operation, request in steps:
        if operation == "wait":
            engine.clock.advance(request)
        elif operation == "snapshot" and request:
            kept = engine.snapshot()
        elif operation == "snapshot":
            engine.restore(kept)
        else:
            send(engine, operation, request)

    items = send(engine, "Scan", {"TableName": "tab1"})["Items"]
    records = polled(engine, arn)
    assert replayed(records) == {key_of(item): item for item in items}
    numbers = [int(record["dynamodb"]["SequenceNumber"]) for record in records]
    assert numbers == sorted(set(numbers))
    engine.check_invariants()
