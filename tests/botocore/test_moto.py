"""moto beside the fake: DynamoDB is ours, every other service is moto's."""

from __future__ import annotations

from typing import Any

import pytest

moto = pytest.importorskip("moto")
config = pytest.importorskip("moto.core.config")


def services() -> list[str]:
    """moto's list of services that pass through it."""
    return list(config.default_user_config["core"]["passthrough"]["services"])


@pytest.fixture(autouse=True)
def _reachable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")


@pytest.mark.parametrize(
    "settings", [{}, {"core": {"mock_credentials": True}}, {"core": {"service_whitelist": ["sqs"]}}]
)
def test_dynamodb_is_ours_and_the_rest_is_motos(far_end: Any, installed: Any, settings: Any) -> None:
    import boto3

    far_end.members = {"TableNames": ["ours"]}
    with moto.mock_aws(config=settings):
        assert boto3.client("dynamodb").list_tables()["TableNames"] == ["ours"]
        assert boto3.client("dynamodbstreams").list_streams() is not None
        sqs = boto3.client("sqs")
        sqs.create_queue(QueueName="theirs")
        assert len(sqs.list_queues()["QueueUrls"]) == 1
    assert len(far_end.sends) == 2


def test_an_installation_inside_moto_answers_and_takes_its_entry_out_again(far_end: Any) -> None:
    import boto3

    before, far_end.members = services(), {"TableNames": ["ours"]}
    with moto.mock_aws():
        client = boto3.client("dynamodb")
        installation = far_end.install()
        assert client.list_tables()["TableNames"] == ["ours"]
        assert services() != before
        installation.uninstall()
        assert client.list_tables()["TableNames"] == []
    assert services() == before
