"""One module for each operation of DynamoDB's API; ``registry.OPERATIONS`` lists them."""
