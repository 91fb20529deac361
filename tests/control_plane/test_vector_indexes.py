"""Vector indexes on CreateTable, UpdateTable and DescribeTable: what is shown, what is refused, and their lifecycle."""

from __future__ import annotations

import pytest

REGION = "us-west-2"
INVALID = "ValidationException: One or more parameter values were invalid: "
LIMIT = "LimitExceededException: Subscriber limit exceeded: "
IN_USE = "ResourceInUseException: Attempt to change a resource which is still in use: "
ONE_ONLINE_INDEX = LIMIT + "Only 1 online index can be created or deleted simultaneously per table"
ON_DEMAND_ONLY = INVALID + "Vector indexes are only supported for PAY_PER_REQUEST tables"
UNITS = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
PROVISIONED = {"BillingMode": "PROVISIONED", "ProvisionedThroughput": UNITS}
SEARCH_SCHEMA = [
    {"AttributeName": "t", "SearchSchemaElementType": "HASH"},
    {"AttributeName": "f", "SearchSchemaElementType": "INLINE_FILTER"},
]
ITEM = {"pk": {"S": "a"}, "t": {"S": "x"}, "v": {"L": [{"N": "1"}, {"N": "2"}]}}


def index(name="vix", **members):
    return {
        "IndexName": name,
        "VectorAttribute": {"AttributeName": "v"},
        "Projection": {"ProjectionType": "ALL"},
        "Dimensions": 2,
        "DistanceFunction": "COSINE",
        **members,
    }


def definitions(*names):
    return [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", *names)]


def creation(*indexes, **members):
    return {"VectorIndexUpdates": [{"Create": made} for made in indexes or [index()]], **members}


def deletion(name="vix"):
    return {"VectorIndexUpdates": [{"Delete": {"IndexName": name}}]}


def search(account, name="vix"):
    outcome = account.engine.handle(
        "SearchVectors",
        {"TableName": "tab1", "IndexName": name, "SearchVector": [{"N": "1"}, {"N": "2"}], "TopK": 5},
        REGION,
    )
    return (
        outcome.error.message if outcome.error else [hit["Item"]["pk"]["S"] for hit in outcome.reply["SearchResults"]]
    )


def vector_indexes(account):
    return account.describe().get("VectorIndexes")


def test_a_table_shows_the_vector_index_that_it_was_made_with(account):
    made = index(SearchSchema=SEARCH_SCHEMA, Projection={"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x"]})
    reply = account.create(AttributeDefinitions=definitions("t", "f"), VectorIndexes=[made])
    account.call("PutItem", TableName="tab1", Item=ITEM)

    [shown] = vector_indexes(account)

    assert shown == {
        **made,
        "IndexStatus": "ACTIVE",
        "ItemCount": 1,
        "IndexSizeBytes": 4 * 2 + len("v") + len("pkatx"),
        "IndexArn": "arn:aws:dynamodb:us-west-2:123456789012:table/tab1/index/vix",
    }
    assert [found["IndexStatus"] for found in reply["VectorIndexes"]] == ["CREATING"]


def test_five_vector_indexes_can_be_made_with_a_table(account):
    account.create(VectorIndexes=[index(f"vix{n}") for n in range(5)])

    assert [found["IndexName"] for found in vector_indexes(account)] == [f"vix{n}" for n in range(5)]


def test_an_empty_list_makes_none(account):
    assert "VectorIndexes" not in account.create(VectorIndexes=[])


def elements(*roles):
    return [{"AttributeName": f"a{n}", "SearchSchemaElementType": role} for n, role in enumerate(roles)]


