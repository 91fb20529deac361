"""Resource policies of tables: whose they are, what a document becomes, revisions, and how long a change takes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pytest_ddbthrottle._engine.control_plane.lifecycle import is_realistic
from pytest_ddbthrottle._engine.control_plane.state_rules import IN_USE, in_iso_form
from pytest_ddbthrottle._engine.control_plane.tags import NO_ARN, NO_TABLE_ARN, NOT_DYNAMODB
from pytest_ddbthrottle._engine.errors import (
    PolicyNotFoundException,
    ResourceInUseException,
    ResourceNotFoundException,
    ThrottlingException,
    ValidationException,
)
from pytest_ddbthrottle._engine.keys import INVALID_PARAMETER
from pytest_ddbthrottle._engine.limits import (
    MAX_RESOURCE_POLICY_BYTES,
    POLICY_COOL_DOWN_SECONDS,
    POLICY_PENDING_SECONDS,
)
from pytest_ddbthrottle._engine.nanoseconds import NANOSECONDS_PER_SECOND
from pytest_ddbthrottle._engine.operations.context import Context
from pytest_ddbthrottle._engine.policy.document import MalformedPolicy, parse
from pytest_ddbthrottle._engine.table_settings import ResourcePolicy
from pytest_ddbthrottle._engine.tables import Table

TOO_LARGE = f"{INVALID_PARAMETER}Maximum policy size of {MAX_RESOURCE_POLICY_BYTES} bytes exceeded"
BAD_DOCUMENT = f"{INVALID_PARAMETER}Invalid policy document: {{fault}}"
NO_JSON = "This policy contains invalid Json"
NO_STATEMENT = "Could not parse the policy: Statement is empty!"
NO_MEMBER = "Missing required field {member}"
BAD_ACTIONS = "The following action names are invalid: {actions}"
BAD_ARN = f"{INVALID_PARAMETER}Invalid resource Arn: {{arn}}"
OTHER_ACCOUNT = "This action is only supported by accounts that match the resource owner\u2019s account."
NO_TABLE = "Requested resource not found: Table: {table} not found"
STREAM_NOT_MODELLED = "Policies of streams are not modelled by pytest-ddbthrottle yet; see docs/unsupported.md"
NO_STREAM = "Requested resource not found: Stream: {label} not found for Table: {table}"
NOT_FOUND = "Resource-based policy not found for the provided ResourceArn: "
OTHER_REVISION = (
    f"{NOT_FOUND}Requested update for policy with revision id {{expected}}, but the policy associated to target table "
    "{table} has revision id {present}."
)
UNEXPECTED_POLICY = (
    f"{NOT_FOUND}Requested policy update expecting none to be present for table {{table}}, but a policy exists with "
    "revision id {present}."
)
PENDING = f"{IN_USE}Table is pending previous resource-based policy update: {{table}}"
PENDING_BESIDE_DELETION = f"{IN_USE}Table: {{table}} has a pending resource-based policy update."
COOLS_DOWN = (
    f"Resource-based policy for table {{table}} modified within the previous {POLICY_COOL_DOWN_SECONDS}000 milliseconds. "
    "Please try again after {instant}."
)
"""Source: Observed — a public lab's notes of 2026-10-09, us-west-2; of revisions, a public suite that is run against the
service."""

NO_POLICY_TO_UPDATE = (
    f"{NOT_FOUND}Requested update for policy with revision id {{expected}}, "
    "but table {table} has no associated policy."
)
"""Source: Observed — as above, up to ``associated``; Assumed — the last word."""

NO_POLICY = "NO_POLICY"
"""As ``ExpectedRevisionId``: only where there is none.
Source: Documented — API Reference, PutResourcePolicy, read 2026-11-30."""

STREAM_ACTIONS = frozenset({"dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"})
"""Which a table's policy may not name. Source: Observed — as ``NOT_FOUND`` (two of them); Assumed — the third."""

