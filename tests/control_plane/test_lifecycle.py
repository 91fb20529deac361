"""``lifecycle="realistic"``: what takes its time, what is seen meanwhile, and what each state refuses."""

from __future__ import annotations

import pytest

from pytest_ddbthrottle._engine.capacity import NANO_UNITS_PER_UNIT, OperationType
from pytest_ddbthrottle._engine.errors import ServiceError

REGION = "us-west-2"
IN_USE = "ResourceInUseException: Attempt to change a resource which is still in use: "
LIMIT = "LimitExceededException: Subscriber limit exceeded: "
ONE_ONLINE_INDEX = LIMIT + "Only 1 online index can be created or deleted simultaneously per table"
RATE = "ThrottlingException: The rate of control plane requests made by this account is too high"
NOT_FOUND = "ResourceNotFoundException: Requested resource not found"
ITEM = {"pk": {"S": "a"}, "g": {"S": "x"}}
UNITS_6 = {"ProvisionedThroughput": {"ReadCapacityUnits": 6, "WriteCapacityUnits": 5}}
ON_DEMAND = {"BillingMode": "PAY_PER_REQUEST"}
DELETE_GSI1 = {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "gsi1"}}]}
TAGS = [{"Key": "a", "Value": "b"}]
STEP = 1e-6


@pytest.fixture
def account(account):
    account.limits(lifecycle="realistic")
    return account


def provisioned(read, write=5):
    return {"ProvisionedThroughput": {"ReadCapacityUnits": read, "WriteCapacityUnits": write}}


def index_units(read, name="gsi1"):
    return {"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": name, **provisioned(read)}}]}


def statuses(account, name="tab1"):
    """Give the table's status and those of its global indexes."""
    table = account.describe(name)
    return [table["TableStatus"], *(index["IndexStatus"] for index in table.get("GlobalSecondaryIndexes", ()))]


def active(account, capacity=(5, 5), **more):
    """Make a table and wait until it is ACTIVE and no change of the control plane is unpaid."""
    account.create(capacity=capacity, **more)
    account.clock.advance(60)


def query(account, index="gsi1"):
    outcome = account.engine.handle(
        "Query",
        {
            "TableName": "tab1",
            "IndexName": index,
            "KeyConditionExpression": "g = :g",
            "ExpressionAttributeValues": {":g": {"S": "x"}},
        },
        REGION,
    )
    return outcome.error.message if outcome.error else outcome.reply["Count"]


def written(account, act):
    """Do something to the write bucket of the table, or look at it."""
    region = account.engine.region(REGION)
    return getattr(region.admission, act)(region.tables["tab1"], OperationType.WRITE, None, account.clock.now_ns())


def holds_until(account, seconds, seen, before, after):
    """Check that a state is seen until an instant, and another one from then on."""
    account.clock.advance(seconds - STEP)
    assert seen() == before
    account.clock.advance(STEP)
    assert seen() == after


@pytest.mark.parametrize(("indexes", "seconds"), [(None, 4.5), ({"gsi1": (5, 5), "gsi2": (5, 5)}, 18)])
def test_a_table_is_created_with_all_its_indexes(account, indexes, seconds):
    account.create(capacity=(5, 5), indexes=indexes)
    count = 1 + len(indexes or {})

    holds_until(account, seconds, lambda: statuses(account), ["CREATING"] * count, ["ACTIVE"] * count)


@pytest.mark.parametrize(
    ("operation", "members"),
    [
        ("GetItem", {"TableName": "tab1", "Key": {"pk": {"S": "a"}}}),
        ("PutItem", {"TableName": "tab1", "Item": ITEM}),
        ("Scan", {"TableName": "tab1"}),
        ("BatchWriteItem", {"RequestItems": {"tab1": [{"PutRequest": {"Item": ITEM}}]}}),
        ("TransactWriteItems", {"TransactItems": [{"Put": {"TableName": "tab1", "Item": ITEM}}]}),
    ],
)
@pytest.mark.parametrize("state", ["CREATING", "DELETING"])
def test_the_data_plane_knows_no_table_that_is_made_or_deleted(account, operation, members, state):
    account.create(capacity=(5, 5))
    if state == "DELETING":
        account.clock.advance(5)
        account.call("DeleteTable", TableName="tab1")

    assert account.refused(operation, **members) == NOT_FOUND


