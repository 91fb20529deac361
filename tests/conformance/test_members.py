"""Each member of each input shape is acted on, or refused in words: no operation answers success without doing what it says.

Generated from botocore's service model, at every depth. A member that this fake models is named by the code that the
operation runs; one that it does not model is refused by its name, which ``docs/unsupported.md`` lists.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import botocore.session
import pytest

from pytest_ddbthrottle._engine.member_shapes import ListOf, MapOf, NotModelled, Structure
from pytest_ddbthrottle._engine.operations.registry import OPERATIONS
from pytest_ddbthrottle._engine.request_shapes import SHAPES

PROJECT = Path(__file__).parents[2]
GOOD = json.loads((PROJECT / "tests" / "stateful" / "good_requests.json").read_text())
PAGE = (PROJECT / "docs" / "unsupported.md").read_text()
UNSUPPORTED = set(
    re.findall(
        r"`([A-Z]\w+)`", PAGE.partition("## Parameters of requests")[2].partition("|---|")[2].partition("\n## ")[0]
    )
)
MODELS = [botocore.session.Session().get_service_model(name) for name in ("dynamodb", "dynamodbstreams")]
LISTED = {name: model for model in MODELS for name in model.operation_names}
MODELLED = sorted(OPERATIONS.keys() & LISTED.keys())

ELSEWHERE = {"PutResourcePolicy.ConfirmRemoveSelfResourceAccess": "pytest_ddbthrottle._engine.policy.access"}
"""Members that something else than the operation acts on, and what."""

CHANGES_NOTHING = {
    "DescribeStream.Limit": "a stream has one shard here, and a page has at least one",
    "DescribeStream.ShardFilter.Type": "it has one value, and ShardFilter itself is acted on",
}
"""Members whose every value has one effect, and why."""

TABLES_OF_MEMBERS = ("member_shapes", "request_shapes", "table_shapes", "validation", "request_names")
"""What names members and acts on none of them."""


def members(ours: Any, model: Any, path: str) -> Iterator[tuple[str, str, bool, Any]]:
    """Give each member: where it is, its name, whether this fake models it, and its shape in the model."""
    if model.name == "AttributeValue":
        return
    if isinstance(ours, Structure):
        for name, member in model.members.items():
            found = ours.members.get(name)
            yield f"{path}.{name}", name, found is not None and not isinstance(found, NotModelled), member
            yield from members(found, member, f"{path}.{name}")
    elif isinstance(ours, ListOf):
        yield from members(ours.element, model.member, f"{path}[]")
    elif isinstance(ours, MapOf):
        yield from members(ours.element, model.value, f"{path}{{}}")


def all_members(operation: str) -> list[tuple[str, str, bool, Any]]:
    model = LISTED[operation].operation_model(operation).input_shape
    return list(members(SHAPES[operation], model, operation)) if model is not None else []


@cache
def tree(module: str) -> ast.Module | None:
    path = PROJECT / f"{module.replace('.', '/')}.py"
    return ast.parse(path.read_text(encoding="utf-8")) if path.exists() else None


@cache
def words(module: str) -> frozenset[str]:
    """Give the strings that a module's code consists of."""
    found = (node.value for node in ast.walk(tree(module) or ast.Module([], [])) if isinstance(node, ast.Constant))
    return frozenset(value for value in found if isinstance(value, str))


def reached(module: str) -> set[str]:
    """Give the modules of the engine that a module runs, itself among them."""
    found, waiting = set(), [module]
    while waiting:
        name = waiting.pop()
        parsed = tree(name)
        if name in found or parsed is None or name.rpartition(".")[2] in TABLES_OF_MEMBERS:
            continue
        found.add(name)
        waiting += [node.module for node in ast.walk(parsed) if isinstance(node, ast.ImportFrom) and node.module]
    return found


@pytest.mark.parametrize("operation", MODELLED)
def test_what_is_modelled_is_named_by_the_code_that_runs(operation):
    code = reached(OPERATIONS[operation].run.__module__)
    named = frozenset().union(*map(words, code))

    idle = [
        path
        for path, name, is_modelled, _ in all_members(operation)
        if is_modelled
        and path not in CHANGES_NOTHING
        and name not in (words(ELSEWHERE[path]) if path in ELSEWHERE else named)
    ]

    assert idle == []


REFUSED = [
    (path, shape) for operation in MODELLED for path, _, is_modelled, shape in all_members(operation) if not is_modelled
]


def least(shape: Any) -> Any:
    """Give a small value of a shape of the model, which asks for something."""
    if shape.type_name == "structure":
        names = shape.required_members or list(shape.members)[:1]
        return {name: least(shape.members[name]) for name in names}
    if shape.type_name == "list":
        return [least(shape.member)]
    plain = {"boolean": True, "string": shape.enum[0] if getattr(shape, "enum", None) else "abc"}
    return plain.get(shape.type_name, 1)


@pytest.mark.parametrize(("path", "shape"), REFUSED, ids=[path for path, _ in REFUSED])
def test_what_is_not_modelled_is_refused_by_its_name_and_stands_on_the_page(furnished_wire, account_state, path, shape):
    operation, _, member = path.partition(".")
    wire = furnished_wire()
    before = account_state(wire.engine)

    headers = {"X-Amz-Target": f"{LISTED[operation].metadata['targetPrefix']}.{operation}"}
    request = {**GOOD[operation][0], member: least(shape)}
    reply = wire.answer("https://dynamodb.us-east-1.amazonaws.com/", headers, json.dumps(request).encode())

    assert (reply.status_code, json.loads(reply.body)["message"]) == (
        400,
        f"{operation}: the parameter {member} is not modelled by pytest-ddbthrottle yet; see docs/unsupported.md",
    )
    assert account_state(wire.engine) == before
    assert member in UNSUPPORTED, f"list {path} in docs/unsupported.md"


def test_the_page_lists_no_member_that_is_modelled():
    modelled = {name for operation in MODELLED for _, name, is_modelled, _ in all_members(operation) if is_modelled}

    assert UNSUPPORTED & modelled == set()


def test_a_member_that_no_code_names_is_found_out():
    code = reached("pytest_ddbthrottle._engine.operations.get_item")

    assert "ConsistentRead" in frozenset().union(*map(words, code))
    assert "BackupName" not in frozenset().union(*map(words, code))