_ARN = re.compile(r"arn:([^:]*):dynamodb:([^:]*):([^:]*):table/(.*)", re.DOTALL)
_MEMBERS = ("Version", "Id", "Statement")
_STATEMENT_MEMBERS = (
    *("Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource", "NotResource", "Condition"),
)
_ACCOUNT = re.compile(r"[0-9]{12}")


def policy_table(context: Context, arn: str) -> Table:
    """Give the table that a ``ResourceArn`` of the three operations names.

    Raises:
        ResourceNotFoundException: there is no such table or stream, or it is being created or deleted.
        ValidationException: it is no ARN of a table or stream of this account and Region.

    Source: Observed — a public lab's notes of 2026-10-09, us-west-2. Assumed — the order of the faults of one ARN.
    """
    if not arn.startswith("arn:"):
        raise ValidationException(NO_ARN.format(arn=arn))
    match = _ARN.fullmatch(arn)
    if match is None:
        raise ValidationException(NOT_DYNAMODB.format(arn=arn))
    partition, region, account_id, path = match.groups()
    if partition != "aws" or region != context.region:
        raise ValidationException(BAD_ARN.format(arn=arn))
    if account_id != context.account_id:
        raise ValidationException(OTHER_ACCOUNT)
    name, kind, label = _parts(path, arn)
    table = context.tables.get(name)
    if table is None or not table.is_readable:
        raise ResourceNotFoundException(NO_TABLE.format(table=name))
    if kind == "stream" and arn in context.streams:
        raise ValidationException(STREAM_NOT_MODELLED)
    if kind == "stream":
        raise ResourceNotFoundException(NO_STREAM.format(label=label, table=name))
    return table


def _parts(path: str, arn: str) -> tuple[str, str, str]:
    """Give a table's name, and of what stands behind it, kind and label."""
    name, _, rest = path.partition("/")
    kind, _, label = rest.partition("/")
    if kind == "index":
        raise ValidationException(NO_TABLE_ARN.format(arn=arn))
    if rest and (kind != "stream" or not label or "/" in label):
        raise ValidationException(NOT_DYNAMODB.format(arn=arn))
    return name, kind, label


def checked_text(policy: str, account_id: str) -> str:
    """Give a document as it is kept and read back: without white space, members in their order, lists of one as the one.

    Raises:
        ValidationException: it is too large, or no policy; the text says why not.

    Source: Observed — a public lab's notes of 2026-10-09, us-west-2 (size, texts, the form; of lists, actions'); Assumed —
    that other lists of one become the one as well, and the texts of faults that the lab did not provoke.
    """
    if len(policy.encode("utf-8", "surrogatepass")) > MAX_RESOURCE_POLICY_BYTES:
        raise ValidationException(TOO_LARGE)
    fault = None
    try:
        document = json.loads(policy)
        fault = _fault(document)
        parse(policy, kind="resource", maximum_bytes=MAX_RESOURCE_POLICY_BYTES)
    except MalformedPolicy as malformed:
        fault = fault or str(malformed).removeprefix("Invalid policy document: policy parse error: ")
    except (ValueError, RecursionError):
        fault = NO_JSON
    if fault is not None:
        raise ValidationException(BAD_DOCUMENT.format(fault=fault))
    return _canonical(document, account_id)


def _fault(document: Any) -> str | None:
    """Name the faults of which the service's own words are known."""
    statements = document.get("Statement") if isinstance(document, dict) else None
    if statements == []:
        return NO_STATEMENT
    found = [part for part in _listed(statements) if isinstance(part, dict)]
    for member in ("Effect", "Principal", "Action", "Resource"):
        if any(member not in part and f"Not{member}" not in part for part in found):
            return NO_MEMBER.format(member=member)
    actions = [action for part in found for action in _listed(part.get("Action")) if isinstance(action, str)]
    bad = [f'"{action}"' for action in actions if action in STREAM_ACTIONS]
    return BAD_ACTIONS.format(actions=", ".join(bad)) if bad else None


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _canonical(document: Mapping[str, Any], account_id: str) -> str:
    statements = [_in_order(part, _STATEMENT_MEMBERS) for part in _listed(document["Statement"])]
    shaped = {**_in_order(document, _MEMBERS), "Statement": [_statement(part) for part in statements]}
    return json.dumps(shaped, separators=(",", ":"), ensure_ascii=False)


