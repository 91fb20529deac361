"""Random programs of writes to a table with vector indexes, and searches against a scan of all that was written."""

from __future__ import annotations

from math import dist, hypot
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from pytest_ddbthrottle._engine.clock import VirtualClock
from pytest_ddbthrottle._engine.dynamodb import DynamoDB

REGION = "us-east-1"
KEYS = st.sampled_from("abcdef")
TENANTS = st.none() | st.sampled_from(["t1", "t2"])
COLOURS = st.none() | st.sampled_from(["red", "blue"])
VECTORS = st.none() | st.tuples(*[st.integers(-3, 3)] * 2)
SOME_VECTORS = st.tuples(*[st.integers(-3, 3)] * 2)


def cosine(a: tuple[int, ...], b: tuple[int, ...]) -> float:
    lengths = hypot(*a) * hypot(*b)
    return 1 - dot(a, b) / lengths if lengths else 1.0


def dot(a: tuple[int, ...], b: tuple[int, ...]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


SCORES = {"COSINE": cosine, "EUCLIDEAN": dist, "DOT_PRODUCT": dot}


def wire(numbers: tuple[int, ...]) -> list[dict[str, str]]:
    return [{"N": str(number)} for number in numbers]


class VectorSearch(RuleBasedStateMachine):
    """The engine, and a dictionary of what was put in."""

    @initialize()
    def start(self) -> None:
        self.engine = DynamoDB(VirtualClock())
        self.model: dict[str, dict[str, Any]] = {}
        self.saved: tuple[Any, dict[str, dict[str, Any]]] | None = None
        self.call(
            "CreateTable",
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "tenant", "colour")],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            BillingMode="PAY_PER_REQUEST",
            VectorIndexes=[self.index(name, partitioned=True) for name in ("COSINE", "EUCLIDEAN")],
        )
        self.call("UpdateTable", **self.creation("DOT_PRODUCT"))

    @staticmethod
    def index(function: str, *, partitioned: bool) -> dict[str, Any]:
        roles = {"tenant": "HASH", "colour": "INLINE_FILTER"} if partitioned else {"colour": "INLINE_FILTER"}
        return {
            "IndexName": function,
            "VectorAttribute": {"AttributeName": "v"},
            "SearchSchema": [{"AttributeName": name, "SearchSchemaElementType": role} for name, role in roles.items()],
            "Projection": {"ProjectionType": "KEYS_ONLY" if partitioned else "ALL"},
            "Dimensions": 2,
            "DistanceFunction": function,
        }

    def creation(self, function: str) -> dict[str, Any]:
        defined = [{"AttributeName": "colour", "AttributeType": "S"}]
        create = {"Create": self.index(function, partitioned=False)}
        return {"AttributeDefinitions": defined, "VectorIndexUpdates": [create]}

    def call(self, operation: str, **members: Any) -> Any:
        outcome = self.engine.handle(operation, {"TableName": "docs", **members}, REGION)
        assert outcome.error is None, outcome.error
        return outcome.reply

    @rule(pk=KEYS, tenant=TENANTS, colour=COLOURS, vector=VECTORS)
    def put(self, pk: str, tenant: str | None, colour: str | None, vector: tuple[int, ...] | None) -> None:
        self.model[pk] = {"tenant": tenant, "colour": colour, "v": vector}
        item = {
            "pk": {"S": pk},
            **({"tenant": {"S": tenant}} if tenant else {}),
            **({"colour": {"S": colour}} if colour else {}),
            **({"v": {"L": wire(vector)}} if vector else {}),
        }
        self.call("PutItem", Item=item)

    @rule(pk=KEYS, name=st.sampled_from(["tenant", "colour", "v"]))
    def take_away(self, pk: str, name: str) -> None:
        self.model.setdefault(pk, dict.fromkeys(("tenant", "colour", "v")))[name] = None
        self.call("UpdateItem", Key={"pk": {"S": pk}}, UpdateExpression=f"REMOVE {name}")

    @rule(pk=KEYS, vector=SOME_VECTORS)
    def move(self, pk: str, vector: tuple[int, ...]) -> None:
        self.model.setdefault(pk, dict.fromkeys(("tenant", "colour", "v")))["v"] = vector
        values = {":v": {"L": wire(vector)}}
        self.call("UpdateItem", Key={"pk": {"S": pk}}, UpdateExpression="SET v = :v", ExpressionAttributeValues=values)

    @rule(pk=KEYS)
    def delete(self, pk: str) -> None:
        self.model.pop(pk, None)
        self.call("DeleteItem", Key={"pk": {"S": pk}})

    @rule()
    def make_the_index_again(self) -> None:
        self.call("UpdateTable", VectorIndexUpdates=[{"Delete": {"IndexName": "DOT_PRODUCT"}}])
        self.call("UpdateTable", **self.creation("DOT_PRODUCT"))

    @rule()
    def save(self) -> None:
        self.saved = self.engine.snapshot(), {pk: dict(item) for pk, item in self.model.items()}

    @rule()
    def go_back(self) -> None:
        if self.saved is not None:
            snapshot, model = self.saved
            self.engine.restore(snapshot)
            self.model = {pk: dict(item) for pk, item in model.items()}

    @rule(
        function=st.sampled_from(sorted(SCORES)),
        vector=SOME_VECTORS,
        tenant=st.sampled_from(["t1", "t2"]),
        colour=COLOURS,
        top_k=st.integers(1, 7),
    )
    def search(self, function: str, vector: tuple[int, ...], tenant: str, colour: str | None, top_k: int) -> None:
        wanted = {**({} if function == "DOT_PRODUCT" else {"tenant": tenant}), **({"colour": colour} if colour else {})}
        found = self.call("SearchVectors", **self.request(function, vector, wanted, top_k))["SearchResults"]

        scores = {
            pk: SCORES[function](vector, item["v"])
            for pk, item in self.model.items()
            if item["v"] and all(item[name] == value for name, value in wanted.items())
        }
        nearest = sorted(scores.values(), reverse=function == "DOT_PRODUCT")[:top_k]
        assert [round(hit["Score"], 4) + 0 for hit in found] == [round(score, 4) + 0 for score in nearest]
        for hit in found:
            assert abs(scores.pop(hit["Item"]["pk"]["S"]) - hit["Score"]) < 1e-5

    @staticmethod
    def request(function: str, vector: tuple[int, ...], wanted: dict[str, str], top_k: int) -> dict[str, Any]:
        condition = {
            "SearchConditionExpression": " AND ".join(f"{name} = :{name}" for name in wanted),
            "ExpressionAttributeValues": {f":{name}": {"S": value} for name, value in wanted.items()},
        }
        where = condition if wanted else {}
        return {"IndexName": function, "SearchVector": wire(vector), "TopK": top_k, **where}

    @invariant()
    def the_indexes_agree_with_the_table(self) -> None:
        if hasattr(self, "engine"):
            self.engine.check_invariants()


VectorSearch.TestCase.settings = settings(max_examples=40, stateful_step_count=40)
test_a_search_finds_what_a_scan_of_everything_finds = VectorSearch.TestCase
