"""SearchVectors: what it refuses, in the service's words; and what a write to a vector index is refused for."""

from __future__ import annotations

import pytest

from pytest_ddbthrottle._engine.errors import ResourceNotFoundException, Throttled, ValidationException
from pytest_ddbthrottle._engine.operations.batch_write_item import batch_write_item
from pytest_ddbthrottle._engine.operations.put_item import put_item
from pytest_ddbthrottle._engine.operations.query import query
from pytest_ddbthrottle._engine.operations.scan import scan
from pytest_ddbthrottle._engine.operations.search_vectors import search_vectors
from pytest_ddbthrottle._engine.operations.transact_write_items import transact_write_items
from pytest_ddbthrottle._engine.operations.update_item import update_item
from pytest_ddbthrottle._engine.validation import check

T1 = {":t": {"S": "t1"}}
INVALID_VALUES = (
    "Search vector contains invalid values. All values in the search vector must be a 32-bit floating-point number "
    "attribute"
)
COMPARATOR = "Invalid SearchConditionExpression: Invalid comparator used in SearchConditionExpression"
OPERATOR = "Invalid SearchConditionExpression: Invalid operator used in SearchConditionExpression"
NEEDED = "SearchConditionExpression must be provided when SearchSchema has a HASH key"


def vector(*numbers):
    return [{"N": str(number)} for number in numbers]


@pytest.fixture
def table(context, add_vector_index):
    table = context.add_table()
    add_vector_index(table, "plain")
    add_vector_index(table, "schema", partition="tenant:S", filters=["colour:S", "n:N"])
    return table


def request(index="plain", **members):
    return {"TableName": "orders", "IndexName": index, "SearchVector": vector(1, 0), "TopK": 1, **members}


def refused(context, kind=ValidationException, **members):
    with pytest.raises(kind) as caught:
        search_vectors(context, request(**members))
    return caught.value.message


def condition(text, **values):
    return {
        "index": "schema",
        "SearchConditionExpression": text,
        **({"ExpressionAttributeValues": {f":{name}": value for name, value in values.items()}} if values else {}),
    }


A = {"S": "a"}
REFUSALS = [
    (
        "TopK above 100",
        {"TopK": 101},
        "Provided TopK value '101' is out of valid range. The value must be between 1 and 100 inclusive",
    ),
    ("a number too large", {"SearchVector": vector("1E39", 0)}, INVALID_VALUES),
    ("a list in the list", {"SearchVector": [{"L": vector(1, 0)}]}, INVALID_VALUES),
    (
        "too few numbers",
        {"SearchVector": vector(1)},
        "Input search vector dimension 1 does not match vector index dimension 2",
    ),
    ("no such index", {"IndexName": "none"}, "The table does not have the specified index: none"),
    ("no condition", {"index": "schema"}, NEEDED),
    ("a condition without the partition key", condition("colour = :c", c=A), NEEDED),
    ("another comparator", condition("tenant < :t", t=A), COMPARATOR),
    ("another comparator of a filter", condition("tenant = :t AND colour <> :c", t=A, c=A), COMPARATOR),
    ("BETWEEN", condition("tenant BETWEEN :t AND :u", t=A, u={"S": "b"}), OPERATOR),
    ("IN", condition("tenant IN (:t)", t=A), OPERATOR),
    ("OR", condition("tenant = :t OR colour = :t", t=A), OPERATOR),
    ("NOT", condition("NOT tenant = :t", t=A), OPERATOR),
    ("a function", condition("begins_with(tenant, :t)", t=A), OPERATOR),
    ("two attributes", condition("tenant = colour"), COMPARATOR),
    ("two values", condition(":t = :u", t=A, u=A), COMPARATOR),
    (
        "an attribute outside the schema",
        {"SearchConditionExpression": "tenant = :t", "ExpressionAttributeValues": T1},
        "SearchConditionExpression must not contain any attributes that is not in SearchSchema. Invalid attribute: tenant",
    ),
    (
        "a part of an attribute",
        condition("tenant = :t AND colour.deep = :t", t=A),
        "SearchConditionExpression must not contain any attributes that is not in SearchSchema. "
        "Invalid attribute: [colour, deep]",
    ),
    (
        "a partition key of another type",
        condition("tenant = :t", t={"N": "1"}),
        "Type of 'tenant' attribute in SearchConditionExpression (N) does not match type in search schema (S)",
    ),
    (
        "a filter of another type",
        condition("tenant = :t AND n = :t", t=A),
        "Type of 'n' attribute in SearchConditionExpression (S) does not match type in search schema (N)",
    ),
    (
        "an empty partition key",
        condition("tenant = :t", t={"S": ""}),
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty "
        "string value. Key: tenant",
    ),
    (
        "a value that is not defined",
        condition("tenant = :t AND colour = :c", t=A),
        "Invalid SearchConditionExpression: An expression attribute value used in expression is not defined; "
        "attribute value: :c",
    ),
    (
        "a reserved word",
        condition("bucket = :t", t=A),
        "Invalid SearchConditionExpression: Attribute name is a reserved keyword; reserved keyword: bucket",
    ),
    (
        "a value that nothing uses",
        condition("tenant = :t", t=A, x=A),
        "Value provided in ExpressionAttributeValues unused in expressions: keys: {:x}",
    ),
]


