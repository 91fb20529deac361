"""moto beside the fake: DynamoDB is ours, every other service is moto's."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture
def moto(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    return pytest.importorskip("moto")


@pytest.mark.parametrize("core", [None, {}, {"passthrough": {"services": ["s3"]}}])
def test_motos_list_has_dynamodb_while_installed_whenever_moto_is_imported(
    new_client: Any, put: Any, far_end: Any, installed: Any, monkeypatch: pytest.MonkeyPatch, core: Any
) -> None:
    config, kept = ModuleType("moto.core.config"), ["s3"] if core else []
    config.default_user_config = {} if core is None else {"core": core}  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "moto.core.config", config)
    far_end.members, client = {}, new_client()
    put(client)
    put(client)
    services = config.default_user_config["core"]["passthrough"]["services"]
    assert services == [*kept, "dynamodb", "dynamodbstreams"]
    services.remove("dynamodb")
    installed.uninstall()
    assert services == kept


@pytest.mark.parametrize(
    "settings", [{}, {"core": {"mock_credentials": True}}, {"core": {"service_whitelist": ["sqs"]}}]
)
def test_dynamodb_is_ours_and_the_rest_is_motos(moto: Any, far_end: Any, installed: Any, settings: Any) -> None:
    import boto3

    far_end.members = {"TableNames": ["ours"]}
    with moto.mock_aws(config=settings):
        assert boto3.client("dynamodb").list_tables()["TableNames"] == ["ours"]
        assert boto3.client("dynamodbstreams").list_streams() is not None
        sqs = boto3.client("sqs")
        sqs.create_queue(QueueName="theirs")
        assert len(sqs.list_queues()["QueueUrls"]) == 1
    assert len(far_end.sends) == 2


def test_an_installation_inside_moto_answers_and_takes_its_entry_out_again(moto: Any, far_end: Any) -> None:
    import boto3

    services = moto.core.config.default_user_config["core"]["passthrough"]["services"]
    before, far_end.members = list(services), {"TableNames": ["ours"]}
    with moto.mock_aws():
        client = boto3.client("dynamodb")
        installation = far_end.install()
        assert client.list_tables()["TableNames"] == ["ours"]
        assert services != before
        installation.uninstall()
        assert client.list_tables()["TableNames"] == []
    assert services == before
