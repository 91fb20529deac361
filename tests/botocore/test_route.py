"""Every way into the engine, and no way out of the process."""

from __future__ import annotations

import threading
from typing import Any

import boto3
import botocore.session
import pytest
from botocore.awsrequest import AWSResponse
from botocore.config import Config
from botocore.endpoint import Endpoint
from botocore.httpsession import URLLib3Session
from botocore.stub import Stubber

from pytest_ddbthrottle import _botocore
from pytest_ddbthrottle._botocore.answer import RawBody
from pytest_ddbthrottle._engine.errors import Livelock


@pytest.fixture
def accepting(far_end: Any, installed: Any) -> Any:
    far_end.members = {}
    return far_end


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"endpoint_url": "http://localhost:8000"},
        {"endpoint_url": "https://vpce-1.example.com/prefix"},
        {"region_name": "us-east-1", "config": Config(use_fips_endpoint=True)},
        {"region_name": "us-east-1", "config": Config(use_dualstack_endpoint=True)},
        {"region_name": "cn-north-1"},
        {"aws_account_id": "123456789012", "config": Config(account_id_endpoint_mode="required")},
        {"service": "dynamodbstreams"},
    ],
    ids=["plain", "localhost", "vpc", "fips", "dual-stack", "china", "account-id", "streams"],
)
def test_a_request_is_known_by_its_target_whatever_its_host(
    new_client: Any, accepting: Any, connections: list[Any], settings: dict[str, Any]
) -> None:
    client = new_client(**settings)
    call = client.list_streams if settings.get("service") else client.list_tables
    call()
    assert len(accepting.sends) == 1
    assert connections == []


def test_endpoint_discovery_is_asked_of_the_engine_first(new_client: Any, accepting: Any) -> None:
    accepting.members = {"Endpoints": [{"Address": "discovered.example.com", "CachePeriodInMinutes": 60}]}
    new_client(config=Config(endpoint_discovery_enabled=True)).list_tables()
    assert [send.header("X-Amz-Target").rpartition(".")[2] for send in accepting.sends] == [
        "DescribeEndpoints",
        "ListTables",
    ]
    assert accepting.sends[1].url == "https://discovered.example.com"


def test_a_client_made_before_the_installation_is_answered(new_client: Any, put: Any, far_end: Any) -> None:
    client, far_end.members = new_client(), {}
    installation = far_end.install()
    put(client)
    installation.uninstall()
    assert len(far_end.sends) == 1


