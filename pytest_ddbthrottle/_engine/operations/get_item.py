"""GetItem."""

from __future__ import annotations

from pytest_ddbthrottle._engine.capacity import consumed_capacity
from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request
from pytest_ddbthrottle._engine.operations.keyed_read import keyed_read, read_consistency, requested_projection
from pytest_ddbthrottle._engine.operations.legacy_parameters import with_expressions
from pytest_ddbthrottle._engine.operations.lookup import find_table


def get_item(context: Context, request: Request) -> Reply:
    """Read the item with a key; what is not there costs the minimum and leaves ``Item`` out of the reply.

    Args:
        context: the account.
        request: ``GetItemInput``.

    Returns:
        ``GetItemOutput``.

    Raises:
        ResourceNotFoundException, ValidationException, Throttled
    """
    request = with_expressions(request)
    shown = requested_projection(request)
    read = keyed_read(find_table(context, request["TableName"]), request["Key"], shown)
    consumption = read.consumption(read_consistency(request))
    context.admit([consumption])
    # Nothing to leave out: the wire form takes the JSON at rest over.
    item = read.found if shown is None else read.item()
    reply: Reply = {}
    if consumed := consumed_capacity(request["TableName"], [consumption], request.get("ReturnConsumedCapacity")):
        reply["ConsumedCapacity"] = consumed
    if item is not None:
        reply["Item"] = item
    return reply
