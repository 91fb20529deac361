"""Random programs of data-plane calls, against a model that keeps its items in a list and computes nothing twice."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from pytest_ddbthrottle._engine.capacity import BillingMode, Consumption, Throughput
from pytest_ddbthrottle._engine.errors import (
    ConditionalCheckFailedException,
    ProvisionedThroughputExceededException,
    Throttled,
    TransactionCanceledException,
)
from pytest_ddbthrottle._engine.keys import KeyAttribute, KeySchema
from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.operations.batch_write_item import batch_write_item
from pytest_ddbthrottle._engine.operations.delete_item import delete_item
from pytest_ddbthrottle._engine.operations.get_item import get_item
from pytest_ddbthrottle._engine.operations.put_item import put_item
from pytest_ddbthrottle._engine.operations.query import query
from pytest_ddbthrottle._engine.operations.scan import scan
from pytest_ddbthrottle._engine.operations.transact_write_items import transact_write_items
from pytest_ddbthrottle._engine.operations.update_item import update_item
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table

ON_DEMAND = Throughput(BillingMode.PAY_PER_REQUEST)

PARTITION_KEYS = st.sampled_from(["a", "b", "c"])
SORT_KEYS = st.integers(-2, 3)
INDEX_KEYS = st.none() | st.sampled_from(["x", "y"])
COUNTS = st.integers(0, 3)
LIMITS = st.none() | st.integers(1, 4)


class Account:
    """As much of a context as the data plane asks for; refuses the next admissions as told."""

    def __init__(self) -> None:
        self.account_id, self.region, self.now_ns = "123456789012", "us-east-1", 0
        self.tables: dict[str, Table] = {}
        self.limits = AccountLimits()
        self.transaction_tokens: dict[str, Any] = {}
        self.refuses = False

    def admit(self, consumptions: list[Consumption]) -> None:
        if self.refuses:
            reason = {"Code": "ProvisionedThroughputExceeded", "Message": "too much"}
            raise Throttled(ProvisionedThroughputExceededException("too much"), reason, consumptions[-1], refusal=None)

    def leftover(self, operation: str, table_name: str, position: int) -> bool:
        return False


def table_with_indexes() -> Table:
    pk, sk, g, n = (KeyAttribute(*key.split(":")) for key in ("pk:S", "sk:N", "g:S", "n:N"))
    table = Table("t", "arn:t", "id", KeySchema((pk,), (sk,)), ON_DEMAND, created_ns=0)
    table.indexes = {
        "all": SecondaryIndex("all", "arn:all", KeySchema((g,)), "ALL", (), ON_DEMAND),
        "keys": SecondaryIndex("keys", "arn:keys", KeySchema((g,), (n,)), "KEYS_ONLY", (), ON_DEMAND),
        "local": SecondaryIndex("local", "arn:local", KeySchema((pk,), (n,)), "INCLUDE", ("g",)),
    }
    return table


def key_of(pk: str, sk: int) -> dict[str, Any]:
    return {"pk": {"S": pk}, "sk": {"N": str(sk)}}


def item_of(pk: str, sk: int, g: str | None, n: int | None) -> dict[str, Any]:
    extra = {"g": {"S": g} if g else None, "n": None if n is None else {"N": str(n)}}
    return {**key_of(pk, sk), **{name: value for name, value in extra.items() if value is not None}}


def order(item: dict[str, Any], *names: str) -> list[Any]:
    return [int(item[name]["N"]) if "N" in item[name] else item[name]["S"] for name in names]


def in_any_order(items: list[dict[str, Any]]) -> list[str]:
    return sorted(str(sorted(item.items())) for item in items)


class DataPlane(RuleBasedStateMachine):
    """The program under test and its model side by side."""

    @initialize()
    def start(self) -> None:
        self.account = Account()
        self.table = self.account.tables["t"] = table_with_indexes()
        self.model: list[dict[str, Any]] = []

    def _find(self, key: dict[str, Any]) -> dict[str, Any] | None:
        return next((item for item in self.model if item["pk"] == key["pk"] and item["sk"] == key["sk"]), None)

    def _replace(self, key: dict[str, Any], item: dict[str, Any] | None) -> None:
        self.model = [other for other in self.model if other is not self._find(key)]
        self.model += [] if item is None else [item]

    @rule(pk=PARTITION_KEYS, sk=SORT_KEYS, g=INDEX_KEYS, n=st.none() | COUNTS, refused=st.booleans())
    def put(self, pk: str, sk: int, g: str | None, n: int | None, refused: bool) -> None:
        item = item_of(pk, sk, g, n)
        self.account.refuses = refused
        try:
            put_item(self.account, {"TableName": "t", "Item": item})
            self._replace(item, item)
        except Throttled:
            assert refused
        finally:
            self.account.refuses = False

    @rule(pk=PARTITION_KEYS, sk=SORT_KEYS, n=COUNTS)
    def put_if_new(self, pk: str, sk: int, n: int) -> None:
        item, exists = item_of(pk, sk, None, n), self._find(key_of(pk, sk)) is not None
        try:
            put_item(self.account, {"TableName": "t", "Item": item, "ConditionExpression": "attribute_not_exists(pk)"})
            assert not exists
            self._replace(item, item)
        except ConditionalCheckFailedException:
            assert exists

    @rule(pk=PARTITION_KEYS, sk=SORT_KEYS, n=COUNTS)
    def add(self, pk: str, sk: int, n: int) -> None:
        key = key_of(pk, sk)
        old = self._find(key) or key
        total = int(old.get("n", {"N": "0"})["N"]) + n
        reply = update_item(
            self.account,
            {
                "TableName": "t",
                "Key": key,
                "UpdateExpression": "ADD n :n REMOVE g",
                "ExpressionAttributeValues": {":n": {"N": str(n)}},
                "ReturnValues": "ALL_NEW",
            },
        )
        new = {**{name: value for name, value in old.items() if name != "g"}, "n": {"N": str(total)}}
        self._replace(key, new)
        assert reply["Attributes"] == new

    @rule(pk=PARTITION_KEYS, sk=SORT_KEYS)
    def delete(self, pk: str, sk: int) -> None:
        key = key_of(pk, sk)
        reply = delete_item(self.account, {"TableName": "t", "Key": key, "ReturnValues": "ALL_OLD"})
        assert reply.get("Attributes") == self._find(key)
        self._replace(key, None)

    @rule(pk=PARTITION_KEYS, g=INDEX_KEYS, sks=st.lists(SORT_KEYS, unique=True, min_size=1), deletes=st.booleans())
    def batch(self, pk: str, g: str | None, sks: list[int], deletes: bool) -> None:
        entries: list[dict[str, Any]] = []
        for sk in sks:
            item = None if deletes else item_of(pk, sk, g, None)
            entries.append({"DeleteRequest": {"Key": key_of(pk, sk)}} if deletes else {"PutRequest": {"Item": item}})
            self._replace(key_of(pk, sk), item)
        reply = batch_write_item(self.account, {"RequestItems": {"t": entries}})
        assert reply == {"UnprocessedItems": {}}

    @rule(pk=PARTITION_KEYS, sks=st.lists(SORT_KEYS, unique=True, min_size=2, max_size=4), n=COUNTS)
    def move(self, pk: str, sks: list[int], n: int) -> None:
        """Delete one item that must exist and put others, or nothing of it."""
        gone, *made = sks
        exists = self._find(key_of(pk, gone)) is not None
        delete = {"TableName": "t", "Key": key_of(pk, gone), "ConditionExpression": "attribute_exists(pk)"}
        puts = [{"Put": {"TableName": "t", "Item": item_of(pk, sk, "x", n)}} for sk in made]
        try:
            transact_write_items(self.account, {"TransactItems": [{"Delete": delete}, *puts]})
            assert exists
        except TransactionCanceledException:
            assert not exists
            return
        self._replace(key_of(pk, gone), None)
        for sk in made:
            self._replace(key_of(pk, sk), item_of(pk, sk, "x", n))

    @rule(pk=PARTITION_KEYS, sk=SORT_KEYS)
    def get(self, pk: str, sk: int) -> None:
        reply = get_item(self.account, {"TableName": "t", "Key": key_of(pk, sk)})
        found = reply["Item"].attributes() if reply else None
        assert found == self._find(key_of(pk, sk))

    @rule(pk=PARTITION_KEYS, low=SORT_KEYS, limit=LIMITS, forward=st.booleans())
    def query_table(self, pk: str, low: int, limit: int | None, forward: bool) -> None:
        expected = [item for item in self.model if item["pk"]["S"] == pk and int(item["sk"]["N"]) >= low]
        expected.sort(key=lambda item: order(item, "sk"), reverse=not forward)
        values = {":p": {"S": pk}, ":low": {"N": str(low)}}
        condition = {"KeyConditionExpression": "pk = :p AND sk >= :low", "ExpressionAttributeValues": values}
        assert self._pages(query, limit, **condition, ScanIndexForward=forward) == expected

    @rule(g=st.sampled_from(["x", "y"]), limit=LIMITS, forward=st.booleans())
    def query_index(self, g: str, limit: int | None, forward: bool) -> None:
        expected = [item for item in self.model if item.get("g") == {"S": g} and "n" in item]
        condition = {"KeyConditionExpression": "g = :g", "ExpressionAttributeValues": {":g": {"S": g}}}
        found = self._pages(query, limit, **condition, IndexName="keys", ScanIndexForward=forward)
        counts = [order(item, "n") for item in found]
        assert counts == sorted(counts, reverse=not forward)
        assert in_any_order(found) == in_any_order(expected)

    @rule(pk=PARTITION_KEYS, limit=LIMITS)
    def query_local_index(self, pk: str, limit: int | None) -> None:
        expected = [item for item in self.model if item["pk"]["S"] == pk and "n" in item]
        expected.sort(key=lambda item: order(item, "n", "sk"))
        condition = {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": pk}}}
        assert self._pages(query, limit, **condition, IndexName="local") == expected

    @rule(limit=LIMITS, total_segments=st.integers(1, 3), index=st.sampled_from([None, "all"]))
    def scan_everything(self, limit: int | None, total_segments: int, index: str | None) -> None:
        members = {} if index is None else {"IndexName": index}
        found = [
            item
            for segment in range(total_segments)
            for item in self._pages(scan, limit, **members, Segment=segment, TotalSegments=total_segments)
        ]
        expected = [item for item in self.model if index is None or "g" in item]
        assert in_any_order(found) == in_any_order(expected)

    def _pages(self, operation: Any, limit: int | None, **members: Any) -> list[dict[str, Any]]:
        request = {"TableName": "t", **members, **({} if limit is None else {"Limit": limit})}
        reply = operation(self.account, request)
        found = list(reply["Items"])
        while "LastEvaluatedKey" in reply:
            assert reply["ScannedCount"] == limit
            reply = operation(self.account, {**request, "ExclusiveStartKey": reply["LastEvaluatedKey"]})
            found += reply["Items"]
        return found

    @invariant()
    def the_table_agrees_with_itself(self) -> None:
        if hasattr(self, "table"):
            self.table.check_invariants()


DataPlane.TestCase.settings = settings(max_examples=60, stateful_step_count=40)
test_the_data_plane_agrees_with_a_naive_model = DataPlane.TestCase
