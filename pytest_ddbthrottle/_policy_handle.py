"""Policies as a test sees them: ``fake.policy``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pytest_ddbthrottle._engine.dynamodb import DynamoDB
from pytest_ddbthrottle._engine.policy.access import User
from pytest_ddbthrottle._engine.policy.document import parse
from pytest_ddbthrottle._options import nearest

if TYPE_CHECKING:
    from pytest_ddbthrottle._keyword_types import AccessKey

Document = str | bytes | Mapping[str, Any]

_NAME = re.compile(r"[A-Za-z0-9_+=,.@-]+")
_USER_NAME_CHARACTERS, _POLICY_NAME_CHARACTERS = 64, 128
"""Source: Documented — IAM API Reference, CreateUser and PutUserPolicy, read 2026-11-30."""


class PolicyHandle:
    """Users of the account, what they may do, and the keys with which a client acts as one of them.

    Nothing is asked until a policy exists. From then on each call through a client is: one with a user's key is allowed
    what the user's policies allow and none denies; any other key is the account's root, whom only a table's own policy
    keeps from anything. What the test does through the fake itself is never asked.

    Args:
        engine: the account.

    >>> from pytest_ddbthrottle import FakeDynamoDB
    >>> fake = FakeDynamoDB()
    >>> fake.policy.put_user_policy(
    ...     "alice", "read", {"Statement": {"Effect": "Allow", "Action": "dynamodb:GetItem", "Resource": "*"}}
    ... )
    >>> sorted(fake.policy.access_key("alice"))
    ['aws_access_key_id', 'aws_secret_access_key']
    """

    def __init__(self, engine: DynamoDB) -> None:
        self._engine = engine

    def __repr__(self) -> str:
        return f"<PolicyHandle: {len(self._engine.access.users)} users>"

    @property
    def users(self) -> tuple[str, ...]:
        """The names of the users that have a policy or an access key."""
        return tuple(self._engine.access.users)

    def put_user_policy(self, user: str, name: str, document: Document) -> None:
        """Give a user an identity policy, in the place of the one of that name; as IAM's PutUserPolicy.

        Args:
            user: the user's name; who does not exist is made.
            name: the policy's name.
            document: the policy: JSON, or a mapping that becomes it.

        Raises:
            ValueError: a name or a document that can't be, or a document larger than ``max_policy_document_bytes``; then
                nothing has changed.
        """
        _check_name("user", user, _USER_NAME_CHARACTERS)
        _check_name("name", name, _POLICY_NAME_CHARACTERS)
        text = self._text(document)
        with self._engine.lock:
            policies = self._engine.access.users.get(user, User()).policies
            self._engine.access.put(user, policies={**policies, name: text})

    def get_user_policy(self, user: str, name: str) -> str:
        """Give an identity policy of a user as it was written.

        Raises:
            LookupError: there is no such user, or policy; the message gives the nearest name.
        """
        policies = self._user(user).policies
        if name not in policies:
            raise LookupError(f"user {user!r} has no policy {name!r}{nearest(name, policies)}")
        return policies[name]

    def delete_user_policy(self, user: str, name: str) -> None:
        """Take an identity policy from a user; a user without any may do nothing.

        Raises:
            LookupError: there is no such user, or policy; the message gives the nearest name.
        """
        with self._engine.lock:
            self.get_user_policy(user, name)
            rest = {other: text for other, text in self._user(user).policies.items() if other != name}
            self._engine.access.put(user, policies=rest)

    def put_permissions_boundary(self, user: str, document: Document) -> None:
        """Bound what a user's identity policies can allow.

        Args:
            user: the user's name; who does not exist is made.
            document: the policy: JSON, or a mapping that becomes it.

        Raises:
            ValueError: as ``put_user_policy``.
        """
        self._put(user, "boundary", document)

    def get_permissions_boundary(self, user: str) -> str:
        """Give a user's permissions boundary as it was written.

        Raises:
            LookupError: there is no such user, or no boundary.
        """
        return self._get(user, "boundary", "permissions boundary")

    def delete_permissions_boundary(self, user: str) -> None:
        """Take the permissions boundary from a user.

        Raises:
            LookupError: there is no such user, or no boundary.
        """
        self._delete(user, "boundary", "permissions boundary")

    def put_session_policy(self, user: str, document: Document) -> None:
        """Bound what a user may do in the sessions of the test, as the policy of a federated session does.

        Args:
            user: the user's name; who does not exist is made.
            document: the policy: JSON, or a mapping that becomes it.

        Raises:
            ValueError: as ``put_user_policy``.
        """
        self._put(user, "session", document)

    def get_session_policy(self, user: str) -> str:
        """Give a user's session policy as it was written.

        Raises:
            LookupError: there is no such user, or no session policy.
        """
        return self._get(user, "session", "session policy")

    def delete_session_policy(self, user: str) -> None:
        """Take the session policy from a user.

        Raises:
            LookupError: there is no such user, or no session policy.
        """
        self._delete(user, "session", "session policy")

    def access_key(self, user: str) -> AccessKey:
        """Give credentials that act as a user: ``boto3.client("dynamodb", **fake.policy.access_key("alice"))``.

        Args:
            user: the user's name; who does not exist is made, and without a policy may do nothing.

        Returns:
            ``aws_access_key_id`` and ``aws_secret_access_key``, the same ones each time.

        Raises:
            ValueError: a name that can't be.
        """
        _check_name("user", user, _USER_NAME_CHARACTERS)
        with self._engine.lock:
            key, secret = self._engine.access.access_key(user)
        return {"aws_access_key_id": key, "aws_secret_access_key": secret}

    def _text(self, document: Document) -> str:
        return parse(document, kind="identity", maximum_bytes=self._engine.limits.max_policy_document_bytes).text

    def _user(self, user: str) -> User:
        users = self._engine.access.users
        if user not in users:
            raise LookupError(f"no user {user!r}{nearest(user, users)}")
        return users[user]

    def _put(self, user: str, member: str, document: Document) -> None:
        _check_name("user", user, _USER_NAME_CHARACTERS)
        text = self._text(document)
        with self._engine.lock:
            self._engine.access.put(user, **{member: text})

    def _get(self, user: str, member: str, words: str) -> str:
        text: str | None = getattr(self._user(user), member)
        if text is None:
            raise LookupError(f"user {user!r} has no {words}")
        return text

    def _delete(self, user: str, member: str, words: str) -> None:
        with self._engine.lock:
            self._get(user, member, words)
            self._engine.access.put(user, **{member: None})


def _check_name(argument: str, name: Any, most: int) -> None:
    if not isinstance(name, str) or len(name) > most or _NAME.fullmatch(name) is None:
        raise ValueError(f"{argument}={name!r}: 1 to {most} letters, digits and signs of _+=,.@- are needed")
