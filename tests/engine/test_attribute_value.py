"""Attribute values: what is valid, in which form it is kept, how large it is, what equals and what precedes what."""

from __future__ import annotations

from base64 import b64encode
from decimal import Decimal, getcontext, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_ddbthrottle._engine.attribute_value import (
    add,
    compare,
    equal,
    item_size_bytes,
    normalized,
    normalized_item,
    number,
    number_text,
    subtract,
    type_of,
    value_size_bytes,
)
from pytest_ddbthrottle._engine.errors import SerializationException, ValidationException

INVALID = "One or more parameter values were invalid: "
EMPTY = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
SEVERAL = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
UNDERFLOW = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
TOO_MANY = "Attempting to store more than 38 significant digits in a Number"
NOT_A_NUMBER = "The parameter cannot be converted to a numeric value"
TOO_DEEP = (
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
)


def nested(levels, tag="M"):
    value = {"S": "leaf"}
    for _ in range(levels - 1):
        value = {"M": {"n": value}} if tag == "M" else {"L": [value]}
    return value


def base64(content):
    return b64encode(content).decode("ascii")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", "0"),
        ("-0", "0"),
        ("0.000", "0"),
        ("0e125", "0"),
        ("-0.0", "0"),
        ("1", "1"),
        ("+5", "5"),
        ("00042", "42"),
        ("-007", "-7"),
        ("3.140", "3.14"),
        ("3.14", "3.14"),
        ("1.0", "1"),
        (".5", "0.5"),
        ("5.", "5"),
        ("-0.50", "-0.5"),
        ("1.5E2", "150"),
        ("1.5e+2", "150"),
        ("15E-1", "1.5"),
        ("1E2", "100"),
        ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
        ("0.12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678"),
        ("0" * 100 + "1", "1"),
        ("1" + "0" * 100, "1" + "0" * 100),
        ("1E-130", "0." + "0" * 129 + "1"),
        ("9.9999999999999999999999999999999999999E+125", "9" * 38 + "0" * 88),
        ("-9.9999999999999999999999999999999999999E+125", "-" + "9" * 38 + "0" * 88),
    ],
)
def test_a_number_is_kept_in_plain_digits(text, expected):
    assert normalized({"N": text}) == {"N": expected}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", NOT_A_NUMBER),
        ("abc", f"{NOT_A_NUMBER}: abc"),
        ("1.2.3", f"{NOT_A_NUMBER}: 1.2.3"),
        (" 1", f"{NOT_A_NUMBER}:  1"),
        ("1 ", f"{NOT_A_NUMBER}: 1 "),
        ("0x10", f"{NOT_A_NUMBER}: 0x10"),
        ("1e", f"{NOT_A_NUMBER}: 1e"),
        (".", f"{NOT_A_NUMBER}: ."),
        ("1_000", f"{NOT_A_NUMBER}: 1_000"),
        ("١", f"{NOT_A_NUMBER}: ١"),
        ("NaN", f"{NOT_A_NUMBER}: NaN"),
        ("Infinity", f"{NOT_A_NUMBER}: Infinity"),
        ("1e9223372036854775808", f"{NOT_A_NUMBER}: 1e9223372036854775808"),
        ("1e126", OVERFLOW),
        ("-1e126", OVERFLOW),
        ("10e125", OVERFLOW),
        ("0e126", OVERFLOW),
        ("1e2147483647", OVERFLOW),
        ("1e99999999999", OVERFLOW),
        ("1e-131", UNDERFLOW),
        ("-1e-131", UNDERFLOW),
        ("0e-131", UNDERFLOW),
        ("1e-99999999999", UNDERFLOW),
        ("1" * 39, TOO_MANY),
        ("-1.23456789012345678901234567890123456789", TOO_MANY),
        ("123456789012345678901234567890123456789e10", TOO_MANY),
    ],
)
def test_a_number_that_cannot_be_kept_is_refused(text, message):
    for value in ({"N": text}, {"NS": ["1", text]}, {"M": {"a": {"L": [{"N": text}]}}}):
        with pytest.raises(ValidationException) as caught:
            normalized(value)

        assert caught.value.message == message


