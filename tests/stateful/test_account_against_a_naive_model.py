"""Random programs over a whole account, against a model of lists and loops that knows no index, no page and no cache.

Two tables with indexes of both kinds, one of them of many attributes, and one index that comes and goes while the table is
full; conditions, updates of every clause, batches, transactions with tokens, clocks that move, snapshots and what they bring
back. After each step ``check_invariants`` looks at the whole account, and a table or one of its indexes is read again as a
whole; at the end they all are.
"""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from pytest_ddbthrottle import FakeDynamoDB

Item = dict[str, Any]

KEYS = {"people": ("pk", "sk"), "notes": ("pk",)}
INDEXES = {
    "people": {
        "by_group": (["g"], ["n"], None),
        "by_both": (["g", "h"], ["n", "sk"], ["pk", "sk", "g", "h", "n"]),
        "local": (["pk"], ["n"], ["pk", "sk", "n", "g"]),
    },
    "notes": {"by_number": (["n"], [], None)},
}
"""Of each table and index: partition key, sort key, and what it projects (None: all)."""

LATE = {"late": (["h"], [], None)}
TYPES = {"people": {"pk": "S", "sk": "N", "g": "S", "h": "S", "n": "N"}, "notes": {"pk": "B", "n": "N"}}


def create_request(name: str) -> dict[str, Any]:
    def schema(hashes: list[str], ranges: list[str]) -> list[dict[str, str]]:
        return [{"AttributeName": a, "KeyType": "HASH"} for a in hashes] + [
            {"AttributeName": a, "KeyType": "RANGE"} for a in ranges
        ]

    def index(index_name: str) -> dict[str, Any]:
        hashes, ranges, projected = INDEXES[name][index_name]
        keys = {*KEYS[name], *hashes, *ranges}
        others = sorted(set(projected or ()) - keys)
        include = (
            {"ProjectionType": "INCLUDE", "NonKeyAttributes": others} if others else {"ProjectionType": "KEYS_ONLY"}
        )
        projection = {"ProjectionType": "ALL"} if projected is None else include
        return {"IndexName": index_name, "KeySchema": schema(hashes, ranges), "Projection": projection}

    pk, *sk = KEYS[name]
    local = {"LocalSecondaryIndexes": [index("local")]} if name == "people" else {}
    return {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": schema([pk], sk),
        "AttributeDefinitions": [{"AttributeName": a, "AttributeType": t} for a, t in TYPES[name].items()],
        "GlobalSecondaryIndexes": [index(one) for one in INDEXES[name] if one != "local"],
        **local,
    }


def number(value: int) -> Item:
    return {"N": str(value)}


ATTRIBUTES = {
    "g": [{"S": "x"}, {"S": "y"}],
    "h": [{"S": "p"}, {"S": "q"}],
    "n": [number(n) for n in range(-2, 4)],
    "tags": [{"SS": ["a"]}, {"SS": ["a", "b"]}],
    "l": [{"L": []}, {"L": [{"S": "0"}, number(1)]}],
    "m": [{"M": {}}, {"M": {"x": number(1)}}],
}
NOTE_KEYS = ("AA==", "fw==", "gA==", "gAA=")


def key_in(table: str, random: Random) -> Item:
    if table == "notes":
        return {"pk": {"B": random.choice(NOTE_KEYS)}}
    return {"pk": {"S": random.choice(["a", "ä", "b"])}, "sk": number(random.randint(-1, 2))}


def item_in(table: str, random: Random) -> Item:
    rest = {name: random.choice(values) for name, values in ATTRIBUTES.items() if random.random() < 0.6}
    return {**rest, **key_in(table, random)}


CONDITIONS: dict[str, Any] = {
    "attribute_exists(pk)": lambda item: "pk" in item,
    "attribute_not_exists(pk)": lambda item: "pk" not in item,
    "n > :zero": lambda item: "n" in item and int(item["n"]["N"]) > 0,
    "NOT g = :x OR size(l) = :two": lambda item: item.get("g") != {"S": "x"} or len(item.get("l", {"L": ()})["L"]) == 2,
    "contains(tags, :b) AND h IN (:p)": lambda item: (
        "b" in item.get("tags", {"SS": ()})["SS"] and item.get("h") == {"S": "p"}
    ),
    "n BETWEEN :zero AND :two": lambda item: "n" in item and 0 <= int(item["n"]["N"]) <= 2,
    "begins_with(g, :x) OR m.x = :two": lambda item: (
        item.get("g", {"S": ""})["S"].startswith("x") or item.get("m", {"M": {}})["M"].get("x") == number(2)
    ),
}
VALUES = {
    ":zero": number(0),
    ":two": number(2),
    ":x": {"S": "x"},
    ":b": {"S": "b"},
    ":p": {"S": "p"},
    ":bb": {"SS": ["b"]},
    ":list": {"L": [{"S": "new"}]},
}


