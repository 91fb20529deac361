"""SearchConditionExpression: equalities joined by AND, of attributes that a vector index's ``SearchSchema`` names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pytest_ddbthrottle._engine.attribute_value import AttributeValue, Item, equal, type_of
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.nodes import Comparison, Junction, Path, Test, Value
from pytest_ddbthrottle._engine.expressions.operands import bind_simple
from pytest_ddbthrottle._engine.expressions.parser import parse_test
from pytest_ddbthrottle._engine.expressions.paths import shown
from pytest_ddbthrottle._engine.expressions.placeholders import Placeholders
from pytest_ddbthrottle._engine.vector_index import HASH, SearchElement, VectorIndex

KIND = "SearchConditionExpression"
WRONG_COMPARATOR = f"Invalid {KIND}: Invalid comparator used in {KIND}"
WRONG_OPERATOR = f"Invalid {KIND}: Invalid operator used in {KIND}"
NEEDED = f"{KIND} must be provided when SearchSchema has a HASH key"
NOT_IN_SCHEMA = f"{KIND} must not contain any attributes that is not in SearchSchema. Invalid attribute: {{name}}"
WRONG_TYPE = f"Type of '{{name}}' attribute in {KIND} ({{actual}}) does not match type in search schema ({{expected}})"
EMPTY_KEY = (
    "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty {kind} "
    "value. Key: {name}"
)
"""Source: Observed — eu-west-2, us-east-1 and us-west-2, 2026-08-11 to 2026-08-21, public suites and a public project's
measurements."""


@dataclass(frozen=True, slots=True)
class SearchCondition:
    """The equalities of one search: pairs of a top-level attribute, as it is written, and its value."""

    equalities: tuple[tuple[str, AttributeValue], ...] = ()

    def bound(self, index: VectorIndex) -> BoundSearch:
        """Give what a search of an index looks at.

        Raises:
            ValidationException: an attribute is not in the index's ``SearchSchema``, its value has another type, or the
                value of the partition key is missing.

        Source: Observed — as the texts; Assumed — types of inline filters (as of the partition key), a condition without
        the partition key (as none at all), and two values of one attribute, which match nothing.
        """
        elements: Mapping[str, SearchElement] = {element.name: element for element in index.search_schema}
        for name, value in self.equalities:
            if name not in elements:
                raise ValidationException(NOT_IN_SCHEMA.format(name=name))
            _check_value(elements[name], value)
        partition = index.partition
        partition_values = [value for name, value in self.equalities if partition and name == partition.name]
        if partition is not None and not partition_values:
            raise ValidationException(NEEDED)
        return BoundSearch(self.equalities, partition_values[0] if partition_values else None)


@dataclass(frozen=True, slots=True)
class BoundSearch:
    """What a search looks at: one partition, where the index has partitions, and what its entries must hold."""

    equalities: Sequence[tuple[str, AttributeValue]]
    partition_value: AttributeValue | None

    def matches(self, item: Item) -> bool:
        """Tell whether an entry holds all values."""
        return all(name in item and equal(item[name], value) for name, value in self.equalities)


def search_condition(text: str, placeholders: Placeholders) -> SearchCondition:
    """Bind a condition to a request's placeholders.

    Args:
        text: ``SearchConditionExpression``.
        placeholders: those of the request.

    Raises:
        ValidationException: the service's text for the first fault.

    Source: Observed — as the texts: another comparator comes before an attribute that is not in the schema. Assumed —
    functions, OR and NOT are operators, a value may stand on either side, and two operands of one kind are no comparison.

    >>> search_condition("tenant = :t", Placeholders(None, {":t": {"S": "a"}})).equalities
    (('tenant', {'S': 'a'}),)
    """
    placeholders.check()
    comparisons = list(_comparisons(parse_test(KIND, text)))
    if any(comparison.operator != "=" for comparison in comparisons):
        raise ValidationException(WRONG_COMPARATOR)
    return SearchCondition(tuple(_equality(comparison, placeholders) for comparison in comparisons))


def _comparisons(test: Test) -> Iterator[Comparison]:
    if isinstance(test, Junction) and test.operator == "AND":
        for operand in test.operands:
            yield from _comparisons(operand)
    elif isinstance(test, Comparison):
        yield test
    else:
        raise ValidationException(WRONG_OPERATOR)


def _equality(comparison: Comparison, placeholders: Placeholders) -> tuple[str, AttributeValue]:
    sides = (comparison.left, comparison.right)
    bound = [bind_simple(KIND, side, placeholders) for side in sides if isinstance(side, Path | Value)]
    paths = [operand.path for operand in bound if operand.path is not None]
    literals = [operand.literal for operand in bound if operand.literal is not None]
    if not (paths and literals):
        raise ValidationException(WRONG_COMPARATOR)
    return str(paths[0][0]) if len(paths[0]) == 1 else shown(paths[0]), literals[0]


def _check_value(element: SearchElement, value: AttributeValue) -> None:
    actual = type_of(value)
    if actual != element.type:
        raise ValidationException(WRONG_TYPE.format(name=element.name, actual=actual, expected=element.type))
    if element.role == HASH and value[actual] == "":
        raise ValidationException(EMPTY_KEY.format(kind="string" if actual == "S" else "binary", name=element.name))
