"""What is wrong with an expression whatever the request's placeholders mean: functions, then reserved words.

The service looks at the whole text for one kind of fault before it looks for the next, and at placeholders last. As
nothing here depends on them, what has passed is cached with the text.

Source: Observed — us-east-1, until 2022, a public suite recorded against the service; eu-west-2, 2026.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.nodes import (
    Action,
    Arithmetic,
    Between,
    Call,
    Comparison,
    In,
    Junction,
    Not,
    Operand,
    Path,
    Test,
)
from pytest_ddbthrottle._engine.expressions.reserved_words import RESERVED_WORDS

Node = Test | Operand

CONDITION_FUNCTIONS = frozenset(
    {"attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains"}
)
"""Functions that are conditions; ``size`` alone is an operand."""

UPDATE_FUNCTIONS = frozenset({"if_not_exists", "list_append"})
FUNCTIONS = CONDITION_FUNCTIONS | UPDATE_FUNCTIONS | {"size"}


def check_test(kind: str, test: Test) -> None:
    """Check a condition, filter or key condition.

    Raises:
        ValidationException: a function that does not exist, or stands in a wrong place, or a reserved word.
    """
    nodes = list(_within(test))
    calls = [node for node in nodes if isinstance(node, Call)]
    _check_functions(kind, calls, UPDATE_FUNCTIONS, "a condition")
    tests = {id(node) for node in _tests(test)}
    for call in calls:
        if (call.function in CONDITION_FUNCTIONS) != (id(call) in tests):
            raise ValidationException(
                f"Invalid {kind}: The function is not allowed to be used this way in an expression; "
                f"function: {call.function}"
            )
    check_paths(kind, (node for node in nodes if isinstance(node, Path)))


def check_actions(kind: str, actions: Sequence[Action]) -> None:
    """Check an update.

    Raises:
        ValidationException: a reserved word, a function that does not exist or is no update's, or a section twice.
    """
    nodes = [node for action in actions for part in (action.path, action.operand) if part for node in _within(part)]
    check_paths(kind, (node for node in nodes if isinstance(node, Path)))
    calls = [node for node in nodes if isinstance(node, Call)]
    _check_functions(kind, calls, FUNCTIONS - UPDATE_FUNCTIONS, "an update")
    opened = [action.section for action in actions if action.opens_section]
    for section in opened:
        if opened.count(section) > 1:
            raise ValidationException(
                f'Invalid {kind}: The "{section}" section can only be used once in an update expression;'
            )


def check_paths(kind: str, paths: Iterable[Path]) -> None:
    """Check that no bare name is a reserved word.

    Raises:
        ValidationException: naming the first that is.
    """
    for path in paths:
        for step in path.steps:
            if isinstance(step, str) and step.upper() in RESERVED_WORDS:
                raise ValidationException(
                    f"Invalid {kind}: Attribute name is a reserved keyword; reserved keyword: {step}"
                )


def _check_functions(kind: str, calls: Sequence[Call], foreign: frozenset[str], language: str) -> None:
    for call in calls:
        if call.function not in FUNCTIONS:
            raise ValidationException(f"Invalid {kind}: Invalid function name; function: {call.function}")
        if call.function in foreign:
            raise ValidationException(
                f"Invalid {kind}: The function is not allowed in {language} expression; function: {call.function}"
            )


def _within(node: Node) -> Iterator[Node]:
    """Give a node and all below it, in the order of the text."""
    yield node
    for part in _parts(node):
        yield from _within(part)


def _parts(node: Node) -> Sequence[Node]:
    if isinstance(node, (Junction, Call)):
        return node.operands
    if isinstance(node, (Comparison, Arithmetic)):
        return node.left, node.right
    if isinstance(node, Between):
        return node.operand, node.low, node.high
    if isinstance(node, In):
        return node.operand, *node.options
    return (node.operand,) if isinstance(node, Not) else ()


def _tests(test: Test) -> Iterator[Test]:
    """Give the conditions that a condition is made of, itself among them."""
    yield test
    if isinstance(test, (Junction, Not)):
        for part in _parts(test):
            yield from _tests(part)  # type: ignore[arg-type]  # what AND, OR and NOT join are conditions