def test_the_data_plane_knows_a_table_from_the_moment_when_it_is_active(account):
    account.create(capacity=(5, 5))
    account.clock.advance(4.5)

    account.call("PutItem", TableName="tab1", Item=ITEM)


def test_buckets_fill_from_the_moment_when_the_table_is_active(account):
    account.create(capacity=(5, 5))
    account.clock.advance(4.5)

    for _ in range(5):
        account.call("PutItem", TableName="tab1", Item=ITEM)
    assert account.refused("PutItem", TableName="tab1", Item=ITEM).startswith("ProvisionedThroughputExceededException")


def test_a_table_is_deleted_after_its_time(account):
    active(account)
    account.call("DeleteTable", TableName="tab1")

    holds_until(
        account,
        7,
        lambda: account.call("ListTables")["TableNames"],
        ["tab1"],
        [],
    )
    assert account.refused("DescribeTable", TableName="tab1") == NOT_FOUND + ": Table: tab1 not found"
    account.create()


@pytest.mark.parametrize(
    ("operation", "members"),
    [
        ("UpdateTable", UNITS_6),
        ("UpdateTable", provisioned(5)),
        ("UpdateTable", {"DeletionProtectionEnabled": True}),
        ("DeleteTable", {}),
    ],
)
@pytest.mark.parametrize(
    ("state", "text"), [("CREATING", "Table is being created: tab1"), ("DELETING", "Table is being deleted: tab1")]
)
def test_a_table_that_is_made_or_deleted_is_not_changed(account, operation, members, state, text):
    account.create(capacity=(5, 5))
    if state == "DELETING":
        account.clock.advance(5)
        account.call("DeleteTable", TableName="tab1")

    assert account.refused(operation, TableName="tab1", **members) == IN_USE + text
    account.clock.advance({"CREATING": 4.5, "DELETING": 7}[state] - STEP)
    assert account.refused(operation, TableName="tab1", **members) == IN_USE + text


@pytest.mark.parametrize("seconds", [1, 6])
def test_a_name_is_taken_in_every_state(account, seconds):
    account.create(capacity=(5, 5))
    account.clock.advance(seconds)
    if seconds == 6:
        account.call("DeleteTable", TableName="tab1")

    refused = account.refused("CreateTable", **account.new_table())

    assert refused == "ResourceInUseException: Table already exists: tab1"


def test_capacity_is_in_force_when_the_table_is_active_again(account):
    active(account)

    reply = account.update(**provisioned(5, 100))

    assert reply["TableStatus"] == "UPDATING"
    assert reply["ProvisionedThroughput"]["WriteCapacityUnits"] == 5

    def seen():
        table = account.describe()
        return table["TableStatus"], table["ProvisionedThroughput"]["WriteCapacityUnits"]

    holds_until(account, 1.5, seen, ("UPDATING", 5), ("ACTIVE", 100))


def test_a_bucket_fills_at_the_old_rate_until_the_change_is_done(account):
    active(account, capacity=(5, 1))
    written(account, "drain")
    account.update(**provisioned(5, 10))
    account.clock.advance(3.5)

    # 1.5 s at 1 unit, scaled by 10 with the rate, then 2 s at 10 units.
    assert written(account, "balance_nano_units") == (15 + 20) * NANO_UNITS_PER_UNIT


def test_a_decrease_counts_at_once_and_shows_when_it_is_done(account):
    active(account)
    account.update(**provisioned(4))

    def seen():
        capacity = account.describe()["ProvisionedThroughput"]
        return capacity["NumberOfDecreasesToday"], capacity["ReadCapacityUnits"], "LastDecreaseDateTime" in capacity

    holds_until(account, 1.5, seen, (0, 5, True), (1, 4, True))


@pytest.mark.parametrize("members", [provisioned(7), provisioned(5), provisioned(6), ON_DEMAND])
def test_a_second_change_of_capacity_waits_for_the_first(account, members):
    active(account)
    account.update(**UNITS_6)
    busy = IN_USE + "Table IOPS are currently being updated. Table: tab1"

    assert account.refused("UpdateTable", TableName="tab1", **members) == busy
    account.clock.advance(1.5 - STEP)
    assert account.refused("UpdateTable", TableName="tab1", **members) == busy


def test_one_step_later_the_second_change_is_made(account):
    active(account)
    account.update(**UNITS_6)
    account.clock.advance(1.5)

    account.update(**provisioned(7))


