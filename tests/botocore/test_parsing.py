"""Replies with items taken as the JSON that they are: the very dictionaries that botocore's own parser gives."""

from __future__ import annotations

import base64
import logging
from collections.abc import Mapping
from typing import Any

import botocore.session
import pytest
from botocore.config import Config
from botocore.parsers import create_parser
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_ddbthrottle import FakeDynamoDB
from pytest_ddbthrottle._botocore import parsing

ITEMS: dict[str, dict[str, Any]] = {
    "text": {"S": 'with "quotes", \\ and ✓ 😀'},
    "text that looks like a binary": {"S": '"B":"AA=="'},
    "number": {"N": "-12345678901234567890.123456789012345678"},
    "binary": {"B": b"\x00\xff"},
    "flag": {"BOOL": False},
    "null": {"NULL": True},
    "texts": {"SS": ["a", "b"]},
    "numbers": {"NS": ["1", "2.5"]},
    "binaries": {"BS": [b"\x01", b"\x02"]},
    "list": {"L": [{"L": []}, {"M": {}}, {"N": "1"}]},
    "map": {"M": {"Items": {"S": "x"}, "B": {"S": "named like a type"}, "deep": {"M": {"b": {"B": b"\x03"}}}}},
    "empty text": {"S": ""},
}
READS: dict[str, Any] = {
    "GetItem": lambda client: client.get_item(
        TableName="orders", Key={"pk": {"S": "0"}}, ReturnConsumedCapacity="TOTAL"
    ),
    "GetItem of nothing": lambda client: client.get_item(TableName="orders", Key={"pk": {"S": "none"}}),
    "Query": lambda client: client.query(
        TableName="orders",
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": "0"}},
        ReturnConsumedCapacity="INDEXES",
    ),
    "Scan": lambda client: client.scan(TableName="orders", Limit=1, ReturnConsumedCapacity="TOTAL"),
    "Scan that counts": lambda client: client.scan(TableName="orders", Select="COUNT"),
    "BatchGetItem": lambda client: client.batch_get_item(
        RequestItems={"orders": {"Keys": [{"pk": {"S": "0"}}, {"pk": {"S": "none"}}]}}, ReturnConsumedCapacity="TOTAL"
    ),
    "TransactGetItems": lambda client: client.transact_get_items(
        TransactItems=[{"Get": {"TableName": "orders", "Key": {"pk": {"S": "0"}}}}], ReturnConsumedCapacity="TOTAL"
    ),
}


@pytest.fixture(scope="module")
def client() -> Any:
    config = Config(retries={"total_max_attempts": 1})
    return botocore.session.Session().create_client("dynamodb", region_name="us-east-1", config=config)


def own_parse(client: Any, call: Any) -> Mapping[str, Any]:
    """Give what botocore's parser, unpatched, makes of a recorded reply."""
    shape = client.meta.service_model.operation_model(call.operation).output_shape
    reply = {"body": call.body, "headers": call.headers, "status_code": call.status_code}
    return create_parser("json").parse(reply, shape)


def both(client: Any, item: Mapping[str, Any], read: Any) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Give a reply as the client got it, and as botocore's own parser gives it."""
    with FakeDynamoDB(clock="sdk") as fake:
        fake.create_table("orders")
        client.put_item(TableName="orders", Item={"pk": {"S": "0"}, **item})
        got = dict(read(client))
    metadata = {**got.pop("ResponseMetadata")}
    own = dict(own_parse(client, fake.calls[-1]))
    assert metadata["HTTPStatusCode"] == own.pop("ResponseMetadata")["HTTPStatusCode"]
    return got, own


@pytest.mark.parametrize("read", READS.values(), ids=READS)
@pytest.mark.parametrize("value", ITEMS.values(), ids=ITEMS)
def test_a_reply_is_the_one_that_botocores_parser_gives(client, value, read):
    got, own = both(client, {"a": value}, read)

    assert got == own
    assert list(got) == list(own)


values = st.recursive(
    st.one_of(
        st.text(max_size=5).map(lambda text: {"S": text}),
        st.integers(-(10**30), 10**30).map(lambda number: {"N": str(number)}),
        st.binary(min_size=1, max_size=5).map(lambda content: {"B": content}),
        st.booleans().map(lambda flag: {"BOOL": flag}),
        st.just({"NULL": True}),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda members: {"L": members}),
        st.dictionaries(st.text(min_size=1, max_size=3), inner, max_size=3).map(lambda members: {"M": members}),
    ),
    max_leaves=6,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(item=st.dictionaries(st.sampled_from(["a", "B", "BS", "Items", "null"]), values, max_size=3))
def test_so_is_that_of_any_item(client, item):
    got, own = both(client, item, READS["Query"])

    assert got == own


def test_an_error_is_parsed_as_ever(client):
    with FakeDynamoDB(clock="sdk"), pytest.raises(client.exceptions.ResourceNotFoundException) as caught:
        READS["Query"](client)

    assert caught.value.response["Error"]["Message"]


def test_a_handler_and_the_log_see_the_whole_reply(client, caplog):
    bodies = []
    own = botocore.session.Session().create_client("dynamodb", region_name="us-east-1")
    own.meta.events.register_last("before-parse", lambda response_dict, **_: bodies.append(response_dict["body"]))
    with FakeDynamoDB(clock="sdk") as fake, caplog.at_level(logging.DEBUG, "botocore.parsers"):
        fake.create_table("orders")
        own.put_item(TableName="orders", Item={"pk": {"S": "0"}})
        READS["GetItem"](own)

    assert bodies[-1] == fake.calls[-1].body
    assert str(fake.calls[-1].body) in caplog.text


def test_binaries_and_other_shapes_go_the_whole_way():
    class Shape:
        name = "QueryOutput"

    class Other:
        name = "DescribeTableOutput"

    encoded = base64.b64encode(b"\x00").decode()

    assert parsing._is_plain(b'{"Items":[{"a":{"S":"B"}}]}', Shape)
    assert not parsing._is_plain(f'{{"Items":[{{"a":{{"B":"{encoded}"}}}}]}}'.encode(), Shape)
    assert not parsing._is_plain(b'{"Items":[{"a":{"BS":["AA=="]}}]}', Shape)
    assert not parsing._is_plain(b'{"Table":{"CreationDateTime":1.5}}', Other)
