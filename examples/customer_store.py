"""Saves customers with nothing but the SDK's own retries."""

import boto3

dynamodb = boto3.client("dynamodb")


def save_customer(customer: str) -> None:
    dynamodb.put_item(TableName="customers", Item={"pk": {"S": customer}})
