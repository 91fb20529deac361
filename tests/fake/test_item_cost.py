"""What an item costs: the documented examples, and the edges of a unit."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pytest_ddbthrottle import item_size_bytes, read_units, write_units


@pytest.mark.parametrize(
    ("item", "size_bytes"),
    [
        ({"Shirt-Color": "R", "Shirt-Size": "M"}, 23),
        ({"Shirt-Color": {"S": "R"}, "Shirt-Size": {"S": "M"}}, 23),
        ({"a": "é"}, 3),
        ({"a": b"123"}, 4),
        ({"a": True, "b": None}, 4),
        ({"a": {"x", "yz"}}, 4),
        ({"a": []}, 4),
        ({"a": {}}, 4),
        ({}, 0),
    ],
)
def test_an_item_is_its_names_and_values(item, size_bytes):
    assert item_size_bytes(item) == size_bytes


def test_plain_and_wire_form_weigh_the_same():
    plain = {"pk": "a", "n": Decimal("12.50"), "l": [1, "x", {"k": b"v"}], "s": {1, 2}}
    wire = {
        "pk": {"S": "a"},
        "n": {"N": "12.50"},
        "l": {"L": [{"N": "1"}, {"S": "x"}, {"M": {"k": {"B": "dg=="}}}]},
        "s": {"NS": ["1", "2"]},
    }

    assert item_size_bytes(plain) == item_size_bytes(wire)


@pytest.mark.parametrize(
    ("size_bytes", "eventual", "strong", "transactional"),
    [
        (0, 0.5, 1, 2),
        (1, 0.5, 1, 2),
        (4096, 0.5, 1, 2),
        (4097, 1, 2, 4),
        (20_005, 2.5, 5, 10),
        (409_600, 50, 100, 200),
    ],
)
def test_a_read_unit_is_4_kib_and_half_of_it_eventually(size_bytes, eventual, strong, transactional):
    assert read_units(size_bytes) == eventual
    assert read_units(size_bytes, consistent=True) == strong
    assert read_units(size_bytes, transactional=True) == transactional


@pytest.mark.parametrize(("size_bytes", "units"), [(0, 1), (1, 1), (1024, 1), (1025, 2), (409_600, 400)])
def test_a_write_unit_is_1_kib_and_twice_that_in_a_transaction(size_bytes, units):
    assert write_units(size_bytes) == units
    assert write_units(size_bytes, transactional=True) == 2 * units


@pytest.mark.parametrize("function", [read_units, write_units])
def test_a_negative_size_is_an_error(function):
    with pytest.raises(ValueError, match=r"^size_bytes=-1: at least 0 is needed$"):
        function(-1)


def test_an_item_that_is_none_is_an_error_with_the_services_text():
    with pytest.raises(ValueError, match="An number set  may not be empty"):
        item_size_bytes({"a": {"NS": []}})
