"""PynamoDB, as its documentation shows it: models, indexes, conditions, batches, transactions, versions."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest
from pynamodb.attributes import (
    BinaryAttribute,
    BooleanAttribute,
    JSONAttribute,
    ListAttribute,
    MapAttribute,
    NumberAttribute,
    NumberSetAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
    UTCDateTimeAttribute,
    VersionAttribute,
)
from pynamodb.connection import Connection
from pynamodb.exceptions import DeleteError, DoesNotExist, PutError, TransactWriteError, UpdateError
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex, KeysOnlyProjection, LocalSecondaryIndex
from pynamodb.models import Model
from pynamodb.transactions import TransactGet, TransactWrite


class ViewIndex(GlobalSecondaryIndex):
    class Meta:
        index_name = "by_forum_and_views"
        projection = AllProjection()
        read_capacity_units = 100
        write_capacity_units = 100

    forum = UnicodeAttribute(hash_key=True)
    views = NumberAttribute(range_key=True)


class RepliesIndex(LocalSecondaryIndex):
    class Meta:
        index_name = "by_replies"
        projection = KeysOnlyProjection()

    forum = UnicodeAttribute(hash_key=True)
    replies = NumberAttribute(range_key=True)


class Author(MapAttribute):
    name = UnicodeAttribute()
    age = NumberAttribute(null=True)


class Thread(Model):
    class Meta:
        table_name = "threads"
        region = "us-east-1"
        read_capacity_units = 100
        write_capacity_units = 100

    forum = UnicodeAttribute(hash_key=True)
    subject = UnicodeAttribute(range_key=True)
    views = NumberAttribute(default=0)
    replies = NumberAttribute(default=0)
    tags = UnicodeSetAttribute(null=True)
    scores = NumberSetAttribute(null=True)
    blob = BinaryAttribute(legacy_encoding=False, null=True)
    closed = BooleanAttribute(default=False)
    extra = JSONAttribute(null=True)
    author = Author(null=True)
    notes = ListAttribute(default=list)
    posted = UTCDateTimeAttribute(default=lambda: datetime.now(timezone.utc))
    by_views = ViewIndex()
    by_replies = RepliesIndex()


class Counter(Model):
    class Meta:
        table_name = "counters"
        region = "us-east-1"
        billing_mode = "PAY_PER_REQUEST"

    name = UnicodeAttribute(hash_key=True)
    value = NumberAttribute(default=0)
    version = VersionAttribute()


@pytest.fixture
def threads(ddb_fake):
    Thread.create_table(wait=True)
    return ddb_fake


@pytest.fixture
def counters(ddb_fake):
    Counter.create_table(wait=True)
    return ddb_fake


@pytest.fixture
def many(threads):
    with Thread.batch_write() as batch:
        for n in range(30):
            batch.save(Thread("aws" if n % 2 else "gcp", f"subject {n:02}", views=n, replies=30 - n))
    return threads


def test_a_table_is_made_described_and_deleted(ddb_fake):
    assert not Thread.exists()

    Thread.create_table(wait=True)

    description = Thread.describe_table()
    assert description["ProvisionedThroughput"]["ReadCapacityUnits"] == 100
    assert [index["IndexName"] for index in description["GlobalSecondaryIndexes"]] == ["by_forum_and_views"]
    assert [index["IndexName"] for index in description["LocalSecondaryIndexes"]] == ["by_replies"]
    assert Thread.exists()
    Thread.delete_table()
    assert not Thread.exists()


def test_every_attribute_comes_back(threads):
    saved = Thread(
        "aws",
        "how",
        views=7,
        tags={"a", "b"},
        scores={1, 2.5},
        blob=b"\x00\xff",
        closed=True,
        extra={"k": [1, None]},
        author=Author(name="Jo", age=5),
        notes=["x", 1, {"deep": True}],
    )
    saved.save()

    found = Thread.get("aws", "how", consistent_read=True)

    assert found.attribute_values.keys() == saved.attribute_values.keys()
    for name in ("views", "tags", "scores", "blob", "closed", "extra", "notes"):
        assert getattr(found, name) == getattr(saved, name)
    assert (found.author.name, found.author.age) == ("Jo", 5)
    assert found.posted == datetime(2026, 1, 1, tzinfo=timezone.utc)  # The application's time is the fake's.


def test_what_is_not_there_does_not_exist(threads):
    with pytest.raises(DoesNotExist):
        Thread.get("aws", "nothing")


def test_an_update_of_actions(threads):
    thread = Thread("aws", "how", tags={"a"}, notes=["x"], author=Author(name="Jo"))
    thread.save()

    thread.update(
        actions=[
            Thread.views.add(5),
            Thread.replies.set(Thread.replies + 1),
            Thread.tags.add({"b"}),
            Thread.notes.set(Thread.notes.append(["y"])),
            Thread.author.age.set(Thread.author.age | 3),
            Thread.closed.remove(),
        ],
        condition=(Thread.views == 0) & Thread.author.name.startswith("J"),
    )

    assert (thread.views, thread.replies, thread.tags, thread.notes) == (5, 1, {"a", "b"}, ["x", "y"])
    assert thread.author.age == 3
    assert "closed" not in threads.table("threads").items()[0]


CONDITIONS = [
    (Thread.views == 5, True),
    (Thread.views != 5, False),
    (Thread.views > 4, True),
    (Thread.views.between(6, 9), False),
    (Thread.views.is_in(1, 5), True),
    (Thread.forum.exists(), True),
    (Thread.extra.does_not_exist(), True),
    (Thread.views.is_type(), True),
    (Thread.tags.contains("a"), True),
    (Thread.subject.startswith("no"), False),
    (~(Thread.views == 5) | (Thread.closed == False), True),  # noqa: E712  # so does PynamoDB spell a comparison
    ((Thread.views == 5) & (Thread.replies == 1), False),
]


@pytest.mark.parametrize(("condition", "holds"), CONDITIONS, ids=[str(condition) for condition, _ in CONDITIONS])
def test_a_condition_lets_a_write_pass_or_not(threads, condition, holds):
    thread = Thread("aws", "how", views=5, tags={"a"})
    thread.save()

    if holds:
        thread.save(condition=condition)
        return
    with pytest.raises(PutError) as caught:
        thread.save(condition=condition)
    assert caught.value.cause_response_code == "ConditionalCheckFailedException"
    with pytest.raises(DeleteError):
        thread.delete(condition=condition)


def test_a_query_by_key_and_filter(many):
    found = Thread.query(
        "aws", Thread.subject.between("subject 05", "subject 15"), filter_condition=Thread.views > 7, limit=2
    )

    assert [thread.views for thread in found] == [9, 11]


def test_a_query_backwards_page_by_page(many):
    found = Thread.query("gcp", scan_index_forward=False, page_size=4)

    assert [thread.views for thread in found] == list(range(28, -2, -2))
    many.assert_attempts("Query", 4)


def test_a_query_goes_on_from_a_last_key(many):
    first = Thread.query("gcp", limit=5)
    seen = [thread.views for thread in first]

    rest = Thread.query("gcp", last_evaluated_key=first.last_evaluated_key)

    assert seen + [thread.views for thread in rest] == list(range(0, 30, 2))


def test_queries_of_both_kinds_of_index(many):
    assert [thread.views for thread in Thread.by_views.query("aws", Thread.views >= 25)] == [25, 27, 29]
    assert Thread.by_views.count("aws") == 15
    assert [thread.subject for thread in Thread.by_replies.query("gcp", Thread.replies < 5)] == [
        "subject 28",
        "subject 26",
    ]


def test_a_scan_and_a_count(many):
    assert {thread.views for thread in Thread.scan(Thread.views < 3)} == {0, 1, 2}
    assert sum(1 for segment in range(3) for _ in Thread.scan(segment=segment, total_segments=3)) == 30
    assert Thread.count("aws", filter_condition=Thread.views > 20) == 5


def test_a_batch_gets_and_deletes(many):
    keys = [("aws", "subject 01"), ("gcp", "subject 02"), ("aws", "nothing")]

    assert {thread.views for thread in Thread.batch_get(keys)} == {1, 2}
    with Thread.batch_write() as batch:
        for thread in Thread.query("aws"):
            batch.delete(thread)
    assert Thread.count("aws") == 0


def test_transactions_write_all_or_nothing_and_read(counters):
    connection = Connection(region="us-east-1")
    with TransactWrite(connection=connection, client_request_token="one") as transaction:
        transaction.save(Counter("a", value=1))
        transaction.save(Counter("b", value=2), condition=Counter.name.does_not_exist())
    with pytest.raises(TransactWriteError) as caught, TransactWrite(connection=connection) as transaction:
        transaction.update(Counter(name="a"), actions=[Counter.value.add(10)], add_version_condition=False)
        transaction.condition_check(Counter, "b", condition=Counter.value == 9)

    # PynamoDB sends condition checks first, whatever their place in the block.
    assert [reason and reason.code for reason in caught.value.cancellation_reasons] == ["ConditionalCheckFailed", None]
    with TransactGet(connection=connection) as transaction:
        a, b = transaction.get(Counter, "a"), transaction.get(Counter, "b")
    assert (a.get().value, b.get().value) == (1, 2)


def test_a_version_that_someone_else_has_raised_is_refused(counters):
    Counter("a").save()
    mine, theirs = Counter.get("a"), Counter.get("a")
    theirs.update(actions=[Counter.value.set(5)])

    with pytest.raises(PutError):
        mine.save()
    with pytest.raises(UpdateError):
        mine.update(actions=[Counter.value.set(6)])
    mine.refresh()

    assert (mine.value, mine.version) == (5, 2)


@pytest.mark.ddb_throttle(table="threads", read_capacity_units=100, write_capacity_units=10)
def test_its_batches_give_up_after_a_few_rounds_of_leftovers(threads):
    with pytest.raises(PutError, match="max_retry_attempts exceeded"), Thread.batch_write() as batch:
        for n in range(25):
            batch.save(Thread("aws", f"{n}"))

    assert 10 <= threads.table("threads").item_count < 25
    with pytest.raises(AssertionError, match=r"until it landed; \d+ never did"):
        threads.assert_nothing_lost()


@pytest.mark.ddb_throttle(table="counters", max_write_request_units=1)
def test_a_throttled_save_backs_off_in_virtual_time_and_is_written(counters):
    for name in ("north", "south", "east"):
        Counter(name).save()

    assert Counter.count() == 3
    assert len(counters.sleeps) == len(counters.throttles) > 0