@pytest.mark.parametrize("capacity", [UNITS_6, ON_DEMAND])
def test_a_table_is_not_deleted_while_it_is_updated(account, capacity):
    active(account)
    account.update(**capacity)

    refused = account.refused("DeleteTable", TableName="tab1")

    assert refused == IN_USE + "Table: tab1 is in the process of being updated."


@pytest.mark.parametrize("members", ["create", "delete"])
def test_indexes_are_neither_made_nor_deleted_beside_a_change_of_capacity(account, members):
    active(account, indexes={"gsi1": (5, 5)})
    account.update(**UNITS_6)
    asked = account.index_creation("gsi2", (5, 5)) if members == "create" else DELETE_GSI1

    refused = account.refused("UpdateTable", TableName="tab1", **asked)

    assert refused == IN_USE + "Can't create or delete indexes while table IOPS are being updated. Table: tab1"


def test_over_a_maximum_the_limit_comes_before_the_state(account):
    account.limits(lifecycle="realistic", per_table_max_rcu=100)
    active(account)
    account.update(**UNITS_6)

    over = account.refused("UpdateTable", TableName="tab1", **provisioned(101))
    under = account.refused("UpdateTable", TableName="tab1", **provisioned(100))

    assert over.startswith(
        "LimitExceededException: The requested ReadCapacityUnits, 101, is above the per table maximum"
    )
    assert under == IN_USE + "Table IOPS are currently being updated. Table: tab1"


@pytest.mark.parametrize(
    ("indexes", "seconds"),
    [(None, 80), ({"gsi1": None}, 97)],
)
def test_a_switch_to_provisioned_takes_its_time(account, indexes, seconds):
    active(account, capacity=None, indexes=indexes)
    members = {"BillingMode": "PROVISIONED", **provisioned(5), **(index_units(5) if indexes else {})}
    count = 1 + len(indexes or {})

    account.update(**members)

    def seen():
        table = account.describe()
        return (
            statuses(account),
            table["ProvisionedThroughput"]["ReadCapacityUnits"],
            table["BillingModeSummary"]["BillingMode"],
        )

    holds_until(
        account, seconds, seen, (["UPDATING"] * count, 0, "PROVISIONED"), (["ACTIVE"] * count, 5, "PROVISIONED")
    )


def test_the_first_switch_to_on_demand_takes_longer_than_the_next_one(account):
    active(account)
    account.update(**ON_DEMAND)
    holds_until(account, 150, lambda: statuses(account), ["UPDATING"], ["ACTIVE"])
    assert "LastUpdateToPayPerRequestDateTime" in account.describe()["BillingModeSummary"]
    account.update(BillingMode="PROVISIONED", **provisioned(5))
    account.clock.advance(80)

    account.update(**ON_DEMAND)

    holds_until(account, 4.5, lambda: statuses(account), ["UPDATING"], ["ACTIVE"])


def test_the_data_plane_goes_on_at_the_old_rate_during_a_switch(account):
    active(account, capacity=(5, 1))
    written(account, "drain")
    account.update(**ON_DEMAND)

    refused = account.refused("PutItem", TableName="tab1", Item=ITEM)

    assert refused.startswith("ProvisionedThroughputExceededException")


def test_a_switch_to_provisioned_is_not_taken_back(account):
    active(account, capacity=None)
    account.update(BillingMode="PROVISIONED", **provisioned(5))

    account.update(**ON_DEMAND)

    account.clock.advance(80)
    assert account.describe()["ProvisionedThroughput"]["ReadCapacityUnits"] == 5


def test_a_switch_to_on_demand_refuses_to_be_taken_back(account):
    active(account)
    account.update(**ON_DEMAND)

    refused = account.refused("UpdateTable", TableName="tab1", BillingMode="PROVISIONED", **provisioned(5))

    assert refused == IN_USE + "Table IOPS are currently being updated. Table: tab1"


def test_caps_of_a_table_are_in_force_at_once(account):
    active(account, capacity=None)

    account.update(OnDemandThroughput={"MaxReadRequestUnits": 7})

    table = account.describe()
    assert (table["TableStatus"], table["OnDemandThroughput"]) == ("ACTIVE", {"MaxReadRequestUnits": 7})


