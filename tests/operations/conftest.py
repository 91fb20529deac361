"""An account in memory without an engine around it: what the operations see, and no more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from pytest_ddbthrottle._engine.capacity import BillingMode, Consumption, Throughput
from pytest_ddbthrottle._engine.errors import ProvisionedThroughputExceededException, Throttled
from pytest_ddbthrottle._engine.keys import KeyAttribute, KeySchema
from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.tables import SecondaryIndex, Table
from pytest_ddbthrottle._engine.vector_index import SearchElement, VectorIndex

ON_DEMAND = Throughput(BillingMode.PAY_PER_REQUEST)
REASON = {"Code": "ProvisionedThroughputExceeded", "Message": "too much"}


class MemoryContext:
    """Records what is admitted; refuses what ``refuses`` says."""

    def __init__(self) -> None:
        self.account_id = "123456789012"
        self.region = "us-east-1"
        self.now_ns = 0
        self.tables: dict[str, Table] = {}
        self.limits = AccountLimits()
        self.transaction_tokens: dict[str, Any] = {}
        self.admitted: list[Consumption] = []
        self.admissions = 0
        self.refuses: Callable[[Consumption], bool] = lambda part: False
        self.leaves: Callable[[str, int], bool] = lambda table_name, position: False
        self.reason: Mapping[str, str] = REASON

    def admit(self, consumptions: Sequence[Consumption]) -> None:
        self.admissions += 1
        for part in consumptions:
            if self.refuses(part):
                error = ProvisionedThroughputExceededException("too much")
                raise Throttled(error, self.reason, part, refusal=None)
        self.admitted += consumptions

    def charge(self, consumptions: Sequence[Consumption]) -> None:
        self.admitted += consumptions

    def leftover(self, operation: str, table_name: str, position: int) -> bool:
        return self.leaves(table_name, position)

    def throughput_for(self, table_name: str, index_name: str | None, asked: Throughput) -> Throughput:
        return asked

    def throughput_changed(self, table: Table) -> None:
        raise NotImplementedError

    def table_deleted(self, table: Table) -> None:
        raise NotImplementedError

    def admit_change(self) -> bool:
        raise NotImplementedError

    def policy_made(self) -> None:
        raise NotImplementedError

    def new_id(self) -> str:
        raise NotImplementedError

    @property
    def units(self) -> list[tuple[str | None, float]]:
        """What was admitted: index (or None for the table) and units."""
        return [(part.index_name or part.local_index_name, part.nano_units / 10**9) for part in self.admitted]

    def add_table(self, name: str = "orders", partition_key: str = "pk:S", sort_key: str | None = None) -> Table:
        """Make a table, of keys written as ``name:type``."""
        arn = f"arn:aws:dynamodb:{self.region}:{self.account_id}:table/{name}"
        table = Table(name, arn, f"id-of-{name}", key_schema([partition_key], sort_key), ON_DEMAND, created_ns=0)
        self.tables[name] = table
        return table


def key_schema(partition_keys: Sequence[str], sort_key: str | None) -> KeySchema:
    """Give a key schema from ``name:type``."""
    sort = () if sort_key is None else (KeyAttribute(*sort_key.split(":")),)
    return KeySchema(tuple(KeyAttribute(*key.split(":")) for key in partition_keys), sort)


@pytest.fixture
def context() -> MemoryContext:
    return MemoryContext()


@pytest.fixture
def add_index() -> Callable[..., SecondaryIndex]:
    """Add a global index to a table, or a local one (``partition_key=None``)."""

    def add(
        table: Table,
        name: str,
        partition_key: str | None,
        sort_key: str | None = None,
        projection: str = "ALL",
        included: Sequence[str] = (),
    ) -> SecondaryIndex:
        own = [partition_key] if partition_key else [f"{key.name}:{key.type}" for key in table.key_schema.partition]
        throughput = ON_DEMAND if partition_key else None
        index = SecondaryIndex(
            name, f"{table.arn}/index/{name}", key_schema(own, sort_key), projection, tuple(included), throughput
        )
        table.indexes[name] = index
        table.fill_index(index)
        return index

    return add


@pytest.fixture
def add_vector_index() -> Callable[..., VectorIndex]:
    """Add a vector index to a table; its partition key and filters are written ``name:type``."""

    def add(
        table: Table,
        name: str = "near",
        *,
        partition: str | None = None,
        filters: Sequence[str] = (),
        projection: str = "ALL",
        included: Sequence[str] = (),
        dimensions: int = 2,
        function: str = "EUCLIDEAN",
    ) -> VectorIndex:
        hashes = [] if partition is None else [SearchElement(*partition.split(":"), role="HASH")]
        schema = [*hashes, *(SearchElement(*element.split(":"), role="INLINE_FILTER") for element in filters)]
        index = VectorIndex(
            name,
            f"{table.arn}/index/{name}",
            "v",
            dimensions,
            function,
            tuple(schema),
            projection,
            tuple(included),
        )
        table.vector_indexes[name] = index
        index.fill(table.items, table.key_schema)
        return index

    return add
