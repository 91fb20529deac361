"""What a request asks of policies: actions, resources, and what conditions may look at."""

from __future__ import annotations

import json
import time
from itertools import product

import pytest

from pytest_ddbthrottle._engine.policy.request_facts import Place, questions, surroundings

TABLES = "arn:aws:dynamodb:us-east-1:123456789012:table"
KEYS = {("orders", None): ("pk",), ("orders", "by_status"): ("status", "shop"), ("users", None): ("id",)}
PLACE = Place("us-east-1", "123456789012", lambda table, index: KEYS.get((table, index), ()))
KEY = {"pk": {"S": "a"}, "sk": {"N": "1"}}
NONE = ("NONE",)


def asked(operation, **request):
    """Give what is asked, as ``{(action, resource): values}``, without prefixes."""
    return {
        (found.action.removeprefix("dynamodb:"), found.resource.removeprefix(f"{TABLES}/")): {
            key.removeprefix("dynamodb:"): texts for key, texts in found.values.items()
        }
        for found in questions(operation, request, PLACE)
    }


CONTROL_PLANE = [
    ("ListTables", {}, "*"),
    ("DescribeLimits", {"TableName": "orders"}, "*"),
    ("DescribeTable", {"TableName": "orders"}, f"{TABLES}/orders"),
    ("CreateTable", {"TableName": "new"}, f"{TABLES}/new"),
    ("UpdateTable", {"TableName": f"{TABLES}/orders"}, f"{TABLES}/orders"),
    ("TagResource", {"ResourceArn": f"{TABLES}/orders"}, f"{TABLES}/orders"),
    ("DescribeStream", {"StreamArn": f"{TABLES}/orders/stream/1"}, f"{TABLES}/orders/stream/1"),
    ("DeleteTable", {"TableName": 7}, "*"),
    ("GetItem", {}, "*"),
    ("BatchGetItem", {"RequestItems": []}, "*"),
]


@pytest.mark.parametrize(("operation", "request_", "resource"), CONTROL_PLANE)
def test_an_operation_asks_for_itself_on_its_resource(operation, request_, resource):
    [found] = questions(operation, request_, PLACE)

    assert (found.action, found.resource) == (f"dynamodb:{operation}", resource)


