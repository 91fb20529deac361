"""Small pieces of applications: for each rule of the audit a guilty one, and innocent ones that look much like it."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress

from botocore.exceptions import BotoCoreError, ClientError

LOG = logging.getLogger(__name__)
THROTTLES = ("ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded")
ENTRIES = [{"PutRequest": {"Item": {"pk": {"S": f"order#100{n}"}}}} for n in range(4)]
ALL = {"orders": ENTRIES}
KEYS = {"orders": {"Keys": [{"pk": {"S": f"order#100{n}"}} for n in range(4)]}}


def put(client, key="order#1", table="orders"):
    return client.put_item(TableName=table, Item={"pk": {"S": key}})


# leftovers_dropped


def drops_what_it_did_not_write(client):
    client.batch_write_item(RequestItems=ALL)


def drops_what_it_did_not_read(client):
    return client.batch_get_item(RequestItems=KEYS)["Responses"]


def raises_on_leftovers(client):
    if client.batch_write_item(RequestItems=ALL)["UnprocessedItems"]:
        raise RuntimeError("not all of it was written")


def logs_the_whole_reply(client):
    LOG.warning("%s", client.batch_write_item(RequestItems=ALL))


def hands_leftovers_on(client):
    return dict(client.batch_write_item(RequestItems=ALL))


def writes_each_again_by_itself(client):
    client.batch_write_item(RequestItems=ALL)
    for entry in ENTRIES:
        client.put_item(TableName="orders", Item=entry["PutRequest"]["Item"])


def puts_all_aside(client):
    client.batch_write_item(RequestItems=ALL)
    for n in range(4):
        client.put_item(TableName="letters", Item={"pk": {"S": str(n)}, "body": {"S": f'{{"pk": "order#100{n}"}}'}})


# no_back_off, no_bound


def sends_three_times_at_once(client):
    for _ in range(3):
        try:
            return put(client)
        except ClientError as error:
            if error.response["Error"]["Code"] not in THROTTLES:
                raise
    raise TimeoutError("not written")


def sends_leftovers_at_once(client):
    waiting = ALL
    while waiting:
        waiting = client.batch_write_item(RequestItems=waiting)["UnprocessedItems"]


def sends_for_ever(client):
    while True:
        try:
            return put(client)
        except ClientError:
            continue


def retries_once_at_once(client):
    try:
        return put(client)
    except ClientError:
        return put(client)


def waits_a_little(client):
    for attempt in range(5):
        try:
            return put(client)
        except ClientError:
            time.sleep(0.05 * 2**attempt)
    raise TimeoutError("not written")


async def waits_a_little_in_a_task(client):
    for attempt in range(5):
        try:
            return put(client)
        except ClientError:
            await asyncio.sleep(0.05 * 2**attempt)
    raise TimeoutError("not written")


def counts_for_many_users(client):
    refused = 0
    for _ in range(20):
        try:
            put(client)
        except ClientError:
            refused += 1
    return refused


def sends_other_things_at_once(client):
    for n in range(5):
        try:
            put(client, f"order#{n}")
        except ClientError as error:
            LOG.warning("order %d: %s", n, error)
            time.sleep(1)
            put(client, f"order#{n}")


# throttle_swallowed


def swallows(client):
    try:
        put(client)
    except Exception:
        LOG.exception("not written")


def suppresses(client):
    with suppress(ClientError):
        put(client)


def swallows_what_got_no_reply(client):
    try:
        put(client)
    except BotoCoreError:
        return


def tells_by_its_value(client):
    try:
        put(client)
        return True
    except ClientError:
        LOG.warning("not written")
    return False


def tells_later(client):
    written = False
    try:
        put(client)
        written = True
    except ClientError:
        LOG.warning("not written")
    if not written:
        raise TimeoutError("not written")


def keeps_it(client):
    waiting = []
    try:
        put(client)
    except ClientError:
        waiting.append("order#1")
    return waiting


def writes_it_later(client):
    try:
        put(client)
    except ClientError:
        LOG.warning("later")
    time.sleep(5)
    put(client)


def lets_it_through(client):
    put(client)


def catches_another_error(client):
    try:
        put(client)
    except client.exceptions.ConditionalCheckFailedException:
        LOG.info("there already")


# reasons_not_read


def reads_the_other_classs_list(client):
    try:
        put(client)
    except ClientError as error:
        return error.response.get("ThrottlingReasons", [])


def reads_both_lists(client):
    try:
        put(client)
    except ClientError as error:
        return error.response.get("ThrottlingReasons") or error.response.get("throttlingReasons")


def reads_no_list(client):
    try:
        put(client)
    except ClientError as error:
        return error.response["Error"]["Code"]


def reads_all_of_it(client):
    try:
        put(client)
    except ClientError as error:
        return sorted(error.response.items(), key=str)


# transaction_not_retried

MOVE = [{"Put": {"TableName": "orders", "Item": {"pk": {"S": "order#1"}}}}]


def takes_it_for_a_condition(client):
    try:
        client.transact_write_items(TransactItems=MOVE)
    except client.exceptions.TransactionCanceledException:
        return "there already"


def reads_why(client):
    try:
        client.transact_write_items(TransactItems=MOVE)
    except client.exceptions.TransactionCanceledException as error:
        return [reason["Code"] for reason in error.response["CancellationReasons"]]


def sends_the_transaction_again(client):
    try:
        client.transact_write_items(TransactItems=MOVE)
    except ClientError:
        time.sleep(1)
        client.transact_write_items(TransactItems=MOVE, ReturnConsumedCapacity="TOTAL")


def raises_its_own_error(client):
    try:
        client.transact_write_items(TransactItems=MOVE)
    except ClientError as error:
        raise RuntimeError("not moved") from error


def hands_the_error_on(client):
    try:
        client.transact_write_items(TransactItems=MOVE)
    except ClientError as error:
        return error


def looks_at_the_code_alone(client):
    try:
        client.transact_write_items(TransactItems=MOVE)
    except ClientError as error:
        if error.response["Error"]["Code"] == "TransactionCanceledException":
            return "there already"


def lets_the_transaction_through(client):
    client.transact_write_items(TransactItems=MOVE)


# write_lost


def _consume(client, keys):
    dead = []
    for key in keys:
        try:
            put(client, key)
        except ClientError:
            dead.append(key)
    return dead


def puts_some_aside(client):
    for key in _consume(client, ["order#1", "order#2"])[:1]:
        put(client, key, "letters")


def puts_each_aside(client):
    for key in _consume(client, ["order#1", "order#2"]):
        put(client, key, "letters")


def puts_none_aside(client):
    return _consume(client, ["order#1", "order#2"])


# write_repeated


def _count(client, key):
    client.update_item(
        TableName="totals",
        Key={"pk": {"S": key}},
        UpdateExpression="SET sold = if_not_exists(sold, :none) + :one",
        ExpressionAttributeValues={":none": {"N": "0"}, ":one": {"N": "1"}},
    )


def _with_back_off(*steps):
    for attempt in range(4):
        try:
            for step in steps:
                step()
            return
        except ClientError:
            time.sleep(2**attempt)
    raise TimeoutError


def begins_again_with_the_count(client):
    _with_back_off(lambda: _count(client, "tea"), lambda: put(client))


def retries_the_step_alone(client):
    for key in ("order#1", "order#2"):
        _count(client, "tea")
        _with_back_off(lambda key=key: put(client, key))


def counts_attempts(client):
    _with_back_off(lambda: _count(client, "order#1"), lambda: put(client))


# class_not_caught


def expects_one_class(client):
    for attempt in range(4):
        try:
            return put(client)
        except client.exceptions.ProvisionedThroughputExceededException:
            time.sleep(2**attempt)
    raise TimeoutError


def expects_all_three(client):
    try:
        put(client)
    except (
        client.exceptions.ProvisionedThroughputExceededException,
        client.exceptions.ThrottlingException,
        client.exceptions.RequestLimitExceeded,
    ):
        return "later"


def expects_one_class_and_any_other_around_it(client):
    try:
        try:
            put(client)
        except client.exceptions.ProvisionedThroughputExceededException:
            return "later"
    except ClientError as error:
        return error.response["Error"]["Code"]