CREATE_REFUSALS = [
    ("a provisioned table", {**PROVISIONED, "VectorIndexes": [index()]}, ON_DEMAND_ONLY),
    (
        "six of them",
        {"VectorIndexes": [index(f"vix{n}") for n in range(6)]},
        INVALID + "VectorIndex count exceeds the per-table limit of 5",
    ),
    (
        "too many dimensions",
        {"VectorIndexes": [index(Dimensions=4097)]},
        INVALID + "Number of dimensions must be between 1 and 4096 inclusive.",
    ),
    (
        "a filter that is not defined",
        {"VectorIndexes": [index(SearchSchema=SEARCH_SCHEMA)]},
        INVALID + "One element in SearchSchema is not defined in attribute definitions",
    ),
    (
        "a vector that is defined",
        {"AttributeDefinitions": definitions("v"), "VectorIndexes": [index()]},
        INVALID
        + "Conflicting attribute definition for 'v'. An attribute cannot be defined in AttributeDefinitions when "
        "used as a VectorAttribute.",
    ),
    (
        "two lengths of one vector",
        {"VectorIndexes": [index(), index("vix2", Dimensions=3)]},
        INVALID
        + "Conflicting attribute definition for 'v'. All VectorIndexes on the same vector attribute must use the "
        "same dimensions.",
    ),
    ("one name twice", {"VectorIndexes": [index(), index()]}, INVALID + "Duplicate index name: vix"),
    (
        "a definition that nothing uses",
        {"AttributeDefinitions": definitions("x"), "VectorIndexes": [index(SearchSchema=[])]},
        "ValidationException: 1 validation error detected: Value '[]' at 'vectorIndexes.1.member.searchSchema' failed to "
        "satisfy constraint: Member must have length greater than or equal to 1",
    ),
    (
        "two partition keys",
        {
            "AttributeDefinitions": definitions("a0", "a1"),
            "VectorIndexes": [index(SearchSchema=elements("HASH", "HASH"))],
        },
        INVALID + "SearchSchema can have at most one HASH element",
    ),
    (
        "nineteen filters",
        {
            "AttributeDefinitions": definitions(*(f"a{n}" for n in range(19))),
            "VectorIndexes": [index(SearchSchema=elements(*["INLINE_FILTER"] * 19))],
        },
        INVALID + "SearchSchema can have at most 18 INLINE_FILTER elements",
    ),
    (
        "more than twenty projected attributes, the vector and the filters with them",
        {
            "AttributeDefinitions": definitions("a0"),
            "VectorIndexes": [
                index(
                    SearchSchema=elements("INLINE_FILTER"),
                    Projection={"ProjectionType": "INCLUDE", "NonKeyAttributes": [f"x{n}" for n in range(19)]},
                )
            ],
        },
        INVALID + "Number of projected non-key attributes 21 exceeds the limit of 20 for index: vix",
    ),
    (
        "a projection of nothing",
        {"VectorIndexes": [index(Projection={"ProjectionType": "INCLUDE"})]},
        INVALID + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified",
    ),
]


@pytest.mark.parametrize(
    ("members", "text"), [case[1:] for case in CREATE_REFUSALS], ids=[case[0] for case in CREATE_REFUSALS]
)
def test_create_table_refuses(account, members, text):
    request = account.new_table(**members)
    if "ProvisionedThroughput" not in members:
        request["BillingMode"] = "PAY_PER_REQUEST"

    assert account.refused("CreateTable", **request) == text


def test_eighteen_filters_and_a_partition_key_are_not_too_many(account):
    schema = elements("HASH", *["INLINE_FILTER"] * 18)

    account.create(
        AttributeDefinitions=definitions(*(f"a{n}" for n in range(19))), VectorIndexes=[index(SearchSchema=schema)]
    )

    assert len(account.describe()["AttributeDefinitions"]) == 20


def test_an_index_that_is_added_holds_what_the_table_held(account):
    account.create()
    account.call("PutItem", TableName="tab1", Item=ITEM)
    account.call("PutItem", TableName="tab1", Item={"pk": {"S": "b"}})

    reply = account.update(
        AttributeDefinitions=definitions("t", "f")[1:], **creation(index(SearchSchema=SEARCH_SCHEMA))
    )

    assert reply["TableStatus"] == "UPDATING"
    assert [(found["IndexStatus"], found["Backfilling"]) for found in reply["VectorIndexes"]] == [("CREATING", False)]
    assert [(found["ItemCount"], found["IndexStatus"]) for found in vector_indexes(account)] == [(1, "ACTIVE")]
    assert [found["AttributeName"] for found in account.describe()["AttributeDefinitions"]] == ["pk", "t", "f"]


def test_an_index_that_is_deleted_takes_its_definitions_with_it(account):
    account.create(AttributeDefinitions=definitions("t", "f"), VectorIndexes=[index(SearchSchema=SEARCH_SCHEMA)])
    account.call("PutItem", TableName="tab1", Item=ITEM)

    reply = account.update(**deletion())

    assert [found["IndexStatus"] for found in reply["VectorIndexes"]] == ["DELETING"]
    assert vector_indexes(account) is None
    assert account.describe()["AttributeDefinitions"] == definitions()
    assert account.describe()["ItemCount"] == 1
    assert search(account) == "The table does not have the specified index: vix"


