"""32-bit floating point numbers, the precision in which a vector index keeps and answers its vectors."""

from __future__ import annotations

from decimal import Decimal
from struct import pack, unpack

GREATEST_TEXT = "3.4028235E38"
"""The greatest magnitude, as the service words it. Source: Observed — eu-west-2 and us-east-1, 2026-08-12, a public
implementation's capture."""

GREATEST = Decimal(GREATEST_TEXT)
GREATEST_SINGLE = float.fromhex("0x1.fffffep127")
_PLAIN_FROM, _PLAIN_BELOW = 1e-3, 1e7
_MOST_DIGITS = 9


def fits(number: Decimal) -> bool:
    """Tell whether a number has a place among the 32-bit ones.

    >>> fits(Decimal("-3.4028235E38")), fits(Decimal("1E39"))
    (True, False)
    """
    return -GREATEST <= number <= GREATEST


def narrowed(number: float) -> float:
    """Give the nearest 32-bit number; beyond the greatest it is that one.

    >>> narrowed(0.1), narrowed(-1e300)
    (0.10000000149011612, -3.4028234663852886e+38)

    Source: Observed — eu-west-2 and us-east-1, 2026-08-13, a public implementation's capture: scores saturate.
    """
    bounded = max(-GREATEST_SINGLE, min(GREATEST_SINGLE, number))
    return float(unpack("<f", pack("<f", bounded))[0])


def single_text(number: float) -> str:
    """Give the shortest digits that name a 32-bit number, as Java writes them.

    >>> single_text(narrowed(1)), single_text(narrowed(0.1)), single_text(narrowed(12e9)), single_text(narrowed(2e-5))
    ('1.0', '0.1', '1.2E10', '2.0E-5')

    Source: Observed — eu-west-2, 2026-08, a public suite ("1" comes back as "1.0"); Assumed — exponents, as
    ``GREATEST_TEXT`` has them. A vector of 0.00002, asked back from an index, would tell.
    """
    digits = next(text for places in range(_MOST_DIGITS) if _names(text := f"{number:.{places}e}", number))
    if number == 0 or _PLAIN_FROM <= abs(number) < _PLAIN_BELOW:
        plain = format(Decimal(digits), "f")
        return plain if "." in plain else f"{plain}.0"
    mantissa, _, exponent = digits.partition("e")
    return f"{mantissa if '.' in mantissa else f'{mantissa}.0'}E{int(exponent)}"


def _names(text: str, number: float) -> bool:
    return fits(Decimal(text)) and narrowed(float(text)) == number
