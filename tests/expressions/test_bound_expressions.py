"""What a case file can't say: placeholders, limits, hostile texts, and what a bound expression offers besides."""

from __future__ import annotations

import sys
from contextlib import suppress

import pytest

from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.condition import condition
from pytest_ddbthrottle._engine.expressions.key_condition import key_condition
from pytest_ddbthrottle._engine.expressions.parser import parse_test
from pytest_ddbthrottle._engine.expressions.placeholders import Placeholders
from pytest_ddbthrottle._engine.expressions.projection import projection
from pytest_ddbthrottle._engine.expressions.reserved_words import RESERVED_WORDS
from pytest_ddbthrottle._engine.expressions.update import update

ONE, TWO = {"N": "1"}, {"N": "2"}
A = {"S": "a"}
NONE = Placeholders(None, None)
TOO_DEEP = (
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
)


def message(call):
    with pytest.raises(ValidationException) as caught:
        call()
    return caught.value.message


def nested(levels):
    value = {"S": "leaf"}
    for _ in range(levels - 1):
        value = {"M": {"n": value}}
    return value


# -------------------------------------------------------------------------------------------------- placeholders


@pytest.mark.parametrize(
    ("names", "values", "expected"),
    [
        ({}, {}, "ExpressionAttributeNames must not be empty"),
        (None, {}, "ExpressionAttributeValues must not be empty"),
        ({"a": "a"}, {}, 'ExpressionAttributeNames contains invalid key: Syntax error; key: "a"'),
        ({"#": "a"}, None, 'ExpressionAttributeNames contains invalid key: Syntax error; key: "#"'),
        ({"#a-b": "a"}, None, 'ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"'),
        (None, {":b": {"a": ""}, "b": A}, 'ExpressionAttributeValues contains invalid key: Syntax error; key: "b"'),
        (
            None,
            {":b": {}},
            "ExpressionAttributeValues contains invalid value: Supplied AttributeValue is empty, must contain exactly "
            "one of the supported datatypes for key :b",
        ),
        (
            None,
            {":a": A, ":b": {"SS": []}},
            "ExpressionAttributeValues contains invalid value: One or more parameter values were invalid: An string "
            "set  may not be empty for key :b",
        ),
        (
            None,
            {":b": {"N": "b"}},
            "ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: b "
            "for key :b",
        ),
        (None, {":deep": nested(33)}, f"ExpressionAttributeValues contains invalid value: {TOO_DEEP} for key :deep"),
    ],
)
@pytest.mark.parametrize(
    "bind",
    [
        lambda placeholders: condition("", placeholders),
        lambda placeholders: update("", placeholders),
        lambda placeholders: projection("", placeholders),
        lambda placeholders: key_condition("", placeholders, ["pk"], []),
    ],
)
def test_placeholders_are_checked_before_the_expression(names, values, expected, bind):
    assert message(lambda: bind(Placeholders(names, values))) == expected


@pytest.mark.parametrize(
    ("names", "values", "expected"),
    [
        ({"#a": "a", "#b": "b"}, None, "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}"),
        (
            {"#b": "b", "#c": "c"},
            {":x": A},
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b, #c}",
        ),
        (None, {":v": A, ":x": A}, "Value provided in ExpressionAttributeValues unused in expressions: keys: {:x}"),
    ],
)
def test_placeholders_that_no_expression_uses_are_refused(names, values, expected):
    placeholders = Placeholders(names, values)
    projection("#a" if names and "#a" in names else "a", placeholders)
    if values and ":v" in values:
        condition("b = :v", placeholders)

    assert message(placeholders.check_all_used) == expected


def test_expressions_of_one_request_share_its_placeholders():
    placeholders = Placeholders({"#a": "a"}, {":one": ONE})
    update("SET #a = :one", placeholders)
    condition("#a <> :one", placeholders)

    placeholders.check_all_used()


@pytest.mark.parametrize(
    ("names", "values", "expected"),
    [
        ({}, {}, "ExpressionAttributeNames can only be specified when using expressions"),
        ({"a": "a"}, None, "ExpressionAttributeNames can only be specified when using expressions"),
        (None, {":v": {}}, "ExpressionAttributeValues can only be specified when using expressions"),
    ],
)
def test_placeholders_without_an_expression_are_refused_whatever_they_are(names, values, expected):
    assert message(Placeholders(names, values).check_without_expressions) == expected


def test_a_request_without_either_is_fine():
    Placeholders(None, None).check_without_expressions()
    Placeholders(None, None).check_all_used()


def test_values_are_normalised_once_for_all():
    bound = update("SET a = :v", Placeholders(None, {":v": {"L": [{"N": "01.50"}]}}))

    assert bound.apply({}) == {"a": {"L": [{"N": "1.5"}]}}


