"""DescribeEndpoints."""

from __future__ import annotations

from pytest_ddbthrottle._engine.operations.context import Context, Reply, Request

CACHE_PERIOD_MINUTES = 1440
"""Source: Documented — API Reference, DescribeEndpoints; Assumed — the number."""


def describe_endpoints(context: Context, request: Request) -> Reply:
    """Give the Region's endpoint, which endpoint discovery asks for.

    Args:
        context: the account.
        request: ``DescribeEndpointsRequest``: nothing.

    Returns:
        ``DescribeEndpointsResponse``.
    """
    address = f"dynamodb.{context.region}.amazonaws.com"
    return {"Endpoints": [{"Address": address, "CachePeriodInMinutes": CACHE_PERIOD_MINUTES}]}
