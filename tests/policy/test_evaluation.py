"""What policies say of a request: cases as data, one document or several, a request and its verdict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_ddbthrottle._engine.policy.document import parse
from pytest_ddbthrottle._engine.policy.evaluation import UNREADABLE, Facts, Policies, evaluate

HERE = Path(__file__).parent / "cases"
CONDITIONS = json.loads((HERE / "conditions.json").read_text())
STATEMENTS = json.loads((HERE / "statements.json").read_text())
MALFORMED = json.loads((HERE / "malformed.json").read_text())
ORDERS = "arn:aws:dynamodb:us-east-1:123456789012:table/orders"
ALICE = "arn:aws:iam::123456789012:user/alice"
UNSAID = "because no identity-based policy allows the dynamodb:GetItem action"


def named(cases):
    return [pytest.param(case, id=case["name"]) for case in cases]


def document(statements, version):
    """Give a document; what a statement leaves out is an Allow of everything."""
    return {"Version": version, "Statement": [completed(statement) for statement in statements]}


def completed(statement):
    action = {} if "NotAction" in statement else {"Action": "*"}
    resource = {} if "NotResource" in statement else {"Resource": "*"}
    return {"Effect": "Allow"} | action | resource | statement


def read(case, kind):
    statements = case.get(kind)
    if statements is None or statements == "unreadable":
        return statements and UNREADABLE
    version = case.get("version", "2012-10-17")
    return parse(
        document(statements, version), kind="resource" if kind == "resource" else "identity", maximum_bytes=6144
    )


def policies(case):
    identity = read(case, "identity")
    return Policies(
        () if identity is None else (identity,), read(case, "boundary"), read(case, "session"), read(case, "resource")
    )


def facts(action="dynamodb:GetItem", resource=ORDERS, principal=ALICE, values=None, root=False):
    return Facts(
        action, resource, principal, "123456789012", {key: tuple(all_) for key, all_ in (values or {}).items()}
    )


@pytest.mark.parametrize("case", named(STATEMENTS))
def test_statements_and_kinds_of_policies_give_a_verdict(case):
    verdict = evaluate(policies(case), facts(**case["request"]), is_root=case["request"].get("root", False))

    assert (verdict.reason or "allowed", verdict.allowed) == (case["verdict"], case["verdict"] == "allowed")


@pytest.mark.parametrize("case", named(CONDITIONS))
def test_a_condition_decides_over_an_allow(case):
    identity = {"identity": [{"Condition": case["condition"]}]}

    verdict = evaluate(policies(identity), facts(values=case["values"]))

    assert (verdict.allowed, verdict.reason) == ((True, "") if case["verdict"] == "allowed" else (False, UNSAID))


@pytest.mark.parametrize("case", named(CONDITIONS))
def test_a_condition_decides_over_a_deny_alike(case):
    identity = {"identity": [{}, {"Effect": "Deny", "Condition": case["condition"]}]}

    verdict = evaluate(policies(identity), facts(values=case["values"]))

    assert verdict.allowed is (case["verdict"] == "denied")


@pytest.mark.parametrize("case", named(MALFORMED))
def test_a_malformed_document_is_refused_with_what_is_wrong(case):
    text = case["document"] if isinstance(case["document"], str) else json.dumps(case["document"])

    with pytest.raises(ValueError) as refused:
        parse(text, kind=case.get("kind", "identity"), maximum_bytes=6144)

    assert str(refused.value) == f"Invalid policy document: policy parse error: {case['error']}"


def test_the_cases_are_many_and_each_has_a_name_of_its_own():
    names = [case["name"] for case in (*CONDITIONS, *STATEMENTS, *MALFORMED)]

    assert len(CONDITIONS) + len(STATEMENTS) >= 150
    assert len(set(names)) == len(names)
