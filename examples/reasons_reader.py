"""Writes an order and, when it is refused, says which limit of which table or index refused it."""

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

dynamodb = boto3.client("dynamodb", config=Config(retries={"max_attempts": 5, "mode": "adaptive"}))

THROTTLE_ERRORS = {
    "ProvisionedThroughputExceededException",
    "ThrottlingException",
    "RequestLimitExceeded",
}


def save_order(customer: str, order: str, table: str = "orders") -> None:
    try:
        dynamodb.put_item(TableName=table, Item={"pk": {"S": customer}, "sk": {"S": order}})
    except ClientError as error:
        for line in throttled_because(error):
            print(line)
        raise


def throttled_because(error: ClientError) -> list[str]:
    """Give a line for each reason; the member's first letter depends on the error class."""
    if error.response["Error"]["Code"] not in THROTTLE_ERRORS:
        return []
    reasons = error.response.get("ThrottlingReasons") or error.response.get("throttlingReasons") or []
    return [f"Throttled: {reason['reason']} on {reason['resource']}" for reason in reasons]