DATA_PLANE = [
    (
        "SearchVectors",
        {
            "TableName": "orders",
            "IndexName": "near",
            "SearchConditionExpression": "tenant = :t",
            "ExpressionAttributeValues": {":t": {"S": "a"}},
            "ProjectionExpression": "pk",
        },
        # No condition key of items and attributes: none can limit a search.
        {("SearchVectors", "orders/index/near"): {}},
    ),
    (
        "GetItem",
        {"TableName": "orders", "Key": KEY},
        {
            ("GetItem", "orders"): {
                "leadingkeys": ("a",),
                "firstpartitionkeyvalues": ("a",),
                "attributes": ("pk", "sk"),
                "select": ("ALL_ATTRIBUTES",),
                "returnconsumedcapacity": NONE,
            }
        },
    ),
    (
        "UpdateItem",
        {
            "TableName": "orders",
            "Key": KEY,
            "UpdateExpression": "SET total = if_not_exists(total, :z) + size(info.deep), #s = :v REMOVE lines[0].price",
            "ConditionExpression": "attribute_exists(pk) AND NOT begins_with(owner, :v)",
            "ExpressionAttributeNames": {"#s": "status"},
            "ReturnValues": "ALL_NEW",
            "ReturnConsumedCapacity": "TOTAL",
        },
        {
            ("UpdateItem", "orders"): {
                "leadingkeys": ("a",),
                "firstpartitionkeyvalues": ("a",),
                "attributes": ("pk", "sk", "owner", "total", "info", "status", "lines"),
                "returnvalues": ("ALL_NEW",),
                "returnconsumedcapacity": ("TOTAL",),
            }
        },
    ),
    (
        "Query",
        {
            "TableName": "orders",
            "KeyConditionExpression": "#p = :p AND sk BETWEEN :a AND :b",
            "ExpressionAttributeNames": {"#p": "pk"},
            "ExpressionAttributeValues": {":p": {"S": "me"}, ":a": {"N": "1"}, ":b": {"N": "2"}},
            "ProjectionExpression": "total",
        },
        {
            ("Query", "orders"): {
                "leadingkeys": ("me",),
                "firstpartitionkeyvalues": ("me",),
                "attributes": ("pk", "sk", "total"),
                "select": ("SPECIFIC_ATTRIBUTES",),
                "returnconsumedcapacity": NONE,
            }
        },
    ),
    (
        "Query",
        {
            "TableName": "orders",
            "IndexName": "by_status",
            "KeyConditionExpression": ":s = status and (shop=:h)",
            "ExpressionAttributeValues": {":s": {"S": "OPEN"}, ":h": {"N": "7"}},
        },
        {
            ("Query", "orders/index/by_status"): {
                "leadingkeys": ("OPEN",),
                "firstpartitionkeyvalues": ("OPEN",),
                "secondpartitionkeyvalues": ("7",),
                "attributes": ("status", "shop"),
                "select": ("ALL_PROJECTED_ATTRIBUTES",),
                "returnconsumedcapacity": NONE,
            }
        },
    ),
    (
        "Query",
        {
            "TableName": "orders",
            "KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"B": "YQ=="}]}},
            "QueryFilter": {"total": {}},
            "Select": "COUNT",
        },
        {
            ("Query", "orders"): {
                "leadingkeys": ("YQ==",),
                "firstpartitionkeyvalues": ("YQ==",),
                "attributes": ("pk", "total"),
                "select": ("COUNT",),
                "returnconsumedcapacity": NONE,
            }
        },
    ),
    (
        "Scan",
        {"TableName": "orders", "AttributesToGet": ["total"]},
        {
            ("Scan", "orders"): {
                "attributes": ("total",),
                "select": ("SPECIFIC_ATTRIBUTES",),
                "returnconsumedcapacity": NONE,
            }
        },
    ),
    (
        "BatchWriteItem",
        {
            "RequestItems": {
                "orders": [
                    {"PutRequest": {"Item": {**KEY, "x": {"S": ""}}}},
                    {"DeleteRequest": {"Key": {"pk": {"S": "b"}}}},
                ],
                "users": [{"DeleteRequest": {"Key": {"id": {"N": "1"}}}}],
            }
        },
        {
            ("BatchWriteItem", "orders"): {
                "leadingkeys": ("a", "b"),
                "firstpartitionkeyvalues": ("a", "b"),
                "attributes": ("pk", "sk", "x"),
                "returnconsumedcapacity": NONE,
            },
            ("BatchWriteItem", "users"): {
                "leadingkeys": ("1",),
                "firstpartitionkeyvalues": ("1",),
                "attributes": ("id",),
                "returnconsumedcapacity": NONE,
            },
        },
    ),
    (
        "TransactWriteItems",
        {
            "TransactItems": [
                {"Put": {"TableName": "orders", "Item": KEY}},
                {"Put": {"TableName": "orders", "Item": {"pk": {"S": "b"}}}},
                {
                    "ConditionCheck": {
                        "TableName": "users",
                        "Key": {"id": {"N": "1"}},
                        "ConditionExpression": "open = :t",
                    }
                },
            ]
        },
        {
            ("PutItem", "orders"): {
                "leadingkeys": ("a", "b"),
                "firstpartitionkeyvalues": ("a", "b"),
                "attributes": ("pk", "sk"),
                "returnconsumedcapacity": NONE,
                "enclosingoperation": ("TransactWriteItems",),
            },
            ("ConditionCheckItem", "users"): {
                "leadingkeys": ("1",),
                "firstpartitionkeyvalues": ("1",),
                "attributes": ("id", "open"),
                "returnconsumedcapacity": NONE,
                "enclosingoperation": ("TransactWriteItems",),
            },
        },
    ),
]


