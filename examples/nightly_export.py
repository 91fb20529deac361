"""Writes the day's figures into a table that has been idle since the night before."""

import time
from collections.abc import Iterable
from typing import Any

import boto3
from botocore.config import Config

dynamodb = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))

TABLE = "figures"
PAUSE_SECONDS = 1


def export(figures: Iterable[dict[str, Any]]) -> int:
    """Write all figures, pausing where one is refused; gives how many went through before the first pause."""
    in_the_burst, pauses = 0, 0
    for figure in figures:
        while not _written(figure):
            pauses += 1
            time.sleep(PAUSE_SECONDS)
        in_the_burst += not pauses
    return in_the_burst


def _written(figure: dict[str, Any]) -> bool:
    try:
        dynamodb.put_item(TableName=TABLE, Item=figure)
    except dynamodb.exceptions.ProvisionedThroughputExceededException:
        return False
    return True
