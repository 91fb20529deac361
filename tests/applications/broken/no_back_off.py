"""Saves profiles; three attempts, all at the same instant, then it gives up with a word in the log."""

from __future__ import annotations

import logging

from botocore.exceptions import ClientError

LOG = logging.getLogger(__name__)
THROTTLES = ("ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded")
PROFILES = [("ann", "en"), ("bob", "de"), ("cid", "fr"), ("dee", "it")]


def save(client, profile):
    for _ in range(3):
        try:
            client.put_item(TableName="profiles", Item=profile)
            return
        except ClientError as error:
            if error.response["Error"]["Code"] not in THROTTLES:
                raise
    LOG.error("profile not saved: %s", profile["name"]["S"])


def prepare(fake):
    fake.create_table("profiles", "name:S", write_capacity_units=20)


def run(client):
    for name, language in PROFILES:
        save(client, {"name": {"S": name}, "language": {"S": language}})


def check(fake):
    saved = {item["name"]: item["language"] for item in fake.table("profiles").items(plain=True)}
    assert saved == dict(PROFILES)
