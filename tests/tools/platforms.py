"""What a test needs of the system that it runs on."""

from __future__ import annotations

import sys

import pytest

WINDOWS = sys.platform == "win32"
on_unix = pytest.mark.skipif(WINDOWS, reason="permissions, pipes and links of anybody are those of Unix")