def test_one_text_means_what_each_requests_placeholders_say():
    text = "#n = :v"
    first = condition(text, Placeholders({"#n": "a"}, {":v": ONE}))
    second = condition(text, Placeholders({"#n": "b"}, {":v": TWO}))

    assert first.matches({"a": ONE})
    assert second.matches({"b": TWO})
    assert not second.matches({"a": ONE})
    assert parse_test("ConditionExpression", text) is parse_test("ConditionExpression", text)


# -------------------------------------------------------------------------------------------------------- limits


def padded(kind, size_bytes):
    """Give an expression of that many bytes, and what binds it."""
    text, bind = {
        "ConditionExpression": ("a = b", condition),
        "UpdateExpression": ("REMOVE a", update),
        "ProjectionExpression": ("a", projection),
    }[kind]
    return text + " " * (size_bytes - len(text)), bind


@pytest.mark.parametrize(
    ("kind", "size"),
    [
        ("ConditionExpression", " expression size: 4097"),
        ("ProjectionExpression", " expression size: 4097"),
        ("UpdateExpression", ""),
    ],
)
def test_4096_bytes_are_allowed_and_one_more_is_not(kind, size):
    text, bind = padded(kind, 4096)
    bind(text, NONE)

    assert message(lambda: bind(text + " ", NONE)) == (
        f"Invalid {kind}: Expression size has exceeded the maximum allowed size;{size}"
    )


def test_the_size_is_counted_in_bytes():
    text = "a = b" + " " * 4090 + "€"

    assert len(text) == 4096
    assert message(lambda: condition(text, NONE)).endswith("; expression size: 4098")


