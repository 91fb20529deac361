"""What the throttle model must know of a table and its indexes: a name, an ARN, a throughput."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from pytest_ddbthrottle._engine.capacity import Throughput


class ThrottledIndex(Protocol):
    """A global secondary index."""

    @property
    def name(self) -> str:
        """The index's name."""

    @property
    def arn(self) -> str:
        """The ARN that DescribeTable returns."""

    @property
    def throughput(self) -> Throughput | None:
        """What it may consume; never None for a global index."""


class ThrottledTable(Protocol):
    """A table."""

    @property
    def name(self) -> str:
        """The table's name."""

    @property
    def arn(self) -> str:
        """The ARN that DescribeTable returns."""

    @property
    def throughput(self) -> Throughput:
        """What it may consume."""

    @property
    def global_indexes(self) -> Mapping[str, ThrottledIndex]:
        """Its global secondary indexes by name."""


def throughput_of(table: ThrottledTable, index_name: str | None) -> Throughput:
    """Give what a table, or a global secondary index of it, may consume."""
    if index_name is None:
        return table.throughput
    throughput = table.global_indexes[index_name].throughput
    assert throughput is not None, f"{index_name} is a local index: it draws on its table"
    return throughput


def arn_of(table: ThrottledTable, index_name: str | None) -> str:
    """Give the ARN of a table, or of a global secondary index of it."""
    return table.arn if index_name is None else table.global_indexes[index_name].arn
