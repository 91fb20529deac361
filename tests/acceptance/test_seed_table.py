"""The first seed's table, line by line, in both directions: the raw body, parsed from its bytes.

And the seed's negative controls: each of them breaks the code in one place, and a test named here must catch it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from types import MappingProxyType

import pytest

from pytest_ddbthrottle import FakeDynamoDB
from pytest_ddbthrottle._engine.capacity import BillingMode, OperationType, Throughput
from pytest_ddbthrottle._engine.errors import DYNAMODB, ThrottlingException
from pytest_ddbthrottle._engine.throttle import admission, replies
from pytest_ddbthrottle._engine.throttle.ask import Ask
from pytest_ddbthrottle._engine.throttle.bucket import TokenBucket
from pytest_ddbthrottle._engine.throttle.reasons import ResourceType, Scope

ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/orders"
HEADERS = {
    "Authorization": "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host;x-amz-date;x-amz-target, Signature=0"
}
PTEE = "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"
THROTTLING = "com.amazon.coral.availability#ThrottlingException"
LIMIT = "com.amazonaws.dynamodb.v20120810#RequestLimitExceeded"
T1 = (
    "The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning "
    "level with the UpdateTable API."
)
T4 = (
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or "
    "index so please try again shortly. If exceptions persist, check if you have a hot key: "
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html"
)
T6 = "Throughput exceeds the maximum OnDemandThroughput configured on table or index"
T7B = (
    "Throughput exceeds the current throughput limit for your account. To request a limit increase, contact AWS "
    "Support at https://aws.amazon.com/support"
)

ITEM = {"pk": {"S": "a"}}
REQUESTS = {
    "Read": ("GetItem", {"TableName": "orders", "Key": ITEM, "ConsistentRead": True}),
    "Write": ("PutItem", {"TableName": "orders", "Item": ITEM}),
}
PROVISIONED = {"billing_mode": "PROVISIONED", "read_capacity_units": 1, "write_capacity_units": 1}
ROOMY = {"billing_mode": "PROVISIONED", "read_capacity_units": 900, "write_capacity_units": 900}
ONE_PER_KEY = {"partition_read_units_per_second": 1, "partition_write_units_per_second": 1}
CAPS = {"max_read_request_units": 1, "max_write_request_units": 1}
QUOTA = {"per_table_max_rcu": 1, "per_table_max_wcu": 1}
ACCOUNT = {"account_read_units_per_second": 1, "account_write_units_per_second": 1}


@dataclass(frozen=True)
class Row:
    """One line of the seed's table: how to bring its bucket to refuse, and what is sent then."""

    name: str
    type: str
    member: str | None
    limit: str | None
    message: str
    rules: dict
    limits: dict | None = None


ROWS = [
    Row("table, provisioned", PTEE, "ThrottlingReasons", "ProvisionedThroughputExceeded", T1, PROVISIONED),
    Row("partition key, on demand", THROTTLING, "throttlingReasons", "KeyRangeThroughputExceeded", T4, ONE_PER_KEY),
    Row("table at its caps", THROTTLING, "throttlingReasons", "MaxOnDemandThroughputExceeded", T6, CAPS),
    Row(
        "partition key, provisioned",
        PTEE,
        "ThrottlingReasons",
        "KeyRangeThroughputExceeded",
        T1,
        ROOMY | ONE_PER_KEY,
    ),
    Row("default ceiling", THROTTLING, "throttlingReasons", "AccountLimitExceeded", T7B, {}, QUOTA),
    Row("account, on demand", LIMIT, "ThrottlingReasons", "AccountLimitExceeded", T7B, {}, ACCOUNT),
    Row("account, provisioned", LIMIT, "ThrottlingReasons", "AccountLimitExceeded", T7B, ROOMY, ACCOUNT),
]


def call(fake, operation, request):
    headers = {**HEADERS, "X-Amz-Target": f"DynamoDB_20120810.{operation}"}
    reply = fake._wire.answer("https://localhost/", headers, json.dumps(request).encode())
    assert "x-amz-retry-after" not in {name.lower() for name in reply.headers}
    return reply.status_code, json.loads(reply.body)


