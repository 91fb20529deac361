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


def send(fake, direction, **changes):
    operation, request = REQUESTS[direction]
    headers = {**HEADERS, "X-Amz-Target": f"DynamoDB_20120810.{operation}"}
    reply = fake._wire.answer("https://localhost/", headers, json.dumps({**request, **changes}).encode())
    return reply.status_code, json.loads(reply.body)


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


def half_capped_bodies():
    fake = FakeDynamoDB()
    fake.create_table("orders", max_write_request_units=1, partition_read_units_per_second=10**6)
    reads = [send(fake, "Read")[0] for _ in range(3000)]
    writes = [send(fake, "Write") for _ in range(2)]
    return reads, writes


def test_a_table_capped_on_writes_alone_keeps_the_default_read_ceiling():
    reads, _ = half_capped_bodies()

    assert set(reads) == {200}


def test_a_table_capped_on_writes_names_its_cap_on_a_write():
    _, writes = half_capped_bodies()

    assert [status_code for status_code, _ in writes] == [200, 400]
    assert writes[1][1]["throttlingReasons"][0]["reason"] == "TableWriteMaxOnDemandThroughputExceeded"


@pytest.mark.parametrize("cap", [None, -1])
def test_an_absent_or_negative_cap_keeps_the_default_ceiling(cap):
    fake = FakeDynamoDB()
    fake.create_table("orders", max_write_request_units=cap, partition_write_units_per_second=10**6)

    assert {send(fake, "Write")[0] for _ in range(1000)} == {200}


def test_the_billing_mode_decides_the_class_of_a_hot_key():
    assert throttled_body(ROWS[1], "Write")["__type"] == THROTTLING
    assert throttled_body(ROWS[3], "Write")["__type"] == PTEE


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
    headers = {**HEADERS, "X-Amz-Target": "DynamoDB_20120810.UpdateTable"}
    assert fake._wire.answer("https://localhost/", headers, json.dumps(request).encode()).status_code == 200
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
        (forget_the_billing_mode, test_the_billing_mode_decides_the_class_of_a_hot_key),
        (collapse_the_directions, test_a_table_capped_on_writes_alone_keeps_the_default_read_ceiling),
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