def test_an_index_changes_its_capacity_by_itself(account):
    active(account, indexes={"gsi1": (5, 5)})
    account.update(**index_units(9))

    def seen():
        index = account.describe()["GlobalSecondaryIndexes"][0]
        return statuses(account), index["ProvisionedThroughput"]["ReadCapacityUnits"]

    busy = IN_USE + "Index is being updated. Table: tab1 Index: gsi1"
    assert account.refused("UpdateTable", TableName="tab1", **index_units(10)) == busy
    assert account.refused("UpdateTable", TableName="tab1", **DELETE_GSI1) == busy
    assert account.refused("UpdateTable", TableName="tab1", **ON_DEMAND) == busy
    holds_until(account, 4, seen, (["ACTIVE", "UPDATING"], 5), (["ACTIVE", "ACTIVE"], 9))


def test_an_index_that_is_updated_can_be_read(account):
    active(account, indexes={"gsi1": (5, 5)})
    account.call("PutItem", TableName="tab1", Item=ITEM)
    account.update(**index_units(9))

    assert query(account) == 1


def test_a_cap_of_an_index_takes_its_time(account):
    active(account, capacity=None, indexes={"gsi1": None})
    cap = {"IndexName": "gsi1", "OnDemandThroughput": {"MaxReadRequestUnits": 7}}
    account.update(GlobalSecondaryIndexUpdates=[{"Update": cap}])

    def seen():
        return account.describe()["GlobalSecondaryIndexes"][0].get("OnDemandThroughput")

    holds_until(account, 2, seen, None, {"MaxReadRequestUnits": 7})


def filling(account):
    """Give what is seen of a table and an index that is made: statuses, and whether it is being filled."""
    return [*statuses(account), account.describe()["GlobalSecondaryIndexes"][0].get("Backfilling")]


def test_a_new_index_is_allocated_then_filled_then_active(account):
    active(account)
    account.call("PutItem", TableName="tab1", Item=ITEM)
    account.update(**account.index_creation("gsi1", (5, 5)))
    filled = "Cannot read from backfilling global secondary index: gsi1"

    holds_until(
        account,
        40,
        lambda: filling(account),
        ["UPDATING", "CREATING", False],
        ["ACTIVE", "CREATING", True],
    )
    holds_until(
        account,
        480,
        lambda: (filling(account), query(account)),
        (["ACTIVE", "CREATING", True], filled),
        (["ACTIVE", "ACTIVE", None], 1),
    )


def test_a_new_index_is_deleted_in_its_filling_and_not_in_its_allocation(account):
    active(account)
    account.update(**account.index_creation("gsi1", (5, 5)))
    account.clock.advance(40 - STEP)

    refused = account.refused("UpdateTable", TableName="tab1", **DELETE_GSI1)

    assert refused == (
        IN_USE + "Index creation is in resource allocation phase. Retry deletion during backfilling phase or when the "
        "index is active. Table: tab1 Index: gsi1"
    )
    account.clock.advance(STEP)
    account.update(**DELETE_GSI1)
    assert statuses(account) == ["UPDATING", "DELETING"]


def test_an_index_is_deleted_after_its_time(account):
    active(account, indexes={"gsi1": (5, 5)})

    reply = account.update(**DELETE_GSI1)

    assert reply["GlobalSecondaryIndexes"][0]["IndexStatus"] == "DELETING"
    assert query(account) == "The table does not have the specified index: gsi1"
    busy = account.refused("UpdateTable", TableName="tab1", **DELETE_GSI1)
    assert busy == IN_USE + "Index is being deleted. Table: tab1 Index: gsi1"
    holds_until(account, 4, lambda: statuses(account), ["UPDATING", "DELETING"], ["ACTIVE"])


def test_a_write_reaches_an_index_that_is_being_made(account):
    active(account)
    account.update(**account.index_creation("gsi1", (5, 5)))
    account.clock.advance(100)
    account.call("PutItem", TableName="tab1", Item=ITEM)

    account.clock.advance(420)

    assert query(account) == 1


def test_capacity_changes_while_an_index_is_made(account):
    active(account)
    account.update(**account.index_creation("gsi1", (5, 5)))

    account.update(**UNITS_6)

    account.clock.advance(1.5)
    assert account.describe()["ProvisionedThroughput"]["ReadCapacityUnits"] == 6


def test_capacity_waits_for_the_deletion_of_an_index(account):
    active(account, indexes={"gsi1": (5, 5)})
    account.update(**DELETE_GSI1)

    refused = account.refused("UpdateTable", TableName="tab1", **UNITS_6)

    text = "Can't change table IOPS when an index is being deleted. Table: tab1 Indexes: [gsi1]"
    assert refused == IN_USE + text


