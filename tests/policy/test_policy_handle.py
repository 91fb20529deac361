"""``fake.policy``: what it takes, gives back and refuses."""

from __future__ import annotations

import json

import pytest

from pytest_ddbthrottle import FakeDynamoDB

DOCUMENT = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "dynamodb:*", "Resource": "*"}]}
TEXT = json.dumps(DOCUMENT, indent=2)
TOO_LARGE = "Invalid policy document: policy parse error: policy document exceeds maximum size ({} bytes)"


@pytest.fixture
def fake():
    return FakeDynamoDB()


@pytest.mark.parametrize("document", [TEXT, TEXT.encode()])
def test_documents_come_back_as_they_were_written(fake, document):
    fake.policy.put_user_policy("alice", "all", document)
    fake.policy.put_permissions_boundary("alice", document)
    fake.policy.put_session_policy("bob", document)

    assert fake.policy.get_user_policy("alice", "all") == TEXT
    assert fake.policy.get_permissions_boundary("alice") == TEXT
    assert fake.policy.get_session_policy("bob") == TEXT
    assert fake.policy.users == ("alice", "bob")


def test_a_mapping_becomes_json(fake):
    fake.policy.put_user_policy("alice", "all", DOCUMENT)

    assert json.loads(fake.policy.get_user_policy("alice", "all")) == DOCUMENT


def test_what_is_deleted_is_gone(fake):
    fake.policy.put_user_policy("alice", "all", TEXT)
    fake.policy.put_permissions_boundary("alice", TEXT)
    fake.policy.put_session_policy("alice", TEXT)

    fake.policy.delete_user_policy("alice", "all")
    fake.policy.delete_permissions_boundary("alice")
    fake.policy.delete_session_policy("alice")

    for absent in (fake.policy.get_permissions_boundary, fake.policy.get_session_policy):
        with pytest.raises(LookupError):
            absent("alice")


LOOKUPS = [
    (lambda policy: policy.get_user_policy("alcie", "all"), "no user 'alcie'. Did you mean 'alice'?"),
    (lambda policy: policy.get_user_policy("alice", "al"), "user 'alice' has no policy 'al'. Did you mean 'all'?"),
    (lambda policy: policy.delete_user_policy("alice", "zzz"), "user 'alice' has no policy 'zzz'"),
    (lambda policy: policy.get_permissions_boundary("alice"), "user 'alice' has no permissions boundary"),
    (lambda policy: policy.delete_permissions_boundary("nobody"), "no user 'nobody'"),
    (lambda policy: policy.delete_session_policy("alice"), "user 'alice' has no session policy"),
]


@pytest.mark.parametrize(("look", "expected"), LOOKUPS, ids=range(len(LOOKUPS)))
def test_what_is_not_there_is_named_with_what_is_near(fake, look, expected):
    fake.policy.put_user_policy("alice", "all", TEXT)

    with pytest.raises(LookupError) as missing:
        look(fake.policy)

    assert str(missing.value) == expected


@pytest.mark.parametrize("name", ["", "a b", "a/b", "x" * 65, None, 7, "ä"])
def test_a_user_is_named_as_iam_names_one(fake, name):
    with pytest.raises(ValueError, match=r"user=.*: 1 to 64 letters, digits and signs"):
        fake.policy.put_user_policy(name, "all", TEXT)
    with pytest.raises(ValueError, match="user="):
        fake.policy.access_key(name)

    assert fake.policy.users == ()


@pytest.mark.parametrize("document", ["", "{", "[]", "{}", b"\xff", TEXT.ljust(6145), "7"])
@pytest.mark.parametrize("put", ["put_permissions_boundary", "put_session_policy"])
def test_a_document_that_is_refused_changes_nothing(fake, put, document):
    fake.policy.put_user_policy("alice", "all", TEXT)
    before = fake._engine.access.snapshot()

    with pytest.raises(ValueError, match="Invalid policy document: "):
        fake.policy.put_user_policy("alice", "all", document)
    with pytest.raises(ValueError, match="Invalid policy document: "):
        getattr(fake.policy, put)("alice", document)

    assert fake._engine.access.snapshot() == before


def test_a_document_may_have_the_maximum_and_no_more(fake):
    fake.limits(max_policy_document_bytes=len(TEXT))
    fake.policy.put_user_policy("alice", "all", TEXT)

    with pytest.raises(ValueError) as refused:
        fake.policy.put_user_policy("alice", "more", TEXT + " ")

    assert str(refused.value) == TOO_LARGE.format(len(TEXT))


def test_an_access_key_is_the_same_each_time_and_its_own_for_each_user(fake):
    alice, again, bob = (fake.policy.access_key(name) for name in ("alice", "alice", "bob"))

    assert alice == again
    assert alice["aws_access_key_id"] != bob["aws_access_key_id"]
    assert len(alice["aws_access_key_id"]) == 20
    assert len(alice["aws_secret_access_key"]) == 40
