"""Who may do what: the question that is asked for each call of a client once a policy exists."""

from __future__ import annotations

import json
from itertools import product

import boto3
import pytest
from botocore.exceptions import ClientError

from pytest_ddbthrottle import FakeDynamoDB
from pytest_ddbthrottle._engine.operations.registry import OPERATIONS

ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/orders"
KEY = {"pk": {"S": "a"}}
GET = {"TableName": "orders", "Key": KEY}
ANY = {"aws_access_key_id": "any", "aws_secret_access_key": "any"}


@pytest.fixture
def fake():
    with FakeDynamoDB(clock="sdk") as fake:
        fake.create_table("orders", indexes={"by_status": "status:S"})
        fake.create_table("users")
        yield fake


def client(credentials):
    return boto3.client("dynamodb", "us-east-1", **credentials)


@pytest.fixture
def alice(fake):
    return client(fake.policy.access_key("alice"))


@pytest.fixture
def root(fake):
    return client(ANY)


def policy(action="dynamodb:*", resource="*", effect="Allow", **members):
    return {
        "Version": "2012-10-17",
        "Statement": [{"Effect": effect, "Action": action, "Resource": resource, **members}],
    }


def denied(call, **request):
    """Give the text of a refusal, which must be one for want of access."""
    with pytest.raises(ClientError) as refused:
        call(**request)
    assert refused.value.response["Error"]["Code"] == "AccessDeniedException"
    return refused.value.response["Error"]["Message"]


def not_allowed(action, resource=ARN, why="because no identity-based policy allows the dynamodb:{action} action"):
    return (
        f"User: arn:aws:iam::123456789012:user/alice is not authorized to perform: dynamodb:{action} "
        f"on resource: {resource} {why.format(action=action)}"
    )


def test_nothing_is_asked_until_a_policy_exists(fake, alice):
    alice.put_item(TableName="orders", Item=KEY)

    assert not fake._engine.access.in_force


def test_a_user_may_do_what_a_policy_allows_and_nothing_else(fake, alice):
    fake.policy.put_user_policy("alice", "read", policy("dynamodb:GetItem", ARN))

    alice.get_item(**GET)
    assert denied(alice.put_item, TableName="orders", Item=KEY) == not_allowed("PutItem")
    assert denied(alice.list_tables) == not_allowed("ListTables", "*")
    assert denied(alice.get_item, TableName="users", Key=KEY) == not_allowed("GetItem", ARN.replace("orders", "users"))


def test_every_other_key_is_the_root(fake, root):
    fake.policy.put_user_policy("alice", "none", policy(effect="Deny"))

    root.put_item(TableName="orders", Item=KEY)
    assert root.list_tables()["TableNames"] == ["orders", "users"]


def test_what_the_test_does_itself_is_never_asked(fake):
    fake.policy.put_user_policy("alice", "none", policy(effect="Deny"))

    fake.create_table("more").load([{"pk": "a"}])

    assert fake.table("more").item_count == 1


def test_a_refused_call_is_in_the_journal_and_has_changed_nothing(fake, alice, account_state):
    fake.policy.put_user_policy("alice", "read", policy("dynamodb:GetItem"))
    before = account_state(fake._engine)

    denied(alice.put_item, TableName="orders", Item=KEY)

    assert account_state(fake._engine) == before
    assert [(call.operation, call.error) for call in fake.calls] == [("PutItem", "AccessDeniedException")]
    assert json.loads(fake.calls[0].body)["__type"] == "com.amazon.coral.service#AccessDeniedException"
    assert "Message" in json.loads(fake.calls[0].body)


def test_access_is_asked_before_the_request_is_validated_and_the_table_looked_up(fake, alice):
    fake.policy.put_user_policy("alice", "read", policy("dynamodb:GetItem"))
    missing = ARN.replace("orders", "missing")

    assert denied(alice.put_item, TableName="missing", Item={}) == not_allowed("PutItem", missing)


def test_an_exhausted_account_refuses_before_access_is_asked(fake, alice):
    fake.limits(account_write_units_per_second=0)
    fake.policy.put_user_policy("alice", "read", policy("dynamodb:GetItem"))

    with pytest.raises(ClientError) as refused:
        alice.put_item(TableName="orders", Item=KEY)

    assert refused.value.response["Error"]["Code"] == "RequestLimitExceeded"


def test_an_explicit_deny_wins(fake, alice):
    fake.policy.put_user_policy("alice", "all", policy())
    fake.policy.put_user_policy("alice", "not", policy("dynamodb:DeleteTable", ARN, "Deny"))

    alice.delete_table(TableName="users")
    assert denied(alice.delete_table, TableName="orders") == not_allowed(
        "DeleteTable", why="with an explicit deny in an identity-based policy"
    )


