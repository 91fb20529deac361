"""The shapes of requests against botocore's service model: a newer model brings its own cases.

``tests/conformance`` walks the model as well, and breaks each constraint in a request.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import botocore.session
import pytest

from pytest_ddbthrottle._engine.member_shapes import (
    Choice,
    Flag,
    ListOf,
    MapOf,
    Moment,
    NameOrArn,
    NotModelled,
    Number,
    Shape,
    Structure,
    Text,
    Value,
)
from pytest_ddbthrottle._engine.operations.registry import OPERATIONS
from pytest_ddbthrottle._engine.request_shapes import SHAPES

MODELS = [botocore.session.Session().get_service_model(name) for name in ("dynamodb", "dynamodbstreams")]
LISTED = {name: model for model in MODELS for name in model.operation_names}

DIFFERENT = {
    "TableName": "the model's bounds are those of an ARN; the service tells those of a name",
    "CreateTable.TableName": "the name of a new table",
    "RequestItems{}.Keys": "the batch counts its keys itself, after the shape",
    "RequestItems{}": "the batch counts its entries itself, after the shape; its keys are table names",
    "RequestItems": "its keys are table names",
    "AttributesToGet": "the service counts to 255",
    "KeySchema": "the service counts to 2 for a table, to 8 for a global index",
    "CreateTable": "the service wants keys and their definitions, whatever else the model allows",
    "CreateTable.GlobalSecondaryIndexes[].ProvisionedThroughput": "the service has a text of its own",
    "GlobalSecondaryIndexUpdates[].Create.ProvisionedThroughput": "the service has a text of its own",
    "GlobalSecondaryIndexUpdates[].Update.ProvisionedThroughput": "the service has a text of its own",
    "Tags[]": "the service has texts of its own",
    "Tags[].Key": "the service has texts of its own",
    "Tags[].Value": "the service has texts of its own",
    "ListStreams.Limit": "the API Reference bounds it as well",
    "DescribeStream.Limit": "the API Reference bounds it as well",
    "GetRecords.Limit": "the API Reference bounds it as well",
    "TagKeys[]": "the service has texts of its own",
}
"""Where the table is not the model's, by the end of the path, and why."""


def ours(shape: Shape) -> set[str]:
    """Give the constraints of a shape as words."""
    if isinstance(shape, NameOrArn):
        return ours(shape.name)
    words = {f"{name}={getattr(shape, name, None)}" for name in ("least", "most", "pattern") if getattr(shape, name, 0)}
    words |= {f"least={shape.least}"} if isinstance(shape, Number) and shape.least == 0 else set()
    words |= {f"most={shape.max_length}"} if getattr(shape, "max_length", None) is not None else set()
    words |= {f"least={shape.min_length}"} if getattr(shape, "min_length", 0) else set()
    words |= {f"enum={value}" for value in getattr(shape, "values", ())}
    words |= {f"required={name}" for name in getattr(shape, "required", ())}
    if isinstance(shape, MapOf):
        words |= {f"key {word}" for word in ours(shape.key)}
    return words


def theirs(shape: Any) -> set[str]:
    """Give the constraints of a shape of the model in the same words."""
    bounds = shape.metadata
    words = {f"pattern={bounds['pattern']}"} if "pattern" in bounds else set()
    numeric = shape.type_name in ("integer", "long")
    words |= {f"least={bounds['min']}"} if bounds.get("min", 0) or (numeric and "min" in bounds) else set()
    words |= {f"most={bounds['max']}"} if "max" in bounds else set()
    words |= {f"enum={value}" for value in shape.metadata.get("enum", ())}
    words |= {f"required={name}" for name in getattr(shape, "required_members", ())}
    if shape.type_name == "map":
        words |= {f"key {word}" for word in theirs(shape.key)}
    return words


KINDS: dict[str, tuple[type[Shape], ...]] = {
    "structure": (Structure,),
    "list": (ListOf,),
    "map": (MapOf,),
    "boolean": (Flag,),
    "integer": (Number,),
    "long": (Number,),
    "string": (Text, Choice, NameOrArn),
    "timestamp": (Moment,),
}


def differences(mine: Shape, model: Any, path: str) -> Iterator[str]:
    """Give a line for each place at which the shape is not the model's."""
    if isinstance(mine, NotModelled) or (isinstance(mine, Value) and model.name == "AttributeValue"):
        return
    if not isinstance(mine, KINDS[model.type_name]):
        yield f"{path}: {type(mine).__name__} is no {model.type_name}"
        return
    apart = ours(mine) ^ (theirs(model) or ({"key most=65535"} if isinstance(mine, MapOf) else set()))
    # Every map's keys are bounded here, those of the model only where it says so.
    apart -= {"key most=65535"}
    if apart and not any(path.endswith(end) for end in DIFFERENT):
        yield f"{path}: {sorted(apart)}"
    if isinstance(mine, Structure):
        for name, member in model.members.items():
            if name not in mine.members:
                yield f"{path}.{name}: not in the table"
            else:
                yield from differences(mine.members[name], member, f"{path}.{name}")
    elif isinstance(mine, ListOf):
        yield from differences(mine.element, model.member, f"{path}[]")
    elif isinstance(mine, MapOf):
        yield from differences(mine.element, model.value, f"{path}{{}}")


@pytest.mark.parametrize("operation", sorted(OPERATIONS))
def test_a_shape_has_the_members_and_constraints_of_the_service_model(operation):
    model = LISTED[operation].operation_model(operation).input_shape

    assert list(differences(SHAPES[operation], model, operation)) == []


def test_every_modelled_operation_has_a_shape():
    assert set(SHAPES) == set(OPERATIONS)


JAVA_ORDERS = [
    ("UpdateItem", ["ReturnConsumedCapacity", "TableName", "ReturnValues", "ConditionalOperator", "Key"]),
    (
        "DeleteItem",
        ["ReturnConsumedCapacity", "TableName", "ReturnValues", "ReturnItemCollectionMetrics", "Key"],
    ),
    ("GetItem", ["AttributesToGet", "ReturnConsumedCapacity", "Key", "TableName"]),
    (
        "Query",
        ["Select", "IndexName", "ReturnConsumedCapacity", "QueryFilter", "TableName", "ConditionalOperator"],
    ),
    (
        "Scan",
        [
            "Select",
            "IndexName",
            "TotalSegments",
            "ReturnConsumedCapacity",
            "TableName",
            "ConditionalOperator",
            "ScanFilter",
        ],
    ),
    ("CreateTable", ["GlobalSecondaryIndexes", "LocalSecondaryIndexes"]),
]
"""Orders of faults as public suites have them. Source: Observed — eu-west-2 and us-east-1, 2026-10-09 (UpdateItem,
CreateTable); a public suite recorded against the service until 2022 (the others)."""


@pytest.mark.parametrize(("operation", "names"), JAVA_ORDERS, ids=[operation for operation, _ in JAVA_ORDERS])
def test_members_stand_in_the_order_in_which_the_service_tells_their_faults(operation, names):
    assert [name for name in SHAPES[operation].members if name in names] == names
