"""The tests of retries and of asynchronous clients on each generation of the SDK: ``nox``, or ``make matrix``."""

from __future__ import annotations

import nox

nox.options.reuse_venv = "yes"
nox.options.error_on_missing_interpreters = True

SDKS = {
    # Legacy is the default retry mode up to here.
    "botocore-1.43": ["boto3==1.43.*", "botocore==1.43.*"],
    "botocore-1.44": ["boto3==1.44.*", "botocore==1.44.*"],
    # With the newest botocore that it allows; its two HTTP libraries, and who runs its event loops.
    "aiobotocore": ["aiobotocore[httpx]", "boto3", "anyio", "pytest-asyncio", "trio"],
    # It asks for an aiobotocore of its own, the generation before.
    "aioboto3": ["aioboto3>=15.5", "pytest-asyncio"],
}
TESTS = [
    "tests/async_clients",
    "tests/botocore/test_client_retries.py",
    "tests/botocore/test_retries.py",
    "tests/botocore/test_retry_modes.py",
    "tests/botocore/test_retry_state.py",
    "tests/botocore/test_threads.py",
    "tests/plugin/test_async_tests.py",
    "tests/plugin/test_retry_state.py",
]


@nox.session
@nox.parametrize("sdk", list(SDKS), ids=list(SDKS))
def retries(session: nox.Session, sdk: str) -> None:
    """Run them with one generation."""
    session.install("--editable", ".", "hypothesis", *SDKS[sdk])
    session.run("python", "-m", "pytest", "-q", "-p", "no:asyncio", "-p", "no:cacheprovider", *TESTS, *session.posargs)