@pytest.mark.parametrize(
    ("put", "delete", "words"),
    [
        ("put_permissions_boundary", "delete_permissions_boundary", "permissions boundary"),
        ("put_session_policy", "delete_session_policy", "session policy"),
    ],
)
def test_a_boundary_leaves_what_it_allows_itself_until_it_is_deleted(fake, alice, put, delete, words):
    fake.policy.put_user_policy("alice", "all", policy())
    getattr(fake.policy, put)("alice", policy("dynamodb:GetItem"))

    alice.get_item(**GET)
    assert denied(alice.scan, TableName="orders") == not_allowed(
        "Scan", why=f"because no {words} allows the dynamodb:{{action}} action"
    )
    getattr(fake.policy, delete)("alice")
    alice.scan(TableName="orders")


def test_a_table_lets_a_user_in_who_has_no_policy(fake, alice, root):
    allowed = policy("dynamodb:GetItem", ARN, Principal={"AWS": "arn:aws:iam::123456789012:user/alice"})
    root.put_resource_policy(ResourceArn=ARN, Policy=json.dumps(allowed))

    alice.get_item(**GET)
    denied(alice.put_item, TableName="orders", Item=KEY)


def test_a_table_keeps_even_the_root_out_but_not_from_deleting_the_policy(fake, root):
    shut = policy("dynamodb:*", "*", "Deny", Principal="*")
    root.put_resource_policy(ResourceArn=ARN, Policy=json.dumps(shut))

    assert denied(root.delete_table, TableName="orders") == (
        "User: arn:aws:iam::123456789012:root is not authorized to perform: dynamodb:DeleteTable "
        f"on resource: {ARN} with an explicit deny in a resource-based policy"
    )
    root.get_item(TableName="users", Key=KEY)
    root.delete_resource_policy(ResourceArn=ARN)
    root.delete_table(TableName="orders")


def test_leading_keys_keep_a_user_to_items_of_his_own(fake, alice):
    own = {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["${aws:username}"]}}
    fake.policy.put_user_policy("alice", "own", policy(["dynamodb:PutItem", "dynamodb:Query"], ARN, Condition=own))

    alice.put_item(TableName="orders", Item={"pk": {"S": "alice"}})
    denied(alice.put_item, TableName="orders", Item={"pk": {"S": "bob"}})
    values = {":p": {"S": "bob"}}
    denied(alice.query, TableName="orders", KeyConditionExpression="pk = :p", ExpressionAttributeValues=values)


def test_the_leading_key_of_an_index_is_its_own(fake, alice):
    is_open = {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["OPEN"]}}
    fake.policy.put_user_policy("alice", "open", policy("dynamodb:Query", f"{ARN}/index/*", Condition=is_open))

    def query(status, **index):
        return {
            "TableName": "orders",
            "KeyConditions": {"status": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": status}]}},
            **index,
        }

    alice.query(**query("OPEN", IndexName="by_status"))
    assert "index/by_status" in denied(alice.query, **query("DONE", IndexName="by_status"))
    denied(alice.query, **query("OPEN"))


def test_each_table_of_a_batch_and_each_action_of_a_transaction_is_asked(fake, alice):
    fake.policy.put_user_policy("alice", "some", policy(["dynamodb:BatchGetItem", "dynamodb:PutItem"], ARN))

    alice.batch_get_item(RequestItems={"orders": {"Keys": [KEY]}})
    assert denied(
        alice.batch_get_item, RequestItems={"orders": {"Keys": [KEY]}, "users": {"Keys": [KEY]}}
    ) == not_allowed("BatchGetItem", ARN.replace("orders", "users"))
    alice.transact_write_items(TransactItems=[{"Put": {"TableName": "orders", "Item": KEY}}])
    assert denied(
        alice.transact_write_items,
        TransactItems=[
            {"Put": {"TableName": "orders", "Item": {"pk": {"S": "b"}}}},
            {"ConditionCheck": {**GET, "ConditionExpression": "attribute_exists(pk)"}},
        ],
    ) == not_allowed("ConditionCheckItem")


ODD = [None, 7, "x", [], {}, [None, {"Put": 5}], {"orders": [None]}, {"pk": {"S": 1}}, "= : # ( . [", "\ud800"]


def test_a_user_may_ask_for_anything_and_is_answered(fake):
    own = {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["${aws:username}*"], "dynamodb:Attributes": ["p?"]}}
    fake.policy.put_user_policy("alice", "own", policy(Condition=own))
    caller = fake.policy.access_key("alice")["aws_access_key_id"]
    members = ("TableName", "Key", "Item", "RequestItems", "TransactItems", "KeyConditions", "KeyConditionExpression")

    for operation, member, odd in product(OPERATIONS, members, ODD):
        outcome = fake._engine.handle(operation, {"TableName": "orders", member: odd}, "us-east-1", caller)
        assert (outcome.reply is None) != (outcome.error is None)


UNREADABLE = "Not authorized to perform this action (policy evaluation error)"


