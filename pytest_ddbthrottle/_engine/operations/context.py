"""What an operation is given: the account it acts on, and the one door to throttling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pytest_ddbthrottle._engine.capacity import Consumption, Throughput
from pytest_ddbthrottle._engine.limits import AccountLimits
from pytest_ddbthrottle._engine.streams import Stream
from pytest_ddbthrottle._engine.tables import Table

Request = Mapping[str, Any]
Reply = dict[str, Any]


class Context(Protocol):
    """One request's view of one account and Region, at one instant."""

    @property
    def account_id(self) -> str:
        """The twelve digits of the account."""

    @property
    def region(self) -> str:
        """The Region that the request was signed for."""

    @property
    def now_ns(self) -> int:
        """The instant of the request, in nanoseconds since the epoch; read once."""

    @property
    def tables(self) -> dict[str, Table]:
        """The Region's tables by name."""

    @property
    def limits(self) -> AccountLimits:
        """The account's limits in force."""

    @property
    def transaction_tokens(self) -> dict[str, Any]:
        """What TransactWriteItems remembers of the Region's ClientRequestTokens."""

    def admit(self, consumptions: Sequence[Consumption]) -> None:
        """Charge all of the consumptions, or none.

        Raises:
            Throttled: a bucket refused; nothing was charged.
        """

    def charge(self, consumptions: Sequence[Consumption]) -> None:
        """Charge without asking (what a cancelled transaction consumed)."""

    def leftover(self, operation: str, table_name: str, position: int) -> bool:
        """Tell whether a scripted rule leaves this entry of a batch unprocessed."""

    def throughput_for(self, table_name: str, index_name: str | None, asked: Throughput) -> Throughput:
        """Give the throughput that a CreateTable puts in force: what was asked, unless a marker says otherwise."""

    def throughput_changed(self, table: Table) -> None:
        """Settle the buckets of a table that was created or changed, and scale them to the new rates.

        What is on its way of the table is looked after from then on.
        """

    def time_to_live_changed(self, table: Table) -> None:
        """Look after the items of a table that expire from now on."""

    def table_deleted(self, table: Table) -> None:
        """Forget the buckets of a table."""

    @property
    def streams(self) -> Mapping[str, Stream]:
        """The streams of the Region that can be read, by ARN."""

    def admit_call(self, what: str, per_second: int) -> bool:
        """Count a call of a kind that has a rate; False, and nothing counted, where there are too many."""

    def admit_change(self) -> bool:
        """Count a change of the control plane; False, and nothing counted, where the account makes too many."""

    def policy_made(self) -> None:
        """Let policies be asked from now on: a resource policy was attached."""

    def new_id(self) -> str:
        """Give a UUID drawn from the run's seed."""
