"""A Region where none is configured: while installed, and while armed."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Iterator
from typing import Any

import botocore.session
import pytest
from botocore.config import Config
from botocore.exceptions import NoRegionError
from botocore.session import Session

from pytest_ddbthrottle._botocore import arm


@pytest.fixture(autouse=True)
def _nobody_else_has_armed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the outer run's own plugin out of the way, where it is installed."""
    original = inspect.unwrap(Session.create_client, stop=lambda function: not is_ours(function))
    monkeypatch.setattr(Session, "create_client", original)


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


@pytest.fixture
def fresh_import(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Imports botocore.session as if for the first time; the real one is back after the test."""
    monkeypatch.setattr(botocore, "session", botocore.session)
    monkeypatch.delitem(sys.modules, "botocore.session")
    return lambda: importlib.import_module("botocore.session")


def our_finders() -> list[Any]:
    """Give those that wait for botocore; for aiobotocore the run's own plugin may wait as well."""
    ours = [finder for finder in sys.meta_path if type(finder).__module__.startswith("pytest_ddbthrottle")]
    return [finder for finder in ours if finder.name == "botocore.session"]


def is_ours(function: Any) -> bool:
    return "session_defaults" in function.__code__.co_filename


def test_arming_before_botocore_is_imported_takes_effect_when_it_is(fresh_import: Any) -> None:
    disarm = arm("ap-south-1")
    importlib.import_module("colorsys")
    assert len(our_finders()) == 1
    module = fresh_import()
    client = module.get_session().create_client("dynamodb", aws_access_key_id="x", aws_secret_access_key="y")
    assert is_ours(module.Session.create_client)
    disarm()
    assert client.meta.region_name == "ap-south-1"
    assert our_finders() == []
    assert module.__loader__ is module.__spec__.loader
    assert type(module.__loader__).__name__ == "SourceFileLoader"
    assert not is_ours(module.Session.create_client)


def test_disarming_before_botocore_is_imported_leaves_it_alone(fresh_import: Any) -> None:
    disarm = arm("ap-south-1")
    disarm()
    assert our_finders() == []
    assert not is_ours(fresh_import().Session.create_client)


def test_disarming_while_botocore_is_being_imported_leaves_it_alone(fresh_import: Any) -> None:
    disarm = arm("ap-south-1")
    spec = our_finders()[0].find_spec("botocore.session")
    module = importlib.util.module_from_spec(spec)
    disarm()
    spec.loader.exec_module(module)
    assert not is_ours(module.Session.create_client)


def test_what_can_not_be_found_is_not_found(fresh_import: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    disarm = arm("ap-south-1")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert our_finders()[0].find_spec("botocore.session") is None
    disarm()
