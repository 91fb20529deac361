"""pytest-ddbthrottle: an in-memory DynamoDB that refuses the way DynamoDB refuses, on a clock that the test owns."""

__version__ = "0.1.0"