def added(item: Item) -> None:
    item["n"] = number(int(item.get("n", number(0))["N"]) + 2)


def joined(item: Item) -> None:
    item["tags"] = {"SS": sorted({*item.get("tags", {"SS": ()})["SS"], "b"})}


def left(item: Item) -> None:
    rest = [tag for tag in item.get("tags", {"SS": ()})["SS"] if tag != "b"]
    item.pop("tags", None)
    item.update({"tags": {"SS": rest}} if rest else {})


def without_first(item: Item) -> None:
    item["l"] = {"L": item["l"]["L"][1:]}


UPDATES: dict[str, Any] = {
    "SET g = :x": lambda item: item.update(g={"S": "x"}),
    "SET h = if_not_exists(h, :p), n = :zero": lambda item: item.update(h=item.get("h", {"S": "p"}), n=number(0)),
    "SET l = list_append(if_not_exists(l, :list), :list)": lambda item: item.update(
        l={"L": [*item.get("l", {"L": [{"S": "new"}]})["L"], {"S": "new"}]}
    ),
    "REMOVE g, n": lambda item: [item.pop(name, None) for name in ("g", "n")],
    "ADD n :two": added,
    "ADD tags :bb": joined,
    "DELETE tags :bb": left,
    "SET m.x = :two": lambda item: item["m"]["M"].update(x=number(2)),
    "REMOVE l[0] SET h = :p": lambda item: (without_first(item), item.update(h={"S": "p"})),
}
"""Expression, and what it does to an item; a KeyError is a document path that is not there."""


def values_of(*texts: str | None) -> dict[str, Any]:
    words = set(" ".join(text for text in texts if text).replace(",", " ").replace(")", " ").replace("(", " ").split())
    values = {name: value for name, value in VALUES.items() if name in words}
    return {"ExpressionAttributeValues": values} if values else {}


Write = tuple[str, str, Item, "str | None", "str | None"]
"""Action, table, key or item, update, condition."""

ACTIONS = ("Put", "Put", "Delete", "Update", "Update")


def write_in(random: Random, actions: tuple[str, ...] = ACTIONS) -> Write:
    action, table = random.choice(actions), random.choice(list(KEYS))
    content = (item_in if action == "Put" else key_in)(table, random)
    change = random.choice(list(UPDATES)) if action == "Update" else None
    conditional = action == "ConditionCheck" or random.random() < 0.3
    return action, table, content, change, random.choice(list(CONDITIONS)) if conditional else None


def distinct(writes: list[Write]) -> list[Write]:
    """Give the last of the writes of each item: no request names one twice."""
    return list({(w[1], json.dumps([w[2][name] for name in KEYS[w[1]]])): w for w in writes}.values())


def write_request(write: Write) -> dict[str, Any]:
    action, table, content, change, condition = write
    return {
        "TableName": table,
        "Item" if action == "Put" else "Key": content,
        **({"UpdateExpression": change} if change else {}),
        **({"ConditionExpression": condition} if condition else {}),
        **values_of(change, condition),
    }


ERRORS = {
    "None": None,
    "ConditionalCheckFailed": "ConditionalCheckFailedException",
    "ValidationError": "ValidationException",
}
"""A transaction's reason, and the error of the operation on one item."""


class Refused(Exception):
    """What the model says of a write that the service refuses, as a transaction's reason."""


class Model:
    """Items in lists, by table; tokens with the request and the second at which they were used."""

    def __init__(self) -> None:
        self.tables: dict[str, list[Item]] = {name: [] for name in KEYS}
        self.tokens: dict[str, tuple[list[Write], float]] = {}
        self.has_late = False

    def find(self, table: str, content: Item) -> Item | None:
        return next((i for i in self.tables[table] if all(i[k] == content[k] for k in KEYS[table])), None)

    def write(self, write: Write) -> None:
        action, table, content, change, condition = write
        old = self.find(table, content)
        if condition and not CONDITIONS[condition](old or {}):
            raise Refused("ConditionalCheckFailed")
        if action == "ConditionCheck":
            return
        new = {"Put": content, "Delete": None}.get(action) if change is None else self.changed(old or content, change)
        self.tables[table] = [item for item in self.tables[table] if item is not old]
        self.tables[table] += [] if new is None else [deepcopy(new)]

    def changed(self, old: Item, change: str) -> Item:
        new = deepcopy(old)
        try:
            UPDATES[change](new)
        except KeyError:
            raise Refused("ValidationError") from None
        return new

    def indexed(self, table: str, index: str | None) -> list[Item]:
        if index is None:
            return self.tables[table]
        hashes, ranges, projected = {**INDEXES[table], **LATE}[index]
        found = [item for item in self.tables[table] if all(name in item for name in hashes + ranges)]
        return [{n: v for n, v in item.items() if projected is None or n in projected} for item in found]


