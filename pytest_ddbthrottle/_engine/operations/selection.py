"""``Select``: which attributes a Query or Scan gives back, and when that needs the table behind an index."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_ddbthrottle._engine.errors import ValidationException
from pytest_ddbthrottle._engine.expressions.projection import Projection
from pytest_ddbthrottle._engine.keys import INVALID_PARAMETER
from pytest_ddbthrottle._engine.operations.context import Request
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table


def check_select(request: Request, envelope: str) -> None:
    """Check ``Select`` against the other members of the request.

    Args:
        request: ``QueryInput`` or ``ScanInput``.
        envelope: what stands before the text: Query has ``1 validation error detected: ``, Scan nothing.

    Raises:
        ValidationException: the members contradict each other.

    Source: Observed — us-east-1 and eu-west-2, 2026-08 to 2026-10, two public suites run against the service.
    """
    select = request.get("Select")
    named = [name for name in ("AttributesToGet", "ProjectionExpression") if request.get(name) is not None]
    if select in ("ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "COUNT") and named:
        chosen = "only the Count" if select == "COUNT" else select
        raise ValidationException(f"{envelope}Cannot specify the {named[0]} when choosing to get {chosen}")
    if select == "SPECIFIC_ATTRIBUTES" and not named:
        raise ValidationException(
            f"{envelope}Must specify the AttributesToGet or ProjectionExpression when choosing to get "
            "SPECIFIC_ATTRIBUTES"
        )
    if select == "ALL_PROJECTED_ATTRIBUTES" and request.get("IndexName") is None:
        raise ValidationException(
            f"{envelope}ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"
        )


def needs_fetch(table: Table, index: SecondaryIndex | None, request: Request, shown: Projection | None) -> bool:
    """Tell whether each entry of a local index sends the read to the table for more attributes.

    Raises:
        ValidationException: a global index is asked for what it does not hold.

    Source: Documented — Developer Guide, "Local secondary indexes", fetches, read 2026-11-30; texts Observed —
    us-east-1, 2026-10, and DynamoDB Local 3.3.1.
    """
    if index is None or index.projection_type == "ALL":
        return False
    if request.get("Select") == "ALL_ATTRIBUTES":
        if index.is_global:
            raise ValidationException(
                f"{INVALID_PARAMETER}Select type ALL_ATTRIBUTES is not supported for global secondary index "
                f"{index.name} because its projection type is not ALL"
            )
        return True
    hidden = hidden_names(table, index, () if shown is None else shown.attribute_names)
    if hidden and index.is_global:
        raise ValidationException(
            f"{INVALID_PARAMETER}Global secondary index {index.name} does not project [{', '.join(hidden)}]"
        )
    return bool(hidden)


def hidden_names(table: Table, index: SecondaryIndex, names: Iterable[str]) -> list[str]:
    """Give those of some attribute names that an index does not hold, sorted."""
    projected = index.projected_names(table.key_schema)
    return [] if projected is None else sorted(set(names) - projected)
