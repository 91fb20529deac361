"""What all policies that bear on a request say of it."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from pytest_ddbthrottle._engine.policy.conditions import holds
from pytest_ddbthrottle._engine.policy.document import Policy, Principal, Statement
from pytest_ddbthrottle._engine.policy.patterns import covers, covers_resource, expand, matches


class Unreadable(enum.Enum):
    """A document that is there and no longer parses, since the maximum was lowered below its size."""

    UNREADABLE = "unreadable"


UNREADABLE: Final = Unreadable.UNREADABLE
EVALUATION_ERROR: Final = "(policy evaluation error)"
"""The reason of a verdict over a document that cannot be read."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What policies can know of a request.

    Attributes:
        action: As ``dynamodb:PutItem``.
        resource: The ARN of what the request is about.
        principal_arn: Who asks: a user's ARN, or that of a role's session.
        account_id: The account of resource and principal.
        values: Condition keys in lower case, and their values.
    """

    action: str
    resource: str
    principal_arn: str
    account_id: str
    values: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Policies:
    """The policies that bear on a request; None where there is none of a kind.

    Attributes:
        identity: All of the principal.
        boundary: The principal's permissions boundary.
        session: The session's policy.
        resource: The resource's policy.
    """

    identity: tuple[Policy | Unreadable, ...] = ()
    boundary: Policy | Unreadable | None = None
    session: Policy | Unreadable | None = None
    resource: Policy | Unreadable | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a request is allowed, and if not the end of the sentence that says why."""

    allowed: bool
    reason: str = ""


ALLOWED: Final = Verdict(True)


def evaluate(policies: Policies, facts: Facts, *, is_root: bool = False) -> Verdict:
    """Return whether policies allow a request.

    A Deny decides wherever it stands; then the identity's policies or the resource's must allow; then a permissions
    boundary and a session policy must allow as well. A resource's policy that names the user's own ARN needs neither
    identity policy nor boundary; one that names the session's own ARN needs no session policy either. An account as
    principal hands the decision to identity policies.

    Args:
        policies: All that bear on the request; one that is unreadable denies.
        facts: What they can know of it.
        is_root: Whether the account itself asks, which needs no Allow.

    >>> facts = Facts("dynamodb:PutItem", "arn:aws:dynamodb:us-east-1:123456789012:table/t",
    ...               "arn:aws:iam::123456789012:user/alice", "123456789012", {})
    >>> evaluate(Policies(), facts).reason
    'because no identity-based policy allows the dynamodb:PutItem action'

    Source: Documented, IAM User Guide, "Policy evaluation for requests within a single account", "Permissions
    boundaries for IAM entities" and "Troubleshoot access denied error messages", read 2026-12-04. Observed,
    ExtendDB's served check: a document that no longer parses denies. Assumed: of several Deny statements the kind
    that comes first here is named: identity, boundary, session, resource; of several silent ones: identity, boundary,
    session. An account's Allow in a resource's policy of its own gives nothing by itself ("delegates authority to the
    account"), and its Deny is for everybody in it.
    """
    if _unreadable(policies):
        return Verdict(False, EVALUATION_ERROR)
    denied = next((name for name, policy in _all(policies) if _says(policy, "Deny", facts)), None)
    if denied is not None:
        return Verdict(False, f"with an explicit deny in {_ARTICLES[denied]} {denied}")
    if is_root:
        return ALLOWED
    silent = _silent(policies, facts)
    return ALLOWED if silent is None else Verdict(False, f"because no {silent} allows the {facts.action} action")


def denial(verdict: Verdict, facts: Facts) -> str:
    """Return the whole sentence of an AccessDeniedException.

    >>> facts = Facts("dynamodb:PutItem", "arn:aws:dynamodb:us-east-1:123456789012:table/t",
    ...               "arn:aws:iam::123456789012:user/alice", "123456789012", {})
    >>> denial(Verdict(False, EVALUATION_ERROR), facts)
    'Not authorized to perform this action (policy evaluation error)'

    Source: Documented, IAM User Guide, "Troubleshoot access denied error messages", read 2026-12-04. Observed,
    ExtendDB: the sentence over a document that no longer parses.
    """
    if verdict.reason == EVALUATION_ERROR:
        return f"Not authorized to perform this action {EVALUATION_ERROR}"
    who = f"User: {facts.principal_arn} is not authorized to perform: {facts.action}"
    return f"{who} on resource: {facts.resource} {verdict.reason}"