@pytest.mark.parametrize(("members", "text"), [case[1:] for case in REFUSALS], ids=[case[0] for case in REFUSALS])
def test_a_search_is_refused_in_the_service_s_words_and_charged_nothing(context, table, members, text):
    assert refused(context, **members) == text
    assert context.admitted == []


def test_a_table_that_is_not_there_is_not_found(context):
    assert refused(context, ResourceNotFoundException) == "Requested resource not found"


CONSTRAINTS = [
    ({"IndexName": "ab"}, "IndexName", "Member must have length greater than or equal to 3"),
    ({"SearchVector": []}, "SearchVector", "Member must have length greater than or equal to 1"),
    ({"SearchVector": vector(*range(4097))}, "SearchVector", "Member must have length less than or equal to 4096"),
    ({"TopK": 0}, "TopK", "Member must have value greater than or equal to 1"),
    ({"TopK": None}, "TopK", "Member must not be null"),
]


@pytest.mark.parametrize(("members", "member", "constraint"), CONSTRAINTS)
def test_a_constraint_is_told_without_the_value(members, member, constraint):
    with pytest.raises(ValidationException) as caught:
        check("SearchVectors", request(**members))

    assert caught.value.message == (
        f"1 validation error detected: Value at '{member}' failed to satisfy constraint: {constraint}"
    )


def test_more_than_a_reply_holds_is_refused_with_a_way_out(context, table):
    blob = {"S": "x" * 400_000}
    for number in range(42):
        put_item(
            context, {"TableName": "orders", "Item": {"pk": {"S": str(number)}, "v": {"L": vector(1, 0)}, "x": blob}}
        )

    text = refused(context, TopK=42)

    assert text.startswith("SearchVectors: the 42 nearest items are 168")
    assert text.endswith("a reply holds at most 16777216: ask for fewer, or for less of each (ProjectionExpression)")


BY_KEY = {"KeyConditionExpression": "pk = :t", "ExpressionAttributeValues": T1}
OTHER_READS = [
    (query, BY_KEY, "Query operation not supported on this index type."),
    (query, {**BY_KEY, "ConsistentRead": True}, "Consistent reads are not supported on global secondary indexes"),
    (scan, {}, "Scan operation not supported on this index type"),
    (scan, {"ConsistentRead": True}, "Scan operation not supported on this index type"),
]


@pytest.mark.parametrize(("operation", "members", "text"), OTHER_READS)
def test_a_vector_index_can_be_searched_alone(context, table, operation, members, text):
    with pytest.raises(ValidationException) as caught:
        operation(context, {"TableName": "orders", "IndexName": "plain", **members})

    assert caught.value.message == text