def test_an_exponent_of_any_length_is_refused_in_time():
    with pytest.raises(ValidationException, match="cannot be converted"):
        normalized({"N": "1e" + "9" * 100_000})


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"S": ""}, {"S": ""}),
        ({"B": ""}, {"B": ""}),
        ({"BOOL": False}, {"BOOL": False}),
        ({"SS": ["b", "a", ""]}, {"SS": ["b", "a", ""]}),
        ({"NS": ["1.0", "02"]}, {"NS": ["1", "2"]}),
        ({"BS": ["YQ==", "Yg=="]}, {"BS": ["YQ==", "Yg=="]}),
        ({"L": []}, {"L": []}),
        ({"M": {}}, {"M": {}}),
        ({"S": "x", "N": None}, {"S": "x"}),
        ({"M": {"a": {"L": [{"N": "1e1"}, {"NULL": True}]}}}, {"M": {"a": {"L": [{"N": "10"}, {"NULL": True}]}}}),
    ],
)
def test_a_value_has_one_normal_form(value, expected):
    assert normalized(value) == expected


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, EMPTY),
        ({"a": ""}, EMPTY),
        ({"S": None}, EMPTY),
        ({"M": {"a": {}}}, EMPTY),
        ({"L": [{}]}, EMPTY),
        ({"L": [{"a": {}}]}, EMPTY),
        ({"S": "a", "N": "1"}, SEVERAL),
        ({"S": "a", "M": {}, "x": 1}, SEVERAL),
        ({"SS": []}, f"{INVALID}An string set  may not be empty"),
        ({"NS": []}, f"{INVALID}An number set  may not be empty"),
        ({"BS": []}, f"{INVALID}Binary sets should not be empty"),
        ({"SS": ["a", "a"]}, f"{INVALID}Input collection [a, a] contains duplicates."),
        ({"SS": ["b", "a", "b"]}, f"{INVALID}Input collection [b, a, b] contains duplicates."),
        ({"BS": ["Yg==", "Yg=="]}, f"{INVALID}Input collection [Yg==, Yg==]of type BS contains duplicates."),
        ({"NS": ["1", "1.0"]}, "Input collection contains duplicates"),
        ({"M": {"": {"S": "a"}}}, "Empty attribute name"),
        ({"NULL": False}, f"{INVALID}Null attribute value types must have the value of true"),
    ],
)
def test_a_value_that_is_not_valid_is_refused(value, message):
    with pytest.raises(ValidationException) as caught:
        normalized(value)

    assert caught.value.message == message


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"S": 1}, "NUMBER_VALUE cannot be converted to String"),
        ({"S": True}, "TRUE_VALUE cannot be converted to String"),
        ({"S": False}, "FALSE_VALUE cannot be converted to String"),
        ({"N": 1}, "NUMBER_VALUE cannot be converted to String"),
        ({"N": 1.5}, "DECIMAL_VALUE cannot be converted to String"),
        ({"BOOL": "true"}, "Unexpected token received from parser"),
        ({"NULL": "no"}, "Unexpected token received from parser"),
        ({"S": {}}, "Start of structure or map found where not expected"),
        ({"S": []}, "Start of list found where not expected"),
        ({"SS": "a"}, "Unexpected field type"),
        ({"L": "a"}, "Unexpected field type"),
        ({"M": "a"}, "Unexpected field type"),
        ({"SS": [1]}, "NUMBER_VALUE cannot be converted to String"),
        ("a", "Unexpected value type in payload"),
        ({"L": ["a"]}, "Unexpected value type in payload"),
    ],
)
def test_content_of_another_json_type_is_no_value_at_all(value, message):
    with pytest.raises(SerializationException) as caught:
        normalized(value)

    assert caught.value.message == message


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"B": "YQ="}, "Base64 encoded length is expected a multiple of 4 bytes but found: 3"),
        ({"B": "no base!"}, "'no base!' is not base64: Blob expected"),
        ({"BS": ["äääh"]}, "'äääh' is not base64: Blob expected"),
        ({"B": 5}, "only base-64-encoded strings are convertible to bytes"),
        ({"BS": [True]}, "only base-64-encoded strings are convertible to bytes"),
        ({"B": {}}, "Start of structure or map found where not expected"),
    ],
)
def test_a_binary_is_base64(value, message):
    with pytest.raises(SerializationException) as caught:
        normalized(value)

    assert caught.value.message == message


