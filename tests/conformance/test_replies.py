"""The reply of each operation that botocore lists, against the output shape that its service model gives.

Generated from the model: an operation of a newer botocore fails here until ``tests/stateful/good_requests.json`` has a valid
request for it, or ``docs/unsupported.md`` says that it is not modelled, which is then what it must answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import botocore.session
import pytest

TESTS = Path(__file__).parents[1]
GOOD = json.loads((TESTS / "stateful" / "good_requests.json").read_text())
UNSUPPORTED = (TESTS.parent / "docs" / "unsupported.md").read_text().partition("## Parameters")[0]
NOT_MODELLED = set(re.findall(r"`([A-Z]\w+)`", UNSUPPORTED))
MODELS = [botocore.session.Session().get_service_model(name) for name in ("dynamodb", "dynamodbstreams")]
LISTED = {name: model for model in MODELS for name in model.operation_names}

NEEDED = {"GetResourcePolicy": [("PutResourcePolicy", GOOD["PutResourcePolicy"][0])]}
"""What comes before an operation's valid requests, beside the furnished account."""

KINDS: dict[str, type | tuple[type, ...]] = {
    "structure": dict,
    "map": dict,
    "list": list,
    "string": str,
    "blob": str,
    "boolean": bool,
    "integer": int,
    "long": int,
    "double": (int, float),
    "timestamp": (int, float),
}


def faults(shape: Any, value: Any, path: str) -> Iterator[str]:
    """Give a line for each place at which a reply is not what the model says."""
    is_truth = isinstance(value, bool) and shape.type_name != "boolean"
    if is_truth or not isinstance(value, KINDS[shape.type_name]):
        yield f"{path}: {value!r} is no {shape.type_name}"
    elif shape.type_name == "structure":
        yield from (f"{path}.{name}: absent" for name in shape.required_members if name not in value)
        yield from (f"{path}.{name}: unknown to the model" for name in value if name not in shape.members)
        if shape.name == "AttributeValue" and len(value) != 1:
            yield f"{path}: {sorted(value)} is not one type"
        for name in value.keys() & shape.members.keys():
            yield from faults(shape.members[name], value[name], f"{path}.{name}")
    elif shape.type_name == "map":
        for name, part in value.items():
            yield from faults(shape.value, part, f"{path}{{{name}}}")
    elif shape.type_name == "list":
        for number, part in enumerate(value):
            yield from faults(shape.member, part, f"{path}[{number}]")
    elif getattr(shape, "enum", None) and value not in shape.enum:
        yield f"{path}: {value!r} is none of {shape.enum}"


def send(wire: Any, operation: str, request: Any) -> tuple[int, dict[str, Any]]:
    headers = {"X-Amz-Target": f"{LISTED[operation].metadata['targetPrefix']}.{operation}"}
    reply = wire.answer("https://dynamodb.us-east-1.amazonaws.com/", headers, json.dumps(request).encode())
    return reply.status_code, json.loads(reply.body)


@pytest.mark.parametrize(
    ("operation", "number"), [(name, n) for name in sorted(LISTED) for n in range(len(GOOD.get(name, [])))]
)
def test_a_reply_has_the_shape_of_the_service_model(furnished_wire, operation, number):
    wire = furnished_wire()
    for before in NEEDED.get(operation, []):
        assert send(wire, *before)[0] == 200

    status_code, reply = send(wire, operation, GOOD[operation][number])

    assert status_code == 200, reply
    output = LISTED[operation].operation_model(operation).output_shape
    assert list(faults(output, reply, operation) if output else reply) == []
    wire.engine.check_invariants()


@pytest.mark.parametrize("operation", sorted(LISTED))
def test_an_operation_has_a_valid_request_or_answers_that_it_is_not_modelled(furnished_wire, account_state, operation):
    if operation not in NOT_MODELLED:
        assert GOOD.get(operation), f"give {operation} a valid request, or a place in docs/unsupported.md"
        return
    wire = furnished_wire()
    before = account_state(wire.engine)

    status_code, reply = send(wire, operation, {})

    assert status_code == 400
    assert reply["__type"].endswith("#UnknownOperationException")
    assert reply["message"] == f"{operation} is not modelled by pytest-ddbthrottle yet; see docs/unsupported.md"
    assert account_state(wire.engine) == before


def test_the_page_of_what_is_unsupported_lists_operations_of_the_service_alone():
    # A name that an older botocore does not list yet is still no modelled operation.
    assert NOT_MODELLED & GOOD.keys() == set()
    assert len(NOT_MODELLED & LISTED.keys()) > len(NOT_MODELLED) / 2


PLANTED = [
    ({"Item": {"pk": {"S": "a", "N": "1"}}}, "GetItem.Item{pk}: ['N', 'S'] is not one type"),
    ({"Item": {"pk": {"S": 1}}}, "GetItem.Item{pk}.S: 1 is no string"),
    ({"Item": []}, "GetItem.Item: [] is no map"),
    ({"Things": 1}, "GetItem.Things: unknown to the model"),
    ({"ConsumedCapacity": {"CapacityUnits": True}}, "GetItem.ConsumedCapacity.CapacityUnits: True is no double"),
]


@pytest.mark.parametrize(("reply", "fault"), PLANTED, ids=[fault for _, fault in PLANTED])
def test_a_reply_that_has_not_the_shape_is_found_out(reply, fault):
    assert list(faults(LISTED["GetItem"].operation_model("GetItem").output_shape, reply, "GetItem")) == [fault]
