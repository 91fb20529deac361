"""What a write may not store in a table with vector indexes: vectors that an index can't hold, and its filters' types."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Context, Decimal

from pytest_ddbthrottle._engine.attribute_value import MAX_SIGNIFICANT_DIGITS, AttributeValue, type_of
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.keys import check_not_empty
from pytest_ddbthrottle._engine.tables import Table
from pytest_ddbthrottle._engine.vector_index import HASH, SearchElement, VectorIndex
from pytest_ddbthrottle._engine.vectors.single_precision import GREATEST_TEXT, fits

_INVALID = "One or more parameter values were invalid. "
NOT_A_LIST = (
    f"{_INVALID}Invalid type for parameter {{place}}, Expected: 32-bit floating point number list IndexName: {{index}}"
)
NOT_A_NUMBER = (
    f"{_INVALID}Invalid type for parameter {{place}}, Expected: 32-bit floating point number, Actual: {{actual}}. "
    "IndexName: {index}"
)
WRONG_SIZE = (
    f"{_INVALID}Invalid size for parameter {{place}}, Expected: {{expected}}, Actual: {{actual}} IndexName: {{index}}"
)
OUT_OF_RANGE = (
    f"{_INVALID}Invalid value for parameter {{place}}, Value: {{value}} is outside valid range "
    f"[-{GREATEST_TEXT}, {GREATEST_TEXT}]. IndexName: {{index}}"
)
WRONG_TYPE = (
    f"{_INVALID}Attribute '{{place}}' type mismatch. Expected: {{expected}}, Actual: {{actual}}. IndexName: {{index}}"
)
"""Source: Observed — eu-west-2, 2026-08-11, a public conformance suite, and eu-west-2 and us-east-1, 2026-08-12, a public
implementation's capture."""

_EXACT = Context(prec=MAX_SIGNIFICANT_DIGITS)


def check_vectors(table: Table, item: Mapping[str, AttributeValue], *, updated: bool = False) -> None:
    """Check what an item holds of vectors and of the attributes that searches filter by; absence is fine.

    Args:
        table: its table.
        item: the item to store, or what an update changes of it.
        updated: whether an update made it.

    Raises:
        ValidationException: the service's text for the first fault, of the first index by name.

    Source: Documented — API Reference, PutItem, read 2026-12-07 (vectors, and the types of both kinds of filters);
    Assumed — vectors before filters, the text about an inline filter (as about a partition key, which is known), and that
    an inline filter may be empty. Puts with two faults, and of an empty inline filter, would tell.
    """
    for name in sorted(table.vector_indexes):
        index = table.vector_indexes[name]
        if index.vector_attribute in item:
            _check_vector(index, item[index.vector_attribute])
        for element in index.search_schema:
            if element.name in item:
                _check_filter(index, element, item[element.name], updated=updated)


def _check_vector(index: VectorIndex, value: AttributeValue) -> None:
    place = index.vector_attribute
    if "L" not in value:
        raise ValidationException(NOT_A_LIST.format(place=place, index=index.name))
    for number, element in enumerate(value["L"]):
        if "N" not in element:
            raise ValidationException(
                NOT_A_NUMBER.format(place=f"{place}[{number}]", actual=type_of(element), index=index.name)
            )
        if not fits(Decimal(element["N"])):
            shown = _EXACT.normalize(Decimal(element["N"]))
            raise ValidationException(OUT_OF_RANGE.format(place=f"{place}[{number}]", value=shown, index=index.name))
    if len(value["L"]) != index.dimensions:
        raise ValidationException(
            WRONG_SIZE.format(place=place, expected=index.dimensions, actual=len(value["L"]), index=index.name)
        )


def _check_filter(index: VectorIndex, element: SearchElement, value: AttributeValue, *, updated: bool) -> None:
    actual = type_of(value)
    if actual != element.type:
        raise ValidationException(
            WRONG_TYPE.format(place=element.name, expected=element.type, actual=actual, index=index.name)
        )
    if element.role == HASH:
        check_not_empty(index.name, element.name, value, updated=updated)
