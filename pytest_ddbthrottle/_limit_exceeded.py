"""A refused request of the control plane: which limit of the account its sentence tells of, and with which numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from string import Formatter
from types import MappingProxyType
from typing import Any

from pytest_ddbthrottle._engine.control_plane.account_limits import (
    ACCOUNT_MAXIMUM,
    OF_TABLE,
    TABLE_MAXIMUM,
    TABLE_QUOTA,
)
from pytest_ddbthrottle._engine.control_plane.change_budgets import (
    TOO_MANY_CLASS_CHANGES,
    TOO_MANY_DECREASES,
    TOO_MANY_ENCRYPTION_CHANGES,
    TOO_MANY_SWITCHES,
)
from pytest_ddbthrottle._engine.control_plane.index_updates import ONE_ONLINE_INDEX, TOO_MANY_INDEXES
from pytest_ddbthrottle._engine.control_plane.lifecycle import TOO_MANY_AT_ONCE
from pytest_ddbthrottle._engine.control_plane.on_demand_limits import OVER_QUOTA, READ_QUOTA, WRITE_QUOTA
from pytest_ddbthrottle._engine.control_plane.state_rules import TAGS_LOCKED
from pytest_ddbthrottle._engine.control_plane.vector_index_updates import TOO_MANY_INDEXES as TOO_MANY_VECTOR_INDEXES
from pytest_ddbthrottle._failures import failure, listed
from pytest_ddbthrottle._options import nearest
from pytest_ddbthrottle._throttled_reply import Difference, reply_of

ERROR = "LimitExceededException"
TOO_MANY_RESTORES = "Subscriber limit exceeded: Only 50 restore operations can be done simultaneously"
"""Source: Observed — a public lab's notes of 2026-10-09."""
TOO_MANY_OPERATIONS = "Too many operations for a given subscriber."
"""Source: Documented — botocore's service model, LimitExceededException, read 2026-11-30; never seen on the wire."""

READ, WRITE = "ReadCapacityUnits", "WriteCapacityUnits"
WORDS = ("region", "index", "table", "last", "next", "window")
"""The fields of sentences that are no numbers."""


def _maxima(member: str) -> tuple[str, ...]:
    """Give the sentences of the per-table maximum: a table's, and an index's."""
    of_table = _filled(TABLE_MAXIMUM, member=member, of_index="", kind="table")
    return of_table, _filled(TABLE_MAXIMUM, member=member, of_index=" for index {index}", kind="index")


def _account_maxima(member: str) -> tuple[str, ...]:
    """Give the sentences of the account's maximum: CreateTable's, and UpdateTable's."""
    created = _filled(ACCOUNT_MAXIMUM, member=member, of_table="")
    return created, _filled(ACCOUNT_MAXIMUM, of_table=OF_TABLE).replace("{member}", member)


def _over_quota(structure: str, member: str, quota: str, before_index: str) -> tuple[str, ...]:
    """Give the sentences of a cap or of warm throughput: a table's, and an index's."""
    text = _filled(OVER_QUOTA, structure=structure, member=member, quota=quota)
    return _filled(text, subject="table"), _filled(text, subject=f"{before_index}{{index}}")


def _filled(template: str, **parts: str) -> str:
    for name, text in parts.items():
        template = template.replace(f"{{{name}}}", text)
    return template


LIMIT_TEXTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "max_tables_per_account": (_filled(TABLE_QUOTA, quota="{maximum}"),),
        "per_table_max_rcu": _maxima(READ),
        "per_table_max_wcu": _maxima(WRITE),
        "per_account_max_rcu": _account_maxima(READ),
        "per_account_max_wcu": _account_maxima(WRITE),
        "max_read_request_units": _over_quota("OnDemandThroughput", "MaxReadRequestUnits", READ_QUOTA, "index : "),
        "max_write_request_units": _over_quota("OnDemandThroughput", "MaxWriteRequestUnits", WRITE_QUOTA, "index : "),
        "warm_read_units_per_second": _over_quota("WarmThroughput", "ReadUnitsPerSecond", READ_QUOTA, "index "),
        "warm_write_units_per_second": _over_quota("WarmThroughput", "WriteUnitsPerSecond", WRITE_QUOTA, "index "),
        "decreases": (TOO_MANY_DECREASES,),
        "encryption_changes": (TOO_MANY_ENCRYPTION_CHANGES,),
        "on_demand_switches": (TOO_MANY_SWITCHES,),
        "table_class_changes": (TOO_MANY_CLASS_CHANGES,),
        "global_secondary_indexes": (TOO_MANY_INDEXES,),
        "online_indexes": (ONE_ONLINE_INDEX,),
        "vector_indexes": (TOO_MANY_VECTOR_INDEXES,),
        "restores": (TOO_MANY_RESTORES,),
        "max_simultaneous_operations": (TOO_MANY_AT_ONCE,),
        "tags_being_updated": (TAGS_LOCKED,),
        "operations": (TOO_MANY_OPERATIONS,),
    }
)
"""The sentences of LimitExceededException by the name of the limit; of an account's limit it is that of ``ddb_limits``."""


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """Give what a sentence looks like, each of its fields a group."""
    parts = (re.escape(text) + (_group(field) if field else "") for text, field, _, _ in Formatter().parse(template))
    return re.compile("".join(parts))


