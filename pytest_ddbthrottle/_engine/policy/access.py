"""Who may do what in an account: its users, their policies and access keys, and the question asked for each request.

Documents are kept as text and read under the limit that is in force: one that no longer fits can't be read, and lets
nothing through, until the limit is raised again.
"""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from pytest_ddbthrottle._engine.errors import AccessDeniedException
from pytest_ddbthrottle._engine.limits import MAX_RESOURCE_POLICY_BYTES
from pytest_ddbthrottle._engine.policy.document import Kind, MalformedPolicy, Policy, parse
from pytest_ddbthrottle._engine.policy.evaluation import UNREADABLE, Facts, Policies, Unreadable, denial, evaluate
from pytest_ddbthrottle._engine.policy.request_facts import Place, Question, questions, surroundings
from pytest_ddbthrottle._engine.tables import Table

ALWAYS_ROOTS = "dynamodb:DeleteResourcePolicy"
"""What no policy keeps the root from. Source: Documented — API Reference, DeleteResourcePolicy, read 2026-11-30."""

LOCKS_OUT = "PutResourcePolicy"
LOCKED_OUT = "The new resource policy will not allow you to update the resource policy in the future."


@dataclass(frozen=True, slots=True)
class User:
    """A user's documents, as text.

    Attributes:
        policies: identity policies by name.
        boundary: the permissions boundary.
        session: the session policy.
    """

    policies: Mapping[str, str] = field(default_factory=dict)
    boundary: str | None = None
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """Where and when a request is made.

    Attributes:
        region: the Region.
        account_id: twelve digits.
        tables: the Region's, by name.
        maximum_bytes: the size that a user's document may have.
        now_ns: the instant.
    """

    region: str
    account_id: str
    tables: Mapping[str, Table]
    maximum_bytes: int
    now_ns: int

    def partition_keys(self, table_name: str, index_name: str | None) -> tuple[str, ...]:
        """Give the partition key's attributes of a table or index; none where there is no such."""
        table = self.tables.get(table_name)
        holder = table if table is None or index_name is None else table.indexes.get(index_name)
        return () if holder is None else tuple(attribute.name for attribute in holder.key_schema.partition)

    def resource_policy(self, resource: str) -> str | None:
        """Give the policy of the table that a resource is, or is an index of."""
        table = self.tables.get(resource.partition(":table/")[2].partition("/")[0])
        policy = table.settings.policy if table is not None else None
        return None if policy is None else policy.text


AccessSnapshot = tuple[bool, Mapping[str, User], Mapping[str, str]]
"""Whether policies are asked, users by name, and names by access key."""


class AccessControl:
    """An account's users and their access keys.

    Attributes:
        in_force: whether a policy was ever made: until then nothing is asked, and nothing takes time.
        users: by name.
        names_by_key: by access key id; whoever sends another key acts as the account's root.
    """

    __slots__ = ("in_force", "names_by_key", "users")

    def __init__(self) -> None:
        self.in_force = False
        self.users: dict[str, User] = {}
        self.names_by_key: dict[str, str] = {}

    def put(self, user_name: str, **documents: Any) -> None:
        """Change a user, who is made where there is none of the name."""
        self.users[user_name] = replace(self.users.get(user_name, User()), **documents)
        self.in_force = True

    def access_key(self, user_name: str) -> tuple[str, str]:
        """Give id and secret of a user's access key, the same ones each time."""
        digest = sha256(user_name.encode("utf-8", "surrogatepass")).digest()
        key = f"AKIA{b32encode(digest)[:16].decode()}"
        self.users.setdefault(user_name, User())
        self.names_by_key[key] = user_name
        return key, digest.hex()[:40]

    def snapshot(self) -> AccessSnapshot:
        """Give all of it as it is now."""
        return self.in_force, MappingProxyType(dict(self.users)), MappingProxyType(dict(self.names_by_key))

    def restore(self, snapshot: AccessSnapshot) -> None:
        """Set it back to a snapshot, which stays good for further uses."""
        self.in_force, users, names_by_key = snapshot
        self.users, self.names_by_key = dict(users), dict(names_by_key)

    def check(self, access_key: str, operation_name: str, request: Mapping[str, Any], scene: Scene) -> None:
        """Check that all that a request asks for is allowed to whoever made it.

        Args:
            access_key: the id of the key that the request was signed with.
            operation_name: AWS's name.
            request: the parsed body, not validated.
            scene: where and when.

        Raises:
            AccessDeniedException: it is not; the text names the first action that isn't.
        """
        name = self.names_by_key.get(access_key)
        user = User() if name is None else self.users.get(name, User())
        arn = f"arn:aws:iam::{scene.account_id}:{'root' if name is None else f'user/{name}'}"
        place = Place(scene.region, scene.account_id, scene.partition_keys)
        around = surroundings(arn, name, place, scene.now_ns)
        for asked in questions(operation_name, request, place):
            if name is None and asked.action == ALWAYS_ROOTS:
                continue
            facts = Facts(asked.action, asked.resource, arn, scene.account_id, {**around, **asked.values})
            policies = _policies(user, asked, scene)
            verdict = evaluate(policies, facts, is_root=name is None)
            if not verdict.allowed:
                raise AccessDeniedException(denial(verdict, facts))
            if operation_name == LOCKS_OUT and name is not None:
                _check_lockout(policies, facts, request)


def _check_lockout(policies: Policies, facts: Facts, request: Mapping[str, Any]) -> None:
    """Check that a resource policy lets the user who puts it put another one, unless the request confirms that it needn't.

    Raises:
        AccessDeniedException: it doesn't.

    Source: Observed — a public lab's notes of 2026-10-09, us-west-2 (the text; a deletion that is denied is no lockout);
    Assumed — it comes before what is wrong with the request, and the root, who can delete any policy, is never locked out.
    """
    text = request.get("Policy")
    if request.get("ConfirmRemoveSelfResourceAccess") is True or not isinstance(text, str):
        return
    coming = read(text, "resource", MAX_RESOURCE_POLICY_BYTES)
    if isinstance(coming, Policy) and not evaluate(replace(policies, resource=coming), facts).allowed:
        raise AccessDeniedException(LOCKED_OUT)


def _policies(user: User, asked: Question, scene: Scene) -> Policies:
    boundary, session, resource = user.boundary, user.session, scene.resource_policy(asked.resource)
    return Policies(
        identity=tuple(_read_all(user.policies.values(), scene.maximum_bytes)),
        boundary=None if boundary is None else read(boundary, "identity", scene.maximum_bytes),
        session=None if session is None else read(session, "identity", scene.maximum_bytes),
        resource=None if resource is None else read(resource, "resource", MAX_RESOURCE_POLICY_BYTES),
    )


def _read_all(texts: Iterable[str], maximum_bytes: int) -> Iterable[Policy | Unreadable]:
    return (read(text, "identity", maximum_bytes) for text in texts)


@lru_cache(maxsize=256)
def read(text: str, kind: Kind, maximum_bytes: int) -> Policy | Unreadable:
    """Give a document that is kept as a policy, or say that it can't be read under the limit in force."""
    try:
        return parse(text, kind=kind, maximum_bytes=maximum_bytes)
    except MalformedPolicy:
        return UNREADABLE
