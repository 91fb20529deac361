"""What a statement does, costs and returns is what the item operation that says the same does, costs and returns."""

from __future__ import annotations

from copy import deepcopy

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

KEYS = st.tuples(st.sampled_from("ab"), st.integers(1, 3))
VALUES = st.sampled_from([1, 2, "x", "y" * 1500, None, True, [1, "x"], {"a": 1}, {"SS": ["x", "y"]}, {"NS": ["1"]}])
ATTRIBUTES = st.dictionaries(st.sampled_from(["n", "s", "t"]), VALUES, max_size=3)
INDEX_KEYS = st.fixed_dictionaries(
    {}, optional={"g": st.sampled_from("xy"), "g2": st.just("z"), "l": st.sampled_from("uv")}
)
ITEMS = st.builds(
    lambda key, attributes, extra: {"pk": key[0], "sk": key[1], **attributes, **extra}, KEYS, ATTRIBUTES, INDEX_KEYS
)
CONTENTS = st.lists(ITEMS, max_size=8)

SORT = st.sampled_from(
    [
        ("sk = ?", "sk = :1", 1),
        ("sk > ?", "sk > :1", 1),
        ("? >= sk", "sk <= :1", 1),
        ("sk BETWEEN ? AND ?", "sk BETWEEN :1 AND :2", 2),
        (None, None, 0),
    ]
)
FILTERS = st.sampled_from(
    [
        (None, None, []),
        ("n = ?", "n = :f", [1]),
        ("n <> ?", "n <> :f", [1]),
        ("n < ? OR s IS MISSING", "n < :f OR attribute_not_exists(s)", [2]),
        ("NOT begins_with(s, ?)", "NOT begins_with(s, :f)", ["x"]),
        ("contains(t, ?) AND n IS NOT MISSING", "contains(t, :f) AND attribute_exists(n)", ["x"]),
        ("size(t) > ?", "size(t) > :f", [1]),
        ("n IN [?, 'x']", "n IN (:f, :x)", [2]),
        ("t IS NULL", "attribute_type(t, :f)", []),
    ]
)


def pair(made_account, contents):
    """Give two accounts of the same contents, which nothing throttles."""
    accounts = made_account(), made_account()
    for account in accounts:
        account.engine.throttling = False
        account.fill({"two": contents})
    return accounts


def same(contents, made_account, statement, call):
    """Assert that a statement and an item operation leave and cost the same; gives both outcomes."""
    by_statement, by_item = pair(made_account, contents)
    one = by_statement.do("ExecuteStatement", {**statement, "ReturnConsumedCapacity": "INDEXES"})
    other = by_item.do(call[0], {**deepcopy(call[1]), "TableName": "two", "ReturnConsumedCapacity": "INDEXES"})
    assert by_statement.contents("two") == by_item.contents("two")
    assert costs(one) == costs(other)
    assert (one.error is None) == (other.error is None), (one.error, other.error)
    if one.error is None:
        assert one.reply["ConsumedCapacity"] == other.reply["ConsumedCapacity"]
    return one, other


def costs(outcome):
    return [
        (part.table_name, part.index_name, part.local_index_name, part.nano_units, part.key_ranges)
        for part in outcome.consumed
    ]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(CONTENTS, st.sampled_from("ab"), SORT, FILTERS, st.booleans(), st.none() | st.integers(1, 3), st.booleans())
