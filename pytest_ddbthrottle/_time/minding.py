"""What a waiting room asks of whoever looks after it in real time."""

from __future__ import annotations

from typing import Protocol


class Minding(Protocol):
    """What a room asks of its minder."""

    def needed(self) -> None:
        """Begin to look at the real time, if not begun."""

    def dismiss(self) -> None:
        """Stop looking."""

    def strangers(self) -> bool:
        """Tell whether there are threads of the application's that do not take part."""

    def no_progress(self) -> bool:
        """Tell whether waits end one after the other, for too long, and nothing comes of it."""

    def progress(self) -> None:
        """Hear that something other than time went on."""
