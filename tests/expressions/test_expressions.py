"""The expression languages against the cases in ``cases/``: an item, an expression, a result or the error's whole text.

A file is a list of groups. A group has a topic, and what its cases share: ``given`` (the item), ``names``, ``values``,
``partition_key``, ``sort_key``, ``keys``; ``kind`` is the request's member, where that is not a filter's;
``whole_request`` says that no other expression uses its placeholders. A case has its ``expression``, a ``result`` or an
``error``, and may bring names and values of its own. A file's name begins with its language:
``EXPRESSION_CASES=update`` runs those of one.
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
    return condition(case["expression"], placeholders, case.get("kind", "FilterExpression")).matches(
        case.get("given", {})
    )


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
        result = next(result for language, result in RESULTS.items() if file.stem.startswith(language))
        for group in json.loads(file.read_text(encoding="utf-8")):
            shared = {member: value for member, value in group.items() if member != "cases"}
            for case in group["cases"]:
                own = "".join(f" with {json.dumps(case[member])}" for member in ("names", "values") if member in case)
                name = f"{file.stem}: {group['topic']}: {case['expression']}{own}"
                yield pytest.param(result, {**shared, **case}, id=name)


@pytest.mark.parametrize(("result", "case"), list(cases()))
def test_an_expression_gives_what_the_service_gives(result, case):
    given = deepcopy(case.get("given"))
    placeholders = Placeholders(case.get("names"), case.get("values"))

    try:
        found = {"result": result(case, placeholders)}
        if case.get("whole_request"):
            placeholders.check_all_used()
    except ValidationException as error:
        found = {"error": error.message}

    assert found == {member: case[member] for member in ("result", "error") if member in case}
    assert case.get("given") == given, "the old item stays as it is"


def test_there_are_at_least_600_cases_and_each_has_a_name_of_its_own():
    names = [case.id for case in cases()]

    assert len(names) >= 600 or WANTED
    assert sorted({name for name in names if names.count(name) > 1}) == []