def plain(items: list[Item]) -> list[str]:
    """Items in any order, and their sets in any order."""
    return sorted(
        json.dumps({k: {"SS": sorted(v["SS"])} if "SS" in v else v for k, v in i.items()}, sort_keys=True)
        for i in items
    )


class Account:
    """An account and its model side by side; each method but the looks is a step of a program."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.fake = FakeDynamoDB()
        self.model = Model()
        self.kept: list[tuple[Any, Model]] = []
        for name in KEYS:
            self.call("CreateTable", create_request(name))

    def answer(self, operation: str, request: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
        outcome = self.fake._engine.handle(operation, deepcopy(request), "us-east-1")
        assert not outcome.refusals
        if outcome.error is not None:
            return dict(outcome.error.body()), outcome.error.code
        return json.loads(json.dumps(outcome.reply, default=lambda stored: json.loads(stored.json_text))), None

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        reply, error = self.answer(operation, request)
        assert error is None, reply
        return reply

    def write_one(self) -> None:
        write = write_in(self.random)
        said = self.tried([write])[0]
        _, error = self.answer(f"{write[0]}Item", write_request(write))
        assert error == ERRORS[said]

    def tried(self, writes: list[Write]) -> list[str]:
        """Have the model do all of some writes or none; gives a reason for each."""
        before, said = deepcopy(self.model), []
        for write in writes:
            try:
                self.model.write(write)
                said.append("None")
            except Refused as refused:
                said.append(refused.args[0])
        if set(said) != {"None"}:
            self.model = before
        return said

    def transaction(self) -> None:
        actions = (*ACTIONS, "ConditionCheck")
        writes = distinct([write_in(self.random, actions) for _ in range(self.random.randint(1, 4))])
        self.transact(writes, self.random.choice([None, "one", "two"]))

    def transact(self, writes: list[Write], token: str | None) -> None:
        items = [{write[0]: write_request(write)} for write in writes]
        request = {"TransactItems": items, **({"ClientRequestToken": token} if token else {})}
        known, now = self.model.tokens.get(token or ""), self.fake.clock.elapsed
        if known is not None and now - known[1] < 600:
            _, error = self.answer("TransactWriteItems", request)
            assert error == (None if known[0] == writes else "IdempotentParameterMismatchException")
            return
        said = self.tried(writes)
        if token and set(said) == {"None"}:
            self.model.tokens[token] = (writes, now)
        reply, error = self.answer("TransactWriteItems", request)
        assert error is None if set(said) == {"None"} else error == "TransactionCanceledException"
        assert [reason["Code"] for reason in reply.get("CancellationReasons", [])] == said or error is None

    def again(self) -> None:
        """Send a transaction again that has a token: it was done already, or too long ago."""
        for token, (writes, _) in list(self.model.tokens.items()):
            self.transact(writes, token)

    def batch(self) -> None:
        drawn = [write_in(self.random, ("Put", "Put", "Delete"))[:3] for _ in range(self.random.randint(1, 8))]
        writes = distinct([(action, table, content, None, None) for action, table, content in drawn])
        entries: dict[str, list[Any]] = {}
        for write in writes:
            member = "Item" if write[0] == "Put" else "Key"
            entries.setdefault(write[1], []).append({f"{write[0]}Request": {member: write[2]}})
            self.model.write(write)
        assert self.call("BatchWriteItem", {"RequestItems": entries}) == {"UnprocessedItems": {}}

    def read_many(self) -> None:
        drawn = distinct([write_in(self.random, ("Delete",)) for _ in range(6)])
        ats = [(table, key) for _, table, key, *_ in drawn]
        expected = [self.model.find(*at) for at in ats]
        gets = [{"Get": {"TableName": table, "Key": key}} for table, key in ats]
        found = self.call("TransactGetItems", {"TransactItems": gets})["Responses"]
        assert [plain([one["Item"]]) if one else None for one in found] == [i and plain([i]) for i in expected]
        keys: dict[str, Any] = {}
        for table, key in ats:
            keys.setdefault(table, {"Keys": []})["Keys"].append(key)
        for table, items in self.call("BatchGetItem", {"RequestItems": keys})["Responses"].items():
            assert plain(items) == plain([i for (t, _), i in zip(ats, expected, strict=True) if t == table and i])

    def scan_with_a_filter(self) -> None:
        table, condition = self.random.choice(list(KEYS)), self.random.choice(list(CONDITIONS))
        limit, segments = self.random.randint(1, 4), self.random.randint(1, 3)
        request = {"TableName": table, "FilterExpression": condition, "Limit": limit, **values_of(condition)}
        found = [
            item
            for segment in range(segments)
            for item in self.pages("Scan", {**request, "Segment": segment, "TotalSegments": segments})
        ]
        assert plain(found) == plain([item for item in self.model.tables[table] if CONDITIONS[condition](item)])

    def wait(self) -> None:
        self.fake.clock.advance(
            self.random.choice([70, 350])
        )  # Never 600 in all: nobody has seen what the last instant of a token is.

    def snapshot(self) -> None:
        self.kept.append((self.fake.snapshot(), deepcopy(self.model)))

    def restore(self) -> None:
        if self.kept:
            kept, model = self.random.choice(self.kept[-3:])
            self.fake.restore(kept)
            self.model = deepcopy(model)

    def an_index_comes_or_goes(self) -> None:
        index = {
            "IndexName": "late",
            "KeySchema": [{"AttributeName": "h", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }
        update = {"Delete": {"IndexName": "late"}} if self.model.has_late else {"Create": index}
        definitions = [{"AttributeName": "h", "AttributeType": "S"}]
        request = {"TableName": "people", "GlobalSecondaryIndexUpdates": [update], "AttributeDefinitions": definitions}
        self.call("UpdateTable", request)
        self.model.has_late = not self.model.has_late

    def pages(self, operation: str, request: dict[str, Any]) -> list[Item]:
        reply = self.call(operation, request)
        found = list(reply["Items"])
        while "LastEvaluatedKey" in reply:
            reply = self.call(operation, {**request, "ExclusiveStartKey": reply["LastEvaluatedKey"]})
            found += reply["Items"]
        return found

    def looks(self) -> list[tuple[str, str | None]]:
        late = ["late"] if self.model.has_late else []
        return [("people", index) for index in (None, *INDEXES["people"], *late)] + [
            ("notes", None),
            ("notes", "by_number"),
        ]

    def agrees(self, table: str, index: str | None) -> None:
        """Compare a scan, and a query of each partition in both directions, with the model."""
        members = {"TableName": table, **({} if index is None else {"IndexName": index})}
        expected = self.model.indexed(table, index)
        assert self.fake.table(table).item_count == len(self.model.tables[table])
        assert plain(self.pages("Scan", members)) == plain(expected)
        pk, *sk = KEYS[table]
        hashes, ranges, _ = ([pk], sk, None) if index is None else {**INDEXES[table], **LATE}[index]
        text = " AND ".join(f"{name} = :k{n}" for n, name in enumerate(hashes))
        for values in {json.dumps([item[name] for name in hashes]) for item in expected}:
            found = self.ordered(members, text, json.loads(values))
            inside = [item for item in expected if json.dumps([item[name] for name in hashes]) == values]
            assert plain(found) == plain(inside)
            places = [[int(item[name]["N"]) for name in ranges] for item in found]
            assert places == sorted(places)

    def ordered(self, members: dict[str, Any], text: str, values: list[Any]) -> list[Item]:
        placed = {f":k{n}": value for n, value in enumerate(values)}
        request = {**members, "KeyConditionExpression": text, "ExpressionAttributeValues": placed, "Limit": 2}
        forward = self.pages("Query", request)
        assert self.pages("Query", {**request, "ScanIndexForward": False}) == forward[::-1]
        return forward


STEPS = {
    Account.write_one: 12,
    Account.transaction: 6,
    Account.again: 2,
    Account.batch: 3,
    Account.read_many: 2,
    Account.scan_with_a_filter: 4,
    Account.wait: 2,
    Account.snapshot: 2,
    Account.restore: 1,
    Account.an_index_comes_or_goes: 1,
}
"""Each with its weight."""


@pytest.mark.parametrize("seed", range(12))
def test_an_account_agrees_with_a_naive_model(seed):
    account = Account(Random(seed))

    for step in account.random.choices(list(STEPS), list(STEPS.values()), k=60):
        step(account)

        account.fake.check_invariants()
        account.agrees(*account.random.choice(account.looks()))
    for look in account.looks():
        account.agrees(*look)