def send(fake, direction, **changes):
    operation, request = REQUESTS[direction]
    return call(fake, operation, {**request, **changes})


def throttled_body(row, direction, **changes):
    fake = FakeDynamoDB()
    fake.create_table("orders", **row.rules)
    fake.limits(**(row.limits or {}))
    assert send(fake, direction)[0] == 200
    status_code, body = send(fake, direction, **changes)
    assert status_code == 400
    return body


def expected_body(row, direction):
    body = {"__type": row.type, "message": row.message}
    if (row.name, direction) == ("partition key, on demand", "Read"):
        return body
    return {**body, row.member: [{"reason": f"Table{direction}{row.limit}", "resource": ARN}]}


@pytest.mark.parametrize("direction", ["Read", "Write"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_each_bucket_sends_the_body_that_the_service_sends(row, direction):
    assert throttled_body(row, direction) == expected_body(row, direction)


T2 = (
    "The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. "
    "Consider increasing your provisioning level for the under-provisioned global secondary indexes with the "
    "UpdateTable API"
)
T5 = (
    "Throughput exceeds the current capacity for one or more global secondary indexes. "
    "DynamoDB is automatically scaling your index so please try again shortly."
)
INDEX_REQUESTS = {
    "Read": (
        "Query",
        {
            "TableName": "orders",
            "IndexName": "by_status",
            "KeyConditionExpression": "#s = :s",
            "ExpressionAttributeNames": {"#s": "status"},
            "ExpressionAttributeValues": {":s": {"S": "OPEN"}},
        },
    ),
    "Write": ("DeleteItem", {"TableName": "orders", "Key": ITEM}),
}
# The row of the table that the index is like, the text for a read of the index and the one for a write.
INDEX_ROWS = [(ROWS[0], T1, T2), (ROWS[1], T4, T5), (ROWS[2], T6, T6), (ROWS[3], T2, T2), (ROWS[4], T7B, T7B)]


@pytest.mark.parametrize("direction", ["Read", "Write"])
@pytest.mark.parametrize(("row", "read_text", "write_text"), INDEX_ROWS, ids=[row.name for row, *_ in INDEX_ROWS])
def test_an_index_sends_the_bodies_of_its_own(row, read_text, write_text, direction):
    fake = FakeDynamoDB()
    mode = ROOMY if "read_capacity_units" in row.rules else {}
    table = fake.create_table("orders", indexes={"by_status": "status:S"}, **mode)
    fake.throttle(table="orders", index="by_status", **row.rules)
    fake.limits(**(row.limits or {}))
    bodies = []
    for _ in range(3):
        table.fill("write")  # the table itself has plenty, also where a quota binds it as well
        table.load([{**ITEM, "status": {"S": "OPEN"}}])
        bodies.append(call(fake, *INDEX_REQUESTS[direction])[1])

    expected = {**expected_body(row, direction), "message": read_text if direction == "Read" else write_text}
    if row.member in expected:
        reason = f"Index{direction}{row.limit}"
        expected[row.member] = [{"reason": reason, "resource": f"{ARN}/index/by_status"}]
    assert bodies[-1] == expected


KEYS = [{"pk": {"S": "a"}}]
EVERY_OPERATION = {
    "Read": {
        "GetItem": {"TableName": "orders", "Key": ITEM},
        "Query": {
            "TableName": "orders",
            "KeyConditionExpression": "pk = :p",
            "ExpressionAttributeValues": {":p": {"S": "a"}},
        },
        "Scan": {"TableName": "orders"},
        "BatchGetItem": {"RequestItems": {"orders": {"Keys": KEYS}}},
    },
    "Write": {
        "PutItem": {"TableName": "orders", "Item": ITEM},
        "UpdateItem": {"TableName": "orders", "Key": ITEM},
        "DeleteItem": {"TableName": "orders", "Key": ITEM},
        "BatchWriteItem": {"RequestItems": {"orders": [{"DeleteRequest": {"Key": ITEM}}]}},
    },
}


@pytest.mark.parametrize(
    ("direction", "operation"),
    [(direction, operation) for direction, of_it in EVERY_OPERATION.items() for operation in of_it],
)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_operation_sends_the_body_of_its_direction(row, direction, operation):
    fake = FakeDynamoDB()
    fake.create_table("orders", **row.rules)
    fake.limits(**(row.limits or {}))
    fake.table("orders").load([ITEM])

    answers = [call(fake, operation, EVERY_OPERATION[direction][operation]) for _ in range(3)]

    assert answers[-1] == (400, expected_body(row, direction))


@pytest.mark.parametrize(
    ("operation", "action"),
    [
        ("TransactWriteItems", {"Put": {"TableName": "orders", "Item": ITEM}}),
        ("TransactGetItems", {"Get": {"TableName": "orders", "Key": ITEM}}),
    ],
)
def test_a_transaction_keeps_its_own_shape(operation, action):
    fake = FakeDynamoDB()
    fake.create_table("orders", **PROVISIONED)

    (first, _), (second, body) = (call(fake, operation, {"TransactItems": [action]}) for _ in range(2))

    assert (first, second) == (200, 400)
    assert body["__type"] == "com.amazonaws.dynamodb.v20120810#TransactionCanceledException"
    assert [reason["Code"] for reason in body["CancellationReasons"]] == ["ProvisionedThroughputExceeded"]
    assert not {name for name in body if name.lower() == "throttlingreasons"}


@pytest.mark.parametrize("region", ["eu-west-1", "us-east-1"])
def test_the_arn_is_that_of_the_calls_region(region):
    fake = FakeDynamoDB(region=region)
    fake.create_table("orders", **PROVISIONED)
    requests = [fake._engine.handle(*REQUESTS["Write"], region) for _ in range(2)]

    assert requests[-1].error.body()["ThrottlingReasons"][0]["resource"] == fake.table("orders").arn
    assert fake.table("orders").arn == ARN.replace("us-east-1", region)


def test_the_class_decides_how_the_list_is_spelled():
    for row in ROWS:
        assert row.member in throttled_body(row, "Write")


def test_an_empty_list_is_left_out():
    body = throttled_body(ROWS[1], "Read")

    assert not {name for name in body if name.lower() == "throttlingreasons"}


def test_only_throttling_exception_has_the_coral_namespace():
    for row in ROWS:
        namespace, _, code = throttled_body(row, "Write")["__type"].partition("#")
        assert (namespace == "com.amazon.coral.availability") == (code == "ThrottlingException")


def test_a_hot_read_on_demand_names_no_reason():
    assert set(throttled_body(ROWS[1], "Read")) == {"__type", "message"}


OTHER = {"Read": "Write", "Write": "Read"}
CAP_OF = {"Read": "max_read_request_units", "Write": "max_write_request_units"}
MANY = 900
"""More than a cap of 1 admits, and fewer than the refusals at one instant that end a test."""


def half_capped(direction):
    fake = FakeDynamoDB()
    fake.create_table("orders", **{CAP_OF[direction]: 1})
    return fake


def reasons_of_the_second(fake, direction):
    (first, _), (second, body) = (send(fake, direction) for _ in range(2))
    assert (first, second) == (200, 400)
    return body["throttlingReasons"]


def the_cap(direction):
    return [{"reason": f"Table{direction}MaxOnDemandThroughputExceeded", "resource": ARN}]


def answered_the_other_way(direction):
    fake = half_capped(direction)
    return {send(fake, OTHER[direction])[0] for _ in range(MANY)}


def test_a_table_capped_on_writes_alone_keeps_the_default_read_ceiling():
    assert answered_the_other_way("Write") == {200}


def test_a_table_capped_on_reads_alone_keeps_the_default_write_ceiling():
    assert answered_the_other_way("Read") == {200}


def test_a_table_capped_on_writes_names_its_cap_on_a_write():
    assert reasons_of_the_second(half_capped("Write"), "Write") == the_cap("Write")


def test_a_table_capped_on_reads_names_its_cap_on_a_read():
    assert reasons_of_the_second(half_capped("Read"), "Read") == the_cap("Read")


CREATE_TABLE = {
    "TableName": "orders",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}
ASKED_CAPS = {"OnDemandThroughput": {"MaxReadRequestUnits": 1, "MaxWriteRequestUnits": 1}}


@pytest.mark.parametrize("direction", ["Read", "Write"])
@pytest.mark.parametrize(
    "requests",
    [
        [("CreateTable", {**CREATE_TABLE, **ASKED_CAPS})],
        [("CreateTable", CREATE_TABLE), ("UpdateTable", {"TableName": "orders", **ASKED_CAPS})],
    ],
    ids=["CreateTable", "UpdateTable"],
)
def test_caps_that_the_application_asks_for_are_in_force(requests, direction):
    fake = FakeDynamoDB()
    for operation, request in requests:
        assert call(fake, operation, request)[0] == 200

    fake.table("orders").drain(direction.lower())
    fake.clock.advance(1)

    assert reasons_of_the_second(fake, direction) == the_cap(direction)


@pytest.mark.parametrize("rules", [CAPS, PROVISIONED], ids=["caps", "capacity"])
@pytest.mark.parametrize("direction", ["Read", "Write"])
def test_a_bucket_starts_with_one_second_of_its_rate_and_keeps_300(rules, direction):
    fake = FakeDynamoDB()
    table = fake.create_table("orders", **rules)
    assert table.balance(direction.lower()) == 1

    fake.clock.advance(10_000)

    assert table.balance(direction.lower()) == 300


@pytest.mark.parametrize("cap", [None, -1])
def test_an_absent_or_negative_cap_keeps_the_default_ceiling(cap):
    fake = FakeDynamoDB()
    fake.create_table("orders", max_write_request_units=cap, partition_write_units_per_second=10**6)

    assert {send(fake, "Write")[0] for _ in range(1000)} == {200}


def test_the_billing_mode_decides_the_class_of_a_hot_key():
    assert throttled_body(ROWS[1], "Write")["__type"] == THROTTLING
    assert throttled_body(ROWS[3], "Write")["__type"] == PTEE


def test_a_switch_of_the_billing_mode_is_heard_of():
    fake = FakeDynamoDB()
    fake.create_table("orders", **ROOMY, **ONE_PER_KEY)
    assert call(fake, "UpdateTable", {"TableName": "orders", "BillingMode": "PAY_PER_REQUEST"})[0] == 200

    send(fake, "Write")

    assert send(fake, "Write")[1]["__type"] == THROTTLING


def test_an_arn_as_table_name_is_reduced_to_the_name():
    body = throttled_body(ROWS[5], "Write", TableName=ARN)

    assert body["ThrottlingReasons"] == [{"reason": "TableWriteAccountLimitExceeded", "resource": ARN}]


@pytest.mark.parametrize("name", ["a", "no/such", "x" * 256, ""])
def test_a_name_that_no_table_can_have_gets_no_list(name):
    body = throttled_body(ROWS[5], "Write", TableName=name)

    assert body == {"__type": LIMIT, "message": T7B}


def rescaled_balance():
    fake = FakeDynamoDB()
    fake.create_table("orders", read_capacity_units=10, write_capacity_units=10)
    table = fake.table("orders")
    table.fill("write")
    request = {"TableName": "orders", "ProvisionedThroughput": {"ReadCapacityUnits": 10, "WriteCapacityUnits": 5}}
    assert call(fake, "UpdateTable", request)[0] == 200
    return table.balance("write")


def test_a_new_rate_scales_the_balance():
    assert rescaled_balance() == 1500


def swap_casing(monkeypatch):
    swapped = {
        error: "throttlingReasons" if member == "ThrottlingReasons" else "ThrottlingReasons"
        for error, member in replies.REASONS_MEMBERS.items()
    }
    monkeypatch.setattr(replies, "REASONS_MEMBERS", swapped)


def render_the_empty_list(monkeypatch):
    def with_list(*arguments, real=replies.throttled):
        refused = real(*arguments)
        refused.error.members = {"throttlingReasons": [], **refused.error.members}
        return refused

    monkeypatch.setattr(admission, "throttled", with_list)


def move_the_namespace(monkeypatch):
    monkeypatch.setattr(ThrottlingException, "type_prefix", DYNAMODB)


def name_a_reason_on_a_hot_read(monkeypatch):
    key = (Scope.KEY_RANGE, BillingMode.PAY_PER_REQUEST, ResourceType.TABLE, OperationType.READ)
    rules = {**replies.REPLIES, key: replace(replies.REPLIES[key], names_reason=True)}
    monkeypatch.setattr(replies, "REPLIES", MappingProxyType(rules))


def ignore_the_write_cap(monkeypatch):
    monkeypatch.setattr(
        Throughput, "cap_units", lambda self, way: self.max_read_request_units if way is OperationType.READ else None
    )


def ignore_the_read_cap(monkeypatch):
    monkeypatch.setattr(
        Throughput, "cap_units", lambda self, way: self.max_write_request_units if way is OperationType.WRITE else None
    )


def forget_the_billing_mode(monkeypatch):
    def without_mode(self, *arguments, real=Ask.refusal):
        return replace(real(self, *arguments), billing_mode=BillingMode.PAY_PER_REQUEST)

    monkeypatch.setattr(Ask, "refusal", without_mode)


def collapse_the_directions(monkeypatch):
    monkeypatch.setattr(
        Throughput, "cap_units", lambda self, way: self.max_read_request_units or self.max_write_request_units
    )


def name_the_raw_arn(monkeypatch):
    def with_raw_name(self, direction, bucket, table_name, now_ns, real=admission.Admission._door_refusal):
        refusal = real(self, direction, bucket, table_name, now_ns)
        return replace(refusal, resource=self._arn_prefix + table_name)

    monkeypatch.setattr(admission.Admission, "_door_refusal", with_raw_name)


def keep_the_balance(monkeypatch):
    def unscaled(self, size, now_ns):
        self.settle(now_ns)
        self.rate_units_per_second, self.holds_nano_units = size.rate_units_per_second, size.holds_nano_units

    monkeypatch.setattr(TokenBucket, "resize", unscaled)


@pytest.mark.parametrize(
    ("break_it", "caught_by"),
    [
        (swap_casing, test_the_class_decides_how_the_list_is_spelled),
        (render_the_empty_list, test_an_empty_list_is_left_out),
        (move_the_namespace, test_only_throttling_exception_has_the_coral_namespace),
        (name_a_reason_on_a_hot_read, test_a_hot_read_on_demand_names_no_reason),
        (ignore_the_write_cap, test_a_table_capped_on_writes_names_its_cap_on_a_write),
        (ignore_the_read_cap, test_a_table_capped_on_reads_names_its_cap_on_a_read),
        (forget_the_billing_mode, test_the_billing_mode_decides_the_class_of_a_hot_key),
        (collapse_the_directions, test_a_table_capped_on_writes_alone_keeps_the_default_read_ceiling),
        (collapse_the_directions, test_a_table_capped_on_reads_alone_keeps_the_default_write_ceiling),
        (name_the_raw_arn, test_an_arn_as_table_name_is_reduced_to_the_name),
        (keep_the_balance, test_a_new_rate_scales_the_balance),
    ],
    ids=lambda function: function.__name__,
)
def test_a_negative_control_is_caught_by_name(monkeypatch, break_it, caught_by):
    caught_by()
    break_it(monkeypatch)

    with pytest.raises(AssertionError):
        caught_by()