def test_the_default_session_is_answered(accepting: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    boto3.client("dynamodb").list_tables()
    list(boto3.resource("dynamodb").tables.all())
    assert len(accepting.sends) == 2


def test_a_session_without_builtin_handlers_is_answered(accepting: Any) -> None:
    session = botocore.session.Session(include_builtin_handlers=False)
    session.create_client("dynamodb").list_tables()
    assert len(accepting.sends) == 1


def test_threads_are_answered(new_client: Any, put: Any, accepting: Any) -> None:
    client = new_client()
    threads = [threading.Thread(target=put, args=[client]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(accepting.sends) == 4


class HttpSession:
    """An HTTP session class of the application's own."""

    def __init__(self, **settings: Any) -> None:
        self.sent: list[Any] = []

    def send(self, request: Any) -> Any:
        raise AssertionError("the request would leave the process")

    def close(self) -> None:
        """Close nothing."""


def test_a_client_with_its_own_http_session_is_answered(new_client: Any, put: Any, accepting: Any) -> None:
    client = new_client()
    client._endpoint.http_session = HttpSession()
    put(client)
    assert len(accepting.sends) == 1


def prepared(client: Any) -> Any:
    """A signed request as a library that sends by itself prepares it."""
    model = client.meta.service_model.operation_model("ListTables")
    request_dict = client._convert_to_request_dict({}, model, "http://localhost:8000", {"client_config": None})
    request_dict["context"]["timestamp"] = ""
    return client._endpoint.create_request(request_dict)


def test_a_request_sent_through_the_http_session_itself_is_answered(new_client: Any, accepting: Any) -> None:
    client = new_client()
    response = client._endpoint.http_session.send(prepared(client))
    assert (response.status_code, response.content) == (200, b"{}")
    assert response.headers["X-AMZ-CRC32"] == response.headers["x-amz-crc32"]


def test_whoever_only_emits_before_send_gets_an_answer_that_is_asked_for_when_read(
    sdk_session: Any, accepting: Any
) -> None:
    client = botocore.session.get_session().create_client("dynamodb")
    responses = client.meta.events.emit("before-send.dynamodb.ListTables", request=prepared(client))
    response = responses[-1][1]
    assert accepting.sends == []
    assert (response.status_code, response.content, response.text) == (200, b"{}", "{}")
    assert b"".join(response.raw.stream()) == b"{}"
    assert len(accepting.sends) == 1


def test_another_handlers_answer_is_the_only_one(put: Any, accepting: Any) -> None:
    client = botocore.session.get_session().create_client("dynamodb")
    theirs = AWSResponse("http://x", 200, {}, RawBody(b'{"ConsumedCapacity": {"CapacityUnits": 7}}'))
    client.meta.events.register("before-send", lambda **_: theirs)
    assert put(client)["ConsumedCapacity"]["CapacityUnits"] == 7
    assert accepting.sends == []


def test_a_stubber_answers_before_the_engine(put: Any, accepting: Any, new_client: Any) -> None:
    client = new_client()
    with Stubber(client) as stubber:
        stubber.add_response("put_item", {})
        put(client)
    assert accepting.sends == []


def test_another_service_is_sent_as_ever(new_client: Any, accepting: Any, connections: list[Any]) -> None:
    s3 = new_client(service="s3", endpoint_url="http://127.0.0.1:1", config=Config(retries={"total_max_attempts": 1}))
    with pytest.raises(Exception, match="connect"):
        s3.list_buckets()
    assert (len(connections), accepting.sends) == (1, [])


@pytest.mark.parametrize("mode", ["legacy", "standard", "adaptive"])
def test_an_interruption_ends_the_call_at_once(
    new_client: Any, put: Any, far_end: Any, installed: Any, mode: str
) -> None:
    far_end.error = Livelock("1000 calls")
    with pytest.raises(Livelock, match="1000 calls"):
        put(new_client(mode))
    assert len(far_end.sends) == 1


@pytest.mark.parametrize("mode", ["legacy", "standard", "adaptive"])
def test_a_fault_of_the_engine_is_not_retried(
    new_client: Any, put: Any, far_end: Any, installed: Any, mode: str
) -> None:
    far_end.error = KeyError("a fault of ours")
    with pytest.raises(KeyError, match="a fault of ours"):
        put(new_client(mode))
    assert len(far_end.sends) == 1


def test_attach_takes_a_client_or_a_resource_that_is_reached(new_client: Any, accepting: Any) -> None:
    _botocore.attach(new_client())
    _botocore.attach(boto3.resource("dynamodb"))


def test_attach_refuses_another_services_client(new_client: Any, accepting: Any) -> None:
    with pytest.raises(TypeError, match="not a DynamoDB client or resource"):
        _botocore.attach(new_client(service="sqs"))


def test_attach_needs_an_installation(new_client: Any) -> None:
    with pytest.raises(RuntimeError, match="no fake is installed"):
        _botocore.attach(new_client())


def test_attach_names_an_endpoint_that_is_not_reached(
    new_client: Any, accepting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = new_client()
    monkeypatch.setattr(client._endpoint, "_send", lambda request: None, raising=False)
    with pytest.raises(RuntimeError, match="Endpoint sends by a _send of its own"):
        _botocore.attach(client)


def test_what_wraps_a_seam_from_outside_is_left_where_it_is(
    new_client: Any, put: Any, far_end: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(URLLib3Session, "send", URLLib3Session.send)
    far_end.members, installation = {}, far_end.install()
    ours = URLLib3Session.send
    theirs = lambda self, request: ours(self, request)  # noqa: E731
    URLLib3Session.send = theirs
    installation.uninstall()
    assert URLLib3Session.send is theirs
    assert not hasattr(Endpoint._send, "installation")
