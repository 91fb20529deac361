"""The three distance functions: cases as data, and all of them again in exact fractions."""

from __future__ import annotations

import json
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_ddbthrottle._engine.vectors.distance import DISTANCE_FUNCTIONS
from pytest_ddbthrottle._engine.vectors.single_precision import GREATEST_SINGLE, narrowed, single_text

CASES = json.loads((Path(__file__).parent / "cases" / "scores.json").read_text())
NUMBERS = st.floats(width=32, allow_nan=False, allow_infinity=False)
PAIRS = st.integers(1, 8).flatmap(lambda n: st.tuples(*[st.lists(NUMBERS, min_size=n, max_size=n)] * 2))


def singles(texts):
    return [narrowed(float(text)) for text in texts]


@pytest.mark.parametrize("case", CASES, ids=[f"{case['function']}: {case['why']}" for case in CASES])
def test_a_score_is_what_the_case_says_whichever_vector_is_first(case):
    function, left, right = DISTANCE_FUNCTIONS[case["function"]], singles(case["left"]), singles(case["right"])

    assert single_text(function.score(left, right)) == case["score"]
    assert single_text(function.score(right, left)) == case["score"]


def exact(function, left, right):
    """Give a score to 60 digits, without floating point."""
    a, b = [Fraction(number) for number in left], [Fraction(number) for number in right]
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    with localcontext() as context:
        context.prec = 60

        def digits(fraction):
            return Decimal(fraction.numerator) / Decimal(fraction.denominator)

        if function == "DOT_PRODUCT":
            return digits(Fraction(dot))
        if function == "EUCLIDEAN":
            return digits(sum(((x - y) ** 2 for x, y in zip(a, b, strict=True)), Fraction(0))).sqrt()
        lengths = (
            digits(sum((x * x for x in a), Fraction(0))).sqrt() * digits(sum((x * x for x in b), Fraction(0))).sqrt()
        )
        return 1 - digits(Fraction(dot)) / lengths if lengths else Decimal(1)


@pytest.mark.parametrize("name", DISTANCE_FUNCTIONS)
@given(pair=PAIRS)
@settings(max_examples=200)
def test_a_score_is_that_of_exact_arithmetic(name, pair):
    score, expected = DISTANCE_FUNCTIONS[name].score(*pair), exact(name, *pair)

    bounded = max(-GREATEST_SINGLE, min(GREATEST_SINGLE, float(expected)))
    assert score == pytest.approx(bounded, rel=1e-6, abs=1e-7 if name == "COSINE" else 1e-37)


def test_the_greater_dot_product_is_the_nearer_and_the_lesser_distance():
    ranks = {name: function.rank(2.0) < function.rank(1.0) for name, function in DISTANCE_FUNCTIONS.items()}

    assert ranks == {"COSINE": False, "DOT_PRODUCT": True, "EUCLIDEAN": False}
