"""An account that many copies of a worker meet at once: the part of ``FakeDynamoDB`` that runs a swarm."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pytest_ddbthrottle._marker_rules import checked_names
from pytest_ddbthrottle._observed_account import ObservedAccount
from pytest_ddbthrottle._swarm_options import SwarmOptions
from pytest_ddbthrottle._wire import Wire

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from pytest_ddbthrottle._keyword_types import SwarmNames
    from pytest_ddbthrottle._swarm_report import SwarmReport


class AccountUnderLoad(ObservedAccount):
    """An account that answers, and lets the workers of a swarm take turns at its calls.

    Args:
        wire: the account.
        seed: of a swarm that is given none.
        sleeps_are_seen: whether the application's own sleeps move the clock.
    """

    def __init__(self, wire: Wire, seed: int, *, sleeps_are_seen: bool = True) -> None:
        super().__init__(wire.engine.clock, wire.engine.journal, sleeps_are_seen=sleeps_are_seen)
        self._wire = wire
        self._seed = seed
        self._answer = wire.answer
        self._forget_retries: Callable[[int | None], None] = lambda seed: None
        self._is_in_virtual_time = False

    def swarm(self, worker: Callable[..., object], **names: Unpack[SwarmNames]) -> SwarmReport:
        """Run many copies of a worker against the account at once, in virtual time.

        One copy runs at a time; at each call, and at each sleep, the turn goes to another, so that what races in
        production races here. Whose turn it is follows from the seed: the same account and seed give the same run.

        Args:
            worker: a function or a coroutine function. It takes nothing, or its number, from 0.
            **names: ``workers`` (200), how many copies; ``until`` (60), the virtual seconds after which who is still at work
                is stopped; ``seed`` (the fake's); ``latency_seconds`` (0), how long a reply takes; ``may_raise``, classes of
                the errors by which a worker may give up, besides those that throttling caused.

        Returns:
            The report: goodput, refusals by their cause, attempts for each write, percentiles of the latency, when the
            backlog was gone; and as text a table. The account stands as the workers have left it.

        Raises:
            TypeError: an unknown name; a worker that is no function, or needs more than a number.
            ValueError: a value out of range.
            RuntimeError: the fake is not installed, its clock is not ``"virtual"``, or a worker starts a swarm.
            Livelock: a worker never ends, and nothing moves the clock; the message names its line.
            Exception: what a worker raises that neither throttling caused nor ``may_raise`` names.

        >>> import boto3
        >>> from pytest_ddbthrottle import FakeDynamoDB
        >>> client = boto3.client("dynamodb", "us-east-1", aws_access_key_id="any", aws_secret_access_key="any")
        >>> with FakeDynamoDB() as fake:
        ...     orders = fake.create_table("orders", "pk:N", write_capacity_units=5)
        ...     report = fake.swarm(lambda n: client.put_item(TableName="orders", Item={"pk": {"N": str(n)}}), workers=5)
        >>> report.done, report.drained_after_seconds, report.attempts_per_write
        (5, 0.0, 1.0)
        """
        from pytest_ddbthrottle._swarm import Swarm

        __tracebackhide__ = True
        options = SwarmOptions(**checked_names(SwarmOptions, "swarm", names, "worker"))
        if not self._is_in_virtual_time:
            raise RuntimeError(f"swarm: {self!r} has to be installed, with clock='virtual'; docs/how-to/swarm.md")
        seed = self._seed if options.seed is None else options.seed
        swarm = Swarm(self._wire, worker, options, seed)
        self._forget_retries(seed)
        self._answer = swarm.answer
        try:
            return swarm.report()
        finally:
            self._answer = self._wire.answer