@pytest.mark.parametrize("first", ["create", "delete"])
@pytest.mark.parametrize("second", ["create", "delete"])
def test_one_index_is_made_or_deleted_at_a_time(account, first, second):
    active(account, indexes={"gsi1": (5, 5), "gsi2": (5, 5)})
    asked = {
        "first create": account.index_creation("gsi3", (5, 5)),
        "first delete": DELETE_GSI1,
        "second create": account.index_creation("gsi4", (5, 5)),
        "second delete": {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "gsi2"}}]},
    }
    account.update(**asked[f"first {first}"])
    seconds = {"create": 520, "delete": 4}[first]
    account.clock.advance(seconds - STEP)

    assert account.refused("UpdateTable", TableName="tab1", **asked[f"second {second}"]) == ONE_ONLINE_INDEX
    account.clock.advance(STEP)
    account.update(**asked[f"second {second}"])


@pytest.mark.parametrize("change", ["create", "update", "delete"])
def test_a_table_is_not_deleted_while_an_index_changes(account, change):
    active(account, indexes={"gsi1": (5, 5)})
    members = {"create": account.index_creation("gsi2", (5, 5)), "update": index_units(9), "delete": DELETE_GSI1}
    account.update(**members[change])

    refused = account.refused("DeleteTable", TableName="tab1")

    assert refused == IN_USE + "Cannot delete table while indexes are being created, updated, or deleted."


def test_caps_wait_for_the_creation_of_an_index(account):
    active(account, capacity=None)
    account.update(**account.index_creation("gsi1"))

    refused = account.refused("UpdateTable", TableName="tab1", OnDemandThroughput={"MaxReadRequestUnits": 7})

    text = "OnDemandThroughput cannot be updated while index creation is in progress for indexes: [gsi1]"
    assert refused == IN_USE + text


def test_six_changes_pass_at_once_and_then_one_a_second(account):
    for number in range(6):
        account.create(f"table{number}")

    assert account.refused("CreateTable", **account.new_table("table6")) == RATE
    account.clock.advance(1 - STEP)
    assert account.refused("CreateTable", **account.new_table("table6")) == RATE
    account.clock.advance(STEP)
    account.create("table6")
    assert account.refused("CreateTable", **account.new_table("table7")) == RATE


@pytest.mark.parametrize(
    ("operation", "members"),
    [
        ("UpdateTable", {"TableName": "tab1", **UNITS_6}),
        ("UpdateTable", {"TableName": "tab1", "TableClass": "STANDARD_INFREQUENT_ACCESS"}),
        ("DeleteTable", {"TableName": "tab1"}),
        ("TagResource", {"ResourceArn": f"arn:aws:dynamodb:{REGION}:123456789012:table/tab1", "Tags": TAGS}),
        ("UntagResource", {"ResourceArn": f"arn:aws:dynamodb:{REGION}:123456789012:table/tab1", "TagKeys": ["a"]}),
    ],
)
def test_every_change_of_the_control_plane_counts(account, operation, members):
    active(account)
    for number in range(6):
        account.create(f"table{number}")

    assert account.refused(operation, **members) == RATE


def test_reads_and_the_deletion_protection_are_free(account):
    active(account)
    for number in range(6):
        account.create(f"table{number}")

    account.update(DeletionProtectionEnabled=True)
    account.call("ListTables")
    account.call("DescribeLimits")
    account.describe()


def test_each_region_has_a_rate_of_its_own(account):
    for number in range(6):
        account.create(f"table{number}")

    outcome = account.engine.handle("CreateTable", account.new_table(), "eu-west-1")

    assert outcome.error is None


def test_what_changes_nothing_does_not_count(account):
    active(account, capacity=None)

    for _ in range(20):
        account.update(**ON_DEMAND)
    for number in range(6):
        account.create(f"table{number}")


def test_so_many_tables_are_on_their_way_at_once(account):
    account.limits(lifecycle="realistic", max_simultaneous_operations=2)
    active(account)
    account.create("table1")
    account.create("table2")
    text = LIMIT + "Only 2 tables can be created, updated, or deleted simultaneously"

    assert account.refused("CreateTable", **account.new_table("table3")) == text
    assert account.refused("UpdateTable", TableName="tab1", **UNITS_6) == text
    assert account.refused("DeleteTable", TableName="tab1") == text
    account.call("TagResource", ResourceArn=account.describe()["TableArn"], Tags=TAGS)
    account.clock.advance(4.5)
    account.create("table3")


