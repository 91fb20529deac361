"""What a WHERE clause says of keys: the one item of a write, or the item collections that a SELECT has to read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from pytest_ddbthrottle._engine.attribute_value import AttributeValue, equal
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.key_condition import SortCondition
from pytest_ddbthrottle._engine.expressions.nodes import (
    Between,
    Call,
    Comparison,
    In,
    Junction,
    Not,
    Operand,
    Path,
    Test,
    Value,
)
from pytest_ddbthrottle._engine.partiql.bound import Literals

INCOMPLETE_KEY = "Where clause does not contain a mandatory equality on all key attributes"
TWO_VALUES = "Multiple conditions on same key {}. Only single item Update/Insert/Delete are supported"
TOO_MANY_READS = "Too many decomposed read operations for a given query."
MAX_PARTITION_VALUES = 50
"""In one SELECT. Source: Documented — Developer Guide, "PartiQL select statements", IN, read 2026-12-07."""

_MIRRORED = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True, slots=True)
class CollectionRead:
    """One item collection, and the condition on its sort key that bounds the read."""

    partition_value: AttributeValue
    sort: SortCondition | None = None


@dataclass(frozen=True, slots=True)
class ReadPlan:
    """How a SELECT finds its items.

    Attributes:
        reads: the item collections to read; None for a scan.
        is_exact: whether the reads give what WHERE says, and nothing has to be filtered.
        residue: the conditions that filter a read which the whole clause keys; empty where an OR or nothing keys it.
    """

    reads: tuple[CollectionRead, ...] | None
    is_exact: bool
    residue: tuple[Test, ...] = ()


def operands_of(test: Test) -> Sequence[Test | Operand]:
    """Give what a condition is made of."""
    if isinstance(test, (Junction, Call)):
        return test.operands
    if isinstance(test, Comparison):
        return test.left, test.right
    if isinstance(test, Between):
        return test.operand, test.low, test.high
    return (test.operand, *test.options) if isinstance(test, In) else (test.operand,)


def attribute_names(tests: Iterable[Test | Operand]) -> dict[str, None]:
    """Give the attributes that some conditions name, in the order of the text."""
    names: dict[str, None] = {}
    for test in tests:
        if isinstance(test, Path):
            names[str(test.steps[0])] = None
        elif isinstance(test, (Junction, Call, Comparison, Between, In, Not)):
            names.update(attribute_names(operands_of(test)))
    return names


def conjuncts(test: Test | None) -> list[Test]:
    """Give the conditions that must all hold, parentheses resolved."""
    if test is None:
        return []
    if isinstance(test, Junction) and test.operator == "AND":
        return [part for operand in test.operands for part in conjuncts(operand)]
    return [test]


def key_of_where(
    where: Test | None, key_names: Sequence[str], literals: Literals
) -> tuple[dict[str, AttributeValue], bool]:
    """Give the key that a WHERE clause names by equality, and whether it says anything else.

    Args:
        where: the clause.
        key_names: the table's key attributes.
        literals: the statement's values.

    Raises:
        ValidationException: an attribute of the key is missing, or has two values.
    """
    key: dict[str, AttributeValue] = {}
    says_more = False
    for test in conjuncts(where):
        found = _comparison(test, key_names, literals)
        if found is None or found.operator != "=":
            says_more = True
        elif not equal(key.setdefault(found.name, found.operands[0]), found.operands[0]):
            raise ValidationException(TWO_VALUES.format(found.name))
    if len(key) < len(key_names):
        raise ValidationException(INCOMPLETE_KEY)
    return key, says_more


def equalities(where: Test | None, literals: Literals) -> dict[str, AttributeValue]:
    """Give the attributes that a WHERE clause says the values of; of several values the first."""
    found: dict[str, AttributeValue] = {}
    for test in conjuncts(where):
        condition = _comparison(test, attribute_names([test]), literals)
        if condition is not None and condition.operator == "=":
            found.setdefault(condition.name, condition.operands[0])
    return found


def read_plan(where: Test | None, partition_name: str, sort_name: str | None, literals: Literals) -> ReadPlan:
    """Give the item collections that a WHERE clause confines a SELECT to.

    A clause of ORs does so where each of its branches gives the partition key.

    Raises:
        ValidationException: there are more than 50.

    Source: Documented — Developer Guide, "PartiQL select statements", read 2026-12-07 (equality, IN, and OR of either).
    Assumed — of several conditions on the sort key the first bounds the read, and the others filter.
    """
    is_junction = isinstance(where, Junction) and where.operator == "OR"
    branches: Sequence[Test | None] = where.operands if isinstance(where, Junction) and is_junction else (where,)
    reads: list[CollectionRead] = []
    residue: list[Test] = []
    for branch in branches:
        found = _branch_reads(conjuncts(branch), partition_name, sort_name, literals)
        if found is None:
            return ReadPlan(None, is_exact=where is None)
        reads += found[0]
        residue += found[1]
    distinct = _distinct(reads)
    if len(distinct) > MAX_PARTITION_VALUES:
        raise ValidationException(TOO_MANY_READS)
    return ReadPlan(tuple(distinct), not residue, () if is_junction else tuple(residue))


def _distinct(reads: Iterable[CollectionRead]) -> list[CollectionRead]:
    distinct: list[CollectionRead] = []
    for read in reads:
        if not any(read == other for other in distinct):
            distinct.append(read)
    return distinct


def _branch_reads(
    tests: Sequence[Test], partition_name: str, sort_name: str | None, literals: Literals
) -> tuple[list[CollectionRead], list[Test]] | None:
    values: list[AttributeValue] | None = None
    sort: SortCondition | None = None
    residue: list[Test] = []
    for test in tests:
        if values is None and (found := _partition_values(test, partition_name, literals)) is not None:
            values = found
        elif sort is None and sort_name is not None and (bound := _comparison(test, [sort_name], literals)) is not None:
            sort = bound
        else:
            residue.append(test)
    return None if values is None else ([CollectionRead(value, sort) for value in values], residue)


def _partition_values(test: Test, name: str, literals: Literals) -> list[AttributeValue] | None:
    if isinstance(test, In) and test.operand == Path((name,)):
        options = [option for option in test.options if isinstance(option, Value)]
        return (
            [literals.value("", option.placeholder) for option in options]
            if len(options) == len(test.options)
            else None
        )
    found = _comparison(test, [name], literals)
    return list(found.operands) if found is not None and found.operator == "=" else None


def _comparison(test: Test, names: Collection[str], literals: Literals) -> SortCondition | None:
    """Give a condition that a key condition can express on one of these attributes, or None."""
    operator, operands = "", list[Operand]()
    if isinstance(test, Comparison) and test.operator in _MIRRORED:
        mirrored = isinstance(test.left, Value)
        operator = _MIRRORED[test.operator] if mirrored else test.operator
        operands = [test.right, test.left] if mirrored else [test.left, test.right]
    elif isinstance(test, Between):
        operator, operands = "BETWEEN", [test.operand, test.low, test.high]
    elif isinstance(test, Call) and test.function == "begins_with" and len(test.operands) == 2:
        operator, operands = "begins_with", list(test.operands)
    if not operands or not isinstance(operands[0], Path) or operands[0].steps[0] not in names:
        return None
    values = [operand for operand in operands[1:] if isinstance(operand, Value)]
    if len(operands[0].steps) > 1 or len(values) < len(operands) - 1:
        return None
    return SortCondition(
        str(operands[0].steps[0]), operator, tuple(literals.value("", value.placeholder) for value in values)
    )