def operators(count):
    return " OR ".join(f"a{number}=b" for number in range((count + 1) // 2))


def test_299_operators_are_allowed():
    assert not condition(operators(299), NONE).matches({})


@pytest.mark.parametrize("text", [operators(301), "size(" * 400 + "a" + ")" * 400 + " = b", "NOT " * 500 + "a = b"])
def test_too_many_operators_are_refused(text):
    assert message(lambda: condition(text, NONE)).startswith("Invalid ConditionExpression: The expression ")


@pytest.mark.parametrize(("count", "allowed"), [(100, True), (101, False)])
def test_in_takes_100_operands(count, allowed):
    values = {f":v{number}": {"N": str(number)} for number in range(count)}
    text = f"a IN ({', '.join(values)})"
    placeholders = Placeholders(None, values)

    if allowed:
        assert condition(text, placeholders).matches({"a": {"N": "99"}})
    else:
        assert message(lambda: condition(text, placeholders)) == (
            "Invalid ConditionExpression: The IN operator is provided with too many operands; number of operands: 101"
        )


HOSTILE = {
    "parentheses": "(" * 4096,
    "nested conditions": "(a=b OR " * 500,
    "closed conditions": "(a=b OR " * 200 + "a=b" + ")" * 200,
    "NOT": "NOT " * 1000,
    "NOT in parentheses": "NOT(" * 1000,
    "functions": "size(" * 800,
    "brackets": "[" * 4096,
    "a long path": "a" + ".a" * 2000 + " = b",
    "a long chain": " AND ".join(["a=b"] * 500),
    "digits": "a[" + "9" * 4000 + "] = b",
    "points": "." * 4096,
    "unknown characters": "€" * 1300,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_texts_end_in_an_answer(text):
    for bind in (condition, projection, update):
        with suppress(ValidationException):
            bind(text, NONE)


def test_hostile_updates_end_in_an_answer():
    for value in ("(" * 4000, "if_not_exists(a, " * 200, "list_append(" * 300, "a" + " + a" * 900):
        assert message(lambda value=value: update(f"SET z = {value}", NONE)).startswith("Invalid UpdateExpression: ")


def test_what_is_nested_as_deeply_as_allowed_fits_on_the_stack():
    text = "a=b OR (" * 99 + "c=:c" + ")" * 99
    frames = sys.getrecursionlimit()

    bound = condition(text, Placeholders(None, {":c": ONE}))

    assert bound.matches({"c": ONE})
    assert sys.getrecursionlimit() == frames


def test_there_are_573_reserved_words():
    assert len(RESERVED_WORDS) == 573
    assert {"STATUS", "NAME", "COUNT", "ITEMS", "ZONE", "ABORT"} <= RESERVED_WORDS
    assert all(word == word.upper() for word in RESERVED_WORDS)


# ----------------------------------------------------------------------------------- what bound expressions offer


def test_a_condition_names_the_attributes_that_it_looks_at():
    placeholders = Placeholders({"#c": "c"}, {":v": ONE})

    bound = condition("a.b[0] = :v OR size(#c) > :v AND NOT attribute_exists(d)", placeholders)

    assert bound.attribute_names == {"a", "c", "d"}


def test_a_projection_names_the_attributes_that_it_shows():
    assert projection("a.b, a.c, d[0], e", NONE).attribute_names == {"a", "d", "e"}


UPDATED = {"pk": A, "m": {"M": {"x": ONE, "y": TWO}}, "l": {"L": [ONE, TWO, A]}, "n": ONE, "ss": {"SS": ["a"]}}


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("SET n = :v", {"n": ONE}, {"n": TWO}),
        ("SET fresh = :v", {}, {"fresh": TWO}),
        ("REMOVE n", {"n": ONE}, {}),
        ("SET m.x = :v", {"m": {"M": {"x": ONE}}}, {"m": {"M": {"x": TWO}}}),
        ("SET m.x = :v, m.z = :v", {"m": {"M": {"x": ONE}}}, {"m": {"M": {"x": TWO, "z": TWO}}}),
        ("SET l[1] = :v", {"l": {"L": [TWO]}}, {"l": {"L": [TWO]}}),
        ("ADD n :v", {"n": ONE}, {"n": {"N": "3"}}),
        ("REMOVE pq SET n = :v", {"n": ONE}, {"n": TWO}),
        ("REMOVE pq", {}, {}),
    ],
)
def test_the_values_that_an_update_touches_before_and_after(text, old, new):
    values = {":v": TWO} if ":v" in text else None
    bound = update(text, Placeholders(None, values))

    assert bound.updated_values(UPDATED) == old
    assert bound.updated_values(bound.apply(UPDATED)) == new


@pytest.mark.parametrize(
    ("text", "expected_bytes"),
    [
        ("SET ab = :s", 3 + 19 + 2 + 5),
        ("SET ab = :s, c = :s", 3 + 19 * 2 + (2 + 5) + (1 + 5)),
        ("SET m.z = :s", 3 + 19 + 1 + (3 + (1 + 1 + 2) + (1 + 1 + 2) + (1 + 1 + 5))),
        ("ADD n :one", 3 + 19 + 1 + 2),
        ("REMOVE n", 3 + 2),
        ("DELETE ss :set", 3 + 2),
        ("SET ab = :s REMOVE n, l", 3 + 19 + 2 * 2 + 2 + 5),
    ],
)
def test_the_gate_counts_what_is_written_and_each_action(text, expected_bytes):
    known = {":s": {"S": "five!"}, ":one": ONE, ":set": {"SS": ["zz"]}}
    values = {key: value for key, value in known.items() if key in text.replace(",", " ").split()}
    bound = update(text, Placeholders(None, values or None))

    assert bound.written_gate_bytes(bound.apply(UPDATED)) == expected_bytes


def test_an_update_leaves_other_attributes_and_the_old_item_alone():
    old = {"pk": A, "m": {"M": {"x": ONE, "l": {"L": [ONE]}}}, "q": {"L": [A]}}

    new = update("SET m.x = :v, m.l[0] = :v REMOVE q[0]", Placeholders(None, {":v": TWO})).apply(old)

    assert new == {"pk": A, "m": {"M": {"x": TWO, "l": {"L": [TWO]}}}, "q": {"L": []}}
    assert old == {"pk": A, "m": {"M": {"x": ONE, "l": {"L": [ONE]}}}, "q": {"L": [A]}}


def test_indexes_mean_the_old_list_also_beside_removals_in_it():
    old = {"l": {"L": [A, {"M": {"x": ONE, "y": TWO}}, {"L": [ONE, TWO, A]}]}}

    new = update("REMOVE l[0], l[1].x, l[2][0], l[2][1]", NONE).apply(old)

    assert new == {"l": {"L": [{"M": {"y": TWO}}, {"L": [A]}]}}


@pytest.mark.parametrize(
    ("text", "levels", "allowed"),
    [
        ("SET m.n = :v", 31, True),
        ("SET m.n = :v", 32, False),
        ("SET x = list_append(:l, l)", 31, True),
        ("SET x = list_append(:l, l)", 32, False),
        ("SET m.n = src", 32, False),
    ],
)
def test_an_update_can_not_nest_deeper_than_a_request(text, levels, allowed):
    old = {"m": {"M": {}}, "l": {"L": [nested(levels)]} if "l)" in text else {"L": []}, "src": nested(levels)}
    values = {key: value for key, value in {":v": nested(levels), ":l": {"L": []}}.items() if key in text}
    bound = update(text, Placeholders(None, values or None))

    if allowed:
        bound.apply(old)
    else:
        assert message(lambda: bound.apply(old)) == TOO_DEEP


def test_an_update_of_keys_names_the_first_key():
    bound = update("SET a = :v, sk.x = :v, pk = :v", Placeholders(None, {":v": ONE}))

    assert message(lambda: bound.check_keys({"pk", "sk"})) == (
        "One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key"
    )
    bound.check_keys({"other"})
