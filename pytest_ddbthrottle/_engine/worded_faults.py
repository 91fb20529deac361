"""What the request alone shows to be wrong with values and parameters: in the wording of the operation.

The service is replacing the layer that checks values and parameters, operation by operation. What an operation runs decides
the wording, wherever a value stands: in an item, a key, a placeholder, a legacy parameter, a set, or further down.

Source: Observed — eu-west-2, us-east-1, eu-west-1 and us-west-2, 2026-10-09, a public conformance suite (numbers, sets; in
transactions eu-west-2 has the current wording already, the other three the older one, as here); eu-west-2 and us-east-1, the
same day (parameters).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

from pytest_ddbthrottle._engine.errors import ValidationException

INVALID = "One or more parameter values were invalid: "
TOO_MANY_DIGITS = "Attempting to store more than 38 significant digits in a Number"
OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
UNDERFLOW = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
NOT_A_NUMBER = "The parameter cannot be converted to a numeric value"
EMPTY_SETS = {
    "SS": f"{INVALID}An string set  may not be empty",
    "NS": f"{INVALID}An number set  may not be empty",
    "BS": f"{INVALID}Binary sets should not be empty",
}
ONE_ERROR = "1 validation error detected: "


class WordedFault(ValidationException):
    """A fault that each operation tells in its own wording; the message is the older one.

    Args:
        message: the older wording: that of batches of writes, of transactions, and of Scan.
        current: the current one, where that is another: that of writes and reads of single items, of BatchGetItem, and of
            Query.
    """

    code = ValidationException.__name__

    def __init__(self, message: str, current: str | None = None) -> None:
        super().__init__(message)
        self.current = message if current is None else current


def not_a_number(text: str) -> WordedFault:
    """Give the fault of a text that says no number.

    >>> not_a_number("").message, not_a_number("").current
    ('The parameter cannot be converted to a numeric value', 'The parameter cannot be converted to a numeric value: ')
    """
    return WordedFault(f"{NOT_A_NUMBER}: {text}" if text else NOT_A_NUMBER, f"{NOT_A_NUMBER}: {text}")


def repeated_member(tag: str, members: Sequence[str], order: Callable[[str], Any]) -> WordedFault:
    """Give the fault of a set in which a member is repeated.

    Args:
        tag: the set's type.
        members: the members as they were sent.
        order: gives what a member sorts by; the current wording sorts up to the first that is repeated.

    >>> repeated_member("SS", ["b", "a", "b"], str).current
    'One or more parameter values were invalid: Input collection ["a", "b", "b"] contains duplicates.'
    """
    if tag == "NS":
        return WordedFault("Input collection contains duplicates", f"{INVALID}Input collection contains duplicates.")
    first = next(place for place, member in enumerate(members) if member in members[:place])
    sorted_members = [*sorted(members[:first], key=order), *members[first:]]
    of_type, comma = ("of type BS", ",") if tag == "BS" else ("", ", ")
    quoted = comma.join(f'"{member}"' for member in sorted_members)
    return WordedFault(
        f"{INVALID}Input collection [{', '.join(members)}]{of_type} contains duplicates.",
        f"{INVALID}Input collection [{quoted}]{of_type} contains duplicates.",
    )


Run = Callable[[Any, Mapping[str, Any]], Any]


def in_current_wording(run: Run, envelope: str = "") -> Run:
    """Give an operation that tells such faults in the current wording.

    Args:
        run: the operation.
        envelope: what stands before the text: ``ONE_ERROR`` for a write of one item, nothing for a read.
    """

    @wraps(run)
    def worded(context: Any, request: Mapping[str, Any]) -> Any:
        try:
            return run(context, request)
        except WordedFault as fault:
            raise ValidationException(envelope + fault.current) from None

    return worded