UPDATE_REFUSALS = [
    (
        "a vector as the key of a global index",
        {
            "AttributeDefinitions": definitions("v")[1:],
            "GlobalSecondaryIndexUpdates": [
                {
                    "Create": {
                        "IndexName": "by_v",
                        "KeySchema": [{"AttributeName": "v", "KeyType": "HASH"}],
                        "Projection": {"ProjectionType": "ALL"},
                    }
                }
            ],
        },
        INVALID
        + "Conflicting attribute definition for 'v'. An attribute cannot be defined in AttributeDefinitions when "
        "used as a VectorAttribute.",
    ),
    ("two creations", creation(index("a-b"), index("c-d")), ONE_ONLINE_INDEX),
    (
        "a creation and a deletion",
        {"VectorIndexUpdates": [*creation()["VectorIndexUpdates"], *deletion()["VectorIndexUpdates"]]},
        ONE_ONLINE_INDEX,
    ),
    (
        "one of vectors and a global one",
        {
            **creation(index("new")),
            "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "gsi1"}}],
        },
        ONE_ONLINE_INDEX,
    ),
    ("a taken name", creation(), "ValidationException: Attempting to create an index which already exists"),
    (
        "the name of a global index",
        creation(index("gsi1")),
        "ValidationException: Attempting to create an index which already exists",
    ),
    (
        "a filter that the table defines and the request does not",
        creation(index("new", SearchSchema=SEARCH_SCHEMA)),
        INVALID + "One element in SearchSchema is not defined in attribute definitions",
    ),
    (
        "a filter of another type than the key it is",
        creation(
            index("new", SearchSchema=[{"AttributeName": "pk", "SearchSchemaElementType": "HASH"}]),
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "N"}],
        ),
        INVALID
        + "Attributes cannot be redefined. Please check that your attribute has the same type as previously defined.",
    ),
    (
        "a key as the vector",
        creation(index("new", VectorAttribute={"AttributeName": "pk"})),
        INVALID
        + "Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. "
        "Existing schema: Schema:[SchemaElement: key{pk:S:HASH}] New schema: VectorIndexSchema:[VectorAttribute: "
        "key{pk:L:2}]",
    ),
    (
        "other dimensions of the vector",
        creation(index("new", Dimensions=3)),
        INVALID
        + "Conflicting attribute definition for 'v'. All VectorIndexes on the same vector attribute must use the "
        "same dimensions.",
    ),
    (
        "an index that is not there",
        deletion("none"),
        "ResourceNotFoundException: Requested resource not found: Index none for table tab1",
    ),
    (
        "a global index, as one of vectors",
        deletion("gsi1"),
        "ValidationException: Cannot delete an index that is not a VectorIndex: gsi1",
    ),
    (
        "a vector index, as a global one",
        {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "vix"}}]},
        "ValidationException: Cannot delete an index that is not a GlobalSecondaryIndex: vix",
    ),
    (
        "nothing to do",
        {"VectorIndexUpdates": [{}]},
        INVALID + "One of VectorIndexUpdate.Create, VectorIndexUpdate.Delete must not be null",
    ),
    (
        "two things at once",
        {"VectorIndexUpdates": [{"Create": index("new"), "Delete": {"IndexName": "vix"}}]},
        INVALID + "Only one vector index action is allowed per VectorIndexUpdate object",
    ),
    (
        "another mode",
        {
            **PROVISIONED,
            "GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "gsi1", "ProvisionedThroughput": UNITS}}],
        },
        ON_DEMAND_ONLY,
    ),
]


@pytest.mark.parametrize(
    ("members", "text"), [case[1:] for case in UPDATE_REFUSALS], ids=[case[0] for case in UPDATE_REFUSALS]
)
def test_update_table_refuses(account, members, text):
    account.create(indexes={"gsi1": None}, VectorIndexes=[index()])

    assert account.refused("UpdateTable", TableName="tab1", **members) == text


def test_a_sixth_index_is_one_too_many(account):
    account.create(VectorIndexes=[index(f"vix{n}") for n in range(5)])

    assert account.refused("UpdateTable", TableName="tab1", **creation(index("sixth"))) == (
        LIMIT + "Number of vector secondary indexes exceeds per-table limit of 5"
    )


def test_an_empty_list_of_updates_asks_for_nothing(account):
    account.create()

    assert account.refused("UpdateTable", TableName="tab1", VectorIndexUpdates=[]).startswith(
        "ValidationException: At least one of ProvisionedThroughput"
    )


def test_a_provisioned_table_gets_one_when_it_becomes_on_demand_with_it(account):
    account.create(capacity=(5, 5))

    assert account.refused("UpdateTable", TableName="tab1", **creation()) == ON_DEMAND_ONLY
    account.update(BillingMode="PAY_PER_REQUEST", **creation())

    assert [found["IndexName"] for found in vector_indexes(account)] == ["vix"]


def test_once_the_index_is_gone_the_table_may_be_provisioned(account):
    account.create(VectorIndexes=[index()])

    account.update(**deletion())
    account.update(**PROVISIONED)

    assert account.describe()["ProvisionedThroughput"]["ReadCapacityUnits"] == 5