@pytest.mark.parametrize("tag", ["M", "L"])
def test_32_levels_are_allowed(tag):
    value = nested(32, tag)

    assert normalized(value) == value


@pytest.mark.parametrize("levels", [33, 100, 100_000])
def test_33_levels_are_not_however_many_there_are(levels):
    with pytest.raises(ValidationException) as caught:
        normalized_item({"pk": {"S": "a"}, "deep": nested(levels)})

    assert caught.value.message == TOO_DEEP


def test_an_item_is_a_map():
    with pytest.raises(SerializationException) as caught:
        normalized_item(["pk"])

    assert caught.value.message == "Unexpected value type in payload"


def test_an_item_has_no_empty_attribute_name():
    with pytest.raises(ValidationException) as caught:
        normalized_item({"pk": {"S": "a"}, "": {"S": "x"}})

    assert caught.value.message == "Empty attribute name"


def test_the_normal_form_shares_nothing_with_the_request():
    inner = [{"S": "a"}]

    kept = normalized({"M": {"l": {"L": inner}}})
    inner.append({"S": "b"})

    assert kept == {"M": {"l": {"L": [{"S": "a"}]}}}


@pytest.mark.parametrize(
    ("text", "expected_bytes"),
    [
        ("0", 1),
        ("-0", 1),
        ("1", 2),
        ("12", 2),
        ("100", 2),
        ("120", 2),
        ("1E125", 2),
        ("0.15", 2),
        ("0.012", 2),
        ("0.0000001", 2),
        ("123", 3),
        ("1010", 3),
        ("0042", 2),
        ("1.5", 3),
        ("1.200", 3),
        ("-42", 3),
        ("123456", 4),
        ("12345", 4),
        ("100.5", 4),
        ("1.234", 4),
        ("3.14159", 5),
        ("-12345", 5),
        ("12345678901234567890123456789012345678", 20),
    ],
)
def test_a_number_is_as_large_as_its_significant_digits(text, expected_bytes):
    assert value_size_bytes(normalized({"N": text})) == expected_bytes


@pytest.mark.parametrize(
    ("value", "expected_bytes"),
    [
        ({"S": ""}, 0),
        ({"S": "abc"}, 3),
        ({"S": "ü€😀"}, 2 + 3 + 4),
        ({"B": base64(b"")}, 0),
        ({"B": base64(b"a")}, 1),
        ({"B": base64(b"ab")}, 2),
        ({"B": base64(b"abc")}, 3),
        ({"BOOL": True}, 1),
        ({"NULL": True}, 1),
        ({"SS": ["a", "bcd"]}, 4),
        ({"NS": ["1", "123"]}, 5),
        ({"BS": [base64(b"a"), base64(b"bcd")]}, 4),
        ({"L": []}, 3),
        ({"M": {}}, 3),
        ({"L": [{"S": "a"}, {"N": "1"}]}, 3 + (1 + 1) + (1 + 2)),
        ({"M": {"key": {"S": "a"}}}, 3 + (1 + 3 + 1)),
        ({"M": {"l": {"L": [{"M": {}}]}}}, 3 + 1 + 1 + (3 + 1 + 3)),
    ],
)
def test_a_value_is_as_large_as_its_parts(value, expected_bytes):
    assert value_size_bytes(value) == expected_bytes