def _group(field: str) -> str:
    return rf"(?P<{field}>{'.+?' if field in WORDS else '[0-9]+'})"


def _readings(message: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Give the limits that a message can tell of, each with the parts of its sentence."""
    for limit, templates in LIMIT_TEXTS.items():
        for template in templates:
            found = _pattern(template).fullmatch(message)
            if found:
                yield limit, found.groupdict()


def assert_limit_exceeded(
    subject: Any,
    *,
    limit: str | None = None,
    requested: int | None = None,
    maximum: int | None = None,
    region: str | None = None,
    reserved: int | None = None,
    provisioned: int | None = None,
    index: str | None = None,
) -> None:
    """Assert that a reply is DynamoDB's refusal to pass a limit of the account or of a table, and reads as expected.

    The service tells its limits in sentences alone: this reads them back. Only what is given is compared; with nothing
    given it is enough that the reply is a LimitExceededException whose sentence is a known one.

    Args:
        subject: a botocore ``ClientError``, its ``response``, or a recorded call (one of ``FakeDynamoDB.calls``).
        limit: which limit: a name of ``ddb_limits`` such as ``"per_table_max_rcu"``, a name of ``ddb_throttle`` for caps
            and warm throughput, or ``"decreases"``, ``"encryption_changes"``, ``"on_demand_switches"``,
            ``"table_class_changes"``, ``"global_secondary_indexes"``, ``"online_indexes"``, ``"vector_indexes"``,
            ``"restores"``, ``"tags_being_updated"``, ``"operations"``.
        requested: the units asked for.
        maximum: the maximum in force.
        region: the Region that the sentence names.
        reserved: the units that the account holds.
        provisioned: the units that the table and its indexes hold before an UpdateTable.
        index: the name of the index that is over.

    Raises:
        AssertionError: naming each part that differs.
        TypeError: ``subject`` is not a refused reply.
        ValueError: no such limit.

    >>> message = "There is a soft account quota of 3 tables."
    >>> reply = {"Error": {"Code": "LimitExceededException", "Message": message}}
    >>> assert_limit_exceeded(reply, limit="max_tables_per_account", maximum=3)

    Source: the sentences are in ``docs/model.md``, each with its evidence.
    """
    __tracebackhide__ = True
    if limit is not None and limit not in LIMIT_TEXTS:
        raise ValueError(
            f"assert_limit_exceeded: there is no limit {limit!r}{nearest(limit, LIMIT_TEXTS)}\n"
            f"Limits: {', '.join(LIMIT_TEXTS)}"
        )
    expected = {
        "requested": requested,
        "maximum": maximum,
        "region": region,
        "reserved": reserved,
        "provisioned": provisioned,
        "index": index,
    }
    reply = reply_of(subject, "assert_limit_exceeded")
    given = {name: str(value) for name, value in expected.items() if value is not None}
    differences = _differences(reply.error, reply.message, limit, given)
    if differences:
        names = [difference.part for difference in differences]
        raise failure(
            f"expected a limit to be exceeded; {listed(names)} {'differs' if len(names) == 1 else 'differ'}",
            [*map(str, differences), f"- the reply's text: {reply.message or 'none'}"],
            "only what is given is compared",
            "assert_limit_exceeded",
        )


def _differences(error: str | None, message: str, limit: str | None, given: Mapping[str, str]) -> list[Difference]:
    if error != ERROR:
        return [Difference("error", ERROR, error or "none: it was a success")]
    readings = list(_readings(message))
    if not readings:
        return [Difference("message", limit or "a sentence of a limit", "a sentence of no limit that is known")]
    told, parts = next((reading for reading in readings if reading[0] == limit), readings[0])
    differences = [Difference("limit", limit, told)] if limit not in (None, told) else []
    for name, value in given.items():
        if parts.get(name) != value:
            differences.append(Difference(name, value, parts.get(name) or "not in this sentence"))
    return differences
