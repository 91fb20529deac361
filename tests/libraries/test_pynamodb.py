"""PynamoDB on the fake, as its own documentation shows it: models, queries, batches, transactions, and its refusals."""

from __future__ import annotations

import pytest
from pynamodb.attributes import ListAttribute, NumberAttribute, UnicodeAttribute, UTCDateTimeAttribute, VersionAttribute
from pynamodb.connection import Connection
from pynamodb.exceptions import DeleteError, DoesNotExist, PutError, TransactWriteError, UpdateError
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex
from pynamodb.models import Model
from pynamodb.transactions import TransactGet, TransactWrite


@pytest.fixture(autouse=True)
def fake(ddb_fake):
    return ddb_fake


@pytest.fixture
def thread_model():
    """Declare the model anew for each test, as a connection is kept in the class."""

    class ViewIndex(GlobalSecondaryIndex):
        class Meta:
            index_name = "by-views"
            projection = AllProjection()

        forum_name = UnicodeAttribute(hash_key=True)
        views = NumberAttribute(range_key=True)

    class Thread(Model):
        class Meta:
            table_name = "Thread"
            region = "us-east-1"
            billing_mode = "PAY_PER_REQUEST"

        forum_name = UnicodeAttribute(hash_key=True)
        subject = UnicodeAttribute(range_key=True)
        views = NumberAttribute(default=0)
        tags = ListAttribute(of=UnicodeAttribute, default=list)
        last_post_at = UTCDateTimeAttribute(null=True)
        view_index = ViewIndex()

    Thread.create_table(wait=True)
    return Thread


@pytest.fixture
def office_model():
    class Office(Model):
        class Meta:
            table_name = "Office"
            region = "us-east-1"
            billing_mode = "PAY_PER_REQUEST"

        office_id = UnicodeAttribute(hash_key=True)
        employees = NumberAttribute(default=0)
        version = VersionAttribute()

    Office.create_table(wait=True)
    return Office


def test_a_table_is_created_described_and_deleted(thread_model):
    assert thread_model.exists()
    assert thread_model.describe_table()["TableStatus"] == "ACTIVE"
    assert "Thread" in Connection(region="us-east-1").list_tables()["TableNames"]

    thread_model.delete_table()

    assert not thread_model.exists()


def test_a_saved_model_is_read_back(thread_model):
    thread_model("Python", "Decorators", views=3, tags=["a", "b"]).save()

    read = thread_model.get("Python", "Decorators", consistent_read=True)

    assert (read.views, read.tags) == (3, ["a", "b"])


def test_a_model_that_is_not_there_does_not_exist(thread_model):
    with pytest.raises(DoesNotExist):
        thread_model.get("Python", "Absent")


def test_a_query_has_key_conditions_filters_limits_and_pages(thread_model):
    with thread_model.batch_write() as batch:
        for number in range(30):
            batch.save(thread_model("Python", f"subject-{number:02}", views=number))

    found = thread_model.query(
        "Python",
        thread_model.subject.startswith("subject-1"),
        filter_condition=thread_model.views > 12,
        scan_index_forward=False,
        page_size=3,
    )

    assert [thread.views for thread in found] == [19, 18, 17, 16, 15, 14, 13]
    assert thread_model.count("Python", thread_model.subject.between("subject-05", "subject-09")) == 5


def test_a_query_goes_on_from_its_last_evaluated_key(thread_model):
    for number in range(5):
        thread_model("Python", f"{number}", views=number).save()
    first = thread_model.query("Python", limit=2)
    read = [thread.subject for thread in first]

    rest = thread_model.query("Python", last_evaluated_key=first.last_evaluated_key)

    assert read + [thread.subject for thread in rest] == ["0", "1", "2", "3", "4"]


def test_an_index_is_queried_as_the_table_is(thread_model):
    for number in range(5):
        thread_model("Python", f"{number}", views=10 - number).save()

    found = thread_model.view_index.query("Python", thread_model.views >= 8)

    assert [(thread.views, thread.subject) for thread in found] == [(8, "2"), (9, "1"), (10, "0")]


def test_a_scan_goes_through_segments_and_filters(thread_model):
    for number in range(8):
        thread_model(f"forum-{number}", "s", views=number).save()

    found = [
        thread.views
        for segment in range(3)
        for thread in thread_model.scan(thread_model.views.is_in(1, 3, 5, 9), segment=segment, total_segments=3)
    ]

    assert sorted(found) == [1, 3, 5]