@pytest.mark.parametrize(("operation", "request_", "expected"), DATA_PLANE)
def test_a_request_names_its_partition_keys_and_attributes(operation, request_, expected):
    assert asked(operation, **request_) == expected


def test_a_table_with_a_policy_is_two_actions():
    assert list(asked("CreateTable", TableName="new", ResourcePolicy="{}")) == [
        ("CreateTable", "new"),
        ("PutResourcePolicy", "new"),
    ]


STATEMENTS = [
    ("SELECT * FROM orders WHERE pk = 'FROM users'", "PartiQLSelect", "orders"),
    ('select pk from "orders"."by_status"', "PartiQLSelect", "orders/index/by_status"),
    ("INSERT INTO orders VALUE {'pk': 'a'}", "PartiQLInsert", "orders"),
    ('UPDATE "orders" SET a = 1 WHERE pk = ?', "PartiQLUpdate", "orders"),
    ("delete from orders where pk = 'a'", "PartiQLDelete", "orders"),
    ("EXISTS(SELECT * FROM orders WHERE pk = 'a')", "PartiQLSelect", "orders"),
]


@pytest.mark.parametrize(("statement", "action", "resource"), STATEMENTS)
def test_a_statement_asks_for_the_action_that_it_is(statement, action, resource):
    assert set(asked("ExecuteStatement", Statement=statement)) == {(action, resource)}


NO, YES = "false", "true"
STATEMENT_VALUES = [
    (
        "SELECT n FROM orders WHERE pk = 'a' AND x = 1",
        [],
        {"leadingkeys": ("a",), "attributes": ("n", "pk", "x")},
        "false",
    ),
    (
        "SELECT * FROM orders WHERE pk IN [?, 2]",
        [{"S": "a"}],
        {"leadingkeys": ("a", "2"), "attributes": ("pk",)},
        "false",
    ),
    (
        "SELECT * FROM orders WHERE pk = 'a' OR pk = 'b'",
        [],
        {"leadingkeys": ("a", "b"), "attributes": ("pk",)},
        "false",
    ),
    ("SELECT * FROM orders WHERE pk = 'a' OR x = 1", [], {"attributes": ("pk", "x")}, YES),
    ("SELECT * FROM orders", [], {}, YES),
    (
        "EXISTS(SELECT * FROM orders WHERE pk = 'a' AND x = 1)",
        [],
        {"leadingkeys": ("a",), "attributes": ("pk", "x")},
        "false",
    ),
    (
        "INSERT INTO orders VALUE {'pk': ?, 'x': 1}",
        [{"S": "a"}],
        {"leadingkeys": ("a",), "attributes": ("pk", "x")},
        None,
    ),
    ("UPDATE orders SET x.y = 1 WHERE pk = 'a'", [], {"leadingkeys": ("a",), "attributes": ("x", "pk")}, None),
    ("DELETE FROM orders WHERE pk = 'a'", [], {"leadingkeys": ("a",), "attributes": ("pk",)}, None),
    ("DELETE FROM orders WHERE pk = ?", [], {}, None),
    ("DELETE FROM orders WHERE pk = ?", [7], {}, None),
]


@pytest.mark.parametrize(("statement", "parameters", "expected", "scans"), STATEMENT_VALUES)
def test_conditions_see_the_keys_and_attributes_of_a_statement(statement, parameters, expected, scans):
    [values] = asked("ExecuteStatement", Statement=statement, Parameters=parameters).values()

    assert values == {**expected, **({} if scans is None else {"fulltablescan": (scans,)})}


