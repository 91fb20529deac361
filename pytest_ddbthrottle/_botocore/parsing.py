"""A reply with items taken as the JSON that it is, where botocore's walk over each member would give the very same.

The engine sends no null and no member that the model lacks, and JSON has all types of these replies but binaries: a body
that may hold one is walked as ever. Handlers, logs and other services' replies see nothing of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from pytest_ddbthrottle._botocore.calls import Calls

REPLIES_WITH_ITEMS = frozenset(
    ("BatchGetItemOutput", "GetItemOutput", "QueryOutput", "ScanOutput", "TransactGetItemsOutput")
)
"""Output shapes of the service model that hold neither a timestamp nor a binary outside an AttributeValue."""
_BINARY_TYPES = (b'"B":', b'"BS":')


def quick_body(calls: Calls, is_answering: Callable[[], bool], original: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap ``JSONParser._handle_json_body``."""

    @wraps(original)
    def _handle_json_body(self: Any, raw_body: bytes, shape: Any) -> Any:
        if calls.endpoint is None or not is_answering() or not _is_plain(raw_body, shape):
            return original(self, raw_body, shape)
        members = json.loads(raw_body.decode("utf-8"))
        # In the model's order, as botocore gives them.
        return {name: members[name] for name in shape.members if name in members}

    return _handle_json_body


def _is_plain(raw_body: bytes, shape: Any) -> bool:
    return shape.name in REPLIES_WITH_ITEMS and bool(raw_body) and not any(kind in raw_body for kind in _BINARY_TYPES)
