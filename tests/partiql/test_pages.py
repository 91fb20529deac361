"""A SELECT a page at a time: Limit, NextToken, and what a token is good for."""

from __future__ import annotations

import pytest

STATEMENT = "SELECT x FROM two WHERE pk IN ['o', 'p'] ORDER BY pk DESC"


@pytest.fixture
def filled(account):
    items = [
        {"pk": pk, "sk": sk, "x": x, "g": "g1"} for x, (pk, sk) in enumerate((p, s) for p in "op" for s in (1, 2, 3))
    ]
    account.engine.throttling = False
    account.fill({"two": items})
    return account


def numbers(reply):
    return [int(item["x"]["N"]) for item in reply["Items"]]


def pages(account, limit, **request):
    """Give the numbers on each page."""
    reply = account.reply("ExecuteStatement", {**request, "Limit": limit})
    found = [numbers(reply)]
    while "NextToken" in reply:
        reply = account.reply("ExecuteStatement", {**request, "Limit": limit, "NextToken": reply["NextToken"]})
        found.append(numbers(reply))
    return found


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 6, 7])
def test_the_pages_of_several_collections_hold_what_one_page_holds(filled, limit):
    whole = numbers(filled.reply("ExecuteStatement", {"Statement": STATEMENT}))

    found = pages(filled, limit, Statement=STATEMENT)

    assert whole == [5, 4, 3, 2, 1, 0]
    assert [number for page in found for number in page] == whole
    assert all(len(page) == limit for page in found[:-1])


@pytest.mark.parametrize("source", ["two", 'two."gsi-all"'])
def test_the_pages_of_a_scan_hold_each_item_once(filled, source):
    found = pages(filled, 4, Statement=f"SELECT x FROM {source}")

    assert sorted(number for page in found for number in page) == [0, 1, 2, 3, 4, 5]


def test_the_pages_of_an_index_go_on_behind_the_last_entry(filled):
    found = pages(filled, 2, Statement="SELECT x FROM two.\"gsi-all\" WHERE g = 'g1'")

    assert sorted(number for page in found for number in page) == [0, 1, 2, 3, 4, 5]
    assert [len(page) for page in found] == [2, 2, 2, 0]


def test_a_limit_counts_what_is_read_and_not_what_is_kept(filled):
    reply = filled.reply("ExecuteStatement", {"Statement": "SELECT x FROM two WHERE pk = 'o' AND x = 2", "Limit": 2})

    assert reply["Items"] == []
    assert reply["LastEvaluatedKey"] == {"pk": {"S": "o"}, "sk": {"N": "2"}}


def test_a_page_ends_with_a_megabyte(filled):
    filled.fill({"two": [{"pk": "big", "sk": number, "x": number, "t": "x" * 300_000} for number in range(6)]})

    reply = filled.reply("ExecuteStatement", {"Statement": "SELECT x FROM two WHERE pk = 'big'"})

    assert numbers(reply) == [0, 1, 2, 3]
    assert "NextToken" in reply


def test_several_collections_share_the_megabyte(filled):
    filled.fill({"two": [{"pk": pk, "sk": n, "x": n, "t": "x" * 300_000} for pk in "vw" for n in range(3)]})

    found = pages(filled, 100, Statement="SELECT x FROM two WHERE pk IN ['v', 'w']")

    assert found == [[0, 1, 2, 0], [1, 2]]


OTHERS = {
    "another statement": {"Statement": "SELECT x FROM two WHERE pk = 'o'"},
    "another parameter": {"Parameters": [{"S": "p"}]},
    "another index": {"Statement": 'SELECT x FROM two."gsi-all" WHERE pk = ?'},
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=list(OTHERS))
def test_a_token_is_good_for_its_statement_and_its_parameters(filled, other):
    request = {"Statement": "SELECT x FROM two WHERE pk = ?", "Parameters": [{"S": "o"}], "Limit": 1}
    token = filled.reply("ExecuteStatement", request)["NextToken"]
    changed = {
        name: value
        for name, value in {**request, **other}.items()
        if other != OTHERS["another statement"] or name != "Parameters"
    }

    error = filled.do("ExecuteStatement", {**changed, "NextToken": token}).error

    assert (error.code, error.message) == ("ValidationException", "NextToken does not match request")


def test_limit_and_consistency_may_change_from_page_to_page(filled):
    request = {"Statement": "SELECT x FROM two WHERE pk = 'o'", "Limit": 1}
    token = filled.reply("ExecuteStatement", request)["NextToken"]

    reply = filled.reply("ExecuteStatement", {**request, "Limit": 5, "ConsistentRead": True, "NextToken": token})

    assert numbers(reply) == [1, 2]


@pytest.mark.parametrize("token", ["garbage", "W10=", "WzEsMiwzXQ==", "bnVsbA=="])
def test_what_is_no_token_is_refused(filled, token):
    error = filled.do("ExecuteStatement", {"Statement": "SELECT x FROM two", "NextToken": token}).error

    assert error.message in ("Invalid NextToken", "NextToken does not match request")
