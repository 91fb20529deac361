"""Each constraint of each input shape of botocore's service model, broken in a valid request.

Generated from the model: it walks every member that DynamoDB knows, at every depth, and what a newer botocore adds is walked
as well. Whatever is broken, the answer is a ValidationException or a SerializationException, which says what is wrong and
where, and nothing has changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import botocore.session
import pytest

from pytest_ddbthrottle._engine.operations.registry import OPERATIONS

GOOD = json.loads((Path(__file__).parents[1] / "stateful" / "good_requests.json").read_text())
MODELS = [botocore.session.Session().get_service_model(name) for name in ("dynamodb", "dynamodbstreams")]
LISTED = {name: model for model in MODELS for name in model.operation_names}
WALKED = sorted(OPERATIONS.keys() & LISTED.keys())


class Place(NamedTuple):
    """A place in a request: the names on its path, the request with another value there, and whether a valid one had it."""

    path: str
    request: Callable[[Any], Any]
    is_grafted: bool = False

    def below(self, step: str, request: Callable[[Any], Any], *, is_grafted: bool = False) -> Place:
        return Place(self.path + step, request, self.is_grafted or is_grafted)


class Case(NamedTuple):
    """What is broken, the request, and whether the place was put into it for that."""

    what: str
    request: Any
    is_grafted: bool


def case(place: Place, what: str, value: Any) -> Case:
    return Case(f"{place.path} {what}", place.request(value), place.is_grafted)


def least(shape: Any) -> Any:
    """Give the least value that the model allows."""
    if shape.name == "AttributeValue":
        return {"S": "a"}
    kinds: dict[str, Callable[[], Any]] = {
        "structure": lambda: {name: least(shape.members[name]) for name in shape.required_members},
        "list": lambda: [least(shape.member)],
        "map": lambda: {"abc": least(shape.value)},
        "boolean": lambda: True,
        "string": lambda: shape.enum[0] if shape.enum else "abc",
    }
    return kinds.get(shape.type_name, lambda: 1)()


def broken(shape: Any, good: Any, place: Place) -> Iterator[Case]:
    """Give a request for each constraint at and below a place; ``good`` is what a valid request has there."""
    for value in WRONG_TYPES[shape.type_name]:
        yield case(place, f"is {json.dumps(value)}", value)
    bounds = shape.metadata
    if shape.name == "AttributeValue":
        yield from (case(place, f"is {json.dumps(value)}", value) for value in WRONG_VALUES)
    elif shape.type_name == "structure":
        yield from broken_structure(shape, good, place)
    elif shape.type_name == "list":
        elements = good or [least(shape.member)]
        yield from broken_lengths(place, bounds, lambda n: elements[:1] * n)
        yield case(place, "has a null", [*elements, None])
        for element in elements:
            yield from broken(shape.member, element, place.below("[]", lambda value: place.request([value])))
    elif shape.type_name == "map":
        key, part = next(iter(good.items())) if good else ("abc", least(shape.value))
        yield from broken_lengths(place, bounds, lambda n: {f"k{i}": part for i in range(n)})
        yield from broken_lengths(place, shape.key.metadata, lambda n: {"k" * n: part}, "keys ")
        yield case(place, "has a null", {key: part, "other": None})
        yield from broken(shape.value, part, place.below("{}", lambda value: place.request({key: value})))
    elif shape.type_name == "string":
        yield from (case(place, "is none of its values", "BOGUS") for _ in shape.enum[:1])
        yield from broken_lengths(place, bounds, lambda n: "x" * n)
        yield from (case(place, "has other characters", "x!") for _ in [1] if "pattern" in bounds)
    elif shape.type_name in ("integer", "long"):
        yield from (case(place, "is too small", bounds["min"] - 1) for _ in [1] if "min" in bounds)
        yield from (case(place, "is too large", bounds["max"] + 1) for _ in [1] if "max" in bounds)


def broken_structure(shape: Any, good: Any, place: Place) -> Iterator[Case]:
    whole = good if good is not None else least(shape)
    for name, member in shape.members.items():
        if name in shape.required_members:
            without = {key: part for key, part in whole.items() if key != name}
            yield case(place, f"without {name}", without)
            yield case(place, f"with a null as {name}", {**whole, name: None})

        def put(value: Any, name: str = name) -> Any:
            return place.request({**whole, name: value})

        at = place.below(f".{name}", put, is_grafted=good is None or name not in good)
        yield from broken(member, whole.get(name), at)


def broken_lengths(place: Place, bounds: Any, value: Callable[[int], Any], of: str = "") -> Iterator[Case]:
    if bounds.get("min", 0):
        yield case(place, f"{of}too short", value(bounds["min"] - 1))
    if "max" in bounds:
        yield case(place, f"{of}too long", value(bounds["max"] + 1))


WRONG_TYPES = {
    "structure": ["x", 5, True, ["x"]],
    "map": ["x", 5, True, ["x"]],
    "list": ["x", 5, True, {"x": "x"}],
    "string": [5, 1.5, True, False, ["x"], {"x": "x"}],
    "boolean": ["true", 0, 1.5, [], {}],
    "integer": ["5", 1.5, True, False, [], {}, 2**31, -(2**31) - 1],
    "long": ["5", 1.5, True, False, [], {}, 2**63, -(2**63) - 1],
    "timestamp": ["5", True, [], {}],
    "double": ["5", True, [], {}],
    "float": ["5", True, [], {}],
}

WRONG_VALUES: list[Any] = [
    {},
    {"S": 5},
    {"N": 5},
    {"N": "five"},
    {"N": "1E126"},
    {"N": "1" * 39},
    {"B": "!"},
    {"SS": []},
    {"SS": ["a", "a"]},
    {"NS": ["1", "1.0"]},
    {"BS": "YQ=="},
    {"BOOL": "true"},
    {"NULL": False},
    {"L": {}},
    {"L": [{}]},
    {"M": []},
    {"M": {"x": {"S": "a", "N": "1"}}},
    {"S": "a", "N": "1"},
    {"X": "a"},
]
"""Values that are none, with what ``tests/engine/test_attribute_value.py`` has the texts of."""


def send(wire: Any, operation: str, request: Any) -> tuple[int, dict[str, Any]]:
    headers = {"X-Amz-Target": f"{LISTED[operation].metadata['targetPrefix']}.{operation}"}
    reply = wire.answer("https://dynamodb.us-east-1.amazonaws.com/", headers, json.dumps(request).encode())
    return reply.status_code, json.loads(reply.body)


def cases(operation: str) -> list[Case]:
    """Give the cases of an operation, each once: in a valid request that has the place already, if there is one."""
    shape = LISTED[operation].operation_model(operation).input_shape
    every = [each for good in GOOD[operation] for each in broken(shape, good, Place(operation, lambda value: value))]
    found = {each.what: each for each in sorted(every, key=lambda each: not each.is_grafted)}
    return list(found.values())


@pytest.mark.parametrize("operation", WALKED)
def test_whatever_breaks_a_constraint_is_refused_with_a_text_and_changes_nothing(
    furnished_wire, account_state, operation
):
    wire = furnished_wire()
    before = account_state(wire.engine)

    answers = [(what, *send(wire, operation, request)) for what, request, _ in cases(operation)]

    assert [answer for answer in answers if not is_refusal(*answer[1:])] == []
    assert account_state(wire.engine) == before


def is_refusal(status_code: int, reply: dict[str, Any]) -> bool:
    # A batch of statements tells the fault of a parameter in its statement's place.
    if errors := [response.get("Error") for response in reply.get("Responses", ())]:
        return all(error and error["Code"] == "ValidationError" and error["Message"] for error in errors)
    code = reply.get("__type", "").rpartition("#")[2]
    known = code in ("ValidationException", "SerializationException")
    return status_code == 400 and known and bool(reply.get("message") or reply.get("Message"))


@pytest.mark.parametrize("operation", WALKED)
def test_the_text_names_the_member_whose_constraint_is_broken(furnished_wire, operation):
    wire = furnished_wire()
    texts = {
        what: send(wire, operation, request)[1]["message"]
        for what, request, _ in cases(operation)
        if not has_wrong_type(what)
    }

    assert {what: text for what, text in texts.items() if not names(text, broken_member(what))} == {}


def has_wrong_type(what: str) -> bool:
    """Tell whether a case is one of those whose texts tell types, and not members."""
    _, _, fault = what.partition(" ")
    return fault.startswith("is ") and not fault.startswith(("is none of", "is too"))


def broken_member(what: str) -> str:
    """Give the name of the member of which a case speaks."""
    path, _, fault = what.partition(" ")
    return [*re.findall(r"\w+", path), *re.findall("^(?:without|with a null as) (.*)", fault)][-1]


def names(text: str, member: str) -> bool:
    as_words = {"TagKeys": "Tag Key"}.get(member, member)
    told = (member, member[:1].lower() + member[1:], as_words, "is not modelled by pytest-ddbthrottle yet")
    return any(part in text for part in told)
