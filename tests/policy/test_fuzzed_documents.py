"""Random documents, most of them near to a good one: each is taken or refused in words, and a taken one can be asked."""

from __future__ import annotations

import json

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from pytest_ddbthrottle._engine.policy.conditions import OPERATORS
from pytest_ddbthrottle._engine.policy.document import MalformedPolicy, parse
from pytest_ddbthrottle._engine.policy.evaluation import UNREADABLE, Facts, Policies, Verdict, denial, evaluate

FACTS = Facts(
    "dynamodb:GetItem",
    "arn:aws:dynamodb:us-east-1:123456789012:table/orders",
    "arn:aws:iam::123456789012:user/alice",
    "123456789012",
    {"aws:username": ("alice",), "dynamodb:attributes": ("pk", "*", ""), "aws:epochtime": ("1767225600",)},
)

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
patterns = st.text("*?a${}:',/-", max_size=24)
actions = st.sampled_from(["*", "dynamodb:*", "dynamodb:GetItem", "DynamoDB:get*", "s3:?et*", "GetItem"])
resources = st.sampled_from(["*", "arn:aws:dynamodb:*", FACTS.resource, "arn:*:*:*:*:*"]) | patterns.map(
    "arn:aws:dynamodb:*:*:table/{}".format
)
keys = st.sampled_from(["aws:username", "dynamodb:Attributes", "aws:EpochTime", "AWS:UserName", "aws:absent", "bare"])
values = st.sampled_from(["true", "1767225600", "2026-01-01T00:00:00Z", "10.0.0.0/8", "AQID", True, 7, 1.5]) | patterns


def one_or_several(strategy):
    return strategy | st.lists(strategy, max_size=3)


operators = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "", "ForAllValues:", "ForAnyValue:", "forsome:"]),
    st.sampled_from([*OPERATORS, "stringlike", "StringIs"]),
    st.sampled_from(["", "", "IfExists"]),
)
conditions = st.dictionaries(operators, st.dictionaries(keys, one_or_several(values), max_size=2), max_size=2)
principals = st.just("*") | st.fixed_dictionaries(
    {"AWS": one_or_several(st.sampled_from(["*", "123456789012", FACTS.principal_arn, "alice"]))}
)
statements = st.fixed_dictionaries(
    {"Effect": st.sampled_from(["Allow", "Deny"])},
    optional={
        "Sid": st.sampled_from(["", "a", "b c"]),
        "Condition": conditions,
        "Principal": principals,
    },
).flatmap(
    lambda statement: st.fixed_dictionaries(
        {
            "action": st.tuples(st.sampled_from(["Action", "NotAction"]), one_or_several(actions)),
            "resource": st.tuples(st.sampled_from(["Resource", "NotResource"]), one_or_several(resources)),
        }
    ).map(lambda pairs: statement | dict(pairs.values()))
)
near_documents = st.fixed_dictionaries(
    {
        "Version": st.sampled_from(["2012-10-17", "2012-10-17", "2008-10-17", "2026"]),
        "Statement": one_or_several(statements),
    }
)


@st.composite
def broken(draw):
    """Draw a document of which one member, somewhere, became anything."""
    document = draw(near_documents)
    place = document
    while True:
        name = draw(st.sampled_from(sorted(place)) if isinstance(place, dict) else st.integers(0, len(place) - 1))
        inner = place[name]
        if not isinstance(inner, dict | list) or not inner or draw(st.booleans()):
            place[name] = draw(anything)
            return document
        place = inner


def read(document, kind):
    """Return the policy, or None and the text of its refusal."""
    try:
        return parse(document, kind=kind, maximum_bytes=6144), ""
    except MalformedPolicy as refused:
        return None, str(refused)


documents = (
    near_documents.map(json.dumps)
    | broken().map(json.dumps)
    | anything.map(json.dumps)
    | st.text(max_size=40)
    | st.binary(max_size=40)
)


