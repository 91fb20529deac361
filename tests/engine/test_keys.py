"""Keys: how they sort, what bounds a condition, and which faults the service names."""

from __future__ import annotations

from base64 import b64encode
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.keys import (
    KeyAttribute,
    KeySchema,
    bounds,
    check_index_key,
    check_item_key,
    check_key,
    key_range_hash,
    part,
)
from pytest_ddbthrottle._engine.stored_items import OrderedItems, StoredItem

SCHEMA = KeySchema((KeyAttribute("pk", "S"),), (KeyAttribute("sk", "N"),))
NUMBER = {"N": "1"}
HASH = 5503046079549151586


def binary(content):
    return {"B": b64encode(content).decode()}


@pytest.mark.parametrize(
    ("smaller", "larger"),
    [
        ({"S": "a"}, {"S": "b"}),
        ({"S": "z"}, {"S": "é"}),
        ({"S": "\uffff"}, {"S": "\U0001f600"}),
        ({"N": "9"}, {"N": "10"}),
        ({"N": "-10"}, {"N": "-9"}),
        (binary(b"\x01"), binary(b"\x80")),
        (binary(b"a"), binary(b"aa")),
    ],
)
def test_key_parts_sort_as_the_service_sorts_them(smaller, larger):
    assert part(smaller) < part(larger)


def test_the_hash_of_a_partition_key_is_the_same_in_every_process():
    assert key_range_hash(["customer#1"]) == HASH


OPERATORS = {
    "=": lambda value, low, high: value == low,
    "<": lambda value, low, high: value < low,
    "<=": lambda value, low, high: value <= low,
    ">": lambda value, low, high: value > low,
    ">=": lambda value, low, high: value >= low,
    "BETWEEN": lambda value, low, high: low <= value <= high,
}


@given(
    values=st.sets(st.integers(-5, 5)),
    operator=st.sampled_from(sorted(OPERATORS)),
    low=st.integers(-5, 5),
    high=st.integers(-5, 5),
    trailing=st.booleans(),
    forward=st.booleans(),
)
def test_bounds_let_through_exactly_what_meets_the_condition(values, operator, low, high, trailing, forward):
    items, item = OrderedItems(), StoredItem("{}", 1)
    for value in values:
        for partition in ("a", "b", "c"):
            items.put((7, partition, Decimal(value), *([("key",)] if trailing else [])), item)
    operands = [Decimal(low), Decimal(high)] if operator == "BETWEEN" else [Decimal(low)]

    found = [key[2] for key, _ in items.walk(bounds((7, "b"), operator, operands), forward=forward)]

    expected = sorted(value for value in values if OPERATORS[operator](value, low, high))
    assert found == (expected if forward else expected[::-1])


@given(values=st.sets(st.text(max_size=3)), prefix=st.text(min_size=1, max_size=2))
def test_begins_with_bounds_let_through_exactly_what_has_the_prefix(values, prefix):
    items = OrderedItems()
    for value in values | {prefix, prefix + "\U0010ffff", prefix + "\U0010ffff" * 2}:
        items.put((7, "a", value), StoredItem("{}", 1))

    found = [key[2] for key, _ in items.walk(bounds((7, "a"), "begins_with", [prefix]))]

    assert found == sorted(key[2] for key, _ in items.walk() if key[2].startswith(prefix))


@pytest.mark.parametrize("prefix", [b"\xff", b"a\xff\xff", b"\x00"])
def test_begins_with_works_at_the_top_of_binary(prefix):
    items = OrderedItems()
    for value in (b"", b"\x00", b"a\xff\xff", b"a\xff\xffz", b"b", b"\xff", b"\xff\xff"):
        items.put((7, "a", value), StoredItem("{}", 1))

    found = [key[2] for key, _ in items.walk(bounds((7, "a"), "begins_with", [prefix]))]

    assert found == sorted(key[2] for key, _ in items.walk() if key[2].startswith(prefix))


MISMATCH = "The provided key element does not match the schema"
EMPTY = (
    "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string "
    "value. Key: pk"
)
INVALID = "One or more parameter values were invalid: "


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ({"pk": {"S": "a"}}, MISMATCH),
        ({"pk": {"S": "a"}, "sk": {"S": "1"}}, MISMATCH),
        ({"pk": {"S": "a"}, "other": NUMBER}, MISMATCH),
        ({"pk": {"S": "a"}, "sk": NUMBER, "other": NUMBER}, MISMATCH),
        ({"pk": {"S": ""}, "sk": NUMBER}, EMPTY),
        (
            {"pk": {"S": "x" * 2049}, "sk": NUMBER},
            f"{INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes",
        ),
    ],
)
def test_a_key_that_does_not_fit_is_refused(key, text):
    with pytest.raises(ValidationException) as refused:
        check_key(SCHEMA, key)

    assert refused.value.message == text


def test_a_key_of_the_largest_size_is_allowed():
    check_key(SCHEMA, {"pk": {"S": "é" * 1024}, "sk": NUMBER})


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ({"pk": {"S": "a"}}, f"{INVALID}Missing the key sk in the item"),
        ({"pk": {"N": "1"}, "sk": NUMBER}, f"{INVALID}Type mismatch for key pk expected: S actual: N"),
    ],
)
def test_an_item_without_a_valid_key_is_refused(item, text):
    with pytest.raises(ValidationException) as refused:
        check_item_key(SCHEMA, item)

    assert refused.value.message == text


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (
            {"pk": {"S": "a"}, "sk": {"S": "1"}},
            f"{INVALID}Type mismatch for Index Key sk Expected: N Actual: S IndexName: by_n",
        ),
        (
            {"pk": {"S": ""}},
            "One or more parameter values are not valid. A value specified for a secondary index key is not supported. "
            "The AttributeValue for a key attribute cannot contain an empty string value. IndexName: by_n, IndexKey: pk",
        ),
    ],
)
def test_an_index_key_of_a_wrong_kind_is_refused(item, text):
    with pytest.raises(ValidationException) as refused:
        check_index_key("by_n", SCHEMA, item)

    assert refused.value.message == text


def test_an_item_that_lacks_an_index_key_is_not_in_the_index():
    assert SCHEMA.index_key_of({"pk": {"S": "a"}}, (1, "x")) is None
    assert SCHEMA.index_key_of({"pk": {"S": "a"}, "sk": NUMBER}, (1, "x"))[-1] == (1, "x")