def test_deletion_protection_cools_down(account):
    active(account)
    account.update(DeletionProtectionEnabled=True)
    account.clock.advance(15 - STEP)

    refused = account.refused("UpdateTable", TableName="tab1", DeletionProtectionEnabled=False)

    assert refused == (
        "ThrottlingException: Deletion protection setting for table tab1 modified within the previous 15000 milliseconds. "
        "Please try again after 2026-01-01T00:01:15.000Z"
    )
    account.clock.advance(STEP)
    account.update(DeletionProtectionEnabled=False)


@pytest.mark.parametrize(
    ("operation", "members"),
    [("TagResource", {"Tags": TAGS}), ("UntagResource", {"TagKeys": ["a"]})],
)
def test_tags_are_locked_for_a_moment(account, operation, members):
    active(account)
    arn = account.describe()["TableArn"]
    account.call("TagResource", ResourceArn=arn, Tags=[{"Key": "a", "Value": "1"}])
    account.clock.advance(2 - STEP)

    assert account.refused(operation, ResourceArn=arn, **members) == LIMIT + "Table tags are being updated: tab1"
    account.clock.advance(STEP)
    account.call(operation, ResourceArn=arn, **members)


def test_a_snapshot_in_the_middle_of_a_change_goes_on_from_there(account):
    active(account, indexes={"gsi1": (5, 5)})
    account.update(**UNITS_6)
    account.clock.advance(1)
    middle = account.engine.snapshot()
    account.clock.advance(1)
    assert statuses(account) == ["ACTIVE", "ACTIVE"]
    account.call("DeleteTable", TableName="tab1")
    account.clock.advance(10)

    account.engine.restore(middle)

    assert statuses(account) == ["UPDATING", "ACTIVE"]
    holds_until(account, 0.5, lambda: statuses(account)[0], "UPDATING", "ACTIVE")
    assert account.describe()["ProvisionedThroughput"]["ReadCapacityUnits"] == 6


def test_a_snapshot_keeps_what_was_spent_of_the_rate(account):
    for number in range(6):
        account.create(f"table{number}")
    spent = account.engine.snapshot()
    account.clock.advance(100)

    account.engine.restore(spent)

    assert account.refused("CreateTable", **account.new_table("table6")) == RATE


def test_several_changes_that_are_due_are_done_in_their_order(account):
    active(account, indexes={"gsi1": (5, 5)})
    account.update(**index_units(9))
    account.update(**UNITS_6)

    account.clock.advance(1000)

    table = account.describe()
    assert statuses(account) == ["ACTIVE", "ACTIVE"]
    assert table["ProvisionedThroughput"]["ReadCapacityUnits"] == 6
    assert table["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"]["ReadCapacityUnits"] == 9


def test_warm_throughput_raised_during_a_change_stays(account):
    active(account)
    account.update(**UNITS_6)
    account.update(WarmThroughput={"ReadUnitsPerSecond": 500, "WriteUnitsPerSecond": 500})
    account.clock.advance(2)

    assert account.describe()["WarmThroughput"]["ReadUnitsPerSecond"] == 500


def test_what_is_on_its_way_when_the_setting_goes_is_finished(account):
    account.create(capacity=(5, 5))
    account.limits()

    assert account.refused("DeleteTable", TableName="tab1") == IN_USE + "Table is being created: tab1"
    account.clock.advance(4.5)
    account.call("DeleteTable", TableName="tab1")
    with pytest.raises(ServiceError):
        account.describe()


def test_nothing_of_it_holds_by_default(account):
    account.limits()
    for number in range(20):
        account.create(f"table{number}", capacity=(5, 5), indexes={"gsi1": (5, 5)})
    arn = account.describe("table0")["TableArn"]
    for protected in (True, False):
        account.update("table0", DeletionProtectionEnabled=protected)
        account.call("TagResource", ResourceArn=arn, Tags=[{"Key": "a", "Value": str(protected)}])
    account.update("table0", **UNITS_6)
    account.update("table0", **DELETE_GSI1)
    account.update("table0", **account.index_creation("gsi2", (5, 5)))

    assert statuses(account, "table0") == ["ACTIVE", "ACTIVE"]
    account.call("DeleteTable", TableName="table0")
    assert "table0" not in account.call("ListTables")["TableNames"]