@pytest.mark.parametrize("statement", ["", "'", '"', "DROP TABLE x", "SELECT", "SELECT * FROM", "UPDATE 'x'", 7, None])
def test_what_is_no_statement_is_asked_about_all_the_same(statement):
    [found] = questions("ExecuteStatement", {"Statement": statement}, PLACE)

    assert found.resource == "*"


def test_the_statements_of_a_transaction_say_what_encloses_them():
    statements = [{"Statement": "SELECT * FROM orders"}, {"Statement": "DELETE FROM users"}, None]
    enclosed = {"enclosingoperation": ("ExecuteTransaction",)}

    assert asked("ExecuteTransaction", TransactStatements=statements) == {
        ("PartiQLSelect", "orders"): {**enclosed, "fulltablescan": ("true",)},
        ("PartiQLDelete", "users"): enclosed,
    }


JUNK = [
    None,
    7,
    True,
    "x",
    [],
    {},
    [None, [1], {"Get": 5}],
    {"a": None},
    {"a": {"S": 1}},
    {"": [{}]},
    "= : # ( . [",
    "\ud800",
]
MEMBERS = (
    "TableName",
    "Key",
    "Item",
    "RequestItems",
    "TransactItems",
    "IndexName",
    "Select",
    "ReturnValues",
    "KeyConditions",
)
TEXTS = ("KeyConditionExpression", "UpdateExpression", "ExpressionAttributeNames", "AttributesToGet", "Expected")
OPERATIONS = ("GetItem", "PutItem", "UpdateItem", "Query", "Scan", "BatchGetItem", "BatchWriteItem", "TransactGetItems")


@pytest.mark.parametrize("operation", [*OPERATIONS, "TransactWriteItems", "CreateTable", "NeverHeardOf"])
def test_no_json_is_too_odd_to_ask_about(operation):
    for member, junk in product((*MEMBERS, *TEXTS), JUNK):
        for value in (junk, {"orders": junk}, [junk], [{"Put": {"TableName": "orders", "Item": junk}}]):
            assert questions(operation, {"TableName": "orders", member: value}, PLACE)


def long_requests(size):
    yield "UpdateItem", {"TableName": "orders", "UpdateExpression": "((((" * size, "Key": {"pk": {"S": "a"}}}
    yield "Query", {"TableName": "orders", "KeyConditionExpression": "pk = " * size}
    yield "PutItem", {"TableName": "orders", "Item": {f"a{number}": {"S": "x"} for number in range(size)}}
    yield "ExecuteStatement", {"Statement": 'SELECT * FROM "' + "'\"x " * size}
    yield "BatchGetItem", {"RequestItems": {f"t{number}": {"Keys": [{}]} for number in range(size)}}
    puts = [{"Put": {"TableName": "orders", "Item": {"pk": {"S": str(number)}}}} for number in range(size)]
    yield "TransactWriteItems", {"TransactItems": puts}


def test_the_time_to_ask_is_linear_in_the_request():
    def seconds(size):
        start = time.process_time()
        for operation, request in long_requests(size):
            questions(operation, request, PLACE)
        return time.process_time() - start

    small = min(seconds(500) for _ in range(3))

    assert min(seconds(4_000) for _ in range(3)) < 40 * small + 0.05


def test_what_is_around_a_request_is_the_same_for_all_it_asks():
    arn = "arn:aws:iam::123456789012:user/alice"

    found = surroundings(arn, "alice", PLACE, 1_767_225_600 * 10**9)

    assert found["aws:currenttime"] == ("2026-01-01T00:00:00Z",)
    assert found["aws:epochtime"] == ("1767225600",)
    assert found["aws:username"] == ("alice",)
    assert found["aws:principaltype"] == ("User",)
    assert found["aws:requestedregion"] == ("us-east-1",)
    assert json.loads(json.dumps(found))


def test_a_root_has_no_user_name():
    found = surroundings("arn:aws:iam::123456789012:root", None, PLACE, 0)

    assert "aws:username" not in found
    assert found["aws:principaltype"] == ("Account",)