def test_an_item_is_its_names_and_its_values():
    assert item_size_bytes({"Shirt-Color": {"S": "R"}, "Shirt-Size": {"S": "M"}}) == 23
    assert item_size_bytes({"ü": {"S": "ü"}}) == 4
    assert item_size_bytes({}) == 0


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ({"S": "a"}, {"S": "a"}, True),
        ({"S": "1"}, {"N": "1"}, False),
        ({"N": "1"}, {"N": "1"}, True),
        ({"SS": ["a", "b"]}, {"SS": ["b", "a"]}, True),
        ({"SS": ["a"]}, {"SS": ["a", "b"]}, False),
        ({"NS": ["1", "2"]}, {"NS": ["2", "1"]}, True),
        ({"L": [{"SS": ["a", "b"]}]}, {"L": [{"SS": ["b", "a"]}]}, True),
        ({"L": [{"S": "a"}, {"S": "b"}]}, {"L": [{"S": "b"}, {"S": "a"}]}, False),
        ({"L": [{"S": "a"}]}, {"L": [{"S": "a"}, {"S": "a"}]}, False),
        ({"M": {"a": {"NS": ["1", "2"]}}}, {"M": {"a": {"NS": ["2", "1"]}}}, True),
        ({"M": {"a": {"N": "1"}}}, {"M": {"b": {"N": "1"}}}, False),
        ({"BOOL": True}, {"BOOL": False}, False),
        ({"NULL": True}, {"NULL": True}, True),
        ({"B": base64(b"a")}, {"B": base64(b"b")}, False),
    ],
)
def test_values_are_equal_by_type_and_content(left, right, expected):
    assert equal(left, right) is expected
    assert equal(right, left) is expected


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ({"N": "9"}, {"N": "10"}, -1),
        ({"N": "-1"}, {"N": "-2"}, 1),
        ({"N": "0.1"}, {"N": "0.10"}, 0),
        ({"N": "9" * 38}, {"N": "9" * 37 + "8"}, 1),
        ({"S": "a"}, {"S": "b"}, -1),
        ({"S": "Z"}, {"S": "a"}, -1),
        ({"S": "\uffff"}, {"S": "\U0001f600"}, -1),
        ({"B": base64(b"\x7f")}, {"B": base64(b"\x80")}, -1),
        ({"B": base64(b"a")}, {"B": base64(b"aa")}, -1),
        ({"S": "1"}, {"N": "1"}, None),
        ({"BOOL": True}, {"BOOL": True}, None),
        ({"L": []}, {"L": []}, None),
        ({"SS": ["a"]}, {"SS": ["a"]}, None),
    ],
)
def test_strings_numbers_and_binaries_have_an_order(left, right, expected):
    assert compare(left, right) == expected


@pytest.mark.parametrize("tag", ["S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"])
def test_the_type_is_the_tag(tag):
    assert type_of({tag: "anything"}) == tag


NUMBERS = st.builds(
    lambda digits, exponent: Decimal(f"{digits}E{exponent}"),
    st.integers(-(10**38) + 1, 10**38 - 1),
    st.integers(-100, 80),
)


@given(NUMBERS, NUMBERS)
def test_sums_and_differences_are_exact_whatever_the_programs_context(left, right):
    with localcontext() as context:
        context.prec = 400
        expected = left + right, left - right

    with localcontext() as context:
        context.prec = 3
        found = add(left, right), subtract(left, right)

    assert found == expected


@given(NUMBERS)
def test_the_text_of_a_number_is_the_number(value):
    precision = getcontext().prec

    text = number_text(value)

    assert number(text) == value
    assert normalized({"N": text}) == {"N": text}
    assert getcontext().prec == precision


@given(st.integers(-(10**38) + 1, 10**38 - 1))
def test_whole_numbers_keep_their_digits(value):
    assert normalized({"N": str(value)}) == {"N": str(value)}
    assert number(str(value)) == Decimal(value)