def test_a_select_of_a_key_is_a_query(made_account, as_wire, contents, pk, sort, kept, consistent, limit, forward):
    clause, condition, operands = sort
    text, expression, values = kept
    numbers = [1, 3][:operands]
    where = " AND ".join(f"({part})" for part in ("pk = ?", clause, text) if part is not None)
    order = "" if forward else " ORDER BY sk DESC"
    shared = {"ConsistentRead": consistent, **({} if limit is None else {"Limit": limit})}
    statement = {
        "Statement": f"SELECT * FROM two WHERE {where}{order}",
        "Parameters": [as_wire(value) for value in (pk, *numbers, *values)],
        **shared,
    }
    placeholders = {":p": as_wire(pk), **{f":{n}": as_wire(value) for n, value in enumerate(numbers, 1)}}
    if expression is not None:
        placeholders[":f"] = as_wire(values[0]) if values else {"S": "NULL"}
        placeholders |= {":x": {"S": "x"}} if ":x" in expression else {}
    query = {
        "KeyConditionExpression": " AND ".join(part for part in ("pk = :p", condition) if part),
        **({} if expression is None else {"FilterExpression": expression}),
        "ExpressionAttributeValues": placeholders,
        "ScanIndexForward": forward,
        **shared,
    }

    one, other = same(contents, made_account, statement, ("Query", query))

    assert list(one.reply["Items"]) == list(other.reply["Items"])
    assert one.reply.get("LastEvaluatedKey") == other.reply.get("LastEvaluatedKey")