def test_a_batch_is_got_and_what_is_not_there_is_left_out(thread_model):
    for number in range(120):
        thread_model("Python", f"{number}").save()

    found = list(thread_model.batch_get([("Python", f"{number}") for number in range(110, 130)]))

    assert sorted(thread.subject for thread in found) == [f"{number}" for number in range(110, 120)]


def test_update_actions_change_the_item_and_the_model(thread_model):
    thread = thread_model("Python", "Decorators", views=1, tags=["a"])
    thread.save()

    thread.update(
        actions=[
            thread_model.views.add(4),
            thread_model.tags.set(thread_model.tags.append(["b"])),
            thread_model.last_post_at.remove(),
        ],
        condition=thread_model.views == 1,
    )

    assert (thread.views, thread.tags) == (5, ["a", "b"])


@pytest.mark.parametrize("act", ["save", "update", "delete"])
def test_a_condition_that_fails_is_told_by_the_library(thread_model, act):
    thread = thread_model("Python", "Decorators", views=1)
    thread.save()
    condition = thread_model.views > 5
    acts = {
        "save": (PutError, lambda: thread.save(condition)),
        "update": (UpdateError, lambda: thread.update([thread_model.views.set(9)], condition=condition)),
        "delete": (DeleteError, lambda: thread.delete(condition)),
    }
    error, call = acts[act]

    with pytest.raises(error) as refused:
        call()

    assert refused.value.cause_response_code == "ConditionalCheckFailedException"
    assert refused.value.cause_response_message == "The conditional request failed"
    assert thread_model.get("Python", "Decorators").views == 1


def test_optimistic_locking_refuses_the_second_of_two_writers(office_model):
    office_model("north").save()
    first, second = office_model.get("north"), office_model.get("north")
    first.update([office_model.employees.add(1)])

    with pytest.raises(UpdateError) as refused:
        second.update([office_model.employees.add(1)])

    assert refused.value.cause_response_code == "ConditionalCheckFailedException"
    assert (office_model.get("north").employees, office_model.get("north").version) == (1, 2)


def test_a_transaction_writes_all_or_nothing_and_tells_each_reason(office_model):
    office_model("north", employees=5).save()
    connection = Connection(region="us-east-1")

    with pytest.raises(TransactWriteError) as refused, TransactWrite(connection=connection) as transaction:
        transaction.save(office_model("south"))
        transaction.condition_check(office_model, "north", condition=office_model.employees > 9)

    assert [reason and reason.code for reason in refused.value.cancellation_reasons] == ["ConditionalCheckFailed", None]
    assert office_model.count() == 1


def test_a_transaction_reads_its_items_together(office_model):
    office_model("north", employees=5).save()

    with TransactGet(connection=Connection(region="us-east-1")) as transaction:
        north = transaction.get(office_model, "north")
        absent = transaction.get(office_model, "absent")

    assert north.get().employees == 5
    with pytest.raises(DoesNotExist):
        absent.get()


@pytest.mark.ddb_throttle(table="Office", max_write_request_units=1, initial_seconds=0)
def test_a_throttled_save_backs_off_in_virtual_time_and_is_written(office_model, ddb_fake):
    for name in ("north", "south", "east"):
        office_model(name).save()

    assert office_model.count() == 3
    assert len(ddb_fake.throttles) > 0
    assert len(ddb_fake.sleeps) == len(ddb_fake.throttles)


@pytest.mark.ddb_inject(operation="BatchWriteItem", leftover=25)
def test_a_batch_sends_its_leftovers_again(office_model, ddb_fake):
    with office_model.batch_write() as batch:
        for number in range(30):
            batch.save(office_model(f"{number}"))

    assert office_model.count() == 30


def test_a_batch_that_stays_throttled_is_given_up_with_what_was_not_written(ddb_fake):
    class Log(Model):
        class Meta:
            table_name = "Log"
            region = "us-east-1"
            read_capacity_units = 5
            write_capacity_units = 5
            max_retry_attempts = 3

        line = UnicodeAttribute(hash_key=True)

    Log.create_table(wait=True)
    batch = Log.batch_write()
    for number in range(25):
        batch.save(Log(f"{number}"))

    with pytest.raises(PutError, match="max_retry_attempts exceeded"):
        batch.commit()

    assert len(batch.failed_operations) + ddb_fake.table("Log").item_count == 25
    assert batch.failed_operations
