"""A Region where none is configured: while installed, and while armed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import botocore.session
import pytest
from botocore.config import Config
from botocore.exceptions import NoRegionError
from botocore.session import Session

from pytest_ddbthrottle._botocore import arm


@pytest.fixture
def armed() -> Iterator[None]:
    original = Session.create_client
    disarm = arm("ap-south-1")
    yield
    disarm()
    assert Session.create_client is original


@pytest.fixture
def session() -> Any:
    return botocore.session.get_session()


@pytest.mark.parametrize("service", ["dynamodb", "dynamodbstreams"])
def test_an_armed_process_makes_clients_without_a_region(armed: None, session: Any, service: str) -> None:
    keys = {"aws_access_key_id": "x", "aws_secret_access_key": "y"}
    assert session.create_client(service, **keys).meta.region_name == "ap-south-1"


def test_other_services_get_no_region(armed: None, session: Any) -> None:
    with pytest.raises(NoRegionError):
        session.create_client("sqs", aws_access_key_id="x", aws_secret_access_key="y")


def test_what_is_configured_wins(armed: None, session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {"aws_access_key_id": "x", "aws_secret_access_key": "y"}

    def region(*positional: Any, **named: Any) -> str:
        return str(session.create_client("dynamodb", *positional, **keys, **named).meta.region_name)

    assert region("eu-west-1") == "eu-west-1"
    assert region(config=Config(region_name="eu-west-2")) == "eu-west-2"
    session.set_default_client_config(Config(region_name="eu-west-3"))
    assert region() == "eu-west-3"
    session.set_default_client_config(None)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-north-1")
    assert region() == "eu-north-1"


def test_a_config_given_by_position_is_seen(armed: None, session: Any) -> None:
    config = Config(region_name="eu-west-2")
    client = session.create_client("dynamodb", None, None, True, None, None, "x", "y", None, config)
    assert client.meta.region_name == "eu-west-2"


def test_an_installation_gives_its_region(far_end: Any, session: Any) -> None:
    installation = far_end.install(region="sa-east-1")
    assert session.create_client("dynamodb").meta.region_name == "sa-east-1"
    installation.uninstall()
    with pytest.raises(NoRegionError):
        session.create_client("dynamodb", aws_access_key_id="x", aws_secret_access_key="y")


def test_disarming_under_an_installation_takes_effect_when_that_ends(far_end: Any, session: Any) -> None:
    original = Session.create_client
    disarm = arm("ap-south-1")
    installation = far_end.install(region="sa-east-1")
    disarm()
    installation.uninstall()
    with pytest.raises(NoRegionError):
        session.create_client("dynamodb", aws_access_key_id="x", aws_secret_access_key="y")
    Session.create_client = original


PROGRAM = """
import sys
from pytest_ddbthrottle._botocore import arm
disarm = arm("ap-south-1")
{early}
import botocore.session
assert not any(type(finder).__module__.startswith("pytest_ddbthrottle") for finder in sys.meta_path)
assert botocore.session.__loader__ is botocore.session.__spec__.loader
assert type(botocore.session.__loader__).__name__ == "SourceFileLoader"
make = botocore.session.get_session().create_client
print(make("dynamodb", aws_access_key_id="x", aws_secret_access_key="y").meta.region_name)
disarm()
"""


@pytest.mark.parametrize(("early", "printed"), [("", "ap-south-1"), ("disarm()", "NoRegionError")])
def test_arming_before_botocore_is_imported_takes_effect_when_it_is(early: str, printed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(early=early)], capture_output=True, text=True, env=dict(os.environ)
    )
    assert printed in done.stdout + done.stderr
