"""A wire reply as botocore's response object: at once, or asked for when it is first read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from botocore.awsrequest import AWSResponse

from pytest_ddbthrottle._wire import WireReply


@dataclass(frozen=True, slots=True)
class RawBody:
    """A body, as ``AWSResponse`` reads it from an HTTP library."""

    content: bytes

    def stream(self) -> Iterator[bytes]:
        """Give the body in one piece."""
        yield self.content


def response(url: str, reply: WireReply) -> Any:
    """Give an ``AWSResponse``."""
    return AWSResponse(url, reply.status_code, reply.headers, RawBody(reply.body))


class AsyncResponse(AWSResponse):  # type: ignore[misc]  # botocore has no types, and knows a response by its class
    """A response as aiobotocore reads it: what is in the body is awaited."""

    @classmethod
    def of(cls, url: str, reply: WireReply) -> AsyncResponse:
        """Give a reply's response."""
        return cls(url, reply.status_code, reply.headers, RawBody(reply.body))

    @property
    async def content(self) -> bytes:
        """The reply's body."""
        return bytes(self.raw.content)

    @property
    async def text(self) -> str:
        """The reply's body as text."""
        return str(self.raw.content, "utf-8")


class ResponseWhenRead(AWSResponse):  # type: ignore[misc]  # botocore has no types, and knows a response by its class
    """A response that asks for its reply when somebody first reads it.

    ``before-send`` calls every handler and takes the first answer. One that was not taken is never read, so the engine
    never carries out a request that somebody else has answered.
    """

    def __init__(self, url: str, ask: Callable[[], WireReply]) -> None:
        self.url = url
        self._ask = ask
        self._read: Any = None

    def _response(self) -> Any:
        if self._read is None:
            self._read = response(self.url, self._ask())
        return self._read

    @property
    def status_code(self) -> int:
        """The reply's HTTP status."""
        return int(self._response().status_code)

    @property
    def headers(self) -> Any:
        """The reply's headers, their names in any case."""
        return self._response().headers

    @property
    def raw(self) -> Any:
        """The reply's body, as an HTTP library would give it."""
        return self._response().raw

    @property
    def content(self) -> bytes:
        """The reply's body."""
        return bytes(self._response().content)