_ARTICLES: Final = {
    "identity-based policy": "an",
    "permissions boundary": "a",
    "session policy": "a",
    "resource-based policy": "a",
}


def _unreadable(policies: Policies) -> bool:
    return UNREADABLE in (*policies.identity, policies.boundary, policies.session, policies.resource)


def _all(policies: Policies) -> Iterator[tuple[str, Policy]]:
    """Give the policies with their kinds' names, in the order in which a Deny is named."""
    others = zip(_ARTICLES, (None, policies.boundary, policies.session, policies.resource), strict=True)
    for name, policy in (*(("identity-based policy", each) for each in policies.identity), *others):
        if isinstance(policy, Policy):
            yield name, policy


def _silent(policies: Policies, facts: Facts) -> str | None:
    """Name the kind of policy that would have to allow and does not."""
    direct, past_session = _direct(policies.resource, facts)
    if past_session:
        return None
    allows_by_resource = isinstance(policies.resource, Policy) and _says(policies.resource, "Allow", facts)
    if not allows_by_resource and not any(_allows(policy, facts) for policy in policies.identity):
        return "identity-based policy"
    if not direct and policies.boundary is not None and not _allows(policies.boundary, facts):
        return "permissions boundary"
    return "session policy" if policies.session is not None and not _allows(policies.session, facts) else None


def _allows(policy: Policy | Unreadable, facts: Facts) -> bool:
    return isinstance(policy, Policy) and _says(policy, "Allow", facts)


def _direct(resource: Policy | Unreadable | None, facts: Facts) -> tuple[bool, bool]:
    """Say whether a resource's policy allows the very user or session that asks, and whether that is a session.

    Source: Documented, IAM User Guide, "Permissions boundaries for IAM entities", read 2026-12-04: what is granted to
    a user's ARN is not limited by an implicit deny in a permissions boundary, what is granted to a role's ARN is, and
    what is granted to a session's ARN is limited by neither boundary nor session policy.
    """
    itself = Principal("AWS", facts.principal_arn)
    names_it = isinstance(resource, Policy) and any(
        statement.effect == "Allow" and itself in statement.principals and _applies(statement, resource, facts)
        for statement in resource.statements
    )
    return names_it, names_it and ":sts:" in facts.principal_arn


def _says(policy: Policy, effect: str, facts: Facts) -> bool:
    """Say whether a statement of this effect is about the request."""
    return any(statement.effect == effect and _applies(statement, policy, facts) for statement in policy.statements)


def _applies(statement: Statement, policy: Policy, facts: Facts) -> bool:
    return (
        statement.not_actions != any(matches(each.lower(), facts.action.lower()) for each in statement.actions)
        and statement.not_resources != any(_is_resource(each, policy, facts) for each in statement.resources)
        and (policy.kind == "identity" or _is_about(statement, facts))
        and all(holds(each, facts.values, variables=policy.knows_variables) for each in statement.conditions)
    )


def _is_resource(pattern: str, policy: Policy, facts: Facts) -> bool:
    tokens = expand(pattern, facts.values, variables=policy.knows_variables)
    if tokens is None:
        return False
    return covers(tokens, facts.resource) if pattern == "*" else covers_resource(tokens, facts.resource)


def _is_about(statement: Statement, facts: Facts) -> bool:
    """Say whether a statement of a resource's policy is about who asks."""
    allows = statement.effect == "Allow"
    return statement.not_principals != any(_is_principal(each, facts, allows=allows) for each in statement.principals)


def _is_principal(principal: Principal, facts: Facts, *, allows: bool) -> bool:
    if principal.kind not in ("*", "AWS"):
        return False
    if principal.identifier in ("*", facts.principal_arn):
        return True
    if principal.identifier == facts.account_id or principal.identifier.endswith(f"::{facts.account_id}:root"):
        return not allows
    is_role = ":role/" in principal.identifier
    return is_role and _role(principal.identifier) == _role(facts.principal_arn)


def _role(arn: str) -> tuple[str, str] | None:
    """Give account and name of the role that an ARN names, or whose session it names."""
    _, _, rest = arn.partition("::")
    account, _, name = rest.partition(":")
    kind, *path = name.split("/")
    if kind == "assumed-role" and len(path) > 1:
        return account, path[0]
    return (account, path[-1]) if kind == "role" and path else None
