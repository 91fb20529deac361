"""The same seed gives the same run, byte for byte: again, on another fake, and whatever Python hashes by."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
import swarm.transcript as script  # noqa: F401