@pytest.mark.parametrize("member", ["user_policy", "permissions_boundary", "session_policy"])
def test_a_document_that_no_longer_fits_denies_everything_until_it_does(fake, alice, member):
    fake.policy.put_user_policy("alice", "tiny", '{"Statement":{"Effect":"Allow","Action":"*","Resource":"*"}}')
    name = ("name",) if member == "user_policy" else ()
    getattr(fake.policy, f"put_{member}")("alice", *name, json.dumps(policy(), indent=4))

    fake.limits(max_policy_document_bytes=100)
    assert denied(alice.list_tables) == UNREADABLE
    fake.limits(max_policy_document_bytes=6144)
    alice.list_tables()


def test_a_user_whose_last_policy_is_deleted_may_do_nothing(fake, alice):
    fake.policy.put_user_policy("alice", "all", policy())
    fake.policy.delete_user_policy("alice", "all")

    denied(alice.get_item, **GET)


def test_a_snapshot_knows_who_might_do_what(fake, alice):
    before = fake.snapshot()
    fake.policy.put_user_policy("alice", "read", policy("dynamodb:GetItem"))
    after = fake.snapshot()

    fake.restore(before)
    alice.put_item(TableName="orders", Item=KEY)
    assert fake.policy.users == ("alice",)
    fake.restore(after)
    denied(alice.put_item, TableName="orders", Item=KEY)
    assert json.loads(fake.policy.get_user_policy("alice", "read"))["Statement"]


def test_without_a_policy_no_access_key_is_read(fake, alice, monkeypatch):
    def read(authorization):
        raise AssertionError("the access key was read")

    monkeypatch.setattr("pytest_ddbthrottle._wire.access_key_of", read)

    alice.get_item(**GET)


def test_a_search_is_allowed_on_the_index_and_a_condition_of_keys_never_holds(fake, alice):
    index = {
        "IndexName": "near",
        "VectorAttribute": {"AttributeName": "v"},
        "Projection": {"ProjectionType": "ALL"},
        "Dimensions": 1,
        "DistanceFunction": "COSINE",
    }
    client(ANY).update_table(TableName="orders", VectorIndexUpdates=[{"Create": index}])
    search = {"TableName": "orders", "IndexName": "near", "SearchVector": [{"N": "1"}], "TopK": 1}
    keys = {"ForAllValues:StringEquals": {"dynamodb:Attributes": ["pk"]}, "StringEquals": {"dynamodb:LeadingKeys": "a"}}
    by_keys = policy("dynamodb:SearchVectors", f"{ARN}/index/*", Condition=keys)

    fake.policy.put_user_policy("alice", "search", by_keys)
    refusal = denied(alice.search_vectors, **search)
    fake.policy.put_user_policy("alice", "search", policy("dynamodb:SearchVectors", f"{ARN}/index/near"))

    assert refusal == not_allowed("SearchVectors", f"{ARN}/index/near")
    assert alice.search_vectors(**search)["SearchResults"] == []


LOCKED_OUT = "The new resource policy will not allow you to update the resource policy in the future."
ALICE = {"StringEquals": {"aws:PrincipalArn": "arn:aws:iam::123456789012:user/alice"}}
LOCKOUTS = [
    ("dynamodb:*", {}, LOCKED_OUT),
    ("dynamodb:PutResourcePolicy", {}, LOCKED_OUT),
    ("dynamodb:PutResourcePolicy", {"Condition": ALICE}, LOCKED_OUT),
    ("dynamodb:PutResourcePolicy", {"Condition": {"StringNotEquals": ALICE["StringEquals"]}}, None),
    ("dynamodb:DeleteResourcePolicy", {}, None),
]


@pytest.mark.parametrize("confirmed", [None, False, True])
@pytest.mark.parametrize(("action", "members", "expected"), LOCKOUTS)
def test_a_user_locks_himself_out_only_when_he_says_so(fake, alice, root, action, members, expected, confirmed):
    fake.policy.put_user_policy("alice", "all", policy())
    document = json.dumps(policy(action, ARN, "Deny", Principal="*", **members))
    request = {"ResourceArn": ARN, "Policy": document}
    request |= {} if confirmed is None else {"ConfirmRemoveSelfResourceAccess": confirmed}

    if expected is None or confirmed:
        alice.put_resource_policy(**request)
        assert root.delete_resource_policy(ResourceArn=ARN)["RevisionId"]
    else:
        assert denied(alice.put_resource_policy, **request) == expected
        with pytest.raises(root.exceptions.PolicyNotFoundException):
            root.get_resource_policy(ResourceArn=ARN)


def test_the_root_can_delete_what_locks_it_out_and_is_not_asked(fake, root):
    deny = json.dumps(policy("dynamodb:*", ARN, "Deny", Principal="*"))

    root.put_resource_policy(ResourceArn=ARN, Policy=deny)

    assert denied(root.get_resource_policy, ResourceArn=ARN)
    assert root.delete_resource_policy(ResourceArn=ARN)["RevisionId"]


def test_what_is_no_policy_locks_nobody_out_and_is_told_as_that(fake, alice):
    fake.policy.put_user_policy("alice", "all", policy())

    with pytest.raises(ClientError) as refused:
        alice.put_resource_policy(ResourceArn=ARN, Policy="{}")

    assert refused.value.response["Error"]["Code"] == "ValidationException"
