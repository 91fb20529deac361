"""Scripted rules: when they fire, what they hit, and what they refuse to be."""

from __future__ import annotations

from random import Random

import pytest

from pytest_ddbthrottle._engine.capacity import Consumption, OperationType
from pytest_ddbthrottle._engine.faults import CallScript, InjectRule, ScriptedRule

HOT_WRITE = "TableWriteKeyRangeThroughputExceeded"
INDEX_WRITE = "IndexWriteKeyRangeThroughputExceeded"
WRITE = Consumption("orders", OperationType.WRITE, 10**9, key_ranges=((("a",), 10**9),))
READ = Consumption("orders", OperationType.READ, 10**9, key_ranges=((("a",), 10**9),))
BINARY = Consumption("orders", OperationType.WRITE, 10**9, key_ranges=(((b"\xff",), 10**9),))
ON_INDEX = Consumption("orders", OperationType.WRITE, 10**9, index_name="by_status")


def firing_calls(rule, calls=12, seed=0):
    scripted, random = ScriptedRule(rule), Random(seed)
    return [n for n in range(1, calls + 1) if CallScript("PutItem", [scripted], random).refusing([WRITE])]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ({}, [1]),
        ({"times": 3}, [1, 2, 3]),
        ({"times": 2, "after": 4}, [5, 6]),
        ({"times": 99, "every": 4}, [1, 5, 9]),
        ({"times": 99, "every": 4, "after": 2}, [3, 7, 11]),
        ({"times": 2, "every": 5}, [1, 6]),
        ({"times": 99, "rate": 1.0}, list(range(1, 13))),
    ],
)
def test_a_rule_fires_on_the_calls_that_it_names(names, expected):
    assert firing_calls(InjectRule(reason=HOT_WRITE, **names)) == expected


def test_a_rate_draws_the_same_calls_from_the_same_seed():
    rule = InjectRule(reason=HOT_WRITE, rate=0.5, times=99)

    assert firing_calls(rule, seed=1) == firing_calls(rule, seed=1)
    assert 0 < len(firing_calls(rule, calls=100, seed=1)) < 100


@pytest.mark.parametrize(
    ("names", "parts", "hit"),
    [
        ({"reason": HOT_WRITE}, [WRITE], WRITE),
        ({"reason": HOT_WRITE}, [READ], None),
        ({"reason": HOT_WRITE}, [ON_INDEX], None),
        ({"reason": INDEX_WRITE}, [WRITE, ON_INDEX], ON_INDEX),
        ({"reason": INDEX_WRITE, "table": "orders", "index": "by_status"}, [WRITE, ON_INDEX], ON_INDEX),
        ({"reason": INDEX_WRITE, "table": "orders", "index": "other"}, [WRITE, ON_INDEX], None),
        ({"reason": HOT_WRITE, "table": "orders"}, [WRITE], WRITE),
        ({"reason": HOT_WRITE, "table": "users"}, [WRITE], None),
        ({"reason": HOT_WRITE, "key": "a"}, [WRITE], WRITE),
        ({"reason": HOT_WRITE, "key": {"S": "a"}}, [WRITE], WRITE),
        ({"reason": HOT_WRITE, "key": "b"}, [WRITE], None),
        ({"reason": HOT_WRITE, "key": {"B": b"\xff"}}, [BINARY], BINARY),
        ({"reason": HOT_WRITE, "key": {"B": "/w=="}}, [BINARY], BINARY),
        ({"reason": HOT_WRITE, "key": b"\xff"}, [BINARY], BINARY),
        ({"reason": HOT_WRITE, "operation": "PutItem"}, [WRITE], WRITE),
        ({"reason": HOT_WRITE, "operation": "DeleteItem"}, [WRITE], None),
    ],
)
def test_a_rule_hits_the_part_of_a_call_that_it_speaks_of(names, parts, hit):
    script = CallScript("PutItem", [ScriptedRule(InjectRule(**names))], Random(0))

    refused = script.refusing(parts)

    assert (refused[1] if refused else None) is hit


def test_a_rule_decides_once_for_all_entries_of_a_call():
    scripted = ScriptedRule(InjectRule(reason=HOT_WRITE, times=1))
    script = CallScript("BatchWriteItem", [scripted], Random(0))

    assert all(script.refusing([WRITE]) for _ in range(25))
    assert (scripted.matched, scripted.fired) == (1, 1)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ({}, "nothing to inject: give reason=, error=, leftover= or latency_seconds="),
        ({"reason": "TooFast"}, "reason='TooFast' is none of the sixteen throttling reasons"),
        ({"error": "Oops"}, "error='Oops' is no error that this fake models"),
        ({"error": "ServiceError"}, "error='ServiceError' is no error that this fake models"),
        ({"reason": HOT_WRITE, "error": "InternalServerError"}, "reason contradicts error: a rule does one thing"),
        ({"reason": HOT_WRITE, "direction": "read"}, f"direction='read' contradicts reason='{HOT_WRITE}'"),
        ({"reason": HOT_WRITE, "direction": "up"}, "direction='up': allowed are 'read' and 'write'"),
        ({"reason": HOT_WRITE, "times": 0}, "times=0: a whole number, at least 1, is needed"),
        ({"reason": HOT_WRITE, "after": -1}, "after=-1: a whole number, at least 0, is needed"),
        ({"reason": HOT_WRITE, "rate": 1.5}, "rate=1.5: a share above 0 and up to 1 is needed"),
        ({"latency_seconds": -1}, "latency_seconds=-1: a number of seconds, at least 0, is needed"),
        (
            {"error": "ConditionalCheckFailedException", "applied": True},
            "applied=True needs an error that leaves it open: 'timeout', 'reset', or one of 500 and above",
        ),
        (
            {"latency_seconds": 1, "applied": True},
            "applied=True needs an error that leaves it open: 'timeout', 'reset', or one of 500 and above",
        ),
        ({"reason": HOT_WRITE, "rate": 0.5, "every": 2}, "rate contradicts every: give one of them"),
        (
            {"leftover": 3, "operation": "PutItem"},
            "leftover contradicts operation='PutItem': only batches have leftovers",
        ),
        (
            {"reason": HOT_WRITE, "table": "orders", "index": "by_status"},
            f"index='by_status' contradicts reason='{HOT_WRITE}': that names a table",
        ),
        *(
            (
                {"reason": HOT_WRITE, "key": key},
                f"key={key!r}: the partition key's value alone is needed, plain ('a') or in wire form ({{'S': 'a'}})",
            )
            for key in (
                {"pk": {"S": "a"}},
                {"pk": "a"},
                {},
                {"S": "a", "N": "1"},
                {"SS": ["a"]},
                {"N": "a"},
                {"B": "a"},
            )
        ),
    ],
)
def test_a_contradictory_rule_is_refused_by_name(names, text):
    with pytest.raises(ValueError) as refused:
        InjectRule(**names)

    assert str(refused.value) == text
