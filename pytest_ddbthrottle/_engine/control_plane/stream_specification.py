"""``StreamSpecification``: a table's stream is enabled or disabled, and never changed."""

from __future__ import annotations

from pytest_ddbthrottle._engine.control_plane.lifecycle import in_seconds, is_realistic
from pytest_ddbthrottle._engine.control_plane.state_rules import BEING_UPDATED, in_iso_form
from pytest_ddbthrottle._engine.errors import ResourceInUseException, ValidationException
from pytest_ddbthrottle._engine.keys import INVALID_PARAMETER
from pytest_ddbthrottle._engine.limits import DISABLE_STREAM_SECONDS, ENABLE_STREAM_SECONDS
from pytest_ddbthrottle._engine.operations.context import Context, Request
from pytest_ddbthrottle._engine.streams import Stream
from pytest_ddbthrottle._engine.tables import Table

NO_VIEW_TYPE_ON_CREATION = (
    f"{INVALID_PARAMETER}Table is being created with a stream enabled, UpdateViewType is required"
)
VIEW_TYPE_ON_CREATION = (
    f"{INVALID_PARAMETER}Table is being created with a stream disabled, UpdateViewType should not be specified"
)
NO_VIEW_TYPE = f"{INVALID_PARAMETER}If stream is being enabled then UpdateViewType is required"
VIEW_TYPE = f"{INVALID_PARAMETER}If stream is being disabled, then UpdateViewType must not be specified"
ALREADY_ENABLED = "Table already has an enabled stream: TableName: {table}"
NOTHING_TO_DISABLE = "Table has no stream to disable: TableName: {table}"
"""Source: Observed — a public lab's notes of 2026-10-08 and 2026-10-09, us-west-2."""

NANOSECONDS_PER_MILLISECOND = 10**6


def check_new_stream(specification: Request) -> None:
    """Check the ``StreamSpecification`` of a CreateTable.

    Raises:
        ValidationException: a stream without a view type, or a view type without a stream.
    """
    _check_view_type(specification, NO_VIEW_TYPE_ON_CREATION, VIEW_TYPE_ON_CREATION)


def check_changed_stream(specification: Request) -> None:
    """Check the ``StreamSpecification`` of an UpdateTable by itself.

    Raises:
        ValidationException: a stream without a view type, or a view type without a stream.
    """
    _check_view_type(specification, NO_VIEW_TYPE, VIEW_TYPE)


def _check_view_type(specification: Request, missing: str, superfluous: str) -> None:
    enabled, has_view_type = specification["StreamEnabled"], "StreamViewType" in specification
    if enabled and not has_view_type:
        raise ValidationException(missing)
    if has_view_type and not enabled:
        raise ValidationException(superfluous)


def check_stream_state(table: Table, specification: Request, now_ns: int) -> None:
    """Check that an UpdateTable changes whether a table has a stream, and that nothing of the table is on its way.

    Raises:
        ResourceInUseException: the table is being updated.
        ValidationException: it has a stream already, or has none to disable.

    Source: Assumed — that a table on its way refuses it, and the order.
    """
    if specification["StreamEnabled"] and table.stream is not None:
        raise ValidationException(ALREADY_ENABLED.format(table=table.name))
    if not specification["StreamEnabled"] and table.stream is None:
        raise ValidationException(NOTHING_TO_DISABLE.format(table=table.name))
    if table.status_at(now_ns) != "ACTIVE":
        raise ResourceInUseException(BEING_UPDATED.format(table=table.name))


def change_stream(context: Context, table: Table, specification: Request) -> None:
    """Enable a new stream of a table, or disable the one that it has; all of it was checked before.

    Source: Observed — a public lab's notes of 2026-10-09, us-west-2: each enabling makes a new stream, and the label is the
    instant. Assumed — records are taken from the request on; ours — a second stream at one instant gets a later label.
    """
    if not specification["StreamEnabled"]:
        if table.stream is not None:
            table.stream.disable(context.now_ns, settled_ns=_settled_ns(context, DISABLE_STREAM_SECONDS))
        return
    begun_ns = context.now_ns // NANOSECONDS_PER_MILLISECOND * NANOSECONDS_PER_MILLISECOND
    while (arn := _arn(table, begun_ns)) in context.streams:
        begun_ns += NANOSECONDS_PER_MILLISECOND
    table.streams.append(
        Stream(
            arn,
            _label(begun_ns),
            table.name,
            table.key_schema,
            specification["StreamViewType"],
            begun_ns,
            settled_ns=_settled_ns(context, ENABLE_STREAM_SECONDS),
        )
    )


def _settled_ns(context: Context, seconds: float) -> int:
    return in_seconds(context, seconds) if is_realistic(context) else 0


def _label(begun_ns: int) -> str:
    return in_iso_form(begun_ns).removesuffix("Z")


def _arn(table: Table, begun_ns: int) -> str:
    return f"{table.arn}/stream/{_label(begun_ns)}"