INDEXED = st.sampled_from(
    [('"gsi-all"', "gsi-all", "g", "x"), ('"gsi-keys"', "gsi-keys", "g2", "z"), ('"lsi-keys"', "lsi-keys", "pk", "a")]
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(CONTENTS, INDEXED, st.none() | st.integers(1, 3))
def test_a_select_of_an_index_key_is_a_query_of_the_index(made_account, as_wire, contents, index, limit):
    quoted, name, attribute, value = index
    shared = {} if limit is None else {"Limit": limit}
    query = {
        "IndexName": name,
        "KeyConditionExpression": f"{attribute} = :v",
        "ExpressionAttributeValues": {":v": as_wire(value)},
        **shared,
    }
    statement = {"Statement": f"SELECT * FROM two.{quoted} WHERE {attribute} = '{value}'", **shared}

    one, other = same(contents, made_account, statement, ("Query", query))

    assert list(one.reply["Items"]) == list(other.reply["Items"])
    assert one.reply.get("LastEvaluatedKey") == other.reply.get("LastEvaluatedKey")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(CONTENTS, FILTERS, st.none() | st.integers(1, 3))
def test_a_select_without_a_key_is_a_scan(made_account, as_wire, contents, kept, limit):
    text, expression, values = kept
    shared = {} if limit is None else {"Limit": limit}
    where = "" if text is None else f" WHERE {text}"
    parameters = {"Parameters": [as_wire(value) for value in values]} if values else {}
    scan = dict(shared)
    if expression is not None:
        placeholders = {":f": as_wire(values[0]) if values else {"S": "NULL"}}
        placeholders |= {":x": {"S": "x"}} if ":x" in expression else {}
        scan |= {"FilterExpression": expression, "ExpressionAttributeValues": placeholders}

    statement = {"Statement": f"SELECT * FROM two{where}", **parameters, **shared}
    one, other = same(contents, made_account, statement, ("Scan", scan))

    assert list(one.reply["Items"]) == list(other.reply["Items"])
    assert one.reply.get("LastEvaluatedKey") == other.reply.get("LastEvaluatedKey")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(CONTENTS, ITEMS)
def test_an_insert_is_a_put_that_finds_nothing(made_account, as_wire, contents, item):
    members = ", ".join(f"'{name}': ?" for name in item)
    statement = {
        "Statement": f"INSERT INTO two VALUE {{{members}}}",
        "Parameters": [as_wire(value) for value in item.values()],
    }
    put = {"Item": as_wire(item)["M"], "ConditionExpression": "attribute_not_exists(pk)"}

    one, other = same(contents, made_account, statement, ("PutItem", put))

    assert one.error is None or one.error.code == "DuplicateItemException"
    assert other.error is None or other.error.code == "ConditionalCheckFailedException"


UPDATES = st.sampled_from(
    [
        ("SET n = ?", "SET n = :u", [7]),
        ("SET n = n + ?", "SET n = n + :u", [1]),
        ("SET s = ? REMOVE t", "SET s = :u REMOVE t", ["new"]),
        ("SET t.a = ?", "SET t.a = :u", [5]),
        ("REMOVE g", "REMOVE g", []),
        ("SET g = ?", "SET g = :u", ["y"]),
        ("SET t = list_append(t, ?)", "SET t = list_append(t, :u)", [[9]]),
        ("SET t = set_add(t, ?)", "ADD t :u", [{"SS": ["z"]}]),
        ("SET t = set_delete(t, ?)", "DELETE t :u", [{"SS": ["x"]}]),
    ]
)
RETURNED = st.sampled_from(
    [
        ("", "NONE"),
        ("ALL OLD *", "ALL_OLD"),
        ("ALL NEW *", "ALL_NEW"),
        ("MODIFIED OLD *", "UPDATED_OLD"),
        ("MODIFIED NEW *", "UPDATED_NEW"),
    ]
)


def returned(outcome):
    return [] if outcome.reply is None else [item for item in [outcome.reply.get("Attributes")] if item]


def conditional(expression, kept, values, as_wire):
    """Give the members of a condition that holds for an item alone, and what the filter says."""
    placeholders = {}
    if kept is not None:
        placeholders[":f"] = as_wire(values[0]) if values else {"S": "NULL"}
        placeholders |= {":x": {"S": "x"}} if ":x" in kept else {}
    return {"ConditionExpression": expression if kept is None else f"{expression} ({kept})"}, placeholders


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(CONTENTS, KEYS, UPDATES, FILTERS, RETURNED)
def test_an_update_is_an_update_of_an_item_that_is_there(made_account, as_wire, contents, key, update, kept, shown):
    clause, expression, values = update
    text, condition, operands = kept
    returning, return_values = shown
    where = "pk = ? AND sk = ?" + (f" AND ({text})" if text else "")
    statement = {
        "Statement": f"UPDATE two {clause} WHERE {where}" + (f" RETURNING {returning}" if returning else ""),
        "Parameters": [as_wire(value) for value in (*values, *key, *operands)],
    }
    start = "attribute_exists(pk)" + (" AND" if condition else "")
    members, placeholders = conditional(start, condition, operands, as_wire)
    placeholders |= {":u": as_wire(values[0])} if values else {}
    item = {
        "Key": {"pk": as_wire(key[0]), "sk": as_wire(key[1])},
        "UpdateExpression": expression,
        **members,
        **({"ExpressionAttributeValues": placeholders} if placeholders else {}),
        "ReturnValues": return_values,
    }

    one, other = same(contents, made_account, statement, ("UpdateItem", item))

    if one.error is None:
        assert one.reply["Items"] == returned(other)
    else:
        assert (one.error.code, one.error.message) == (other.error.code, other.error.message)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(CONTENTS, KEYS, FILTERS, st.booleans())
def test_a_delete_is_a_delete_that_may_find_nothing(made_account, as_wire, contents, key, kept, shows):
    text, condition, operands = kept
    where = "pk = ? AND sk = ?" + (f" AND ({text})" if text else "")
    statement = {
        "Statement": f"DELETE FROM two WHERE {where}" + (" RETURNING ALL OLD *" if shows else ""),
        "Parameters": [as_wire(value) for value in (*key, *operands)],
    }
    members, placeholders = conditional("attribute_not_exists(pk) OR", condition, operands, as_wire)
    item = {
        "Key": {"pk": as_wire(key[0]), "sk": as_wire(key[1])},
        **(members if condition else {}),
        **({"ExpressionAttributeValues": placeholders} if placeholders else {}),
        "ReturnValues": "ALL_OLD" if shows else "NONE",
    }

    one, other = same(contents, made_account, statement, ("DeleteItem", item))

    if one.error is None:
        assert one.reply["Items"] == returned(other)
    else:
        assert (one.error.code, one.error.message) == (other.error.code, other.error.message)
