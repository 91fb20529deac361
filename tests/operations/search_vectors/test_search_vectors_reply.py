"""SearchVectors: which items come back, in which order, and how much of them."""

from __future__ import annotations

import pytest

from pytest_ddbthrottle._engine.operations.delete_item import delete_item
from pytest_ddbthrottle._engine.operations.put_item import put_item
from pytest_ddbthrottle._engine.operations.search_vectors import search_vectors
from pytest_ddbthrottle._engine.operations.update_item import update_item

ITEMS = {
    "a": ("t1", "red", (1, 0)),
    "b": ("t1", "blue", (0, 3)),
    "c": ("t2", "red", (2, 0)),
    "d": ("t1", None, (-1, 0)),
    "no tenant": (None, "red", (1, 0)),
    "no vector": ("t1", "red", None),
}


def vector(*numbers):
    return [{"N": str(number)} for number in numbers]


def put(context, pk, tenant=None, colour=None, numbers=None, **more):
    given = {
        "tenant": {"S": tenant} if tenant else None,
        "colour": {"S": colour} if colour else None,
        "v": {"L": vector(*numbers)} if numbers else None,
        **more,
    }
    item = {"pk": {"S": pk}, **{name: value for name, value in given.items() if value is not None}}
    put_item(context, {"TableName": "orders", "Item": item})


@pytest.fixture
def table(context):
    table = context.add_table()
    for pk, parts in ITEMS.items():
        put(context, pk, *parts)
    return table


def search(context, *numbers, top_k=10, index="near", values=None, **members):
    request = {"TableName": "orders", "IndexName": index, "SearchVector": vector(*numbers), "TopK": top_k, **members}
    if values:
        request["ExpressionAttributeValues"] = values
    return search_vectors(context, request)["SearchResults"]


def keys(results):
    return [result["Item"]["pk"]["S"] for result in results]


NEAREST = [
    ("EUCLIDEAN", [("a", 0.0), ("no tenant", 0.0), ("c", 1.0), ("d", 2.0), ("b", 3.1622776985168457)]),
    ("COSINE", [("a", 0.0), ("c", 0.0), ("no tenant", 0.0), ("b", 1.0), ("d", 2.0)]),
    ("DOT_PRODUCT", [("c", 2.0), ("a", 1.0), ("no tenant", 1.0), ("b", 0.0), ("d", -1.0)]),
]


@pytest.mark.parametrize(("function", "expected"), NEAREST)
def test_the_nearest_item_comes_first(context, table, add_vector_index, function, expected):
    add_vector_index(table, function=function)

    results = search(context, 1, 0)

    assert sorted((result["Score"], result["Item"]["pk"]["S"]) for result in results) == sorted(
        (score, pk) for pk, score in expected
    )
    scores = [result["Score"] for result in results]
    assert scores == [score for _, score in expected]


@pytest.mark.parametrize("top_k", [1, 3, 100])
def test_top_k_is_how_many_come_back_at_most(context, table, add_vector_index, top_k):
    add_vector_index(table)

    assert len(search(context, 1, 0, top_k=top_k)) == min(top_k, 5)


FILTERS = [
    ("tenant = :t", {":t": {"S": "t1"}}, ["a", "d", "b"]),
    ("tenant = :t AND colour = :c", {":t": {"S": "t1"}, ":c": {"S": "red"}}, ["a"]),
    ("(colour = :c AND (:t = tenant))", {":t": {"S": "t1"}, ":c": {"S": "blue"}}, ["b"]),
    ("tenant = :t", {":t": {"S": "none"}}, []),
    ("tenant = :t AND tenant = :c", {":t": {"S": "t1"}, ":c": {"S": "t2"}}, []),
    ("tenant = :t AND colour = :c", {":t": {"S": "t1"}, ":c": {"S": ""}}, []),
]


@pytest.mark.parametrize(("condition", "values", "expected"), FILTERS)
def test_a_condition_chooses_before_the_nearest_are_chosen(
    context, table, add_vector_index, condition, values, expected
):
    add_vector_index(table, partition="tenant:S", filters=["colour:S"])

    found = search(context, 1, 0, SearchConditionExpression=condition, values=values)

    assert keys(found) == expected


def test_a_number_in_another_spelling_is_the_same_partition(context, add_vector_index):
    add_vector_index(context.add_table(), partition="grp:N")
    put(context, "one", numbers=(1, 0), grp={"N": "1"})
    put(context, "two", numbers=(1, 0), grp={"N": "2"})

    assert keys(search(context, 1, 0, SearchConditionExpression="grp = :g", values={":g": {"N": "1.0"}})) == ["one"]


