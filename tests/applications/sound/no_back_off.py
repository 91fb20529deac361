"""Saves profiles; six attempts, each after twice the wait of the one before, then an error."""

from __future__ import annotations

import time

from botocore.exceptions import ClientError

THROTTLES = ("ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded")
PROFILES = [("ann", "en"), ("bob", "de"), ("cid", "fr"), ("dee", "it")]


def save(client, profile):
    for attempt in range(6):
        try:
            client.put_item(TableName="profiles", Item=profile)
            return
        except ClientError as error:
            if error.response["Error"]["Code"] not in THROTTLES:
                raise
            time.sleep(0.05 * 2**attempt)
    raise TimeoutError(f"profile not saved: {profile['name']['S']}")


def prepare(fake):
    fake.create_table("profiles", "name:S", write_capacity_units=20)


def run(client):
    for name, language in PROFILES:
        save(client, {"name": {"S": name}, "language": {"S": language}})


def check(fake):
    saved = {item["name"]: item["language"] for item in fake.table("profiles").items(plain=True)}
    assert saved == dict(PROFILES)
