"""How near one vector is to another: the three distance functions of vector indexes.

Sums are exact and in double precision; a score is then the nearest 32-bit number.

Source: Documented — API Reference, SearchVectors, and Developer Guide, "Using vector indexes", read 2026-12-07 (what the
functions are, and which end is near); Observed — eu-west-2 and us-east-1, 2026-08-11 to 2026-08-13, a public
implementation's capture (precision, saturation, and a vector of zeros).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from operator import mul
from types import MappingProxyType

from pytest_ddbthrottle._engine.vectors.single_precision import narrowed

Vector = Sequence[float]

FARTHEST_COSINE = 2.0
COSINE_OF_ZEROS = 1.0
"""The score of a vector of zeros, which has no direction. Source: Observed — as above."""


def _dot(left: Vector, right: Vector) -> float:
    return fsum(map(mul, left, right))


def _cosine(left: Vector, right: Vector) -> float:
    lengths = sqrt(_dot(left, left)) * sqrt(_dot(right, right))
    if not lengths:
        return COSINE_OF_ZEROS
    return min(FARTHEST_COSINE, max(0.0, 1 - _dot(left, right) / lengths))


def _euclidean(left: Vector, right: Vector) -> float:
    return sqrt(fsum((mine - other) ** 2 for mine, other in zip(left, right, strict=True)))


@dataclass(frozen=True, slots=True)
class DistanceFunction:
    """One way to compare vectors; ``greater_is_nearer`` says which end of its scores is the near one."""

    compare: Callable[[Vector, Vector], float]
    greater_is_nearer: bool = False

    def score(self, left: Vector, right: Vector) -> float:
        """Give the score of two vectors of one length.

        >>> DISTANCE_FUNCTIONS["EUCLIDEAN"].score([0, 0], [3, 4])
        5.0
        """
        return narrowed(self.compare(left, right))

    def rank(self, score: float) -> float:
        """Give what results are sorted by, nearest first."""
        return -score if self.greater_is_nearer else score


DISTANCE_FUNCTIONS: Mapping[str, DistanceFunction] = MappingProxyType(
    {
        "COSINE": DistanceFunction(_cosine),
        "DOT_PRODUCT": DistanceFunction(_dot, greater_is_nearer=True),
        "EUCLIDEAN": DistanceFunction(_euclidean),
    }
)
