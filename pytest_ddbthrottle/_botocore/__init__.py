"""The way in for every botocore client of the process; the only package that imports the SDK.

The law: a DynamoDB request is known by ``X-Amz-Target``, never by its host, and is answered where the wire begins, at
``Endpoint._send`` and ``URLLib3Session.send`` (each covers the other's gap), so that the engine runs once for each
attempt and only if its answer is the one that the client gets. What is patched is patched on classes, so that clients
made before are reached, for as long as a fake is installed. Requests to other services pass untouched.

Importing this package does not import botocore; ``install`` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_ddbthrottle._botocore.no_fake import forbid_calls_without_fake
from pytest_ddbthrottle._botocore.session_defaults import Disarm, arm

if TYPE_CHECKING:
    from pytest_ddbthrottle._botocore.installation import Answer, Installation
    from pytest_ddbthrottle._engine.clock import VirtualClock

__all__ = ["Disarm", "arm", "attach", "forbid_calls_without_fake", "install"]


def install(
    answer: Answer,
    clock: VirtualClock,
    *,
    region: str,
    seed: int,
    time_mode: str,
    read: dict[str, set[str]] | None = None,
) -> Installation:
    """Answer the DynamoDB requests of every botocore client in the process.

    Installations nest: the innermost answers. They end in the reverse order.

    Args:
        answer: called once for each attempt with URL, headers (names in any case; botocore gives their values as
            bytes) and body; what it raises ends the call.
        clock: what the SDK's back-off moves.
        region: for clients with no Region configured.
        seed: of the jitter in the SDK's back-off.
        time_mode: ``"virtual"`` or ``"sdk"``: the SDK waits in virtual time; ``"real"``: it waits.
        read: where to note, by a reply's request id, what the application reads of its reply.

    Returns:
        The installation, to be ended with its ``uninstall``.
    """
    from pytest_ddbthrottle._botocore.installation import Installation

    return Installation(answer, clock, region=region, seed=seed, time_mode=time_mode, read=read)


def attach(client: Any) -> None:
    """Check that a client, or a resource's, is one of DynamoDB and that its requests are answered here.

    Raises:
        TypeError: it is not a DynamoDB client.
        RuntimeError: its way out is not patched; the message says what stands in the way.
    """
    from pytest_ddbthrottle._botocore.installation import check_client

    check_client(client)
