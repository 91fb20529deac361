"""ExecuteStatement against the cases in ``cases/``: items, a statement, and what it answers, or the error's whole text.

A file is a list of groups. A group has a topic and what its cases share: the items that are ``given``, by table, and a
``prefix`` of their errors. A case has its ``statement`` and perhaps ``parameters`` and other members of the ``request``;
then ``items`` (in ``any_order`` from a scan) or an ``error``, and where they matter the ``units`` consumed, the whole
``consumed`` capacity, and what table ``one`` holds ``after`` it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

CASES = Path(__file__).parent / "cases"


def cases():
    for file in sorted(CASES.glob("*.json")):
        for group in json.loads(file.read_text(encoding="utf-8")):
            shared = {member: value for member, value in group.items() if member != "cases"}
            for number, case in enumerate(group["cases"]):
                whole = {**shared, **case}
                yield pytest.param(whole, id=f"{file.stem}: {group['topic']} {number}: {case['statement'][:60]}")


def request_of(case, as_wire):
    parameters = {"Parameters": [as_wire(value) for value in case["parameters"]]} if "parameters" in case else {}
    return {
        "Statement": case["statement"],
        "ReturnConsumedCapacity": "INDEXES",
        **parameters,
        **case.get("request", {}),
    }


def as_set(value):
    """Give a value in which the order of a set's members says nothing."""
    if isinstance(value, dict):
        return {name: sorted(part) if name in ("SS", "NS", "BS") else as_set(part) for name, part in value.items()}
    return [as_set(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize("case", list(cases()))
def test_a_statement_gives_its_items_or_its_error(account, as_wire, case):
    account.fill(case["given"])
    before = account.contents("one")

    outcome = account.do("ExecuteStatement", request_of(case, as_wire))

    if "error" in case:
        assert f"{outcome.error.code}: {outcome.error.message}" == case.get("prefix", "") + case["error"]
        assert account.contents("one") == before
        return
    assert outcome.error is None, outcome.error.message
    check_reply(case, outcome.reply, as_wire)
    if "after" in case:
        after = before if case["after"] == "given" else [as_wire(item)["M"] for item in case["after"]]
        assert as_set(account.contents("one")) == as_set(after)


def check_reply(case, reply, as_wire):
    items = [as_set(item) for item in reply["Items"]]
    if "items" in case:
        assert items == [as_set(as_wire(item)["M"]) for item in case["items"]]
    if "any_order" in case:
        assert sorted(items, key=repr) == sorted((as_set(as_wire(item)["M"]) for item in case["any_order"]), key=repr)
    if "units" in case:
        assert reply["ConsumedCapacity"]["CapacityUnits"] == case["units"]
    if "consumed" in case:
        assert reply["ConsumedCapacity"] == case["consumed"]
    assert "NextToken" not in reply


def test_no_case_is_there_twice():
    members = ("topic", "statement", "parameters", "request")
    seen = [json.dumps([case.values[0].get(member) for member in members]) for case in cases()]

    assert len(seen) >= 150
    assert sorted(seen) == sorted(set(seen))


MANY = {
    "50 keys": ("SELECT * FROM one WHERE pk IN", 50, None),
    "51 keys": ("SELECT * FROM one WHERE pk IN", 51, "Too many decomposed read operations for a given query."),
    "100 values": ("SELECT * FROM one WHERE n IN", 100, None),
    "101 values": (
        "SELECT * FROM one WHERE n IN",
        101,
        "The IN operator is provided with too many operands; number of operands: 101",
    ),
}


@pytest.mark.parametrize(("start", "count", "told"), MANY.values(), ids=list(MANY))
def test_in_takes_50_keys_and_100_other_values(account, start, count, told):
    options = ", ".join(f"'{number}'" for number in range(count))

    error = account.do("ExecuteStatement", {"Statement": f"{start} [{options}]"}).error

    assert (error and error.message) == told


@pytest.mark.parametrize(
    ("setting", "members"), [("ALL_OLD", {"Item": {"pk": {"S": "a"}, "n": {"N": "1"}}}), ("NONE", {})]
)
def test_a_failed_condition_shows_the_item_where_it_is_asked_to(account, setting, members):
    account.fill({"one": [{"pk": "a", "n": 1}]})
    statement = "DELETE FROM one WHERE pk = 'a' AND n = 2"

    error = account.do(
        "ExecuteStatement", {"Statement": statement, "ReturnValuesOnConditionCheckFailure": setting}
    ).error

    assert (error.code, error.members) == ("ConditionalCheckFailedException", members)


def test_a_table_may_be_named_by_its_arn(account):
    arn = "arn:aws:dynamodb:us-east-1:123456789012:table/one"
    account.fill({"one": [{"pk": "a"}]})

    reply = account.reply(
        "ExecuteStatement", {"Statement": f'SELECT * FROM "{arn}"', "ReturnConsumedCapacity": "TOTAL"}
    )

    assert list(reply["Items"]) == [{"pk": {"S": "a"}}]
    assert reply["ConsumedCapacity"]["TableName"] == arn
