"""The same seed gives the same run, byte for byte: again, on another fake, and whatever Python hashes by."""

from __future__ import annotations

import swarm.transcript as script  # noqa: F401