def test_an_inline_filter_alone_need_not_be_asked_for(context, table, add_vector_index):
    add_vector_index(table, filters=["colour:S"])

    assert len(search(context, 1, 0)) == 5
    assert keys(search(context, 1, 0, SearchConditionExpression="colour = :c", values={":c": {"S": "blue"}})) == ["b"]


PROJECTIONS = [
    ("ALL", [], None, {"pk", "tenant", "colour", "x", "y"}),
    ("ALL", [], "pk, v", {"pk", "v"}),
    ("KEYS_ONLY", [], None, {"pk", "tenant"}),
    ("KEYS_ONLY", [], "pk, v, x", {"pk"}),
    ("INCLUDE", ["x"], None, {"pk", "tenant", "x"}),
    ("INCLUDE", ["x", "v"], None, {"pk", "tenant", "x"}),
    ("INCLUDE", ["x", "v"], "v, x, y", {"v", "x"}),
    ("INCLUDE", ["x"], "y", set()),
]


@pytest.mark.parametrize(("projection", "included", "expression", "expected"), PROJECTIONS)
def test_what_the_index_projects_comes_back_and_the_vector_only_when_asked_for(
    context, add_vector_index, projection, included, expression, expected
):
    table = context.add_table()
    add_vector_index(table, partition="tenant:S", projection=projection, included=included)
    put(context, "a", "t1", "red", (1, 0), x={"S": "x"}, y={"S": "y"})
    members = {} if expression is None else {"ProjectionExpression": expression}

    [found] = search(context, 1, 0, SearchConditionExpression="tenant = :t", values={":t": {"S": "t1"}}, **members)

    assert set(found["Item"]) == expected


def test_the_vector_comes_back_in_the_precision_of_the_index(context, add_vector_index):
    add_vector_index(context.add_table())
    put(context, "a", numbers=("1", "0.123456789123"))

    [found] = search(context, 1, 0, ProjectionExpression="v[1], v[0]")

    assert found["Item"] == {"v": {"L": [{"N": "1.0"}, {"N": "0.12345679"}]}}


def test_an_empty_index_gives_an_empty_list(context, add_vector_index):
    add_vector_index(context.add_table())

    assert search(context, 1, 0) == []


CHANGES = [
    ("REMOVE v", {}, []),
    ("REMOVE tenant", {}, []),
    ("SET tenant = :x", {":x": {"S": "t2"}}, []),
    ("SET v = :x", {":x": {"L": vector(5, 5)}}, ["a"]),
    ("SET colour = :x", {":x": {"S": "x"}}, ["a"]),
]


@pytest.mark.parametrize(("expression", "values", "expected"), CHANGES)
def test_an_update_moves_an_item_in_and_out_of_the_index(context, add_vector_index, expression, values, expected):
    table = context.add_table()
    add_vector_index(table, partition="tenant:S")
    put(context, "a", "t1", "red", (1, 0))
    update = {"TableName": "orders", "Key": {"pk": {"S": "a"}}, "UpdateExpression": expression}

    update_item(context, {**update, **({"ExpressionAttributeValues": values} if values else {})})

    found = search(context, 1, 0, SearchConditionExpression="tenant = :t", values={":t": {"S": "t1"}})
    assert keys(found) == expected
    table.check_invariants()


def test_a_deleted_item_is_gone_from_the_index(context, table, add_vector_index):
    add_vector_index(table)

    delete_item(context, {"TableName": "orders", "Key": {"pk": {"S": "a"}}})

    assert "a" not in keys(search(context, 1, 0))
    table.check_invariants()


def test_a_new_index_leaves_out_what_it_would_not_take(context, add_vector_index):
    table = context.add_table()
    put(context, "short", numbers=(1,))
    put(context, "huge", numbers=("1E39", "0"))
    put(context, "text", v={"S": "no vector"})
    put(context, "other filter type", numbers=(1, 0), bin={"B": "YQ=="}, n={"S": "1"})
    put(context, "other tenant type", numbers=(1, 0), bin={"S": "1"})
    put(context, "empty tenant", numbers=(1, 0), bin={"B": ""})
    put(context, "good", numbers=(1, 0), bin={"B": "YQ=="})

    index = add_vector_index(table, partition="bin:B", filters=["n:N"])

    assert [entry.shown.attributes()["pk"]["S"] for _, entry in index.entries.walk()] == ["good"]
