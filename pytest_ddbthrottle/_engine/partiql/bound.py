"""A statement's literals and parameters, and its conditions and updates bound to them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_ddbthrottle._engine.attribute_value import AttributeValue
from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.condition import Condition, bound_condition
from pytest_ddbthrottle._engine.expressions.nodes import Action, Test, Value
from pytest_ddbthrottle._engine.expressions.placeholders import Placeholders
from pytest_ddbthrottle._engine.expressions.update import Update, bound_update

KIND = "PartiQL"
PARAMETER_MISMATCH = "Number of parameters in request and statement don't match."
"""Source: Observed — public reports, 2021 to 2026."""

_PREFIX = re.compile(rf"Invalid (?:{KIND}|UpdateExpression): ")


class Literals(Placeholders):
    """The values of one statement, in the place of placeholders: names stand for themselves.

    Args:
        parameters: the request's, normalised.
    """

    def __init__(self, parameters: Sequence[AttributeValue]) -> None:
        super().__init__(None, None)
        self._parameters = parameters
        self._taken = 0
        self._literals: list[AttributeValue] = []

    def add(self, value: AttributeValue) -> Value:
        """Keep a value and give the node that stands for it."""
        self._literals.append(value)
        return Value(str(len(self._literals) - 1))

    def next_parameter(self) -> AttributeValue:
        """Give the value of the next ``?``; one that the request lacks is told once the statement is read."""
        self._taken += 1
        return self._parameters[self._taken - 1] if self._taken <= len(self._parameters) else {"NULL": True}

    def check_parameters(self) -> None:
        """Check that the request has a parameter for each ``?`` and no more.

        Raises:
            ValidationException: it has not.
        """
        if self._taken != len(self._parameters):
            raise ValidationException(PARAMETER_MISMATCH)

    def name(self, kind: str, step: str) -> str:
        """Give the name itself, whatever it begins with."""
        return step

    def value(self, kind: str, placeholder: str) -> AttributeValue:
        """Give a value that was kept."""
        return self._literals[int(placeholder)]


def condition_of(test: Test, literals: Literals) -> Condition:
    """Bind a WHERE clause.

    Raises:
        ValidationException: the text that the item operations have for it, without the words that name an expression.

    Source: Observed — eu-west-2, 2026-10, a public conformance suite.
    """
    try:
        return bound_condition(KIND, test, literals)
    except ValidationException as error:
        raise ValidationException(_PREFIX.sub("", error.message)) from None


def update_of(actions: Sequence[Action], literals: Literals) -> Update:
    """Bind the SET and REMOVE clauses.

    Raises:
        ValidationException: as ``condition_of``.
    """
    try:
        return bound_update(actions, literals)
    except ValidationException as error:
        raise ValidationException(_PREFIX.sub("", error.message)) from None
