"""Writes an order and, when it is refused, says which limit of which table or index refused it, and what would help."""

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

dynamodb = boto3.client("dynamodb", config=Config(retries={"max_attempts": 5, "mode": "adaptive"}))

THROTTLE_ERRORS = {
    "ProvisionedThroughputExceededException",
    "ThrottlingException",
    "RequestLimitExceeded",
}

# A reason is Table or Index, Read or Write, then one of four limits.
CURES = {
    "ProvisionedThroughputExceeded": "raise the capacity, or switch to on-demand",
    "MaxOnDemandThroughputExceeded": "raise the table's own maximum, or accept it",
    "AccountLimitExceeded": "ask for a higher quota",
    "KeyRangeThroughputExceeded": "spread the key: more capacity does not help",
}


def save_order(customer: str, order: str, table: str = "orders") -> None:
    try:
        dynamodb.put_item(TableName=table, Item={"pk": {"S": customer}, "sk": {"S": order}})
    except ClientError as error:
        for line in throttled_because(error):
            print(line)
        raise


def reasons_of(error: ClientError) -> list[dict[str, str]]:
    """Give the reasons of a throttle; the member's first letter depends on the error class."""
    if error.response["Error"]["Code"] not in THROTTLE_ERRORS:
        return []
    return error.response.get("ThrottlingReasons") or error.response.get("throttlingReasons") or []


def throttled_because(error: ClientError) -> list[str]:
    """Give a line for each reason."""
    return [f"Throttled: {reason['reason']} on {reason['resource']}" for reason in reasons_of(error)]


def cure_for(error: ClientError) -> str | None:
    """Say what would help; None for an error that is no throttle."""
    if error.response["Error"]["Code"] not in THROTTLE_ERRORS:
        return None
    for reason in reasons_of(error):
        for limit, cure in CURES.items():
            if reason["reason"].endswith(limit):
                return cure
    # A hot key that is read on demand is the one cause that comes without a list.
    return CURES["KeyRangeThroughputExceeded"]
