"""Requests of every modelled operation: good ones with something put in their way, and what the model's shapes allow.

Whatever comes in, an answer goes out: 200, or an error that AWS has, with a text; and what is refused changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import botocore.session
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_ddbthrottle._engine import errors
from pytest_ddbthrottle._engine.operations.registry import OPERATIONS
from pytest_ddbthrottle._wire import Wire

MODELS = [botocore.session.Session().get_service_model(name) for name in ("dynamodb", "dynamodbstreams")]
LISTED = {name: model for model in MODELS for name in model.operation_names}
URL = "https://dynamodb.us-east-1.amazonaws.com/"
ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/orders"
CHARGED_ALL_THE_SAME = ("ConditionalCheckFailedException", "TransactionCanceledException")
"""Errors of requests that were understood and carried out as far as they went: they change no item, but cost capacity."""

NAMES = st.sampled_from(["pk", "sk", "status", "n", "tags", "m", "#a", ":v", "", "x" * 300, "\ud800"])
SCALARS = st.one_of(
    st.builds(lambda text: {"S": text}, st.sampled_from(["a", "b", "", "open", "ä\ud800", "x" * 3000])),
    st.builds(lambda text: {"N": text}, st.sampled_from(["1", "2", "-1", "abc", "", "1e126", "1E-400", "9" * 39])),
    st.builds(lambda text: {"B": text}, st.sampled_from(["YQ==", "", "YQ", "!"])),
    st.sampled_from([{"BOOL": True}, {"NULL": True}, {"NULL": False}, {"BOOL": "x"}]),
)
SETS = st.sampled_from(
    [{"SS": ["a"]}, {"SS": []}, {"NS": ["1", "1.0"]}, {"NS": [1]}, {"BS": ["YQ=="]}, {"SS": "a"}, {"SS": [None]}]
)
ODD_VALUES = st.sampled_from([{}, {"S": "a", "N": "1"}, {"S": 5}, {"N": 5}, {"X": "a"}, {"S": None}, None, 5, "a", []])
NESTED = st.recursive(
    SCALARS | SETS,
    lambda inner: (
        st.lists(inner, max_size=2).map(lambda elements: {"L": elements})
        | st.dictionaries(NAMES, inner, max_size=2).map(lambda members: {"M": members})
    ),
    max_leaves=4,
)
VALUES = st.one_of(SCALARS, SCALARS, NESTED, ODD_VALUES)
KEYS = st.one_of(
    st.builds(
        lambda pk, sk: {"pk": {"S": pk}, "sk": {"N": sk}}, st.sampled_from(["a", "b"]), st.sampled_from(["1", "2", "3"])
    ),
    st.builds(lambda pk: {"pk": pk}, VALUES),
    st.dictionaries(NAMES, VALUES, max_size=3),
)
ITEMS = st.builds(lambda key, rest: {**rest, **key}, KEYS, st.dictionaries(NAMES, VALUES, max_size=3))
EXPRESSIONS = st.sampled_from(
    [
        "",
        " ",
        "pk = :p",
        "pk = :p AND sk > :v",
        "pk = :p AND begins_with(sk, :v)",
        "status = :s AND n BETWEEN :v AND :v",
        "attribute_not_exists(pk)",
        "attribute_exists(#a) OR NOT contains(tags, :v)",
        "size(m) > :v",
        "n IN (:v, :p)",
        "SET n = :v",
        "SET n = n + :v, m.x = if_not_exists(m.x, :s) REMOVE tags[0]",
        "ADD n :v DELETE tags :s",
        "SET pk = :v",
        "REMOVE status",
        "SET m = list_append(m, :v)",
        "pk, sk, m.x[0], #a",
        "m[99999999999999999999]",
        "((((pk = :p))))",
        "(" * 400,
        "a" * 5000,
        "pk = ",
        "\ud800 = :v",
    ]
)
PLACEHOLDERS = st.sampled_from([":p", ":v", ":s", "#a", ":", "p", "", ":v.x"])
BY_MEMBER: dict[str, st.SearchStrategy[Any]] = {
    "TableName": st.sampled_from(
        ["orders", "orders", "small", ARN, "nope", "", "x!", "new-table", ARN + "x", "a" * 256]
    ),
    "ExclusiveStartTableName": st.sampled_from(["orders", "nope", "x"]),
    "IndexName": st.sampled_from(["by_status", "by_status", "local", "none", "x", "!!!"]),
    "Key": KEYS,
    "Item": ITEMS,
    "ExclusiveStartKey": KEYS,
    "ExpressionAttributeValues": st.one_of(
        st.dictionaries(PLACEHOLDERS, VALUES, max_size=3),
        st.builds(lambda v: {":p": {"S": "a"}, ":v": v}, SCALARS),
    ),
    "ExpressionAttributeNames": st.dictionaries(PLACEHOLDERS, NAMES, max_size=2),
    "AttributeName": NAMES,
    "Limit": st.sampled_from([1, 2, 100, 0, -1, 2**31, 1.5]),
    "Segment": st.sampled_from([0, 1, -1, 10**6]),
    "TotalSegments": st.sampled_from([1, 2, 10**6, 10**6 + 1]),
    "ClientRequestToken": st.sampled_from(["one", "two", "", "x" * 37]),
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def some_of(names: list[str], at_most: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(names), max_size=at_most, unique=True) if names else st.just([])


@st.composite
def structures(draw: Any, shape: Any) -> dict[str, Any]:
    """Give the required members, nearly always, and a few of the others."""
    others = [name for name in shape.members if name not in shape.required_members]
    names = [*shape.required_members, *draw(some_of(others, 3))]
    members = {name: draw(members_of(name, shape.members[name])) for name in names}
    if members and draw(st.integers(0, 7)) == 0:
        members[draw(st.sampled_from(sorted(members)))] = draw(JSON)
    if members and draw(st.integers(0, 15)) == 0:
        del members[draw(st.sampled_from(sorted(members)))]
    return members


def members_of(name: str, shape: Any) -> st.SearchStrategy[Any]:
    return BY_MEMBER[name] if name in BY_MEMBER else values_of(shape)


def values_of(shape: Any) -> st.SearchStrategy[Any]:
    """Give what a shape of the service model may hold."""
    if shape.name == "AttributeValue":
        return VALUES
    kind = shape.type_name
    if kind == "structure":
        return structures(shape)
    if kind == "list":
        return st.lists(values_of(shape.member), max_size=3)
    if kind == "map":
        keys = BY_MEMBER["TableName"] if shape.key.name == "TableArn" else NAMES
        return st.dictionaries(keys, values_of(shape.value), max_size=2)
    if kind == "boolean":
        return st.booleans()
    if kind in ("integer", "long"):
        return st.sampled_from([1, 5, 0, -1, 40_001, 2**63 - 1, 2**63])
    if kind == "timestamp":
        return st.sampled_from([0, 1_767_225_600, 1_767_225_599.5, -1e308, 1e308, 10**400])
    return st.sampled_from([*shape.enum, "BOGUS"]) if shape.enum else EXPRESSIONS | st.text(max_size=4)


GOOD = json.loads(Path(__file__).with_name("good_requests.json").read_text())
JUNK = st.one_of(JSON, VALUES, KEYS, EXPRESSIONS, NAMES, *BY_MEMBER.values())


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Give each container within a value, and each of its keys or positions."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in list(pairs):
        yield value, key
        yield from places(part)


@st.composite
def disturbed(draw: Any, operation: str) -> Any:
    """Give a good request in which up to three things are replaced, removed or added."""
    request = deepcopy(draw(st.sampled_from(GOOD.get(operation, [{}]))))
    shape = LISTED[operation].operation_model(operation).input_shape
    for _ in range(draw(st.integers(0, 3))):
        found = list(places(request))
        if not found or draw(st.integers(0, 4)) == 0:
            request.update(deepcopy(draw(structures(shape))))
            continue
        container, key = draw(st.sampled_from(found))
        if draw(st.booleans()):
            container[key] = deepcopy(draw(JUNK))
        else:
            del container[key]
    return request


REQUESTS = st.sampled_from(sorted(OPERATIONS)).flatmap(
    lambda operation: st.tuples(
        st.just(operation),
        st.one_of(
            disturbed(operation),
            disturbed(operation),
            structures(LISTED[operation].operation_model(operation).input_shape),
            JSON,
        ),
    )
)


def send(wire: Wire, operation: str, request: Any) -> tuple[int, dict[str, Any]]:
    body = json.dumps(request).encode()
    reply = wire.answer(URL, {"X-Amz-Target": f"{LISTED[operation].metadata['targetPrefix']}.{operation}"}, body)
    return reply.status_code, json.loads(reply.body)


@pytest.fixture(scope="module")
def wire(furnished_wire):
    return furnished_wire()


@pytest.fixture(scope="module")
def beginning(wire):
    return wire.engine.snapshot()


@settings(
    max_examples=300,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
@given(requests=st.lists(REQUESTS, min_size=1, max_size=4))
def test_any_request_is_answered_and_what_is_refused_changes_nothing(wire, beginning, account_state, requests):
    wire.engine.restore(beginning)
    for operation, request in requests:
        before = account_state(wire.engine)

        status_code, members = send(wire, operation, request)

        wire.engine.check_invariants()
        if status_code == 200:
            assert "__type" not in members
            continue
        code = members["__type"].rpartition("#")[2]
        assert_defined(operation, status_code, code, members)
        charged = code in CHARGED_ALL_THE_SAME
        assert account_state(wire.engine, balances=not charged) == {
            name: part for name, part in before.items() if name != "balances" or not charged
        }


def assert_defined(operation: str, status_code: int, code: str, members: dict[str, Any]) -> None:
    """Assert that an error is one of AWS's, with a text."""
    assert hasattr(errors, code), members
    if (operation, status_code, code) == ("UpdateTable", 500, "InternalFailure"):
        return  # The service's own answer to an empty OnDemandThroughput or WarmThroughput.
    assert status_code == 400, members
    assert members.get("message") or members.get("Message"), members