good_operators = st.builds(
    "{}{}".format,
    st.sampled_from(["", "ForAllValues:", "ForAnyValue:"]),
    st.sampled_from(["StringLike", "StringNotEqualsIfExists", "ArnLike", "StringEqualsIgnoreCase"]),
)
good_conditions = st.dictionaries(
    good_operators,
    st.dictionaries(
        st.sampled_from(["aws:username", "dynamodb:Attributes", "aws:absent"]),
        st.lists(st.text("*?ab:/-", max_size=12), min_size=1, max_size=3),
        min_size=1,
        max_size=2,
    ),
    min_size=1,
    max_size=2,
)


def good_documents(kind):
    """Draw documents that keep every rule, so that most of them are asked for a verdict."""
    members = {
        "Effect": st.sampled_from(["Allow", "Deny"]),
        "Action": st.sampled_from(["*", "dynamodb:*", "dynamodb:GetItem", ["dynamodb:Put*", "dynamodb:Get*"]]),
        "Resource": st.sampled_from(["*", FACTS.resource, "arn:aws:dynamodb:*:*:table/o*"]),
    }
    if kind == "resource":
        members["Principal"] = st.sampled_from(["*", {"AWS": "*"}, {"AWS": [FACTS.principal_arn]}])
    statement = st.fixed_dictionaries(members, optional={"Condition": good_conditions})
    return st.fixed_dictionaries(
        {"Version": st.just("2012-10-17"), "Statement": st.lists(statement, min_size=1, max_size=3)}
    )


kinds = st.sampled_from(["identity", "resource"])
asked = kinds.flatmap(lambda kind: st.tuples(st.just(kind), good_documents(kind).map(json.dumps))) | st.tuples(
    kinds, documents
)


@settings(max_examples=400, deadline=5000)
@given(asked=asked, root=st.booleans())
def test_a_document_is_taken_or_refused_and_a_taken_one_gives_a_verdict(asked, root):
    kind, document = asked
    policy, refusal = read(document, kind)
    if policy is None:
        event("refused")
        assert refusal.startswith("Invalid policy document: policy parse error: ")
        return
    bearing = Policies(resource=policy) if kind == "resource" else Policies((policy,), policy, policy)
    verdict = evaluate(bearing, FACTS, is_root=root)
    event("allowed" if verdict.allowed else "denied")

    assert isinstance(verdict, Verdict)
    assert verdict.allowed or denial(verdict, FACTS).startswith(f"User: {FACTS.principal_arn} is not authorized")


@settings(max_examples=200, deadline=5000)
@given(asked=kinds.flatmap(lambda kind: st.tuples(st.just(kind), good_documents(kind).map(json.dumps))))
def test_a_good_document_is_taken(asked):
    kind, document = asked

    policy, refusal = read(document, kind)

    assert policy is not None, refusal


@settings(max_examples=100, deadline=5000)
@given(text=near_documents.map(json.dumps), spare=st.integers(-200, 200))
def test_a_document_over_the_maximum_is_never_read(text, spare):
    maximum = max(0, len(text.encode()) + spare)
    if spare >= 0:
        return

    with pytest.raises(MalformedPolicy, match=rf"policy document exceeds maximum size \({maximum} bytes\)"):
        parse(text, kind="identity", maximum_bytes=maximum)


@pytest.mark.parametrize(
    "text",
    [
        '{"Statement":' + "[" * 3000 + "]" * 3000 + "}",
        "[" * 6000,
        '{"Statement":{"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:*:*:table/' + "*a" * 2900 + '"}}',
        '{"Statement":{"Effect":"Allow","Action":"*","Resource":"arn:' + ":" * 5900 + '"}}',
        '{"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{"NumericEquals":{"aws:EpochTime":1e999999999}}}}',
    ],
    ids=["deep lists", "open lists", "many stars", "many colons", "a huge number"],
)
def test_a_document_that_is_made_to_take_long_does_not(text):
    """The bound is the suite's own: with time that doubles per character none of them would ever end."""
    try:
        policy = parse(text, kind="identity", maximum_bytes=6144)
    except MalformedPolicy:
        return

    assert not evaluate(Policies((policy,)), FACTS).allowed


def test_a_document_that_no_longer_parses_denies_in_its_own_words():
    assert denial(evaluate(Policies((UNREADABLE,)), FACTS), FACTS) == (
        "Not authorized to perform this action (policy evaluation error)"
    )