@pytest.fixture
def slow(account):
    account.limits(lifecycle="realistic")
    account.create()
    account.clock.advance(60)
    account.call("PutItem", TableName="tab1", Item=ITEM)
    return account


def seen(account):
    table = account.describe()
    [found] = table["VectorIndexes"]
    return table["TableStatus"], found["IndexStatus"], found.get("Backfilling")


def test_an_index_is_allocated_then_filled_then_searchable(slow):
    slow.update(**creation())

    assert (seen(slow), search(slow)) == (
        ("UPDATING", "CREATING", False),
        "The table does not have the specified index: vix",
    )
    slow.clock.advance(100)
    assert (seen(slow), search(slow)) == (
        ("ACTIVE", "CREATING", True),
        "Cannot search backfilling vector index: vix",
    )
    slow.call("PutItem", TableName="tab1", Item={**ITEM, "pk": {"S": "b"}})
    slow.clock.advance(3600)
    assert (seen(slow), search(slow)) == (("ACTIVE", "ACTIVE", None), ["a", "b"])


def test_an_index_being_allocated_is_left_alone_and_one_being_filled_can_be_deleted(slow):
    slow.update(**creation())

    assert slow.refused("UpdateTable", TableName="tab1", **deletion()) == (
        IN_USE + "Index creation is in resource allocation phase. Retry deletion during backfilling phase or when the "
        "index is active. Table: tab1 Index: vix"
    )
    assert slow.refused("UpdateTable", TableName="tab1", **creation()) == (
        IN_USE + "Index is being created.  Table: tab1 Index: vix"
    )
    assert slow.refused("UpdateTable", TableName="tab1", **creation(index("other"))) == ONE_ONLINE_INDEX
    slow.clock.advance(100)
    assert slow.refused("DeleteTable", TableName="tab1") == (
        IN_USE + "Cannot delete table while indexes are being created, updated, or deleted."
    )
    slow.update(**deletion())
    assert (seen(slow), search(slow)) == (
        ("UPDATING", "DELETING", None),
        "The table does not have the specified index: vix",
    )
    slow.clock.advance(3600)
    assert vector_indexes(slow) is None


def test_an_index_that_is_made_with_its_table_is_active_with_it(account):
    account.limits(lifecycle="realistic")
    account.create(VectorIndexes=[index()])

    assert seen(account) == ("CREATING", "CREATING", None)
    account.clock.advance(60)
    assert seen(account) == ("ACTIVE", "ACTIVE", None)


def test_a_snapshot_holds_vector_indexes_and_a_restore_brings_them_back(account):
    account.create(VectorIndexes=[index()])
    account.call("PutItem", TableName="tab1", Item=ITEM)
    snapshot = account.engine.snapshot()

    account.call("DeleteItem", TableName="tab1", Key={"pk": {"S": "a"}})
    account.call("PutItem", TableName="tab1", Item={**ITEM, "pk": {"S": "b"}})
    account.update(**deletion())
    for _ in range(2):
        account.engine.restore(snapshot)
        assert search(account) == ["a"]
        account.engine.check_invariants()
        account.call("PutItem", TableName="tab1", Item={**ITEM, "pk": {"S": "c"}})


def test_an_entry_that_does_not_agree_with_its_item_breaks_an_invariant(account):
    account.create(VectorIndexes=[index()])
    account.call("PutItem", TableName="tab1", Item=ITEM)
    table = account.engine.region(REGION).tables["tab1"]
    [(key, _)] = table.items.walk()

    table.vector_indexes["vix"].entries.remove(key)

    with pytest.raises(AssertionError, match="index/vix disagrees with its table"):
        account.engine.check_invariants()


def test_what_expires_leaves_the_vector_index(account):
    account.create(VectorIndexes=[index()])
    expiry = {"Enabled": True, "AttributeName": "ends"}
    account.call("UpdateTimeToLive", TableName="tab1", TimeToLiveSpecification=expiry)
    account.call("PutItem", TableName="tab1", Item={**ITEM, "ends": {"N": str(int(account.clock.time()) + 1)}})
    assert search(account) == ["a"]

    account.clock.advance(300)

    assert search(account) == []
    assert vector_indexes(account)[0]["ItemCount"] == 0


def test_statements_write_the_vector_index(account):
    account.create(VectorIndexes=[index()])

    account.call("ExecuteStatement", Statement="INSERT INTO tab1 VALUE {'pk': 'a', 'v': [1, 2]}")
    assert search(account) == ["a"]
    account.call("ExecuteStatement", Statement="UPDATE tab1 REMOVE v WHERE pk = 'a'")
    assert search(account) == []
