"""The in-memory DynamoDB: standard library and sortedcontainers only, no I/O, no clock of its own."""
