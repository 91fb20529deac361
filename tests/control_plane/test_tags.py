"""Tags: 50 of them, keys and values of a length and an alphabet, all or nothing."""

from __future__ import annotations

import pytest

ARN = "arn:aws:dynamodb:us-west-2:123456789012:table/tab1"
TOO_MANY = "ValidationException: Number of Tags exceed the current limit for the provided ResourceArn"
P = "ValidationException: One or more parameter values were invalid: "


def tag(key, value="v"):
    return {"Key": key, "Value": value}


def many(count, value="v"):
    return [tag(f"k{number:02}", value) for number in range(count)]


@pytest.fixture
def table(account):
    account.create("tab1", Tags=[tag("owner", "me")])
    return account


def tags(account):
    return {found["Key"]: found["Value"] for found in account.call("ListTagsOfResource", ResourceArn=ARN)["Tags"]}


def test_tags_are_put_replaced_and_taken_off(table):
    assert table.call("TagResource", ResourceArn=ARN, Tags=[tag("owner", "you"), tag("stage", "")]) == {}
    assert tags(table) == {"owner": "you", "stage": ""}

    assert table.call("UntagResource", ResourceArn=ARN, TagKeys=["owner", "absent"]) == {}
    assert tags(table) == {"stage": ""}


BAD_TAGS = [
    ([], "Atleast one Tag needs to be provided as Input."),
    ([tag("")], "The Tag Key provided is invalid, Key: "),
    ([tag("k" * 129)], f"The Tag Key provided is invalid, Key: {'k' * 129}"),
    ([tag("a,b")], "The Tag Key provided is invalid, Key: a,b"),
    ([{"Value": "v"}], "The Tag Key provided is invalid, Key: null"),
    ([tag("aws:mine")], "Tag Key cannot be prefixed with aws:, Key: aws:mine"),
    ([{"Key": "k"}], "The Tag Value provided is invalid, Value: null"),
    ([tag("k", "v" * 257)], f"The Tag Value provided is invalid, Value: {'v' * 257}"),
    *(
        ([tag("k", value)], f"The Tag Value provided is invalid, Value: {value}")
        for value in ("100%", "a&b", "a*b", "a;b", "a?b", "a|b", "a\\b", "<a>", "~a", "(x)", "🔑")
    ),
    ([tag("good"), tag("bad", "#")], "The Tag Value provided is invalid, Value: #"),
    ([tag("twice", "1"), tag("twice", "2")], "Duplicate Tag Keys provided as input: Duplicate Tag Key found twice"),
    (many(51), "Number of Tags exceed the current limit for the provided ResourceArn"),
]


@pytest.mark.parametrize(("bad", "expected"), BAD_TAGS)
def test_a_tag_that_can_not_be_is_refused_with_the_good_ones_beside_it(table, bad, expected):
    assert table.refused("TagResource", ResourceArn=ARN, Tags=bad) == f"ValidationException: {expected}"


@pytest.mark.parametrize(("bad", "expected"), BAD_TAGS[1:])
def test_a_tag_that_can_not_be_refuses_a_new_table(account, bad, expected):
    refused = account.refused("CreateTable", **account.new_table("tab1", Tags=bad))

    assert refused == f"ValidationException: {expected}"


@pytest.mark.parametrize(
    "good",
    [
        tag("k" * 128),
        tag("k", "v" * 256),
        tag("k", "a+b-c=d.e_f:g/h@i"),
        tag("ключ", "café 表"),
        tag("k", "a\u00a0b\u3000c"),
    ],
)
def test_letters_of_any_script_spaces_and_a_few_signs_make_a_tag(table, good):
    table.call("TagResource", ResourceArn=ARN, Tags=[good])

    assert tags(table)[good["Key"]] == good["Value"]


def test_the_fifty_first_tag_is_refused_and_the_fifty_may_change(table):
    table.call("UntagResource", ResourceArn=ARN, TagKeys=["owner"])
    table.call("TagResource", ResourceArn=ARN, Tags=many(50))

    assert table.refused("TagResource", ResourceArn=ARN, Tags=[tag("k00", "new"), tag("one-more")]) == TOO_MANY
    table.call("TagResource", ResourceArn=ARN, Tags=many(50, "new"))
    assert set(tags(table).values()) == {"new"}


@pytest.mark.parametrize("letter", ["v", "ж"])
def test_all_tags_together_have_a_size(account, letter):
    account.create("tab1")
    values = [letter * (254 // len(letter.encode())) for _ in range(40)]
    full = [tag(f"{number:02}", value) for number, value in enumerate(values)]

    account.call("TagResource", ResourceArn=ARN, Tags=full)

    refused = account.refused("TagResource", ResourceArn=ARN, Tags=[tag("k", "")])
    assert refused == "ValidationException: Tag set size 10241 bytes is above max size limit of 10240 bytes"


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ([], "Atleast one Tag Key needs to be provided as Input."),
        ([""], "The Tag Key provided is invalid, Key: "),
        (["k" * 129], f"The Tag Key provided is invalid, Key: {'k' * 129}"),
        ([f"k{number}" for number in range(51)], TOO_MANY.partition(": ")[2]),
    ],
)
def test_keys_that_can_not_be_take_nothing_off(table, keys, expected):
    assert table.refused("UntagResource", ResourceArn=ARN, TagKeys=keys) == f"ValidationException: {expected}"


@pytest.mark.parametrize(
    ("arn", "expected"),
    [
        ("tab1", P + "ARNs must start with 'arn:': tab1"),
        ("arn:aws:s3:::bucket", P + "Provided Arn is not a DynamoDB resource arn: arn:aws:s3:::bucket"),
        (
            f"{ARN}/index/gsi1",
            f"{P}Invalid resource arn provided, only table or stream is accepted. Provided resource arn: {ARN}/index/gsi1",
        ),
        (
            ARN.replace("us-west-2", "us-east-1"),
            "ValidationException: Invalid TableArn: Invalid ResourceArn provided as input "
            "arn:aws:dynamodb:us-east-1:123456789012:table/tab1",
        ),
        (ARN.replace("123456789012", "210987654321"), "AccessDeniedException: Access is denied"),
        (
            ARN.replace("tab1", "none"),
            "ResourceNotFoundException: Requested resource not found: ResourceArn: "
            "arn:aws:dynamodb:us-west-2:123456789012:table/none not found",
        ),
    ],
)
@pytest.mark.parametrize(
    ("operation", "members"),
    [("TagResource", {"Tags": [tag("k")]}), ("UntagResource", {"TagKeys": ["owner"]}), ("ListTagsOfResource", {})],
)
def test_only_the_arn_of_a_table_of_the_account_and_region_has_tags(table, operation, members, arn, expected):
    assert table.refused(operation, ResourceArn=arn, **members) == expected


def test_tags_have_one_page_and_no_token_leads_to_another(table):
    assert (
        table.refused("ListTagsOfResource", ResourceArn=ARN, NextToken="x") == "ValidationException: Invalid NextToken"
    )
