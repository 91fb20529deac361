"""Random statements, most of them near to a good one: each is carried out or refused in words, and in bounded time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from pytest_ddbthrottle._engine.errors import ServiceError

GOOD = [
    case["statement"]
    for file in sorted((Path(__file__).parent / "cases").glob("*.json"))
    for group in json.loads(file.read_text(encoding="utf-8"))
    for case in group["cases"]
]
_WORDS = """
SELECT FROM WHERE AND OR NOT IN BETWEEN IS MISSING NULL ORDER BY ASC DESC LIMIT INSERT INTO VALUE VALUES UPDATE SET REMOVE
RETURNING ALL MODIFIED OLD NEW DELETE EXISTS LIKE AS TRUE size begins_with contains attribute_type attribute_exists set_add
set_delete list_append one two gsi-all "two"."gsi-all" pk sk n a.b l[0] 'a' '' 'S' 1 -1 1.5 1e5 1e126 ? * ( ) [ ] { } << >>
, . : ; = <> != < <= > >= + - / -- /* */ " ' ` # @ é 💥
"""
WORDS = _WORDS.split()

soup = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)
near = st.sampled_from(GOOD)
parameters = st.lists(st.sampled_from([{"S": "a"}, {"N": "1"}, {"SS": ["x"]}, {"L": []}, {"NULL": True}]), max_size=3)
OPERATIONS = st.sampled_from(["ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction"])


@st.composite
def mutated(draw):
    """Give a good statement with a piece cut out, doubled or replaced."""
    text = draw(near)
    for _ in range(draw(st.integers(1, 3))):
        start, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
        piece = draw(st.sampled_from([*WORDS, "", text[start:end] * 2, draw(st.text(max_size=3))]))
        text = text[:start] + piece + text[min(end, start + draw(st.integers(0, 6))) :]
    return text


def request_of(operation, texts, given_parameters):
    members = [
        {"Statement": text, "Parameters": given_parameters} if given_parameters else {"Statement": text}
        for text in texts
    ]
    return {
        "ExecuteStatement": members[0],
        "BatchExecuteStatement": {"Statements": members},
        "ExecuteTransaction": {"TransactStatements": members},
    }[operation]


def fresh(account):
    account.fill({"one": [{"pk": "a", "n": 1, "ss": {"SS": ["a"]}, "l": [1]}], "two": [{"pk": "o", "sk": 1, "g": "x"}]})
    account.engine.throttling = False
    return account


@settings(max_examples=400, deadline=5000, suppress_health_check=[HealthCheck.too_slow])
@given(
    operation=OPERATIONS, texts=st.lists(soup | mutated() | near, min_size=1, max_size=3), given_parameters=parameters
)
def test_a_statement_is_carried_out_or_refused_by_the_service(made_account, operation, texts, given_parameters):
    account = fresh(made_account())

    outcome = account.do(operation, request_of(operation, texts, given_parameters))

    event("refused" if outcome.error else "carried out")
    assert outcome.error is None or (isinstance(outcome.error, ServiceError) and outcome.error.message)
    account.engine.region("us-east-1").tables["one"].check_invariants()
    account.engine.region("us-east-1").tables["two"].check_invariants()


LONG = {
    "parentheses": "SELECT * FROM one WHERE " + "(" * 8000,
    "closed parentheses": "SELECT * FROM one WHERE " + "(" * 4000 + "a = 1" + ")" * 4000,
    "NOTs": "SELECT * FROM one WHERE " + "NOT " * 2000 + "a = 1",
    "ANDs": "SELECT * FROM one WHERE a = 1" + " AND a = 1" * 800,
    "ORs of ANDs": "SELECT * FROM one WHERE a = 1" + " AND a = 1 OR a = 2" * 400,
    "calls": "SELECT * FROM one WHERE " + "size(" * 1600,
    "lists": "INSERT INTO one VALUE {'pk': " + "[" * 8000,
    "maps": "INSERT INTO one VALUE {'pk': " + "{'a':" * 1600,
    "bags": "INSERT INTO one VALUE {'pk': " + "<<" * 4000,
    "sums": "UPDATE one SET n = 1" + "+1" * 4000 + " WHERE pk = 'a'",
    "bracketed sums": "UPDATE one SET n = " + "(" * 8000,
    "a path": "SELECT a" + ".a" * 4000 + " FROM one",
    "a path that is set": "UPDATE one SET a" + ".a" * 4000 + " = 1 WHERE pk = 'a'",
    "sets": "UPDATE one SET " + ",".join(f"a{n} = {n}" for n in range(700)) + " WHERE pk = 'a'",
    "removals": "UPDATE one REMOVE " + ",".join(f"a{n}" for n in range(1500)) + " WHERE pk = 'a'",
    "a projection": "SELECT " + ",".join(f"a{n}" for n in range(1500)) + " FROM one",
    "keys": "SELECT * FROM one WHERE pk IN [" + ",".join(["'a'"] * 1500) + "]",
    "values": "SELECT * FROM one WHERE n IN [" + ",".join(["1"] * 3000) + "]",
    "branches": "SELECT * FROM two WHERE " + " OR ".join(f"pk = 'k{n}'" for n in range(500)),
    "comments": "SELECT /**/" + "/**/" * 2000 + " * FROM one",
    "an open comment": "/*" * 4096,
    "an open string": "'" + "''" * 4000,
    "quotes": '"' * 8191,
    "minuses": "-" * 8192,
    "digits": "SELECT * FROM one WHERE n = " + "9" * 8000,
    "a large exponent": "SELECT * FROM one WHERE n = 1e" + "9" * 8000,
}


@pytest.mark.parametrize("statement", LONG.values(), ids=list(LONG))
def test_a_long_statement_is_answered(account, statement):
    outcome = fresh(account).do("ExecuteStatement", {"Statement": statement[:8192]})

    assert outcome.error is None or outcome.error.code == "ValidationException", outcome.error


def test_a_statement_has_8192_characters_at_most(account):
    error = account.do("ExecuteStatement", {"Statement": "SELECT * FROM one" + " " * 8176}).error

    assert "Member must have length less than or equal to 8192" in error.message