def _in_order(members: Mapping[str, Any], order: tuple[str, ...]) -> dict[str, Any]:
    return {name: members[name] for name in (*order, *members) if name in members}


def _statement(members: Mapping[str, Any]) -> dict[str, Any]:
    shaped = {name: _single(value) for name, value in members.items()}
    for name in ("Principal", "NotPrincipal"):
        if isinstance(shaped.get(name), dict):
            shaped[name] = {kind: _single(_accounts(who)) for kind, who in shaped[name].items()}
    return shaped


def _single(value: Any) -> Any:
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _accounts(who: Any) -> Any:
    """Give principals with the roots of accounts in the place of their numbers."""
    if isinstance(who, list):
        return [_accounts(each) for each in who]
    is_account = isinstance(who, str) and _ACCOUNT.fullmatch(who) is not None
    return f"arn:aws:iam::{who}:root" if is_account else who


def check_revision(table: Table, expected: str | None) -> None:
    """Check that the policy which a request expects is the one there is.

    Raises:
        PolicyNotFoundException: it is another one, or there is none, or there is one where none is expected.
    """
    policy = table.settings.policy
    present = None if policy is None or policy.text is None else str(policy.revision_id)
    if expected is None or expected == (present or NO_POLICY):
        return
    mismatch = UNEXPECTED_POLICY if expected == NO_POLICY else OTHER_REVISION
    text = NO_POLICY_TO_UPDATE if present is None else mismatch
    raise PolicyNotFoundException(text.format(expected=expected, present=present, table=table.name))


def check_settled(context: Context, table: Table) -> None:
    """Check that the policy was not changed within the last 15 seconds; the same document again is no change.

    Raises:
        ResourceInUseException: the last change is still on its way.
        ThrottlingException: it was changed; the text says when it can be again.

    Source: Observed — a public lab's notes of 2026-10-09, us-west-2.
    """
    policy = table.settings.policy
    if policy is None or not is_realistic(context):
        return
    if context.now_ns < _done_ns(policy):
        raise ResourceInUseException(PENDING.format(table=table.name))
    free_ns = policy.changed_ns + POLICY_COOL_DOWN_SECONDS * NANOSECONDS_PER_SECOND
    if context.now_ns < free_ns:
        raise ThrottlingException(COOLS_DOWN.format(table=table.name, instant=in_iso_form(free_ns)))


def check_policy_done(context: Context, table: Table) -> None:
    """Check that no change of the policy is on its way that a DeleteTable would meet.

    Raises:
        ResourceInUseException: one is.

    Source: Observed — a public lab's notes of 2026-10-09, us-west-2.
    """
    policy = table.settings.policy
    if policy is not None and is_realistic(context) and context.now_ns < _done_ns(policy):
        raise ResourceInUseException(PENDING_BESIDE_DELETION.format(table=table.name))


def _done_ns(policy: ResourcePolicy) -> int:
    return policy.changed_ns + round(POLICY_PENDING_SECONDS * NANOSECONDS_PER_SECOND)


def changed_policy(table: Table, text: str | None, now_ns: int) -> ResourcePolicy:
    """Give what a table remembers after a change, or a deletion, of its policy.

    Source: Observed — a public lab's notes of 2026-10-09, us-west-2: a revision is the millisecond of the change; ours — it
    rises even where the clock stands.
    """
    before = table.settings.policy.revision_id if table.settings.policy is not None else 0
    return ResourcePolicy(text, max(now_ns // 10**6, before + 1), now_ns)
