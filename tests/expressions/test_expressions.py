"""The expression languages against the cases in ``cases/``: an item, an expression, a result or the error's whole text.

A file is a list of groups. A group has a topic, and what its cases share: ``given`` (the item), ``names``, ``values``,
``partition_key``, ``sort_key``, ``keys``. A case has its ``expression``, a ``result`` or an ``error``, and may bring
names and values of its own. ``EXPRESSION_CASES=update`` runs the files whose name begins so.
"""

from __future__ import annotations

import json
import os
from copy import deepcopy
from pathlib import Path

import pytest

from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.condition import condition
from pytest_ddbthrottle._engine.expressions.key_condition import key_condition
from pytest_ddbthrottle._engine.expressions.placeholders import Placeholders
from pytest_ddbthrottle._engine.expressions.projection import projection
from pytest_ddbthrottle._engine.expressions.update import update

CASES = Path(__file__).parent / "cases"
WANTED = os.environ.get("EXPRESSION_CASES", "")


def condition_result(case, placeholders):
    return condition(case["expression"], placeholders, "FilterExpression").matches(case.get("given", {}))


def key_condition_result(case, placeholders):
    bound = key_condition(case["expression"], placeholders, case["partition_key"], case["sort_key"])
    sort = [[name, operator, list(operands)] for name, operator, operands in bound.sort]
    return {"partition": list(bound.partition_values), "sort": sort}


def projection_result(case, placeholders):
    return projection(case["expression"], placeholders).apply(case.get("given", {}))


def update_result(case, placeholders):
    bound = update(case["expression"], placeholders)
    bound.check_keys(case.get("keys", ()))
    return bound.apply(case.get("given", {}))


RESULTS = {
    "condition": condition_result,
    "key_condition": key_condition_result,
    "projection": projection_result,
    "update": update_result,
}


def cases():
    for file in sorted(CASES.glob(f"{WANTED}*.json")):
        result = RESULTS[file.stem.removesuffix("_errors")]
        for group in json.loads(file.read_text(encoding="utf-8")):
            shared = {member: value for member, value in group.items() if member != "cases"}
            for case in group["cases"]:
                yield pytest.param(
                    result, {**shared, **case}, id=f"{file.stem}: {group['topic']}: {case['expression']}"
                )


def test_the_cases_are_many_and_none_is_there_twice():
    asked = [json.dumps(case.values[1], sort_keys=True) for case in cases()]

    assert len(asked) >= 600 or WANTED
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize(("result", "case"), list(cases()))
def test_an_expression_gives_what_the_service_gives(result, case):
    given = deepcopy(case.get("given"))
    placeholders = Placeholders(case.get("names"), case.get("values"))

    try:
        found = {"result": result(case, placeholders)}
    except ValidationException as error:
        found = {"error": error.message}

    assert found == {member: case[member] for member in ("result", "error") if member in case}
    assert case.get("given") == given, "the old item stays as it is"
