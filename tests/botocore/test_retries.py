"""What one exhausted call costs in attempts and virtual seconds, in each retry mode."""

from __future__ import annotations

import time
from typing import Any

import pytest
from botocore import __version__ as botocore_version

from pytest_ddbthrottle._engine.clock import VirtualClock

# From botocore 1.44 on DynamoDB gets four attempts in standard mode; before, three was everybody's number.
STANDARD_SENDS = 4 if [int(part) for part in botocore_version.split(".")[:2]] >= [1, 44] else 3


def test_legacy_makes_ten_sends_and_waits_25_55_virtual_seconds(
    new_client: Any, put: Any, far_end: Any, installed: Any, clock: VirtualClock
) -> None:
    response = put(new_client("legacy"))
    assert response["ResponseMetadata"]["RetryAttempts"] == 9
    assert [send.at_seconds for send in far_end.sends][-2:] == [12.75, 25.55]
    assert clock.elapsed == 25.55
    assert [sleep.seconds for sleep in clock.sleeps] == [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8]
    assert {sleep.origin for sleep in clock.sleeps} == {"sdk"}


def test_standard_waits_between_its_sends(
    new_client: Any, put: Any, far_end: Any, installed: Any, clock: VirtualClock
) -> None:
    response = put(new_client("standard"))
    assert response["Error"]["Code"] == "ProvisionedThroughputExceededException"
    assert response["ThrottlingReasons"][0]["reason"] == "TableWriteProvisionedThroughputExceeded"
    assert len(far_end.sends) == STANDARD_SENDS == len(clock.sleeps) + 1
    assert clock.elapsed == pytest.approx(sum(sleep.seconds for sleep in clock.sleeps), abs=1e-5)


def test_adaptive_sends_after_its_limiter_has_waited(
    new_client: Any, put: Any, far_end: Any, installed: Any, clock: VirtualClock
) -> None:
    client = new_client("adaptive")
    put(client)
    far_end.members, throttled_until = {}, clock.elapsed
    put(client)
    assert far_end.sends[-1].at_seconds == clock.elapsed > throttled_until


@pytest.mark.parametrize("mode", ["standard", "adaptive"])
def test_the_same_seed_gives_the_same_delays(new_client: Any, put: Any, far_end: Any, mode: str) -> None:
    def delays(seed: int) -> list[float]:
        far_end.clock = VirtualClock()
        installation = far_end.install(seed=seed)
        put(new_client(mode))
        installation.uninstall()
        return [sleep.seconds for sleep in far_end.clock.sleeps]

    assert delays(1) == delays(1)
    assert delays(1) != delays(2)


def test_the_jitter_leaves_the_applications_random_alone(
    new_client: Any, put: Any, installed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import random

    random.seed(5)
    put(new_client("standard"))
    drawn = random.random()
    random.seed(5)
    assert drawn == random.random()


def test_each_attempt_bears_the_invocation_id_and_its_number(
    new_client: Any, put: Any, far_end: Any, installed: Any
) -> None:
    put(new_client("legacy"))
    assert len({send.header("amz-sdk-invocation-id") for send in far_end.sends}) == 1
    assert "attempt=10" in far_end.sends[-1].header("AMZ-SDK-Request")


def test_another_services_back_off_is_not_the_fakes(
    new_client: Any, installed: Any, clock: VirtualClock, connections: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    sqs = new_client("legacy", service="sqs", endpoint_url="http://127.0.0.1:1")
    with pytest.raises(Exception, match="connect"):
        sqs.list_queues()
    assert len(slept) == len(connections) - 1 > 0
    assert clock.sleeps == []


def test_a_waiter_of_dynamodb_waits_in_virtual_time(
    new_client: Any, far_end: Any, installed: Any, clock: VirtualClock
) -> None:
    far_end.members = {"Table": {"TableStatus": "CREATING"}}
    waiter = new_client().get_waiter("table_exists")
    with pytest.raises(Exception, match="Max attempts exceeded"):
        waiter.wait(TableName="orders", WaiterConfig={"Delay": 20, "MaxAttempts": 4})
    assert [(sleep.seconds, sleep.origin) for sleep in clock.sleeps] == [(20, "sdk")] * 3


def test_in_real_time_the_back_off_is_the_sdks_own(
    new_client: Any, put: Any, far_end: Any, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    installation = far_end.install(time_mode="real")
    monkeypatch.setattr(time, "sleep", slept.append)
    put(new_client("legacy"))
    installation.uninstall()
    assert sum(slept) == pytest.approx(25.55)
    assert clock.sleeps == []


def test_botocores_other_uses_of_time_see_the_processs(installed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import botocore.endpoint

    monkeypatch.setattr(time, "time", lambda: 5.0)
    assert botocore.endpoint.time.time() == 5.0