INVALID = "One or more parameter values were invalid. "
BAD_ITEMS = [
    ({"v": {"L": vector(1)}}, f"{INVALID}Invalid size for parameter v, Expected: 2, Actual: 1 IndexName: plain"),
    (
        {"v": {"S": "no list"}},
        f"{INVALID}Invalid type for parameter v, Expected: 32-bit floating point number list IndexName: plain",
    ),
    (
        {"v": {"NS": ["1", "2"]}},
        f"{INVALID}Invalid type for parameter v, Expected: 32-bit floating point number list IndexName: plain",
    ),
    (
        {"v": {"L": [{"N": "1"}, {"S": "x"}]}},
        f"{INVALID}Invalid type for parameter v[1], Expected: 32-bit floating point number, Actual: S. IndexName: plain",
    ),
    (
        {"v": {"L": vector("1E+39", 0)}},
        f"{INVALID}Invalid value for parameter v[0], Value: 1E+39 is outside valid range "
        "[-3.4028235E38, 3.4028235E38]. IndexName: plain",
    ),
    (
        {"tenant": {"N": "7"}},
        f"{INVALID}Attribute 'tenant' type mismatch. Expected: S, Actual: N. IndexName: schema",
    ),
    ({"n": {"S": "7"}}, f"{INVALID}Attribute 'n' type mismatch. Expected: N, Actual: S. IndexName: schema"),
]


@pytest.mark.parametrize(("attributes", "text"), BAD_ITEMS)
@pytest.mark.parametrize("how", ["put", "batch", "transaction", "update"])
def test_what_an_index_can_t_hold_is_not_stored_at_all(context, table, attributes, text, how):
    with pytest.raises(Exception) as caught:
        store(context, how, attributes)

    error = caught.value
    told = error.members["CancellationReasons"][0]["Message"] if how == "transaction" else error.message
    assert told == text
    assert (len(table.items), context.admitted) == (0, [])


def store(context, how, attributes):
    key = {"pk": {"S": "a"}}
    if how == "put":
        put_item(context, {"TableName": "orders", "Item": {**key, **attributes}})
    elif how == "batch":
        batch_write_item(context, {"RequestItems": {"orders": [{"PutRequest": {"Item": {**key, **attributes}}}]}})
    elif how == "transaction":
        put = {"Put": {"TableName": "orders", "Item": {**key, **attributes}}}
        transact_write_items(context, {"TransactItems": [put]})
    else:
        [(name, value)] = attributes.items()
        update = {"UpdateExpression": "SET #x = :x", "ExpressionAttributeNames": {"#x": name}}
        update_item(context, {"TableName": "orders", "Key": key, **update, "ExpressionAttributeValues": {":x": value}})


def test_an_empty_partition_key_is_refused_as_that_of_a_global_index(context, table):
    with pytest.raises(ValidationException) as caught:
        store(context, "put", {"tenant": {"S": ""}})

    assert caught.value.message == (
        "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The "
        "AttributeValue for a key attribute cannot contain an empty string value. IndexName: schema, IndexKey: tenant"
    )


FINE = [
    {"v": {"L": vector("0.1234567890123456789", "-3.4028235E38")}},
    {"tenant": {"S": "t1"}},
    {"v": {"L": vector(1, 2)}, "colour": {"S": ""}},
    {},
]


@pytest.mark.parametrize("attributes", FINE)
def test_what_is_missing_or_only_more_precise_is_stored(context, table, attributes):
    store(context, "put", attributes)

    [(_, item)] = table.items.walk()
    assert item.attributes().keys() == {"pk", *attributes}


def test_an_update_of_something_else_leaves_a_vector_alone_that_no_index_would_take(context, add_vector_index):
    table = context.add_table()
    store(context, "put", {"v": {"S": "from before the index"}})
    add_vector_index(table)

    store(context, "update", {"x": {"S": "y"}})

    with pytest.raises(ValidationException):
        store(context, "put", {"v": {"S": "from before the index"}})


def test_a_refused_search_is_charged_nothing(context, table):
    context.refuses = lambda part: part.vector_index_name == "plain"

    with pytest.raises(Throttled):
        search_vectors(context, request())

    assert context.admitted == []
